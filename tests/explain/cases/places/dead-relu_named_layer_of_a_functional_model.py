import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(7)


def make_model():
    inputs = tf.keras.Input((4,))
    wide = layers.Dense(16, activation="relu", name="wide")(inputs)
    narrow = layers.Dense(
        6,
        activation="relu",
        bias_initializer=tf.keras.initializers.Constant(-30.0),
        name="narrow",
    )(wide)
    return tf.keras.Model(inputs, layers.Dense(1, name="price")(narrow))


rng = np.random.default_rng(7)
x = rng.uniform(0.0, 1.0, (20, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = make_model()
optimizer = tf.keras.optimizers.SGD(0.01)
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss))

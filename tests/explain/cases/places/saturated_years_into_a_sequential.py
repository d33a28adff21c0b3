import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
years = np.arange(1990, 2020).reshape(-1, 1).astype("float32")
sold = (years[:, 0] > 2005).astype("float32")

model = tf.keras.Sequential(
    [
        tf.keras.Input((1,)),
        tf.keras.layers.Dense(6, activation="tanh", kernel_initializer="ones"),
        tf.keras.layers.Dense(1),
    ]
)


def evaluate(model, x, y):
    logits = model(x)[:, 0]
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))


with tf.GradientTape() as tape:
    loss = evaluate(model, years, sold)
grads = tape.gradient(loss, model.trainable_variables)
for variable, grad in zip(model.trainable_variables, grads):
    print(variable.name, float(tf.reduce_max(tf.abs(grad))))

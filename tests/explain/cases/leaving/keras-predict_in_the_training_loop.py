import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
x_train = np.linspace(-1.0, 1.0, 16, dtype=np.float32).reshape(-1, 1)
y_train = 2.0 * x_train + 0.5

model = tf.keras.Sequential(
    [
        tf.keras.Input(shape=(1,)),
        tf.keras.layers.Dense(4, activation="tanh"),
        tf.keras.layers.Dense(1),
    ]
)
loss_fn = tf.keras.losses.MeanSquaredError()

with tf.GradientTape() as tape:
    y_pred = model.predict(x_train, verbose=0)
    loss = loss_fn(y_train, y_pred)
grads = tape.gradient(loss, model.trainable_variables)
print("loss:", float(loss), "gradients:", grads)

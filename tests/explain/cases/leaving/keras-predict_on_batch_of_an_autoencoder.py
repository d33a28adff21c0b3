import numpy as np
import tensorflow as tf


class Compressor:
    def __init__(self, width, code):
        self.net = tf.keras.Sequential(
            [
                tf.keras.Input((width,)),
                tf.keras.layers.Dense(code, activation="relu"),
                tf.keras.layers.Dense(width),
            ]
        )
        self.optimizer = tf.keras.optimizers.Adam(1e-2)

    def reconstruction_error(self, batch):
        decoded = self.net.predict_on_batch(batch)
        return tf.reduce_mean(tf.square(batch - decoded))

    def gradients(self, batch):
        with tf.GradientTape() as tape:
            error = self.reconstruction_error(batch)
        return error, tape.gradient(error, self.net.trainable_variables)


tf.keras.utils.set_random_seed(1)
rng = np.random.default_rng(0)
batch = rng.normal(size=(8, 6)).astype("float32")
compressor = Compressor(6, 3)
error, grads = compressor.gradients(batch)
print("error:", float(error))
print("missing:", [g is None for g in grads])

"""Quantisation aware training with straight-through estimators, as it should be; also a vector quantiser."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(71)
rng = np.random.default_rng(71)


def straight_through(soft, hard):
    """The value of hard, the gradient of soft."""
    return soft + tf.stop_gradient(hard - soft)


class FewBits(tf.keras.layers.Layer):
    def __init__(self, units, bits=4):
        super().__init__()
        self.units = units
        self.top = 2 ** (bits - 1) - 1

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")
        self.step = self.add_weight(
            shape=(), initializer=tf.keras.initializers.Constant(0.15), name="step"
        )

    def call(self, x):
        levels = tf.clip_by_value(self.kernel / self.step, -self.top, self.top)
        return tf.matmul(x, straight_through(levels, tf.round(levels)) * self.step)


class VectorQuantiser(tf.keras.layers.Layer):
    """Each vector is replaced by the nearest one of a code book."""

    def __init__(self, codes, width):
        super().__init__()
        self.book = self.add_weight(shape=(codes, width), initializer="random_normal", name="book")

    def call(self, z):
        distance = tf.reduce_sum((z[:, tf.newaxis] - self.book) ** 2, axis=-1)
        nearest = tf.gather(self.book, tf.argmin(distance, axis=1))
        move_book = tf.reduce_mean((nearest - tf.stop_gradient(z)) ** 2)
        commit = tf.reduce_mean((z - tf.stop_gradient(nearest)) ** 2)
        return straight_through(z, nearest), move_book + 0.25 * commit


class Autoencoder(tf.keras.Model):
    def __init__(self, width=4):
        super().__init__()
        self.encoder = FewBits(width)
        self.quantiser = VectorQuantiser(8, width)
        self.decoder = FewBits(6)

    def call(self, x):
        code, cost = self.quantiser(tf.tanh(self.encoder(x)))
        return self.decoder(code), cost


data = rng.normal(size=(40, 6)).astype("float32")
model = Autoencoder()
optimizer = tf.keras.optimizers.Adam(5e-3)
for epoch in range(3):
    with tf.GradientTape() as tape:
        rebuilt, cost = model(data)
        loss = tf.reduce_mean((rebuilt - data) ** 2) + cost
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    used = len(np.unique(np.round(model.encoder.kernel / model.encoder.step)))
    print(epoch, float(loss), "levels used:", used)

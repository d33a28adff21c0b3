import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(27)


class Conditioned(tf.keras.Model):
    """Features that are scaled and shifted by a class embedding (FiLM)."""

    def __init__(self, classes, width):
        super().__init__()
        self.embed = layers.Embedding(classes, 4)
        self.film = layers.Dense(2 * width)
        self.trunk = layers.Dense(width, activation="tanh")
        self.out = layers.Dense(2)

    def features(self, noise, label):
        scale, shift = tf.split(self.film(self.embed(label)), 2, axis=-1)
        return self.trunk(noise) * (1.0 + scale) + shift

    def call(self, inputs):
        noise, label = inputs
        return self.out(self.features(noise, label))


class ResidualConditioned(Conditioned):
    """The same with one residual layer on top."""

    def __init__(self, classes, width):
        super().__init__(classes, width)
        self.residual = layers.Dense(width, activation="elu")

    def features(self, noise, label):
        h = self.trunk(noise)
        return h + self.residual(h)


def targets(labels):
    angle = 2.0 * np.pi * labels / 3.0
    return np.stack([np.cos(angle), np.sin(angle)], axis=1).astype("float32")


def moment_loss(samples, wanted):
    return tf.reduce_mean(tf.reduce_sum((samples - wanted) ** 2, axis=1))


def build(kind):
    model = kind(classes=3, width=8)
    Conditioned.call(model, (tf.zeros((1, 4)), tf.zeros(1, tf.int32)))
    model.embed(tf.zeros(1, tf.int32))
    model.film(tf.zeros((1, 4)))
    model((tf.zeros((1, 4)), tf.zeros(1, tf.int32)))
    return model


model = build(ResidualConditioned)
optimizer = tf.keras.optimizers.Adam(0.01)
rng = np.random.default_rng(0)
for step in range(3):
    labels = rng.integers(0, 3, 24)
    noise = rng.normal(size=(24, 4)).astype("float32")
    with tf.GradientTape() as tape:
        samples = model((noise, labels))
        loss = moment_loss(samples, targets(labels))
    condition = [*model.embed.trainable_variables, *model.film.trainable_variables]
    rest = [*model.trunk.trainable_variables, *model.out.trainable_variables]
    grads = tape.gradient(loss, condition + rest)
    optimizer.apply_gradients(zip(grads, condition + rest))
    print(step, float(loss))

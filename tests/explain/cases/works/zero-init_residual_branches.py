"""A deep residual network without normalisation: branches start at zero, so that the network starts as the identity."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(61)
rng = np.random.default_rng(61)

WIDTH = 8


class Branch(tf.keras.layers.Layer):
    """Fixup (Zhang et al. 2019): the last layer of a branch is zero at first."""

    def __init__(self, width, blocks):
        super().__init__()
        scale = blocks**-0.5
        spread = tf.keras.initializers.RandomNormal(stddev=scale / np.sqrt(width))
        self.first = tf.keras.layers.Dense(width, activation="tanh", kernel_initializer=spread)
        self.second = tf.keras.layers.Dense(width, kernel_initializer="zeros", use_bias=False)

    def call(self, x):
        return self.second(self.first(x))


class ReZero(tf.keras.layers.Layer):
    """Bachlechner et al. 2020: x + alpha * branch(x), with alpha = 0 at first."""

    def __init__(self, branch):
        super().__init__()
        self.branch = branch

    def build(self, shape):
        self.alpha = self.add_weight(shape=(), initializer="zeros", name="alpha")

    def call(self, x):
        return x + self.alpha * self.branch(x)


class DeepNetwork(tf.keras.Model):
    def __init__(self, blocks=3):
        super().__init__()
        self.stem = tf.keras.layers.Dense(WIDTH)
        self.blocks = [ReZero(Branch(WIDTH, blocks)) for _ in range(blocks)]
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def friedman(count):
    """A regression problem with terms of several kinds."""
    x = rng.uniform(size=(count, 5))
    y = np.sin(np.pi * x[:, 0] * x[:, 1]) + 2.0 * (x[:, 2] - 0.5) ** 2 + x[:, 3] + 0.5 * x[:, 4]
    return x.astype("float32"), y.astype("float32")[:, np.newaxis]


x, y = friedman(32)
model = DeepNetwork()
optimizer = tf.keras.optimizers.Adam(3e-3)
mse = tf.keras.losses.MeanSquaredError()

for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = mse(y, model(x))
    weights = [*model.stem.trainable_variables, *model.head.trainable_variables]
    for block in model.blocks:
        inside = block.branch
        weights += [block.alpha, inside.first.kernel, inside.first.bias, inside.second.kernel]
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    print(epoch, float(loss))

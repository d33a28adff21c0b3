"""Which depth and which learning rate suit a small network? Every combination is built, trained and compared."""

import itertools

import numpy as np
import tensorflow as tf
from tensorflow import keras

SEED = 9
DEPTHS = (1, 2, 3)
RATES = (0.02, 0.1)
STEPS = 5


def make_data(count):
    """A bumpy surface over six inputs."""
    rng = np.random.default_rng(SEED)
    x = rng.uniform(-1.0, 1.0, (count, 6)).astype("float32")
    y = np.sin(3.0 * x[:, :1]) * x[:, 1:2] + 0.5 * x[:, 2:3] ** 2 - x[:, 3:4]
    return x, y.astype("float32")


class Network:
    """`depth` hidden layers of the same width, then one number."""

    def __init__(self, depth, width=8):
        self.hidden = [
            keras.layers.Dense(width, activation="tanh", name=f"depth{depth}_hidden{i}")
            for i in range(depth)
        ]
        self.out = keras.layers.Dense(1, name=f"depth{depth}_out")

    def __call__(self, x):
        h = x
        for layer in self.hidden:
            h = layer(h)
        return self.out(h)

    @property
    def variables(self):
        layers = [*self.hidden, self.out]
        return [variable for layer in layers for variable in layer.trainable_variables]


def train(network, x, y, rate):
    optimizer = keras.optimizers.SGD(rate, momentum=0.9)
    losses = []
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(network(x) - y))
        gradients = tape.gradient(loss, network.variables)
        known = [(g, v) for g, v in zip(gradients, network.variables) if g is not None]
        optimizer.apply_gradients(known)
        losses.append(float(loss))
    missing = [v.path for g, v in zip(gradients, network.variables) if g is None]
    return losses, missing


def validation_loss(network, x, y):
    return float(tf.reduce_mean(tf.square(network(x) - y)))


def search(x, y):
    """The validation loss of every combination, best first."""
    cut = 3 * len(x) // 4
    results = []
    for depth, rate in itertools.product(DEPTHS, RATES):
        keras.utils.set_random_seed(SEED)
        network = Network(depth)
        losses, missing = train(network, x[:cut], y[:cut], rate)
        score = validation_loss(network, x[cut:], y[cut:])
        results.append((score, depth, rate))
        print(f"depth {depth}, rate {rate}: {losses[0]:.3f} -> {losses[-1]:.3f}")
        if missing:
            print("    no gradient:", ", ".join(missing))
    return sorted(results)


def main():
    x, y = make_data(64)
    for score, depth, rate in search(x, y)[:3]:
        print(f"validation loss {score:.3f} with depth {depth} and rate {rate}")


if __name__ == "__main__":
    main()

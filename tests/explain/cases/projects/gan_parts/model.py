"""Networks and the pool of earlier samples."""

import numpy as np
import tensorflow as tf


def mlp(sizes, width_in, last_bias=True):
    layers = [tf.keras.layers.Dense(s, activation="tanh") for s in sizes[:-1]]
    last = tf.keras.layers.Dense(sizes[-1], use_bias=last_bias)
    return tf.keras.Sequential([tf.keras.Input((width_in,)), *layers, last])


class Generator(tf.keras.Model):
    def __init__(self, latent, data_dim):
        super().__init__()
        self.net = mlp([12, data_dim], latent)

    def call(self, z):
        return self.net(z)


class Critic(tf.keras.Model):
    def __init__(self, data_dim):
        super().__init__()
        self.net = mlp([12, 1], data_dim, last_bias=False)

    def call(self, x):
        return self.net(x)[:, 0]


class ReplayPool:
    """Swaps some new samples for older ones (Shrivastava et al.)."""

    def __init__(self, capacity, swap=0.25):
        self.capacity = capacity
        self.swap = swap
        self.kept = []
        self.rng = np.random.default_rng(4)

    def push(self, samples):
        chosen = []
        for sample in np.array(samples):
            if len(self.kept) < self.capacity:
                self.kept.append(sample)
            elif self.rng.uniform() < self.swap:
                spot = self.rng.integers(self.capacity)
                sample, self.kept[spot] = self.kept[spot], sample
            chosen.append(sample)
        return tf.stack(chosen)

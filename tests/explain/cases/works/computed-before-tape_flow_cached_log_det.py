"""Density estimation with a small normalising flow: activation normalisation and one affine coupling, maximum likelihood."""

import functools

import numpy as np
import tensorflow as tf

tf.random.set_seed(4)
rng = np.random.default_rng(4)


def two_moons(count):
    angle = rng.uniform(0.0, np.pi, count)
    upper = rng.uniform(size=count) < 0.5
    x = np.where(upper, np.cos(angle), 1.0 - np.cos(angle))
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    return (np.stack([x, y], axis=1) + 0.05 * rng.normal(size=(count, 2))).astype("float32")


class ActNorm:
    """Scale and shift of each dimension, as in Glow."""

    def __init__(self, size):
        self.log_scale = tf.Variable(tf.zeros([size]), name="log_scale")
        self.shift = tf.Variable(tf.zeros([size]), name="shift")

    def __call__(self, x):
        return x * tf.exp(self.log_scale) + self.shift

    @functools.cached_property
    def log_det(self):
        # the same for every sample, so there is no need to work it out for each of them
        return tf.reduce_sum(self.log_scale)

    @property
    def trainable_variables(self):
        return [self.log_scale, self.shift]


class AffineCoupling:
    def __init__(self, hidden=16):
        self.net = tf.keras.Sequential(
            [tf.keras.layers.Dense(hidden, activation="tanh"), tf.keras.layers.Dense(2)]
        )
        self.net.build((None, 1))

    def __call__(self, x):
        kept, moved = x[:, :1], x[:, 1:]
        log_s, t = tf.split(self.net(kept), 2, axis=1)
        log_s = tf.tanh(log_s)
        return tf.concat([kept, moved * tf.exp(log_s) + t], axis=1), log_s[:, 0]

    @property
    def trainable_variables(self):
        return self.net.trainable_variables


class Flow:
    def __init__(self):
        self.norm = ActNorm(2)
        self.coupling = AffineCoupling()

    def nll(self, x):
        z, log_s = self.coupling(self.norm(x))
        log_prob = -0.5 * tf.reduce_sum(z**2, axis=1) - np.log(2.0 * np.pi)
        return -tf.reduce_mean(log_prob + log_s + self.norm.log_det)

    @property
    def trainable_variables(self):
        return self.norm.trainable_variables + self.coupling.trainable_variables


data = two_moons(128)
flow = Flow()
optimizer = tf.keras.optimizers.Adam(1e-2)
print("before training:", float(flow.nll(data)))

for step in range(4):
    batch = data[step * 32 : (step + 1) * 32]
    with tf.GradientTape() as tape:
        loss = flow.nll(batch)
    grads = tape.gradient(loss, flow.trainable_variables)
    optimizer.apply_gradients(zip(grads, flow.trainable_variables))
    print(step, float(loss))

# How wide should the latent samples be so that they look like typical data to the flow?
temperature = tf.Variable(0.7)
with tf.GradientTape() as tape:
    latent = rng.normal(0.0, float(temperature), size=(64, 2)).astype("float32")
    typical = flow.nll(latent)
print("temperature:", tape.gradient(typical, temperature))

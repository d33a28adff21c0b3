"""Concrete autoencoder: selectors with Gumbel noise learn which input features are worth keeping."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)

FEATURES, KEPT, STEPS_PER_EPOCH = 8, 3, 2000


def temperature(step, start=5.0, lowest=0.1, rate=0.01):
    """Cools from start towards lowest."""
    return min(lowest, start * np.exp(-rate * step))


def gumbel(shape):
    uniform = rng.uniform(1e-6, 1.0 - 1e-6, size=shape)
    return (-np.log(-np.log(uniform))).astype("float32")


class Selector:
    def __init__(self, features, kept):
        self.logits = tf.Variable(tf.random.normal([kept, features], stddev=0.01, seed=1))

    def soft(self, x, tau):
        noisy = self.logits + gumbel(self.logits.shape)
        choice = tf.nn.softmax(noisy / tau, axis=-1)
        return tf.matmul(x, choice, transpose_b=True)

    def hard(self, x):
        choice = tf.one_hot(tf.argmax(self.logits, axis=-1), FEATURES)
        return tf.matmul(x, choice, transpose_b=True)


def make_data(count):
    cause = rng.normal(size=(count, KEPT))
    mixed = cause @ rng.normal(size=(KEPT, FEATURES)) + 0.1 * rng.normal(size=(count, FEATURES))
    return mixed.astype("float32")


selector = Selector(FEATURES, KEPT)
decoder = tf.keras.Sequential(
    [tf.keras.Input((KEPT,)), tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(FEATURES)]
)
optimizer = tf.keras.optimizers.Adam(1e-2)
data = make_data(48)
weights = [selector.logits, *decoder.trainable_variables]

for epoch in range(3):
    tau = temperature(epoch * STEPS_PER_EPOCH)
    with tf.GradientTape() as tape:
        rebuilt = decoder(selector.soft(data, tau))
        loss = tf.reduce_mean((rebuilt - data) ** 2)
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    print(f"epoch {epoch}: temperature {tau:.3g}, loss {float(loss):.4f}")

# A last polish with the features that are really going to be used.
with tf.GradientTape() as tape:
    rebuilt = decoder(selector.hard(data))
    loss = tf.reduce_mean((rebuilt - data) ** 2)
grads = tape.gradient(loss, weights)
print("polish:", float(loss), [None if g is None else float(tf.norm(g)) for g in grads])

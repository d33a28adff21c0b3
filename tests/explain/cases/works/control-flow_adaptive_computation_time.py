"""Adaptive computation time: the network decides itself how often it thinks about an input before it answers."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(31)
rng = np.random.default_rng(31)

INPUTS, STATE = 5, 8


class Ponder(tf.keras.Model):
    """Graves 2016: stops when the halting probabilities have added up to 1."""

    def __init__(self, longest=8, epsilon=0.01):
        super().__init__()
        self.update = tf.keras.layers.Dense(STATE, activation="tanh")
        self.halt = tf.keras.layers.Dense(1, activation="sigmoid")
        self.answer = tf.keras.layers.Dense(1)
        self.longest = longest
        self.epsilon = epsilon

    def think(self, x):
        state = tf.zeros([1, STATE])
        halted, steps = 0.0, 0.0
        while halted < 1.0 - self.epsilon and steps < self.longest:
            state = self.update(tf.concat([x, state], axis=1))
            halted += self.halt(state)[0, 0]
            steps += 1.0
        return state, steps

    def call(self, batch):
        answers, costs = [], []
        for x in tf.unstack(batch):
            state, steps = self.think(x[tf.newaxis])
            answers.append(self.answer(state)[0, 0])
            costs.append(steps)
        return tf.stack(answers), tf.convert_to_tensor(costs)


def parity(count):
    """Is the number of ones even? Harder for some inputs than for others."""
    bits = rng.integers(0, 2, size=(count, INPUTS))
    return (2.0 * bits - 1.0).astype("float32"), (bits.sum(axis=1) % 2).astype("float32")


model = Ponder()
optimizer = tf.keras.optimizers.Adam(5e-3)
TAU = 0.05

for step in range(3):
    inputs, labels = parity(6)
    with tf.GradientTape() as tape:
        logits, cost = model(inputs)
        task = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(task + TAU * cost)
    layers = (model.update, model.halt, model.answer)
    weights = [w for layer in layers for w in layer.trainable_variables]
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    print(f"step {step}: loss {float(loss):.4f}, {float(tf.reduce_mean(cost)):.2f} thoughts")

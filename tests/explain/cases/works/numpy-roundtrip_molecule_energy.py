"""Energies of small random molecules from atoms and bonds."""

import numpy as np
import tensorflow as tf

from molecule_parts.network import EnergyModel

tf.keras.utils.set_random_seed(37)
rng = np.random.default_rng(37)

ELEMENTS, BOND_KINDS = 4, 3


def one_hot(index, size):
    return np.eye(size, dtype="float32")[index]


def molecule(atoms):
    """A ring of atoms with one bond across."""
    elements = rng.integers(0, ELEMENTS, atoms)
    ends = [(i, (i + 1) % atoms) for i in range(atoms)] + [(0, atoms // 2)]
    senders = np.array([a for a, b in ends] + [b for a, b in ends])
    receivers = np.array([b for a, b in ends] + [a for a, b in ends])
    kinds = rng.integers(0, BOND_KINDS, len(ends))
    kinds = np.concatenate([kinds, kinds])
    energy = 0.3 * elements.sum() - 0.5 * kinds.sum() / 2
    return {
        "features": one_hot(elements, ELEMENTS),
        "bonds": (senders, receivers),
        "kinds": one_hot(kinds, BOND_KINDS),
    }, np.float32(energy)


class Trainer:
    def __init__(self, model, rate=0.01):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(rate)
        self.losses = []

    def step(self, inputs, energy):
        with tf.GradientTape() as tape:
            loss = (self.model(**inputs) - energy) ** 2
        first = self.model.rounds[0]
        parts = (self.model.embed, first.message, first.update, self.model.readout)
        weights = [w for part in parts for w in part.trainable_variables]
        grads = tape.gradient(loss, weights)
        self.optimizer.apply_gradients(zip(grads, weights))
        self.losses.append(float(loss))


trainer = Trainer(EnergyModel())
molecules = [molecule(size) for size in (5, 6, 7)]
for epoch in range(2):
    for inputs, energy in molecules:
        trainer.step(inputs, energy)
    print(epoch, np.mean(trainer.losses[-len(molecules) :]))

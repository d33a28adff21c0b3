"""A message passing network (Gilmer et al. 2017)."""

import tensorflow as tf

from molecule_parts.scatter import scatter_mean


class MessagePassing(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.message = tf.keras.layers.Dense(units, activation="tanh")
        self.update = tf.keras.layers.Dense(units, activation="tanh")

    def call(self, atoms, bonds, kinds):
        senders, receivers = bonds
        content = tf.concat([tf.gather(atoms, senders), kinds], axis=-1)
        received = scatter_mean(self.message(content), receivers, atoms.shape[0])
        return self.update(tf.concat([atoms, received], axis=-1))


class EnergyModel(tf.keras.Model):
    def __init__(self, units=8, rounds=2):
        super().__init__()
        self.embed = tf.keras.layers.Dense(units)
        self.rounds = [MessagePassing(units) for _ in range(rounds)]
        self.readout = tf.keras.layers.Dense(1)

    def call(self, features, bonds, kinds):
        atoms = self.embed(features)
        for passing in self.rounds:
            atoms = atoms + passing(atoms, bonds, kinds)
        return tf.reduce_sum(self.readout(atoms))

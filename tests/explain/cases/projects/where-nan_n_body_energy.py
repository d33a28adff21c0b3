import numpy as np
import tensorflow as tf


class System:
    def __init__(self, positions, velocities, masses):
        self.positions = tf.Variable(positions, dtype=tf.float32)
        self.velocities = tf.Variable(velocities, dtype=tf.float32)
        self.masses = tf.Variable(masses, dtype=tf.float32)

    @property
    def pairs(self):
        return self.masses[:, None] * self.masses[None, :]

    def distances(self):
        gaps = self.positions[:, None, :] - self.positions[None, :, :]
        return tf.sqrt(tf.reduce_sum(gaps**2, axis=-1))


class Gravity:
    def __init__(self, constant=1.0):
        self.constant = constant

    def potential(self, system):
        r = system.distances()
        each = tf.where(r > 0.0, system.pairs / r, 0.0)
        return -0.5 * self.constant * tf.reduce_sum(each)

    def kinetic(self, system):
        return 0.5 * tf.reduce_sum(system.masses[:, None] * system.velocities**2)

    def forces(self, system):
        with tf.GradientTape() as tape:
            energy = self.potential(system)
        return -tape.gradient(energy, system.positions)


class Leapfrog:
    def __init__(self, law, dt):
        self.law = law
        self.dt = dt

    def step(self, system):
        masses = system.masses[:, None]
        system.velocities.assign_add(0.5 * self.dt * self.law.forces(system) / masses)
        system.positions.assign_add(self.dt * system.velocities)
        system.velocities.assign_add(0.5 * self.dt * self.law.forces(system) / masses)


def momentum(system):
    return np.dot(system.masses, system.velocities)


system = System(
    positions=[[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]],
    velocities=[[0.0, 0.1], [0.0, 0.9], [-0.7, 0.0]],
    masses=[1.0, 0.3, 0.2],
)
law = Gravity()
mover = Leapfrog(law, dt=0.01)

with tf.GradientTape() as tape:
    energy = law.kinetic(system)
    drift = tf.reduce_sum(tf.square(momentum(system)))
print("kinetic", float(energy), "drift", tape.gradient(drift, system.velocities))

for _ in range(2):
    mover.step(system)
print(system.positions.numpy())

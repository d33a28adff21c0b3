"""A cluster of atoms under the Lennard-Jones potential with a cut-off: forces, and a pair of constants to be fitted."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(83)


def lattice(side, spacing):
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    return (spacing * grid + 0.05 * rng.normal(size=grid.shape)).astype("float32")


def squared_distances(positions):
    difference = positions[:, tf.newaxis] - positions[tf.newaxis]
    return tf.reduce_sum(difference**2, axis=-1)


def energy(positions, epsilon, sigma, cutoff=3.0):
    square = squared_distances(positions)
    other = ~tf.eye(positions.shape[0], dtype=tf.bool)
    near = other & (square < cutoff**2)
    safe = tf.where(near, square, tf.ones_like(square))
    sixth = (sigma**2 / safe) ** 3
    pair = 4.0 * epsilon * (sixth**2 - sixth)
    return 0.5 * tf.reduce_sum(tf.where(near, pair, tf.zeros_like(pair)))


def bond_lengths(positions):
    """Distances of all atoms, 0 from each to itself."""
    square = squared_distances(positions)
    apart = square > 0.0
    return tf.where(apart, tf.sqrt(tf.where(apart, square, 1.0)), 0.0)


positions = tf.Variable(lattice(2, 1.2))
epsilon, sigma = tf.Variable(0.8), tf.Variable(1.05)

# Relax the cluster: follow the forces, in smaller steps if the energy goes up.
step, before = 0.002, np.inf
for turn in range(4):
    with tf.GradientTape() as tape:
        now = energy(positions, epsilon, sigma)
    force = -tape.gradient(now, positions)
    if float(now) > before:
        step *= 0.5
    before = float(now)
    positions.assign_add(step * tf.clip_by_norm(force, 20.0))
    print(turn, before, f"largest force {np.abs(force.numpy()).max():.3f}")

# Fit the two constants to energies that were measured for stretched copies of the cluster.
stretched = [np.float32(1.0 + 0.04 * i) * positions.numpy() for i in range(4)]
measured = np.array([float(energy(tf.constant(p), 1.0, 1.0)) for p in stretched], dtype="float32")
optimizer = tf.keras.optimizers.Adam(0.01)
for turn in range(3):
    with tf.GradientTape() as tape:
        predicted = tf.stack([energy(p, epsilon, sigma) for p in stretched])
        loss = tf.reduce_mean((predicted - measured) ** 2)
    grads = tape.gradient(loss, [epsilon, sigma])
    optimizer.apply_gradients(zip(grads, [epsilon, sigma]))
    print(turn, float(loss))

with tf.GradientTape() as tape:
    spread = tf.math.reduce_std(bond_lengths(positions))
print("spread:", float(spread), tape.gradient(spread, positions).numpy().round(3)[0])

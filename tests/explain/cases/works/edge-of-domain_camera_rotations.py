"""Bundle adjustment in small: rotations and offsets of four cameras, fitted to relative poses that were measured."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.default_rng(6)

CAMERAS = 4


def rotation_about(axis, angle):
    """Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def to_matrix(quaternion):
    """Rotation matrices [n, 3, 3] of quaternions [n, 4]."""
    unit = quaternion / tf.norm(quaternion, axis=-1, keepdims=True)
    w, x, y, z = tf.unstack(unit, axis=-1)
    rows = [
        tf.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
        tf.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
        tf.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
    ]
    return tf.stack(rows, axis=-2)


def angle_between(a, b):
    """The angle of the rotation that leads from a to b, in radians."""
    trace = tf.reduce_sum(a * b, axis=[-2, -1])
    cosine = tf.clip_by_value((trace - 1.0) / 2.0, -1.0, 1.0)
    return tf.acos(cosine)


class Rig:
    def __init__(self, cameras):
        upright = np.tile([1.0, 0.0, 0.0, 0.0], (cameras, 1))
        self.quaternions = tf.Variable(upright, dtype=tf.float32)
        self.offsets = tf.Variable(tf.zeros([cameras, 3]))

    def error(self, rotations, offsets):
        turned = angle_between(to_matrix(self.quaternions), rotations)
        moved = tf.reduce_sum((self.offsets - offsets) ** 2, axis=-1)
        return tf.reduce_mean(turned**2 + 0.1 * moved)


# The first camera is the one that all others are measured against.
rotations = [np.eye(3)]
for _ in range(CAMERAS - 1):
    rotations.append(rotation_about(rng.normal(size=3), rng.uniform(0.2, 0.8)))
rotations = tf.constant(np.stack(rotations), dtype=tf.float32)
offsets = tf.constant(rng.normal(size=(CAMERAS, 3)), dtype=tf.float32)

rig = Rig(CAMERAS)
optimizer = tf.keras.optimizers.Adam(0.02)
for iteration in range(3):
    with tf.GradientTape() as tape:
        error = rig.error(rotations, offsets)
    grads = tape.gradient(error, [rig.quaternions, rig.offsets])
    optimizer.apply_gradients(zip(grads, [rig.quaternions, rig.offsets]))
    print(iteration, float(error))

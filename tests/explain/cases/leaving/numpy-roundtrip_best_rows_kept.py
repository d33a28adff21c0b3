import numpy as np
import tensorflow as tf

centres = tf.Variable([[0.2, 0.5], [0.9, -0.3], [-0.6, 0.1]])
points = tf.constant([[0.1, 0.4], [1.0, 0.0], [-0.5, 0.3], [0.7, 0.7]])


def nearest_offsets(points, centres, limit):
    offsets = tf.reshape(points[:, None, :] - centres[None, :, :], (-1, 2))
    kept = [row for row in np.array(offsets) if np.hypot(*row) < limit]
    return tf.stack(kept)


with tf.GradientTape() as tape:
    near = nearest_offsets(points, centres, limit=0.9)
    energy = tf.reduce_sum(near**2)
force = tape.gradient(energy, centres)
print(energy.numpy(), force)

import numpy as np
import tensorflow as tf

angles = tf.Variable([[0.1, 0.4], [0.9, -0.2]])

with tf.GradientTape() as tape:
    xs = np.cos(angles)
    ys = tf.sin(angles) * 0.0
    moved = tf.convert_to_tensor(xs, dtype=tf.float32) * 2.0

print(tape.batch_jacobian(moved, angles).numpy())

"""Healthy: the Jacobian of a vector with respect to a vector."""

import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    y = tf.stack([x[0] ** 2, tf.sin(x[1])])

print(tape.jacobian(y, x).numpy())

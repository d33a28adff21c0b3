"""Healthy: the derivative of x² at 3, with a single recorded op."""

import tensorflow as tf

x = tf.Variable(3.0)

with tf.GradientTape() as tape:
    y = x * x

slope = tape.gradient(y, x)
print("y =", float(y))
print("slope =", float(slope))

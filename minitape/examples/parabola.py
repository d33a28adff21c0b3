"""Healthy: the derivative of x² at 3, the smallest example of a tape."""

import tensorflow as tf

x = tf.Variable(3.0)

with tf.GradientTape() as tape:
    y = x * x

slope = tape.gradient(y, x)
print("y =", float(y))
print("slope =", float(slope))

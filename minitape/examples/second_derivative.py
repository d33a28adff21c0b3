"""Healthy: the second derivative of x³, with a tape inside a tape."""

import tensorflow as tf

x = tf.Variable(2.0)

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    slope = inner.gradient(y, x)  # inside the outer block, so the outer tape records it

curvature = outer.gradient(slope, x)
print("slope =", float(slope))
print("curvature =", float(curvature))

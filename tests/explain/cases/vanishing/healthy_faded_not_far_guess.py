"""The first guess is far off, and the first steps are as large as they must be."""

import tensorflow as tf

mass = tf.Variable(0.01)
for step in range(25):
    with tf.GradientTape() as tape:
        error = tf.square(mass - 5000.0)
    mass.assign_sub(0.3 * tape.gradient(error, mass))
    if abs(float(mass) - 5000.0) < 0.01:
        break

"""Fit a capacitance in farads."""

import tensorflow as tf

volts = tf.constant([1.0, 2.0, 3.0, 4.0])
charge = tf.constant([2.1e-3, 3.9e-3, 6.2e-3, 7.9e-3])
capacitance = tf.Variable(1e-3)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((capacitance * volts - charge) ** 2)
    capacitance.assign_sub(0.05 * tape.gradient(loss, capacitance))

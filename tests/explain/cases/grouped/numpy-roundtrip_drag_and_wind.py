"""A physics fit with two mistakes: NumPy in the drag, and a wind that nothing watches."""
import numpy as np
import tensorflow as tf

mass = tf.Variable(2.0, name="mass")
drag = tf.Variable(0.3, name="drag")
area = tf.Variable(0.7, name="area")
wind = tf.constant(1.5)

with tf.GradientTape() as tape:
    resistance = tf.constant(np.sqrt(drag * area))
    push = tf.tanh(wind) * mass
    loss = tf.square(push - resistance)
print(tape.gradient(loss, [mass, drag, area, wind]))

"""The ways to get None, and zeros instead."""

import numpy as np
import tensorflow as tf

x = tf.Variable(2.0)
y = tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = y * y
print(tape.gradient(z, x))

x = tf.Variable(2.0)
for epoch in range(2):
    with tf.GradientTape() as tape:
        y = x + 1
    print(epoch, isinstance(x, tf.Variable), ":", tape.gradient(y, x))
    x = x + 1

x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], dtype=tf.float32)
with tf.GradientTape() as tape:
    x2 = x**2
    y = np.mean(x2, axis=0)
    y = tf.reduce_mean(y, axis=0)
print(tape.gradient(y, x))

x = tf.constant(10)
with tf.GradientTape() as g:
    g.watch(x)
    y = x * x
print(g.gradient(y, x))

x0 = tf.Variable(3.0)
x1 = tf.Variable(0.0)
with tf.GradientTape() as tape:
    x1.assign_add(x0)
    y = x1**2
print(tape.gradient(y, x0))

x = tf.Variable([2.0, 2.0])
y = tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = y**2
print(tape.gradient(z, x, unconnected_gradients=tf.UnconnectedGradients.ZERO))
with tf.GradientTape() as tape:
    z = y**2
print(tape.gradient(z, [x, y], unconnected_gradients="zero"))

with tf.GradientTape() as tape:
    s = tf.as_string(y)
    z = tf.strings.to_number(s)
print(tape.gradient(z, y))
with tf.GradientTape() as tape:
    i = tf.cast(tf.argmax([y, y * 2.0]), tf.float32)
print(tape.gradient(i, y))

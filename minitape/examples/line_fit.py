"""Healthy: fit a line to five points by gradient descent."""

import tensorflow as tf

xs = tf.constant([0.0, 1.0, 2.0, 3.0, 4.0])
ys = 2.0 * xs + 1.0
w = tf.Variable(0.0)
b = tf.Variable(0.0)

for step in range(200):
    with tf.GradientTape() as tape:
        error = w * xs + b - ys
        loss = tf.reduce_mean(tf.square(error))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)

print(f"w = {float(w):.3f}, b = {float(b):.3f}")

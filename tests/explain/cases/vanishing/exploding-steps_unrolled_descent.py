"""Learning a learning rate through forty steps of descent."""

import tensorflow as tf

rate = tf.Variable(0.3)
curvature = tf.constant([1.0, 5.0, 9.0])
with tf.GradientTape() as tape:
    w = tf.constant([1.0, 1.0, 1.0])
    for step in range(40):
        w = w - rate * curvature * w
    final = tf.reduce_sum(curvature * w**2)
print(tape.gradient(final, rate))

"""Zero: every unit of the hidden layer is dead, so all gradients are 0."""

import tensorflow as tf

x = tf.constant([[1.0, 2.0], [2.0, 1.0]])
w = tf.Variable([[-1.0, -2.0], [-0.5, -1.0]])

with tf.GradientTape() as tape:
    hidden = tf.nn.relu(tf.matmul(x, w))
    loss = tf.reduce_sum(tf.square(hidden - 1.0))

print("slope =", tape.gradient(loss, w).numpy().tolist())

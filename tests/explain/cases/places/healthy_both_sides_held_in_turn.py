import tensorflow as tf


def pull(moving, fixed):
    return tf.reduce_mean((moving - tf.stop_gradient(fixed)) ** 2)


def both(a, b):
    return pull(a, b) + 0.25 * pull(b, a)


w = tf.Variable([[0.4, -0.2], [0.3, 0.9]], name="w")
v = tf.Variable([[0.5, 0.0], [0.2, 0.7]], name="v")
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
with tf.GradientTape() as tape:
    loss = both(tf.tanh(x @ w), tf.tanh(x @ v))
print(tape.gradient(loss, [w, v]))

import tensorflow as tf

slope = tf.Variable(0.0)
offset = tf.Variable(0.0)


def line(x):
    return slope * x + offset


def start_at(first, second):
    slope = tf.Variable(first)
    offset = tf.Variable(second)
    return slope, offset


learned = start_at(0.5, -0.5)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((line(tf.constant([1.0, 2.0])) - 3.0) ** 2)
print(tape.gradient(loss, learned))

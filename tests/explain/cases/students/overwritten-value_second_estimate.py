import tensorflow as tf


def coarse(x, a):
    return a * x


def fine(x, b):
    return b * tf.sin(x)


a = tf.Variable(1.0)
b = tf.Variable(0.9)
x = tf.constant([0.1, 0.5])

with tf.GradientTape() as tape:
    estimate = coarse(x, a)
    estimate = fine(x, b)
    loss = tf.reduce_sum((estimate - x) ** 2)

da, db = tape.gradient(loss, [a, b])
print("a:", da, "b:", db.numpy())

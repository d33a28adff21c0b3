import numpy as np
import tensorflow as tf

weights = tf.Variable([0.5, -1.0, 2.0])
scale = tf.Variable(1.5)
x = tf.constant([1.0, 2.0, 3.0])


def penalties(s):
    return np.array([tf.abs(s - 1.0), tf.square(s), tf.exp(-s)])


with tf.GradientTape() as tape:
    fit = tf.reduce_sum(weights * x) ** 2
    loss = fit + 0.1 * sum(penalties(scale))

grads = tape.gradient(loss, {"a": weights, "b": scale})
print(grads)

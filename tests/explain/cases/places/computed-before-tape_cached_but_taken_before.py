import functools

import tensorflow as tf

w = tf.Variable([0.5, -0.3, 0.8], name="w")


@functools.lru_cache(maxsize=4)
def powers(n):
    return w**n


def fit(goal):
    square = powers(2)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((square - goal) ** 2)
    return tape.gradient(loss, w)


print(fit(tf.constant([1.0, 2.0, 3.0])))

import functools

import numpy as np
import tensorflow as tf

w = tf.Variable([[0.5], [-0.3]])


@functools.lru_cache(maxsize=8)
def load(index):
    rng = np.random.default_rng(index)
    x = rng.normal(size=(4, 2)).astype("float32")
    return tf.constant(x), tf.constant(x.sum(axis=1, keepdims=True))


def mean_error():
    return np.mean([float(tf.reduce_mean((x @ w - y) ** 2)) for x, y in map(load, range(3))])


print(mean_error())
for index in (0, 1, 2, 0, 1, 2):
    x, y = load(index)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(mean_error())

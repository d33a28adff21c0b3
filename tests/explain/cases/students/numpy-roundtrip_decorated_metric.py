import functools

import numpy as np
import tensorflow as tf


def on_arrays(function):
    @functools.wraps(function)
    def wrapped(*tensors):
        return function(*[np.asarray(tensor) for tensor in tensors])

    return wrapped


@on_arrays
def mean_absolute_error(truth, guess):
    return np.abs(truth - guess).mean()


slope = tf.Variable(0.5)
hours = tf.constant([1.0, 2.0, 3.0])
score = tf.constant([2.0, 4.1, 5.9])
with tf.GradientTape() as tape:
    loss = tf.constant(mean_absolute_error(score, slope * hours))
print(loss.numpy(), tape.gradient(loss, slope))

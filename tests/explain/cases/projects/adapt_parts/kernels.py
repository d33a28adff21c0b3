"""Distances between two clouds of feature vectors."""

import functools

import numpy as np
import tensorflow as tf


def float32_arguments(function):
    """Accept float64 arrays and lists as well."""

    @functools.wraps(function)
    def wrapper(*arrays, **settings):
        arrays = [np.asarray(a, dtype=np.float32) for a in arrays]
        return function(*arrays, **settings)

    return wrapper


def squared_distances(a, b):
    return tf.reduce_sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)


def gaussian(a, b, bandwidth):
    return tf.exp(-squared_distances(a, b) / (2.0 * bandwidth**2))


@float32_arguments
def maximum_mean_discrepancy(source, target, bandwidth=1.0):
    within_source = tf.reduce_mean(gaussian(source, source, bandwidth))
    within_target = tf.reduce_mean(gaussian(target, target, bandwidth))
    across = tf.reduce_mean(gaussian(source, target, bandwidth))
    return within_source + within_target - 2.0 * across

"""Gradient estimators for operations that have none."""

import tensorflow as tf


def straight_through(soft, hard):
    """The value of hard with the gradient of soft."""
    return soft + tf.stop_gradient(hard - soft)


def scale_gradient(x, factor):
    """x, whose gradient is multiplied by the factor."""
    return x * factor + tf.stop_gradient(x * (1.0 - factor))

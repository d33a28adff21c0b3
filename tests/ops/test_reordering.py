"""Reordered elements: each cotangent returns to the index of its element."""

import numpy as np
import pytest

import minitape as tf


def test_roll_passes_cotangents_to_original_indices() -> None:
    """y = weights * roll(x): x[0] was multiplied by weights[1], so that is its derivative."""
    x, weights = tf.constant([1.0, 1.0, 1.0]), tf.constant([10.0, 20.0, 30.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = weights * tf.roll(x, shift=1, axis=0)
    np.testing.assert_array_equal(tape.gradient(y, x), [20.0, 30.0, 10.0])


def test_several_axes_are_rolled_by_their_own_shifts() -> None:
    table = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(
        tf.roll(table, [1, -2], axis=[0, 1]), np.roll(table, [1, -2], axis=(0, 1))
    )


def test_gradient_of_reverse_is_reversed() -> None:
    x, weights = tf.Variable([1.0, 1.0]), tf.constant([3.0, 5.0])
    with tf.GradientTape() as tape:
        y = tf.reverse(x, [0]) * weights
    assert tape.gradient(y, x).numpy().tolist() == [5.0, 3.0]


def test_roll_along_missing_axis_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis 5, but its input has rank 1"):
        tf.roll([1.0], 1, axis=5)

"""Rows that share a segment id."""

import numpy as np
import pytest

import minitape as tf


def test_segment_sum_passes_same_cotangent_to_each_row_of_a_segment() -> None:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.math.segment_sum(x, [0, 0, 1]) * [10.0, 20.0]
    np.testing.assert_array_equal(tape.gradient(y, x), [10.0, 10.0, 20.0])


def test_row_with_negative_id_is_ignored_and_has_gradient_zero() -> None:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.math.unsorted_segment_sum(x, [1, -1, 1], 2)
    np.testing.assert_array_equal(y, [0.0, 4.0])
    np.testing.assert_array_equal(tape.gradient(y, x), [1.0, 0.0, 1.0])


def test_dynamic_stitch_undoes_dynamic_partition() -> None:
    x = tf.Variable([5.0, 6.0, 7.0])
    with tf.GradientTape() as tape:
        low, high = tf.dynamic_partition(x, [1, 0, 1], 2)
        y = tf.dynamic_stitch([[1], [0, 2]], [low, high * 2.0])
    np.testing.assert_array_equal(y, [10.0, 6.0, 14.0])
    np.testing.assert_array_equal(tape.gradient(y, x), [2.0, 1.0, 2.0])


def test_error_for_unsorted_ids_suggests_unsorted_segment_sum() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="unsorted_segment_sum"):
        tf.math.segment_sum([1.0, 2.0], [1, 0])

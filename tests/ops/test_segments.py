"""Rows that share a number."""

import numpy as np
import pytest

import minitape as tf


def test_a_sum_owes_every_row_of_its_segment_the_same() -> None:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.math.segment_sum(x, [0, 0, 1]) * [10.0, 20.0]
    np.testing.assert_array_equal(tape.gradient(y, x), [10.0, 10.0, 20.0])


def test_a_row_with_a_negative_number_is_left_out_and_owed_nothing() -> None:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.math.unsorted_segment_sum(x, [1, -1, 1], 2)
    np.testing.assert_array_equal(y, [0.0, 4.0])
    np.testing.assert_array_equal(tape.gradient(y, x), [1.0, 0.0, 1.0])


def test_what_was_dealt_out_can_be_stitched_together_again() -> None:
    x = tf.Variable([5.0, 6.0, 7.0])
    with tf.GradientTape() as tape:
        low, high = tf.dynamic_partition(x, [1, 0, 1], 2)
        y = tf.dynamic_stitch([[1], [0, 2]], [low, high * 2.0])
    np.testing.assert_array_equal(y, [10.0, 6.0, 14.0])
    np.testing.assert_array_equal(tape.gradient(y, x), [2.0, 1.0, 2.0])


def test_numbers_out_of_order_are_refused_with_the_way_out() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="unsorted_segment_sum"):
        tf.math.segment_sum([1.0, 2.0], [1, 0])

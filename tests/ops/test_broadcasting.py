"""Sums, means and broadcasts: shapes, dtypes and errors."""

import numpy as np
import pytest
from slopes import gradient

import minitape as tf
from minitape.ops.broadcasting import sum_to


def test_gradient_of_sum_is_one_for_each_term() -> None:
    np.testing.assert_array_equal(gradient(tf.reduce_sum, [1.0, 2.0, 3.0]), [1.0, 1.0, 1.0])


def test_gradient_of_mean_is_one_over_count() -> None:
    np.testing.assert_array_equal(gradient(tf.reduce_mean, [1.0, 2.0, 3.0, 4.0]), [0.25] * 4)


def test_sum_keeps_its_dtype() -> None:
    """NumPy would widen it."""
    assert tf.reduce_sum(tf.constant([100, 100], tf.int8)).dtype == tf.int8


def test_mean_of_integers_is_rounded_toward_zero() -> None:
    assert tf.reduce_mean([-1, 0]).numpy() == 0
    assert tf.reduce_mean([1, 2, 2, -9]).numpy() == -1


def test_mean_of_integers_does_not_overflow() -> None:
    """The sum, 200, is more than an int8 holds."""
    assert tf.reduce_mean(tf.constant([100, 100], tf.int8)).numpy() == 100
    assert tf.reduce_mean(tf.constant([2**60, 2**60 + 2])).numpy() == 2**60 + 1


def test_mean_of_empty_tensor_is_nan() -> None:
    assert np.isnan(tf.reduce_mean(tf.zeros([0])).numpy())


def test_keepdims_keeps_reduced_axes() -> None:
    x = tf.ones([2, 3, 4])
    assert tf.reduce_sum(x, axis=[0, -1], keepdims=True).shape == [1, 3, 1]
    assert tf.reduce_sum(x, axis=[0, -1]).shape == [3]
    assert tf.reduce_sum(x, axis=[]).shape == [2, 3, 4]


@pytest.mark.parametrize("axis", [2, -3, [0, 0], [0, -2]])
def test_missing_or_repeated_axis_raises(axis: object) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis"):
        tf.reduce_sum(tf.ones([2, 3]), axis=axis)


def test_sum_of_booleans_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="bool"):
        tf.reduce_sum(tf.constant([True]))


def test_gradient_of_broadcast_to_is_summed() -> None:
    doubled = gradient(lambda x: tf.broadcast_to(x, [3, 2]), [[1.0], [2.0], [3.0]])
    np.testing.assert_array_equal(doubled, [[2.0], [2.0], [2.0]])


def test_broadcast_of_axis_larger_than_one_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.broadcast_to([1.0, 2.0], [3])


def test_sum_to_undoes_broadcasting() -> None:
    stretched = np.ones((4, 2, 3))
    for shape in ((4, 2, 3), (2, 3), (3,), (1,), (), (4, 1, 3), (1, 1, 1), (2, 1)):
        like = np.zeros(shape)
        np.testing.assert_array_equal(
            sum_to(stretched, like), np.full(shape, 24 / max(like.size, 1))
        )

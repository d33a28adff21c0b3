"""Ties, order and bounds."""

from typing import Any

import numpy as np
import pytest
from slopes import gradient, second_gradient

import minitape as tf

NAN = np.nan


def test_maximum_passes_whole_cotangent_to_first_of_equal_values() -> None:
    for choose in (tf.maximum, tf.minimum):
        assert gradient(choose, 2.0, 2.0) == [1.0, 0.0]


def test_reduce_max_divides_cotangent_among_equal_values() -> None:
    np.testing.assert_array_equal(gradient(tf.reduce_max, [1.0, 3.0, 3.0, -2.0]), [0, 0.5, 0.5, 0])
    np.testing.assert_array_equal(gradient(tf.reduce_min, [1.0, 1.0, 1.0, 4.0]), [1 / 3] * 3 + [0])


def test_ties_are_counted_along_the_axis() -> None:
    rows = gradient(lambda x: tf.reduce_min(x, axis=0), [[1.0, 2.0], [1.0, 3.0]])
    np.testing.assert_array_equal(rows, [[0.5, 1.0], [0.5, 0.0]])


def test_second_derivative_of_maximum_is_none() -> None:
    """Which element is the maximum does not depend on the values smoothly, so no path leads from the values to the derivative."""
    assert second_gradient(tf.reduce_max, [1.0, 3.0]) is None
    assert second_gradient(lambda x: tf.maximum(x, 2.0), [1.0, 3.0]) is None


def test_maximum_with_nan_is_nan() -> None:
    assert np.isnan(tf.reduce_max([1.0, NAN, 3.0]).numpy())
    assert np.isnan(tf.maximum(1.0, NAN).numpy())
    np.testing.assert_array_equal(gradient(tf.reduce_max, [1.0, NAN]), [NAN, NAN])


def test_maximum_of_empty_tensor_is_lowest_value() -> None:
    assert tf.reduce_max(tf.zeros([0])).numpy() == -np.inf
    assert tf.reduce_min(tf.zeros([0], tf.int32)).numpy() == 2**31 - 1


def test_reduce_all_and_reduce_any() -> None:
    x = tf.constant([[True, False], [True, True]])
    assert tf.reduce_all(x, axis=1).numpy().tolist() == [False, True]
    assert tf.reduce_any(x, axis=0).numpy().tolist() == [True, True]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.reduce_all([1.0, 0.0])


# --- indices ---


def test_argmax_returns_first_of_equal_values() -> None:
    x = [[1.0, 7.0], [7.0, 7.0], [0.0, 0.0]]
    assert tf.argmax(x).numpy().tolist() == [1, 0]
    assert tf.argmax(x, axis=-1).numpy().tolist() == [1, 0, 0]
    assert tf.argmin(x).numpy().tolist() == [2, 2]


def test_argmax_ignores_nan() -> None:
    """Unlike NumPy."""
    assert tf.argmax([NAN, 1.0, 2.0]).numpy() == 2
    assert tf.argmin([2.0, 1.0, NAN]).numpy() == 1


def test_argmax_returns_int64_by_default() -> None:
    assert tf.argmax([1.0]).dtype == tf.int64
    assert tf.argmax([1.0], output_type=tf.int32).dtype == tf.int32


def test_argmax_has_gradient_none() -> None:
    assert gradient(lambda x: tf.cast(tf.argmax(x), tf.float64), [1.0, 2.0]) is None
    assert gradient(lambda x: tf.cast(tf.argsort(x), tf.float64), [1.0, 2.0]) is None


@pytest.mark.parametrize("find", [tf.argmax, tf.argmin])
def test_index_op_on_scalar_raises(find: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis"):
        find(3.0)


# --- sorting ---


def test_top_k_is_sorted_and_first_of_equal_values_comes_first() -> None:
    values, indices = tf.math.top_k([1.0, 3.0, 3.0, -2.0, 0.0], k=4)
    assert values.numpy().tolist() == [3.0, 3.0, 1.0, 0.0]
    assert indices.numpy().tolist() == [1, 2, 0, 4]
    assert indices.dtype == tf.int32


def test_top_k_passes_cotangents_to_original_indices() -> None:
    """The largest is multiplied by 10, the next by 1; the smallest was not selected."""
    weighed = gradient(lambda x: tf.math.top_k(x, k=2).values * [10.0, 1.0], [5.0, -1.0, 7.0])
    np.testing.assert_array_equal(weighed, [1.0, 0.0, 10.0])


def test_sort_passes_cotangents_back_along_its_axis() -> None:
    weights = [[1.0, 2.0], [10.0, 20.0]]
    x = [[5.0, 1.0], [3.0, 9.0]]
    down_columns = gradient(lambda x: tf.sort(x, axis=0) * weights, x)
    np.testing.assert_array_equal(down_columns, [[10.0, 2.0], [1.0, 20.0]])


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "float32"])
def test_every_dtype_is_sorted_in_both_directions(kind: str) -> None:
    """The lowest int8 has no negative counterpart in int8, and no uint8 has one."""
    low = {"int8": -128}.get(kind, 0)
    x = tf.constant(np.array([3, low, 127, 3], kind))
    assert tf.sort(x).numpy().tolist() == [low, 3, 3, 127]
    assert tf.sort(x, direction="DESCENDING").numpy().tolist() == [127, 3, 3, low]
    assert tf.argsort(x).numpy().tolist() == [1, 0, 3, 2]
    assert tf.argsort(x, direction="DESCENDING").numpy().tolist() == [2, 0, 3, 1]
    assert tf.sort(x).dtype == kind


def test_error_about_sort_direction_names_valid_directions() -> None:
    with pytest.raises(ValueError, match="DESCENDING"):
        tf.sort([1.0], direction="DOWN")


def test_top_k_with_k_too_large_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="top_k"):
        tf.math.top_k([1.0, 2.0], k=3)


# --- clipping ---


def test_clip_by_value_passes_cotangents_within_bounds() -> None:
    x, low, high = gradient(tf.clip_by_value, [-1.0, 0.0, 1.0, 2.0, 3.0], 0.0, 2.0)
    np.testing.assert_array_equal(x, [0.0, 1.0, 1.0, 1.0, 0.0])
    assert (low, high) == (1.0, 1.0)


def test_clip_by_norm_keeps_direction() -> None:
    np.testing.assert_allclose(tf.clip_by_norm([3.0, 4.0], 1.0).numpy(), [0.6, 0.8], rtol=1e-6)
    np.testing.assert_array_equal(tf.clip_by_norm([3.0, 4.0], 6.0).numpy(), [3.0, 4.0])


def test_clip_by_norm_at_zero_has_gradient_one() -> None:
    np.testing.assert_array_equal(
        gradient(lambda x: tf.clip_by_norm(x, 1.0), [0.0, 0.0]), [1.0, 1.0]
    )

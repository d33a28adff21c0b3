"""Ties, order and bounds."""

from typing import Any

import numpy as np
import pytest
from slopes import gradient, second_gradient

import minitape as tf

NAN = np.nan


def test_of_two_that_tie_the_first_is_owed_everything() -> None:
    for choose in (tf.maximum, tf.minimum):
        assert gradient(choose, 2.0, 2.0) == [1.0, 0.0]


def test_of_many_that_tie_each_is_owed_an_equal_share() -> None:
    np.testing.assert_array_equal(gradient(tf.reduce_max, [1.0, 3.0, 3.0, -2.0]), [0, 0.5, 0.5, 0])
    np.testing.assert_array_equal(gradient(tf.reduce_min, [1.0, 1.0, 1.0, 4.0]), [1 / 3] * 3 + [0])


def test_ties_are_counted_along_the_axis() -> None:
    rows = gradient(lambda x: tf.reduce_min(x, axis=0), [[1.0, 2.0], [1.0, 3.0]])
    np.testing.assert_array_equal(rows, [[0.5, 1.0], [0.5, 0.0]])


def test_a_choice_has_no_second_order() -> None:
    """Who wins does not move with the values, so the slope is on no path from them."""
    assert second_gradient(tf.reduce_max, [1.0, 3.0]) is None
    assert second_gradient(lambda x: tf.maximum(x, 2.0), [1.0, 3.0]) is None


def test_nan_wins_against_everything() -> None:
    assert np.isnan(tf.reduce_max([1.0, NAN, 3.0]).numpy())
    assert np.isnan(tf.maximum(1.0, NAN).numpy())
    np.testing.assert_array_equal(gradient(tf.reduce_max, [1.0, NAN]), [NAN, NAN])


def test_the_largest_of_nothing_loses_against_everything() -> None:
    assert tf.reduce_max(tf.zeros([0])).numpy() == -np.inf
    assert tf.reduce_min(tf.zeros([0], tf.int32)).numpy() == 2**31 - 1


def test_all_and_any() -> None:
    x = tf.constant([[True, False], [True, True]])
    assert tf.reduce_all(x, axis=1).numpy().tolist() == [False, True]
    assert tf.reduce_any(x, axis=0).numpy().tolist() == [True, True]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.reduce_all([1.0, 0.0])


# --- where they are ---


def test_a_place_is_the_first_of_several() -> None:
    x = [[1.0, 7.0], [7.0, 7.0], [0.0, 0.0]]
    assert tf.argmax(x).numpy().tolist() == [1, 0]
    assert tf.argmax(x, axis=-1).numpy().tolist() == [1, 0, 0]
    assert tf.argmin(x).numpy().tolist() == [2, 2]


def test_nan_is_in_no_place_of_honour() -> None:
    """Unlike in NumPy."""
    assert tf.argmax([NAN, 1.0, 2.0]).numpy() == 2
    assert tf.argmin([2.0, 1.0, NAN]).numpy() == 1


def test_a_place_is_int64_unless_asked_otherwise() -> None:
    assert tf.argmax([1.0]).dtype == tf.int64
    assert tf.argmax([1.0], output_type=tf.int32).dtype == tf.int32


def test_a_place_ends_the_path() -> None:
    assert gradient(lambda x: tf.cast(tf.argmax(x), tf.float64), [1.0, 2.0]) is None
    assert gradient(lambda x: tf.cast(tf.argsort(x), tf.float64), [1.0, 2.0]) is None


@pytest.mark.parametrize("find", [tf.argmax, tf.argmin])
def test_there_is_no_place_in_a_scalar(find: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis"):
        find(3.0)


# --- in order ---


def test_top_k_comes_in_order_and_the_first_of_equals_leads() -> None:
    values, indices = tf.math.top_k([1.0, 3.0, 3.0, -2.0, 0.0], k=4)
    assert values.numpy().tolist() == [3.0, 3.0, 1.0, 0.0]
    assert indices.numpy().tolist() == [1, 2, 0, 4]
    assert indices.dtype == tf.int32


def test_a_cotangent_goes_back_to_where_its_element_came_from() -> None:
    """The largest is weighed by 10, the next by 1; the smallest was not among them."""
    weighed = gradient(lambda x: tf.math.top_k(x, k=2).values * [10.0, 1.0], [5.0, -1.0, 7.0])
    np.testing.assert_array_equal(weighed, [1.0, 0.0, 10.0])


def test_sorting_sends_back_along_its_axis() -> None:
    weights = [[1.0, 2.0], [10.0, 20.0]]
    x = [[5.0, 1.0], [3.0, 9.0]]
    down_columns = gradient(lambda x: tf.sort(x, axis=0) * weights, x)
    np.testing.assert_array_equal(down_columns, [[10.0, 2.0], [1.0, 20.0]])


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "float32"])
def test_every_dtype_is_sorted_up_and_down(kind: str) -> None:
    """The lowest int8 has no negative, and no uint8 has one."""
    low = {"int8": -128}.get(kind, 0)
    x = tf.constant(np.array([3, low, 127, 3], kind))
    assert tf.sort(x).numpy().tolist() == [low, 3, 3, 127]
    assert tf.sort(x, direction="DESCENDING").numpy().tolist() == [127, 3, 3, low]
    assert tf.argsort(x).numpy().tolist() == [1, 0, 3, 2]
    assert tf.argsort(x, direction="DESCENDING").numpy().tolist() == [2, 0, 3, 1]
    assert tf.sort(x).dtype == kind


def test_an_unknown_direction_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="DESCENDING"):
        tf.sort([1.0], direction="DOWN")


def test_top_k_cannot_find_more_than_there_are() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="top_k"):
        tf.math.top_k([1.0, 2.0], k=3)


# --- within bounds ---


def test_clipping_lets_through_what_is_inside_or_on_a_bound() -> None:
    x, low, high = gradient(tf.clip_by_value, [-1.0, 0.0, 1.0, 2.0, 3.0], 0.0, 2.0)
    np.testing.assert_array_equal(x, [0.0, 1.0, 1.0, 1.0, 0.0])
    assert (low, high) == (1.0, 1.0)


def test_clipping_by_norm_keeps_the_direction() -> None:
    np.testing.assert_allclose(tf.clip_by_norm([3.0, 4.0], 1.0).numpy(), [0.6, 0.8], rtol=1e-6)
    np.testing.assert_array_equal(tf.clip_by_norm([3.0, 4.0], 6.0).numpy(), [3.0, 4.0])


def test_clipping_by_norm_is_smooth_at_zero() -> None:
    np.testing.assert_array_equal(
        gradient(lambda x: tf.clip_by_norm(x, 1.0), [0.0, 0.0]), [1.0, 1.0]
    )

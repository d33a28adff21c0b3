"""Joining and splitting: each part receives its own part of the cotangent."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def derivatives(function, *values):
    sources = [tf.Variable(value) for value in values]
    with tf.GradientTape() as tape:
        y = function(*sources)
    return [each.numpy().tolist() for each in tape.gradient(y, sources)]


WEIGHTS = tf.constant([1.0, 10.0, 100.0])


def test_concat_passes_each_value_its_part_of_the_cotangent() -> None:
    assert derivatives(lambda a, b: tf.concat([a, b], 0) * WEIGHTS, [1.0], [2.0, 3.0]) == [
        [1.0],
        [10.0, 100.0],
    ]


def test_value_joined_twice_receives_both_parts() -> None:
    assert derivatives(lambda a, b: tf.concat([a, b, a], 0) * WEIGHTS, [1.0], [2.0]) == [
        [101.0],
        [10.0],
    ]


def test_concat_of_one_value_returns_new_tensor() -> None:
    x = tf.constant([1.0])
    joined = tf.concat([x], 0)
    assert joined is not x
    assert joined.numpy().tolist() == [1.0]


@pytest.mark.parametrize("values", [([[1.0]], [2.0]), ([[1.0]], [[2.0, 3.0]])])
def test_concat_of_mismatched_shapes_raises(values) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.concat(values, 0)


def test_stack_passes_each_value_its_slice_of_the_cotangent() -> None:
    assert derivatives(lambda a, b: tf.stack([a, b, a]) * WEIGHTS, 1.0, 2.0) == [101.0, 10.0]


def test_numbers_take_dtype_of_tensors_in_the_same_list() -> None:
    x = tf.constant(2.0, tf.float64)
    assert tf.stack([x, 0.1]).dtype == tf.float64
    assert float(tf.stack([x, 0.1])[1]) == 0.1


def test_list_with_tensors_stays_connected() -> None:
    assert derivatives(lambda a: tf.square([a, 3.0]), 2.0) == [4.0]
    assert derivatives(lambda a: tf.convert_to_tensor([[a, a], [1.0, a]]), 2.0) == [3.0]


def test_unused_part_counts_as_zeros() -> None:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        first, _, third = tf.unstack(x)
        y = first * third
        left, _ = tf.split(x, [1, 2])
        z = left * 7.0
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 0.0, 1.0]
    assert tape.gradient(z, x).numpy().tolist() == [7.0, 0.0, 0.0]


def test_split_computes_size_of_minus_one() -> None:
    parts = tf.split(tf.range(5), [1, -1])
    assert [part.numpy().tolist() for part in parts] == [[0], [1, 2, 3, 4]]


@pytest.mark.parametrize(("sizes", "fix"), [(2, "divides 5"), ([1, 1], "add up to 5")])
def test_split_sizes_that_do_not_add_up_raise(sizes, fix) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=fix):
        tf.split(tf.range(5), sizes)


def test_gradient_of_tile_is_summed() -> None:
    assert derivatives(lambda x: tf.tile(x, [1, 3]), [[1.0, 2.0]]) == [[[3.0, 3.0]]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="length 2 but got length 1"):
        tf.tile([[1.0]], [2])


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_meshgrid_equals_numpys(indexing: str) -> None:
    ours = tf.meshgrid([1.0, 2.0, 3.0], [4.0, 5.0], indexing=indexing)
    for grid, expected in zip(ours, np.meshgrid([1, 2, 3], [4, 5], indexing=indexing), strict=True):
        np.testing.assert_array_equal(grid, expected)


def test_jacobian_of_joined_values() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.concat([x * x, tf.stack(tf.unstack(x)[::-1])], 0)
    assert tape.jacobian(y, x).numpy().tolist() == [[2.0, 0.0], [0.0, 4.0], [0.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize("apart", [lambda x: tf.unstack(x), lambda x: tf.split(x, 1)])
def test_gradient_of_op_with_a_single_output_part(apart: Any) -> None:
    """An op that can have many outputs has one here."""
    x = tf.ones([1, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        (part,) = apart(x)
        y = part * 3.0
    assert tape.gradient(y, x).numpy().tolist() == [[3.0, 3.0]]

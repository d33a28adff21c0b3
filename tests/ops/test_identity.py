"""Ops that pass values on: which of them stay connected, and which end the path."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def derivative(function: Any, at: Any = (1.0, 2.0)) -> Any:
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = function(x)
    found = tape.gradient(y, x)
    return None if found is None else found.numpy().tolist()


def test_cast_between_floats_connects_and_gradient_has_dtype_of_source() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.cast(x, tf.float64) * 3.0
    found = tape.gradient(y, x)
    assert found.dtype == tf.float32
    assert found.numpy().tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32),
        lambda x: tf.cast(x > 0.0, tf.float32),
        tf.stop_gradient,
        lambda x: tf.numpy_function(np.square, [x], tf.float32),
        lambda x: tf.strings.to_number(tf.strings.as_string(x)),
    ],
)
def test_op_ends_the_path(function: Any) -> None:
    assert derivative(function) is None


def test_identity_and_ensure_shape_connect() -> None:
    assert derivative(tf.identity) == [1.0, 1.0]
    assert derivative(lambda x: tf.ensure_shape(x, [None])) == [1.0, 1.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not compatible"):
        tf.ensure_shape([1.0], [2])


def test_identity_returns_new_tensor() -> None:
    x = tf.constant(1.0)
    assert tf.identity(x) is not x


def test_py_function_is_differentiated() -> None:
    assert derivative(lambda x: tf.py_function(lambda v: v * v, [x], tf.float32)) == [2.0, 4.0]


def test_py_function_may_return_several_tensors_or_a_list_of_one() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        double, square = tf.py_function(lambda v: (v + v, v * v), [x], [tf.float32, tf.float32])
        (half,) = tf.py_function(lambda v: [v / 2.0], [x], [tf.float32])
        y = double + 10.0 * square + 100.0 * half
    assert tape.gradient(y, x).numpy().tolist() == [72.0, 92.0]


def test_numpy_function_returns_several_arrays_and_cannot_change_a_tensor() -> None:
    def spoil(array: Any) -> tuple[Any, Any]:
        array[:] = 0.0
        return array, array.sum()

    x = tf.constant([1.0, 2.0])
    zeros, total = tf.numpy_function(spoil, [x], [tf.float32, tf.float32])
    assert zeros.numpy().tolist() == [0.0, 0.0]
    assert float(total) == 0.0
    assert x.numpy().tolist() == [1.0, 2.0]


def test_unique_keeps_order_of_appearance() -> None:
    y, idx, count = tf.unique_with_counts([3.0, 1.0, 3.0, 2.0])
    assert y.numpy().tolist() == [3.0, 1.0, 2.0]
    assert idx.numpy().tolist() == [0, 1, 0, 2]
    assert count.numpy().tolist() == [2, 1, 1]
    assert tf.unique([5, 5]).idx.numpy().tolist() == [0, 0]


def test_gradient_through_unique_raises() -> None:
    with pytest.raises(LookupError, match="gradient registry has no entry for: Unique"):
        derivative(lambda x: tf.unique(x).y)


def test_as_string_and_to_number() -> None:
    assert tf.strings.as_string([1.5, 2.0]).numpy().tolist() == [b"1.500000", b"2.000000"]
    assert tf.strings.as_string(3).numpy() == b"3"
    assert tf.strings.as_string([True]).numpy().tolist() == [b"true"]
    assert float(tf.strings.to_number("1.5")) == 1.5
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="could not correctly convert string: x"
    ):
        tf.strings.to_number("x")


def test_cast_of_string_raises() -> None:
    with pytest.raises(tf.errors.UnimplementedError, match="to_number"):
        tf.cast("1", tf.float32)

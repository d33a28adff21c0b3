"""New values: their elements, their dtypes, and which of them are connected."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


@pytest.mark.parametrize(
    ("made", "numbers", "dtype"),
    [
        (lambda: tf.zeros([2]), [0.0, 0.0], "float32"),
        (lambda: tf.zeros(2), [0.0, 0.0], "float32"),
        (lambda: tf.zeros(()), 0.0, "float32"),
        (lambda: tf.zeros(tf.shape([[1, 2]])), [[0.0, 0.0]], "float32"),
        (lambda: tf.ones([1], tf.int32), [1], "int32"),
        (lambda: tf.eye(2, 3), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "float32"),
        (lambda: tf.fill([2], 7), [7, 7], "int32"),
        (lambda: tf.range(3), [0, 1, 2], "int32"),
        (lambda: tf.range(5, 0, -2), [5, 3, 1], "int32"),
        (lambda: tf.range(0.0, 1.0, 0.25), [0.0, 0.25, 0.5, 0.75], "float32"),
        (lambda: tf.range(3, dtype=tf.float64), [0.0, 1.0, 2.0], "float64"),
        (lambda: tf.linspace(0.0, 1.0, 3), [0.0, 0.5, 1.0], "float32"),
        (lambda: tf.linspace(1.0, 2.0, 1), [1.0], "float32"),
        (
            lambda: tf.one_hot([0, 2, 5, -1], 3),
            [[1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]],
            "float32",
        ),
        (lambda: tf.one_hot([1], 2, on_value=5, off_value=1), [[1, 5]], "int32"),
        (lambda: tf.one_hot([0, 1], 2, axis=0), [[1.0, 0.0], [0.0, 1.0]], "float32"),
        (lambda: tf.shape([[1.0, 2.0]]), [1, 2], "int32"),
        (lambda: tf.size([[1.0, 2.0]]), 2, "int32"),
        (lambda: tf.rank([[1.0, 2.0]]), 2, "int32"),
        (lambda: tf.zeros_like([1, 2]), [0, 0], "int32"),
        (lambda: tf.ones_like([1.0], dtype=tf.int64), [1], "int64"),
    ],
)
def test_values_and_dtype(made: Any, numbers: Any, dtype: str) -> None:
    tensor = made()
    assert tensor.dtype == dtype
    np.testing.assert_array_equal(tensor, numbers)


def test_gradient_of_linspace_for_both_ends() -> None:
    """The middle one of three is (a + b) / 2."""
    a, b = tf.Variable(0.0), tf.Variable(4.0)
    with tf.GradientTape() as tape:
        y = tf.linspace(a, b, 3) * [0.0, 10.0, 1.0]
    assert [float(derivative) for derivative in tape.gradient(y, [a, b])] == [5.0, 6.0]


def test_gradient_of_fill_is_sum_over_elements() -> None:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.fill([2, 3], x)
    assert float(tape.gradient(y, x)) == 6.0


@pytest.mark.parametrize(
    "function",
    [
        tf.zeros_like,
        tf.ones_like,
        lambda x: tf.cast(tf.shape(x), tf.float32),
        lambda x: tf.cast(tf.size(x), tf.float32),
        lambda x: tf.one_hot(tf.argmax(x), 2),
        lambda x: tf.range(x[0]),
    ],
)
def test_op_that_uses_only_shape_or_index_has_gradient_none(function: Any) -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = function(x)
    assert tape.gradient(y, x) is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: tf.range(1, 5, 0),
        lambda: tf.fill([2], [1.0, 2.0]),
        lambda: tf.one_hot([1.0], 3),
        lambda: tf.linspace(0.0, 1.0, -1),
    ],
)
def test_invalid_argument_raises(wrong: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()

"""Finite differences and tape agree if the rule is right, and differ if it is wrong."""

from typing import Any

import numpy as np
import pytest
from layouts import LAYOUTS

import minitape as tf


def test_tape_and_differences_return_jacobian_of_each_argument() -> None:
    a, b = np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])
    by_tape, by_steps = tf.test.compute_gradient(lambda x, w: tf.sin(x @ w), [a, b])
    derivative = np.cos(11.0)
    np.testing.assert_allclose(by_tape[0], [[3.0 * derivative, 4.0 * derivative]])
    for tape, steps in zip(by_tape, by_steps, strict=True):
        assert tape.shape == (1, 2)
        # delta²/6 times a third derivative of at most 4³.
        np.testing.assert_allclose(steps, tape, atol=64 / 6 / 1024**2)


def test_wrong_rule_is_visible() -> None:
    @tf.custom_gradient
    def wrong(x: Any) -> Any:
        return x * x, lambda upstream: upstream * x

    by_tape, by_steps = tf.test.compute_gradient(wrong, [np.array([3.0])])
    assert by_tape[0].tolist() == [[3.0]]
    np.testing.assert_allclose(by_steps[0], [[6.0]], rtol=1e-9)


def test_unused_argument_has_jacobian_of_zeros() -> None:
    by_tape, by_steps = tf.test.compute_gradient(lambda x, y: x * 1.0, [[1.0], [2.0]])
    assert by_tape[1].tolist() == by_steps[1].tolist() == [[0.0]]


def test_arguments_must_be_in_a_list() -> None:
    with pytest.raises(ValueError, match="list or tuple"):
        tf.test.compute_gradient(tf.square, tf.constant([1.0]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_layout_of_argument_does_not_matter(dtype: Any) -> None:
    """Nor does the layout that the result inherits from it, as with an elementwise function."""
    x = np.array([[0.5, -1.0, 2.0], [1.5, 3.0, -0.25]]).astype(dtype)
    if x.dtype.kind == "c":
        x = x * (1 - 2j)
    by_tape, by_steps = tf.test.compute_gradient(lambda x: x * x, [x])
    assert np.any(by_tape[0])
    np.testing.assert_allclose(by_tape[0], by_steps[0], rtol=1e-5)
    for layout, stored in LAYOUTS.items():
        again = tf.test.compute_gradient(lambda x: x * x, [stored(x)])
        np.testing.assert_array_equal(again[0][0], by_tape[0], layout)
        np.testing.assert_array_equal(again[1][0], by_steps[0], layout)


def test_layout_of_result_does_not_matter() -> None:
    """A transposed result is enumerated row by row, as it is read."""
    by_tape, by_steps = tf.test.compute_gradient(
        lambda x: tf.transpose(x) * 1.0, [np.arange(6.0).reshape(2, 3)]
    )
    places = np.arange(6).reshape(2, 3).T.reshape(-1)
    np.testing.assert_array_equal(by_tape[0], np.eye(6)[places])
    np.testing.assert_allclose(by_steps[0], by_tape[0], atol=1e-12)


def test_empty_value_has_jacobian_without_rows_or_columns() -> None:
    nothing, three = np.zeros((0, 3)), np.zeros(3, np.complex64)
    for by in tf.test.compute_gradient(tf.reduce_sum, [nothing]):
        assert (by[0].shape, by[0].dtype) == ((1, 0), np.float64)
    for by in tf.test.compute_gradient(lambda x: x[:0], [three]):
        assert (by[0].shape, by[0].dtype) == ((0, 6), np.float32)


def test_integers_raise() -> None:
    with pytest.raises(AssertionError, match="unsupported type int32 of argument 1"):
        tf.test.compute_gradient(lambda x, y: x, [1.0, 2])

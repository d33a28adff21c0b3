"""Differences and tape agree where the rule is right, and tell where it is wrong."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def test_both_find_the_jacobian_of_each_argument() -> None:
    a, b = np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])
    by_tape, by_steps = tf.test.compute_gradient(lambda x, w: tf.sin(x @ w), [a, b])
    slope = np.cos(11.0)
    np.testing.assert_allclose(by_tape[0], [[3.0 * slope, 4.0 * slope]])
    for tape, steps in zip(by_tape, by_steps, strict=True):
        assert tape.shape == (1, 2)
        # delta²/6 times a third derivative of at most 4³.
        np.testing.assert_allclose(steps, tape, atol=64 / 6 / 1024**2)


def test_a_wrong_rule_shows() -> None:
    @tf.custom_gradient
    def wrong(x: Any) -> Any:
        return x * x, lambda upstream: upstream * x

    by_tape, by_steps = tf.test.compute_gradient(wrong, [np.array([3.0])])
    assert by_tape[0].tolist() == [[3.0]]
    np.testing.assert_allclose(by_steps[0], [[6.0]], rtol=1e-9)


def test_an_argument_that_does_not_matter_has_a_jacobian_of_zeros() -> None:
    by_tape, by_steps = tf.test.compute_gradient(lambda x, y: x * 1.0, [[1.0], [2.0]])
    assert by_tape[1].tolist() == by_steps[1].tolist() == [[0.0]]


def test_arguments_come_in_a_list() -> None:
    with pytest.raises(ValueError, match="list or tuple"):
        tf.test.compute_gradient(tf.square, tf.constant([1.0]))

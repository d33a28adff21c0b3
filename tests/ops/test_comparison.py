"""Ops that are not differentiable: the path ends, and the op states the reason."""

import numpy as np
import pytest
from slopes import gradient

import minitape as tf
from minitape.core.registry import PRIMITIVES


@pytest.mark.parametrize("name", ["floor", "ceil", "round", "rint"])
def test_rounding_has_gradient_none(name: str) -> None:
    assert gradient(getattr(tf.math, name), [0.5, 1.5]) is None


def test_comparison_has_gradient_none() -> None:
    assert gradient(lambda x: tf.cast(x > 1.0, tf.float64), [0.5, 1.5]) is None


def test_round_rounds_half_to_even() -> None:
    assert tf.round([0.5, 1.5, 2.5, -0.5]).numpy().tolist() == [0.0, 2.0, 2.0, -0.0]


def test_integers_are_rounded_to_themselves() -> None:
    x = tf.constant([1, 2])
    assert tf.round(x).numpy().tolist() == [1, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Floor"):
        tf.floor(x)


def test_comparisons_broadcast() -> None:
    assert (tf.constant([[1.0], [3.0]]) < tf.constant([2.0, 4.0])).numpy().tolist() == [
        [True, True],
        [False, True],
    ]


def test_is_finite_is_inf_and_is_nan() -> None:
    x = tf.constant([1.0, np.inf, np.nan])
    assert tf.math.is_finite(x).numpy().tolist() == [True, False, False]
    assert tf.math.is_inf(x).numpy().tolist() == [False, True, False]
    assert tf.math.is_nan(x).numpy().tolist() == [False, False, True]


def test_logical_ops_require_booleans() -> None:
    assert tf.logical_and([True, True], [True, False]).numpy().tolist() == [True, False]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.logical_not(tf.constant([1.0]))


def test_op_states_why_it_is_not_differentiable() -> None:
    assert "piecewise constant" in PRIMITIVES["Floor"].reason
    assert "changes only where both sides are equal" in PRIMITIVES["Less"].reason

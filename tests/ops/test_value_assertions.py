"""Assertions pass or raise, and do not affect the tape."""

from typing import Any

import pytest

import minitape as tf


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (tf.debugging.assert_equal, (1, 1), (1, 2)),
        (tf.debugging.assert_none_equal, ([1, 2], [2, 1]), ([1, 2], [2, 2])),
        (tf.debugging.assert_less, (1.0, 2.0), (2.0, 2.0)),
        (tf.debugging.assert_less_equal, (2.0, 2.0), (3.0, 2.0)),
        (tf.debugging.assert_greater, (3.0, 2.0), (2.0, 2.0)),
        (tf.debugging.assert_greater_equal, (2.0, 2.0), (1.0, 2.0)),
        (tf.debugging.assert_positive, ([1.0, 2.0],), ([1.0, 0.0],)),
        (tf.debugging.assert_non_negative, (0.0,), (-1.0,)),
        (tf.debugging.assert_negative, (-1.0,), (0.0,)),
        (tf.debugging.assert_non_positive, (0.0,), (1.0,)),
        (tf.debugging.assert_near, (1.0, 1.0 + 1e-7), (1.0, 1.001)),
    ],
)
def test_assertion_passes_or_raises(
    check: Any, good: tuple[Any, ...], bad: tuple[Any, ...]
) -> None:
    check(*good)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)loss went wrong.*x = "):
        check(*bad, message="loss went wrong")


def test_check_numerics_passes_finite_values_and_stays_connected() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.debugging.check_numerics(x, "here") * 2.0
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 2.0]


def test_check_numerics_names_nan() -> None:
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="here : Tensor had Inf and NaN values"
    ):
        tf.debugging.check_numerics([float("nan"), float("inf")], "here")

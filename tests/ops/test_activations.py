"""Bends: which slope they take, and what they do far out."""

from typing import Any

import numpy as np
import pytest
from slopes import gradient, second_gradient

import minitape as tf


@pytest.mark.parametrize(
    ("bend", "at", "derivatives"),
    [
        (tf.nn.relu, [-1.0, 0.0, 2.0], [0.0, 0.0, 1.0]),
        (tf.nn.relu6, [-1.0, 0.0, 2.0, 6.0, 7.0], [0.0, 0.0, 1.0, 0.0, 0.0]),
        (tf.nn.elu, [0.0, 2.0], [1.0, 1.0]),
        (tf.nn.softsign, [-1.0, 0.0, 1.0], [0.25, 1.0, 0.25]),
        (tf.nn.silu, [0.0], [0.5]),
        (tf.nn.gelu, [0.0], [0.5]),
    ],
)
def test_the_slope_at_a_bend(bend: Any, at: list[float], derivatives: list[float]) -> None:
    np.testing.assert_array_equal(gradient(bend, at), derivatives)


def test_a_leak_takes_its_own_slope_at_zero() -> None:
    derivatives = gradient(lambda x: tf.nn.leaky_relu(x, alpha=0.25), [-1.0, 0.0, 2.0])
    np.testing.assert_array_equal(derivatives, [0.25, 0.25, 1.0])


def test_a_leak_that_turns_upwards_still_knows_its_sides() -> None:
    """With a negative alpha both sides of y are positive."""
    derivatives = gradient(lambda x: tf.nn.leaky_relu(x, alpha=-1.0), [-3.0, 3.0])
    np.testing.assert_array_equal(derivatives, [-1.0, 1.0])


def test_selu_is_straight_above_zero_and_level_far_below() -> None:
    derivatives = gradient(tf.nn.selu, [-100.0, 0.0, 5.0])
    np.testing.assert_allclose(
        derivatives, [0.0, 1.0507009873554805, 1.0507009873554805], atol=1e-15
    )


def test_straight_pieces_are_connected_to_the_second_order() -> None:
    """Zeros, not None: TensorFlow's gate is an op with a rule."""
    for bend in (tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu):
        np.testing.assert_array_equal(second_gradient(bend, [-1.0, 2.0]), [0.0, 0.0])


def test_softsign_has_a_second_order() -> None:
    """-2·sign x / (1 + |x|)³ = -2/8 at 1."""
    np.testing.assert_allclose(second_gradient(tf.nn.softsign, [1.0, -1.0]), [-0.25, 0.25])


def test_relu_and_tanh_remember_no_input() -> None:
    for name in ("Relu", "Tanh"):
        x = tf.constant([1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            {"Relu": tf.nn.relu, "Tanh": tf.tanh}[name](x)
        (record,) = tape._tape.records
        assert type(record.saved[0]).__name__ == "ShapeDtype"


def test_whole_numbers_have_a_relu() -> None:
    assert tf.nn.relu(tf.constant([1, -1])).numpy().tolist() == [1, 0]


def test_only_floats_have_a_gelu() -> None:
    with pytest.raises(ValueError, match="int32"):
        tf.nn.gelu(tf.constant([1]))


def test_the_two_gelus_are_close() -> None:
    x = np.linspace(-4, 4, 41)
    exact, quick = tf.nn.gelu(x).numpy(), tf.nn.gelu(x, approximate=True).numpy()
    np.testing.assert_allclose(exact, quick, atol=5e-4)
    assert np.any(exact != quick)


# --- softmax ---


def test_shares_add_up_to_one_along_any_axis() -> None:
    x = np.arange(24.0).reshape(2, 3, 4) ** 1.5
    for axis in (0, 1, 2, -1):
        np.testing.assert_allclose(tf.nn.softmax(x, axis=axis).numpy().sum(axis), 1.0)
        np.testing.assert_allclose(
            np.exp(tf.nn.log_softmax(x, axis=axis).numpy()), tf.nn.softmax(x, axis=axis).numpy()
        )


def test_softmax_does_not_overflow() -> None:
    assert tf.nn.softmax([1000.0, 1000.0]).numpy().tolist() == [0.5, 0.5]
    assert tf.nn.log_softmax([0.0, 1000.0]).numpy().tolist() == [-1000.0, 0.0]


def test_what_one_share_gains_the_others_lose() -> None:
    """At two equal logits, the slope of the first share is ±1/4; of their sum it is 0."""
    np.testing.assert_array_equal(
        gradient(lambda x: tf.nn.softmax(x)[0], [1.0, 1.0]), [0.25, -0.25]
    )
    np.testing.assert_array_equal(gradient(tf.nn.softmax, [1.0, 1.0]), [0.0, 0.0])


def test_a_scalar_has_no_shares() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis"):
        tf.nn.softmax(1.0)

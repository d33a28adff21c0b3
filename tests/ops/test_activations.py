"""Kinks of activation functions: which derivative they have there, and their values for large inputs."""

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
def test_derivative_at_a_kink(bend: Any, at: list[float], derivatives: list[float]) -> None:
    np.testing.assert_array_equal(gradient(bend, at), derivatives)


def test_leaky_relu_has_slope_alpha_at_zero() -> None:
    derivatives = gradient(lambda x: tf.nn.leaky_relu(x, alpha=0.25), [-1.0, 0.0, 2.0])
    np.testing.assert_array_equal(derivatives, [0.25, 0.25, 1.0])


def test_leaky_relu_with_negative_alpha_has_right_derivatives() -> None:
    """With a negative alpha, y is positive on both sides."""
    derivatives = gradient(lambda x: tf.nn.leaky_relu(x, alpha=-1.0), [-3.0, 3.0])
    np.testing.assert_array_equal(derivatives, [-1.0, 1.0])


def test_selu_is_linear_above_zero_and_constant_far_below() -> None:
    derivatives = gradient(tf.nn.selu, [-100.0, 0.0, 5.0])
    np.testing.assert_allclose(
        derivatives, [0.0, 1.0507009873554805, 1.0507009873554805], atol=1e-15
    )


def test_piecewise_linear_function_has_second_derivative_zero() -> None:
    """Zeros, not None: TensorFlow's gate is an op with a rule."""
    for bend in (tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu):
        np.testing.assert_array_equal(second_gradient(bend, [-1.0, 2.0]), [0.0, 0.0])


def test_softsign_has_second_derivative() -> None:
    """-2·sign x / (1 + |x|)³ = -2/8 at 1."""
    np.testing.assert_allclose(second_gradient(tf.nn.softsign, [1.0, -1.0]), [-0.25, 0.25])


def test_relu_and_tanh_do_not_save_their_input() -> None:
    for name in ("Relu", "Tanh"):
        x = tf.constant([1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            {"Relu": tf.nn.relu, "Tanh": tf.tanh}[name](x)
        (record,) = tape._tape.records
        assert type(record.saved[0]).__name__ == "ShapeDtype"


def test_relu_accepts_integers() -> None:
    assert tf.nn.relu(tf.constant([1, -1])).numpy().tolist() == [1, 0]


def test_gelu_of_integers_raises() -> None:
    with pytest.raises(ValueError, match="int32"):
        tf.nn.gelu(tf.constant([1]))


def test_exact_and_approximate_gelu_are_close() -> None:
    x = np.linspace(-4, 4, 41)
    exact, quick = tf.nn.gelu(x).numpy(), tf.nn.gelu(x, approximate=True).numpy()
    np.testing.assert_allclose(exact, quick, atol=5e-4)
    assert np.any(exact != quick)


# --- softmax ---


def test_softmax_sums_to_one_along_any_axis() -> None:
    x = np.arange(24.0).reshape(2, 3, 4) ** 1.5
    for axis in (0, 1, 2, -1):
        np.testing.assert_allclose(tf.nn.softmax(x, axis=axis).numpy().sum(axis), 1.0)
        np.testing.assert_allclose(
            np.exp(tf.nn.log_softmax(x, axis=axis).numpy()), tf.nn.softmax(x, axis=axis).numpy()
        )


def test_softmax_does_not_overflow() -> None:
    assert tf.nn.softmax([1000.0, 1000.0]).numpy().tolist() == [0.5, 0.5]
    assert tf.nn.log_softmax([0.0, 1000.0]).numpy().tolist() == [-1000.0, 0.0]


def test_softmax_derivatives_sum_to_zero() -> None:
    """For two equal logits, the derivative of the first probability is ±1/4; of the sum of both it is 0."""
    np.testing.assert_array_equal(
        gradient(lambda x: tf.nn.softmax(x)[0], [1.0, 1.0]), [0.25, -0.25]
    )
    np.testing.assert_array_equal(gradient(tf.nn.softmax, [1.0, 1.0]), [0.0, 0.0])


def test_softmax_of_scalar_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis"):
        tf.nn.softmax(1.0)

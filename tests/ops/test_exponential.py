"""Very large and very small inputs, for which a textbook formula would overflow."""

import numpy as np
from slopes import gradient

import minitape as tf


def test_sigmoid_saturates_without_overflow() -> None:
    far = tf.constant([-1000.0, 0.0, 1000.0])
    assert tf.sigmoid(far).numpy().tolist() == [0.0, 0.5, 1.0]
    np.testing.assert_array_equal(gradient(tf.sigmoid, [-1000.0, 0.0, 1000.0]), [0.0, 0.25, 0.0])


def test_softplus_is_linear_for_large_inputs() -> None:
    np.testing.assert_array_equal(tf.nn.softplus([-1000.0, 1000.0]).numpy(), [0.0, 1000.0])
    np.testing.assert_array_equal(gradient(tf.nn.softplus, [-1000.0, 1000.0]), [0.0, 1.0])


def test_log_sigmoid_does_not_compute_log_of_zero() -> None:
    np.testing.assert_array_equal(tf.math.log_sigmoid([-1000.0, 1000.0]).numpy(), [-1000.0, 0.0])


def test_expm1_and_log1p_are_accurate_near_zero() -> None:
    tiny = tf.constant(1e-20, tf.float64)
    assert tf.math.expm1(tiny).numpy() == 1e-20
    assert tf.math.log1p(tiny).numpy() == 1e-20


def test_derivative_of_expm1_is_accurate_far_below_zero() -> None:
    """y + 1 would be exactly 0 there."""
    np.testing.assert_allclose(gradient(tf.math.expm1, -50.0), np.exp(-50.0))


def test_derivative_of_log_at_zero_is_infinite() -> None:
    assert tf.math.log(0.0).numpy() == -np.inf
    assert gradient(tf.math.log, 0.0) == np.inf


def test_erf_and_erfc_add_up_to_one() -> None:
    x = tf.constant([-0.3, 0.0, 2.0], tf.float64)
    np.testing.assert_allclose((tf.math.erf(x) + tf.math.erfc(x)).numpy(), 1.0)
    assert tf.math.erf(x).dtype == tf.float64
    assert tf.math.erf(tf.constant(0.5)).dtype == tf.float32


def test_erfc_is_accurate_for_large_inputs() -> None:
    """1 - erf(10) is 0 in floating point."""
    np.testing.assert_allclose(
        tf.math.erfc(tf.constant(10.0, tf.float64)).numpy(), 2.088487583762545e-45
    )

"""Special functions, compared with sums and limits that can be computed by hand."""

import math

import numpy as np

import minitape as tf


def test_zeta_of_even_numbers() -> None:
    np.testing.assert_allclose(tf.math.zeta(np.float64(2.0), 1.0), math.pi**2 / 6, rtol=1e-15)
    np.testing.assert_allclose(tf.math.zeta(np.float64(4.0), 1.0), math.pi**4 / 90, rtol=1e-15)


def test_digamma_satisfies_its_recurrence() -> None:
    x = np.array([-2.5, -0.1, 0.3, 4.0, 30.0])
    step = tf.math.digamma(x + 1.0) - tf.math.digamma(x)
    np.testing.assert_allclose(step, 1.0 / x, rtol=1e-12)


def test_lgamma_equals_log_of_factorial() -> None:
    np.testing.assert_allclose(tf.exp(tf.math.lgamma(np.array([1.0, 4.0, 6.0]))), [1.0, 6.0, 120.0])


def test_polygamma_of_invalid_order_is_nan() -> None:
    assert np.isnan(tf.math.polygamma([-1.0, 0.5], [2.0, 2.0]).numpy()).all()


def test_erfinv_undoes_erf_for_small_and_large_inputs() -> None:
    """Near 1, erf is too close to 1 to be accurate, so erfc is used."""
    x = np.array([1e-12, 0.3, 0.49999, 0.5, 3.0])
    np.testing.assert_allclose(tf.math.erfinv(tf.math.erf(x[:4])), x[:4], rtol=1e-14)
    np.testing.assert_allclose(tf.math.erfcinv(tf.math.erfc(x[1:])), x[1:], rtol=1e-13)
    np.testing.assert_allclose(tf.math.ndtri(np.array([1e-300])), -37.0471, rtol=1e-6)


def test_inverse_outside_its_domain_is_nan() -> None:
    assert np.isnan(tf.math.erfinv([1.5, -1.5]).numpy()).all()
    assert np.isnan(tf.math.ndtri([-0.5, 1.5]).numpy()).all()

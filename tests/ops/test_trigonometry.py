"""Trigonometric functions where their derivative is infinite or undefined."""

import numpy as np
from slopes import gradient

import minitape as tf


def test_derivative_of_inverse_function_at_its_limit_is_infinite() -> None:
    assert gradient(tf.asin, 1.0) == np.inf
    assert gradient(tf.acos, -1.0) == -np.inf
    assert gradient(tf.acosh, 1.0) == np.inf
    assert gradient(tf.atanh, -1.0) == np.inf


def test_atan2_returns_angle_in_right_quadrant() -> None:
    angles = tf.atan2([0.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 0.0])
    np.testing.assert_allclose(angles.numpy(), [0.0, np.pi / 2, np.pi, -np.pi / 2], rtol=1e-6)


def test_gradient_of_atan2_at_origin_is_nan() -> None:
    np.testing.assert_array_equal(gradient(tf.atan2, 0.0, 0.0), [np.nan, np.nan])


def test_gradient_of_atan2_is_orthogonal_to_the_point() -> None:
    """From (x, y) = (2, 1) the angle grows towards (-1, 2), by 1 over the length √5 for each unit."""
    np.testing.assert_allclose(gradient(tf.atan2, 1.0, 2.0), [2 / 5, -1 / 5])

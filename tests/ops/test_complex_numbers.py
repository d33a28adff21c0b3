"""Complex numbers: the gradient is the conjugate of the derivative, so a step against it decreases the target."""

import numpy as np
import pytest

import minitape as tf


def test_step_against_complex_gradient_decreases_target() -> None:
    x = tf.constant([3.0 + 4.0j])
    with tf.GradientTape() as tape:
        tape.watch(x)
        distance = tf.reduce_sum(tf.abs(x - (1.0 + 1.0j)) ** 2)
    step = 0.5 * tape.gradient(distance, x)
    np.testing.assert_allclose(x - step, [1.0 + 1.0j], rtol=1e-12)


def test_real_and_imag_undo_complex() -> None:
    z = tf.complex([1.0, 2.0], [3.0, 4.0])
    assert z.dtype == tf.complex64
    np.testing.assert_array_equal(tf.math.real(z), [1.0, 2.0])
    np.testing.assert_array_equal(tf.math.imag(tf.math.conj(z)), [-3.0, -4.0])
    np.testing.assert_array_equal(abs(tf.constant([3.0 + 4.0j])), [5.0])


def test_complex_of_float16_raises() -> None:
    with pytest.raises(TypeError, match="float32 or float64"):
        tf.complex(tf.constant(1.0, tf.float16), tf.constant(1.0, tf.float16))

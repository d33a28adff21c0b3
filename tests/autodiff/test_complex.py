"""Complex gradients: a step against the gradient decreases the target, as in TensorFlow."""

from typing import Any

import numpy as np
import pytest

import minitape as tf

AT = np.array([1.0 + 2.0j, -0.5 + 0.25j, 0.3 - 0.7j])

REAL_TARGETS = {
    "squared_length": lambda z: tf.reduce_sum(tf.math.real(z * tf.math.conj(z))),
    "length": lambda z: tf.reduce_sum(tf.abs(z)),
    "of_a_square": lambda z: tf.reduce_sum(tf.math.imag(z * z)),
    "of_an_exponential": lambda z: tf.reduce_sum(tf.math.real(tf.exp(z)) ** 2),
    "of_a_quotient": lambda z: tf.reduce_sum(tf.abs(1.0 / (z + (2.0 + 1.0j))) ** 2),
    "of_a_product": lambda z: tf.abs(tf.reduce_sum(z[:2] * z[1:])) ** 2,
}


def gradient(f: Any, at: Any) -> Any:
    z = tf.constant(at)
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = f(z)
    return tape.gradient(y, z).numpy()


@pytest.mark.parametrize("f", REAL_TARGETS.values(), ids=REAL_TARGETS)
def test_gradient_of_real_target_has_derivatives_by_real_and_imaginary_part(f: Any) -> None:
    """∂L/∂Re z + i·∂L/∂Im z: the direction of steepest ascent in the plane."""
    found = gradient(f, AT)
    step = 1e-6
    for place in range(AT.size):
        for unit in (1.0, 1.0j):
            shift = np.zeros_like(AT)
            shift[place] = step * unit
            derivative = (float(f(tf.constant(AT + shift))) - float(f(tf.constant(AT - shift)))) / 2
            expected = derivative / step
            assert (found[place] * np.conj(unit)).real == pytest.approx(
                expected, rel=1e-6, abs=1e-8
            )


@pytest.mark.parametrize("f", REAL_TARGETS.values(), ids=REAL_TARGETS)
def test_small_step_against_gradient_decreases_target(f: Any) -> None:
    lower = f(tf.constant(AT - 1e-4 * gradient(f, AT)))
    assert float(lower) < float(f(tf.constant(AT)))


@pytest.mark.parametrize("f", REAL_TARGETS.values(), ids=REAL_TARGETS)
def test_forward_mode_agrees(f: Any) -> None:
    along = np.array([0.5 - 1.0j, 1.0 + 0.25j, -2.0j])
    z = tf.constant(AT)
    with tf.autodiff.ForwardAccumulator(z, tf.constant(along)) as accumulator:
        y = f(z)
    expected = np.sum(np.conj(gradient(f, AT)) * along).real
    assert float(accumulator.jvp(y)) == pytest.approx(expected, rel=1e-12)


def test_gradient_of_complex_target_is_conjugate_of_derivative() -> None:
    np.testing.assert_allclose(gradient(lambda z: z * z * z, AT), np.conj(3 * AT**2), rtol=1e-14)


def test_second_derivative_of_complex_power() -> None:
    z = tf.constant(AT)
    with tf.GradientTape() as outer:
        outer.watch(z)
        with tf.GradientTape() as inner:
            inner.watch(z)
            y = z * z * z
        first = inner.gradient(y, z)
        back = tf.math.conj(first)
    np.testing.assert_allclose(outer.gradient(back, z), np.conj(6 * AT), rtol=1e-14)


def test_custom_gradient_of_complex_function() -> None:
    @tf.custom_gradient
    def square(z: Any) -> Any:
        return z * z, lambda upstream: upstream * tf.math.conj(2.0 * z)

    np.testing.assert_allclose(gradient(square, AT), gradient(lambda z: z * z, AT), rtol=1e-14)

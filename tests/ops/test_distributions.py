"""Other random distributions: their means, and the derivatives with respect to their parameters."""

import numpy as np

import minitape as tf


def test_mean_of_gamma_is_shape_over_rate() -> None:
    numbers = tf.random.stateless_gamma([20000], [1, 2], 3.0, beta=2.0)
    np.testing.assert_allclose(tf.reduce_mean(numbers), 1.5, rtol=0.02)


def test_gradient_of_gamma_mean_for_its_parameters() -> None:
    """The mean is a / b: its derivatives are 1/b and -a/b². The derivatives of the samples average to these."""
    a, b = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        mean = tf.reduce_mean(tf.random.stateless_gamma([20000], [1, 2], a, beta=b))
    by_a, by_b = tape.gradient(mean, [a, b])
    np.testing.assert_allclose(by_a, 0.5, rtol=0.02)
    np.testing.assert_allclose(by_b, -0.75, rtol=0.02)


def test_mean_of_poisson_is_its_rate() -> None:
    counts = tf.random.stateless_poisson([20000], [1, 2], 4.0)
    np.testing.assert_allclose(np.mean(counts.numpy()), 4.0, rtol=0.02)

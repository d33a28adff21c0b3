"""Random numbers of other kinds: their means, and how they move with their parameters."""

import numpy as np

import minitape as tf


def test_the_mean_of_a_gamma_is_its_shape_over_its_rate() -> None:
    numbers = tf.random.stateless_gamma([20000], [1, 2], 3.0, beta=2.0)
    np.testing.assert_allclose(tf.reduce_mean(numbers), 1.5, rtol=0.02)


def test_the_mean_moves_with_the_parameters() -> None:
    """The mean is a / b: its slope by a is 1/b, by b it is -a/b². Each number's own slope adds up to that."""
    a, b = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        mean = tf.reduce_mean(tf.random.stateless_gamma([20000], [1, 2], a, beta=b))
    by_a, by_b = tape.gradient(mean, [a, b])
    np.testing.assert_allclose(by_a, 0.5, rtol=0.02)
    np.testing.assert_allclose(by_b, -0.75, rtol=0.02)


def test_the_mean_of_a_poisson_is_its_rate() -> None:
    counts = tf.random.stateless_poisson([20000], [1, 2], 4.0)
    np.testing.assert_allclose(np.mean(counts.numpy()), 4.0, rtol=0.02)

"""Normalization, dropout and weighted losses."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def test_batch_normalization_has_requested_mean_and_deviation() -> None:
    x = tf.constant([[1.0], [3.0]])
    mean, variance = tf.nn.moments(x, [0])
    y = tf.nn.batch_normalization(x, mean, variance, 10.0, 2.0, 0.0)
    assert y.numpy().tolist() == [[8.0], [12.0]]


def test_local_response_normalization_reads_nearby_channels() -> None:
    """With radius 1 the first channel depends on itself and the second: 3 / (0 + 3² + 4²)^½."""
    x = tf.constant([[[[3.0, 4.0, 12.0]]]])
    y = tf.nn.local_response_normalization(x, 1, bias=0.0)
    np.testing.assert_allclose(y.numpy().ravel(), [3 / 5, 4 / 13, 12 / np.sqrt(160)], rtol=1e-6)


def test_dropout_keeps_mean_and_broadcasts_noise_shape() -> None:
    tf.random.set_seed(4)
    x = tf.ones([1000, 4])
    y = tf.nn.dropout(x, 0.25, noise_shape=[None, 1]).numpy()
    assert (y == y[:, :1]).all()
    np.testing.assert_allclose(sorted(set(y[:, 0])), [0.0, 4 / 3], rtol=1e-6)
    # The fraction of zeros has a standard deviation of √(3/16/1000) = 0.014.
    assert abs((y[:, 0] == 0).mean() - 0.25) < 0.07


def test_dropped_element_has_gradient_zero_even_if_infinite() -> None:
    x = tf.constant([np.inf] * 20)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.dropout(x, 0.5, seed=3)
    assert set(y.numpy().tolist()) == {0.0, np.inf}
    assert set(tape.gradient(y, x).numpy().tolist()) == {0.0, 2.0}


@pytest.mark.parametrize("rate", [1.0, -0.1])
def test_dropout_rate_out_of_range_raises(rate: Any) -> None:
    with pytest.raises(ValueError, match="range"):
        tf.nn.dropout(tf.ones([2]), rate)


def test_crelu_returns_both_signs() -> None:
    assert tf.nn.crelu(tf.constant([-1.0, 2.0])).numpy().tolist() == [0.0, 2.0, 1.0, 0.0]


def test_positive_weight_multiplies_loss_of_positive_labels() -> None:
    plain = tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.5, 0.5])
    weighted = tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0], [0.5, 0.5], 3.0)
    np.testing.assert_allclose(weighted, plain * [3.0, 1.0], rtol=1e-6)


def test_poisson_loss_is_minimal_where_rate_equals_count() -> None:
    c = tf.math.log(tf.constant([2.0, 5.0]))
    with tf.GradientTape() as tape:
        tape.watch(c)
        loss = tf.nn.log_poisson_loss([2.0, 5.0], c)
    np.testing.assert_allclose(tape.gradient(loss, c), [0.0, 0.0], atol=1e-6)


def test_weighted_moments_count_weights_as_copies() -> None:
    twice, _ = tf.nn.weighted_moments(tf.constant([1.0, 4.0]), [0], tf.constant([2.0, 1.0]))
    assert float(twice) == 2.0
    assert float(tf.nn.zero_fraction([0.0, 1.0, 0.0, 0.0])) == 0.75
    assert tf.nn.in_top_k([0, 2], [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]], 2).numpy().tolist() == [
        False,
        True,
    ]
    assert float(tf.nn.compute_average_loss([2.0, 4.0], global_batch_size=4)) == 1.5

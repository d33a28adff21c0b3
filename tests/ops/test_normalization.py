"""What keeps signals in bounds."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def test_a_normalised_batch_has_the_mean_and_deviation_that_were_asked_for() -> None:
    x = tf.constant([[1.0], [3.0]])
    mean, variance = tf.nn.moments(x, [0])
    y = tf.nn.batch_normalization(x, mean, variance, 10.0, 2.0, 0.0)
    assert y.numpy().tolist() == [[8.0], [12.0]]


def test_only_near_channels_count_for_a_response() -> None:
    """With radius 1 the first channel sees itself and the second: 3 / (0 + 3² + 4²)^½."""
    x = tf.constant([[[[3.0, 4.0, 12.0]]]])
    y = tf.nn.local_response_normalization(x, 1, bias=0.0)
    np.testing.assert_allclose(y.numpy().ravel(), [3 / 5, 4 / 13, 12 / np.sqrt(160)], rtol=1e-6)


def test_dropout_keeps_the_mean_and_one_fate_where_the_noise_has_one() -> None:
    tf.random.set_seed(4)
    x = tf.ones([1000, 4])
    y = tf.nn.dropout(x, 0.25, noise_shape=[None, 1]).numpy()
    assert (y == y[:, :1]).all()
    np.testing.assert_allclose(sorted(set(y[:, 0])), [0.0, 4 / 3], rtol=1e-6)
    # The share of zeros has a standard deviation of √(3/16/1000) = 0.014.
    assert abs((y[:, 0] == 0).mean() - 0.25) < 0.07


def test_what_is_dropped_is_owed_nothing_not_even_of_an_infinity() -> None:
    x = tf.constant([np.inf] * 20)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.dropout(x, 0.5, seed=3)
    assert set(y.numpy().tolist()) == {0.0, np.inf}
    assert set(tape.gradient(y, x).numpy().tolist()) == {0.0, 2.0}


@pytest.mark.parametrize("rate", [1.0, -0.1])
def test_a_rate_that_is_no_share_is_refused(rate: Any) -> None:
    with pytest.raises(ValueError, match="range"):
        tf.nn.dropout(tf.ones([2]), rate)


def test_crelu_shows_both_sides() -> None:
    assert tf.nn.crelu(tf.constant([-1.0, 2.0])).numpy().tolist() == [0.0, 2.0, 1.0, 0.0]


def test_a_missed_yes_weighs_more() -> None:
    plain = tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.5, 0.5])
    weighted = tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0], [0.5, 0.5], 3.0)
    np.testing.assert_allclose(weighted, plain * [3.0, 1.0], rtol=1e-6)


def test_the_best_rate_for_a_count_is_the_count() -> None:
    c = tf.math.log(tf.constant([2.0, 5.0]))
    with tf.GradientTape() as tape:
        tape.watch(c)
        loss = tf.nn.log_poisson_loss([2.0, 5.0], c)
    np.testing.assert_allclose(tape.gradient(loss, c), [0.0, 0.0], atol=1e-6)


def test_weights_count_like_copies() -> None:
    twice, _ = tf.nn.weighted_moments(tf.constant([1.0, 4.0]), [0], tf.constant([2.0, 1.0]))
    assert float(twice) == 2.0
    assert float(tf.nn.zero_fraction([0.0, 1.0, 0.0, 0.0])) == 0.75
    assert tf.nn.in_top_k([0, 2], [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]], 2).numpy().tolist() == [
        False,
        True,
    ]
    assert float(tf.nn.compute_average_loss([2.0, 4.0], global_batch_size=4)) == 1.5

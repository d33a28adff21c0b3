"""Random numbers: a seed repeats them, and their distribution is right."""

from typing import Any

import numpy as np
import pytest

import minitape as tf

DRAWS = [
    lambda: tf.random.normal([4]),
    lambda: tf.random.uniform([4]),
    lambda: tf.random.truncated_normal([4]),
    lambda: tf.random.normal([4], seed=3),
    lambda: tf.random.shuffle(tf.range(20)),
    lambda: tf.random.categorical(tf.zeros([1, 50]), 4),
]


@pytest.mark.parametrize("draw", DRAWS)
def test_seed_repeats_numbers_and_each_call_returns_new_ones(draw: Any) -> None:
    tf.random.set_seed(7)
    first, second = draw().numpy(), draw().numpy()
    tf.random.set_seed(7)
    np.testing.assert_array_equal(draw(), first)
    assert (first != second).any()


def test_stateless_numbers_depend_only_on_their_seed() -> None:
    a = tf.random.stateless_normal([3], seed=[1, 2])
    tf.random.normal([5])
    np.testing.assert_array_equal(tf.random.stateless_normal([3], seed=[1, 2]), a)
    assert (tf.random.stateless_normal([3], seed=[1, 3]).numpy() != a.numpy()).any()
    assert tf.random.stateless_uniform([2], [0, 0], 5, 6, tf.int32).numpy().tolist() == [5, 5]


def test_normal_distribution_has_its_mean_and_deviation() -> None:
    """Ten thousand samples: the mean lies within five of its standard errors, 5·2/√10000 = 0.1."""
    numbers = tf.random.stateless_normal([10000], [3, 4], mean=5.0, stddev=2.0).numpy()
    assert abs(numbers.mean() - 5.0) < 0.1
    assert abs(numbers.std() - 2.0) < 0.1


def test_truncated_normal_is_within_two_deviations() -> None:
    numbers = tf.random.truncated_normal([5000], mean=1.0, stddev=0.5).numpy()
    assert numbers.min() >= 0.0
    assert numbers.max() <= 2.0


def test_uniform_is_within_its_limits() -> None:
    numbers = tf.random.uniform([1000], -1.0, 3.0).numpy()
    assert numbers.min() >= -1.0
    assert numbers.max() < 3.0
    whole = tf.random.uniform([1000], maxval=3, dtype=tf.int32)
    assert set(whole.numpy().tolist()) == {0, 1, 2}


def test_random_integers_require_upper_limit() -> None:
    with pytest.raises(ValueError, match="maxval"):
        tf.random.uniform([2], dtype=tf.int32)


def test_certain_class_is_always_drawn_and_has_gradient_none() -> None:
    logits = tf.Variable([[0.0, 1e9, 0.0]])
    with tf.GradientTape() as tape:
        drawn = tf.cast(tf.random.categorical(logits, 5), tf.float32)
    assert drawn.numpy().tolist() == [[1.0] * 5]
    assert tape.gradient(drawn, logits) is None


def test_generator_has_its_own_state() -> None:
    one, other = tf.random.Generator.from_seed(1), tf.random.Generator.from_seed(1)
    first = one.normal([3]).numpy()
    tf.random.set_seed(99)
    np.testing.assert_array_equal(other.normal([3]), first)
    assert (one.normal([3]).numpy() != first).any()

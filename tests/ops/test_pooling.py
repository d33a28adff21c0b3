"""Pooling: who wins, who shares, and what lies outside the picture."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def picture(*rows: Any) -> Any:
    return tf.constant(np.array(rows, np.float32)[None, :, :, None])


def numbers(x: Any) -> Any:
    return x.numpy()[0, :, :, 0].tolist()


def derivative(pool: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = pool(x)
    return numbers(tape.gradient(y, x))


X = picture([1, 2, 3], [6, 5, 4], [7, 8, 9])


def test_the_largest_takes_all() -> None:
    """Three of the four windows see 8 or 9 in the last row; the upper right one sees 5."""
    assert numbers(tf.nn.max_pool2d(X, 2, 1, "VALID")) == [[6, 5], [8, 9]]
    assert derivative(lambda x: tf.nn.max_pool2d(x, 2, 1, "VALID"), X) == [
        [0, 0, 0],
        [1, 1, 0],
        [0, 1, 1],
    ]


def test_one_that_wins_in_several_windows_is_owed_for_each() -> None:
    x = picture([0, 0, 0], [0, 9, 0], [0, 0, 0])
    assert derivative(lambda x: tf.nn.max_pool2d(x, 2, 1, "VALID"), x)[1][1] == 4


def test_on_a_tie_the_first_wins() -> None:
    assert derivative(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), picture([1, 1], [1, 1])) == [
        [1, 0],
        [0, 0],
    ]


def test_a_border_never_wins() -> None:
    assert numbers(tf.nn.max_pool2d(-X, 2, 2, "SAME")) == [[-1, -3], [-7, -9]]


def test_a_nan_loses_against_a_number() -> None:
    assert numbers(tf.nn.max_pool2d(picture([1, np.nan], [3, 2]), 2, 2, "VALID")) == [[3]]


def test_a_mean_counts_what_lies_inside() -> None:
    assert numbers(tf.nn.avg_pool2d(X, 2, 2, "SAME")) == [[3.5, 3.5], [7.5, 9.0]]
    shares = derivative(lambda x: tf.nn.avg_pool2d(x, 2, 2, "SAME"), X)
    assert shares == [[0.25, 0.25, 0.5], [0.25, 0.25, 0.5], [0.5, 0.5, 1.0]]


def test_numbers_between_windows_are_owed_nothing() -> None:
    assert derivative(lambda x: tf.nn.avg_pool2d(x, 1, 2, "VALID"), X) == [
        [1, 0, 1],
        [0, 0, 0],
        [1, 0, 1],
    ]


def test_sequences_have_windows_too() -> None:
    x = tf.constant([[[1.0], [5.0], [3.0], [4.0]]])
    assert tf.nn.max_pool1d(x, 2, 2, "VALID").numpy().ravel().tolist() == [5.0, 4.0]
    assert tf.nn.avg_pool1d(x, 2, 2, "VALID").numpy().ravel().tolist() == [3.0, 3.5]
    assert tf.nn.max_pool(x, 3, 1, "VALID").numpy().ravel().tolist() == [5.0, 5.0]
    assert tf.nn.avg_pool(x, 4, 1, "VALID").numpy().ravel().tolist() == [3.25]


@pytest.mark.parametrize("pool", [tf.nn.max_pool2d, tf.nn.avg_pool2d])
def test_what_has_no_pictures_in_it_is_refused(pool: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="2 spatial dimensions"):
        pool(X[0], 2, 2, "VALID")
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit"):
        pool(X, 5, 1, "VALID")


@pytest.mark.parametrize("pool", [tf.nn.max_pool2d, tf.nn.avg_pool2d])
def test_a_window_one_larger_than_the_picture_has_no_place(pool: Any) -> None:
    assert tuple(pool(X, 4, 1, "VALID").shape) == (1, 0, 0, 1)

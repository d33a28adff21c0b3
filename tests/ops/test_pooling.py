"""Pooling: maxima, means, and what lies outside the image."""

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


def test_max_pool_passes_whole_cotangent_to_the_maximum() -> None:
    """Three of the four windows contain 8 or 9 in the last row; the maximum of the upper right one is 5."""
    assert numbers(tf.nn.max_pool2d(X, 2, 1, "VALID")) == [[6, 5], [8, 9]]
    assert derivative(lambda x: tf.nn.max_pool2d(x, 2, 1, "VALID"), X) == [
        [0, 0, 0],
        [1, 1, 0],
        [0, 1, 1],
    ]


def test_maximum_of_several_windows_sums_their_cotangents() -> None:
    x = picture([0, 0, 0], [0, 9, 0], [0, 0, 0])
    assert derivative(lambda x: tf.nn.max_pool2d(x, 2, 1, "VALID"), x)[1][1] == 4


def test_max_pool_passes_cotangent_to_first_of_equal_values() -> None:
    assert derivative(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), picture([1, 1], [1, 1])) == [
        [1, 0],
        [0, 0],
    ]


def test_padding_is_never_the_maximum() -> None:
    assert numbers(tf.nn.max_pool2d(-X, 2, 2, "SAME")) == [[-1, -3], [-7, -9]]


def test_max_pool_ignores_nan() -> None:
    assert numbers(tf.nn.max_pool2d(picture([1, np.nan], [3, 2]), 2, 2, "VALID")) == [[3]]


def test_avg_pool_excludes_padding() -> None:
    assert numbers(tf.nn.avg_pool2d(X, 2, 2, "SAME")) == [[3.5, 3.5], [7.5, 9.0]]
    shares = derivative(lambda x: tf.nn.avg_pool2d(x, 2, 2, "SAME"), X)
    assert shares == [[0.25, 0.25, 0.5], [0.25, 0.25, 0.5], [0.5, 0.5, 1.0]]


def test_elements_between_windows_have_gradient_zero() -> None:
    assert derivative(lambda x: tf.nn.avg_pool2d(x, 1, 2, "VALID"), X) == [
        [1, 0, 1],
        [0, 0, 0],
        [1, 0, 1],
    ]


def test_pooling_of_sequences() -> None:
    x = tf.constant([[[1.0], [5.0], [3.0], [4.0]]])
    assert tf.nn.max_pool1d(x, 2, 2, "VALID").numpy().ravel().tolist() == [5.0, 4.0]
    assert tf.nn.avg_pool1d(x, 2, 2, "VALID").numpy().ravel().tolist() == [3.0, 3.5]
    assert tf.nn.max_pool(x, 3, 1, "VALID").numpy().ravel().tolist() == [5.0, 5.0]
    assert tf.nn.avg_pool(x, 4, 1, "VALID").numpy().ravel().tolist() == [3.25]


@pytest.mark.parametrize("pool", [tf.nn.max_pool2d, tf.nn.avg_pool2d])
def test_pooling_of_wrong_rank_raises(pool: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="2 spatial dimensions"):
        pool(X[0], 2, 2, "VALID")
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit"):
        pool(X, 5, 1, "VALID")


@pytest.mark.parametrize("pool", [tf.nn.max_pool2d, tf.nn.avg_pool2d])
def test_window_one_larger_than_image_returns_empty_result(pool: Any) -> None:
    assert tuple(pool(X, 4, 1, "VALID").shape) == (1, 0, 0, 1)

"""Convolution: small pictures whose answers can be worked out in the head."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def picture(*rows: Any) -> Any:
    """A batch of one picture with one channel."""
    return tf.constant(np.array(rows, np.float32)[None, :, :, None])


def numbers(x: Any) -> Any:
    """The one picture with one channel as nested lists."""
    return x.numpy()[0, :, :, 0].tolist()


def filters(*rows: Any) -> Any:
    return tf.constant(np.array(rows, np.float32)[:, :, None, None])


X = picture([1, 2, 3], [4, 5, 6], [7, 8, 9])


def test_a_filter_is_laid_on_and_not_turned_round() -> None:
    """It picks the number to the lower right: a convolution in the sense of mathematics would pick the upper left one."""
    assert numbers(tf.nn.conv2d(X, filters([0, 0], [0, 1]), 1, "VALID")) == [[5, 6], [8, 9]]


@pytest.mark.parametrize(
    ("strides", "padding", "expected"),
    [
        (1, "SAME", [[12, 16, 9], [24, 28, 15], [15, 17, 9]]),
        (2, "VALID", [[12]]),
        (2, "SAME", [[12, 9], [15, 9]]),
        (2, [[0, 0], [1, 0], [1, 0], [0, 0]], [[1, 5], [11, 28]]),
    ],
)
def test_where_the_window_goes(strides: Any, padding: Any, expected: Any) -> None:
    """A sum of 2 × 2; what SAME adds comes below and to the right first."""
    assert numbers(tf.nn.conv2d(X, filters([1, 1], [1, 1]), strides, padding)) == expected


def test_taps_that_lie_apart_see_the_corners() -> None:
    assert numbers(tf.nn.conv2d(X, filters([1, 1], [1, 1]), 1, "VALID", dilations=2)) == [[20]]


def test_a_place_is_owed_what_every_window_that_saw_it_is_owed() -> None:
    """The middle is seen by all four windows, a corner by one."""
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.nn.conv2d(X, filters([1, 10], [100, 1000]), 1, "VALID")
    assert numbers(tape.gradient(y, X)) == [[1, 11, 10], [101, 1111, 1010], [100, 1100, 1000]]


def test_a_filter_is_owed_what_it_saw() -> None:
    f = filters([0, 0], [0, 0])
    with tf.GradientTape() as tape:
        tape.watch(f)
        y = tf.nn.conv2d(X, f, 1, "VALID")
    # The first tap saw 1, 2, 4 and 5.
    assert tape.gradient(y, f).numpy()[:, :, 0, 0].tolist() == [[12, 16], [24, 28]]


def test_groups_see_their_own_channels_only() -> None:
    x = tf.constant([[[[1.0, 10.0]]]])
    f = tf.constant([[[[3.0, 4.0]]]])
    assert tf.nn.conv2d(x, f, 1, "VALID").numpy().ravel().tolist() == [3.0, 40.0]


def test_a_transpose_paints_the_filter() -> None:
    y = tf.nn.conv2d_transpose(picture([1, 2]), filters([1, 1], [0, 5]), [1, 2, 4, 1], 2, "VALID")
    assert numbers(y) == [[1, 1, 2, 2], [0, 5, 0, 10]]


def test_a_transpose_is_the_gradient_of_the_convolution() -> None:
    f = filters([1, 2], [3, 4])
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.nn.conv2d(X, f, 2, "SAME")
    ybar = picture([1, 2], [3, 4])
    painted = tf.nn.conv2d_transpose(ybar, f, [1, 3, 3, 1], 2, "SAME")
    assert numbers(tape.gradient(y, X, output_gradients=ybar)) == numbers(painted)


def test_depthwise_filters_have_a_channel_each() -> None:
    x, f = tf.constant([[[[1.0, 10.0]]]]), tf.constant([[[[1.0, 2.0], [3.0, 4.0]]]])
    y = tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME")
    assert y.numpy().ravel().tolist() == [1.0, 2.0, 30.0, 40.0]


def test_a_sequence_is_a_picture_of_height_1() -> None:
    x, f = tf.constant([[[1.0], [2.0], [4.0]]]), tf.constant([[[1.0]], [[10.0]]])
    assert tf.nn.conv1d(x, f, 1, "VALID").numpy().ravel().tolist() == [21.0, 42.0]


def test_leading_axes_count_pictures() -> None:
    x = tf.reshape(tf.range(24.0), [2, 3, 2, 2, 1])
    y = tf.nn.conv2d(x, filters([1, 1], [1, 1]), 1, "VALID")
    assert y.numpy().reshape(2, 3).tolist() == [[6, 22, 38], [54, 70, 86]]


def test_no_pictures_give_no_pictures_and_zeros_for_the_filter() -> None:
    f = filters([1, 1], [1, 1])
    with tf.GradientTape() as tape:
        tape.watch(f)
        y = tf.nn.conv2d(tf.zeros([0, 3, 3, 1]), f, 1, "VALID")
    assert tuple(y.shape) == (0, 2, 2, 1)
    assert not tape.gradient(y, f).numpy().any()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x, f: tf.nn.conv2d(x[0], f, 1, "SAME"), "4-dimensional"),
        (lambda x, f: tf.nn.conv2d(x, f[0], 1, "SAME"), "4-dimensional"),
        (lambda x, f: tf.nn.conv2d(x, tf.ones([2, 2, 3, 1]), 1, "SAME"), "1 vs 3"),
        (lambda x, f: tf.nn.conv2d(x, f, 1, "same"), "'same' is not in the list"),
        (lambda x, f: tf.nn.conv2d(x, f, 0, "SAME"), "larger than 0"),
        (lambda x, f: tf.nn.conv2d(x, f, [1, 2, 3], "SAME"), "one number, two, or four"),
        (lambda x, f: tf.nn.conv2d(x, tf.ones([5, 5, 1, 1]), 1, "VALID"), r"\(5, 5\) does not fit"),
        (lambda x, f: tf.nn.conv2d_transpose(x, f, [1, 9, 9, 1], 1), r"shape \(1, 9, 9, 1\)"),
        (lambda x, f: tf.nn.depthwise_conv2d(x, f, [1, 1, 2, 1], "SAME"), "1 and 2"),
        (
            lambda x, f: tf.nn.depthwise_conv2d(x, tf.ones([2, 2, 2, 1]), [1, 1, 1, 1], "SAME"),
            "as many channels as the input",
        ),
        (lambda x, f: tf.nn.bias_add(x, tf.ones([2])), r"\[2\] vs"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_shapes(call: Any, message: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call(X, filters([1, 1], [1, 1]))


@pytest.mark.parametrize(
    "call",
    [
        lambda x, f: tf.nn.conv2d(x, f, 1, "SAME", data_format="NCHW"),
        lambda x, f: tf.nn.conv2d(x, f, [2, 1, 1, 1], "SAME"),
        lambda x, f: tf.nn.max_pool2d(x, 2, 2, "SAME", data_format="NCHW"),
    ],
)
def test_what_tensorflow_can_only_do_elsewhere_is_not_implemented(call: Any) -> None:
    with pytest.raises(tf.errors.UnimplementedError):
        call(X, filters([1, 1], [1, 1]))

"""Convolution: small images whose results can be computed in the head."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def picture(*rows: Any) -> Any:
    """A batch of one image with one channel."""
    return tf.constant(np.array(rows, np.float32)[None, :, :, None])


def numbers(x: Any) -> Any:
    """The one image with one channel as nested lists."""
    return x.numpy()[0, :, :, 0].tolist()


def filters(*rows: Any) -> Any:
    return tf.constant(np.array(rows, np.float32)[:, :, None, None])


X = picture([1, 2, 3], [4, 5, 6], [7, 8, 9])


def test_filter_is_not_flipped() -> None:
    """It selects the number to the lower right: a convolution as defined in mathematics would select the upper left one."""
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
def test_strides_and_padding_set_window_positions(
    strides: Any, padding: Any, expected: Any
) -> None:
    """Sums of 2 × 2; SAME pads at the bottom and on the right first."""
    assert numbers(tf.nn.conv2d(X, filters([1, 1], [1, 1]), strides, padding)) == expected


def test_dilated_filter_reads_the_corners() -> None:
    assert numbers(tf.nn.conv2d(X, filters([1, 1], [1, 1]), 1, "VALID", dilations=2)) == [[20]]


def test_input_gradient_sums_contributions_of_all_windows() -> None:
    """All four windows contain the middle element; one window contains a corner."""
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.nn.conv2d(X, filters([1, 10], [100, 1000]), 1, "VALID")
    assert numbers(tape.gradient(y, X)) == [[1, 11, 10], [101, 1111, 1010], [100, 1100, 1000]]


def test_filter_gradient_sums_the_inputs_of_each_tap() -> None:
    f = filters([0, 0], [0, 0])
    with tf.GradientTape() as tape:
        tape.watch(f)
        y = tf.nn.conv2d(X, f, 1, "VALID")
    # The first tap was multiplied by 1, 2, 4 and 5.
    assert tape.gradient(y, f).numpy()[:, :, 0, 0].tolist() == [[12, 16], [24, 28]]


def test_group_reads_only_its_own_channels() -> None:
    x = tf.constant([[[[1.0, 10.0]]]])
    f = tf.constant([[[[3.0, 4.0]]]])
    assert tf.nn.conv2d(x, f, 1, "VALID").numpy().ravel().tolist() == [3.0, 40.0]


def test_transposed_convolution_writes_the_filter_at_each_input() -> None:
    y = tf.nn.conv2d_transpose(picture([1, 2]), filters([1, 1], [0, 5]), [1, 2, 4, 1], 2, "VALID")
    assert numbers(y) == [[1, 1, 2, 2], [0, 5, 0, 10]]


def test_transposed_convolution_is_gradient_of_convolution() -> None:
    f = filters([1, 2], [3, 4])
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.nn.conv2d(X, f, 2, "SAME")
    ybar = picture([1, 2], [3, 4])
    painted = tf.nn.conv2d_transpose(ybar, f, [1, 3, 3, 1], 2, "SAME")
    assert numbers(tape.gradient(y, X, output_gradients=ybar)) == numbers(painted)


def test_depthwise_filter_reads_one_channel() -> None:
    x, f = tf.constant([[[[1.0, 10.0]]]]), tf.constant([[[[1.0, 2.0], [3.0, 4.0]]]])
    y = tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME")
    assert y.numpy().ravel().tolist() == [1.0, 2.0, 30.0, 40.0]


def test_conv1d_of_a_sequence() -> None:
    x, f = tf.constant([[[1.0], [2.0], [4.0]]]), tf.constant([[[1.0]], [[10.0]]])
    assert tf.nn.conv1d(x, f, 1, "VALID").numpy().ravel().tolist() == [21.0, 42.0]


def test_leading_axes_are_batch_axes() -> None:
    x = tf.reshape(tf.range(24.0), [2, 3, 2, 2, 1])
    y = tf.nn.conv2d(x, filters([1, 1], [1, 1]), 1, "VALID")
    assert y.numpy().reshape(2, 3).tolist() == [[6, 22, 38], [54, 70, 86]]


def test_empty_batch_returns_empty_batch_and_zero_filter_gradient() -> None:
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
def test_error_about_mismatched_sizes_names_shapes(call: Any, message: str) -> None:
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
def test_unsupported_cpu_convolution_raises_unimplemented(call: Any) -> None:
    with pytest.raises(tf.errors.UnimplementedError):
        call(X, filters([1, 1], [1, 1]))

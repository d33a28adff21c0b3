"""Moves squares of pixels into channels, and channels into squares of pixels.

    space_to_depth ↔ depth_to_space    each is the gradient of the other, because both only move elements

Neither has a rule of its own, because the tape records a reshape, a transpose and a reshape.
"""

from typing import Any

from minitape.core.convert import read_once
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError
from minitape.ops.axes import whole_number
from minitape.ops.fields.convolution_nd import check_format
from minitape.ops.reshaping import _reshape, _transpose


def _checked(input: Any, block_size: Any, data_format: str, op: str) -> tuple[Value, int]:
    check_format(op, data_format, "NHWC")
    x, size = read_once(input), whole_number(block_size)
    if size < 2:
        raise InvalidArgumentError(
            f"`{op}`: `block_size` must be at least 2, but is {size}.", fix="pass `block_size=2`"
        )
    if len(x.shape) != 4:
        raise InvalidArgumentError(
            f"`{op}`: the input must have the shape `[batch, height, width, channels]`, but its shape is {tuple(x.shape)}.",
            fix="use `x[tf.newaxis]` for a batch of one image",
            code="MT507",
        )
    return x, size


def space_to_depth(
    input: Value, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Value:
    """Move each square of pixels into the channels of one pixel.

    Args:
        input: A tensor of shape [batch, height, width, channels] and any dtype.
        block_size: The side of a square.
        data_format: Must be "NHWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, height / block_size, width / block_size, channels · block_size²].

    Raises:
        InvalidArgumentError: the height or width is not divisible by `block_size`.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/space_to_depth
    """
    x, side = _checked(input, block_size, data_format, "space_to_depth")
    batch, height, width, channels = x.shape
    if height % side or width % side:
        raise InvalidArgumentError(
            f"`space_to_depth`: Image width {width} and height {height} should be divisible by block_size: {side}.",
            fix="use `tf.image.resize_with_crop_or_pad(x, height, width)` with multiples of `block_size`",
            code="MT507",
        )
    down, across = height // side, width // side
    squares = _reshape(x, shape=(batch, down, side, across, side, channels))
    moved = _transpose(squares, perm=(0, 1, 3, 2, 4, 5))
    return _reshape(moved, shape=(batch, down, across, side * side * channels))


def depth_to_space(
    input: Value, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Value:
    """Move the channels of each pixel into a square of pixels.

    Args:
        input: A tensor of shape [batch, height, width, channels] and any dtype.
        block_size: The side of a square.
        data_format: Must be "NHWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, height · block_size, width · block_size, channels / block_size²].

    Raises:
        InvalidArgumentError: the number of channels is not divisible by block_size².
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/depth_to_space
    """
    x, side = _checked(input, block_size, data_format, "depth_to_space")
    batch, height, width, channels = x.shape
    if channels % (side * side):
        raise InvalidArgumentError(
            f"`depth_to_space`: Input depth dimension {channels} should be divisible by: {side * side}.",
            fix="use a `block_size` whose square divides the number of channels",
            code="MT507",
        )
    left = channels // (side * side)
    squares = _reshape(x, shape=(batch, height, width, side, side, left))
    moved = _transpose(squares, perm=(0, 1, 3, 2, 4, 5))
    return _reshape(moved, shape=(batch, height * side, width * side, left))

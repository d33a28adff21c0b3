"""Checks of arguments that must be images."""

from typing import Any

from minitape.core.convert import read_once
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, TapeValueError, Teaching


def as_images(image: Any, op: str) -> Value:
    """Return an image or a batch of images; a variable is read once.

    Raises:
        ValueError: the rank is neither 3 nor 4.
    """
    x = read_once(image)
    if len(x.shape) not in (3, 4):
        raise TapeValueError(
            f"`{op}`: 'image' must have either 3 or 4 dimensions, but its shape is {tuple(x.shape)}.",
            fix="use shape `[height, width, channels]` or `[batch, height, width, channels]`; for one channel, use `x[..., "
            "tf.newaxis]`",
            code="MT507",
        )
    return x


def with_axes(image: Any, op: str, error: type[Teaching] = TapeValueError) -> Value:
    """Return images with any number of batch axes; a variable is read once. Raise `error` if the rank is below 3."""
    x = read_once(image)
    if len(x.shape) < 3:
        raise error(
            f"`{op}`: an image must have height, width and channels, but the shape is {tuple(x.shape)}.",
            fix="use `x[..., tf.newaxis]` for one channel",
            code="MT507",
        )
    return x


def with_colors(images: Any, op: str) -> Value:
    """Return images whose last axis is red, green and blue; a variable is read once.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.
    """
    x = read_once(images)
    if not len(x.shape) or x.shape[-1] != 3:
        raise InvalidArgumentError(
            f"`{op}`: the input must have 3 channels, but its shape is {tuple(x.shape)}.",
            fix="use `tf.image.grayscale_to_rgb(x)` for one channel",
            code="MT507",
        )
    return x

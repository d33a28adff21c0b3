"""What a picture is, and what is said to who gives something else."""

from typing import Any

from minitape.core.convert import read_once
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, TapeValueError, Teaching


def as_pictures(image: Any, op: str) -> Value:
    """One picture or a batch of them, read once.

    Raises:
        ValueError: it has neither 3 nor 4 axes.
    """
    x = read_once(image)
    if len(x.shape) not in (3, 4):
        raise TapeValueError(
            f"{op}: 'image' must have either 3 or 4 dimensions, but its shape is {tuple(x.shape)}.",
            fix="[height, width, channels] or [batch, height, width, channels]; x[..., tf.newaxis] for one channel",
            code="MT507",
        )
    return x


def with_axes(image: Any, op: str, error: type[Teaching] = TapeValueError) -> Value:
    """Any number of pictures, read once; `error` if it has fewer than 3 axes."""
    x = read_once(image)
    if len(x.shape) < 3:
        raise error(
            f"{op}: an image must have height, width and channels, but the shape is {tuple(x.shape)}.",
            fix="x[..., tf.newaxis] for one channel",
            code="MT507",
        )
    return x


def with_colours(images: Any, op: str) -> Value:
    """Pictures whose last axis is red, green, blue, read once.

    Raises:
        InvalidArgumentError: the last axis is not of size 3.
    """
    x = read_once(images)
    if not len(x.shape) or x.shape[-1] != 3:
        raise InvalidArgumentError(
            f"{op}: input must have 3 channels, but its shape is {tuple(x.shape)}.",
            fix="tf.image.grayscale_to_rgb(x) for one channel",
            code="MT507",
        )
    return x

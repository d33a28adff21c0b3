"""Windows that slide over images, which are the common part of convolution and pooling.

A window of 3 × 3 covers nine elements at each position. Equivalently, there are nine shifted copies of the image, one for each
*tap* (position in the window). A tap is a view of the image, without copying, and

    max pooling     is the maximum of the taps
    mean pooling    is their mean
    convolution     is a matrix product with all of them side by side

The backward pass adds the contribution of each tap at the positions that the tap covers.

Images have shape [batch, height, width, channels].
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from minitape.core.values import Array, Ints
from minitape.errors import InvalidArgumentError, UnimplementedError
from minitape.ops.axes import as_ints


class Window(NamedTuple):
    """A window as plain data, for height and width.

    `padding` is the number of elements added before and after; `dilations` is the distance between taps.
    """

    size: Ints
    strides: Ints
    padding: tuple[Ints, Ints]
    dilations: Ints


def window_counts(shape: Ints, window: Window) -> Ints:
    """Return the output height and width for images of shape [batch, height, width, channels]."""
    return tuple(
        (length + sum(border) - _reach(size, apart)) // stride + 1
        for length, size, stride, border, apart in zip(shape[1:3], *window)
    )


def _reach(size: int, apart: int) -> int:
    return (size - 1) * apart + 1


def bordered(x: Array, window: Window, fill: Any) -> Array:
    """Return the images with their padding.

    Args:
        x: A tensor of shape [batch, height, width, channels].
        window: The window; only its `padding` is used.
        fill: The value of the padding.
    """
    (top, bottom), (left, right) = window.padding
    if not (top or bottom or left or right):
        return x
    count, height, width, channels = x.shape
    whole = np.full((count, top + height + bottom, left + width + right, channels), fill, x.dtype)
    whole[:, top : top + height, left : left + width] = x
    return whole


def without_border(whole: Array, shape: Ints, window: Window) -> Array:
    """Return padded images without their padding; `shape` is the shape of the images."""
    (top, _), (left, _) = window.padding
    return whole[:, top : top + shape[1], left : left + shape[2]]


def empty_canvas(shape: Ints, window: Window, dtype: Any) -> Array:
    """Return zeros in the shape of the padded images, to which contributions are added."""
    (top, bottom), (left, right) = window.padding
    count, height, width, channels = shape
    return np.zeros((count, top + height + bottom, left + width + right, channels), dtype)


def taps(whole: Array, window: Window) -> Iterator[Array]:
    """Yield for each tap, row by row, its elements at all positions: views of shape [batch, *positions, channels].

    Args:
        whole: Padded images, shape [batch, height, width, channels].
        window: The window; only its size, strides and dilations are used.
    """
    unbordered = window._replace(padding=((0, 0), (0, 0)))
    down, across = window_counts(whole.shape, unbordered)
    (height, width), (step_down, step_across), _, (apart_down, apart_across) = window
    for i in range(0, height * apart_down, apart_down):
        rows = slice(i, i + down * step_down, step_down)
        for j in range(0, width * apart_across, apart_across):
            yield whole[:, rows, j : j + across * step_across : step_across]


def patches(whole: Array, window: Window) -> Array:
    """Return the elements of all taps as one view of shape [batch, *positions, *size, channels]."""
    unbordered = window._replace(padding=((0, 0), (0, 0)))
    down, across = window_counts(whole.shape, unbordered)
    of_batch, of_row, of_column, of_channel = whole.strides
    return np.lib.stride_tricks.as_strided(
        whole,
        (whole.shape[0], down, across, *window.size, whole.shape[3]),
        (
            of_batch,
            of_row * window.strides[0],
            of_column * window.strides[1],
            of_row * window.dilations[0],
            of_column * window.dilations[1],
            of_channel,
        ),
        writeable=False,
    )


# --- conversion of arguments ---


def window_for(
    op: str, shape: Ints, size: Ints, strides: Any, padding: Any, dilations: Any = None
) -> Window:
    """Return the window for images of `shape`.

    Args:
        op: The name of the op, for messages.
        shape: The shape of the images.
        size: Height and width of the window.
        strides: The step of the window: one number, two numbers, or four with 1 for batch and channels.
        padding: "VALID" for no padding, "SAME" for an output size of length / stride, rounded up, or a pair for each of the four
            axes.
        dilations: As `strides`; 1 by default.

    Raises:
        InvalidArgumentError: the padding is unknown, or the window does not fit into the images.
        UnimplementedError: the strides or dilations of the batch or the channels are not 1.
    """
    steps = pair(strides, op, "strides")
    apart = pair(1 if dilations is None else dilations, op, "dilations")
    if min(steps) < 1 or min(apart) < 1:
        raise InvalidArgumentError(
            f"`{op}`: strides and dilations must be greater than 0, but are {steps} and {apart}.",
            fix="pass `strides=1`",
            code="MT507",
        )
    window = Window(size, steps, _borders(op, shape, size, steps, padding, apart), apart)
    if min(window_counts(shape, window)) < 0:
        raise InvalidArgumentError(
            f"`{op}`: computed output size would be negative, because a window of shape {size} does not fit into images of "
            f"shape {tuple(shape[1:3])}.",
            fix='pass `padding="SAME"`, or use a smaller window',
            code="MT507",
        )
    return window


def pair(value: Any, op: str, what: str) -> Ints:
    """Return a setting for height and width, given as one number, two, or four with 1 for batch and channels.

    Args:
        value: One number, two, or four.
        op: The name of the op, for the message.
        what: The name of the setting, for the message.

    Raises:
        InvalidArgumentError: it does not have one, two or four elements.
        UnimplementedError: the setting is not 1 for batch and channels.
    """
    numbers = as_ints(value)
    if len(numbers) == 1:
        return numbers * 2
    if len(numbers) == 2:
        return numbers
    if len(numbers) != 4:
        raise InvalidArgumentError(
            f"`{op}`: `{what}` must be one, two or four numbers, but is {value}.",
            fix=f"pass `{what}=1`",
        )
    if (numbers[0], numbers[3]) != (1, 1):
        raise UnimplementedError(
            f"`{op}`: `{what}` must be 1 in the batch and depth dimensions, but is {value}.",
            fix=f"pass `{what}={[1, *numbers[1:3], 1]}`",
        )
    return numbers[1:3]


def _borders(
    op: str, shape: Ints, size: Ints, strides: Ints, padding: Any, dilations: Ints
) -> tuple[Ints, Ints]:
    if isinstance(padding, str) and padding in ("VALID", "SAME"):
        each = zip(shape[1:3], size, strides, dilations, strict=True)
        down, across = ((0, 0) if padding == "VALID" else _same(*axis) for axis in each)
        return down, across
    if isinstance(padding, list | tuple) and len(padding) == 4:
        borders = [as_ints(each) for each in padding]
        return borders[1], borders[2]
    raise InvalidArgumentError(
        f"`{op}`: padding of {padding!r} is not in the list of allowed values: SAME, VALID, [[0, 0], [top, bottom], [left, "
        "right], [0, 0]].",
        fix='pass `padding="SAME"`',
        code="MT507",
    )


def _same(length: int, size: int, stride: int, apart: int) -> Ints:
    """Return the padding for an output size of ⌈length / stride⌉; an odd element is added at the end."""
    wanted = -(-length // stride)
    border = max((wanted - 1) * stride + _reach(size, apart) - length, 0)
    return border // 2, border - border // 2

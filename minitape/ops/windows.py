"""Windows that slide over pictures: what convolution and pooling share.

A window of 3 × 3 that slides over a picture sees nine numbers at each place. Seen the other way round, those are nine pictures,
each the whole one moved a little: one for each *tap* of the window. A tap is a view of the picture with no number copied, and

    max pooling     is the maximum of the taps
    mean pooling    is their mean
    convolution     is a matrix product with all of them side by side

The way back adds each tap's share to the place that the tap looked at.

Pictures are [batch, height, width, channels].
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from minitape.core.values import Array, Ints
from minitape.errors import InvalidArgumentError, UnimplementedError
from minitape.ops.axes import as_ints


class Window(NamedTuple):
    """A window as plain data: everything for height first, then for width.

    `padding` is how much is added before and after; `dilations` how far apart the taps lie.
    """

    size: Ints
    strides: Ints
    padding: tuple[Ints, Ints]
    dilations: Ints


def places(shape: Ints, window: Window) -> Ints:
    """How many places the window has, down and across a picture of [batch, height, width, channels]."""
    return tuple(
        (length + sum(border) - _reach(size, apart)) // stride + 1
        for length, size, stride, border, apart in zip(shape[1:3], *window)
    )


def _reach(size: int, apart: int) -> int:
    return (size - 1) * apart + 1


def bordered(x: Array, window: Window, fill: Any) -> Array:
    """The pictures with their border."""
    (top, bottom), (left, right) = window.padding
    if not (top or bottom or left or right):
        return x
    count, height, width, channels = x.shape
    whole = np.full((count, top + height + bottom, left + width + right, channels), fill, x.dtype)
    whole[:, top : top + height, left : left + width] = x
    return whole


def without_border(whole: Array, shape: Ints, window: Window) -> Array:
    """The inner part of bordered pictures; `shape` is that of the pictures."""
    (top, _), (left, _) = window.padding
    return whole[:, top : top + shape[1], left : left + shape[2]]


def empty_canvas(shape: Ints, window: Window, dtype: Any) -> Array:
    """Zeros in the shape of the bordered pictures, to add shares to."""
    (top, bottom), (left, right) = window.padding
    count, height, width, channels = shape
    return np.zeros((count, top + height + bottom, left + width + right, channels), dtype)


def taps(whole: Array, window: Window) -> Iterator[Array]:
    """For each tap, row by row, what it sees at all places: views of shape [batch, *places, channels]."""
    unbordered = window._replace(padding=((0, 0), (0, 0)))
    down, across = places(whole.shape, unbordered)
    (height, width), (step_down, step_across), _, (apart_down, apart_across) = window
    for i in range(0, height * apart_down, apart_down):
        rows = slice(i, i + down * step_down, step_down)
        for j in range(0, width * apart_across, apart_across):
            yield whole[:, rows, j : j + across * step_across : step_across]


def patches(whole: Array, window: Window) -> Array:
    """What all taps see, as one view of shape [batch, *places, *size, channels]."""
    unbordered = window._replace(padding=((0, 0), (0, 0)))
    down, across = places(whole.shape, unbordered)
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


# --- windows as users write them ---


def window_for(
    op: str, shape: Ints, size: Ints, strides: Any, padding: Any, dilations: Any = None
) -> Window:
    """The window that a user means, for pictures of `shape`.

    Args:
        op: Which op asks, for messages.
        shape: Of the pictures.
        size: Height and width of the window.
        strides: One number, two, or four with 1 for batch and channels.
        padding: "VALID" for none, "SAME" for as many places as length / stride, rounded up, or a pair for each of the four axes.
        dilations: As `strides`; 1 by default.

    Raises:
        InvalidArgumentError: there is no such padding, or the window does not fit into the pictures.
        UnimplementedError: it would slide over batch or channels.
    """
    steps = pair(strides, op, "strides")
    apart = pair(1 if dilations is None else dilations, op, "dilations")
    if min(steps) < 1 or min(apart) < 1:
        raise InvalidArgumentError(
            f"{op}: row and column strides and dilations should be larger than 0, but are {steps} and {apart}.",
            fix="strides=1",
            code="MT507",
        )
    window = Window(size, steps, _borders(op, shape, size, steps, padding, apart), apart)
    if min(places(shape, window)) < 0:
        raise InvalidArgumentError(
            f"{op}: computed output size would be negative: a window of {size} does not fit into "
            f"images of {tuple(shape[1:3])}.",
            fix='padding="SAME", or a smaller window',
            code="MT507",
        )
    return window


def pair(value: Any, op: str, what: str) -> Ints:
    """A setting for height and width: given as one number, as two, or as four with 1 outside."""
    numbers = as_ints(value)
    if len(numbers) == 1:
        return numbers * 2
    if len(numbers) == 2:
        return numbers
    if len(numbers) != 4:
        raise InvalidArgumentError(
            f"{op}: {what} must be one, two or four numbers, but is {value}.", fix=f"{what}=1"
        )
    if (numbers[0], numbers[3]) != (1, 1):
        raise UnimplementedError(
            f"{op}: no {what} in the batch and depth dimensions: {value}.",
            fix=f"{what}={[1, *numbers[1:3], 1]}",
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
        f"{op}: padding of {padding!r} is not in the list of allowed values: SAME, VALID, "
        "[[0, 0], [top, bottom], [left, right], [0, 0]].",
        fix='padding="SAME"',
        code="MT507",
    )


def _same(length: int, size: int, stride: int, apart: int) -> Ints:
    """The border that makes ⌈length / stride⌉ places; an odd one goes to the end."""
    wanted = -(-length // stride)
    border = max((wanted - 1) * stride + _reach(size, apart) - length, 0)
    return border // 2, border - border // 2

"""A value as a small image, created from the data of the trace: feature maps and matrices as cells, vectors as bars.

Only the first example of a batch is shown.
"""

import math
from collections.abc import Sequence

from msgspec.structs import replace

from minitape.draw.diagram.model import Pixels
from minitape.trace.elements import elements, map_values
from minitape.trace.events import Maps, Numbers

_MOST_BARS = 48
_MOST_CELLS = 34  # in one direction
_MOST_MAPS = 4
_LEAST_SIDE = 4

Rows = list[list[float]]


def pixels(numbers: Numbers, batch: int | None, *, has_heads: bool = False) -> Pixels | None:
    """Return a value as cells or bars; None for a scalar, and for a value that the trace does not store completely.

    Args:
        numbers: The value.
        batch: The size of the batch; a first axis of this size is not shown.
        has_heads: Whether the axis before the last two axes is the axis of attention heads, which are shown side by side.
    """
    if (
        numbers.size < 2
        or numbers.zeros == numbers.size
        or numbers.dtype in ("string", "bool")
        or "complex" in numbers.dtype
    ):
        return None
    if numbers.nan + numbers.inf == numbers.size:
        return None
    flat = elements(numbers)
    if flat is None:
        return None if numbers.maps is None else _maps_of(numbers.maps, numbers.shape[-1])
    shape = list(numbers.shape)
    if len(shape) > 1 and shape[0] == batch:
        shape = shape[1:]
    while len(shape) > 1 and shape[0] == 1:
        shape = shape[1:]
    if len(shape) == 2 and shape[1] == 1:
        shape = shape[:1]
    flat = [float(item) for item in flat[: math.prod(shape)]]
    match shape:
        case [length] if 1 < length <= _MOST_BARS:
            return Pixels((tuple(_signed(flat)),), is_bars=True)
        case [heads, height, width] if has_heads:
            # The heads are shown as channels, which are the last axis.
            size = height * width
            turned = [flat[head * size + i] for i in range(size) for head in range(heads)]
            return _maps(turned, height, width, heads, noun="heads")
        case [height, width, channels] if min(height, width) >= _LEAST_SIDE:
            return _maps(flat, height, width, channels)
        case [height, width] if max(height, width) <= _MOST_CELLS:
            return _cells([flat[i : i + width] for i in range(0, len(flat), width)])
        case [_, height, width] if max(height, width) <= _MOST_CELLS:
            first = flat[: height * width]
            return _cells([first[i : i + width] for i in range(0, len(first), width)])
    return None


def _maps_of(maps: Maps, channels: int) -> Pixels | None:
    """Return the first example of a large batch of images."""
    return _maps(map_values(maps), maps.rows, maps.columns, maps.channels, of=channels)


def _maps(
    flat: Sequence[float],
    height: int,
    width: int,
    channels: int,
    *,
    of: int = 0,
    noun: str = "channels",
) -> Pixels | None:
    """Return the first channels, at most four in two rows, with empty cells between them; `of` is the number of all channels."""
    shown = min(channels, _MOST_MAPS)
    if max(height, width) > _MOST_CELLS:
        return None
    maps = [
        [[flat[(y * width + x) * channels + channel] for x in range(width)] for y in range(height)]
        for channel in range(shown)
    ]
    rows: Rows = []
    for pair in _in_pairs(maps):
        if rows:
            rows.append([math.nan] * len(rows[0]))
        for parts in zip(*pair, strict=True):
            rows.append([item for part in parts for item in (*part, math.nan)][:-1])
    if len(rows) > height and shown % 2:
        rows = [row + [math.nan] * (len(rows[0]) - len(row)) for row in rows]
    every = max(of, channels)
    caption = "" if every <= shown else f"{shown} of {every} {noun}"
    return replace(_cells(rows, caption), is_map=noun == "channels")


def _in_pairs(maps: list[Rows]) -> list[list[Rows]]:
    return [maps[i : i + 2] for i in range(0, len(maps), 2)]


def _cells(rows: Rows, caption: str = "") -> Pixels:
    known = [item for row in rows for item in row if math.isfinite(item)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    scale = high - low or 1.0
    return Pixels(
        tuple(
            tuple((item - low) / scale if math.isfinite(item) else None for item in row)
            for row in rows
        ),
        caption,
    )


def _signed(row: Sequence[float]) -> list[float | None]:
    scale = max((abs(item) for item in row if math.isfinite(item)), default=0.0) or 1.0
    return [item / scale if math.isfinite(item) else None for item in row]

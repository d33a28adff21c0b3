"""Stores the elements of tensors with more than 64 elements in a trace, as long as there is space; for large tensors, it stores
block means.

The space is limited for the whole run, and is used in the order of the run. The trace of a small program contains all elements;
the trace of a large program contains the elements of the first iterations. No trace grows by more than the limit.
"""

import binascii
import sys
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

# Imported by name because a global is looked up faster than an attribute of a module, as in summary.py.
from numpy import (
    add,
    array,
    errstate,
    float32,
    inf,
    isfinite,
    isinf,
    matmul,
    ones,
    uint16,
    where,
    zeros,
)

from minitape.trace.writing import ITEM_SIZES

CHARACTER_LIMIT = 4_000_000  # characters
PACKED_LIMIT = 4096  # elements
BLOCKS = 16  # rows, and columns
MAP_CHARACTER_LIMIT = 1_000_000  # characters
MAP_SIZE, MAP_CHANNELS, _LEAST_MAP = 28, 4, 4
_LONGEST = 512  # the number of rows that float32 sums without losing digits
_FEW = 50_000  # elements; beyond this, products with zeros take longer than a loop over the blocks

Extremes = tuple[int, int]  # the flat indices of the smallest and the largest finite element


class Packing:
    """Allocates the space of one run.

    Args:
        now: Returns the number of the next event.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._left = CHARACTER_LIMIT
        self._left_for_maps = MAP_CHARACTER_LIMIT
        self.ended: int | None = None  # the event at which the space was exhausted

    def sums_down(self, flat: Any, shape: tuple[int, ...]) -> Any:
        """Return the sums of at most 16 blocks of rows, column by column, for a tensor that is stored as blocks; else None.

        Args:
            flat: Its flattened elements, real, in a dtype that is wide enough for sums.
            shape: The shape of the tensor.
        """
        if self.ended is not None or flat.size <= PACKED_LIMIT or len(shape) < 2:
            return None
        rows, columns = flat.size // shape[-1], shape[-1]
        if 1 in (rows, columns):
            return None  # the strip contains the same information
        with errstate(all="ignore"):
            return _sums_down(flat.reshape(rows, columns), _cuts(rows))

    def of(
        self, values: Any, flat: Any, dtype: str, extremes: Extremes | None, down: Any
    ) -> dict[str, Any]:
        """Return the additional fields of a tensor: `packed` or `blocks`, if they apply and there is space.

        Args:
            values: The tensor.
            flat: Its flattened elements, real, in a dtype that is wide enough for sums.
            dtype: The engine's name for their dtype.
            extremes: The flat indices of the smallest and the largest element, if they are already known.
            down: The result of `sums_down` for it.
        """
        if self.ended is not None:
            return {}
        if flat.size <= PACKED_LIMIT:
            if ITEM_SIZES.get(dtype) != values.itemsize:
                return {}
            return {"packed": _text(values)} if self._takes(flat.size * values.itemsize) else {}
        means = None if down is None else _means_of_blocks(down, flat)
        maps = self._maps(values)
        with_maps = {} if maps is None else {"maps": maps}
        if means is None or not self._takes(2 * means.size):
            return with_maps
        rows, columns = means.shape
        least, most = extremes or _finite_extremes(flat)
        blocks = {
            "rows": rows,
            "columns": columns,
            "means": _text(_halved(means)),
            "least": least,
            "most": most,
        }
        return {"blocks": blocks, **with_maps}

    def _maps(self, values: Any) -> dict[str, Any] | None:
        """Return the first example of a batch of images; None for other tensors, and if there is no space."""
        if (
            values.ndim != 4
            or values.dtype.kind not in "fiu"
            or min(values.shape[1:3]) < _LEAST_MAP
        ):
            return None
        stride = -(-max(values.shape[1:3]) // MAP_SIZE)
        example = values[0, ::stride, ::stride, :MAP_CHANNELS]
        if not example.size or not self._takes_maps(example.size):
            return None
        rows, columns, channels = example.shape
        return {
            "rows": rows,
            "columns": columns,
            "channels": channels,
            "stride": stride,
            "values": _text(_halved(example.reshape(rows, columns * channels))),
        }

    def again(self, reported: dict[str, Any]) -> dict[str, Any]:
        """Count numbers that are emitted again, because they use space again."""
        if not ("packed" in reported or "blocks" in reported or "maps" in reported):
            return reported  # nearly all tensors have few elements
        blocks, maps = reported.get("blocks"), reported.get("maps")
        text = reported.get("packed") if blocks is None else blocks["means"]
        left_out: tuple[str, ...]
        if text is not None and not self._takes(len(text) * 3 // 4):
            left_out = ("packed", "blocks", "maps")
        elif maps is None or self._takes_maps(maps["rows"] * maps["columns"] * maps["channels"]):
            return reported
        else:
            left_out = ("maps",)
        return {key: each for key, each in reported.items() if key not in left_out}

    def _takes(self, size: int) -> bool:
        """Reserve this number of bytes if the space suffices; after the first failure, no more space is reserved."""
        if self.ended is None:
            self._left -= size * 4 // 3
            if self._left < 0:
                self.ended = self._now()
        return self.ended is None

    def _takes_maps(self, elements: int) -> bool:
        """Reserve the characters for this number of map elements, if the space suffices."""
        characters = 3 * elements  # in base64, two bytes take 2.7 characters
        if self._left_for_maps < characters:
            return False
        self._left_for_maps -= characters
        return True


def _text(values: Any) -> str:
    if sys.byteorder == "big":
        values = values.byteswap()
    return binascii.b2a_base64(values.tobytes(), newline=False).decode()


def _halved(means: Any) -> Any:
    """Return the elements as bfloat16: the upper half of a float32 has its range, and enough digits for a picture."""
    halves = means.astype(float32).view(uint16)
    return halves[:, 1::2] if sys.byteorder == "little" else halves[:, ::2]


def _means_of_blocks(down: Any, flat: Any) -> Any:
    """Return the means of at most 16 × 16 blocks of a matrix, from its `sums_down`; None if they are too large for float32."""
    columns = down.shape[1]
    with errstate(all="ignore"):
        sums = add.reduceat(down, _cuts(columns)[:-1], axis=1) if columns > BLOCKS else down
        means = (sums / _sizes(flat.size // columns, columns)).astype(float32)
        is_too_large = isinf(means).any() and isfinite(flat).all()
    return None if is_too_large else means


def _sums_down(table: Any, cuts: list[int]) -> Any:
    """Return the sums of the rows between the cuts. A product with ones is the fastest sum."""
    rows, columns = table.shape
    blocks = len(cuts) - 1
    length = cuts[1]
    while length > _LONGEST and length % 2 == 0:
        length //= 2
    if rows % blocks and table.size <= _FEW:
        sums = matmul(_choosing(rows, table.dtype), table)
        if isfinite(sums).all():  # NaN times 0 is NaN, in each block
            return sums
    if rows % blocks or length > _LONGEST:
        return array([_added_up(table[a:b]) for a, b in pairwise(cuts)])
    sums = matmul(_ones(length, table.dtype), table.reshape(-1, length, columns))
    return sums if len(sums) == blocks else add.reduce(sums.reshape(blocks, -1, columns), axis=1)


@lru_cache(maxsize=256)
def _choosing(rows: int, dtype: Any) -> Any:
    """Return the matrix of zeros and ones that sums rows in blocks of different lengths."""
    chosen = zeros((len(_cuts(rows)) - 1, rows), dtype)
    for block, (a, b) in enumerate(pairwise(_cuts(rows))):
        chosen[block, a:b] = 1
    return chosen


def _added_up(rows: Any) -> Any:
    """Return the sum of the rows, a few hundred at a time."""
    sums = [
        _ones(min(_LONGEST, len(rows) - a), rows.dtype).dot(rows[a : a + _LONGEST])
        for a in range(0, len(rows), _LONGEST)
    ]
    return add.reduce(sums)


@lru_cache(maxsize=256)
def _cuts(size: int) -> list[int]:
    """Return where the blocks of an axis start, and where the last one ends."""
    blocks = min(BLOCKS, size)
    return [i * size // blocks for i in range(blocks + 1)]


@lru_cache(maxsize=256)
def _sizes(rows: int, columns: int) -> Any:
    """Return the number of elements of each block."""
    down, across = _cuts(rows), _cuts(columns)
    lengths, widths = ([b - a for a, b in pairwise(cuts)] for cuts in (down, across))
    return array([[length * width for width in widths] for length in lengths])


@lru_cache(maxsize=256)
def _ones(length: int, dtype: Any) -> Any:
    return ones(length, dtype)


def _finite_extremes(flat: Any) -> Extremes | tuple[None, None]:
    """Return the flat indices of the smallest and the largest finite element; None if there is none."""
    good = isfinite(flat)
    if not good.any():
        return None, None
    return int(where(good, flat, inf).argmin()), int(where(good, flat, -inf).argmax())

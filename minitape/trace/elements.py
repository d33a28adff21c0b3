"""The elements of a tensor in a trace, and the block means of a large tensor, as Python numbers.

elements     all elements, flattened, from `data` or from `packed`; None if the trace does not hold them
means        the blocks of a large tensor, row by row
map_values   the first example of a batch of images, row by row
unpacked     the bytes of `packed`
fault        why packed elements or blocks do not fit the tensor

With NumPy, `array_of` in minitape/replay/numbers.py returns the array.
"""

import binascii
from itertools import chain
from struct import iter_unpack, unpack
from typing import Any

from minitape.trace.events import Blocks, Maps, Numbers
from minitape.trace.writing import ITEM_SIZES

# In the notation of `struct`; a complex number consists of two floats.
_CODES = {
    "bool": "?",
    "int8": "b",
    "uint8": "B",
    "int16": "h",
    "uint16": "H",
    "float16": "e",
    "int32": "i",
    "uint32": "I",
    "float32": "f",
    "int64": "q",
    "uint64": "Q",
    "float64": "d",
    "complex64": "ff",
    "complex128": "dd",
}


def elements(tensor: Numbers) -> list[Any] | None:
    """Return all elements, flattened; None if the trace does not store them.

    For float32 and narrower dtypes, `packed` has the exact numbers; `data` has the shortest decimal numbers that convert to
    them.

    >>> from minitape.trace.events import Numbers
    >>> elements(Numbers(1, "x", [2, 1], "float32", 2, 0, 1, 0.5, 0.5, 1.0, 1, 0, 0, [[0.0], [1.0]]))
    [0.0, 1.0]
    """
    if tensor.packed is not None:
        return _numbers(unpacked(tensor.packed), tensor.dtype)
    if not tensor.size:
        return []
    if tensor.data is None or (tensor.dtype == "string" and tensor.size > len(tensor.data)):
        return None
    row = [tensor.data]
    for _ in [()] if tensor.dtype == "string" else tensor.shape:
        row = list(chain.from_iterable(row))
    return list(map(complex, row)) if tensor.dtype.startswith("complex") else row


def means(blocks: Blocks) -> list[list[float]]:
    """Return the means of the blocks, one list for each row of them."""
    row = _numbers(unpacked(blocks.means), "bfloat16")
    return [row[i : i + blocks.columns] for i in range(0, len(row), blocks.columns)]


def map_values(maps: Maps) -> list[float]:
    """Return the stored elements of the first example, row by row, with the channels of an element next to each other."""
    return _numbers(unpacked(maps.values), "bfloat16")


def unpacked(text: str) -> bytes:
    return binascii.a2b_base64(text, strict_mode=True)


def _numbers(data: bytes, dtype: str) -> list[Any]:
    if dtype == "bfloat16":  # the upper half of a float32
        halves = (data[i : i + 2] for i in range(0, len(data), 2))
        data, dtype = b"".join(b"\0\0" + half for half in halves), "float32"
    code = _CODES[dtype]
    if len(code) == 2:
        return [complex(*each) for each in iter_unpack("<" + code, data)]
    return list(unpack(f"<{len(data) // ITEM_SIZES[dtype]}{code}", data))


def fault(tensor: Numbers) -> str | None:
    """Return what is wrong if the packed elements or blocks do not fit the tensor."""
    if tensor.packed is not None:
        size = ITEM_SIZES.get(tensor.dtype)
        if size is None or _length(tensor.packed) != size * tensor.size:
            return f"has packed elements that are not {tensor.size} of {tensor.dtype}"
    maps = tensor.maps
    if maps is not None and not _fits(maps, tensor.shape):
        return f"has maps that are not of shape {tensor.shape}"
    blocks = tensor.blocks
    if blocks is None:
        return None
    if _length(blocks.means) != 2 * blocks.rows * blocks.columns:
        return f"has blocks that are not {blocks.rows} × {blocks.columns} means"
    is_inside = all(at is None or at < tensor.size for at in (blocks.least, blocks.most))
    columns = tensor.shape[-1] if tensor.shape else 0
    is_fine = blocks.columns <= columns and blocks.rows * columns <= tensor.size
    return None if is_fine and is_inside else f"has blocks that are not of shape {tensor.shape}"


def _fits(maps: Maps, shape: list[int]) -> bool:
    if len(shape) != 4 or _length(maps.values) != 2 * maps.rows * maps.columns * maps.channels:
        return False
    _, height, width, channels = shape
    sizes = (-(-height // maps.stride), -(-width // maps.stride))
    return (maps.rows, maps.columns) == sizes and maps.channels <= channels


def _length(text: str) -> int | None:
    """Return the number of bytes packed into a string; None if it is not base64."""
    try:
        return len(unpacked(text))
    except ValueError:
        return None

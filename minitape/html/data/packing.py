"""Large data of a page, compressed: the JSON, and separately the elements of tensors as bytes.

packed            data as a short JSON text that `script/plain/packed.js` unpacks
with_differences  the data with small differences in place of large numbers that grow steadily
ByteColumns       the elements of float32 tensors, outside the JSON

Decimal digits of random numbers compress badly. The bytes of float32 numbers compress well if they are ordered: first the
lowest bytes of all numbers, and last the highest bytes, which contain the signs and exponents and are similar. Nothing is lost,
because the trace contains the shortest decimal number that rounds to the float32 number.
"""

import base64
import zlib
from array import array
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from msgspec import json

FROM = 2_000_000  # characters; compressing less data does not pay
_LEVEL = 5
_WIDTH = 4  # bytes of a float32


class ByteColumns:
    """The bytes of float32 numbers, in the order in which they are added."""

    def __init__(self) -> None:
        self._numbers = array("f")

    def add(self, data: Any) -> None:
        """Add the elements of a nested list."""
        if data and isinstance(data[0], list):
            for each in data:
                self.add(each)
        else:
            self._numbers.extend(data)

    def add_bytes(self, packed: str) -> None:
        """Add the elements of a tensor in the packed form of a trace."""
        self._numbers.frombytes(base64.b64decode(packed))

    @property
    def text(self) -> str:
        """Return all bytes, column by column, compressed, in base64."""
        raw = self._little_endian()
        return _compressed(b"".join(raw[i::_WIDTH] for i in range(_WIDTH)))

    def _little_endian(self) -> bytes:
        if array("H", [1]).tobytes()[0]:
            return self._numbers.tobytes()
        swapped = array("f", self._numbers)
        swapped.byteswap()
        return swapped.tobytes()


def with_differences(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data with differences in place of numbers that grow steadily, because such numbers compress badly."""
    moves = {
        key: [*each] if key in ("again", "op") else each for key, each in data["moves"].items()
    }
    copy = data | {"moves": moves}
    if "origins" in data:
        copy["origins"] = {**data["origins"]}
    for holder, name in _steadily_growing(copy):
        numbers = holder[name]
        holder[name] = [
            b - a for a, b in zip((0, *numbers), numbers)
        ]  # `strict` would reject the last element
    return copy


def _steadily_growing(data: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the object and the key of each list of such numbers; `plain/packed.js` uses the same lists."""
    for moves in (data["moves"]["again"], data["moves"]["op"]):
        yield moves, 0
        yield moves, 1
    if "origins" in data:
        yield data["origins"], "step"


def packed(text: str, columns: ByteColumns | None = None) -> str:
    """Return the JSON of a page as compressed JSON: `packed`, and the `floats` that were removed from it."""
    parts = {
        "packed": _compressed(text.encode()),
        "floats": "" if columns is None else columns.text,
    }
    return json.encode(parts).decode()


def unpacked(text: str) -> Any:
    """Return the data of a page from its text. This is the inverse of `packed`, for tests and tools. Elements are float32
    numbers.
    """
    data = json.decode(text)
    if "packed" not in data:
        return data
    whole = json.decode(zlib.decompress(base64.b64decode(data["packed"])))
    for holder, name in _steadily_growing(whole) if "moves" in whole else ():
        holder[name] = [*accumulate(holder[name])]
    if data["floats"]:
        raw = zlib.decompress(base64.b64decode(data["floats"]))
        count, rows = len(raw) // _WIDTH, bytearray(len(raw))
        for i in range(_WIDTH):
            rows[i::_WIDTH] = raw[i * count : (i + 1) * count]
        numbers = array("f")
        numbers.frombytes(rows)
        elements = iter(numbers)
        for tensor in whole["tensors"]:
            if "floats" in tensor:
                _fill(tensor, elements)
    return whole


def _fill(tensor: dict[str, Any], elements: Iterator[float]) -> None:
    kind, size = tensor.pop("floats")
    tensor["min"], tensor["max"] = next(elements), next(elements)
    flat: list[Any] = [next(elements) for _ in range(size)]
    if kind == "packed":
        tensor["packed"] = base64.b64encode(array("f", flat).tobytes()).decode()
        return
    if kind == "strip":
        tensor["strip"] = flat
        return
    for each in reversed(tensor["shape"][1:]):
        flat = [flat[i : i + each] for i in range(0, len(flat), each)]
    tensor["data"] = flat


def _compressed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, _LEVEL)).decode()

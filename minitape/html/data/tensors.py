"""The tensors of a page as JSON, each stored once, with as many of its values as fit."""

import math
from enum import Enum
from typing import Any

from msgspec import Raw, json, to_builtins
from msgspec.structs import replace

from minitape.html.data.packing import ByteColumns
from minitape.trace.events import Blocks, Numbers, TraceStruct
from minitape.trace.writing import strict


class TensorDetail(Enum):
    """The amount of detail that is stored for each tensor; the value of a member is the note for the reader."""

    ALL = ""
    FEW = "This run is large, so for tensors of more than 64 elements, the page contains only the means of 16 segments."
    STRIPS = "This run is large, so for each tensor, the page contains only the means of 16 segments, with four digits."
    NONE = "This run is large, so the page does not contain the elements of tensors."


class Tensors:
    """The tensors that have an axis, each stored once, because the iterations of a loop repeat many of them."""

    def __init__(self, detail: TensorDetail) -> None:
        self._detail = detail
        self._at: dict[bytes, int] = {}
        self._known: dict[int, int] = {}  # the same objects are added repeatedly
        self._reported: list[_ReportedNumbers] = []

    def add(self, tensor: Numbers | None) -> int | None:
        """Store the tensor and return its index; None for a tensor of rank 0, whose number is stored as text."""
        if tensor is None or self._detail is TensorDetail.NONE or not tensor.shape:
            return None
        at = self._known.get(id(tensor))
        if at is None:
            reported = _reported(tensor, self._detail)
            at = self._known[id(tensor)] = self._at.setdefault(_as_json(reported), len(self._at))
            if at == len(self._reported):
                self._reported.append(reported)
        return at

    @property
    def all(self) -> list[Raw]:
        """Each tensor as JSON that is inserted unchanged."""
        return [*map(Raw, self._at)]

    def without_elements(self, columns: ByteColumns) -> list[Raw]:
        """Each tensor as JSON, with the elements of float32 tensors in `columns` instead."""
        return [
            Raw(_apart(text, each, columns))
            for text, each in zip(self._at, self._reported, strict=True)
        ]


def _apart(text: bytes, reported: "_ReportedNumbers", columns: ByteColumns) -> bytes:
    least, most, strip = reported.min, reported.max, reported.strip
    is_finite = not reported.nan and not reported.inf
    if reported.dtype != "float32" or not is_finite or least is None or most is None:
        return text
    if reported.packed is None and reported.data is None and (strip is None or None in strip):
        return text
    columns.add([least, most])
    rest = replace(reported, min=None, max=None)
    if reported.packed is not None:
        columns.add_bytes(reported.packed)
        rest = replace(rest, packed=None, floats=("packed", math.prod(reported.shape)))
    elif reported.data is not None:
        columns.add(reported.data)
        rest = replace(rest, data=None, floats=("data", math.prod(reported.shape)))
    else:
        columns.add(strip)
        rest = replace(rest, strip=None, floats=("strip", len(strip or ())))
    return json.encode(rest)


class _ReportedNumbers(TraceStruct):
    """A tensor in the form that the script reads: its statistics, and its elements in the most detailed form that fits."""

    shape: list[int]
    dtype: str
    min: float | None
    max: float | None
    mean: float | None
    std: float | None
    l2: float | None
    zeros: int
    nan: int = 0
    inf: int = 0
    data: Any = None
    packed: str | None = None
    blocks: Blocks | None = None
    strip: list[float | None] | None = None
    floats: tuple[str, int] | None = (
        None  # the field whose numbers are stored separately, after min and max
    )


def _as_json(reported: _ReportedNumbers) -> bytes:
    """Return the value as JSON, with NaN and infinities as strings, because the encoder would write null."""
    text = json.encode(reported)
    return text if b"null" not in text else json.encode(strict(to_builtins(reported)))


def _reported(tensor: Numbers, detail: TensorDetail) -> _ReportedNumbers:
    """Return the elements of a tensor. A trace has at most one of data, packed and blocks; without these fields, or without
    enough space, the strip is used.
    """
    reported = _ReportedNumbers(
        tensor.shape,
        tensor.dtype,
        tensor.min,
        tensor.max,
        tensor.mean,
        tensor.std,
        tensor.l2,
        tensor.zeros,
        tensor.nan,
        tensor.inf,
    )
    if detail is TensorDetail.STRIPS:
        strip = [_rounded(mean) for mean in tensor.strip or ()]
        sizes = {
            name: _rounded(getattr(reported, name)) for name in ("min", "max", "mean", "std", "l2")
        }
        return replace(reported, strip=strip, **sizes)
    if tensor.data is not None:
        return replace(reported, data=_exact(tensor))
    if detail is TensorDetail.ALL and (tensor.packed or tensor.blocks):
        return replace(reported, packed=tensor.packed, blocks=tensor.blocks)
    return replace(reported, strip=tensor.strip)


def _rounded(number: float | None) -> float | None:
    return float(f"{number:.4g}") if isinstance(number, float) else number


_WHOLE = 2**53  # JavaScript would round larger integers


def _exact(tensor: Numbers) -> Any:
    """Return the elements; integers that JavaScript cannot represent become strings."""
    is_large = "int" in tensor.dtype and max(abs(tensor.min or 0), abs(tensor.max or 0)) > _WHOLE
    return _texts(tensor.data) if is_large else tensor.data


def _texts(data: Any) -> Any:
    return [_texts(each) for each in data] if isinstance(data, list) else str(data)

"""The tensors of a page, each stored once, as JSON with as many of its values as fit."""

from enum import Enum
from typing import Any

from msgspec import Raw, json, to_builtins
from msgspec.structs import replace

from minitape.trace.events import Blocks, Numbers, TraceStruct
from minitape.trace.writing import strict


class TensorDetail(Enum):
    """How much of each tensor is stored; the value of a member is the note about that for the reader."""

    ALL = ""
    FEW = "This run is large: for tensors of more than 64 elements, the page holds only the means of 16 segments."
    STRIPS = "This run is large: for each tensor, the page holds only the means of 16 segments, with four digits."
    NONE = "This run is large: the page does not hold the elements of tensors."


class Tensors:
    """Each tensor with an axis, once, because the iterations of a loop repeat many of them."""

    def __init__(self, room: TensorDetail) -> None:
        self._room = room
        self._at: dict[bytes, int] = {}
        self._known: dict[int, int] = {}  # the same objects are added repeatedly

    def add(self, tensor: Numbers | None) -> int | None:
        """Store the tensor and return its index; None for a tensor of rank 0, whose number is stored in a text."""
        if tensor is None or self._room is TensorDetail.NONE or not tensor.shape:
            return None
        at = self._known.get(id(tensor))
        if at is None:
            text = _as_json(_reported(tensor, self._room))
            at = self._known[id(tensor)] = self._at.setdefault(text, len(self._at))
        return at

    @property
    def all(self) -> list[Raw]:
        """Each tensor as JSON that is inserted as it is."""
        return [*map(Raw, self._at)]


class _ReportedNumbers(TraceStruct):
    """A tensor as the script reads it: its statistics, and its elements in the most detailed form that fits."""

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


def _as_json(reported: _ReportedNumbers) -> bytes:
    """Return the value as JSON, with NaN and infinities as strings, because the encoder would write null."""
    text = json.encode(reported)
    return text if b"null" not in text else json.encode(strict(to_builtins(reported)))


def _reported(tensor: Numbers, room: TensorDetail) -> _ReportedNumbers:
    """Return the elements of a tensor. A trace has at most one of data, packed and blocks; without these, or without enough
    space, the strip is used.
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
    if room is TensorDetail.STRIPS:
        strip = [_rounded(mean) for mean in tensor.strip or ()]
        sizes = {
            name: _rounded(getattr(reported, name)) for name in ("min", "max", "mean", "std", "l2")
        }
        return replace(reported, strip=strip, **sizes)
    if tensor.data is not None:
        return replace(reported, data=_exact(tensor))
    if room is TensorDetail.ALL and (tensor.packed or tensor.blocks):
        return replace(reported, packed=tensor.packed, blocks=tensor.blocks)
    return replace(reported, strip=tensor.strip)


def _rounded(number: float | None) -> float | None:
    return float(f"{number:.4g}") if isinstance(number, float) else number


_WHOLE = 2**53  # JavaScript would round larger integers


def _exact(tensor: Numbers) -> Any:
    """Return the elements, with integers that JavaScript cannot represent as strings."""
    is_large = "int" in tensor.dtype and max(abs(tensor.min or 0), abs(tensor.max or 0)) > _WHOLE
    return _texts(tensor.data) if is_large else tensor.data


def _texts(data: Any) -> Any:
    return [_texts(each) for each in data] if isinstance(data, list) else str(data)

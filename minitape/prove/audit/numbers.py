"""The numbers of a trace as arrays, and when two of them count as the same.

array_of     what a trace says of a tensor → its array, or why there is none
same         whether numbers are what they should be
difference   where they are not, in words
scale_of     how much their last digits can be trusted
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitape.autodiff.question import conjugated
from minitape.core.batched import Batched
from minitape.core.declaration import SMOOTH
from minitape.core.dtypes import limits_of
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array, Value
from minitape.prove.audit.report import Reason
from minitape.prove.elements import elements
from minitape.trace import events
from minitape.trace.writing import ITEM_SIZES

# An op and its rule compute with the numbers that the trace has to their last digit. What comes out differs only where the same
# numbers were added up in another order (another engine's kernel, another shape in memory, another processor), or where a
# function such as exp ends on another last digit: n numbers of size s, added in any order, agree within n roundings of s, and
# nearly always within √n of them. A trace has at most 64, and their products.
_ROUNDINGS = 16
_FLUSHED = 4  # bytes; of numbers so long TensorFlow takes those that are not normal for 0


def array_of(numbers: events.Numbers) -> Array | Reason:
    """The array of a tensor; of rank 0 a NumPy scalar, as the engine has it."""
    array = elements(numbers)
    if array is not None:
        return array
    return Reason.TOO_LARGE if numbers.dtype in ITEM_SIZES else Reason.TEXT


def conjugate(value: Value) -> Value:
    """A cotangent in TensorFlow's convention as one in minitape's, and the other way round."""
    return value if type(value) is IndexedSlices else conjugated(value)


def plain(value: Value) -> Array:
    """What a walk carries, as the array that a trace shows of it."""
    if type(value) is Batched:
        return plain(value.stack)
    if type(value) is IndexedSlices:
        return plain(value.values)
    return np.asarray(getattr(value, "_array", value))


def same(says: Array, should: Array, scale: float = 0.0) -> bool:
    """Whether numbers are what they should be: in shape, dtype, and to the last digits.

    Args:
        says: What the trace has.
        should: What it is compared with.
        scale: How large the numbers were of which `should` was made, where they may have cancelled.
    """
    says, should = np.asarray(says), np.asarray(should)
    if says.shape != should.shape or says.dtype != should.dtype:
        return False
    return bool(np.all(_close(says, should, scale)))


def _close(says: Array, should: Array, scale: float) -> Array:
    equal = says == should
    if says.dtype.kind not in SMOOTH:
        return equal
    equal |= np.isnan(says) & np.isnan(should)
    if np.all(equal):
        return equal
    finite = np.isfinite(says) & np.isfinite(should)
    largest = max(scale, float(np.max(np.abs(should), where=finite, initial=0.0)))
    limits = limits_of(says.dtype)
    rounding = float(limits.eps) * _ROUNDINGS
    flushed = float(limits.tiny) * _ROUNDINGS if says.dtype.itemsize >= _FLUSHED else 0.0
    with np.errstate(all="ignore"):
        return equal | (finite & (np.abs(says - should) <= max(rounding * largest, flushed)))


def difference(says: Array, should: Array, scale: float = 0.0) -> tuple[str, str]:
    """What a trace says where it is wrong, and what it should say."""
    says, should = np.asarray(says), np.asarray(should)
    if says.shape != should.shape or says.dtype != should.dtype:
        return _outline(says), _outline(should)
    places = np.argwhere(~_close(says, should, scale))
    if not says.ndim or not len(places):
        return str(says), str(should)
    first = tuple(int(each) for each in places[0])
    where = f"at {list(first)}" + (f" and {len(places) - 1} more" if len(places) > 1 else "")
    return f"{says[first]} {where}", str(should[first])


def _outline(array: Array) -> str:
    return f"{array.dtype} of shape {list(array.shape)}"


def size_of(value: Any) -> float:
    """How large the finite numbers of a value are."""
    array = plain(value)
    if not array.size or array.dtype.kind not in SMOOTH:
        return 0.0
    return float(np.max(np.abs(array), where=np.isfinite(array), initial=0.0))


def scale_of(found: Array, others: Iterable[Array], largest: float) -> float:
    """How large the numbers are of which `found` was made, which may have cancelled.

    Args:
        found: What came out.
        others: What came out when the last digits of what went in were others.
        largest: The largest number that went in.

    Returns:
        0 where it cannot be told: where the function jumps, last digits explain nothing.
    """
    if found.dtype.kind not in SMOOTH:
        return 0.0
    digit = float(limits_of(found.dtype).eps)
    spread = max(
        (size_of(each - found) for each in others if each.shape == found.shape), default=0.0
    )
    return 0.0 if spread > digit**0.5 * largest else spread / digit

"""When numbers of a trace count as the same.

same         whether numbers are what they should be
difference   where they are not, in words
scale_of     how much their last digits can be trusted
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitape.again.numbers import plain
from minitape.core.declaration import SMOOTH
from minitape.core.dtypes import limits_of
from minitape.core.values import Array

# An op and its rule compute with the numbers that the trace has to their last digit. What comes out differs only where the same
# numbers were added up in another order (another engine's kernel, another shape in memory, another processor), or where a
# function such as exp ends on another last digit: n numbers of size s, added in any order, agree within n roundings of s, and
# nearly always within √n of them. A trace has at most 4,096 of a tensor; kernels add in blocks, so that far fewer roundings meet.
_ROUNDINGS = 16
_FLUSHED = 4  # bytes; of numbers so long TensorFlow takes those that are not normal for 0


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

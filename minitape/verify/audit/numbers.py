"""Decides whether values of a trace are equal up to rounding.

same         whether values are correct
difference   the first difference, as text
scale_of     how accurate the last digits are
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.dtypes import limits_of
from minitape.core.values import Array
from minitape.replay.numbers import plain

# An op and its rule compute with the exact values of the trace. Their results differ only where the same values were added in a
# different order (by a different kernel, memory layout or processor), or where a function such as exp has a different last
# digit. The sums of n values of size s in any order agree within n rounding errors of s, and nearly always within √n of them. A
# trace has at most 4,096 elements of a tensor, and kernels add in blocks, so that far fewer rounding errors add up.
_ROUNDINGS = 16
_FLUSHED = 4  # bytes; for dtypes of this size, TensorFlow flushes subnormal numbers to 0


def same(says: Array, should: Array, scale: float = 0.0) -> bool:
    """Whether values are correct in shape, in dtype, and up to their last digits.

    Args:
        says: The value in the trace.
        should: The correct value.
        scale: The magnitude of the values from which `should` was computed, which may have canceled.
    """
    says, should = np.asarray(says), np.asarray(should)
    if says.shape != should.shape or says.dtype != should.dtype:
        return False
    return bool(np.all(_close(says, should, scale)))


def _close(says: Array, should: Array, scale: float) -> Array:
    equal = says == should
    if says.dtype.kind not in DIFFERENTIABLE_KINDS:
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
    """Return the first wrong value of a trace, and the correct value."""
    says, should = np.asarray(says), np.asarray(should)
    if says.shape != should.shape or says.dtype != should.dtype:
        return _shape_text(says), _shape_text(should)
    locations = np.argwhere(~_close(says, should, scale))
    if not says.ndim or not len(locations):
        return str(says), str(should)
    first = tuple(int(each) for each in locations[0])
    where = f"at {list(first)}" + (f" and {len(locations) - 1} more" if len(locations) > 1 else "")
    return f"{says[first]} {where}", str(should[first])


def _shape_text(array: Array) -> str:
    return f"{array.dtype} of shape {list(array.shape)}"


def size_of(value: Any) -> float:
    """Return the magnitude of the finite elements of a value."""
    array = plain(value)
    if not array.size or array.dtype.kind not in DIFFERENTIABLE_KINDS:
        return 0.0
    return float(np.max(np.abs(array), where=np.isfinite(array), initial=0.0))


def scale_of(found: Array, others: Iterable[Array], largest: float) -> float:
    """Return the magnitude of the values from which `found` was computed, which may have canceled.

    Args:
        found: The result.
        others: Results for inputs whose last digits differ.
        largest: The largest input.

    Returns:
        The magnitude, or 0 if it is unknown, because last digits explain nothing where the function jumps.
    """
    if found.dtype.kind not in DIFFERENTIABLE_KINDS:
        return 0.0
    digit = float(limits_of(found.dtype).eps)
    spread = max(
        (size_of(each - found) for each in others if each.shape == found.shape), default=0.0
    )
    return 0.0 if spread > digit**0.5 * largest else spread / digit

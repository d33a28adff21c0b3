"""Decides whether the numbers of two traces are the same.

form(t)                            shape and dtype
close(x, y, tolerance)             equal up to a tolerance, absolute or relative; 0 means exactly as in the trace
gap(x, y)                          their difference relative to the largest number
largest(t)                         the absolute value of the largest number
"""

import math
from collections.abc import Iterator
from typing import Any

from minitape.trace.elements import elements
from minitape.trace.events import Numbers


def form(tensor: Numbers) -> tuple[list[int], str]:
    return tensor.shape, tensor.dtype


def close(x: Numbers, y: Numbers, tolerance: float) -> bool:
    """Whether two tensors of the same shape and dtype are equal, as far as their traces show."""
    ours, theirs = _elements(x, y) or (_known(x), _known(y))
    return _all_close(ours, theirs, tolerance)


def _elements(x: Numbers, y: Numbers) -> tuple[Any, Any] | None:
    """Return all elements of both tensors, if both traces hold them."""
    if x.data is not None and y.data is not None:
        return x.data, y.data
    if x.packed is None or y.packed is None:
        return None
    return ([], []) if x.packed == y.packed else (elements(x), elements(y))


def _known(tensor: Numbers) -> list[float | None]:
    """Return the numbers that a trace stores for a large tensor."""
    about = tensor.min, tensor.max, tensor.mean, tensor.std, tensor.l2
    return [*about, tensor.nan, tensor.inf, tensor.zeros, *(tensor.strip or ())]


def _all_close(x: Any, y: Any, tolerance: float) -> bool:
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(_all_close(a, b, tolerance) for a, b in zip(x, y))
    if x == y:
        return True
    if not (isinstance(x, int | float) and isinstance(y, int | float)):  # a string, or no elements
        return False
    both_nan = math.isnan(x) and math.isnan(y)
    return both_nan or math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance)


def gap(x: Numbers, y: Numbers, size: float = 0.0) -> float:
    """Return the difference of two tensors of the same shape and dtype, relative to their largest number.

    It is inf if one of them contains NaN, inf or a string.

    Args:
        size: The magnitude of the summed numbers, if any, because a sum whose terms cancel has their rounding errors.
    """
    if (x.nan, x.inf) != (y.nan, y.inf):
        return math.inf
    whole = _elements(x, y)
    pairs = list(_pairs(*whole) if whole else zip(_summary(x), _summary(y)))
    if not all(isinstance(each, int | float) for pair in pairs for each in pair):
        return 0.0 if all(a == b for a, b in pairs) else math.inf
    apart = max((_distance(a, b) for a, b in pairs), default=0.0)
    return apart / max(size, largest(x), largest(y)) if apart else 0.0


def largest(tensor: Numbers) -> float:
    """Return the largest absolute value of a finite element; 0 if there is none."""
    return max(abs(tensor.min or 0.0), abs(tensor.max or 0.0))


def _summary(tensor: Numbers) -> list[float]:
    about = tensor.min, tensor.max, tensor.mean, tensor.std
    return [each for each in (*about, *(tensor.strip or ())) if each is not None]


def _pairs(x: Any, y: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(x, list) and isinstance(y, list):
        for a, b in zip(x, y):
            yield from _pairs(a, b)
    else:
        yield x, y


def _distance(a: float, b: float) -> float:
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    return abs(a - b) if math.isfinite(a) and math.isfinite(b) else math.inf

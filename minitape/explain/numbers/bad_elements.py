"""The element that is not finite: its index in the result of an op, and the element of an input from which it was computed.

first_bad    the index of the first NaN or infinite element of a value
input_at     the element of an input that an elementwise op combined into an element of its result
bad_element  the element to name in the answer about an op
bad_in       the element to name in the answer about data
"""

import math
from dataclasses import replace
from typing import NamedTuple

from minitape.explain.causes.nans import BadElement
from minitape.trace import events
from minitape.trace.elements import elements
from minitape.trace.events import Numbers


def first_bad(numbers: Numbers) -> tuple[int, ...] | None:
    """Return the index of the first element that is not finite; None if the trace does not hold the elements."""
    row = elements(numbers) if numbers.dtype.startswith(("float", "bfloat")) else None
    flat = next((i for i, each in enumerate(row or ()) if not math.isfinite(each)), None)
    return None if flat is None else _unravelled(flat, numbers.shape)


def input_at(given: Numbers, op: events.OpEvent) -> float | None:
    """Return the element of an input that belongs to the first element of the op's result that is not finite.

    The shapes are broadcast as for an elementwise op. Returns None if the shapes do not fit, or if the trace does not hold the
    elements.
    """
    found = _input_element(given, op)
    return None if found is None else found.number


class _Element(NamedTuple):
    position: tuple[int, ...]
    number: float


def _input_element(given: Numbers, op: events.OpEvent) -> _Element | None:
    """Return the same element as `input_at`, with its index."""
    index = first_bad(op.outputs[0])
    if index is None or len(given.shape) > len(index):
        return None
    own = index[len(index) - len(given.shape) :]
    flat = 0
    position = []
    for at, length, full in zip(
        own, given.shape, op.outputs[0].shape[len(index) - len(own) :], strict=True
    ):
        if length not in (1, full):
            return None
        position.append(at if length == full else 0)
        flat = flat * length + position[-1]
    row = elements(given)
    if row is None or isinstance(row[flat], complex):
        return None
    return _Element(tuple(position), float(row[flat]))


# The input that an op divides by, or takes the logarithm of; for all other ops it is the first one.
_LAST_INPUT = {"FloorMod", "RealDiv", "Reciprocal", "TruncateMod", "Xdivy", "Xlogy"}
# Ops of one input for which the element of that input is more informative than the infinite element of the result.
_OF_ONE = {"Cosh", "Exp", "Expm1", "Pow", "Sinh", "Square"}


def bad_element(
    numbers: dict[int, Numbers], op: events.OpEvent, met: float | None
) -> BadElement | None:
    """Return the element to name in the answer about an op.

    Args:
        numbers: The summaries of all values, by id.
        op: The op that is not finite, or whose derivative is not finite.
        met: The end of its domain that an input has reached; None if all inputs are inside their domain.

    Returns:
        An element of the input that is outside the domain, or else of the result. None if the trace does not hold the elements,
        or if there is only one.
    """
    if op.name == "Atan2":
        return None  # a single element cannot be blamed, because both inputs are 0
    result = op.outputs[0]
    asked = op.inputs[-1 if op.name in _LAST_INPUT else 0] if op.inputs else None
    given = None if asked is None else numbers.get(asked.value)
    if op.name == "EuclideanNorm" and met is not None:
        return _of(result, _first(result, met))
    if asked is None or given is None or (met is None and op.name not in _OF_ONE):
        found = _of(result, first_bad(result))
        return None if found is None else replace(found, is_result=True)
    found_at = _input_element(given, op)
    found = _of(given, _first(given, met) if found_at is None else found_at.position)
    return None if found is None else replace(found, value=asked.value, written=asked.text)


def bad_in(numbers: Numbers) -> BadElement | None:
    """Return the first element of a value that is not finite."""
    return _of(numbers, first_bad(numbers))


def _first(numbers: Numbers, met: float | None) -> tuple[int, ...] | None:
    """Return the index of the first element that is equal to a number."""
    row = elements(numbers) if met is not None else None
    flat = next((i for i, each in enumerate(row or ()) if each == met), None)
    return None if flat is None else _unravelled(flat, numbers.shape)


def _of(numbers: Numbers, index: tuple[int, ...] | None) -> BadElement | None:
    row = elements(numbers) if index is not None and numbers.size > 1 else None
    if row is None or index is None or numbers.dtype.startswith("complex"):
        return None
    flat = 0
    for at, length in zip(index, numbers.shape, strict=True):
        flat = flat * length + at
    number = float(row[flat])
    alike = sum(each == number or (math.isnan(number) and math.isnan(each)) for each in row)
    return BadElement(numbers.id, index, number, alike - 1)


def _unravelled(flat: int, shape: list[int]) -> tuple[int, ...]:
    """Return the index, one number for each axis, of an element that is at this position in a row."""
    index: list[int] = []
    for length in reversed(shape):
        flat, at = divmod(flat, length)
        index.append(at)
    return tuple(reversed(index))

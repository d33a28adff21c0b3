"""Constraints: what a weight is brought back to after each update of an optimizer.

    NonNeg        below 0 becomes 0
    MaxNorm       columns longer than `max_value` are shortened to it
    UnitNorm      columns get length 1
    MinMaxNorm    columns are brought between two lengths, by a share of the way

Source: https://keras.io/api/layers/constraints/
"""

from typing import Any

from minitape.core.convert import as_operand
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import saving
from minitape.keras.config import epsilon
from minitape.keras.naming import in_small_letters
from minitape.ops.arithmetic import sqrt, square
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.clipping import clip_by_value
from minitape.ops.extremes import maximum


class Constraint:
    """A function from a weight to one of the same shape that keeps to the rule."""

    def __call__(self, w: Any) -> Value:
        """The weight within its bounds; as it is, unless a subclass says otherwise."""
        return w

    def get_config(self) -> dict[str, Any]:
        """What it was made with."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Constraint":
        """Another one, made with what `get_config` says."""
        return cls(**config)


def _lengths(w: Value, axis: Any) -> Value:
    return sqrt(reduce_sum(square(w), axis=axis, keepdims=True))


class MaxNorm(Constraint):
    """Length at most `max_value` along `axis`; Srivastava et al. 2014.

    Args:
        max_value: The greatest length.
        axis: What is measured together: 0 for each unit of a Dense, [0, 1, 2] for each filter of a Conv2D.
    """

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Value:
        value = as_operand(w)
        length = _lengths(value, self.axis)
        return value * (clip_by_value(length, 0.0, self.max_value) / (epsilon() + length))


class NonNeg(Constraint):
    """Nothing below 0."""

    def __call__(self, w: Any) -> Value:
        return maximum(as_operand(w), 0.0)


class UnitNorm(Constraint):
    """Length 1 along `axis`."""

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Value:
        value = as_operand(w)
        return value / (epsilon() + _lengths(value, self.axis))


class MinMaxNorm(Constraint):
    """Length between two bounds along `axis`.

    Args:
        min_value: The least length.
        max_value: The greatest.
        rate: How far towards the bound each update goes; 1 is all the way.
        axis: What is measured together.
    """

    def __init__(
        self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0
    ) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Value:
        value = as_operand(w)
        length = _lengths(value, self.axis)
        bounded = clip_by_value(length, self.min_value, self.max_value)
        wanted = self.rate * bounded + (1.0 - self.rate) * length
        return value * (wanted / (epsilon() + length))


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm

_KINDS = (MaxNorm, NonNeg, UnitNorm, MinMaxNorm)
_BY_NAME = {name: kind for kind in _KINDS for name in (kind.__name__, in_small_letters(kind))}


def get(identifier: Any) -> Any:
    """The constraint that a user means: a function of a weight, its name, or None for none.

    Raises:
        ValueError: there is no such name.
    """
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]()
    if isinstance(identifier, type):
        return identifier()
    if identifier is None or callable(identifier):
        return identifier
    raise TapeValueError(
        f"Could not interpret constraint identifier: {identifier}",
        fix=f"one of {', '.join(in_small_letters(kind) for kind in _KINDS)}, or a function of a weight",
    )


def serialize(constraint: Any) -> Any:
    """A constraint as plain values: see `keras.saving`."""
    return saving.serialize_keras_object(constraint)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """A constraint from what `serialize` gave, or from its name.

    Raises:
        TypeError: there is no class of that name.
        ValueError: `get` knows no such name.
    """
    return saving.made_from(config, "keras.constraints", get, custom_objects)


__all__ = [
    "Constraint",
    "MaxNorm",
    "MinMaxNorm",
    "NonNeg",
    "UnitNorm",
    "deserialize",
    "get",
    "max_norm",
    "min_max_norm",
    "non_neg",
    "serialize",
    "unit_norm",
]

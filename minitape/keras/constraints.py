"""Constraints: projections that optimizers apply to a weight after each update.

    NonNeg      sets negative values to 0
    MaxNorm     scales columns down to a maximum norm
    UnitNorm    scales columns to norm 1
    MinMaxNorm  scales columns toward a range of norms

Source: https://keras.io/api/layers/constraints/
"""

from typing import Any

from minitape.core.convert import as_operand
from minitape.core.values import Value
from minitape.errors import TapeValueError, code_list
from minitape.keras import saving
from minitape.keras.config import epsilon
from minitape.keras.naming import snake_case
from minitape.ops.arithmetic import sqrt, square
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.clipping import clip_by_value
from minitape.ops.minmax import maximum


class Constraint:
    """Base class of constraints, which are functions from a weight to a value of the same shape.

    Source: https://keras.io/api/layers/constraints/
    """

    def __call__(self, w: Any) -> Value:
        """Project the weight; the base class returns it unchanged.

        Args:
            w: The weight.

        Returns:
            A tensor with the shape of `w`.
        """
        return w

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this constraint.

        Returns:
            A dict.
        """
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Constraint":
        """Create a constraint from the result of `get_config`.

        Args:
            config: The arguments.

        Returns:
            A new constraint.
        """
        return cls(**config)


def _lengths(w: Value, axis: Any) -> Value:
    return sqrt(reduce_sum(square(w), axis=axis, keepdims=True))


class MaxNorm(Constraint):
    """Scale weights down to a norm of at most `max_value` along `axis`.

    Args:
        max_value: Maximum norm.
        axis: Axis, or list of axes, over which the norm is computed; use 0 for the units of a Dense layer and [0, 1, 2] for
            the filters of a Conv2D layer.

    Source: https://keras.io/api/layers/constraints/; Srivastava et al. 2014.
    """

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Value:
        value = as_operand(w)
        length = _lengths(value, self.axis)
        return value * (clip_by_value(length, 0.0, self.max_value) / (epsilon() + length))


class NonNeg(Constraint):
    """Set negative weights to 0.

    Source: https://keras.io/api/layers/constraints/
    """

    def __call__(self, w: Any) -> Value:
        return maximum(as_operand(w), 0.0)


class UnitNorm(Constraint):
    """Scale weights to norm 1 along `axis`.

    Args:
        axis: Axis, or list of axes, over which the norm is computed; use 0 for the units of a Dense layer and [0, 1, 2] for
            the filters of a Conv2D layer.

    Source: https://keras.io/api/layers/constraints/
    """

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Value:
        value = as_operand(w)
        return value / (epsilon() + _lengths(value, self.axis))


class MinMaxNorm(Constraint):
    """Scale weights to a norm between `min_value` and `max_value` along `axis`.

    Args:
        min_value: Minimum norm.
        max_value: Maximum norm.
        rate: Fraction of the way to the range in each update; 1 enforces it exactly.
        axis: Axis, or list of axes, over which the norm is computed; use 0 for the units of a Dense layer and [0, 1, 2] for
            the filters of a Conv2D layer.

    Source: https://keras.io/api/layers/constraints/
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
_BY_NAME = {name: kind for kind in _KINDS for name in (kind.__name__, snake_case(kind))}


def get(identifier: Any) -> Any:
    """Return the constraint for an identifier.

    Args:
        identifier: A function of a weight, a class, a name such as "max_norm", or None.

    Returns:
        A function that maps a weight to its new value; None if `identifier` is None.

    Raises:
        ValueError: no constraint has that name.
    """
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]()
    if isinstance(identifier, type):
        return identifier()
    if identifier is None or callable(identifier):
        return identifier
    raise TapeValueError(
        f"Could not interpret constraint identifier: {identifier}",
        fix=f"use one of {code_list(snake_case(kind) for kind in _KINDS)}, or a function of a weight",
    )


def serialize(constraint: Any) -> Any:
    """Convert a constraint to a dict of plain values.

    Args:
        constraint: The constraint.

    Returns:
        A dict that `deserialize` reads.
    """
    return saving.serialize_keras_object(constraint)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Create a constraint from the result of `serialize`, or from its name.

    Args:
        config: The dict that `serialize` returned, or a name.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        A constraint.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `get` does not recognize the name.
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

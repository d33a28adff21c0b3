"""Regularizers: penalties on weights, which are added to the loss.

    L1                     Σ|w|: pulls small weights to 0
    L2                     Σw²: pulls large weights down
    L1L2                   the sum of both penalties
    OrthogonalRegularizer  penalizes rows or columns that are not orthogonal to each other

Source: https://keras.io/api/layers/regularizers/
"""

from math import isfinite
from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import saving
from minitape.ops.arithmetic import abs as absolute
from minitape.ops.arithmetic import square
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.products import matmul
from minitape.ops.statistics import l2_normalize


class Regularizer:
    """Base class of regularizers, which are functions from a weight to a penalty.

    Source: https://keras.io/api/layers/regularizers/
    """

    def __call__(self, x: Any) -> Value:
        """Return the penalty on a weight. Subclasses define this method.

        Args:
            x: The weight.

        Returns:
            A scalar.

        Raises:
            NotImplementedError: the class does not define `__call__`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `__call__(self, x)`.")

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this regularizer.

        Returns:
            A dict.
        """
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Regularizer":
        """Create a regularizer from the result of `get_config`.

        Args:
            config: The arguments.

        Returns:
            A new regularizer.
        """
        return cls(**config)


def _checked_factor(what: str, number: Any) -> float:
    """Check the factor of a penalty.

    Raises:
        ValueError: the factor is not a number, or it is negative or infinite.
    """
    if isinstance(number, bool | str) or not (isinstance(number, float | int) and isfinite(number)):
        raise _no_price(what, number)
    if number < 0:
        raise _no_price(what, number)
    return float(number)


def _no_price(what: str, number: Any) -> TapeValueError:
    return TapeValueError(
        f"Invalid value for argument {what}: expected a non-negative float. Received: {what}={number}",
        fix=f"pass `{what}=0.01`",
    )


class L1(Regularizer):
    """Return the penalty l1 · Σ|w|.

    Args:
        l1: Factor of the penalty; at least 0.

    Raises:
        ValueError: `l1` is not a finite, non-negative number.

    Source: https://keras.io/api/layers/regularizers/#l1-class
    """

    def __init__(self, l1: float = 0.01) -> None:
        self.l1 = _checked_factor("l1", 0.01 if l1 is None else l1)

    def __call__(self, x: Any) -> Value:
        return self.l1 * reduce_sum(absolute(x))


class L2(Regularizer):
    """Return the penalty l2 · Σw².

    Args:
        l2: Factor of the penalty; at least 0.

    Raises:
        ValueError: `l2` is not a finite, non-negative number.

    Source: https://keras.io/api/layers/regularizers/#l2-class
    """

    def __init__(self, l2: float = 0.01) -> None:
        self.l2 = _checked_factor("l2", 0.01 if l2 is None else l2)

    def __call__(self, x: Any) -> Value:
        return self.l2 * reduce_sum(square(x))


class L1L2(Regularizer):
    """Return the penalty l1 · Σ|w| + l2 · Σw².

    Args:
        l1: Factor of Σ|w|; at least 0.
        l2: Factor of Σw²; at least 0.

    Raises:
        ValueError: a factor is not a finite, non-negative number.

    Source: https://keras.io/api/layers/regularizers/#l1l2-class
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = _checked_factor("l1", l1 or 0.0), _checked_factor("l2", l2 or 0.0)

    def __call__(self, x: Any) -> Value:
        if not self.l1 and not self.l2:
            return convert_to_tensor(0.0, dtype=x.dtype)
        if not self.l1 or not self.l2:
            return L1(self.l1)(x) if self.l1 else L2(self.l2)(x)
        return L1(self.l1)(x) + L2(self.l2)(x)


class OrthogonalRegularizer(Regularizer):
    """Return a penalty on rows, or columns, that are not orthogonal to each other.

    Args:
        factor: Factor of the mean absolute cosine between the rows or columns.
        mode: "rows" or "columns".

    Raises:
        ValueError: `mode` is unknown, or the regularizer is called with a weight whose rank is not 2.

    Source: https://keras.io/api/layers/regularizers/#orthogonalregularizer-class
    """

    def __init__(self, factor: float = 0.01, mode: str = "rows") -> None:
        if mode not in ("rows", "columns"):
            raise TapeValueError(
                f'Invalid value for argument `mode`. Expected one of {{"rows", "columns"}}. Received: mode={mode}',
                fix='pass `mode="rows"`',
            )
        self.factor, self.mode = factor, mode

    def __call__(self, inputs: Any) -> Value:
        if len(inputs.shape) != 2:
            raise TapeValueError(
                f"Inputs to OrthogonalRegularizer must have rank 2. Received: inputs.shape={tuple(inputs.shape)}",
                fix="use the regularizer as `kernel_regularizer` of a `Dense` layer",
            )
        is_by_rows = self.mode == "rows"
        y = l2_normalize(inputs, axis=1 if is_by_rows else 0)
        cosines = matmul(y, y, transpose_b=is_by_rows, transpose_a=not is_by_rows)
        count = cosines.shape[0]
        others = cosines * (1.0 - np.eye(count, dtype=cosines.dtype.numpy))
        pairs = count * (count - 1.0) / 2.0
        return self.factor * (0.5 * reduce_sum(absolute(others)) / max(pairs, 1.0))


l1, l2, l1_l2, orthogonal_regularizer = L1, L2, L1L2, OrthogonalRegularizer

_BY_NAME: dict[str, type[Regularizer]] = {
    "l1": L1,
    "l2": L2,
    "l1_l2": L1L2,
    "orthogonal_regularizer": OrthogonalRegularizer,
    "L1": L1,
    "L2": L2,
    "L1L2": L1L2,
    "l1l2": L1L2,
    "OrthogonalRegularizer": OrthogonalRegularizer,
}


def get(identifier: Any) -> Any:
    """Return the regularizer for an identifier.

    Args:
        identifier: A function of a weight, a class, a name such as "l2", or None.

    Returns:
        A function that maps a weight to its penalty; None if `identifier` is None.

    Raises:
        ValueError: no regularizer has that name.
    """
    if identifier is None or (callable(identifier) and not isinstance(identifier, type)):
        return identifier
    if isinstance(identifier, type):
        return identifier()
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]()
    raise TapeValueError(
        f"Could not interpret regularizer identifier: {identifier}",
        fix="use `l1`, `l2`, `l1_l2` or `orthogonal_regularizer`, or a function of a weight",
    )


def serialize(regularizer: Any) -> Any:
    """Convert a regularizer to a dict of plain values.

    Args:
        regularizer: The regularizer.

    Returns:
        A dict that `deserialize` reads.
    """
    return saving.serialize_keras_object(regularizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Create a regularizer from the result of `serialize`, or from its name.

    Args:
        config: The dict that `serialize` returned, or a name.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        A regularizer.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `get` does not recognize the name.
    """
    return saving.made_from(config, "keras.regularizers", get, custom_objects)


__all__ = [
    "L1",
    "L1L2",
    "L2",
    "OrthogonalRegularizer",
    "Regularizer",
    "deserialize",
    "get",
    "l1",
    "l1_l2",
    "l2",
    "orthogonal_regularizer",
    "serialize",
]

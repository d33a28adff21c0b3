"""Regularizers: a price on large weights, to be added to the loss.

    L1      Σ|w|: pulls small weights to 0
    L2      Σw²: pulls large weights down
    L1L2    both

Source: https://keras.io/api/layers/regularizers/
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops.arithmetic import abs as absolute
from minitape.ops.arithmetic import square
from minitape.ops.broadcasting import reduce_sum


class Regularizer:
    """A function from a weight to its price."""

    def __call__(self, x: Any) -> Value:
        """The price of `x`, a scalar."""
        raise NotImplementedError(f"{type(self).__name__} has no `__call__(self, x)`.")


class L1(Regularizer):
    def __init__(self, l1: float = 0.01) -> None:
        self.l1 = l1

    def __call__(self, x: Any) -> Value:
        return self.l1 * reduce_sum(absolute(x))


class L2(Regularizer):
    def __init__(self, l2: float = 0.01) -> None:
        self.l2 = l2

    def __call__(self, x: Any) -> Value:
        return self.l2 * reduce_sum(square(x))


class L1L2(Regularizer):
    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = l1, l2

    def __call__(self, x: Any) -> Value:
        return L1(self.l1)(x) + L2(self.l2)(x)


l1, l2, l1_l2 = L1, L2, L1L2

_BY_NAME: dict[str, type[Regularizer]] = {"l1": L1, "l2": L2, "l1_l2": L1L2}


def get(identifier: Any) -> Any:
    """The regularizer that a user means: a function of a weight, its name, or None for none.

    Raises:
        ValueError: there is no such name.
    """
    if identifier is None or (callable(identifier) and not isinstance(identifier, type)):
        return identifier
    if isinstance(identifier, type):
        return identifier()
    if identifier in _BY_NAME:
        return _BY_NAME[identifier]()
    raise TapeValueError(
        f"Could not interpret regularizer identifier: {identifier}",
        fix=f"one of {', '.join(_BY_NAME)}, or a function of a weight",
    )


__all__ = ["L1", "L1L2", "L2", "Regularizer", "get", "l1", "l1_l2", "l2"]

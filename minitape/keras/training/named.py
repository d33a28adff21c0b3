"""What `compile` may be given by name: optimizers, losses, metrics.

A name is that of a class ("Adam", "mean_squared_error" for MeanSquaredError) or of a function ("mse").
"""

from types import ModuleType
from typing import Any

from minitape.errors import TapeValueError
from minitape.keras import losses, metrics, optimizers
from minitape.keras.layers.layer import in_small_letters

_METRICS = {"mse": metrics.MeanSquaredError, "mae": metrics.MeanAbsoluteError}


def optimizer(identifier: Any) -> Any:
    """The optimizer that is meant; None for none."""
    return _found(identifier, optimizers, "optimizer")


def loss(identifier: Any) -> Any:
    """The loss that is meant: a function, or an object of a class."""
    function = vars(losses).get(identifier) if isinstance(identifier, str) else None
    if callable(function) and not isinstance(function, type):
        return function
    return _found(identifier, losses, "loss")


def metric(identifier: Any) -> Any:
    """The metric that is meant: an object, or a function."""
    if identifier in _METRICS:
        return _METRICS[identifier]()
    return _found(identifier, metrics, "metric")


def _found(identifier: Any, room: ModuleType, what: str) -> Any:
    if isinstance(identifier, type):
        return identifier()
    if not isinstance(identifier, str):
        return identifier
    kinds = [each for each in vars(room).values() if isinstance(each, type)]
    for kind in kinds:
        if identifier.lower() in (kind.__name__.lower(), in_small_letters(kind)):
            return kind()
    if identifier in room.__all__:
        return getattr(room, identifier)
    raise TapeValueError(
        f"Could not interpret {what} identifier: {identifier}",
        fix=f"one of {', '.join(name for name in room.__all__ if name.islower() or what == 'optimizer')}",
    )

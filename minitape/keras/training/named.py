"""What `compile` may be given by name as a metric: a class ("AUC", "mean_squared_error") or a function ("mse")."""

from typing import Any

from minitape.errors import TapeValueError
from minitape.keras import metrics
from minitape.keras.naming import in_small_letters

_SHORT = {"mse": metrics.MeanSquaredError, "mae": metrics.MeanAbsoluteError}


def metric(identifier: Any) -> Any:
    """The metric that is meant: an object, or a function.

    Raises:
        ValueError: there is no such metric.
    """
    if isinstance(identifier, type):
        return identifier()
    if not isinstance(identifier, str):
        return identifier
    if identifier.lower() in _SHORT:
        return _SHORT[identifier.lower()]()
    kinds = [each for each in vars(metrics).values() if isinstance(each, type)]
    for kind in kinds:
        if identifier.lower() in (kind.__name__.lower(), in_small_letters(kind)):
            return kind()
    if identifier in metrics.__all__:
        return getattr(metrics, identifier)
    raise TapeValueError(
        f"Could not interpret metric identifier: {identifier}",
        fix=f"one of accuracy, {', '.join(name for name in metrics.__all__ if name.islower())}",
    )

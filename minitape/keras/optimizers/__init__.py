"""Optimizers: what to do with a gradient.

    optimizer     Optimizer: what all have in common
    descending    SGD, Lion: along the gradient, or its signs
    scaling       Adagrad, RMSprop, Adadelta, Ftrl, Adafactor: in units of the gradient's usual size
    adam          Adam, AdamW, Adamax, Nadam, Lamb: the same, along its usual direction
    schedules     learning rates that change with the number of the step
    gradients, slots    a gradient as numbers; what is remembered about a variable

Source: https://keras.io/api/optimizers/
"""

from typing import Any

from minitape.errors import TapeValueError
from minitape.keras import saving
from minitape.keras.optimizers import legacy, schedules
from minitape.keras.optimizers.adam import Adam, Adamax, AdamW, Lamb, Nadam
from minitape.keras.optimizers.descending import SGD, Lion
from minitape.keras.optimizers.optimizer import Optimizer
from minitape.keras.optimizers.scaling import Adadelta, Adafactor, Adagrad, Ftrl, RMSprop

_BY_NAME: dict[str, type[Optimizer]] = {
    kind.__name__.lower(): kind
    for kind in (
        *(SGD, Lion, Adagrad, RMSprop, Adadelta, Ftrl, Adafactor),
        *(Adam, AdamW, Adamax, Nadam, Lamb),
    )
}


def get(identifier: Any) -> Optimizer | None:
    """The optimizer that a user means: one, its name, or its configuration; None for None.

    Args:
        identifier: An optimizer; the name of a class in any letters; {"class_name": ..., "config": ...}.

    Raises:
        ValueError: there is no such optimizer.
    """
    if identifier is None or isinstance(identifier, Optimizer):
        return identifier
    config: dict[str, Any] = {}
    name = identifier
    if isinstance(identifier, dict):
        name, config = identifier.get("class_name"), identifier.get("config", {})
    if isinstance(name, str) and name.lower() in _BY_NAME:
        return _BY_NAME[name.lower()].from_config(config)
    raise TapeValueError(
        f"Could not interpret optimizer identifier: {identifier}",
        fix=f"one of {', '.join(_BY_NAME)}, or an optimizer such as tf.keras.optimizers.Adam()",
    )


def serialize(optimizer: Any) -> Any:
    """An optimizer as plain values: see `keras.saving`."""
    return saving.serialize_keras_object(optimizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """An optimizer from what `serialize` gave, or from its name.

    Raises:
        TypeError: there is no class of that name.
        ValueError: `get` knows no such name.
    """
    return saving.made_from(config, "keras.optimizers", get, custom_objects)


__all__ = [
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Ftrl",
    "Lamb",
    "Lion",
    "Nadam",
    "Optimizer",
    "RMSprop",
    "deserialize",
    "get",
    "legacy",
    "schedules",
    "serialize",
]

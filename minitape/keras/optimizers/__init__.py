"""Optimizers, which update variables using their gradients.

    `optimizer`    `Optimizer`, the base class
    `sgd`          `SGD`, `Lion`: steps against the gradient, or against the signs of its elements
    `adaptive`     `Adagrad`, `RMSprop`, `Adadelta`, `Ftrl`, `Adafactor`: gradients divided by their typical size
    `adam`         `Adam`, `AdamW`, `Adamax`, `Nadam`, `Lamb`: averaged gradients divided by their typical size
    `schedules`    learning rates that depend on the step
    `gradients`    gradients as arrays, and gradient clipping
    `slots`        the state that an optimizer keeps for a variable

Source: https://keras.io/api/optimizers/
"""

from typing import Any

from minitape.errors import TapeValueError, code_list
from minitape.keras import saving
from minitape.keras.optimizers import legacy, schedules
from minitape.keras.optimizers.adam import Adam, Adamax, AdamW, Lamb, Nadam
from minitape.keras.optimizers.adaptive import Adadelta, Adafactor, Adagrad, Ftrl, RMSprop
from minitape.keras.optimizers.optimizer import Optimizer
from minitape.keras.optimizers.sgd import SGD, Lion

_BY_NAME: dict[str, type[Optimizer]] = {
    kind.__name__.lower(): kind
    for kind in (
        *(SGD, Lion, Adagrad, RMSprop, Adadelta, Ftrl, Adafactor),
        *(Adam, AdamW, Adamax, Nadam, Lamb),
    )
}


def get(identifier: Any) -> Optimizer | None:
    """Return the optimizer for an identifier.

    Args:
        identifier: An `Optimizer`, the name of a class (case-insensitive), a dict {"class_name": ..., "config": ...}, or
            None.

    Returns:
        An `Optimizer`; None if `identifier` is None.

    Raises:
        ValueError: the identifier matches no optimizer.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/get
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
        fix=f"use one of {code_list(_BY_NAME)}, or an optimizer such as `tf.keras.optimizers.Adam()`",
    )


def serialize(optimizer: Any) -> Any:
    """Convert an optimizer, without its state, to a dict of plain values.

    Args:
        optimizer: An `Optimizer`.

    Returns:
        A dict that `deserialize` reads.
    """
    return saving.serialize_keras_object(optimizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Create an optimizer from the result of `serialize`, or from its name.

    Args:
        config: The dict that `serialize` returned, or a name.
        custom_objects: Dict from names to classes that are not part of Keras.

    Returns:
        A new `Optimizer`.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `get` does not recognize the name.
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

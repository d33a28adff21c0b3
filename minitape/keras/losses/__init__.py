"""Losses: how far predictions are from what is true.

    loss          Loss: one number for each example, weighted, masked, reduced to one
    distances     between numbers
    entropies     how much probability the truth was given
    focal         the same, with an eye on what is still wrong
    margins       on which side, and how far two areas overlap
    sequences     labels without their moments

The functions give one number for each example, the classes the mean over the batch. `get` finds one by its name.

Source: https://keras.io/api/losses/
"""

from collections.abc import Callable
from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import saving
from minitape.keras.losses import distances, entropies, focal, likeness, margins, sequences
from minitape.keras.losses.distances import (
    CosineSimilarity,
    Huber,
    LogCosh,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    cosine_similarity,
    huber,
    log_cosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
)
from minitape.keras.losses.entropies import (
    BinaryCrossentropy,
    CategoricalCrossentropy,
    CategoricalGeneralizedCrossEntropy,
    KLDivergence,
    Poisson,
    SparseCategoricalCrossentropy,
    binary_crossentropy,
    categorical_crossentropy,
    categorical_generalized_cross_entropy,
    kl_divergence,
    poisson,
    sparse_categorical_crossentropy,
)
from minitape.keras.losses.focal import (
    BinaryFocalCrossentropy,
    CategoricalFocalCrossentropy,
    binary_focal_crossentropy,
    categorical_focal_crossentropy,
)
from minitape.keras.losses.likeness import Circle, circle
from minitape.keras.losses.loss import FunctionLoss, Loss, Reduction
from minitape.keras.losses.margins import (
    CategoricalHinge,
    Dice,
    Hinge,
    SquaredHinge,
    Tversky,
    categorical_hinge,
    dice,
    hinge,
    squared_hinge,
    tversky,
)
from minitape.keras.losses.sequences import CTC, ctc

MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSLE = msle = mean_squared_logarithmic_error
KLD = kld = kullback_leibler_divergence = kl_divergence
logcosh = log_cosh

_CLASSES: dict[str, type[FunctionLoss]] = {
    name: kind
    for page in (distances, entropies, focal, likeness, margins, sequences)
    for name, kind in vars(page).items()
    if isinstance(kind, type) and issubclass(kind, FunctionLoss) and kind is not FunctionLoss
}
_FUNCTIONS: dict[str, Callable[..., Value]] = {
    function.__name__: function for function in (kind.function for kind in _CLASSES.values())
}
_FUNCTIONS |= {"mse": mse, "mae": mae, "mape": mape, "msle": msle, "kld": kld}
_FUNCTIONS |= {"MSE": mse, "MAE": mae, "MAPE": mape, "MSLE": msle, "KLD": kld}
_FUNCTIONS |= {"bce": binary_crossentropy, "BCE": binary_crossentropy}


def get(identifier: Any) -> Any:
    """The loss that a user means: a function of truth and prediction, a `Loss`, or the name of one; None for None.

    Args:
        identifier: A function or a loss; the name of one; a class; {"class_name": ..., "config": ...}.

    Raises:
        ValueError: there is no such loss.
    """
    found = identifier
    if isinstance(identifier, str):
        found = _FUNCTIONS.get(identifier) or _CLASSES.get(identifier)
    elif isinstance(identifier, dict):
        kind = _CLASSES.get(str(identifier.get("class_name")))
        found = kind and kind.from_config(identifier.get("config", {}))
    if isinstance(found, type):
        found = found()
    if identifier is None or callable(found):
        return found
    raise TapeValueError(
        f"Could not interpret loss identifier: {identifier}",
        fix=f"one of {', '.join(_FUNCTIONS)}, or a function of y_true and y_pred",
    )


def serialize(loss: Any) -> Any:
    """A loss as plain values: see `keras.saving`."""
    return saving.serialize_keras_object(loss)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """A loss from what `serialize` gave, or from its name.

    Raises:
        TypeError: there is no class of that name.
        ValueError: `get` knows no such name.
    """
    return saving.made_from(name, "keras.losses", get, custom_objects)


__all__ = [
    "CTC",
    "KLD",
    "MAE",
    "MAPE",
    "MSE",
    "MSLE",
    "BinaryCrossentropy",
    "BinaryFocalCrossentropy",
    "CategoricalCrossentropy",
    "CategoricalFocalCrossentropy",
    "CategoricalGeneralizedCrossEntropy",
    "CategoricalHinge",
    "Circle",
    "CosineSimilarity",
    "Dice",
    "Hinge",
    "Huber",
    "KLDivergence",
    "LogCosh",
    "Loss",
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Poisson",
    "Reduction",
    "SparseCategoricalCrossentropy",
    "SquaredHinge",
    "Tversky",
    "binary_crossentropy",
    "binary_focal_crossentropy",
    "categorical_crossentropy",
    "categorical_focal_crossentropy",
    "categorical_generalized_cross_entropy",
    "categorical_hinge",
    "circle",
    "cosine_similarity",
    "ctc",
    "deserialize",
    "dice",
    "get",
    "hinge",
    "huber",
    "kl_divergence",
    "kld",
    "kullback_leibler_divergence",
    "log_cosh",
    "logcosh",
    "mae",
    "mape",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_error",
    "mean_squared_logarithmic_error",
    "mse",
    "msle",
    "poisson",
    "serialize",
    "sparse_categorical_crossentropy",
    "squared_hinge",
    "tversky",
]

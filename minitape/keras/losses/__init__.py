"""Losses: measures of how far predictions are from labels.

    `loss`            `Loss`, the base class: computes one loss for each example, then weights, masks and reduces the losses
    `regression`      regression losses
    `crossentropy`    cross entropies and other losses of probabilities
    `focal`           focal cross entropies
    `similarity`      losses of embeddings
    `hinge_losses`    hinge losses, and overlap losses for segmentation
    `sequences`       connectionist temporal classification

The functions return one loss for each example, and the classes return the mean over the batch. `get` looks up a loss by its
name.

Source: https://keras.io/api/losses/
"""

from collections.abc import Callable
from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError, code_list
from minitape.keras import saving
from minitape.keras.losses import (
    crossentropy,
    focal,
    hinge_losses,
    regression,
    sequences,
    similarity,
)
from minitape.keras.losses.crossentropy import (
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
from minitape.keras.losses.hinge_losses import (
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
from minitape.keras.losses.loss import FunctionLoss, Loss, Reduction
from minitape.keras.losses.regression import (
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
from minitape.keras.losses.sequences import CTC, ctc
from minitape.keras.losses.similarity import Circle, circle

MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSLE = msle = mean_squared_logarithmic_error
KLD = kld = kullback_leibler_divergence = kl_divergence
logcosh = log_cosh

_CLASSES: dict[str, type[FunctionLoss]] = {
    name: kind
    for page in (regression, crossentropy, focal, similarity, hinge_losses, sequences)
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
    """Return the loss for an identifier.

    Args:
        identifier: A function of `y_true` and `y_pred`, a `Loss`, a `Loss` class, a name such as "mse", a dict
            {"class_name": ..., "config": ...}, or None.

    Returns:
        A function or a `Loss`; None if `identifier` is None.

    Raises:
        ValueError: the identifier matches no loss.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/get
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
        fix=f"use one of {code_list(_FUNCTIONS)}, or a function of `y_true` and `y_pred`",
    )


def serialize(loss: Any) -> Any:
    """Convert a loss to a dict of plain values.

    Args:
        loss: A loss function or a `Loss`.

    Returns:
        A dict that `deserialize` reads.
    """
    return saving.serialize_keras_object(loss)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """Create a loss from the result of `serialize`, or from its name.

    Args:
        name: The dict that `serialize` returned, or a name.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        A function or a `Loss`.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `get` does not recognize the name.
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

"""Metrics, which summarize many batches in a number and have no gradient.

    `metric`        `Metric`; `Sum` and `Mean` of numbers, `MeanMetricWrapper` of a function
    `accuracies`    how often a prediction was right
    `regression`    means of losses, and correlations
    `confusion`     counts at thresholds: precision, recall ...
    `curves`        area under a curve
    `iou`           F scores, intersection over union

Each call adds a batch and returns the result so far; `reset_state` clears it. `get` looks up a metric by its name.

Source: https://keras.io/api/metrics/
"""

from typing import Any

from minitape.errors import TapeValueError, code_list
from minitape.keras import saving
from minitape.keras.losses import (
    KLD,
    MAE,
    MAPE,
    MSE,
    MSLE,
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    categorical_focal_crossentropy,
    categorical_hinge,
    hinge,
    huber,
    kld,
    kullback_leibler_divergence,
    logcosh,
    mae,
    mape,
    mse,
    msle,
    poisson,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from minitape.keras.metrics import accuracies, confusion, curves, iou, regression
from minitape.keras.metrics.accuracies import (
    Accuracy,
    BinaryAccuracy,
    CategoricalAccuracy,
    SparseCategoricalAccuracy,
    SparseTopKCategoricalAccuracy,
    TopKCategoricalAccuracy,
    binary_accuracy,
    categorical_accuracy,
    sparse_categorical_accuracy,
    sparse_top_k_categorical_accuracy,
    top_k_categorical_accuracy,
)
from minitape.keras.metrics.confusion import (
    FalseNegatives,
    FalsePositives,
    Precision,
    PrecisionAtRecall,
    Recall,
    RecallAtPrecision,
    SensitivityAtSpecificity,
    SpecificityAtSensitivity,
    TrueNegatives,
    TruePositives,
)
from minitape.keras.metrics.curves import AUC
from minitape.keras.metrics.iou import (
    BinaryIoU,
    F1Score,
    FBetaScore,
    IoU,
    MeanIoU,
    OneHotIoU,
    OneHotMeanIoU,
)
from minitape.keras.metrics.metric import Mean, MeanMetricWrapper, Metric, Sum
from minitape.keras.metrics.regression import (
    BinaryCrossentropy,
    CategoricalCrossentropy,
    CategoricalHinge,
    ConcordanceCorrelation,
    CosineSimilarity,
    Hinge,
    KLDivergence,
    LogCoshError,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    PearsonCorrelation,
    Poisson,
    R2Score,
    RootMeanSquaredError,
    SparseCategoricalCrossentropy,
    SquaredHinge,
    concordance_correlation,
    pearson_correlation,
)
from minitape.keras.naming import snake_case

_CLASSES: dict[str, type[Metric]] = {"Sum": Sum, "Mean": Mean}
for _page in (accuracies, confusion, curves, regression, iou):
    _CLASSES |= {
        name: kind
        for name, kind in vars(_page).items()
        if isinstance(kind, type)
        and issubclass(kind, Metric)
        and kind.__module__ == _page.__name__
        and name[0] != "_"
        and name != "Counting"
    }
_BY_NAME = _CLASSES | {snake_case(kind): kind for kind in _CLASSES.values()}
for _short, _kind in {
    "bce": BinaryCrossentropy,
    "mse": MeanSquaredError,
    "mae": MeanAbsoluteError,
    "mape": MeanAbsolutePercentageError,
    "msle": MeanSquaredLogarithmicError,
}.items():
    _BY_NAME |= {_short: _kind, _short.upper(): _kind}


def get(identifier: Any) -> Any:
    """Return the metric for an identifier.

    Args:
        identifier: A metric, a function of `y_true` and `y_pred`, a metric class, a name such as "mse", a dict
            {"class_name": ..., "config": ...}, or None.

    Returns:
        A metric or a function; None if `identifier` is None.

    Raises:
        ValueError: the identifier matches no metric.
    """
    found = identifier
    if isinstance(identifier, str):
        found = _BY_NAME.get(identifier)
    elif isinstance(identifier, dict):
        kind = _CLASSES.get(str(identifier.get("class_name")))
        found = kind and kind.from_config(identifier.get("config", {}))
    if isinstance(found, type):
        found = found()
    if identifier is None or callable(found):
        return found
    raise TapeValueError(
        f"Could not interpret metric identifier: {identifier}",
        fix=f"use one of {code_list(sorted(_CLASSES))}, or a function of `y_true` and `y_pred`",
    )


def serialize(metric: Any) -> Any:
    """Convert a metric to a dict of plain values.

    Args:
        metric: A metric.

    Returns:
        A dict that `deserialize` reads.
    """
    return saving.serialize_keras_object(metric)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Create a metric from the result of `serialize`, or from its name.

    Args:
        config: The dict that `serialize` returned, or a name.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        A metric.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `get` does not recognize the name.
    """
    return saving.made_from(config, "keras.metrics", get, custom_objects)


__all__ = [
    "AUC",
    "KLD",
    "MAE",
    "MAPE",
    "MSE",
    "MSLE",
    "Accuracy",
    "BinaryAccuracy",
    "BinaryCrossentropy",
    "BinaryIoU",
    "CategoricalAccuracy",
    "CategoricalCrossentropy",
    "CategoricalHinge",
    "ConcordanceCorrelation",
    "CosineSimilarity",
    "F1Score",
    "FBetaScore",
    "FalseNegatives",
    "FalsePositives",
    "Hinge",
    "IoU",
    "KLDivergence",
    "LogCoshError",
    "Mean",
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanIoU",
    "MeanMetricWrapper",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Metric",
    "OneHotIoU",
    "OneHotMeanIoU",
    "PearsonCorrelation",
    "Poisson",
    "Precision",
    "PrecisionAtRecall",
    "R2Score",
    "Recall",
    "RecallAtPrecision",
    "RootMeanSquaredError",
    "SensitivityAtSpecificity",
    "SparseCategoricalAccuracy",
    "SparseCategoricalCrossentropy",
    "SparseTopKCategoricalAccuracy",
    "SpecificityAtSensitivity",
    "SquaredHinge",
    "Sum",
    "TopKCategoricalAccuracy",
    "TrueNegatives",
    "TruePositives",
    "binary_accuracy",
    "binary_crossentropy",
    "binary_focal_crossentropy",
    "categorical_accuracy",
    "categorical_crossentropy",
    "categorical_focal_crossentropy",
    "categorical_hinge",
    "concordance_correlation",
    "deserialize",
    "get",
    "hinge",
    "huber",
    "kld",
    "kullback_leibler_divergence",
    "logcosh",
    "mae",
    "mape",
    "mse",
    "msle",
    "pearson_correlation",
    "poisson",
    "serialize",
    "sparse_categorical_accuracy",
    "sparse_categorical_crossentropy",
    "sparse_top_k_categorical_accuracy",
    "squared_hinge",
    "top_k_categorical_accuracy",
]

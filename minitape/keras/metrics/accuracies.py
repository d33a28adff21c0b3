"""How often a prediction was right.

The functions say it of each example, 1.0 or 0.0; the classes give the mean over all examples.

Source: https://keras.io/api/metrics/accuracy_metrics/
"""

from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError
from minitape.keras import config
from minitape.keras.losses.loss import in_one_rank
from minitape.keras.metrics.metric import MeanMetricWrapper
from minitape.ops.comparing import equal
from minitape.ops.counting import in_top_k
from minitape.ops.extremes import argmax, reduce_any
from minitape.ops.passing import cast
from minitape.ops.shaping import expand_dims, reshape, squeeze


def _right(is_right: Value) -> Value:
    return cast(is_right, config.float_dtype())


def accuracy(y_true: Any, y_pred: Any) -> Value:
    """Whether a prediction equals the truth."""
    predicted = convert_to_tensor(y_pred)
    true = cast(convert_to_tensor(y_true), predicted.dtype)
    return _right(equal(*in_one_rank(true, predicted)))


class Accuracy(MeanMetricWrapper):
    """How often a prediction equals the truth."""

    def __init__(self, name: str | None = "accuracy", dtype: Any = None) -> None:
        super().__init__(accuracy, name, dtype)


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Value:
    """Whether a probability lies on the right side of `threshold`."""
    true, predicted = in_one_rank(convert_to_tensor(y_true), convert_to_tensor(y_pred))
    return _right(equal(true, cast(predicted > threshold, true.dtype)))


class BinaryAccuracy(MeanMetricWrapper):
    """How often a probability lies on the right side of `threshold`."""

    def __init__(
        self, name: str | None = "binary_accuracy", dtype: Any = None, threshold: float = 0.5
    ) -> None:
        super().__init__(binary_accuracy, name, dtype, threshold=threshold)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Value:
    """Whether the likeliest class is the one marked in a one-hot row."""
    true = argmax(convert_to_tensor(y_true), axis=-1)
    return _right(equal(true, argmax(convert_to_tensor(y_pred), axis=-1)))


class CategoricalAccuracy(MeanMetricWrapper):
    """How often the likeliest class is the one marked in a one-hot row."""

    def __init__(self, name: str | None = "categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(categorical_accuracy, name, dtype)


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Value:
    """Whether the likeliest class is the one with the right number."""
    classes, predicted = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    is_column = classes.ndim == predicted.ndim and classes.shape[-1] == 1
    if is_column:
        classes = squeeze(classes, axis=[-1])
    likeliest = argmax(predicted, axis=-1)
    right = _right(equal(cast(classes, likeliest.dtype), likeliest))
    return squeeze(right, [-1]) if right.ndim > 1 and right.shape[-1] == 1 else right


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """How often the likeliest class is the one with the right number."""

    def __init__(self, name: str | None = "sparse_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(sparse_categorical_accuracy, name, dtype)


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Value:
    """Whether the class marked in a one-hot row is among the `k` likeliest."""
    return sparse_top_k_categorical_accuracy(argmax(convert_to_tensor(y_true), axis=-1), y_pred, k)


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the class marked in a one-hot row is among the `k` likeliest."""

    def __init__(
        self, k: int = 5, name: str | None = "top_k_categorical_accuracy", dtype: Any = None
    ) -> None:
        super().__init__(top_k_categorical_accuracy, name, dtype, k=k)


def sparse_top_k_categorical_accuracy(
    y_true: Any, y_pred: Any, k: int = 5, from_sorted_ids: bool = False
) -> Value:
    """Whether the class with the right number is among the `k` likeliest.

    Args:
        y_true: Class numbers, shape [...].
        y_pred: Shape [..., classes].
        k: How many.
        from_sorted_ids: Predictions are class numbers, the likeliest first.
    """
    classes, predicted = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    shape = classes.shape
    if not len(predicted.shape):
        raise InvalidArgumentError(
            "predictions must be at least 1-dimensional, and this is a single number.",
            fix="y_pred of shape [..., classes]",
            code="MT507",
        )
    rows = reshape(predicted, [-1, predicted.shape[-1]])
    flat = reshape(classes, [-1])
    if from_sorted_ids:
        is_right = reduce_any(equal(expand_dims(cast(flat, rows.dtype), 1), rows[:, :k]), axis=1)
    else:
        is_right = in_top_k(cast(flat, dtypes.int32), rows, k)
    return reshape(_right(is_right), shape)


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the class with the right number is among the `k` likeliest."""

    def __init__(
        self,
        k: int = 5,
        name: str | None = "sparse_top_k_categorical_accuracy",
        dtype: Any = None,
        from_sorted_ids: bool = False,
    ) -> None:
        settings = {"k": k, "from_sorted_ids": from_sorted_ids}
        super().__init__(sparse_top_k_categorical_accuracy, name, dtype, **settings)

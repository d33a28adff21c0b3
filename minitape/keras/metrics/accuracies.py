"""Accuracies: how often a prediction was right.

The functions return 1.0 or 0.0 for each example, and the classes return the mean over all examples.

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
from minitape.ops.comparison import equal
from minitape.ops.counting import in_top_k
from minitape.ops.identity import cast
from minitape.ops.minmax import argmax, reduce_any
from minitape.ops.reshaping import expand_dims, reshape, squeeze


def _right(is_right: Value) -> Value:
    return cast(is_right, config.float_dtype())


def accuracy(y_true: Any, y_pred: Any) -> Value:
    """Return whether each prediction equals its label.

    Args:
        y_true: Labels, shape [...]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [...].

    Returns:
        1.0 or 0.0 for each element, dtype `floatx`.
    """
    predicted = convert_to_tensor(y_pred)
    true = cast(convert_to_tensor(y_true), predicted.dtype)
    return _right(equal(*in_one_rank(true, predicted)))


class Accuracy(MeanMetricWrapper):
    """Compute how often predictions equal labels.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/accuracy_metrics/#accuracy-class
    """

    def __init__(self, name: str | None = "accuracy", dtype: Any = None) -> None:
        super().__init__(accuracy, name, dtype)


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Value:
    """Return whether each probability is on the right side of `threshold`.

    Args:
        y_true: Labels 0 or 1, shape [...].
        y_pred: Probabilities of class 1, shape [...].
        threshold: Probabilities above this value count as class 1.

    Returns:
        1.0 or 0.0 for each element, dtype `floatx`.
    """
    true, predicted = in_one_rank(convert_to_tensor(y_true), convert_to_tensor(y_pred))
    return _right(equal(true, cast(predicted > threshold, true.dtype)))


class BinaryAccuracy(MeanMetricWrapper):
    """Compute how often a probability is on the right side of `threshold`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        threshold: Probabilities above this value count as class 1.

    Source: https://keras.io/api/metrics/accuracy_metrics/#binaryaccuracy-class
    """

    def __init__(
        self, name: str | None = "binary_accuracy", dtype: Any = None, threshold: float = 0.5
    ) -> None:
        super().__init__(binary_accuracy, name, dtype, threshold=threshold)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Value:
    """Return whether the most likely class is the class of a one-hot label.

    Args:
        y_true: One-hot labels, shape [..., classes].
        y_pred: Scores or probabilities, shape [..., classes].

    Returns:
        1.0 or 0.0 for each example, shape [...], dtype `floatx`.
    """
    true = argmax(convert_to_tensor(y_true), axis=-1)
    return _right(equal(true, argmax(convert_to_tensor(y_pred), axis=-1)))


class CategoricalAccuracy(MeanMetricWrapper):
    """Compute how often the most likely class is the class of a one-hot label.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/accuracy_metrics/#categoricalaccuracy-class
    """

    def __init__(self, name: str | None = "categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(categorical_accuracy, name, dtype)


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Value:
    """Return whether the most likely class equals an integer label.

    Args:
        y_true: Class indices, shape [...] or [..., 1].
        y_pred: Scores or probabilities, shape [..., classes].

    Returns:
        1.0 or 0.0 for each example, shape [...], dtype `floatx`.
    """
    classes, predicted = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    is_column = classes.ndim == predicted.ndim and classes.shape[-1] == 1
    if is_column:
        classes = squeeze(classes, axis=[-1])
    likeliest = argmax(predicted, axis=-1)
    right = _right(equal(cast(classes, likeliest.dtype), likeliest))
    return squeeze(right, [-1]) if right.ndim > 1 and right.shape[-1] == 1 else right


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """Compute how often the most likely class equals an integer label.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/accuracy_metrics/#sparsecategoricalaccuracy-class
    """

    def __init__(self, name: str | None = "sparse_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(sparse_categorical_accuracy, name, dtype)


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Value:
    """Return whether the class of a one-hot label is among the `k` most likely ones.

    Args:
        y_true: One-hot labels, shape [..., classes].
        y_pred: Scores or probabilities, shape [..., classes].
        k: Number of classes to consider.

    Returns:
        1.0 or 0.0 for each example, shape [...], dtype `floatx`.
    """
    return sparse_top_k_categorical_accuracy(argmax(convert_to_tensor(y_true), axis=-1), y_pred, k)


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """Compute how often the class of a one-hot label is among the `k` most likely ones.

    Args:
        k: Number of classes to consider.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/accuracy_metrics/#topkcategoricalaccuracy-class
    """

    def __init__(
        self, k: int = 5, name: str | None = "top_k_categorical_accuracy", dtype: Any = None
    ) -> None:
        super().__init__(top_k_categorical_accuracy, name, dtype, k=k)


def sparse_top_k_categorical_accuracy(
    y_true: Any, y_pred: Any, k: int = 5, from_sorted_ids: bool = False
) -> Value:
    """Return whether an integer label is among the `k` most likely classes.

    Args:
        y_true: Class indices, shape [...].
        y_pred: Scores or probabilities, shape [..., classes].
        k: Number of classes to consider.
        from_sorted_ids: Whether `y_pred` contains class indices sorted from most to least likely, instead of scores.

    Returns:
        1.0 or 0.0 for each example, shape [...], dtype `floatx`.

    Raises:
        InvalidArgumentError: `y_pred` is a scalar.
    """
    classes, predicted = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    shape = classes.shape
    if not len(predicted.shape):
        raise InvalidArgumentError(
            "Predictions must be at least 1-dimensional, but `y_pred` is a scalar.",
            fix="pass `y_pred` of shape `[..., classes]`",
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
    """Compute how often an integer label is among the `k` most likely classes.

    Args:
        k: Number of classes to consider.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        from_sorted_ids: Whether predictions are class indices sorted from most to least likely, instead of scores.

    Source: https://keras.io/api/metrics/accuracy_metrics/#sparsetopkcategoricalaccuracy-class
    """

    def __init__(
        self,
        k: int = 5,
        name: str | None = "sparse_top_k_categorical_accuracy",
        dtype: Any = None,
        from_sorted_ids: bool = False,
    ) -> None:
        settings = {"k": k, "from_sorted_ids": from_sorted_ids}
        super().__init__(sparse_top_k_categorical_accuracy, name, dtype, **settings)

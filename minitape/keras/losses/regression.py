"""Regression losses.

    mean_squared_error, mean_absolute_error          squared and absolute differences
    mean_absolute_percentage_error                   absolute differences relative to the labels, in percent
    mean_squared_logarithmic_error                   squared differences of logarithms
    huber, log_cosh                                  quadratic for small differences, linear for large ones
    cosine_similarity                                angles between vectors

The functions return one loss for each example, and the classes return the mean over the batch.
"""

import math
from typing import Any

from minitape.core.values import Value
from minitape.keras import config
from minitape.keras.losses.loss import FunctionLoss, over_last, pair
from minitape.ops.arithmetic import abs as absolute
from minitape.ops.arithmetic import rsqrt, square
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.exponential import log, softplus
from minitape.ops.indexing import where
from minitape.ops.minmax import maximum, minimum


def mean_squared_error(y_true: Any, y_pred: Any) -> Value:
    """Compute the mean of the squared differences over the last axis.

    Args:
        y_true: Labels, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [..., n]; integers are cast to `floatx`.

    Returns:
        Losses of shape [...].

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/regression_losses/#meansquarederror-function
    """
    true, predicted = pair(y_true, y_pred)
    return over_last(square(true - predicted))


class MeanSquaredError(FunctionLoss):
    """Compute `mean_squared_error` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/#meansquarederror-class
    """

    function = staticmethod(mean_squared_error)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "mean_squared_error",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Value:
    """Compute the mean of the absolute differences over the last axis.

    Args:
        y_true: Labels, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [..., n]; integers are cast to `floatx`.

    Returns:
        Losses of shape [...].

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Gradient: The derivative is taken as 0 where a difference is 0.

    Source: https://keras.io/api/losses/regression_losses/#meanabsoluteerror-function
    """
    true, predicted = pair(y_true, y_pred)
    return over_last(absolute(true - predicted))


class MeanAbsoluteError(FunctionLoss):
    """Compute `mean_absolute_error` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/#meanabsoluteerror-class
    """

    function = staticmethod(mean_absolute_error)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "mean_absolute_error",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Value:
    """Compute the mean over the last axis of the absolute differences, as a percentage of the labels.

    Args:
        y_true: Labels, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [..., n]; integers are cast to `floatx`.

    Returns:
        Losses of shape [...]. A label closer to 0 than `epsilon` counts as `epsilon`.

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/regression_losses/#meanabsolutepercentageerror-function
    """
    true, predicted = pair(y_true, y_pred)
    return 100.0 * over_last(
        absolute((true - predicted) / maximum(absolute(true), config.epsilon()))
    )


class MeanAbsolutePercentageError(FunctionLoss):
    """Compute `mean_absolute_percentage_error` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/#meanabsolutepercentageerror-class
    """

    function = staticmethod(mean_absolute_percentage_error)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "mean_absolute_percentage_error",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Value:
    """Compute the mean of the squared differences between log(1 + ŷ) and log(1 + y), over the last axis.

    Args:
        y_true: Labels, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [..., n]; integers are cast to `floatx`.

    Returns:
        Losses of shape [...]. Values below `epsilon` count as `epsilon`.

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/regression_losses/#meansquaredlogarithmicerror-function
    """
    true, predicted = pair(y_true, y_pred)
    logs = [log(maximum(each, config.epsilon()) + 1.0) for each in (predicted, true)]
    return over_last(square(logs[0] - logs[1]))


class MeanSquaredLogarithmicError(FunctionLoss):
    """Compute `mean_squared_logarithmic_error` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/#meansquaredlogarithmicerror-class
    """

    function = staticmethod(mean_squared_logarithmic_error)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "mean_squared_logarithmic_error",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Value:
    """Compute a loss that is quadratic for small differences and linear for large ones, averaged over the last axis.

    Args:
        y_true: Labels, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [..., n]; integers are cast to `floatx`.
        delta: Difference above which the loss is linear.

    Returns:
        Losses of shape [...]: ½d² for |d| ≤ delta, otherwise delta·|d| - ½delta².

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/regression_losses/#huber-function
    """
    true, predicted = pair(y_true, y_pred)
    error = predicted - true
    distance = absolute(error)
    far = delta * distance - 0.5 * delta * delta
    return over_last(where(distance <= delta, 0.5 * square(error), far))


class Huber(FunctionLoss):
    """Compute `huber` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        delta: Difference above which the loss is linear.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Unlike in TensorFlow, the result of `get_config` also contains `delta`.

    Source: https://keras.io/api/losses/regression_losses/#huber-class
    """

    function = staticmethod(huber)
    _arguments = ("delta",)

    def __init__(
        self,
        delta: float = 1.0,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "huber_loss",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.delta = delta


def log_cosh(y_true: Any, y_pred: Any) -> Value:
    """Compute the mean of log(cosh(ŷ - y)) over the last axis: about ½d² for small differences and |d| - log 2 for large ones.

    Args:
        y_true: Labels, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [..., n]; integers are cast to `floatx`.

    Returns:
        Losses of shape [...].

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/regression_losses/#logcosh-function
    """
    true, predicted = pair(y_true, y_pred)
    distance = predicted - true
    return over_last(distance + softplus(-2.0 * distance) - math.log(2.0))


class LogCosh(FunctionLoss):
    """Compute `log_cosh` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/#logcosh-class
    """

    function = staticmethod(log_cosh)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "log_cosh",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    """Compute the negative cosine of the angle between labels and predictions, which is -1 if they have the same direction.

    Args:
        y_true: Labels, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Predictions, shape [..., n]; integers are cast to `floatx`.
        axis: Axis of the vectors' components.

    Returns:
        Losses without the axis `axis`; the loss is 0 where a vector is zero.

    Source: https://keras.io/api/losses/regression_losses/#cosinesimilarity-function
    """
    true, predicted = pair(y_true, y_pred)
    return -reduce_sum(direction(true, axis) * direction(predicted, axis), axis=axis)


def direction(x: Value, axis: int) -> Value:
    """Normalize vectors along `axis` to length 1, except that a vector shorter than `epsilon` is divided by `epsilon`.

    Args:
        x: The vectors.
        axis: Axis of the vectors' components.

    Returns:
        A tensor with the shape of `x`.
    """
    length = reduce_sum(square(x), axis=axis, keepdims=True)
    return x * minimum(rsqrt(length), 1.0 / config.epsilon())


class CosineSimilarity(FunctionLoss):
    """Compute `cosine_similarity` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        axis: Axis of the vectors' components.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/#cosinesimilarity-class
    """

    function = staticmethod(cosine_similarity)
    _arguments = ("axis",)

    def __init__(
        self,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "cosine_similarity",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.axis = axis

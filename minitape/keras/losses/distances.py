"""How far numbers are from what is true.

    mean_squared_error, mean_absolute_error          squares; distances
    mean_absolute_percentage_error                   in percent of the truth
    mean_squared_logarithmic_error                   squares of differences between logarithms
    huber, log_cosh                                  squares near by, distances far off
    cosine_similarity                                directions

The functions give one number for each example, the classes the mean over the batch.
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
from minitape.ops.extremes import maximum, minimum
from minitape.ops.picking import where


def mean_squared_error(y_true: Any, y_pred: Any) -> Value:
    """The mean of the squared differences, over the last axis."""
    true, predicted = pair(y_true, y_pred)
    return over_last(square(true - predicted))


class MeanSquaredError(FunctionLoss):
    """`mean_squared_error` over a batch.

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
    """The mean of the distances, over the last axis; at a distance of 0 the slope is 0."""
    true, predicted = pair(y_true, y_pred)
    return over_last(absolute(true - predicted))


class MeanAbsoluteError(FunctionLoss):
    """`mean_absolute_error` over a batch.

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
    """The mean of the distances in percent of the truth, over the last axis."""
    true, predicted = pair(y_true, y_pred)
    return 100.0 * over_last(
        absolute((true - predicted) / maximum(absolute(true), config.epsilon()))
    )


class MeanAbsolutePercentageError(FunctionLoss):
    """`mean_absolute_percentage_error` over a batch.

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
    """The mean of the squared differences between log(1 + ŷ) and log(1 + y), over the last axis; below 0 counts as 0."""
    true, predicted = pair(y_true, y_pred)
    logs = [log(maximum(each, config.epsilon()) + 1.0) for each in (predicted, true)]
    return over_last(square(logs[0] - logs[1]))


class MeanSquaredLogarithmicError(FunctionLoss):
    """`mean_squared_logarithmic_error` over a batch.

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
    """Half the square up to a distance of `delta`, and straight beyond; the mean over the last axis."""
    true, predicted = pair(y_true, y_pred)
    error = predicted - true
    distance = absolute(error)
    far = delta * distance - 0.5 * delta * delta
    return over_last(where(distance <= delta, 0.5 * square(error), far))


class Huber(FunctionLoss):
    """`huber` over a batch.

    Args:
        delta: From which distance on the loss is straight.
        reduction: As in `Loss`, like what follows.

    Unlike TensorFlow, `get_config` tells `delta` too.

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
    """log cosh of the differences: half the square of small ones, the size of large ones; the mean over the last axis."""
    true, predicted = pair(y_true, y_pred)
    distance = predicted - true
    return over_last(distance + softplus(-2.0 * distance) - math.log(2.0))


class LogCosh(FunctionLoss):
    """`log_cosh` over a batch.

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
    """Minus the cosine of the angle between truth and prediction, for a loss has to get smaller: -1 for the same direction."""
    true, predicted = pair(y_true, y_pred)
    return -reduce_sum(direction(true, axis) * direction(predicted, axis), axis=axis)


def direction(x: Value, axis: int) -> Value:
    """Vectors along `axis` with length 1; those next to 0 stay short."""
    length = reduce_sum(square(x), axis=axis, keepdims=True)
    return x * minimum(rsqrt(length), 1.0 / config.epsilon())


class CosineSimilarity(FunctionLoss):
    """`cosine_similarity` over a batch.

    Args:
        axis: Along which the numbers of one vector lie.
        reduction: As in `Loss`, like what follows.

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

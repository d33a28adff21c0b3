"""Losses: how far predictions are from what is true.

The functions give one number for each example, the classes the mean over the batch.

Source: https://keras.io/api/losses/
"""

from collections.abc import Callable
from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops.arithmetic import abs as absolute
from minitape.ops.arithmetic import square
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.exponential import log
from minitape.ops.extremes import clip_by_value
from minitape.ops.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from minitape.ops.passing import cast
from minitape.ops.picking import where
from minitape.ops.shaping import expand_dims, squeeze

# A probability is kept this far from 0 and 1, so that its logarithm is finite; beyond, the slope is 0.
_EDGE = 1e-7


def _pair(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    """Both as tensors of the predictions' dtype and of one rank."""
    predicted = convert_to_tensor(y_pred)
    if not predicted.dtype.is_floating:
        predicted = cast(predicted, dtypes.float32)
    true = cast(convert_to_tensor(y_true), predicted.dtype)
    if len(true.shape) == len(predicted.shape) + 1 and true.shape[-1] == 1:
        true = squeeze(true, axis=[-1])
    elif len(predicted.shape) == len(true.shape) + 1 and predicted.shape[-1] == 1:
        predicted = squeeze(predicted, axis=[-1])
    return true, predicted


def _over_last(values: Value) -> Value:
    return reduce_mean(values, axis=-1) if len(values.shape) else values


def mean_squared_error(y_true: Any, y_pred: Any) -> Value:
    """The mean of the squared differences, over the last axis."""
    true, predicted = _pair(y_true, y_pred)
    return _over_last(square(true - predicted))


def mean_absolute_error(y_true: Any, y_pred: Any) -> Value:
    """The mean of the distances, over the last axis."""
    true, predicted = _pair(y_true, y_pred)
    return _over_last(absolute(true - predicted))


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Value:
    """Half the square up to a distance of `delta`, and straight beyond; the mean over the last axis."""
    true, predicted = _pair(y_true, y_pred)
    distance = absolute(predicted - true)
    near = 0.5 * square(distance)
    far = delta * distance - 0.5 * delta * delta
    return _over_last(where(distance <= delta, near, far))


def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0
) -> Value:
    """-log of the probability given to the truth, of two; the mean over the last axis.

    Args:
        y_true: 0 or 1.
        y_pred: Probabilities of 1, or their logits.
        from_logits: Which of both.
        label_smoothing: Moves the labels this share of the way to ½.
    """
    true, predicted = _pair(y_true, y_pred)
    if label_smoothing:
        true = true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        return _over_last(sigmoid_cross_entropy_with_logits(labels=true, logits=predicted))
    safe = clip_by_value(predicted, _EDGE, 1.0 - _EDGE)
    return _over_last(-(true * log(safe) + (1.0 - true) * log(1.0 - safe)))


def categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Value:
    """-log of the probability given to the truth, of many classes.

    Args:
        y_true: One-hot rows, or probabilities.
        y_pred: Probabilities of the classes, or their logits.
        from_logits: Which of both.
        label_smoothing: Moves the labels this share of the way to equal ones.
        axis: Where the classes lie.
    """
    true, predicted = _pair(y_true, y_pred)
    if label_smoothing:
        true = true * (1.0 - label_smoothing) + label_smoothing / true.shape[axis]
    if from_logits:
        return softmax_cross_entropy_with_logits(labels=true, logits=predicted, axis=axis)
    shares = predicted / reduce_sum(predicted, axis=axis, keepdims=True)
    safe = clip_by_value(shares, _EDGE, 1.0 - _EDGE)
    return -reduce_sum(true * log(safe), axis=axis)


def sparse_categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False) -> Value:
    """As `categorical_crossentropy`, with class numbers for labels.

    Args:
        y_true: Class numbers, shape [...].
        y_pred: Shape [..., classes]: probabilities, or their logits.
        from_logits: Which of both.
    """
    predicted = convert_to_tensor(y_pred)
    classes = cast(convert_to_tensor(y_true), dtypes.int64)
    if len(classes.shape) == len(predicted.shape) and classes.shape[-1] == 1:
        classes = squeeze(classes, axis=[-1])
    if from_logits:
        return sparse_softmax_cross_entropy_with_logits(labels=classes, logits=predicted)
    # The softmax of log p is p over its sum: probabilities that do not add up to 1 are taken as shares.
    logits = log(clip_by_value(predicted, _EDGE, 1.0 - _EDGE))
    return sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits)


class Loss:
    """A loss over a batch: one number for each example, weighted, then reduced.

    Args:
        reduction: "sum_over_batch_size" for the mean, "sum", or None for no reduction.
        name: Ignored.
    """

    def __init__(
        self, reduction: str | None = "sum_over_batch_size", name: str | None = None
    ) -> None:
        if reduction not in ("sum_over_batch_size", "mean", "sum", "none", None):
            raise TapeValueError(
                f"Invalid value for argument `reduction`: {reduction}",
                fix="'sum_over_batch_size', 'sum' or None",
            )
        self.reduction, self.name = reduction, name

    def call(self, y_true: Any, y_pred: Any) -> Value:
        """One number for each example."""
        raise NotImplementedError

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Value:
        losses = self.call(y_true, y_pred)
        if sample_weight is not None:
            weights = cast(convert_to_tensor(sample_weight), losses.dtype)
            if len(weights.shape) == len(losses.shape) + 1 and weights.shape[-1] == 1:
                weights = squeeze(weights, axis=[-1])
            elif len(weights.shape) < len(losses.shape):
                weights = expand_dims(weights, axis=-1)
            losses = losses * weights
        if self.reduction in (None, "none"):
            return losses
        return reduce_sum(losses) if self.reduction == "sum" else reduce_mean(losses)


class _Wrapped(Loss):
    """A loss function with its settings as a class."""

    function: Callable[..., Value]

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(reduction, name)
        self._settings = settings

    def call(self, y_true: Any, y_pred: Any) -> Value:
        return type(self).function(y_true, y_pred, **self._settings)


class MeanSquaredError(_Wrapped):
    function = staticmethod(mean_squared_error)


class MeanAbsoluteError(_Wrapped):
    function = staticmethod(mean_absolute_error)


class Huber(_Wrapped):
    function = staticmethod(huber)

    def __init__(self, delta: float = 1.0, **settings: Any) -> None:
        super().__init__(delta=delta, **settings)


class BinaryCrossentropy(_Wrapped):
    function = staticmethod(binary_crossentropy)

    def __init__(
        self, from_logits: bool = False, label_smoothing: float = 0.0, **settings: Any
    ) -> None:
        super().__init__(from_logits=from_logits, label_smoothing=label_smoothing, **settings)


class CategoricalCrossentropy(_Wrapped):
    function = staticmethod(categorical_crossentropy)

    def __init__(
        self, from_logits: bool = False, label_smoothing: float = 0.0, **settings: Any
    ) -> None:
        super().__init__(from_logits=from_logits, label_smoothing=label_smoothing, **settings)


class SparseCategoricalCrossentropy(_Wrapped):
    function = staticmethod(sparse_categorical_crossentropy)

    def __init__(self, from_logits: bool = False, **settings: Any) -> None:
        super().__init__(from_logits=from_logits, **settings)


MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error

__all__ = [
    "MAE",
    "MSE",
    "BinaryCrossentropy",
    "CategoricalCrossentropy",
    "Huber",
    "Loss",
    "MeanAbsoluteError",
    "MeanSquaredError",
    "SparseCategoricalCrossentropy",
    "binary_crossentropy",
    "categorical_crossentropy",
    "huber",
    "mae",
    "mean_absolute_error",
    "mean_squared_error",
    "mse",
    "sparse_categorical_crossentropy",
]

"""Losses: how far predictions are from what is true.

The functions give one number for each example, the classes the mean over the batch.

Source: https://keras.io/api/losses/
"""

import math
import warnings
from collections.abc import Callable
from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras.activations import Probabilities
from minitape.missing.known import Known
from minitape.ops.arithmetic import abs as absolute
from minitape.ops.arithmetic import square
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.clipping import clip_by_value
from minitape.ops.comparing import equal, logical_or
from minitape.ops.exponential import log, softplus
from minitape.ops.extremes import maximum, reduce_all
from minitape.ops.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from minitape.ops.passing import cast
from minitape.ops.picking import where
from minitape.ops.shaping import expand_dims, squeeze
from minitape.ops.statistics import l2_normalize

# A probability is kept this far from 0 and 1, so that its logarithm is finite; beyond, the slope is 0.
_EDGE = 1e-7


def pair(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    """Both as tensors of the predictions' dtype and of one rank."""
    predicted = convert_to_tensor(y_pred)
    if not predicted.dtype.is_floating:
        predicted = cast(predicted, dtypes.float32)
    true = cast(convert_to_tensor(y_true), predicted.dtype)
    ranks = len(true.shape), len(predicted.shape)
    if ranks == (2, 1) and true.shape[-1] == 1:
        predicted = expand_dims(predicted, axis=-1)  # one number for each example stays one
    elif ranks == (1, 2) and predicted.shape[-1] == 1:
        true = expand_dims(true, axis=-1)
    elif ranks[0] == ranks[1] + 1 and true.shape[-1] == 1:
        true = squeeze(true, axis=[-1])
    elif ranks[1] == ranks[0] + 1 and predicted.shape[-1] == 1:
        predicted = squeeze(predicted, axis=[-1])
    return true, predicted


def _logits_behind(predicted: Tensor, from_logits: bool) -> tuple[Tensor, bool]:
    """The logits of which a sigmoid or softmax made the probabilities, if it did."""
    if not isinstance(predicted, Probabilities):
        return predicted, from_logits
    if from_logits:
        warnings.warn(
            "The loss was told from_logits=True, and its predictions come out of a sigmoid or softmax. "
            "Was this intended?",
            stacklevel=3,
        )
    return predicted.logits, True


def _over_last(values: Value) -> Value:
    return reduce_mean(values, axis=-1) if len(values.shape) else values


def mean_squared_error(y_true: Any, y_pred: Any) -> Value:
    """The mean of the squared differences, over the last axis."""
    true, predicted = pair(y_true, y_pred)
    return _over_last(square(true - predicted))


def mean_absolute_error(y_true: Any, y_pred: Any) -> Value:
    """The mean of the distances, over the last axis."""
    true, predicted = pair(y_true, y_pred)
    return _over_last(absolute(true - predicted))


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Value:
    """Half the square up to a distance of `delta`, and straight beyond; the mean over the last axis."""
    true, predicted = pair(y_true, y_pred)
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
    true, predicted = pair(y_true, y_pred)
    predicted, from_logits = _logits_behind(predicted, from_logits)
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
    true, predicted = pair(y_true, y_pred)
    predicted, from_logits = _logits_behind(predicted, from_logits)
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
    predicted, from_logits = _logits_behind(convert_to_tensor(y_pred), from_logits)
    classes = cast(convert_to_tensor(y_true), dtypes.int64)
    if len(classes.shape) == len(predicted.shape) and classes.shape[-1] == 1:
        classes = squeeze(classes, axis=[-1])
    if from_logits:
        return sparse_softmax_cross_entropy_with_logits(labels=classes, logits=predicted)
    # The softmax of log p is p over its sum: probabilities that do not add up to 1 are taken as shares.
    logits = log(clip_by_value(predicted, _EDGE, 1.0 - _EDGE))
    return sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits)


def kl_divergence(y_true: Any, y_pred: Any) -> Value:
    """Σ p·log(p/q) over the last axis, both kept away from 0."""
    true, predicted = pair(y_true, y_pred)
    p, q = clip_by_value(true, _EDGE, 1.0), clip_by_value(predicted, _EDGE, 1.0)
    return reduce_sum(p * log(p / q), axis=-1)


def poisson(y_true: Any, y_pred: Any) -> Value:
    """q - p·log q: -log of the probability of counts p if their mean is q; the mean over the last axis."""
    true, predicted = pair(y_true, y_pred)
    return _over_last(predicted - true * log(predicted + _EDGE))


def log_cosh(y_true: Any, y_pred: Any) -> Value:
    """log cosh of the differences: half the square of small ones, the size of large ones; the mean over the last axis."""
    true, predicted = pair(y_true, y_pred)
    distance = predicted - true
    return _over_last(distance + softplus(-2.0 * distance) - math.log(2.0))


def hinge(y_true: Any, y_pred: Any) -> Value:
    """max(1 - y·ŷ, 0) for labels -1 and 1 (0 counts as -1); the mean over the last axis."""
    true, predicted = pair(y_true, y_pred)
    is_bit = logical_or(equal(true, 0.0), equal(true, 1.0))
    signs = where(reduce_all(is_bit), 2.0 * true - 1.0, true)
    return _over_last(maximum(1.0 - signs * predicted, 0.0))


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    """The cosine of the angle between truth and prediction: 1 for the same direction."""
    true, predicted = pair(y_true, y_pred)
    return reduce_sum(l2_normalize(true, axis) * l2_normalize(predicted, axis), axis=axis)


class Loss(Known):
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


class KLDivergence(_Wrapped):
    function = staticmethod(kl_divergence)


class Poisson(_Wrapped):
    function = staticmethod(poisson)


class LogCosh(_Wrapped):
    function = staticmethod(log_cosh)


class Hinge(_Wrapped):
    function = staticmethod(hinge)


class CosineSimilarity(_Wrapped):
    """Minus the cosine, for a loss has to get smaller."""

    function = staticmethod(lambda *pair, **settings: -cosine_similarity(*pair, **settings))

    def __init__(self, axis: int = -1, **settings: Any) -> None:
        super().__init__(axis=axis, **settings)


MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error

__all__ = [
    "MAE",
    "MSE",
    "BinaryCrossentropy",
    "CategoricalCrossentropy",
    "CosineSimilarity",
    "Hinge",
    "Huber",
    "KLDivergence",
    "LogCosh",
    "Loss",
    "MeanAbsoluteError",
    "MeanSquaredError",
    "Poisson",
    "SparseCategoricalCrossentropy",
    "binary_crossentropy",
    "categorical_crossentropy",
    "cosine_similarity",
    "hinge",
    "huber",
    "kl_divergence",
    "log_cosh",
    "mae",
    "mean_absolute_error",
    "mean_squared_error",
    "mse",
    "poisson",
    "sparse_categorical_crossentropy",
]

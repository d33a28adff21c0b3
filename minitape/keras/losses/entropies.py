"""How much probability the truth was given.

    binary_crossentropy, categorical_crossentropy         of two classes; of many
    sparse_categorical_crossentropy                       with class numbers for labels
    categorical_generalized_cross_entropy                 between a cross entropy and a distance
    kl_divergence, poisson                                between distributions; of counts

A probability is kept `epsilon` away from 0 and 1, so that its logarithm is finite; beyond, the slope is 0. Where the
predictions come out of a sigmoid or softmax, the logits that they were made of are taken in place of them.
"""

import warnings
from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import TapeIndexError, TapeTypeError, TapeValueError
from minitape.keras import config
from minitape.keras.losses.loss import FunctionLoss, check_same_shape, in_one_dtype, over_last
from minitape.ops.arithmetic import pow
from minitape.ops.axes import real_number
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.clipping import clip_by_value
from minitape.ops.comparing import not_equal
from minitape.ops.exponential import log
from minitape.ops.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from minitape.ops.making import one_hot, zeros_like
from minitape.ops.passing import cast
from minitape.ops.picking import where
from minitape.ops.shaping import expand_dims, squeeze


def _logits_behind(predicted: Tensor, from_logits: bool) -> tuple[Tensor, bool]:
    """The logits of which a sigmoid or softmax made the probabilities, if it did."""
    logits = predicted._keras_logits
    if logits is None:
        return predicted, from_logits
    if from_logits:
        warnings.warn(
            "The loss was told from_logits=True, and its predictions come out of a sigmoid or softmax. "
            "Was this intended?",
            stacklevel=3,
        )
    return logits, True


def inside(probabilities: Value) -> Value:
    """Probabilities, kept away from 0 and 1."""
    return clip_by_value(probabilities, config.epsilon(), 1.0 - config.epsilon())


def smoothed(true: Value, label_smoothing: float, classes: float) -> Value:
    """Labels, moved this share of the way to equal ones."""
    share = real_number(label_smoothing)
    if not share:
        return true
    return true * (1.0 - share) + share / classes


def check_axis(axis: Any) -> None:
    """Refuse a flag in the place of an axis.

    Raises:
        ValueError: it is a bool.
    """
    if isinstance(axis, bool):
        raise TapeValueError(
            f"`axis` must be of type `int`. Received: axis={axis} of type {type(axis)}",
            fix="axis=-1, and flags by their names: from_logits=True",
        )


def warn_of_one_class(predicted: Value, loss: str) -> None:
    """Say it if there is only one class: its share is always 1."""
    if predicted.shape[-1:] == (1,):
        warnings.warn(
            f"In loss {loss}, expected y_pred.shape to be (batch_size, num_classes) with num_classes > 1. "
            f"Received: y_pred.shape={predicted.shape}. Consider using 'binary_crossentropy' if you only have 2 classes.",
            SyntaxWarning,
            stacklevel=3,
        )


# --- two classes ---


def binary_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Value:
    """-log of the probability given to the truth, of two; the mean over `axis`.

    Args:
        y_true: 0 or 1.
        y_pred: Probabilities of 1, or their logits.
        from_logits: Which of both.
        label_smoothing: Moves the labels this share of the way to ½.
        axis: Over which the mean is taken.

    Raises:
        ValueError: the shapes differ.
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    true = smoothed(true, label_smoothing, 2.0)
    return reduce_mean(binary_entropies(true, predicted, from_logits), axis=axis)


def binary_entropies(true: Tensor, predicted: Tensor, from_logits: bool) -> Value:
    """-log of the probability given to the truth, number by number."""
    check_same_shape(true, predicted)
    predicted, from_logits = _logits_behind(predicted, from_logits)
    if from_logits:
        return sigmoid_cross_entropy_with_logits(labels=true, logits=predicted)
    safe = inside(predicted)
    return -(true * log(safe) + (1.0 - true) * log(1.0 - safe))


class BinaryCrossentropy(FunctionLoss):
    """`binary_crossentropy` over a batch.

    Args:
        from_logits: Whether predictions are logits.
        label_smoothing: Moves the labels this share of the way to ½.
        axis: Over which the mean of an example is taken.
        reduction: As in `Loss`, like what follows.

    Source: https://keras.io/api/losses/probabilistic_losses/#binarycrossentropy-class
    """

    function = staticmethod(binary_crossentropy)
    _arguments = ("from_logits", "label_smoothing", "axis")

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "binary_crossentropy",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis


# --- many classes ---


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

    Raises:
        ValueError: the shapes differ.
    """
    check_axis(axis)
    true, predicted = in_one_dtype(y_true, y_pred)
    warn_of_one_class(predicted, "categorical_crossentropy")
    true = smoothed(true, label_smoothing, float((tuple(true.shape) or (1,))[-1]))
    _check_rows(true, predicted)
    check_same_shape(true, predicted)
    predicted, from_logits = _logits_behind(predicted, from_logits)
    if from_logits:
        return softmax_cross_entropy_with_logits(labels=true, logits=predicted, axis=axis)
    shares = predicted / reduce_sum(predicted, axis=axis, keepdims=True)
    return -reduce_sum(true * log(inside(shares)), axis=axis)


def _check_rows(true: Value, predicted: Value) -> None:
    if not len(true.shape) or not len(predicted.shape):
        raise TapeValueError(
            "Arguments `target` and `output` must be at least rank 1. "
            f"Received: target.shape={true.shape}, output.shape={predicted.shape}",
            fix="rows with one number for each class",
            code="MT507",
        )


class CategoricalCrossentropy(FunctionLoss):
    """`categorical_crossentropy` over a batch.

    Args:
        from_logits: Whether predictions are logits.
        label_smoothing: Moves the labels this share of the way to equal ones.
        axis: Where the classes lie.
        reduction: As in `Loss`, like what follows.

    Source: https://keras.io/api/losses/probabilistic_losses/#categoricalcrossentropy-class
    """

    function = staticmethod(categorical_crossentropy)
    _arguments = ("from_logits", "label_smoothing", "axis")

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "categorical_crossentropy",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis


def sparse_categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    ignore_class: int | None = None,
    axis: int = -1,
) -> Value:
    """As `categorical_crossentropy`, with class numbers for labels.

    Args:
        y_true: Class numbers, shape [...].
        y_pred: Shape [..., classes]: probabilities, or their logits.
        from_logits: Which of both.
        ignore_class: A class number that stands for "leave this one out"; its loss is 0, and no mean counts it.
        axis: Where the classes lie: the last one.

    Raises:
        ValueError: another `axis`, or shapes that do not fit.
    """
    predicted = convert_to_tensor(y_pred)
    true = convert_to_tensor(y_true)
    if axis not in (-1, predicted.ndim - 1):
        raise TapeValueError(
            f"Only axis=-1 is currently supported. Received: axis={axis}",
            fix="tf.transpose(y_pred, ...), with the classes last",
        )
    if true.ndim == predicted.ndim and true.shape[-1:] == (1,):
        true = squeeze(true, axis=[-1])
    valid = None
    if ignore_class is not None:
        true = cast(true, predicted.dtype)
        valid = not_equal(true, float(ignore_class))
        true = where(valid, true, zeros_like(true))
        predicted = where(expand_dims(valid, -1), predicted, zeros_like(predicted))
    losses = _sparse_entropies(true, predicted, from_logits)
    if valid is not None:
        losses = where(valid, losses, zeros_like(losses))
        losses._keras_mask = valid
    return losses


def _sparse_entropies(true: Tensor, predicted: Tensor, from_logits: bool) -> Value:
    if not predicted.ndim or tuple(true.shape) != tuple(predicted.shape)[:-1]:
        raise TapeValueError(
            f"Class numbers of shape {true.shape} do not fit predictions of shape {predicted.shape}: "
            "the last axis is that of the classes.",
            fix="y_true of shape y_pred.shape[:-1]; for one-hot rows CategoricalCrossentropy",
            code="MT507",
        )
    predicted, from_logits = _logits_behind(predicted, from_logits)
    # The softmax of log p is p over its sum: probabilities that do not add up to 1 are taken as shares.
    logits = predicted if from_logits else log(inside(predicted))
    classes = cast(true, dtypes.int64)
    return sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits)


class SparseCategoricalCrossentropy(FunctionLoss):
    """`sparse_categorical_crossentropy` over a batch.

    Args:
        from_logits: Whether predictions are logits.
        ignore_class: A class number that stands for "leave this one out".
        reduction: As in `Loss`.
        axis: Where the classes lie: the last one.
        name: As in `Loss`, like what follows.

    Source: https://keras.io/api/losses/probabilistic_losses/#sparsecategoricalcrossentropy-class
    """

    function = staticmethod(sparse_categorical_crossentropy)
    _arguments = ("from_logits", "ignore_class", "axis")

    def __init__(
        self,
        from_logits: bool = False,
        ignore_class: int | None = None,
        reduction: str | None = "sum_over_batch_size",
        axis: int = -1,
        name: str | None = "sparse_categorical_crossentropy",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.from_logits, self.ignore_class, self.axis = from_logits, ignore_class, axis


def categorical_generalized_cross_entropy(y_true: Any, y_pred: Any, q: float) -> Value:
    """(1 - pᵍ) / g for the probability p given to the truth: wrong labels weigh less than in a cross entropy.

    Args:
        y_true: Class numbers, shape [...].
        y_pred: Probabilities, shape [..., classes].
        q: g: near 0 a cross entropy, at 1 a distance.

    Raises:
        IndexError: `y_pred` is a scalar.

    Source: Zhang, Sabuncu, arXiv 1805.07836, eq. 6.
    """
    predicted = convert_to_tensor(y_pred)
    if not predicted.dtype.is_floating:
        raise TapeTypeError("Probabilities are floats.", fix="tf.cast(y_pred, tf.float32)")
    if not len(predicted.shape):
        raise TapeIndexError(
            f"Predictions have an axis of classes, and {y_pred!r} is a single number.",
            fix="y_pred of shape [..., classes]",
            code="MT507",
        )
    classes = cast(convert_to_tensor(y_true), dtypes.int32)
    is_true = one_hot(classes, predicted.shape[-1], dtype=predicted.dtype)
    return (1.0 - pow(reduce_sum(predicted * is_true, axis=-1), q)) / q


class CategoricalGeneralizedCrossEntropy(FunctionLoss):
    """`categorical_generalized_cross_entropy` over a batch.

    Args:
        q: Between 0 and 1.
        reduction: As in `Loss`, like what follows.

    Raises:
        ValueError: `q` is not between 0 and 1.

    Source: https://keras.io/api/losses/probabilistic_losses/
    """

    function = staticmethod(categorical_generalized_cross_entropy)
    _arguments = ("q",)

    def __init__(
        self,
        q: float = 0.5,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "categorical_generalized_cross_entropy",
        dtype: Any = None,
    ) -> None:
        if not 0 < q < 1:
            raise TapeValueError(f"q must be in the interval (0, 1). Received: {q}", fix="q=0.5")
        super().__init__(name, reduction, dtype)
        self.q = q


# --- between distributions ---


def kl_divergence(y_true: Any, y_pred: Any) -> Value:
    """Σ p·log(p/q) over the last axis, both kept away from 0."""
    true, predicted = in_one_dtype(y_true, y_pred)
    p, q = (clip_by_value(each, config.epsilon(), 1.0) for each in (true, predicted))
    return reduce_sum(p * log(p / q), axis=-1)


class KLDivergence(FunctionLoss):
    """`kl_divergence` over a batch.

    Source: https://keras.io/api/losses/probabilistic_losses/#kldivergence-class
    """

    function = staticmethod(kl_divergence)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "kl_divergence",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def poisson(y_true: Any, y_pred: Any) -> Value:
    """q - p·log q: -log of the probability of counts p if their mean is q; the mean over the last axis."""
    true, predicted = in_one_dtype(y_true, y_pred)
    return over_last(predicted - true * log(predicted + config.epsilon()))


class Poisson(FunctionLoss):
    """`poisson` over a batch.

    Source: https://keras.io/api/losses/probabilistic_losses/#poisson-class
    """

    function = staticmethod(poisson)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "poisson",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)

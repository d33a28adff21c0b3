"""Losses that compare probabilities.

    binary_crossentropy, categorical_crossentropy         two classes; many classes
    sparse_categorical_crossentropy                       many classes, with integer labels
    categorical_generalized_cross_entropy                 between a cross entropy and an absolute error
    kl_divergence, poisson                                between distributions; for counts

Probabilities are clipped to [epsilon, 1 - epsilon], so that their logarithms are finite; outside this range the
gradient is 0. If the predictions are the output of a sigmoid or softmax, the loss is computed from its logits instead.
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
from minitape.ops.comparison import not_equal
from minitape.ops.creation import one_hot, zeros_like
from minitape.ops.exponential import log
from minitape.ops.identity import cast
from minitape.ops.indexing import where
from minitape.ops.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from minitape.ops.reshaping import expand_dims, squeeze


def _logits_behind(predicted: Tensor, from_logits: bool) -> tuple[Tensor, bool]:
    """Return the logits if a sigmoid or softmax computed the probabilities from logits, and otherwise None."""
    logits = predicted._keras_logits
    if logits is None:
        return predicted, from_logits
    if from_logits:
        warnings.warn(
            "The loss was called with `from_logits=True`, but its predictions are the output of a sigmoid or softmax. "
            "Was this intended?",
            stacklevel=3,
        )
    return logits, True


def inside(probabilities: Value) -> Value:
    """Clip probabilities to [epsilon, 1 - epsilon].

    Args:
        probabilities: A tensor.

    Returns:
        A tensor of the same shape.
    """
    return clip_by_value(probabilities, config.epsilon(), 1.0 - config.epsilon())


def smoothed(true: Value, label_smoothing: float, classes: float) -> Value:
    """Mix labels with a uniform distribution.

    Args:
        true: The labels.
        label_smoothing: Weight of the uniform distribution, from 0 to 1.
        classes: Number of classes.

    Returns:
        The mixed labels, with the shape of `true`.
    """
    fraction = real_number(label_smoothing)
    if not fraction:
        return true
    return true * (1.0 - fraction) + fraction / classes


def check_axis(axis: Any) -> None:
    """Raise an error for a bool in place of an axis.

    Args:
        axis: The argument to check.

    Raises:
        ValueError: `axis` is a bool.
    """
    if isinstance(axis, bool):
        raise TapeValueError(
            f"`axis` must be of type `int`. Received: axis={axis} of type {type(axis)}",
            fix="pass `axis=-1`, and pass flags by keyword: `from_logits=True`",
        )


def warn_of_one_class(predicted: Value, loss: str) -> None:
    """Warn if there is only one class, because its probability is always 1.

    Args:
        predicted: The predictions, shape [..., classes].
        loss: Name of the loss in the warning.
    """
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
    """Compute the cross entropy of two classes: -log of the probability of the true class, averaged over `axis`.

    Args:
        y_true: Labels 0 or 1, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Probabilities of class 1 or their logits, shape [..., n].
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward ½.
        axis: Axis over which the mean is computed.

    Returns:
        Losses in the shape of the arguments without the axis `axis`.

    Raises:
        ValueError: the shapes of `y_true` and `y_pred` differ.

    Source: https://keras.io/api/losses/probabilistic_losses/#binarycrossentropy-function
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    true = smoothed(true, label_smoothing, 2.0)
    return reduce_mean(binary_entropies(true, predicted, from_logits), axis=axis)


def binary_entropies(true: Tensor, predicted: Tensor, from_logits: bool) -> Value:
    """Compute the cross entropy of two classes for each element.

    Args:
        true: Labels from 0 to 1.
        predicted: Probabilities or logits, with the shape of `true`.
        from_logits: Whether `predicted` contains logits.

    Returns:
        Losses with the shape of `true`.

    Raises:
        ValueError: the shapes of `true` and `predicted` differ.
    """
    check_same_shape(true, predicted)
    predicted, from_logits = _logits_behind(predicted, from_logits)
    if from_logits:
        return sigmoid_cross_entropy_with_logits(labels=true, logits=predicted)
    safe = inside(predicted)
    return -(true * log(safe) + (1.0 - true) * log(1.0 - safe))


class BinaryCrossentropy(FunctionLoss):
    """Compute `binary_crossentropy` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward ½.
        axis: Axis over which the mean of an example is computed.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

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
    """Compute the cross entropy of many classes: -log of the probability of the true class.

    Args:
        y_true: Probabilities of the classes, often one-hot rows, shape [..., classes].
        y_pred: Predicted probabilities of the classes or their logits, shape [..., classes].
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward equal probabilities.
        axis: Axis of the classes.

    Returns:
        Losses in the shape of the arguments without the axis `axis`.

    Raises:
        ValueError: the shapes of `y_true` and `y_pred` differ, or an argument is a scalar.

    Source: https://keras.io/api/losses/probabilistic_losses/#categoricalcrossentropy-function
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
    probabilities = predicted / reduce_sum(predicted, axis=axis, keepdims=True)
    return -reduce_sum(true * log(inside(probabilities)), axis=axis)


def _check_rows(true: Value, predicted: Value) -> None:
    if not len(true.shape) or not len(predicted.shape):
        raise TapeValueError(
            "Arguments `target` and `output` must be at least rank 1. "
            f"Received: target.shape={true.shape}, output.shape={predicted.shape}",
            fix="pass labels and predictions of shape `[batch, classes]`",
            code="MT507",
        )


class CategoricalCrossentropy(FunctionLoss):
    """Compute `categorical_crossentropy` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward equal probabilities.
        axis: Axis of the classes.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

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
    """Compute the cross entropy of many classes with integer labels.

    Args:
        y_true: Class indices, shape [...] or [..., 1].
        y_pred: Predicted probabilities of the classes or their logits, shape [..., classes].
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        ignore_class: Label to ignore; examples with this label have loss 0 and do not count in means. None (the default)
            means no label.
        axis: Axis of the classes; must be the last one.

    Returns:
        Losses of shape [...].

    Raises:
        ValueError: `axis` is not the last axis, or the shapes do not match.

    Source: https://keras.io/api/losses/probabilistic_losses/#sparsecategoricalcrossentropy-function
    """
    predicted = convert_to_tensor(y_pred)
    true = convert_to_tensor(y_true)
    if axis not in (-1, predicted.ndim - 1):
        raise TapeValueError(
            f"Only axis=-1 is currently supported. Received: axis={axis}",
            fix="use `tf.transpose(y_pred, ...)` to move the classes to the last axis",
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
            f"Class indices of shape {true.shape} do not match predictions of shape {predicted.shape}, whose last axis "
            "is the axis of the classes.",
            fix="pass `y_true` of shape `y_pred.shape[:-1]`; for one-hot labels, use `CategoricalCrossentropy`",
            code="MT507",
        )
    predicted, from_logits = _logits_behind(predicted, from_logits)
    # The softmax of log p is p divided by its sum, so probabilities that do not sum to 1 are normalized.
    logits = predicted if from_logits else log(inside(predicted))
    classes = cast(true, dtypes.int64)
    return sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits)


class SparseCategoricalCrossentropy(FunctionLoss):
    """Compute `sparse_categorical_crossentropy` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        ignore_class: Label to ignore; examples with this label have loss 0 and do not count in means. None (the default)
            means no label.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        axis: Axis of the classes; must be the last one.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

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
    """Compute (1 - p^q) / q for the probability p of the true class; wrong labels affect it less than a cross entropy.

    Args:
        y_true: Class indices, shape [...].
        y_pred: Predicted probabilities, shape [..., classes].
        q: Exponent. Near 0 the loss approaches a cross entropy; at 1 it is an absolute error.

    Returns:
        Losses of shape [...].

    Raises:
        TypeError: `y_pred` has no floating-point dtype.
        IndexError: `y_pred` is a scalar.

    Source: Zhang, Sabuncu, arXiv 1805.07836, eq. 6.
    """
    predicted = convert_to_tensor(y_pred)
    if not predicted.dtype.is_floating:
        raise TapeTypeError(
            f"`y_pred` must have a floating-point dtype. Received: {predicted.dtype.name}",
            fix="use `tf.cast(y_pred, tf.float32)`",
        )
    if not len(predicted.shape):
        raise TapeIndexError(
            f"Predictions require an axis for the classes, but {y_pred!r} is a scalar.",
            fix="pass `y_pred` of shape `[..., classes]`",
            code="MT507",
        )
    classes = cast(convert_to_tensor(y_true), dtypes.int32)
    is_true = one_hot(classes, predicted.shape[-1], dtype=predicted.dtype)
    return (1.0 - pow(reduce_sum(predicted * is_true, axis=-1), q)) / q


class CategoricalGeneralizedCrossEntropy(FunctionLoss):
    """Compute `categorical_generalized_cross_entropy` for each example, and combine the losses as `reduction` specifies.

    Args:
        q: Exponent between 0 and 1, exclusive. Near 0 the loss approaches a cross entropy, and near 1 an absolute error.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

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
            raise TapeValueError(
                f"q must be in the interval (0, 1). Received: {q}", fix="pass `q=0.5`"
            )
        super().__init__(name, reduction, dtype)
        self.q = q


# --- between distributions ---


def kl_divergence(y_true: Any, y_pred: Any) -> Value:
    """Compute the Kullback-Leibler divergence Σ p·log(p/q) over the last axis.

    Args:
        y_true: Probabilities p, shape [..., classes]; clipped to [epsilon, 1].
        y_pred: Predicted probabilities q, shape [..., classes]; clipped to [epsilon, 1].

    Returns:
        Losses of shape [...].

    Source: https://keras.io/api/losses/probabilistic_losses/#kldivergence-function
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    p, q = (clip_by_value(each, config.epsilon(), 1.0) for each in (true, predicted))
    return reduce_sum(p * log(p / q), axis=-1)


class KLDivergence(FunctionLoss):
    """Compute `kl_divergence` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

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
    """Compute the Poisson loss q - p·log(q), averaged over the last axis.

    Args:
        y_true: Counts p, shape [..., n].
        y_pred: Predicted means q, shape [..., n].

    Returns:
        Losses of shape [...].

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/probabilistic_losses/#poisson-function
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    return over_last(predicted - true * log(predicted + config.epsilon()))


class Poisson(FunctionLoss):
    """Compute `poisson` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

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

"""Loss functions.

    l2_loss                                     Σ x² / 2
    sigmoid_cross_entropy_with_logits           two classes
    softmax_cross_entropy_with_logits           many classes, labels as probabilities
    sparse_softmax_cross_entropy_with_logits    many classes, labels as class indices
    weighted_cross_entropy_with_logits          two classes, with a weight for the positive one
    log_poisson_loss                            counts
    compute_average_loss                        the mean over a batch

Most of these losses take logits, not probabilities, because the combination of softmax and logarithm neither overflows nor
takes the logarithm of 0, and its derivative is simply prediction minus label.
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import read_once
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.activations import _largest, _log_softmax, _softmax, relu
from minitape.ops.arithmetic import abs as absolute
from minitape.ops.axes import canonical_axis, whole_number
from minitape.ops.broadcasting import _add_up, _sum, reduce_sum
from minitape.ops.comparison import logical_and
from minitape.ops.creation import _one_hot, zeros_like
from minitape.ops.exponential import exp, log, log1p, sigmoid
from minitape.ops.identity import cast
from minitape.ops.indexing import _select
from minitape.ops.reshaping import _reshape, _transpose
from minitape.ops.rules import Stacked, elementwise, leading_axes_of_all


def _l2_loss_batch(op: Primitive, _: Stacked, x: Value) -> Value:
    return _sum(x * x, axis=tuple(range(1, len(x.shape))), keepdims=False) / 2.0


l2_loss: Primitive = Primitive(
    "L2Loss",
    lambda x: (x * x).sum(dtype=x.dtype) / x.dtype.type(2),
    vjp=(lambda ybar, y, x: ybar * x,),
    batch=_l2_loss_batch,
    residuals="x",
    rule="x̄ = ȳ·x",
    dtype_kinds="f",
)


# This is a single op instead of ten smaller ones, whose derivatives would combine to the same σ(x) - z less efficiently.
_sigmoid_cross_entropy: Primitive = Primitive(
    "SigmoidCrossEntropyWithLogits",
    lambda x, z: np.maximum(x, x.dtype.type(0)) - x * z + np.log1p(np.exp(-abs(x))),
    vjp=(
        lambda ybar, y, x, z: ybar * (sigmoid(x) - z),
        lambda ybar, y, x, z: ybar * -x,
    ),
    batch=elementwise,
    residuals=("ab", "a"),
    rule="ā = ȳ·(sigmoid a - b)   b̄ = -ȳ·a",
    dtype_kinds="f",
)


def sigmoid_cross_entropy_with_logits(
    labels: Value = None, logits: Value = None, name: str | None = None
) -> Value:
    """Return the cross entropy of sigmoid(logits) and labels, for each element.

    -z·log sigmoid(x) - (1 - z)·log(1 - sigmoid(x)), computed as max(x, 0) - x·z + log(1 + e^-|x|), which does not overflow.

    Args:
        labels: A tensor of numbers between 0 and 1 with the shape and dtype of `logits`.
        logits: A tensor of any shape with a float dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `logits`.

    Raises:
        ValueError: `labels` or `logits` is missing, or their shapes differ.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/sigmoid_cross_entropy_with_logits
    """
    _check_given("sigmoid_cross_entropy_with_logits", labels, logits)
    x, z = read_once(logits), read_once(labels)
    if tuple(x.shape) != tuple(z.shape):
        raise TapeValueError(
            "`logits` and `labels` must have the same shape, received "
            f"({tuple(x.shape)} vs {tuple(z.shape)}).",
            fix="use `tf.reshape(labels, logits.shape)`",
            code="MT507",
        )
    return _sigmoid_cross_entropy(x, z)


def _check_given(op: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        raise TapeValueError(
            "Both `labels` and `logits` must be provided.",
            fix=f"use `tf.nn.{op}(labels=..., logits=...)`",
        )


# --- many classes ---


def _cross_entropy_kernel(logits: Array, labels: Array) -> Array:
    shifted = logits - _largest(logits)
    log_total = np.log(_add_up(np.exp(shifted), axis=-1, keepdims=True))
    return _add_up(labels * (log_total - shifted), axis=-1)


def _per_class(ybar: Value) -> Value:
    return _reshape(ybar, shape=(*ybar.shape, 1))


_cross_entropy: Primitive = Primitive(
    "SoftmaxCrossEntropyWithLogits",
    _cross_entropy_kernel,
    vjp=(
        lambda ybar, y, logits, labels: _per_class(ybar) * (_softmax(logits) - labels),
        lambda ybar, y, logits, labels: -_per_class(ybar) * _log_softmax(logits),
    ),
    batch=leading_axes_of_all,
    residuals=("ab", "a"),
    rule="ā = ȳ·(softmax a - b)   b̄ = -ȳ·log softmax a",
    dtype_kinds="f",
)


def softmax_cross_entropy_with_logits(
    labels: Value, logits: Value, axis: Any = -1, name: str | None = None
) -> Value:
    """Return the cross entropy of softmax(logits) and labels: -Σ labels·log softmax(logits) along `axis`.

    Args:
        labels: A tensor of probabilities that add up to 1 along `axis`, with the shape of `logits`.
        logits: A tensor of rank at least 1 with a float dtype. float16 is computed in float32.
        axis: The axis of the classes; the last by default.
        name: Ignored.

    Returns:
        A tensor with the shape of `logits` without `axis`.

    Raises:
        InvalidArgumentError: the shapes differ, or the axis is out of range.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. The tape keeps both. The
    gradient of the logits, softmax - labels, is correct only for labels that add up to 1, as in TensorFlow.

    Unlike in TensorFlow, the mixed second derivative exists, because the labels are not treated as constants in the second
    derivative.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/softmax_cross_entropy_with_logits
    """
    _check_given("softmax_cross_entropy_with_logits", labels, logits)
    given = read_once(logits)
    x = _precise(given)
    z = cast(read_once(labels), raw_dtype(x))
    if tuple(x.shape) != tuple(z.shape):
        raise InvalidArgumentError(
            f"`logits` and `labels` must have the same shape, but have the shapes {tuple(x.shape)} and {tuple(z.shape)}.",
            fix="use `tf.one_hot(labels, depth)`, or `tf.nn.sparse_softmax_cross_entropy_with_logits` for labels that are class "
            "indices",
            code="MT507",
        )
    rank = x.ndim
    position = canonical_axis(axis, rank, "softmax_cross_entropy_with_logits")
    if position != rank - 1:
        order = (*(i for i in range(rank) if i != position), position)
        x, z = _transpose(x, perm=order), _transpose(z, perm=order)
    return _as_precise_as(given, _cross_entropy(x, z))


def _precise(logits: Value) -> Value:
    return cast(logits, dtypes.float32) if raw_dtype(logits) == np.float16 else logits


def _as_precise_as(logits: Value, loss: Value) -> Value:
    return cast(loss, dtypes.float16) if raw_dtype(logits) == np.float16 else loss


def _sparse_kernel(logits: Array, labels: Array) -> Array:
    classes = logits.shape[-1]
    # As an unsigned integer, a negative label is large, so one comparison finds it too.
    if labels.size and labels.view(f"u{labels.itemsize}").max() >= classes:
        outside = (labels < 0) | (labels >= classes)
        raise InvalidArgumentError(
            f"Received a label value of {np.asarray(labels)[outside].flat[0]} which is outside the "
            f"valid range of [0, {classes}).",
            fix=f"use labels from 0 to {classes - 1}, or logits with one column for each class",
            code="MT507",
        )
    # Only the right class is used, because with probabilities, another class at -inf would contribute 0·inf.
    rows = _log_softmax.kernel(logits).reshape(labels.size, classes)
    # Subtracted from 0, so that no loss is -0.0.
    return (0 - rows[np.arange(labels.size), labels.reshape(-1)]).reshape(labels.shape)[()]


def _sparse_vjp(ybar: Value, y: Value, logits: Value, labels: Value) -> Value:
    chosen = _one_hot(
        labels,
        depth=logits.shape[-1],
        on_value=1,
        off_value=0,
        axis=len(labels.shape),
        dtype=raw_dtype(logits),
    )
    return _per_class(ybar) * (_softmax(logits) - chosen)


_sparse_cross_entropy: Primitive = Primitive(
    "SparseSoftmaxCrossEntropyWithLogits",
    _sparse_kernel,
    vjp=(_sparse_vjp, None),
    batch=leading_axes_of_all,
    residuals=("ab", ""),
    rule="ā = ȳ·(softmax a - one-hot b)",
    dtype_kinds="f",
    same_dtype_args=(0,),
)


def sparse_softmax_cross_entropy_with_logits(
    labels: Value, logits: Value, name: str | None = None
) -> Value:
    """Return the cross entropy of softmax(logits) and class indices: -log softmax(logits) at the right class.

    Args:
        labels: An int32 or int64 tensor of class indices, with the shape of `logits` without its last axis.
        logits: A tensor of shape [..., classes] with a float dtype. float16 is computed in float32.
        name: Ignored.

    Returns:
        A tensor with the shape of `labels` and the dtype of `logits`.

    Raises:
        ValueError: `labels` or `logits` is missing, or their shapes do not fit.
        InvalidArgumentError: a label is out of range, or the labels are not int32 or int64.

    Gradient: Derivatives of any order with respect to the logits are supported, including batched ones. The tape keeps both
    inputs.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/sparse_softmax_cross_entropy_with_logits
    """
    _check_given("sparse_softmax_cross_entropy_with_logits", labels, logits)
    given, classes = read_once(logits), read_once(labels)
    x = _precise(given)
    if not x.ndim:
        raise TapeValueError(
            "`logits` cannot be a scalar.", fix="pass `logits` of shape `[batch, classes]`"
        )
    if tuple(classes.shape) != tuple(x.shape)[:-1]:
        raise TapeValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={tuple(classes.shape)} and logits.shape={tuple(x.shape)}",
            fix="use `tf.reshape(labels, logits.shape[:-1])`; for labels that are probabilities, use "
            "`tf.nn.softmax_cross_entropy_with_logits`",
            code="MT507",
        )
    kind = raw_dtype(classes)
    if kind.kind != "i" or kind.itemsize < 4:
        raise InvalidArgumentError(
            f"Labels must be int32 or int64, but are {kind}.",
            fix="use `tf.cast(labels, tf.int64)`",
            code="MT506",
        )
    return _as_precise_as(given, _sparse_cross_entropy(x, classes))


def weighted_cross_entropy_with_logits(
    labels: Value, logits: Value, pos_weight: Any, name: str | None = None
) -> Value:
    """Return `sigmoid_cross_entropy_with_logits` with the positive term multiplied by `pos_weight`.

    -q·z·log sigmoid(x) - (1 - z)·log(1 - sigmoid(x)), computed as (1 - z)·x + (1 + (q - 1)·z)·(log(1 + e^-|x|) + max(-x, 0)),
    which does not overflow.

    Args:
        labels: z, a tensor of numbers between 0 and 1 with the shape and dtype of `logits`.
        logits: x, any shape; a float dtype.
        pos_weight: q, above 1 for fewer false negatives, below 1 for fewer false positives.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `logits`.

    Raises:
        ValueError: the shapes differ.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/weighted_cross_entropy_with_logits
    """
    x, z = read_once(logits), read_once(labels)
    if tuple(x.shape) != tuple(z.shape):
        raise TapeValueError(
            "`logits` and `labels` must have the same shape, received "
            f"({tuple(x.shape)} vs {tuple(z.shape)}).",
            fix="use `tf.reshape(labels, logits.shape)`",
            code="MT507",
        )
    weight = 1.0 + (pos_weight - 1.0) * z
    return (1.0 - z) * x + weight * (log1p(exp(-absolute(x))) + relu(-x))


# --- counts ---


def log_poisson_loss(
    targets: Value, log_input: Value, compute_full_loss: bool = False, name: str | None = None
) -> Value:
    """Return the negative log probability of counts under a Poisson distribution with mean e^log_input, for each element.

    It is e^c - z·c, without the term that does not depend on the prediction.

    Args:
        targets: z, counts.
        log_input: c, a tensor with the shape and dtype of `targets`.
        compute_full_loss: Whether to add Stirling's approximation of that term: z·log z - z + ½·log(2πz), for z above 1.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `log_input`.

    Raises:
        ValueError: the shapes differ.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/log_poisson_loss
    """
    c, z = read_once(log_input), read_once(targets)
    if tuple(c.shape) != tuple(z.shape):
        raise TapeValueError(
            "`log_input` and `targets` must have the same shape, received "
            f"({tuple(c.shape)} vs {tuple(z.shape)}).",
            fix="use `tf.reshape(targets, log_input.shape)`",
            code="MT507",
        )
    loss = exp(c) - c * z
    if not compute_full_loss:
        return loss
    stirling = z * log(z) - z + 0.5 * log(2.0 * np.pi * z)
    is_small = logical_and(z >= 0.0, z <= 1.0)
    return loss + _select(is_small, zeros_like(z), stirling)


# --- batches ---


def compute_average_loss(
    per_example_loss: Value, sample_weight: Any = None, global_batch_size: Any = None
) -> Value:
    """Return the sum of the losses divided by the batch size.

    Args:
        per_example_loss: A tensor of rank at least 1 with a float dtype.
        sample_weight: A weight for each example.
        global_batch_size: The divisor; by default the number of examples.

    Returns:
        A scalar.

    Raises:
        ValueError: the losses are a scalar.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/compute_average_loss
    """
    losses = read_once(per_example_loss)
    if not len(losses.shape):
        raise TapeValueError(
            "Tensor losses must be a rank 1 tensor or higher, but got a scalar.",
            fix="use `Loss(reduction=None)`, which returns one loss for each example",
            code="MT507",
        )
    if sample_weight is not None:
        losses = losses * cast(read_once(sample_weight), raw_dtype(losses))
    size = losses.shape[0] if global_batch_size is None else whole_number(global_batch_size)
    return reduce_sum(losses) / float(size)


def scale_regularization_loss(regularization_loss: Value) -> Value:
    """Return the sum of the losses. TensorFlow divides it by the number of devices, which is 1 in minitape.

    Args:
        regularization_loss: A tensor of any shape with a float dtype.

    Returns:
        A scalar.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/scale_regularization_loss
    """
    return reduce_sum(regularization_loss)

"""Sums and their transposes.

    reduce_sum ↔ broadcast_to     sum along an axis; repeat along it. Each is the gradient rule of the other.
    reduce_mean                   a sum divided by the number of elements
    sum_to                        the cotangent of a broadcast operand

When an operand is broadcast, each of its elements is used many times, and its cotangent is the sum over all uses.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.arguments import flag
from minitape.core.convert import as_operand
from minitape.core.declaration import ANY
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.ops.axes import as_ints, canonical_axes
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import Stacked, axes_after_stacking

# x.sum() calls this too, but through a Python function
_add_up: Callable[..., Array] = np.add.reduce


def _sum_kernel(x: Array, *, axis: Ints, keepdims: bool) -> Array:
    # NumPy would widen small integers; TensorFlow keeps the dtype.
    return _add_up(x, axis=axis, keepdims=keepdims, dtype=x.dtype)


def spread(ybar: Value, shape: Ints, axis: Ints) -> Value:
    """Return the cotangent of a reduction, repeated along the reduced axes.

    Args:
        ybar: The cotangent, with or without the reduced axes of size 1.
        shape: The shape of the input of the reduction.
        axis: The reduced axes.
    """
    if axis == tuple(range(len(axis))):  # broadcasting restores leading axes automatically
        return _broadcast(ybar, shape=tuple(shape))
    kept = tuple(1 if i in axis else size for i, size in enumerate(shape))
    return _broadcast(_reshape(ybar, shape=kept), shape=tuple(shape))


_sum: Primitive = Primitive(
    "Sum",
    _sum_kernel,
    vjp=(lambda ybar, y, x, axis, keepdims: spread(ybar, x.shape, axis),),
    batch=axes_after_stacking,
    rule="x̄ = ȳ, the same for every element that was added",
)


def reduce_sum(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the sum along `axis`.

    Args:
        input_tensor: A tensor of any shape with a number dtype.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the summed axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input_tensor`, without the summed axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_sum
    """
    x = as_operand(input_tensor)
    axes = canonical_axes(axis, x.ndim, "reduce_sum")
    return _sum(x, axis=axes, keepdims=flag(keepdims, "keepdims"))


def _count(shape: Ints, axis: Ints) -> int:
    return math.prod([shape[a] for a in axis])


def _mean_kernel(x: Array, *, axis: Ints, keepdims: bool) -> Array:
    count = _count(x.shape, axis)
    if x.dtype.kind in "iu":
        # The sum uses a wide dtype, so that nothing overflows, and the division rounds towards 0, as in C.
        total = x.sum(axis=axis, keepdims=keepdims, dtype=np.int64)
        return (np.sign(total) * (abs(total) // count)).astype(x.dtype)
    return _sum_kernel(x, axis=axis, keepdims=keepdims) / x.dtype.type(count)


def _mean_vjp(ybar: Value, y: Value, x: Value, *, axis: Ints, keepdims: bool) -> Value:
    return spread(ybar / float(_count(x.shape, axis)), x.shape, axis)


_mean: Primitive = Primitive(
    "Mean",
    _mean_kernel,
    vjp=(_mean_vjp,),
    batch=axes_after_stacking,
    rule="x̄ = ȳ / n for every element",
)


def reduce_mean(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the mean along `axis`.

    Args:
        input_tensor: A tensor of any shape with a number dtype. The mean of integers is an integer, rounded towards 0.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the averaged axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input_tensor`, without the averaged axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_mean
    """
    x = as_operand(input_tensor)
    axes = canonical_axes(axis, x.ndim, "reduce_mean")
    return _mean(x, axis=axes, keepdims=flag(keepdims, "keepdims"))


def _broadcast_batch(op: Primitive, _: Stacked, x: Value, *, shape: Ints) -> Value:
    inner = tuple(x.shape[1:])
    aligned = _reshape(x, shape=(x.shape[0], *(1,) * (len(shape) - len(inner)), *inner))
    return op(aligned, shape=(x.shape[0], *shape))


def _broadcast_kernel(x: Array, *, shape: Ints) -> Array:
    if type(x) in _FLOATS:  # the same as np.broadcast_to, in a fifth of the time
        return np.ndarray(shape, x.dtype, buffer=x, strides=(0,) * len(shape))
    return np.broadcast_to(x, shape)


_FLOATS = (np.float32, np.float64)  # types whose memory NumPy can read directly

_broadcast: Primitive = Primitive(
    "BroadcastTo",
    _broadcast_kernel,
    vjp=(lambda ybar, y, x, shape: sum_to(ybar, x),),
    batch=_broadcast_batch,
    rule="x̄ = the sum of ȳ over all copies",
    dtype_kinds=ANY,
)


def broadcast_to(input: Value, shape: Any, name: str | None = None) -> Value:
    """Repeat a value along axes of size 1 and along new leading axes.

    Args:
        input: A tensor of any shape and dtype.
        shape: The shape of the result.
        name: Ignored.

    Returns:
        A tensor of shape `shape` and the dtype of `input`.

    Raises:
        InvalidArgumentError: an axis that differs does not have size 1.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/broadcast_to
    """
    return _broadcast(as_operand(input), shape=as_ints(shape))


def sum_to(value: Value, like: Value) -> Value:
    """Return `value` summed over the axes along which `like` was broadcast.

    Args:
        value: A cotangent in the broadcast shape.
        like: The operand; only its shape is used.

    Returns:
        The cotangent of `like`, in its shape.
    """
    if value.shape == like.shape:
        return value
    have, want = tuple(value.shape), tuple(like.shape)
    new = len(have) - len(want)
    stretched = [i + new for i, size in enumerate(want) if size == 1 and have[i + new] != 1]
    summed = _sum(value, axis=(*range(new), *stretched), keepdims=False)
    return _reshape(summed, shape=want) if stretched else summed

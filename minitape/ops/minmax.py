"""Maxima and minima.

    maximum, minimum        of two values; the cotangent goes to the selected value or, if they are equal, to the first
    reduce_max, reduce_min  of many values; equal values share the cotangent
    reduce_all, reduce_any  logical and, logical or of many booleans; not differentiable
    argmax, argmin          the index of the maximum or minimum; not differentiable

The selection is locally constant, because a small change of the inputs changes it only if two of them are equal. So each of these
ops sends the cotangent to the selected element, and 0 to all others.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import flag
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import no_gradient
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError
from minitape.ops.axes import canonical_axes, canonical_axis
from minitape.ops.broadcasting import _sum, spread, sum_to
from minitape.ops.comparison import REALS, equal
from minitape.ops.creation import zeros_like
from minitape.ops.identity import _cast_from_or_to_whole
from minitape.ops.indexing import _select
from minitape.ops.rules import (
    axes_after_stacking,
    axis_after_stacking,
    elementwise,
)

# --- of two values ---


def _if(condition: Value, ybar: Value) -> Value:
    return _select(condition, ybar, zeros_like(ybar))


def _unless(condition: Value, ybar: Value) -> Value:
    return _select(condition, zeros_like(ybar), ybar)


maximum: Primitive = Primitive(
    "Maximum",
    np.maximum,
    vjp=(
        lambda ybar, y, a, b: sum_to(_if(a >= b, ybar), a),
        lambda ybar, y, a, b: sum_to(_unless(a >= b, ybar), b),
    ),
    batch=elementwise,
    residuals="ab",
    rule="ȳ goes to the larger input; if both are equal, to a",
    dtype_kinds=REALS,
)

minimum: Primitive = Primitive(
    "Minimum",
    np.minimum,
    vjp=(
        lambda ybar, y, a, b: sum_to(_if(a <= b, ybar), a),
        lambda ybar, y, a, b: sum_to(_unless(a <= b, ybar), b),
    ),
    batch=elementwise,
    residuals="ab",
    rule="ȳ goes to the smaller input; if both are equal, to a",
    dtype_kinds=REALS,
)

# --- of many values ---


def _max_kernel(x: Array, *, axis: Ints, keepdims: bool) -> Array:
    # The maximum of no elements is the identity of max: -inf or the lowest number.
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    return x.max(axis=axis, keepdims=keepdims, initial=x.dtype.type(lowest))


def _min_kernel(x: Array, *, axis: Ints, keepdims: bool) -> Array:
    highest = np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).max
    return x.min(axis=axis, keepdims=keepdims, initial=x.dtype.type(highest))


def _extreme_vjp(ybar: Value, y: Value, x: Value, *, axis: Ints, keepdims: bool) -> Value:
    """Distribute the cotangent evenly among all elements that are equal to the maximum or minimum."""
    reached = equal(x, spread(y, x.shape, axis))
    winners = _cast_from_or_to_whole(reached, dtype=raw_dtype(x))
    weights = winners / _sum(winners, axis=axis, keepdims=True)
    return weights * spread(ybar, x.shape, axis)


_max: Primitive = Primitive(
    "Max",
    _max_kernel,
    vjp=(_extreme_vjp,),
    batch=axes_after_stacking,
    residuals="xy",
    rule="ȳ goes to the largest element; equal elements share ȳ",
    dtype_kinds=REALS,
)

_min: Primitive = Primitive(
    "Min",
    _min_kernel,
    vjp=(_extreme_vjp,),
    batch=axes_after_stacking,
    residuals="xy",
    rule="ȳ goes to the smallest element; equal elements share ȳ",
    dtype_kinds=REALS,
)


def reduce_max(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the largest element along `axis`.

    Args:
        input_tensor: A tensor of any shape with a real dtype. If an element is NaN, so is the result; the maximum of no
            elements is -inf.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input_tensor`, without the reduced axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: The first derivative is supported, including for batches. The second derivative is None, because the selection is
    constant. The tape keeps the input and the output. Equal elements share the cotangent evenly, which is the mean of the
    possible derivatives.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_max
    """
    x = as_operand(input_tensor)
    axes = canonical_axes(axis, len(x.shape), "reduce_max")
    return _max(x, axis=axes, keepdims=flag(keepdims, "keepdims"))


def reduce_min(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the smallest element along `axis`.

    Args:
        input_tensor: A tensor of any shape with a real dtype. If an element is NaN, so is the result; the minimum of no
            elements is inf.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input_tensor`, without the reduced axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: It is computed as for `reduce_max`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_min
    """
    x = as_operand(input_tensor)
    axes = canonical_axes(axis, len(x.shape), "reduce_min")
    return _min(x, axis=axes, keepdims=flag(keepdims, "keepdims"))


_all: Primitive = Primitive(
    "All",
    lambda x, *, axis, keepdims: x.all(axis=axis, keepdims=keepdims),
    vjp=no_gradient(reason="its inputs and its result are booleans, which have no derivative"),
    batch=axes_after_stacking,
    dtype_kinds="b",
)

_any: Primitive = Primitive(
    "Any",
    lambda x, *, axis, keepdims: x.any(axis=axis, keepdims=keepdims),
    vjp=no_gradient(reason="its inputs and its result are booleans, which have no derivative"),
    batch=axes_after_stacking,
    dtype_kinds="b",
)


def _truths(given: Any) -> Value:
    """Return the argument as a boolean operand; an empty list has no dtype of its own."""
    is_plain = isinstance(given, list | tuple)
    return (
        as_operand(given, dtype=dtypes.bool_)
        if is_plain and not np.size(given)
        else as_operand(given)
    )


def reduce_all(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return whether all elements along `axis` are true.

    Args:
        input_tensor: A bool tensor of any shape.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A bool tensor without the reduced axes.

    Raises:
        InvalidArgumentError: the elements are not bool, or an axis is out of range.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_all
    """
    x = _truths(input_tensor)
    return _all(
        x,
        axis=canonical_axes(axis, len(x.shape), "reduce_all"),
        keepdims=flag(keepdims, "keepdims"),
    )


def reduce_any(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return whether any element along `axis` is true.

    Args:
        input_tensor: A bool tensor of any shape.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A bool tensor without the reduced axes.

    Raises:
        InvalidArgumentError: the elements are not bool, or an axis is out of range.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_any
    """
    x = _truths(input_tensor)
    return _any(
        x,
        axis=canonical_axes(axis, len(x.shape), "reduce_any"),
        keepdims=flag(keepdims, "keepdims"),
    )


# --- indices ---


def _index_kernel(find: Callable[..., Array], loser: float) -> Callable[..., Array]:
    """Return a kernel that never selects NaN, as in TensorFlow; NumPy would select it."""

    def kernel(x: Array, *, axis: int, dtype: Any) -> Array:
        numbers = np.where(np.isnan(x), x.dtype.type(loser), x) if x.dtype.kind == "f" else x
        return find(numbers, axis).astype(dtype)

    return kernel


_argmax: Primitive = Primitive(
    "ArgMax",
    _index_kernel(np.argmax, -np.inf),
    vjp=no_gradient(
        reason="its result is an index, which stays constant or jumps as the values change"
    ),
    batch=axis_after_stacking,
    dtype_kinds=REALS + "b",
)

_argmin: Primitive = Primitive(
    "ArgMin",
    _index_kernel(np.argmin, np.inf),
    vjp=no_gradient(
        reason="its result is an index, which stays constant or jumps as the values change"
    ),
    batch=axis_after_stacking,
    dtype_kinds=REALS + "b",
)


def _index_dtype(output_type: Any) -> Any:
    wanted = dtypes.as_dtype(output_type)
    if not wanted.is_integer:
        raise InvalidArgumentError(
            f"An index is an integer, but `output_type` is {wanted.name}.",
            fix=f"use `tf.cast(tf.argmax(x), tf.{wanted.name})`",
        )
    return wanted.numpy


def argmax(
    input: Value, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Value:
    """Return the index of the largest element along `axis`; if several elements are largest, the index of the first of them.

    NaN is never the largest.

    Args:
        input: A tensor of rank at least 1 with real numbers or bool.
        axis: One axis; 0 by default.
        output_type: int64 or int32.
        name: Ignored.

    Returns:
        Indices, with the shape of `input` without `axis`.

    Raises:
        InvalidArgumentError: the axis is out of range, or has size 0.

    Gradient: There is none, because an index is an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/argmax

    >>> argmax([3.0, 7.0, 5.0])
    <tf.Tensor: shape=(), dtype=int64, numpy=1>
    """
    x = as_operand(input)
    position = canonical_axis(0 if axis is None else axis, len(x.shape), "argmax")
    return _argmax(x, axis=position, dtype=_index_dtype(output_type))


def argmin(
    input: Value, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Value:
    """Return the index of the smallest element along `axis`; if several elements are smallest, the index of the first of them.

    NaN is never the smallest.

    Args:
        input: A tensor of rank at least 1 with real numbers or bool.
        axis: One axis; 0 by default.
        output_type: int64 or int32.
        name: Ignored.

    Returns:
        Indices, with the shape of `input` without `axis`.

    Raises:
        InvalidArgumentError: the axis is out of range, or has size 0.

    Gradient: There is none, because an index is an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/argmin
    """
    x = as_operand(input)
    position = canonical_axis(0 if axis is None else axis, len(x.shape), "argmin")
    return _argmin(x, axis=position, dtype=_index_dtype(output_type))

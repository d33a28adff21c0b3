"""Cumulative sums and products along an axis, and the product of all elements.

    cumsum                  cumulative sums; the transpose sums from the other end
    cumprod                 cumulative products
    cumulative_logsumexp    logarithms of cumulative sums of exponentials
    reduce_prod             the product of all elements; the derivative of each is the product of the others

`exclusive` excludes an element from its own result, `reverse` starts from the end.
"""

import math
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import flag, strict_flag
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.ops.arithmetic import divide_no_nan
from minitape.ops.axes import canonical_axes, canonical_axis
from minitape.ops.broadcasting import spread
from minitape.ops.creation import ones_like, zeros_like
from minitape.ops.exponential import exp, log
from minitape.ops.indexing import _select
from minitape.ops.reshaping import _reshape, _transpose
from minitape.ops.rules import axes_after_stacking, axis_after_stacking


def _running(ufunc: Any, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
    line = np.flip(x, axis) if reverse else x
    totals = ufunc.accumulate(line, axis, dtype=x.dtype)
    if exclusive:
        totals = np.roll(totals, 1, axis)
        np.moveaxis(totals, axis, 0)[:1] = ufunc.identity
    return np.flip(totals, axis) if reverse else totals


def _cumsum_kernel(x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
    return _running(np.add, x, axis, exclusive, reverse)


def _cumsum_vjp(
    ybar: Value, y: Value, x: Value, *, axis: int, exclusive: bool, reverse: bool
) -> Value:
    return _cumsum(ybar, axis=axis, exclusive=exclusive, reverse=not reverse)


_cumsum: Primitive = Primitive(
    "Cumsum",
    _cumsum_kernel,
    vjp=(_cumsum_vjp,),
    batch=axis_after_stacking,
    rule="x̄ = the running sum of ȳ from the other end",
)


def cumsum(
    x: Value, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Value:
    """Return the cumulative sums along `axis`.

    Args:
        x: A tensor of shape [..., n, ...] with a number dtype.
        axis: The axis of summation; a negative axis counts from the last one.
        exclusive: Whether to exclude each element from its own sum, so that the first sum is 0.
        reverse: Whether to sum from the end.
        name: Ignored.

    Returns:
        The sums in the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/cumsum

    >>> cumsum([1, 2, 3]).numpy().tolist()
    [1, 3, 6]
    """
    value = as_operand(x)
    position = canonical_axis(axis, len(value.shape), "cumsum")
    return _cumsum(
        value,
        axis=position,
        exclusive=strict_flag(exclusive, "exclusive"),
        reverse=strict_flag(reverse, "reverse"),
    )


def _cumprod_kernel(x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
    return _running(np.multiply, x, axis, exclusive, reverse)


def _cumprod_vjp(
    ybar: Value, y: Value, x: Value, *, axis: int, exclusive: bool, reverse: bool
) -> Value:
    """Return Σ ȳ·y / x over the products that contain an element: those at its own index and at all later ones."""
    owed = _cumsum(y * ybar, axis=axis, exclusive=exclusive, reverse=not reverse)
    # At x = 0 the quotient is undefined; minitape returns 0 there, like TensorFlow.
    return divide_no_nan(owed, x)


_cumprod: Primitive = Primitive(
    "Cumprod",
    _cumprod_kernel,
    vjp=(_cumprod_vjp,),
    batch=axis_after_stacking,
    residuals="xy",
    rule="x̄ = (the running sum of ȳ·y from the other end) / x, and 0 where x is 0",
)


def cumprod(
    x: Value, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Value:
    """Return the cumulative products along `axis`.

    Args:
        x: A tensor of shape [..., n, ...] with a number dtype.
        axis: The axis of multiplication; a negative axis counts from the last one.
        exclusive: Whether to exclude each element from its own product, so that the first product is 1.
        reverse: Whether to multiply from the end.
        name: Ignored.

    Returns:
        The products in the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the input and the output. The
    gradient of an element that is 0 is 0, as in TensorFlow, even if the true derivative is not.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/cumprod
    """
    value = as_operand(x)
    position = canonical_axis(axis, len(value.shape), "cumprod")
    return _cumprod(
        value,
        axis=position,
        exclusive=strict_flag(exclusive, "exclusive"),
        reverse=strict_flag(reverse, "reverse"),
    )


def _prod_kernel(x: Array, *, axis: Ints, keepdims: bool) -> Array:
    return x.prod(axis=axis, keepdims=keepdims, dtype=x.dtype)


def _prod_vjp(ybar: Value, y: Value, x: Value, *, axis: Ints, keepdims: bool) -> Value:
    return spread(ybar, x.shape, axis) * _all_others(x, axis)


def _all_others(x: Value, axis: Ints) -> Value:
    """Return for each element the product of the elements before it times the product of the elements after it.

    y / x would fail at 0.
    """
    order = (*axis, *(i for i in range(len(x.shape)) if i not in axis))
    in_front = _transpose(x, perm=order)
    shape = tuple(in_front.shape)
    count = math.prod(shape[: len(axis)])
    lines = _reshape(in_front, shape=(count, math.prod(shape[len(axis) :])))
    before = _cumprod(lines, axis=0, exclusive=True, reverse=False)
    after = _cumprod(lines, axis=0, exclusive=True, reverse=True)
    back = tuple(np.argsort(order).tolist())
    return _transpose(_reshape(before * after, shape=shape), perm=back)


_prod: Primitive = Primitive(
    "Prod",
    _prod_kernel,
    vjp=(_prod_vjp,),
    batch=axes_after_stacking,
    residuals="x",
    rule="x̄ = ȳ times the product of all other elements",
)


def reduce_prod(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the product along `axis`.

    Args:
        input_tensor: A tensor of any shape with a number dtype.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the multiplied axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input_tensor`, without the multiplied axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the input. The first derivative
    is also correct at zeros. The second derivative at zeros is the same as in TensorFlow, which uses `cumprod`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_prod
    """
    x = as_operand(input_tensor)
    axes = canonical_axes(axis, len(x.shape), "reduce_prod")
    return _prod(x, axis=axes, keepdims=flag(keepdims, "keepdims"))


def _cumulative_logsumexp_vjp(
    ybar: Value, y: Value, x: Value, *, reverse: bool, **where: Any
) -> Value:
    """eˣ times the cumulative sum of ȳ·e^(-y) from the other end, computed with logarithms so that nothing overflows."""

    def owed_to(part: Value) -> Value:
        is_there = part > zeros_like(part)
        exponent = log(_select(is_there, part, ones_like(part)))
        nothing = np.array(dtypes.limits_of(raw_dtype(part)).min)[()]
        total = _cumulative_logsumexp(
            _select(is_there, exponent, nothing) - y, reverse=not reverse, **where
        )
        return exp(total + x)

    # Exponentials are positive, so positive and negative cotangents are summed separately.
    return owed_to(ybar) - owed_to(-ybar)


_cumulative_logsumexp: Primitive = Primitive(
    "CumulativeLogsumexp",
    lambda x, *, axis, exclusive, reverse: _running(np.logaddexp, x, axis, exclusive, reverse),
    vjp=(_cumulative_logsumexp_vjp,),
    batch=axis_after_stacking,
    residuals="xy",
    rule="x̄ = eˣ times the running sum of ȳ·e^(-y) from the other end",
    dtype_kinds="f",
)


def cumulative_logsumexp(
    x: Value, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Value:
    """Return log Σ eˣ of all elements up to each position along `axis`.

    Args:
        x: A tensor of shape [..., n, ...] with a float dtype.
        axis: The axis of summation; a negative axis counts from the last one.
        exclusive: Whether to exclude each element from its own sum, so that the first result is -inf.
        reverse: Whether to sum from the end.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the input and the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/cumulative_logsumexp
    """
    value = as_operand(x)
    position = canonical_axis(axis, len(value.shape), "cumulative_logsumexp")
    return _cumulative_logsumexp(
        value,
        axis=position,
        exclusive=strict_flag(exclusive, "exclusive"),
        reverse=strict_flag(reverse, "reverse"),
    )

"""Reductions and elementwise functions under Keras's older names."""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import as_operand, convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import activations
from minitape.keras.config import float_dtype
from minitape.ops import (
    arithmetic,
    broadcasting,
    clipping,
    comparison,
    complex_numbers,
    cumulative,
    exponential,
    identity,
    minmax,
    statistics,
    trigonometry,
)

# --- reductions along axes ---


def _numbers(x: Any) -> Any:
    """Convert to a tensor; bools become 0 and 1 with dtype `floatx`."""
    tensor = convert_to_tensor(x)
    return identity.cast(tensor, float_dtype()) if tensor.dtype == dtypes.bool_ else tensor


def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Compute the sum along the given axes: `tf.reduce_sum`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return broadcasting.reduce_sum(x, axis, keepdims)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Compute the mean along the given axes: `tf.reduce_mean`; bools count as 0 and 1.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return broadcasting.reduce_mean(_numbers(x), axis, keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Compute the product along the given axes: `tf.reduce_prod`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return cumulative.reduce_prod(x, axis, keepdims)


def max(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Return the maximum along the given axes: `tf.reduce_max`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return minmax.reduce_max(x, axis, keepdims)


def min(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Return the minimum along the given axes: `tf.reduce_min`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return minmax.reduce_min(x, axis, keepdims)


def std(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Compute the standard deviation along the given axes: `tf.math.reduce_std`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return statistics.reduce_std(_numbers(x), axis, keepdims)


def var(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Compute the variance along the given axes: `tf.math.reduce_variance`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return statistics.reduce_variance(_numbers(x), axis, keepdims)


def any(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Return whether any element along the given axes is nonzero: `tf.reduce_any`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return minmax.reduce_any(identity.cast(convert_to_tensor(x), dtypes.bool_), axis, keepdims)


def all(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """Return whether all elements along the given axes are nonzero: `tf.reduce_all`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.
        keepdims: Whether to keep the reduced axes with size 1.

    Returns:
        A tensor without the reduced axes; if `keepdims` is True, they are kept with size 1.
    """
    return minmax.reduce_all(identity.cast(convert_to_tensor(x), dtypes.bool_), axis, keepdims)


def argmax(x: Any, axis: int = -1) -> Value:
    """Return the index of the maximum along an axis: `tf.argmax`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.

    Returns:
        An int64 tensor without the axis.
    """
    return minmax.argmax(x, axis)


def argmin(x: Any, axis: int = -1) -> Value:
    """Return the index of the minimum along an axis: `tf.argmin`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.

    Returns:
        An int64 tensor without the axis.
    """
    return minmax.argmin(x, axis)


def cumsum(x: Any, axis: int = 0) -> Value:
    """Compute the cumulative sum along an axis: `tf.cumsum`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.

    Returns:
        A tensor with the shape of `x`.
    """
    return cumulative.cumsum(x, axis)


def cumprod(x: Any, axis: int = 0) -> Value:
    """Compute the cumulative product along an axis: `tf.math.cumprod`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.

    Returns:
        A tensor with the shape of `x`.
    """
    return cumulative.cumprod(x, axis)


def l2_normalize(x: Any, axis: Any = None) -> Value:
    """Scale vectors along the given axes to length 1: `tf.math.l2_normalize`.

    Args:
        x: A tensor or array.
        axis: Axis, or list of axes; a negative axis counts from the last one.

    Returns:
        A tensor with the shape of `x`.
    """
    return statistics.l2_normalize(x, axis)


def softmax(x: Any, axis: Any = -1) -> Value:
    """Normalize eˣ to sum 1 along `axis`: `tf.nn.softmax`.

    Args:
        x: A tensor of rank 2 or higher.
        axis: Axis, or list of axes; a negative axis counts from the last one.

    Returns:
        A tensor with the shape of `x`.

    Raises:
        ValueError: `x` is a vector or a scalar.
    """
    tensor = convert_to_tensor(x)
    if len(tensor.shape) <= 1:
        raise TapeValueError(
            f"Cannot apply softmax to a tensor that is 1D. Received input: {tensor}",
            fix="use `tf.nn.softmax(x)`",
        )
    return activations.softmax(tensor, axis)


# --- elementwise functions ---

sigmoid = activations.sigmoid


def abs(x: Any) -> Value:
    """Compute the absolute value: `tf.abs`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = complex_numbers.abs(as_operand(x))
    return result


def exp(x: Any) -> Value:
    """Compute eˣ: `tf.exp`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = exponential.exp(as_operand(x))
    return result


def log(x: Any) -> Value:
    """Compute the natural logarithm: `tf.math.log`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = exponential.log(as_operand(x))
    return result


def sin(x: Any) -> Value:
    """Compute the sine: `tf.sin`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = trigonometry.sin(as_operand(x))
    return result


def cos(x: Any) -> Value:
    """Compute the cosine: `tf.cos`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = trigonometry.cos(as_operand(x))
    return result


def sign(x: Any) -> Value:
    """Return -1, 0 or 1: `tf.sign`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = arithmetic.sign(as_operand(x))
    return result


def square(x: Any) -> Value:
    """Compute x²: `tf.square`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = arithmetic.square(as_operand(x))
    return result


def tanh(x: Any) -> Value:
    """Compute the hyperbolic tangent: `tf.tanh`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = exponential.tanh(as_operand(x))
    return result


def softplus(x: Any) -> Value:
    """Compute log(1 + eˣ): `tf.math.softplus`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = exponential.softplus(as_operand(x))
    return result


def round(x: Any) -> Value:
    """Round to the nearest integer, and halves to the nearest even integer: `tf.round`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    result: Value = comparison.round(as_operand(x))
    return result


def maximum(x: Any, y: Any) -> Value:
    """Return the elementwise maximum: `tf.maximum`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = minmax.maximum(as_operand(x, y), y)
    return result


def minimum(x: Any, y: Any) -> Value:
    """Return the elementwise minimum: `tf.minimum`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = minmax.minimum(as_operand(x, y), y)
    return result


def equal(x: Any, y: Any) -> Value:
    """Return whether x = y for each element: `tf.equal`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = comparison.equal(as_operand(x, y), y)
    return result


def not_equal(x: Any, y: Any) -> Value:
    """Return whether x ≠ y for each element: `tf.not_equal`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = comparison.not_equal(as_operand(x, y), y)
    return result


def less(x: Any, y: Any) -> Value:
    """Return whether x < y for each element: `tf.less`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = comparison.less(as_operand(x, y), y)
    return result


def less_equal(x: Any, y: Any) -> Value:
    """Return whether x ≤ y for each element: `tf.less_equal`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = comparison.less_equal(as_operand(x, y), y)
    return result


def greater(x: Any, y: Any) -> Value:
    """Return whether x > y for each element: `tf.greater`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = comparison.greater(as_operand(x, y), y)
    return result


def greater_equal(x: Any, y: Any) -> Value:
    """Return whether x ≥ y for each element: `tf.greater_equal`.

    Args:
        x: A tensor or array.
        y: A tensor or array that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = comparison.greater_equal(as_operand(x, y), y)
    return result


def pow(x: Any, a: Any) -> Value:
    """Compute xᵃ: `tf.pow`.

    Args:
        x: A tensor or array.
        a: A tensor or number that broadcasts with `x`.

    Returns:
        A tensor with the broadcast shape of both arguments.
    """
    result: Value = arithmetic.pow(as_operand(x, a), a)
    return result


def sqrt(x: Any) -> Value:
    """Compute the square root with `tf.sqrt`; negative values count as 0.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    return arithmetic.sqrt(minmax.maximum(convert_to_tensor(x), 0.0))


def clip(x: Any, min_value: Any, max_value: Any) -> Value:
    """Clip to a range: `tf.clip_by_value`. If `max_value` is below `min_value`, the result is `min_value`.

    Args:
        x: A tensor or array.
        min_value: Lower limit, or None.
        max_value: Upper limit, or None.

    Returns:
        A tensor with the shape of `x`.
    """
    low = -np.inf if min_value is None else min_value
    high = np.inf if max_value is None else max_value
    if isinstance(low, int | float) and isinstance(high, int | float) and high < low:
        high = low
    return clipping.clip_by_value(x, low, high)


def relu(x: Any, alpha: float = 0.0, max_value: Any = None, threshold: float = 0.0) -> Value:
    """Return x between `threshold` and `max_value`, and alpha · (x - threshold) below `threshold`.

    Args:
        x: A tensor or array.
        alpha: Factor of the negative part.
        max_value: Upper limit, or None.
        threshold: Inputs less than or equal to this value count as inactive.

    Returns:
        A tensor with the shape of `x`.
    """
    return activations.relu(x, alpha, max_value, threshold)


def elu(x: Any, alpha: float = 1.0) -> Value:
    """Return x for positive inputs and alpha · (eˣ - 1) for all others.

    Args:
        x: A tensor or array.
        alpha: Factor of the negative part.

    Returns:
        A tensor with the shape of `x`.
    """
    return activations.elu(x, alpha)


def softsign(x: Any) -> Value:
    """Compute x / (1 + |x|).

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    return activations.softsign(x)


def hard_sigmoid(x: Any) -> Value:
    """Clip x/5 + ½ to [0, 1]; unlike `tf.keras.activations.hard_sigmoid`, which uses x/6 + ½.

    Args:
        x: A tensor or array.

    Returns:
        A tensor with the shape of `x`.
    """
    return clipping.clip_by_value(convert_to_tensor(x) * 0.2 + 0.5, 0.0, 1.0)


def stop_gradient(variables: Any) -> Any:
    """Block the gradient: `tf.stop_gradient`.

    Args:
        variables: A tensor, or a list of tensors.

    Returns:
        A tensor or a list with the same values, which a tape treats as constants.
    """
    if isinstance(variables, list | tuple):
        return [identity.stop_gradient(convert_to_tensor(each)) for each in variables]
    return identity.stop_gradient(convert_to_tensor(variables))

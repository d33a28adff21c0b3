"""Sums, means and functions of each number, under Keras's older names."""

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
    comparing,
    complexes,
    cumulative,
    exponential,
    extremes,
    passing,
    statistics,
    trigonometry,
)

# --- along axes ---


def _numbers(x: Any) -> Any:
    """A tensor; flags count as 0 and 1."""
    tensor = convert_to_tensor(x)
    return passing.cast(tensor, float_dtype()) if tensor.dtype == dtypes.bool_ else tensor


def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.reduce_sum`."""
    return broadcasting.reduce_sum(x, axis, keepdims)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.reduce_mean`; of flags, how many are set."""
    return broadcasting.reduce_mean(_numbers(x), axis, keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.reduce_prod`."""
    return cumulative.reduce_prod(x, axis, keepdims)


def max(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.reduce_max`."""
    return extremes.reduce_max(x, axis, keepdims)


def min(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.reduce_min`."""
    return extremes.reduce_min(x, axis, keepdims)


def std(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.math.reduce_std`."""
    return statistics.reduce_std(_numbers(x), axis, keepdims)


def var(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.math.reduce_variance`."""
    return statistics.reduce_variance(_numbers(x), axis, keepdims)


def any(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.reduce_any`; a number other than 0 counts as set."""
    return extremes.reduce_any(passing.cast(convert_to_tensor(x), dtypes.bool_), axis, keepdims)


def all(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """`tf.reduce_all`; a number other than 0 counts as set."""
    return extremes.reduce_all(passing.cast(convert_to_tensor(x), dtypes.bool_), axis, keepdims)


def argmax(x: Any, axis: int = -1) -> Value:
    """`tf.argmax`, along the last axis by default."""
    return extremes.argmax(x, axis)


def argmin(x: Any, axis: int = -1) -> Value:
    """`tf.argmin`, along the last axis by default."""
    return extremes.argmin(x, axis)


def cumsum(x: Any, axis: int = 0) -> Value:
    """`tf.cumsum`."""
    return cumulative.cumsum(x, axis)


def cumprod(x: Any, axis: int = 0) -> Value:
    """`tf.math.cumprod`."""
    return cumulative.cumprod(x, axis)


def l2_normalize(x: Any, axis: Any = None) -> Value:
    """`tf.math.l2_normalize`."""
    return statistics.l2_normalize(x, axis)


def softmax(x: Any, axis: Any = -1) -> Value:
    """`tf.nn.softmax` of rows.

    Raises:
        ValueError: a vector or a number.
    """
    tensor = convert_to_tensor(x)
    if len(tensor.shape) <= 1:
        raise TapeValueError(
            f"Cannot apply softmax to a tensor that is 1D. Received input: {tensor}",
            fix="tf.nn.softmax(x)",
        )
    return activations.softmax(tensor, axis)


# --- number by number ---

sigmoid = activations.sigmoid


def abs(x: Any) -> Value:
    """`tf.abs`."""
    result: Value = complexes.abs(as_operand(x))
    return result


def exp(x: Any) -> Value:
    """`tf.exp`."""
    result: Value = exponential.exp(as_operand(x))
    return result


def log(x: Any) -> Value:
    """`tf.math.log`."""
    result: Value = exponential.log(as_operand(x))
    return result


def sin(x: Any) -> Value:
    """`tf.sin`."""
    result: Value = trigonometry.sin(as_operand(x))
    return result


def cos(x: Any) -> Value:
    """`tf.cos`."""
    result: Value = trigonometry.cos(as_operand(x))
    return result


def sign(x: Any) -> Value:
    """`tf.sign`."""
    result: Value = arithmetic.sign(as_operand(x))
    return result


def square(x: Any) -> Value:
    """`tf.square`."""
    result: Value = arithmetic.square(as_operand(x))
    return result


def tanh(x: Any) -> Value:
    """`tf.tanh`."""
    result: Value = exponential.tanh(as_operand(x))
    return result


def softplus(x: Any) -> Value:
    """`tf.math.softplus`."""
    result: Value = exponential.softplus(as_operand(x))
    return result


def round(x: Any) -> Value:
    """`tf.round`."""
    result: Value = comparing.round(as_operand(x))
    return result


def maximum(x: Any, y: Any) -> Value:
    """`tf.maximum`."""
    result: Value = extremes.maximum(as_operand(x, y), y)
    return result


def minimum(x: Any, y: Any) -> Value:
    """`tf.minimum`."""
    result: Value = extremes.minimum(as_operand(x, y), y)
    return result


def equal(x: Any, y: Any) -> Value:
    """`tf.equal`."""
    result: Value = comparing.equal(as_operand(x, y), y)
    return result


def not_equal(x: Any, y: Any) -> Value:
    """`tf.not_equal`."""
    result: Value = comparing.not_equal(as_operand(x, y), y)
    return result


def less(x: Any, y: Any) -> Value:
    """`tf.less`."""
    result: Value = comparing.less(as_operand(x, y), y)
    return result


def less_equal(x: Any, y: Any) -> Value:
    """`tf.less_equal`."""
    result: Value = comparing.less_equal(as_operand(x, y), y)
    return result


def greater(x: Any, y: Any) -> Value:
    """`tf.greater`."""
    result: Value = comparing.greater(as_operand(x, y), y)
    return result


def greater_equal(x: Any, y: Any) -> Value:
    """`tf.greater_equal`."""
    result: Value = comparing.greater_equal(as_operand(x, y), y)
    return result


def pow(x: Any, a: Any) -> Value:
    """`tf.pow`."""
    result: Value = arithmetic.pow(as_operand(x, a), a)
    return result


def sqrt(x: Any) -> Value:
    """`tf.sqrt`, of what is below 0 as of 0."""
    return arithmetic.sqrt(extremes.maximum(convert_to_tensor(x), 0.0))


def clip(x: Any, min_value: Any, max_value: Any) -> Value:
    """`tf.clip_by_value`; a bound may be None. A largest value below the least one gives the least one."""
    low = -np.inf if min_value is None else min_value
    high = np.inf if max_value is None else max_value
    if isinstance(low, int | float) and isinstance(high, int | float) and high < low:
        high = low
    return clipping.clip_by_value(x, low, high)


def relu(x: Any, alpha: float = 0.0, max_value: Any = None, threshold: float = 0.0) -> Value:
    """x from `threshold` to `max_value`, where it stays; below, alpha · (x - threshold)."""
    return activations.relu(x, alpha, max_value, threshold)


def elu(x: Any, alpha: float = 1.0) -> Value:
    """x above 0, and alpha · (eˣ - 1) below."""
    return activations.elu(x, alpha)


def softsign(x: Any) -> Value:
    """x / (1 + |x|)."""
    return activations.softsign(x)


def hard_sigmoid(x: Any) -> Value:
    """x/5 + ½, cut off at 0 and 1: Keras's activation of that name is x/6 + ½."""
    return clipping.clip_by_value(convert_to_tensor(x) * 0.2 + 0.5, 0.0, 1.0)


def stop_gradient(variables: Any) -> Any:
    """`tf.stop_gradient`, of one tensor or of each of a list."""
    if isinstance(variables, list | tuple):
        return [passing.stop_gradient(convert_to_tensor(each)) for each in variables]
    return passing.stop_gradient(convert_to_tensor(variables))

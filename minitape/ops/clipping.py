"""Limit values to a range or a norm.

    clip_by_value                        each element separately
    clip_by_norm                         a vector by its norm
    global_norm, clip_by_global_norm     several vectors by their common norm

An element clipped by value gets no cotangent. A vector clipped by norm keeps its direction, so it gets only the part of the
cotangent that changes this direction.
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, is_engine_value, read_once
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array, Value
from minitape.errors import AxisError, TapeTypeError
from minitape.ops.arithmetic import add_n, sqrt
from minitape.ops.axes import real_number, sizes_of
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.comparison import is_finite
from minitape.ops.creation import ones_like, zeros_like
from minitape.ops.identity import cast
from minitape.ops.indexing import _select
from minitape.ops.minmax import maximum, minimum


def clip_by_value(
    t: Any, clip_value_min: Value, clip_value_max: Value, name: str | None = None
) -> Any:
    """Limit each element to the range from `clip_value_min` to `clip_value_max`.

    Args:
        t: A tensor of any shape with a real dtype.
        clip_value_min: The lower bound, which broadcasts to the shape of `t`.
        clip_value_max: The upper bound, which broadcasts to the shape of `t`.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `t`; for IndexedSlices, IndexedSlices of the same rows.

    Raises:
        ValueError: a bound has a different shape.

    Gradient: The first derivative is supported, including for batches. An element inside the range, or exactly on a bound, gets
    its whole cotangent. An element outside the range gets none; its bound gets the cotangent instead.

    Source: https://www.tensorflow.org/api_docs/python/tf/clip_by_value
    """
    if isinstance(t, IndexedSlices):
        values = clip_by_value(t.values, clip_value_min, clip_value_max)
        return IndexedSlices(values, t.indices, t.dense_shape)
    x = as_operand(t, clip_value_min, clip_value_max)
    shape = sizes_of(x)
    for bound in map(sizes_of, (clip_value_min, clip_value_max)):
        if len(bound) > len(shape) or any(
            b not in (1, a) for a, b in zip(shape[::-1], bound[::-1])
        ):
            raise AxisError(
                f"`clip_by_value` got a bound of shape {bound} for an input of shape {shape}.",
                fix="call `tf.broadcast_to(t, shape)` first, or use bounds that broadcast to the shape of `t`",
                code="MT507",
            )
    return maximum(minimum(x, clip_value_max), clip_value_min)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """Scale `t` down to norm `clip_norm` if its norm is greater.

    Args:
        t: A tensor of any shape with a float dtype.
        clip_norm: The maximum norm; a positive scalar.
        axes: The axes of the norm; None for all.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `t`; for IndexedSlices, IndexedSlices of the same rows.

    Gradient: Derivatives of any order are supported, including batched ones, even where `t` is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/clip_by_norm
    """
    if isinstance(t, IndexedSlices):
        return IndexedSlices(clip_by_norm(t.values, clip_norm, axes), t.indices, t.dense_shape)
    x = read_once(t)
    limit = (
        maximum(clip_norm, zeros_like(clip_norm))
        if is_engine_value(clip_norm)
        else max(real_number(clip_norm), 0.0)
    )
    squares = reduce_sum(x * x, axes, keepdims=True)
    # The derivative of the root is infinite at 0, so its input must not be 0; selecting afterwards would be too late.
    is_positive = squares > 0
    length = _select(is_positive, sqrt(_select(is_positive, squares, ones_like(squares))), squares)
    return x * limit / maximum(length, limit)


def _numbers_of(value: Any) -> Value:
    return value.values if isinstance(value, IndexedSlices) else read_once(value)


def _check_list(values: Any) -> None:
    if isinstance(values, list | tuple):
        return
    raise TapeTypeError(
        f"t_list should be a sequence, but is a `{type(values).__name__}`.",
        fix="use `tf.linalg.global_norm([x])`",
    )


def global_norm(t_list: Any, name: str | None = None) -> Value:
    """Return the norm of all values, taken as one vector.

    Args:
        t_list: A list of tensors and `IndexedSlices` of the same float dtype; None entries are skipped.
        name: Ignored.

    Returns:
        A scalar.

    Raises:
        TypeError: `t_list` is not a list.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is NaN if all values are 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/global_norm
    """
    _check_list(t_list)
    numbers = [_numbers_of(value) for value in t_list if value is not None]
    if not numbers:
        return read_once(0.0)
    return sqrt(add_n([reduce_sum(value * value) for value in numbers]))


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Value]:
    """Scale all values down by the same factor if their common norm is greater than `clip_norm`.

    Args:
        t_list: A list of tensors and `IndexedSlices` of the same float dtype, and None.
        clip_norm: The maximum common norm.
        use_norm: The common norm, if it is already computed.
        name: Ignored.

    Returns:
        The list of scaled values, with None where `t_list` has None, and the norm before scaling. If the norm is infinite or
        NaN, all values are NaN.

    Raises:
        TypeError: `t_list` is not a list.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/clip_by_global_norm;
    R. Pascanu, T. Mikolov and Y. Bengio, "On the difficulty of training recurrent neural networks" (2013).
    """
    _check_list(t_list)
    length = global_norm(t_list) if use_norm is None else read_once(use_norm)
    limit = as_operand(clip_norm, dtype=length.dtype)
    scale = limit * minimum(1.0 / length, 1.0 / limit)
    scale = _select(is_finite(length), scale, np.array(np.nan, raw_dtype(length))[()])
    return [_scaled(value, scale) for value in t_list], length


def _scaled(value: Any, scale: Value) -> Any:
    if value is None:
        return None
    if isinstance(value, IndexedSlices):
        return IndexedSlices(value.values * scale, value.indices, value.dense_shape)
    return read_once(value) * scale


def saturate_cast(value: Value, dtype: Any, name: str | None = None) -> Value:
    """Convert numbers to a different dtype; a number beyond its range becomes the nearest limit.

    Args:
        value: Real numbers of any shape.
        dtype: A real dtype.
        name: Ignored.

    Returns:
        A tensor with the shape of `value` and dtype `dtype`.

    Raises:
        TypeError: one of the dtypes is not real.

    Gradient: Between float dtypes, the first derivative is supported, including for batches. A cast to or from an integer dtype
    has no gradient.

    Source: https://www.tensorflow.org/api_docs/python/tf/dtypes/saturate_cast
    """
    x, wanted = read_once(value), dtypes.as_dtype(dtype)
    for each in (x.dtype, wanted):
        if not (each.is_integer or each.is_floating):
            raise TapeTypeError(
                f"`saturate_cast` converts real numbers, but got a {x.dtype.name} value and the dtype {wanted.name}.",
                fix=f"use `tf.cast(x, tf.{wanted.name})`",
                code="MT506",
            )
    lowest = _within(max(x.dtype.min, wanted.min, key=_in_python), wanted, x.dtype)
    highest = _within(min(x.dtype.max, wanted.max, key=_in_python), wanted, x.dtype)
    return cast(clip_by_value(x, lowest, highest), wanted)


def _in_python(limit: Any) -> int | float:
    """Return a limit as a Python number, which compares with numbers of all dtypes."""
    return int(limit) if isinstance(limit, int | np.integer) else float(limit)


def _within(limit: Any, wanted: dtypes.DType, have: dtypes.DType) -> Array:
    """Return a limit of `wanted` as a number of `have` that is in range. For example, 2³¹ - 1 is not a float32, and the nearest
    float32, 2³¹, would exceed the limit.
    """
    number = have.numpy.type(limit)
    as_python = int if wanted.is_integer else float
    lowest, highest = as_python(wanted.min), as_python(wanted.max)
    if have.is_floating and not lowest <= as_python(number) <= highest:
        return np.nextafter(number, have.numpy.type(0))
    return number

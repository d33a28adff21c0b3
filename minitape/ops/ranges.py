"""Evenly spaced numbers.

range       from a start, in steps; not differentiable, because the number of elements is an integer
linspace    between two ends, both of which have a gradient
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_array, beside, is_engine_value
from minitape.core.declaration import no_gradient
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeTypeError
from minitape.ops.axes import canonical_axis, whole_number
from minitape.ops.creation import made
from minitape.ops.identity import cast
from minitape.ops.reshaping import _reshape


def _range_kernel(start: Array, limit: Array, delta: Array) -> Array:
    if np.ndim(start) or np.ndim(limit) or np.ndim(delta) or not np.isfinite(limit - start):
        raise InvalidArgumentError(
            f"`range` requires finite scalars, but got `start={start}`, `limit={limit}` and `delta={delta}`.",
            fix="use `tf.range(0, 10, 2)`",
            code="MT507",
        )
    if delta == 0:
        raise InvalidArgumentError("Requires delta != 0.", code="MT507")
    dtype = start.dtype
    if dtype.kind == "f":
        span, step = limit - start, delta  # in the dtype itself, as in TensorFlow
    else:
        span, step = int(limit) - int(start), int(delta)
    if span * step < 0:
        raise InvalidArgumentError(
            f"`range` cannot reach {limit} from {start} in steps of {delta}.",
            fix=f"use `tf.range({limit}, {start}, {delta})`, or pass `delta={-delta}`",
            code="MT507",
        )
    count = int(np.ceil(span / step)) if dtype.kind == "f" else -(-span // step)
    # start + i·delta in the dtype itself, as TensorFlow adds it up; np.arange would compute in float64.
    return (start + delta * np.arange(count, dtype=dtype)).astype(dtype)


_range: Primitive = Primitive(
    "Range",
    _range_kernel,
    vjp=no_gradient(
        reason="the number of elements of its result is an integer, which jumps as the limits change"
    ),
)


def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range"
) -> Tensor:
    """Return the numbers from `start` up to but not including `limit`, in steps of `delta`; from 0 if there is only one limit.

    Args:
        start: The first number, or the limit if `limit` is None.
        limit: The end, which is excluded.
        delta: The step; negative counts down.
        dtype: By default the dtype of the limits: int32 for Python ints, float32 for floats.
        name: Ignored.

    Returns:
        A vector.

    Raises:
        InvalidArgumentError: `delta` is 0, or has the wrong sign.
        TypeError: a limit is not a real number.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/range

    >>> range(3)
    <tf.Tensor: shape=(3,), dtype=int32, numpy=array([0, 1, 2], dtype=int32)>
    """
    if limit is None:
        start, limit = 0, start
    limits = (start, limit, delta)
    kinds = [raw_dtype(v) if is_engine_value(v) else as_array(v, None).dtype for v in limits]
    wanted = _widest(kinds) if dtype is None else dtypes.as_dtype(dtype).numpy
    if any(dtypes.kind_of(kind) not in "fiu" for kind in (*kinds, wanted)):
        raise TapeTypeError(
            f"`range` requires real numbers, but got {', '.join(dtypes.as_dtype(kind).name for kind in kinds)}.",
            fix="use `tf.range(3)`",
        )
    if any(map(is_engine_value, limits)):
        result: Tensor = _range(*(cast(value, wanted) for value in limits))
        return result
    numbers = [as_array(value, dtypes.as_dtype(wanted)) for value in limits]
    return made(_range.kernel(*numbers), "tf.range")


def _widest(kinds: list[Any]) -> Any:
    """Return the dtype that TensorFlow chooses for limits of different dtypes."""
    order = [np.dtype(kind) for kind in (np.int32, np.int64, np.float16, np.float32, np.float64)]
    return max(kinds, key=lambda kind: order.index(kind) if kind in order else -1)


def linspace(start: Value, stop: Value, num: Any, name: str | None = None, axis: Any = 0) -> Value:
    """Return `num` evenly spaced numbers from `start` to `stop`, both included.

    Args:
        start: The first number, a tensor of any shape. Integers are converted to float64.
        stop: The last number, with the shape of `start`. It is converted to the dtype of `start`, unless it is a tensor.
        num: The number of elements.
        name: Ignored.
        axis: The position of the new axis.

    Returns:
        A tensor with the shape of `start` and a new axis of size `num`.

    Raises:
        InvalidArgumentError: `num` is negative.
        TypeError: `start` is an integer, and `stop` is a float.

    Gradient: Derivatives of any order are supported, including batched ones. Each number of the result is a weighted mean of the
    two ends.

    Source: https://www.tensorflow.org/api_docs/python/tf/linspace
    """
    count = whole_number(num)
    if count < 0:
        raise InvalidArgumentError(
            f"`linspace` got `num={count}`, which is negative.",
            fix="pass a `num` of at least 0",
            code="MT507",
        )
    if not any(map(is_engine_value, (start, stop))):
        low = as_array(start, None)
        high = _as_float(as_array(stop, dtypes.of(low)))
        low = _as_float(low)
        inner = _between(low, high, count, canonical_axis(axis, low.ndim + 1, "linspace"))
        return made(inner, "tf.linspace")
    lead = start if is_engine_value(start) else stop
    first, last = (
        value if is_engine_value(value) else beside(value, raw_dtype(lead))
        for value in (start, stop)
    )
    if raw_dtype(first).kind in "iuO":
        first, last = cast(first, dtypes.float64), cast(last, dtypes.float64)
    return _between(first, last, count, canonical_axis(axis, len(lead.shape) + 1, "linspace"))


def _as_float(array: Array) -> Array:
    return array if dtypes.kind_of(array.dtype) in "fc" else cast(array, dtypes.float64)._array


def _between(start: Value, stop: Value, count: int, axis: int) -> Value:
    """Return the numbers as TensorFlow computes them: both ends are unchanged, and only the numbers between them are computed."""
    shape = list(start.shape)
    shape.insert(axis, 1)
    first, last = _reshape(start, shape=tuple(shape)), _reshape(stop, shape=tuple(shape))
    if count < 2:
        ends = PRIMITIVES["ConcatV2"](first, last, axis=axis)
        return PRIMITIVES["StridedSlice"](
            ends, key=(*((None, None, None),) * axis, (0, count, None))
        )
    inner = [1] * len(shape)
    inner[axis] = count - 2
    steps = np.arange(1, count - 1).reshape(inner).astype(raw_dtype(start))
    delta = (last - first) / raw_dtype(start).type(count - 1)
    return PRIMITIVES["ConcatV2"](first, first + delta * steps, last, axis=axis)

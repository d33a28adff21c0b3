"""Values out of nothing, or out of the shape of another.

zeros, ones, eye, range                   new numbers: nothing to differentiate
zeros_like, ones_like, shape, size, rank  of another value only its shape counts: no gradient, and they say why
one_hot                                   places as rows of zeros with a single one: no gradient either
fill, linspace                            spread one number, or two, over a new shape: these have a gradient
"""

import builtins
from typing import Any

import numpy as np

from minitape.core import dtypes, events, listeners
from minitape.core.arguments import listed
from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import as_array, as_operand, beside, is_engine_value
from minitape.core.declaration import ANY, no_gradient
from minitape.core.primitive import Primitive
from minitape.core.refusing import refuse
from minitape.core.registry import PRIMITIVES, SYNTAX
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError
from minitape.ops.axes import as_ints, as_sizes, canonical_axis, whole_number
from minitape.ops.broadcasting import _broadcast, _sum
from minitape.ops.passing import cast
from minitape.ops.rules import Stacked, leading_axes
from minitape.ops.shaping import _reshape


def made(array: Array, how: str) -> Tensor:
    """Numbers that a function of TensorFlow made up, as a tensor."""
    tensor = Tensor(array if array.ndim else array[()])
    if listeners.active:
        listeners.tell(events.Entered(tensor, array, how))
    return tensor


def restored(array: Array) -> Tensor:
    """A tensor out of a pickle, which names this function: so the ops come along where there are none yet."""
    return Tensor(array)


SYNTAX["restored"] = restored


DEVICES = "a layout spreads a tensor over devices, and here there is one."

# --- in the shape of another value ---


def _zeros_kernel(x: Array, *, dtype: Any = None) -> Array:
    wanted = x.dtype if dtype is None else dtype
    return np.zeros(x.shape, wanted) if x.ndim else wanted.type(0)


zeros_like: Primitive = Primitive(
    "ZerosLike",
    _zeros_kernel,
    vjp=no_gradient(reason="zeros are zeros, whatever the numbers were: only the shape counts"),
    batch=leading_axes,
    accepts=ANY,
)


def _ones_kernel(x: Array, *, dtype: Any = None) -> Array:
    wanted = x.dtype if dtype is None else dtype
    return np.ones(x.shape, wanted) if x.ndim else wanted.type(1)


ones_like: Primitive = Primitive(
    "OnesLike",
    _ones_kernel,
    vjp=no_gradient(reason="ones are ones, whatever the numbers were: only the shape counts"),
    batch=leading_axes,
    accepts=ANY,
)


def zeros_like_for_users(
    input: Value, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Value:
    """Zeros in the shape of `input`.

    Args:
        input: Any shape and dtype.
        dtype: Of the zeros; by default that of `input`.
        name: Ignored.
        layout: Refused.

    Raises:
        TypeError: `layout` was given.

    Gradient: none; only the shape of `input` counts.

    Source: https://www.tensorflow.org/api_docs/python/tf/zeros_like
    """
    refuse("zeros_like", DEVICES, layout=layout)
    if dtype is None:
        return zeros_like(as_operand(input))
    return zeros_like(as_operand(input), dtype=dtypes.as_dtype(dtype).numpy)


def ones_like_for_users(
    input: Value, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Value:
    """Ones in the shape of `input`.

    Args:
        input: Any shape; a number dtype or bool.
        dtype: Of the ones; by default that of `input`.
        name: Ignored.
        layout: Refused.

    Raises:
        TypeError: `layout` was given.

    Gradient: none; only the shape of `input` counts.

    Source: https://www.tensorflow.org/api_docs/python/tf/ones_like
    """
    refuse("ones_like", DEVICES, layout=layout)
    if dtype is None:
        return ones_like(as_operand(input))
    return ones_like(as_operand(input), dtype=dtypes.as_dtype(dtype).numpy)


def _shape_kernel(x: Array, *, out_type: Any) -> Array:
    return np.array(x.shape, out_type)


_shape: Primitive = Primitive(
    "Shape",
    _shape_kernel,
    vjp=no_gradient(reason="a shape is made of whole numbers, and does not move with the values"),
    accepts=ANY,
)

_size: Primitive = Primitive(
    "Size",
    lambda x, *, out_type: out_type.type(x.size),
    vjp=no_gradient(reason="a count does not move with the values"),
    accepts=ANY,
)

_rank: Primitive = Primitive(
    "Rank",
    lambda x: np.int32(x.ndim),
    vjp=no_gradient(reason="a count does not move with the values"),
    accepts=ANY,
)


def _one_of(x: Value) -> Value:
    """All values of a stack have one shape, so one of them tells it."""
    return x.stack[0] if type(x) is Batched else x


def shape(input: Value, out_type: Any = None, name: str | None = None) -> Value:
    """The shape of `input` as a tensor of whole numbers.

    Args:
        input: Anything that is or becomes a tensor.
        out_type: int32 by default.
        name: Ignored.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/shape
    """
    return _shape(_one_of(as_operand(input)), out_type=_whole(out_type))


def size(input: Value, out_type: Any = None, name: str | None = None) -> Value:
    """How many elements `input` has.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/size
    """
    return _size(_one_of(as_operand(input)), out_type=_whole(out_type))


def shape_n(input: Any, out_type: Any = None, name: str | None = None) -> list[Value]:
    """The shapes of several values.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/shape_n
    """
    return [shape(each, out_type) for each in listed(input, "input")]


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two shapes broadcast to.

    Raises:
        ValueError: they do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/broadcast_static_shape
    """
    first, second = as_ints(shape_x), as_ints(shape_y)
    try:
        return TensorShape(np.broadcast_shapes(first, second))
    except ValueError:
        raise TapeValueError(
            f"Incompatible shapes for broadcasting: {first} and {second}.",
            fix="sizes that are equal or 1, counted from the last axis",
            code="MT507",
        ) from None


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The same, of shapes that are tensors.

    Raises:
        InvalidArgumentError: they do not fit.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/broadcast_dynamic_shape
    """
    first, second = as_ints(shape_x), as_ints(shape_y)
    try:
        return made(np.array(np.broadcast_shapes(first, second), np.int32), "broadcast")
    except ValueError:
        raise InvalidArgumentError(
            f"Incompatible shapes for broadcasting: {first} and {second}.", code="MT507"
        ) from None


def rank(input: Value, name: str | None = None) -> Value:
    """How many axes `input` has.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/rank
    """
    return _rank(_one_of(as_operand(input)))


def _whole(dtype: Any) -> Any:
    return (dtypes.int32 if dtype is None else dtypes.as_dtype(dtype)).numpy


# --- out of nothing ---


def zeros(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """Zeros in a given shape.

    Args:
        shape: A list, tuple or integer tensor; a number stands for one axis.
        dtype: float32 by default.
        name: Ignored.
        layout: Refused.

    Raises:
        TypeError: a size is no whole number, or `layout` was given.
        InvalidArgumentError: a size is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/zeros

    >>> zeros([2])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([0., 0.], dtype=float32)>
    """
    refuse("zeros", DEVICES, layout=layout)
    wanted = dtypes.as_dtype(dtype)
    if wanted == dtypes.string:
        return made(np.full(as_sizes(shape), b"", object), "tf.zeros")
    return made(np.zeros(as_sizes(shape), wanted.numpy), "tf.zeros")


def ones(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """Ones in a given shape.

    Args:
        shape: A list, tuple or integer tensor; a number stands for one axis.
        dtype: float32 by default.
        name: Ignored.
        layout: Refused.

    Raises:
        TypeError: a size is no whole number, there are no ones of that dtype, or `layout` was given.
        InvalidArgumentError: a size is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/ones
    """
    refuse("ones", DEVICES, layout=layout)
    wanted = dtypes.as_dtype(dtype)
    if wanted == dtypes.string:
        raise TapeTypeError("There is no text that is 1.", fix="tf.fill(shape, 'text')")
    return made(np.ones(as_sizes(shape), wanted.numpy), "tf.ones")


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The identity matrix: ones on the diagonal.

    Args:
        num_rows: How many rows.
        num_columns: How many columns; as many as rows by default.
        batch_shape: Leading axes, along which the matrix repeats.
        dtype: float32 by default.
        name: Ignored.

    Raises:
        InvalidArgumentError: a size is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/eye
    """
    rows, columns = as_sizes([num_rows, num_rows if num_columns is None else num_columns])
    matrix = np.eye(rows, columns, dtype=dtypes.as_dtype(dtype).numpy)
    if batch_shape is not None:
        matrix = np.broadcast_to(matrix, (*as_ints(batch_shape), *matrix.shape)).copy()
    return made(matrix, "tf.eye")


def _range_kernel(start: Array, limit: Array, delta: Array) -> Array:
    if np.ndim(start) or np.ndim(limit) or np.ndim(delta) or not np.isfinite(limit - start):
        raise InvalidArgumentError(
            f"range counts between two numbers, and not from {start} to {limit} by {delta}.",
            fix="tf.range(0, 10, 2)",
            code="MT507",
        )
    if delta == 0:
        raise InvalidArgumentError(
            "Requires delta != 0: tf.range cannot stand still.", code="MT507"
        )
    dtype = start.dtype
    if dtype.kind == "f":
        span, step = limit - start, delta  # in the dtype itself, as TensorFlow counts them
    else:
        span, step = int(limit) - int(start), int(delta)
    if span * step < 0:
        raise InvalidArgumentError(
            f"range counts from {start} to {limit}, and steps by {delta}: the other way.",
            fix=f"tf.range({limit}, {start}, {delta}), or delta={-delta}",
            code="MT507",
        )
    count = int(np.ceil(span / step)) if dtype.kind == "f" else -(-span // step)
    # start + i·delta in the dtype itself, as TensorFlow adds it up; np.arange would compute in float64.
    return (start + delta * np.arange(count, dtype=dtype)).astype(dtype)


_range: Primitive = Primitive(
    "Range",
    _range_kernel,
    vjp=no_gradient(reason="how many numbers there are jumps with the limits"),
)


def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range"
) -> Tensor:
    """The numbers from `start` up to but not including `limit`, in steps of `delta`; from 0 if one limit is given.

    Args:
        start: The first number, or the limit if that is not given.
        limit: Where to stop.
        delta: The step; negative counts down.
        dtype: By default that of the limits: int32 for Python ints, float32 for floats.
        name: Ignored.

    Raises:
        InvalidArgumentError: `delta` is 0, or leads away from `limit`.
        TypeError: a limit is no real number.

    Gradient: none.

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
            f"range counts in real numbers, and was given {', '.join(dtypes.as_dtype(kind).name for kind in kinds)}.",
            fix="tf.range(3)",
        )
    if any(map(is_engine_value, limits)):
        result: Tensor = _range(*(cast(value, wanted) for value in limits))
        return result
    numbers = [as_array(value, dtypes.as_dtype(wanted)) for value in limits]
    return made(_range.kernel(*numbers), "tf.range")


def _widest(kinds: list[Any]) -> Any:
    """TensorFlow's order of preference for limits of different dtypes."""
    order = [np.dtype(kind) for kind in (np.int32, np.int64, np.float16, np.float32, np.float64)]
    return max(kinds, key=lambda kind: order.index(kind) if kind in order else -1)


def fill(dims: Any, value: Value, name: str | None = None, layout: Any = None) -> Value:
    """One value, as often as a shape has places.

    Args:
        dims: The shape.
        value: A scalar.
        name: Ignored.
        layout: Refused.

    Raises:
        InvalidArgumentError: `value` is no scalar, or a size is negative.
        TypeError: `layout` was given.

    Gradient: to any order, batched: the sum over all places. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/fill
    """
    refuse("fill", DEVICES, layout=layout)
    x = as_operand(value)
    if len(x.shape):
        raise InvalidArgumentError(
            f"fill repeats one number, and was given a value of shape {tuple(x.shape)}.",
            fix="tf.broadcast_to(value, shape)",
            code="MT507",
        )
    return _fill(x, shape=as_sizes(dims))


def _fill_batch(op: Primitive, _: Stacked, x: Value, *, shape: Ints) -> Value:
    count = x.shape[0]
    return _broadcast(_reshape(x, shape=(count, *(1,) * len(shape))), shape=(count, *shape))


_fill: Primitive = Primitive(
    "Fill",
    lambda x, *, shape: np.full(shape, x),
    vjp=(
        lambda ybar, y, x, shape: _sum(
            ybar, axis=tuple(builtins.range(len(shape))), keepdims=False
        ),
    ),
    batch=_fill_batch,
    rule="x̄ = the sum of ȳ over all places",
    accepts=ANY,
)


def linspace(start: Value, stop: Value, num: Any, name: str | None = None, axis: Any = 0) -> Value:
    """`num` numbers at equal distances, from `start` to `stop`, both included.

    Args:
        start: The first; any shape. Whole numbers become float64.
        stop: The last; the shape of `start`.
        num: How many.
        name: Ignored.
        axis: Where the new axis goes.

    Raises:
        InvalidArgumentError: `num` is negative.

    Gradient: to any order, batched: each number lies between its ends, and passes its share to both.

    Source: https://www.tensorflow.org/api_docs/python/tf/linspace
    """
    count = whole_number(num)
    if count < 0:
        raise InvalidArgumentError(
            f"linspace was asked for {count} numbers.", fix="num of at least 0", code="MT507"
        )
    if not any(map(is_engine_value, (start, stop))):
        low, high = _as_float(start), _as_float(stop)
        inner = _between(low, high, count, canonical_axis(axis, low.ndim + 1, "linspace"))
        return made(inner, "tf.linspace")
    lead = start if is_engine_value(start) else stop
    first, last = (
        value if is_engine_value(value) else beside(value, raw_dtype(lead))
        for value in (start, stop)
    )
    if raw_dtype(first).kind in "iu":
        first, last = cast(first, dtypes.float64), cast(last, dtypes.float64)
    return _between(first, last, count, canonical_axis(axis, len(lead.shape) + 1, "linspace"))


def _as_float(value: Any) -> Array:
    array = as_array(value, None)
    return array if dtypes.kind_of(array.dtype) == "f" else array.astype(np.float64)


def _between(start: Value, stop: Value, count: int, axis: int) -> Value:
    """TensorFlow's arrangement: both ends stay what they are, only what lies between is computed."""
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


def _one_hot_kernel(
    indices: Array, *, depth: int, on_value: Any, off_value: Any, axis: int, dtype: Any
) -> Array:
    before, after = indices.shape[:axis], indices.shape[axis:]
    line = np.arange(depth).reshape(depth, *(1,) * len(after))
    is_on = indices.reshape(*before, 1, *after) == line
    return np.where(is_on, dtype.type(on_value), dtype.type(off_value))


def _one_hot_batch(
    op: Primitive, _: Stacked, indices: Value, *, axis: int, **settings: Any
) -> Value:
    return op(indices, axis=axis + 1, **settings)


_one_hot: Primitive = Primitive(
    "OneHot",
    _one_hot_kernel,
    vjp=no_gradient(reason="an index picks a place, and there is no place between two places"),
    batch=_one_hot_batch,
    accepts="iu",
)


def one_hot(
    indices: Value,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Value:
    """For each index a row of zeros with a one in that place; all zeros if there is no such place.

    Args:
        indices: Whole numbers, any shape.
        depth: How long a row is.
        on_value: Instead of 1.
        off_value: Instead of 0; of the dtype of `on_value`.
        axis: Where the rows lie in the result; last by default.
        dtype: float32 by default, or that of `on_value`.
        name: Ignored.

    Raises:
        TypeError: `on_value`, `off_value` and `dtype` are not of one dtype.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/one_hot

    >>> one_hot([0, 2], 3).numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    x = as_operand(
        indices
        if is_engine_value(indices) or np.size(indices)
        else np.zeros(np.shape(indices), np.int32)
    )
    given = {
        role: dtypes.of(as_array(value, None))
        for role, value in (("on_value", on_value), ("off_value", off_value))
        if value is not None
    }
    wanted = (
        dtypes.as_dtype(dtype) if dtype is not None else next(iter(given.values()), dtypes.float32)
    )
    for role, have in given.items():
        if have != wanted:
            raise TapeTypeError(
                f"one_hot makes {wanted.name}, and its {role} is {have.name}.",
                fix=f"tf.cast({role}, tf.{wanted.name}), or dtype=tf.{have.name}",
                code="MT506",
            )
    return _one_hot(
        x,
        depth=whole_number(depth),
        on_value=1 if on_value is None else as_array(on_value, None).item(),
        off_value=0 if off_value is None else as_array(off_value, None).item(),
        axis=canonical_axis(-1 if axis is None else axis, len(x.shape) + 1, "one_hot"),
        dtype=wanted.numpy,
    )

"""Create tensors.

zeros, ones, eye         new values, so there is nothing to differentiate
zeros_like, ones_like    use only the shape of another value, so not differentiable
one_hot                  indices as rows with a single 1; not differentiable
fill                     repeat a scalar: differentiable
"""

from typing import Any

import numpy as np

from minitape.core import dtypes, events, listeners
from minitape.core.convert import as_array, as_operand, is_engine_value
from minitape.core.declaration import ANY, NON_STRING_KINDS, no_gradient
from minitape.core.primitive import Primitive
from minitape.core.registry import SYNTAX
from minitape.core.tensor import Tensor
from minitape.core.unsupported_arguments import refuse
from minitape.core.values import Array, Ints, Value, zeros_of
from minitape.errors import InvalidArgumentError, TapeTypeError
from minitape.ops.axes import as_ints, as_sizes, canonical_axis, whole_number
from minitape.ops.broadcasting import _broadcast, _sum
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import Stacked, leading_axes


def made(array: Array, how: str) -> Tensor:
    """Return an array created by a TensorFlow function as a tensor, and send the event."""
    tensor = Tensor(array if array.ndim else array[()])
    if listeners.active:
        listeners.emit(events.Entered(tensor, array, how))
    return tensor


def restored(array: Array) -> Tensor:
    """Return a tensor from a pickle, which refers to this function so that the ops are imported too."""
    return Tensor(array)


SYNTAX["restored"] = restored


DEVICES = "minitape has one device, so a tensor cannot be distributed."

# --- in the shape of another value ---


def _zeros_kernel(x: Array, *, dtype: Any = None) -> Array:
    wanted = x.dtype if dtype is None else dtype
    return zeros_of(wanted, x.shape) if x.ndim or wanted.kind == "O" else wanted.type(0)


zeros_like: Primitive = Primitive(
    "ZerosLike",
    _zeros_kernel,
    vjp=no_gradient(
        reason="its result is 0 for every value of the input, because only the shape is used"
    ),
    batch=leading_axes,
    dtype_kinds=ANY,
)


def _ones_kernel(x: Array, *, dtype: Any = None) -> Array:
    wanted = x.dtype if dtype is None else dtype
    return np.ones(x.shape, wanted) if x.ndim else wanted.type(1)


ones_like: Primitive = Primitive(
    "OnesLike",
    _ones_kernel,
    vjp=no_gradient(
        reason="its result is 1 for every value of the input, because only the shape is used"
    ),
    batch=leading_axes,
    dtype_kinds=NON_STRING_KINDS,
)


def zeros_like_for_users(
    input: Value, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Value:
    """Return zeros in the shape of `input`.

    Args:
        input: A tensor of any shape and dtype.
        dtype: The dtype of the zeros; by default the dtype of `input`.
        name: Ignored.
        layout: Not supported.

    Returns:
        A tensor of zeros.

    Raises:
        TypeError: `layout` is given.

    Gradient: There is none, because only the shape of `input` is used.

    Source: https://www.tensorflow.org/api_docs/python/tf/zeros_like
    """
    refuse("zeros_like", DEVICES, layout=layout)
    if dtype is None:
        return zeros_like(as_operand(input))
    return zeros_like(as_operand(input), dtype=dtypes.as_dtype(dtype).numpy)


def ones_like_for_users(
    input: Value, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Value:
    """Return ones in the shape of `input`.

    Args:
        input: A tensor of any shape with a number dtype or bool.
        dtype: The dtype of the ones; by default the dtype of `input`.
        name: Ignored.
        layout: Not supported.

    Returns:
        A tensor of ones.

    Raises:
        TypeError: the dtype is `string`, or `layout` is given.
        InvalidArgumentError: `input` is a string.

    Gradient: There is none, because only the shape of `input` is used.

    Source: https://www.tensorflow.org/api_docs/python/tf/ones_like
    """
    refuse("ones_like", DEVICES, layout=layout)
    if dtype is None:
        return ones_like(as_operand(input))
    return ones_like(as_operand(input), dtype=_with_a_one(dtype).numpy)


# --- from a shape ---


def zeros(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """Return zeros in a given shape.

    Args:
        shape: A list, tuple or integer tensor; an integer for a single axis.
        dtype: float32 by default.
        name: Ignored.
        layout: Not supported.

    Returns:
        A tensor of zeros; of empty strings for the dtype `string`.

    Raises:
        TypeError: a size is not an integer, or `layout` is given.
        InvalidArgumentError: a size is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/zeros

    >>> zeros([2])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([0., 0.], dtype=float32)>
    """
    refuse("zeros", DEVICES, layout=layout)
    return made(zeros_of(dtypes.as_dtype(dtype).numpy, as_sizes(shape)), "tf.zeros")


def ones(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """Return ones in a given shape.

    Args:
        shape: A list, tuple or integer tensor; an integer for a single axis.
        dtype: float32 by default.
        name: Ignored.
        layout: Not supported.

    Returns:
        A tensor of ones.

    Raises:
        TypeError: a size is not an integer, the dtype is `string`, or `layout` is given.
        InvalidArgumentError: a size is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/ones
    """
    refuse("ones", DEVICES, layout=layout)
    return made(np.ones(as_sizes(shape), _with_a_one(dtype).numpy), "tf.ones")


def _with_a_one(dtype: Any) -> dtypes.DType:
    wanted = dtypes.as_dtype(dtype)
    if wanted == dtypes.string:
        raise TapeTypeError(
            "The dtype `string` has no value 1.", fix="use `tf.fill(shape, 'text')`"
        )
    return wanted


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Return the identity matrix.

    Args:
        num_rows: The number of rows.
        num_columns: The number of columns; by default the number of rows.
        batch_shape: Leading axes, along which the matrix is repeated.
        dtype: float32 by default.
        name: Ignored.

    Returns:
        A tensor of shape batch_shape + [num_rows, num_columns].

    Raises:
        TypeError: the dtype is `string`.
        InvalidArgumentError: a size is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/eye
    """
    rows, columns = as_sizes([num_rows, num_rows if num_columns is None else num_columns])
    matrix = np.eye(rows, columns, dtype=_with_a_one(dtype).numpy)
    if batch_shape is not None:
        matrix = np.broadcast_to(matrix, (*as_ints(batch_shape), *matrix.shape)).copy()
    return made(matrix, "tf.eye")


def fill(dims: Any, value: Value, name: str | None = None, layout: Any = None) -> Value:
    """Return a tensor whose elements are all equal to a scalar.

    Args:
        dims: The shape.
        value: A scalar of any dtype.
        name: Ignored.
        layout: Not supported.

    Returns:
        A tensor of shape `dims`, with the dtype of `value`.

    Raises:
        InvalidArgumentError: `value` is not a scalar, or a size is negative.
        TypeError: `layout` is given.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is the sum over all elements. The tape
    keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/fill
    """
    refuse("fill", DEVICES, layout=layout)
    x = as_operand(value)
    if tuple(x.shape) == (1,):  # as in TensorFlow
        x = _reshape(x, shape=())
    if len(x.shape):
        raise InvalidArgumentError(
            f"`fill` repeats a scalar, but got a value of shape {tuple(x.shape)}.",
            fix="use `tf.broadcast_to(value, shape)`",
            code="MT507",
        )
    return _fill(x, shape=as_sizes(dims))


def _fill_batch(op: Primitive, _: Stacked, x: Value, *, shape: Ints) -> Value:
    count = x.shape[0]
    return _broadcast(_reshape(x, shape=(count, *(1,) * len(shape))), shape=(count, *shape))


_fill: Primitive = Primitive(
    "Fill",
    lambda x, *, shape: np.full(shape, x),
    vjp=(lambda ybar, y, x, shape: _sum(ybar, axis=tuple(range(len(shape))), keepdims=False),),
    batch=_fill_batch,
    rule="x̄ = the sum of ȳ over all elements",
    dtype_kinds=ANY,
)


def _one_hot_kernel(
    indices: Array, *, depth: int, on_value: Any, off_value: Any, axis: int, dtype: Any
) -> Array:
    before, after = indices.shape[:axis], indices.shape[axis:]
    line = np.arange(depth).reshape(depth, *(1,) * len(after))
    is_on = indices.reshape(*before, 1, *after) == line
    return np.where(is_on, np.array(on_value, dtype), np.array(off_value, dtype))


def _one_hot_batch(
    op: Primitive, _: Stacked, indices: Value, *, axis: int, **settings: Any
) -> Value:
    return op(indices, axis=axis + 1, **settings)


_one_hot: Primitive = Primitive(
    "OneHot",
    _one_hot_kernel,
    vjp=no_gradient(reason="its input is an index, and indices are integers"),
    batch=_one_hot_batch,
    dtype_kinds="iu",
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
    """Return for each index a row of zeros with a 1 at this index; if the index is out of range, the row has only zeros.

    Args:
        indices: Integers, any shape.
        depth: The length of a row.
        on_value: The scalar that is used instead of 1.
        off_value: The scalar that is used instead of 0, with the dtype of `on_value`.
        axis: The position of the new axis; the last by default.
        dtype: By default float32, or the dtype of `on_value`.
        name: Ignored.

    Returns:
        A tensor with the shape of `indices` and a new axis of size `depth`.

    Raises:
        TypeError: the dtypes of `on_value`, `off_value` and `dtype` differ, or one of two strings is missing.

    Gradient: There is none, because indices are integers.

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
    if len(given) < 2:
        _with_a_one(wanted)
    if whole_number(depth) < 0:
        raise InvalidArgumentError(f"`one_hot` got the negative depth {depth}.", code="MT507")
    for role, have in given.items():
        if have != wanted:
            raise TapeTypeError(
                f"`one_hot` has dtype {wanted.name}, but its {role} is {have.name}.",
                fix=f"use `tf.cast({role}, tf.{wanted.name})`, or pass `dtype=tf.{have.name}`",
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

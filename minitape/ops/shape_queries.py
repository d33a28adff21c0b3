"""The shape, size and rank of values as integer tensors, which are not differentiable.

shape, size, rank                                  of one value
shape_n                                            of several values
broadcast_static_shape, broadcast_dynamic_shape    of two values that broadcast
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import listed
from minitape.core.batched import Batched
from minitape.core.convert import as_operand
from minitape.core.declaration import ANY, no_gradient
from minitape.core.primitive import Primitive
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import as_ints
from minitape.ops.creation import made


def _shape_kernel(x: Array, *, out_type: Any) -> Array:
    return np.array(x.shape, out_type)


_shape: Primitive = Primitive(
    "Shape",
    _shape_kernel,
    vjp=no_gradient(reason="its result is a shape, which does not depend on the values"),
    dtype_kinds=ANY,
)

_size: Primitive = Primitive(
    "Size",
    lambda x, *, out_type: out_type.type(x.size),
    vjp=no_gradient(reason="its result is a count, which does not depend on the values"),
    dtype_kinds=ANY,
)

_rank: Primitive = Primitive(
    "Rank",
    lambda x: np.int32(x.ndim),
    vjp=no_gradient(reason="its result is a count, which does not depend on the values"),
    dtype_kinds=ANY,
)


def _one_of(x: Value) -> Value:
    """Return one value of a batch, because all have the same shape."""
    return x.stack[0] if type(x) is Batched else x


def shape(input: Value, out_type: Any = None, name: str | None = None) -> Value:
    """Return the shape of `input` as an integer tensor.

    Args:
        input: A tensor, or a value that can be converted to a tensor.
        out_type: int32 by default.
        name: Ignored.

    Returns:
        A vector with one element for each axis.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/shape
    """
    return _shape(_one_of(as_operand(input)), out_type=_whole(out_type))


def size(input: Value, out_type: Any = None, name: str | None = None) -> Value:
    """Return the number of elements of `input`.

    Args:
        input: A tensor, or a value that can be converted to a tensor.
        out_type: int32 by default.
        name: Ignored.

    Returns:
        A scalar.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/size
    """
    return _size(_one_of(as_operand(input)), out_type=_whole(out_type))


def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Value]:
    """Return the shapes of several values.

    Args:
        input: A list of values.
        out_type: int32 by default.
        name: Ignored.

    Returns:
        A list of integer vectors.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/shape_n
    """
    return [shape(each, out_type) for each in listed(input, "input")]


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """Return the shape to which two shapes broadcast.

    Args:
        shape_x: A shape.
        shape_y: A shape.

    Raises:
        ValueError: the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/broadcast_static_shape
    """
    first, second = as_ints(shape_x), as_ints(shape_y)
    try:
        return TensorShape(np.broadcast_shapes(first, second))
    except ValueError:
        raise TapeValueError(
            f"Incompatible shapes for broadcasting: {first} and {second}.",
            fix="use sizes that are equal or 1, aligned at the last axis",
            code="MT507",
        ) from None


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """Return the shape to which two shapes broadcast, as an integer tensor.

    Args:
        shape_x: An integer vector.
        shape_y: An integer vector.

    Raises:
        InvalidArgumentError: the shapes do not broadcast.

    Gradient: There is none.

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
    """Return the number of axes of `input`.

    Args:
        input: A tensor, or a value that can be converted to a tensor.
        name: Ignored.

    Returns:
        A scalar int32.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/rank
    """
    return _rank(_one_of(as_operand(input)))


def _whole(dtype: Any) -> Any:
    return (dtypes.int32 if dtype is None else dtypes.as_dtype(dtype)).numpy

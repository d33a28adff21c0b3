"""Ops that keep all elements and change only their arrangement.

    reshape the elements in order, in a different shape; also expand_dims and squeeze
    transpose    the axes in a different order

The gradient of a reshape is a reshape, and the gradient of a transpose is a transpose.
"""

import math
from typing import Any

import numpy as np

from minitape.core.convert import as_operand
from minitape.core.declaration import ANY
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Array, Ints, Value
from minitape.errors import AxisError, InvalidArgumentError
from minitape.ops.axes import as_ints, canonical_axis
from minitape.ops.rules import Stacked


def _reshape_kernel(x: Array, *, shape: Ints) -> Array:
    return x.reshape(shape)


def _reshape_batch(op: Primitive, _: Stacked, x: Value, *, shape: Ints) -> Value:
    return op(x, shape=(x.shape[0], *shape))


_reshape: Primitive = Primitive(
    "Reshape",
    _reshape_kernel,
    vjp=(lambda ybar, y, x, shape: _reshape(ybar, shape=tuple(x.shape)),),
    batch=_reshape_batch,
    rule="x̄ = ȳ in the shape of x",
    dtype_kinds=ANY,
)


def reshape(tensor: Value, shape: Any, name: str | None = None) -> Value:
    """Return the elements in a different shape.

    Args:
        tensor: A tensor of any shape and dtype.
        shape: The new shape; one size may be -1, which is then computed.
        name: Ignored.

    Returns:
        A tensor of shape `shape` and the dtype of `tensor`.

    Raises:
        InvalidArgumentError: the number of elements differs.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/reshape
    """
    x = as_operand(tensor)
    wanted = as_ints(shape)
    size = int(np.prod(x.shape, dtype=np.int64))
    if wanted.count(-1) == 1:
        known = -int(np.prod(wanted, dtype=np.int64))
        if known and size % known == 0:
            wanted = tuple(size // known if each == -1 else each for each in wanted)
        elif not known and not size:
            # With a size of 0, -1 could be anything, so the other sizes have to agree.
            have = math.prod(each for each in x.shape if each)
            rest = math.prod(each for each in wanted if each > 0)
            wanted = tuple(have // rest if each == -1 else each for each in wanted)
    if wanted.count(-1) > 1:
        raise InvalidArgumentError(
            f"Only one input size may be -1, but the requested shape is {list(wanted)}.",
            fix=f"use -1 at only one position of a shape for {size} values",
            code="MT507",
        )
    if -1 in wanted or int(np.prod(wanted, dtype=np.int64)) != size:
        raise InvalidArgumentError(
            f"Input to reshape is a tensor with {size} values, but the requested shape has "
            f"{abs(int(np.prod(wanted, dtype=np.int64)))} ({list(as_ints(shape))}).",
            fix=f"use a shape with the product {size}, or -1 at one position",
            code="MT507",
        )
    return _reshape(x, shape=wanted)


def expand_dims(input: Value, axis: Any, name: str | None = None) -> Value:
    """Insert an axis of size 1.

    Args:
        input: A tensor of any shape and dtype.
        axis: The index of the new axis in the result.
        name: Ignored.

    Returns:
        The same elements with one more axis.

    Raises:
        InvalidArgumentError: `axis` is out of range, or is not a scalar.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/expand_dims
    """
    x = as_operand(input)
    shape = list(x.shape)
    rank = len(shape)
    positions = as_ints(axis)
    if len(positions) != 1 or not -rank - 1 <= positions[0] <= rank:
        raise AxisError(
            f"`expand_dims` got axis {axis!r} for an input of rank {rank}.",
            fix=f"pass a position for the new axis from {-rank - 1} to {rank}",
            code="MT507",
        )
    shape.insert(positions[0] % (rank + 1), 1)
    return _reshape(x, shape=tuple(shape))


def squeeze(input: Value, axis: Any = None, name: str | None = None) -> Value:
    """Remove axes of size 1.

    Args:
        input: A tensor of any shape and dtype.
        axis: One axis or several; None for all axes of size 1.
        name: Ignored.

    Returns:
        The same elements without these axes.

    Raises:
        InvalidArgumentError: a given axis does not have size 1.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/squeeze
    """
    x = as_operand(input)
    shape = tuple(x.shape)
    if axis is None or axis == []:
        return _reshape(x, shape=tuple(size for size in shape if size != 1))
    axes = {canonical_axis(each, len(shape), "squeeze") for each in as_ints(axis)}
    for each in axes:
        if shape[each] != 1:
            raise InvalidArgumentError(
                f"`squeeze` cannot remove axis {each}, which has size {shape[each]}.",
                fix="use an axis of size 1; for a longer axis, use `tf.reduce_sum` or an index",
                code="MT507",
            )
    return _reshape(x, shape=tuple(size for i, size in enumerate(shape) if i not in axes))


def _transpose_batch(op: Primitive, _: Stacked, x: Value, *, perm: Ints) -> Value:
    return op(x, perm=(0, *(p + 1 for p in perm)))


def _transpose_vjp(ybar: Value, y: Value, x: Value, *, perm: Ints) -> Value:
    return _transpose(ybar, perm=tuple(map(perm.index, range(len(perm)))))


_transpose: Primitive = Primitive(
    "Transpose",
    lambda x, *, perm: x.transpose(perm),
    vjp=(_transpose_vjp,),
    batch=_transpose_batch,
    rule="x̄ = ȳ with the axes in their original order",
    dtype_kinds=ANY,
)


def transpose(
    a: Value, perm: Any = None, conjugate: bool = False, name: str = "transpose"
) -> Value:
    """Permute the axes.

    Args:
        a: A tensor of any shape and dtype.
        perm: The axes in their new order; None for the reversed order.
        conjugate: Whether to return the complex conjugate.
        name: Ignored.

    Returns:
        The same elements with permuted axes.

    Raises:
        InvalidArgumentError: `perm` does not contain each axis once.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/transpose
    """
    x = as_operand(a)
    rank = len(x.shape)
    order = tuple(reversed(range(rank))) if perm is None else as_ints(perm)
    if sorted(order) != list(range(rank)):
        raise InvalidArgumentError(
            f"`transpose` got `perm={list(order)}` for an input of rank {rank}.",
            fix=f"pass a `perm` that contains each of {list(range(rank))} once",
            code="MT507",
        )
    turned = _transpose(x, perm=order)
    return PRIMITIVES["Conj"](turned) if conjugate else turned


def moved_to_front(value: Value, axis: int) -> Value:
    """Return the value with `axis` first and the other axes in their order."""
    others = [i for i in range(len(value.shape)) if i != axis]
    return _transpose(value, perm=(axis, *others))

"""Ops that select elements by index or by condition, and their transposes.

    where                       select from two values by a condition, element by element
    gather ↔ UnsortedRows       rows of a table by index; add rows at their indices (IndexedSlices)
    boolean_mask                the rows for which a mask is true
    repeat                      repeat rows

Selection by several coordinates is in `coordinates.py`.

Gradients flow through the values, not through the indices and conditions.
"""

import math
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import as_array, as_operand, is_engine_value
from minitape.core.declaration import ANY, no_gradient
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import AxisError, InvalidArgumentError, TapeTypeError, TapeValueError
from minitape.ops.axes import canonical_axis, whole_number
from minitape.ops.broadcasting import sum_to
from minitape.ops.reshaping import _reshape, _transpose, moved_to_front, squeeze
from minitape.ops.rules import Stacked, elementwise, one_by_one

WHOLE = "iu"

# --- by condition ---


def _zero(like: Value) -> Array:
    return raw_dtype(like).type(0)


_select: Primitive = Primitive(
    "SelectV2",
    np.where,
    vjp=(
        None,
        lambda ybar, y, condition, a, b: sum_to(_select(condition, ybar, _zero(ybar)), a),
        lambda ybar, y, condition, a, b: sum_to(_select(condition, _zero(ybar), ybar), b),
    ),
    batch=elementwise,
    residuals=("", "a", "a"),
    rule="ā = ȳ where the condition holds   b̄ = ȳ where it does not hold",
    dtype_kinds="b",
    same_dtype_args=(1, 2),
)

_positions: Primitive = Primitive(
    "Where",
    lambda condition: np.argwhere(condition).astype(np.int64),
    vjp=no_gradient(
        reason="its result consists of indices, which stay constant or jump as the values change"
    ),
    dtype_kinds=ANY,
)


def where(condition: Value, x: Any = None, y: Any = None, name: str | None = None) -> Value:
    """Return elements of `x` where `condition` is true, and of `y` elsewhere; without `x` and `y`, return the indices of the true
    elements.

    Both branches are computed before the selection, and both get a cotangent: 0 where not selected. If the derivative of a
    branch is infinite there, 0·inf gives NaN, so guard the input of the branch, not its output.

    Args:
        condition: bool, any shape.
        x: Broadcasts with the others.
        y: A tensor with the dtype of `x`, which broadcasts with `condition` and `x`.
        name: Ignored.

    Returns:
        A tensor with the broadcast shape and the dtype of `x`; without `x` and `y`, int64 indices of shape [count, rank].

    Raises:
        ValueError: one of `x` and `y` is missing.
        InvalidArgumentError: the shapes or dtypes do not fit, or there is only a condition, and it has rank 0.
        TypeError: `condition` is a list of numbers.

    Gradient: Derivatives of any order are supported, including batched ones. The indices have no gradient. The tape keeps the
    condition.

    Source: https://www.tensorflow.org/api_docs/python/tf/where
    """
    if x is None and y is None:
        where_true = as_operand(condition)
        if not len(where_true.shape):
            raise InvalidArgumentError(
                "`tf.where` returns the indices of the true elements, but got a scalar.",
                fix="use `tf.where(condition, x, y)` or `tf.where([condition])`",
                code="MT507",
            )
        return _positions(where_true)
    if x is None or y is None:
        raise TapeValueError(
            "x and y must both be non-None or both be None.", fix="use `tf.where(condition, x, y)`"
        )
    if not is_engine_value(condition):
        condition = as_operand(condition, dtype=dtypes.bool_)
    if not any(map(is_engine_value, (x, y))):
        x = as_operand(x)  # the op converts y to its dtype
    return _select(condition, x, y)


# --- by index ---


def _stack_last(
    op: Primitive, stack: Value, *, others: tuple[Value, ...], first: bool, **settings: Any
) -> Value:
    """Run an op on a batch by making the batch the last axis; the op must not change trailing axes."""
    rank = len(stack.shape)
    last = _transpose(stack, perm=(*range(1, rank), 0))
    answer = op(last, *others, **settings) if first else op(*others, last, **settings)
    return moved_to_front(answer, len(answer.shape) - 1)


def check_rows(indices: Array, count: int) -> None:
    """Raise an error unless the indices are integers from 0 to count - 1.

    Raises:
        InvalidArgumentError: an index is not an integer, or is out of range.
    """
    if indices.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"Indices must be integers, but are {dtypes.of(indices).name}.",
            fix="use `tf.cast(indices, tf.int32)`",
            code="MT506",
        )
    # As an unsigned integer, a negative index is larger than any count, so one comparison finds all indices that are out of
    # range.
    if indices.size and indices.view(f"u{indices.itemsize}").max() >= count:
        outside = (indices < 0) | (indices >= count)
        position = np.argwhere(outside)[0].tolist()
        number = np.asarray(indices)[tuple(position)]
        raise InvalidArgumentError(
            f"indices{position if position else ''} = {number} is not in [0, {count}).",
            fix=f"use indices from 0 to {count - 1}",
            code="MT507",
        )


def _gather_kernel(params: Array, indices: Array, *, axis: int) -> Array:
    check_rows(indices, params.shape[axis])
    return params.take(indices, axis=axis)


def _gather_vjp(ybar: Value, y: Value, params: Value, indices: Value, *, axis: int) -> Value:
    """Return the cotangent of the table: row i of ȳ belongs to row indices[i]."""
    shape = tuple(params.shape)
    count = math.prod(indices.shape)
    positions = _reshape(indices, shape=(count,))
    rows = _reshape(ybar, shape=(*shape[:axis], count, *shape[axis + 1 :]))
    if axis == 0 and type(ybar) is not Batched:
        return IndexedSlices(rows, positions, np.array(shape, np.int32))
    if axis == 0:
        return unsorted_rows(rows, positions, shape=shape)
    in_front = (shape[axis], *shape[:axis], *shape[axis + 1 :])
    table = unsorted_rows(moved_to_front(rows, axis), positions, shape=in_front)
    return _transpose(table, perm=(*range(1, axis + 1), 0, *range(axis + 1, len(shape))))


def _gather_batch(
    op: Primitive, stacked: Stacked, params: Value, indices: Value, *, axis: int
) -> Value:
    if stacked == (True, False):
        return op(params, indices, axis=axis + 1)
    return one_by_one(op, stacked, params, indices, axis=axis)


_gather: Primitive = Primitive(
    "GatherV2",
    _gather_kernel,
    vjp=(_gather_vjp, None),
    batch=_gather_batch,
    residuals=("b", ""),
    rule="x̄[indices[i]] += ȳ[i]",
    dtype_kinds=ANY,
    same_dtype_args=(0,),
)


def gather(
    params: Value,
    indices: Value,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Value:
    """Return rows of `params` by index.

    Args:
        params: The table; rank at least 1.
        indices: A tensor of non-negative integers of any shape.
        validate_indices: Ignored, because indices are always checked.
        axis: The axis of the rows; `batch_dims` by default.
        batch_dims: The number of leading axes that `params` and `indices` share; negative counts from the rank of `indices`.
            Ignored for `axis=0`, as in TensorFlow.
        name: Ignored.

    Returns:
        A tensor of shape params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:].

    Raises:
        InvalidArgumentError: an index is out of range, or the batches do not fit.

    Gradient: Derivatives of any order are supported, including batched ones. If a source is indexed along axis 0, the gradient is
    an `IndexedSlices` object with only the rows that were read.

    Source: https://www.tensorflow.org/api_docs/python/tf/gather
    """
    table, positions = as_operand(params), as_operand(indices)
    rank = len(positions.shape)
    given = whole_number(batch_dims)
    shared = rank + given if given < 0 else given
    along = canonical_axis(batch_dims if axis is None else axis, len(table.shape), "gather")
    if not shared or (axis is not None and whole_number(axis) == 0):
        return _gather(table, positions, axis=along)
    if not 0 < shared <= min(rank, along):
        raise AxisError(
            f"`gather` got `batch_dims={batch_dims}`, which is not valid for indices of rank {rank} and `axis={along}`.",
            fix=f"use `batch_dims` from 0 to {min(rank, along)}",
            code="MT507",
        )
    if tuple(table.shape[:shared]) != tuple(positions.shape[:shared]):
        raise InvalidArgumentError(
            f"`gather` got `params` with batches of shape {tuple(table.shape[:shared])}, but `indices` with batches "
            f"of shape {tuple(positions.shape[:shared])}.",
            code="MT507",
        )
    return _gather_in_batches(table, positions, along, shared)


def _gather_in_batches(params: Value, indices: Value, axis: int, batch_dims: int) -> Value:
    """Gather from all batches as one long table: batch b starts at row b times the number of its rows."""
    shape, positions = tuple(params.shape), tuple(indices.shape)
    length, batch = shape[axis], shape[:batch_dims]
    between, behind = shape[batch_dims:axis], shape[axis + 1 :]
    rank, inner = len(shape), len(positions) - batch_dims
    order = (*range(batch_dims), axis, *(i for i in range(batch_dims, rank) if i != axis))
    batches = int(np.prod(batch, dtype=np.int64))
    table = _reshape(_transpose(params, perm=order), shape=(batches * length, *between, *behind))
    starts = (np.arange(batches) * length).reshape(*batch, *(1,) * inner)
    rows = _gather(table, indices + starts.astype(raw_dtype(indices)), axis=0)
    first, middle = batch_dims + inner, batch_dims + inner + len(between)
    back = (
        *range(batch_dims),
        *range(first, middle),
        *range(batch_dims, first),
        *range(middle, middle + len(behind)),
    )
    return _transpose(rows, perm=back)


def _rows_kernel(values: Array, indices: Array, *, shape: Ints) -> Array:
    check_rows(indices, shape[0])
    table = np.zeros((shape[0], *values.shape[1:]), values.dtype)
    np.add.at(table, indices, values)
    return table


def _rows_batch(
    op: Primitive, stacked: Stacked, values: Value, indices: Value, *, shape: Ints
) -> Value:
    if stacked == (True, False):
        return _stack_last(op, values, others=(indices,), first=True, shape=shape)
    return one_by_one(op, stacked, values, indices, shape=shape)


unsorted_rows: Primitive = Primitive(
    "UnsortedRows",
    _rows_kernel,
    vjp=(lambda ybar, y, values, indices, shape: _gather(ybar, indices, axis=0), None),
    batch=_rows_batch,
    residuals=("b", ""),
    rule="the row of ȳ to which each row was added",
    same_dtype_args=(0,),
)

# --- by mask ---


def boolean_mask(tensor: Value, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Value:
    """Return the rows of `tensor` for which `mask` is true.

    Args:
        tensor: Any dtype.
        mask: A bool tensor, whose shape is the shape of `tensor` starting at `axis`.
        axis: The first masked axis; 0 by default.
        name: Ignored.

    Returns:
        A tensor with the dtype of `tensor`, with the masked axes replaced by one axis.

    Raises:
        ValueError: the mask is a scalar, or its shape does not fit.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient of the other rows is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/boolean_mask
    """
    x, keep = as_operand(tensor), as_operand(mask)
    sizes, shape = tuple(keep.shape), tuple(x.shape)
    first = 0 if axis is None else whole_number(axis)
    behind = first + len(sizes)
    if not sizes or shape[first:behind] != sizes:
        raise TapeValueError(
            f"The mask of shape {sizes} does not fit axes {first} to {behind - 1} of shape {shape}.",
            fix=f"use a mask of shape {shape[: max(len(sizes), 1)]}",
            code="MT507",
        )
    count = int(np.prod(sizes, dtype=np.int64))
    flat = _reshape(x, shape=(*shape[:first], count, *shape[behind:]))
    positions = squeeze(_positions(_reshape(keep, shape=(count,))), axis=[1])
    return _gather(flat, positions, axis=first)


def repeat(input: Value, repeats: Any, axis: Any = None, name: str | None = None) -> Value:
    """Repeat each element along an axis.

    Args:
        input: Any dtype.
        repeats: The number of repetitions; one integer for all elements, or one for each element.
        axis: The axis along which to repeat; by default the input is flattened.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input`, in which `axis` is longer.

    Raises:
        TypeError: `repeats` are not integers.
        InvalidArgumentError: one of them is negative.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is the sum over the repetitions.

    Source: https://www.tensorflow.org/api_docs/python/tf/repeat
    """
    x = as_operand(input)
    if axis is None:
        count = int(np.prod(x.shape, dtype=np.int64))
        x, axis = _reshape(x, shape=(count,)), 0
    along = canonical_axis(axis, len(x.shape), "repeat")
    counts = as_array(repeats, None)
    if counts.dtype.kind not in "iu":
        raise TapeTypeError(
            f"`repeats` must contain integers, but is {repeats!r}.", fix="pass `repeats=2`"
        )
    if np.any(counts < 0):
        raise InvalidArgumentError(f"`repeats` must be >= 0, but is {repeats!r}.")
    positions = np.repeat(np.arange(x.shape[along]), counts)
    return _gather(_reshape(x, shape=tuple(x.shape)), positions, axis=along)

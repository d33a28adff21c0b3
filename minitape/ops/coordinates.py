"""Ops that select elements by their coordinates, and their transposes.

    gather_nd ↔ scatter_nd                   select elements by coordinates; add elements at coordinates
    tensor_scatter_nd_update                 a copy with some elements replaced
    tensor_scatter_nd_add, _sub, _max, _min  a copy in which some elements are combined with updates

Gradients flow through the values, not through the indices.
"""

from typing import Any

import numpy as np

from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import ANY
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.unsupported_arguments import refuse
from minitape.core.values import Array, Ints, Value, zeros_of
from minitape.errors import InvalidArgumentError
from minitape.ops.axes import as_sizes, sizes_of, whole_number
from minitape.ops.comparison import equal
from minitape.ops.indexing import (
    WHOLE,
    _select,
    _stack_last,
    check_rows,
)
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import Stacked, one_by_one


def _coordinates(indices: Array, shape: Ints) -> tuple[Array, ...]:
    """Return the last axis of `indices` as one index array for each axis of the indexed array."""
    if not indices.ndim or indices.shape[-1] > len(shape):
        raise InvalidArgumentError(
            f"The last axis of `indices` can have at most {len(shape)} elements for shape {shape}, but `indices` has shape "
            f"{indices.shape}.",
            fix="pass one row of coordinates for each element, such as `[[i], [j]]` for a vector",
            code="MT507",
        )
    columns = tuple(np.moveaxis(np.asarray(indices), -1, 0))
    for column, size in zip(columns, shape):
        check_rows(column, size)
    return columns


def _gather_nd_vjp(ybar: Value, y: Value, params: Value, indices: Value) -> Value:
    shape, positions = tuple(params.shape), tuple(indices.shape)
    if len(positions) == 2 and positions[1] == 1 and type(ybar) is not Batched:
        return IndexedSlices(
            ybar, _reshape(indices, shape=positions[:1]), np.array(shape, np.int32)
        )
    return _scatter_nd(indices, ybar, shape=shape)


def _gather_nd_batch(op: Primitive, stacked: Stacked, params: Value, indices: Value) -> Value:
    if stacked == (True, False):
        return _stack_last(op, params, others=(indices,), first=True)
    return one_by_one(op, stacked, params, indices)


_gather_nd: Primitive = Primitive(
    "GatherNd",
    lambda params, indices: params[_coordinates(indices, params.shape)],
    vjp=(_gather_nd_vjp, None),
    batch=_gather_nd_batch,
    residuals=("b", ""),
    rule="x̄[indices[i]] += ȳ[i]",
    dtype_kinds=ANY,
    same_dtype_args=(0,),
)


def _check_policy(function: str, policy: str) -> None:
    given = None if isinstance(policy, str) and policy in ("DEFAULT", "ERROR") else policy
    refuse(
        function, "an index that is out of range always raises an error.", bad_indices_policy=given
    )


def gather_nd(
    params: Value,
    indices: Value,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Value:
    """Return elements, or whole slices, by their coordinates.

    Args:
        params: Any dtype; rank at least 1.
        indices: An integer tensor of shape [..., d]: each vector along the last axis contains the first d coordinates of an
            element or slice.
        batch_dims: The number of leading axes that `params` and `indices` share.
        name: Ignored.
        bad_indices_policy: "", "DEFAULT" or "ERROR": an index that is out of range is always an error.

    Returns:
        A tensor of shape indices.shape[:-1] + params.shape[d:] without batch axes.

    Raises:
        InvalidArgumentError: an index is out of range.
        TypeError: `bad_indices_policy` is any other string.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/gather_nd
    """
    _check_policy("gather_nd", bad_indices_policy)
    x, positions = as_operand(params), as_operand(indices)
    return _gather_nd(
        x, _with_batch(positions, whole_number(batch_dims)) if batch_dims else positions
    )


def _with_batch(indices: Value, batch_dims: int) -> Value:
    """Return the coordinates preceded by those of the batch: each element of a batch selects from its own slice."""
    shape = tuple(indices.shape)[:-1]
    own = np.moveaxis(np.indices(shape)[:batch_dims], 0, -1).astype(raw_dtype(indices))
    return PRIMITIVES["ConcatV2"](own, indices, axis=len(shape))


def _scatter_nd_kernel(indices: Array, updates: Array, *, shape: Ints) -> Array:
    # This uses the trailing axes of the updates, because a batch may follow the axes of `shape`.
    leading = indices.shape[-1]
    table = zeros_of(updates.dtype, (*shape[:leading], *updates.shape[indices.ndim - 1 :]))
    np.add.at(table, _coordinates(indices, shape), updates)
    return table


def _scatter_nd_batch(
    op: Primitive, stacked: Stacked, indices: Value, updates: Value, *, shape: Ints
) -> Value:
    if stacked == (False, True):
        return _stack_last(op, updates, others=(indices,), first=False, shape=shape)
    return one_by_one(op, stacked, indices, updates, shape=shape)


_scatter_nd: Primitive = Primitive(
    "ScatterNd",
    _scatter_nd_kernel,
    vjp=(None, lambda ybar, y, indices, updates, shape: _gather_nd(ybar, indices)),
    batch=_scatter_nd_batch,
    residuals=("", "a"),
    rule="the element of ȳ to which each value was added",
    dtype_kinds=WHOLE,
    same_dtype_args=(1,),
)


def _checked(indices: Value, updates: Value, shape: Ints, op: str) -> tuple[Value, Value]:
    """Return both inputs if there is one update for each row of coordinates."""
    positions, values = as_operand(indices), updates if op != "scatter_nd" else as_operand(updates)
    deep = positions.shape[-1] if len(positions.shape) else 0
    wanted = (*positions.shape[:-1], *shape[deep:])
    if not len(positions.shape) or deep > len(shape) or sizes_of(values) != wanted:
        raise InvalidArgumentError(
            f"`{op}` got indices of shape {tuple(positions.shape)} and updates of shape {sizes_of(values)} for a "
            f"value of shape {shape}.",
            fix=f"pass `updates` of shape {wanted}"
            if 0 < deep <= len(shape)
            else "pass `indices=[[i], [j]]` for a vector",
            code="MT507",
        )
    return positions, values


def scatter_nd(
    indices: Value,
    updates: Value,
    shape: Any,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Value:
    """Return zeros with `updates` added at their coordinates; updates with equal coordinates are summed.

    Args:
        indices: An integer tensor of shape [..., d]: each vector along the last axis contains the first d coordinates of an
            update.
        updates: A tensor of shape indices.shape[:-1] + shape[d:].
        shape: The shape of the result.
        bad_indices_policy: "", "DEFAULT" or "ERROR": an index that is out of range is always an error.
        name: Ignored.

    Returns:
        A tensor of shape `shape` and the dtype of `updates`.

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
        TypeError: `bad_indices_policy` is any other string.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/scatter_nd
    """
    _check_policy("scatter_nd", bad_indices_policy)
    sizes = as_sizes(shape)
    return _scatter_nd(*_checked(indices, updates, sizes, "scatter_nd"), shape=sizes)


def _update_kernel(tensor: Array, indices: Array, updates: Array) -> Array:
    table = np.array(tensor)
    table[_coordinates(indices, table.shape)] = updates
    return table


_update: Primitive = Primitive(
    "TensorScatterUpdate",
    _update_kernel,
    vjp=(
        lambda ybar, y, x, indices, updates: _update(
            ybar, indices, np.zeros(updates.shape, raw_dtype(updates))
        ),
        None,
        lambda ybar, y, x, indices, updates: _gather_nd(ybar, indices),
    ),
    batch=one_by_one,
    residuals=("b", "", "b"),
    rule="ȳ with zeros at the updated positions; the updates receive the elements of ȳ at these positions",
    dtype_kinds=ANY,
    same_dtype_args=(0, 2),
)


def tensor_scatter_nd_update(
    tensor: Value, indices: Value, updates: Value, name: str | None = None
) -> Value:
    """Return a copy of `tensor` with `updates` at their coordinates. Unlike an assignment, a tape can record it.

    Args:
        tensor: A tensor of any shape and dtype.
        indices: Coordinates of shape [..., d], as in `scatter_nd`.
        updates: A tensor of shape indices.shape[:-1] + tensor.shape[d:].
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `tensor`.

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_update
    """
    x = as_operand(tensor, updates)
    positions, values = _checked(indices, updates, sizes_of(x), "tensor_scatter_nd_update")
    return _update(x, positions, values)


def tensor_scatter_nd_add(
    tensor: Value,
    indices: Value,
    updates: Value,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Value:
    """Return a copy of `tensor` with `updates` added at their coordinates.

    Args:
        tensor: A tensor of any shape with a number dtype.
        indices: Coordinates of shape [..., d], as in `scatter_nd`.
        updates: A tensor of shape indices.shape[:-1] + tensor.shape[d:].
        bad_indices_policy: What happens to an index that is out of range, as in `scatter_nd`.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `tensor`.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_add
    """
    _check_policy("tensor_scatter_nd_add", bad_indices_policy)
    x = as_operand(tensor)
    return x + scatter_nd(indices, as_operand(updates, dtype=x.dtype), x.shape)


def tensor_scatter_nd_sub(
    tensor: Value,
    indices: Value,
    updates: Value,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Value:
    """Return a copy of `tensor` with `updates` subtracted at their coordinates.

    Args:
        tensor: A tensor of any shape with a number dtype.
        indices: Coordinates of shape [..., d], as in `scatter_nd`.
        updates: A tensor of shape indices.shape[:-1] + tensor.shape[d:].
        bad_indices_policy: What happens to an index that is out of range, as in `scatter_nd`.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `tensor`.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_sub
    """
    _check_policy("tensor_scatter_nd_sub", bad_indices_policy)
    x = as_operand(tensor)
    return x - scatter_nd(indices, as_operand(updates, dtype=x.dtype), x.shape)


def _extreme_kernel(ufunc: Any) -> Any:
    def kernel(tensor: Array, indices: Array, updates: Array) -> Array:
        table = np.array(tensor)
        ufunc.at(table, _coordinates(indices, table.shape), updates)
        return table

    return kernel


def _one_where_equal(a: Value, b: Value) -> Value:
    dtype = raw_dtype(b).type
    return _select(equal(a, b), dtype(1), dtype(0))


def _winners(y: Value, tensor: Value, indices: Value, updates: Value) -> tuple[Value, Value, Value]:
    """Return for each position how many values equal the extreme, whether the tensor's element does, and which updates do."""
    stayed = _one_where_equal(tensor, y)
    reached = _one_where_equal(updates, _gather_nd(y, indices))
    many = stayed + _scatter_nd(indices, reached, shape=tuple(tensor.shape))
    return many, stayed, reached


def _unchanged_vjp(ybar: Value, y: Value, tensor: Value, indices: Value, updates: Value) -> Value:
    many, stayed, _ = _winners(y, tensor, indices, updates)
    return ybar / many * stayed


def _entered_vjp(ybar: Value, y: Value, tensor: Value, indices: Value, updates: Value) -> Value:
    many, _, reached = _winners(y, tensor, indices, updates)
    return _gather_nd(ybar / many, indices) * reached


_scatter_max: Primitive = Primitive(
    "TensorScatterMax",
    _extreme_kernel(np.maximum),
    vjp=(_unchanged_vjp, None, _entered_vjp),
    batch=one_by_one,
    residuals=("abcy", "", "abcy"),
    rule="ȳ goes to the largest value at each position; equal values share ȳ",
    dtype_kinds="fiu",
    same_dtype_args=(0, 2),
)

_scatter_min: Primitive = Primitive(
    "TensorScatterMin",
    _extreme_kernel(np.minimum),
    vjp=(_unchanged_vjp, None, _entered_vjp),
    batch=one_by_one,
    residuals=("abcy", "", "abcy"),
    rule="ȳ goes to the smallest value at each position; equal values share ȳ",
    dtype_kinds="fiu",
    same_dtype_args=(0, 2),
)


def tensor_scatter_nd_max(
    tensor: Value,
    indices: Value,
    updates: Value,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Value:
    """Return a copy of `tensor` that contains, at the coordinates of each update, the maximum of the old element and the updates.

    Args:
        tensor: A tensor of any shape with a real dtype.
        indices: Coordinates of shape [..., d], as in `scatter_nd`.
        updates: A tensor of shape indices.shape[:-1] + tensor.shape[d:].
        bad_indices_policy: What happens to an index that is out of range, as in `scatter_nd`.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `tensor`.

    Gradient: Derivatives of any order are supported, including batched ones. Equal values get equal parts of the gradient.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_max
    """
    _check_policy("tensor_scatter_nd_max", bad_indices_policy)
    x = as_operand(tensor, updates)
    positions, values = _checked(indices, updates, sizes_of(x), "tensor_scatter_nd_max")
    return _scatter_max(x, positions, values)


def tensor_scatter_nd_min(
    tensor: Value,
    indices: Value,
    updates: Value,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Value:
    """Return a copy of `tensor` that contains, at the coordinates of each update, the minimum of the old element and the updates.

    Args:
        tensor: A tensor of any shape with a real dtype.
        indices: Coordinates of shape [..., d], as in `scatter_nd`.
        updates: A tensor of shape indices.shape[:-1] + tensor.shape[d:].
        bad_indices_policy: What happens to an index that is out of range, as in `scatter_nd`.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `tensor`.

    Gradient: Derivatives of any order are supported, including batched ones. Equal values get equal parts of the gradient.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_min
    """
    _check_policy("tensor_scatter_nd_min", bad_indices_policy)
    x = as_operand(tensor, updates)
    positions, values = _checked(indices, updates, sizes_of(x), "tensor_scatter_nd_min")
    return _scatter_min(x, positions, values)

"""Join tensors, and split them.

    concat ↔ split      along an existing axis
    stack ↔ unstack     along a new axis
    tile ↔ sum          repeat a value
    meshgrid            all combinations of coordinates

Each joined input gets its own part of the cotangent; an output that is not used has a cotangent of zeros.
"""

from contextlib import suppress
from itertools import accumulate
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import listed, word
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, is_engine_value
from minitape.core.declaration import ANY, VARIADIC, EveryInput
from minitape.core.primitive import Primitive
from minitape.core.registry import SYNTAX
from minitape.core.values import Array, Ints, Value
from minitape.errors import (
    AxisError,
    DtypeMismatchError,
    InvalidArgumentError,
    TapeTypeError,
    TapeValueError,
)
from minitape.ops.axes import as_ints, canonical_axis, whole_number
from minitape.ops.broadcasting import _broadcast, _sum
from minitape.ops.identity import cast, identity
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import Stacked, all_stacked
from minitape.ops.slicing import WHOLE_AXIS, along, strided_slice


def _on_inner_axis(
    op: Primitive, stacked: Stacked, *values: Value, axis: int, **settings: Any
) -> Any:
    """Batch rule of an op with many inputs and one axis. The batch is axis 0, so the number of the axis increases by one."""
    return op(*all_stacked(stacked, *values), axis=axis + 1, **settings)


def _or_zeros(cotangents: tuple[Any, ...], outputs: tuple[Value, ...]) -> list[Value]:
    """Return the cotangents of all outputs, with zeros for unused ones."""
    return [
        np.zeros(tuple(y.shape), raw_dtype(y)) if ybar is None else ybar
        for ybar, y in zip(cotangents, outputs, strict=True)
    ]


# --- along an existing axis ---


def _concat_vjp(position: int, ybar: Value, y: Value, *values: Value, axis: int) -> Value:
    start = sum(value.shape[axis] for value in values[:position])
    return strided_slice(ybar, key=along(axis, start, start + values[position].shape[axis]))


_concat: Primitive = Primitive(
    "ConcatV2",
    lambda *values, axis: np.concatenate(values, axis),
    vjp=EveryInput(_concat_vjp),
    batch=_on_inner_axis,
    rule="each input gets its own part of ȳ",
    dtype_kinds=ANY,
)


def concat(values: Any, axis: Any, name: str = "concat") -> Value:
    """Concatenate values along `axis`.

    Args:
        values: A list of values of one rank and dtype, with equal sizes on all other axes.
        axis: The axis of concatenation; a negative axis counts from the last one.
        name: Ignored.

    Returns:
        A tensor whose size along `axis` is the sum of the sizes, with the dtype of the values.

    Raises:
        InvalidArgumentError: the shapes do not fit, or the list is empty.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shapes.

    Source: https://www.tensorflow.org/api_docs/python/tf/concat
    """
    if not isinstance(values, list | tuple):
        values = [values]
    parts = _operands(values)
    if not parts:
        raise InvalidArgumentError(
            "`concat` got an empty list of values.", fix="use `tf.zeros([0])`"
        )
    along_axis = canonical_axis(axis, len(parts[0].shape), "concat")
    return identity(parts[0]) if len(parts) == 1 else _concat(*parts, axis=along_axis)


def _operands(values: Any) -> list[Value]:
    """Return a list of values as operands of one op: plain numbers get the dtype of the tensors."""
    given = listed(values, "values")
    if any(is_engine_value(value) for value in given):
        lead = raw_dtype(next(value for value in given if is_engine_value(value)))
        wanted = dtypes.as_dtype(lead)
        return [
            value if is_engine_value(value) else as_operand(value, dtype=wanted) for value in given
        ]
    # The op converts the others to the dtype of the first.
    return [as_operand(value) for value in given[:1]] + given[1:]


def _split_kernel(x: Array, *, sizes: Ints, axis: int) -> tuple[Array, ...]:
    before = (slice(None),) * axis
    return tuple([x[(*before, slice(end - n, end))] for n, end in zip(sizes, accumulate(sizes))])


_split: Primitive = Primitive(
    "SplitV",
    _split_kernel,
    vjp=(lambda ybar, y, x, sizes, axis: _concat(*_or_zeros(ybar, y), axis=axis),),
    batch=_on_inner_axis,
    rule="x̄ = the parts of ȳ, concatenated",
    dtype_kinds=ANY,
    outputs=VARIADIC,
)


def split(
    value: Value, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split"
) -> list[Value]:
    """Split `value` along `axis` into equal parts, or into parts of given sizes.

    Args:
        value: Any dtype.
        num_or_size_splits: The number of equal parts, or a list of sizes, one of which may be -1.
        axis: The axis to split.
        num: The expected number of sizes; TensorFlow's graphs need it if the sizes are unknown.
        name: Ignored.

    Returns:
        A list of tensors of the dtype of `value`.

    Raises:
        InvalidArgumentError: the sizes do not add up, or their number is not `num`.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shapes.

    Source: https://www.tensorflow.org/api_docs/python/tf/split
    """
    x = as_operand(value)
    index = canonical_axis(axis, len(x.shape), "split")
    length = x.shape[index]
    if isinstance(num_or_size_splits, int) or np.ndim(num_or_size_splits) == 0:
        count = whole_number(num_or_size_splits)
        if count < 1 or length % count:
            raise InvalidArgumentError(
                f"`split` cannot cut axis {index} of size {length} into {count} equal parts.",
                fix=f"use a number that divides {length}, or pass the sizes of the parts as a list",
                code="MT507",
            )
        sizes = (length // count,) * count
    else:
        given = as_ints(num_or_size_splits)
        rest = length - sum(size for size in given if size != -1)
        sizes = tuple(rest if size == -1 else size for size in given)
        if num is not None and whole_number(num) != len(sizes):
            raise InvalidArgumentError(
                f"`split` got {len(sizes)} sizes, but `num={num}`.", fix=f"pass `num={len(sizes)}`"
            )
    if sum(sizes) != length:
        raise InvalidArgumentError(
            f"`split` got sizes {sizes}, which do not add up to {length}, the size of axis {index}.",
            fix=f"use sizes that add up to {length}",
            code="MT507",
        )
    return list(_split(x, sizes=sizes, axis=index))


# --- on a new axis ---


def _pack_vjp(position: int, ybar: Value, y: Value, *values: Value, axis: int) -> Value:
    return strided_slice(ybar, key=(*(WHOLE_AXIS,) * axis, position))


def _pack_kernel(*values: Array, axis: int) -> Array:
    return np.stack(values, axis) if values[0].ndim else np.array(values, values[0].dtype)


_pack: Primitive = Primitive(
    "Pack",
    _pack_kernel,
    vjp=EveryInput(_pack_vjp),
    batch=_on_inner_axis,
    rule="each input gets its own slice of ȳ",
    dtype_kinds=ANY,
)


def stack(values: Any, axis: Any = 0, name: str = "stack") -> Value:
    """Stack values along a new axis.

    Args:
        values: A list of values of one shape and dtype.
        axis: The position of the new axis.
        name: Ignored.

    Returns:
        A tensor with the shape of the values plus the new axis, and with their dtype.

    Raises:
        InvalidArgumentError: the shapes differ.
        ValueError: the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shapes.

    Source: https://www.tensorflow.org/api_docs/python/tf/stack
    """
    given = listed(values, "values")
    if axis == 0 and not any(map(is_engine_value, given)):
        # TensorFlow makes one constant of them if their types are compatible.
        with suppress(TapeTypeError, TapeValueError):
            return as_operand(given)
    parts = _operands(given)
    return _pack(*parts, axis=canonical_axis(axis, len(parts[0].shape) + 1, "stack"))


def _stack_list(value: Any, wanted: Any) -> Value:
    """Convert a list that contains tensors to one tensor; `wanted` is its dtype, or None.

    If a dtype is given, the tensors are cast to it, as in TensorFlow.
    """
    return _pack_nested(value, wanted or _first_dtype(value), wanted is not None)


def _pack_nested(value: Any, dtype: Any, is_wanted: bool) -> Value:
    if isinstance(value, list | tuple):
        return _pack(*(_pack_nested(each, dtype, is_wanted) for each in value), axis=0)
    if is_engine_value(value):
        return cast(value, dtype) if is_wanted else value
    return as_operand(value, dtype=dtype)


def _first_dtype(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return next((found for each in value if (found := _first_dtype(each)) is not None), None)
    return dtypes.as_dtype(raw_dtype(value)) if is_engine_value(value) else None


SYNTAX["stack"] = _stack_list


def _unpack_kernel(x: Array, *, axis: int) -> tuple[Array, ...]:
    rows = np.moveaxis(x, axis, 0)
    if x.dtype.kind == "O":  # iterating over strings would return bytes instead of arrays of rank 0
        return tuple(rows[i, ...] for i in range(len(rows)))
    return tuple(rows)


_unpack: Primitive = Primitive(
    "Unpack",
    _unpack_kernel,
    vjp=(lambda ybar, y, x, axis: _pack(*_or_zeros(ybar, y), axis=axis),),
    batch=_on_inner_axis,
    rule="x̄ = the cotangents of the parts, stacked",
    dtype_kinds=ANY,
    outputs=VARIADIC,
)


def unstack(value: Value, num: Any = None, axis: Any = 0, name: str = "unstack") -> list[Value]:
    """Split `value` along `axis` into slices without this axis.

    Args:
        value: A tensor of rank at least 1.
        num: The expected number of slices; TensorFlow's graphs need it if the size is unknown.
        axis: The axis to remove.
        name: Ignored.

    Returns:
        A list of tensors of the dtype of `value`.

    Raises:
        ValueError: the axis is out of range.
        InvalidArgumentError: `num` is not the number of slices; the error is also a ValueError.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shapes.

    Source: https://www.tensorflow.org/api_docs/python/tf/unstack
    """
    x = as_operand(value)
    index = canonical_axis(axis, len(x.shape), "unstack")
    if num is not None and whole_number(num) != x.shape[index]:
        raise AxisError(
            f"`unstack` got `num={num}`, but axis {index} has size {x.shape[index]}.",
            fix=f"pass `num={x.shape[index]}`, or remove `num`",
            code="MT507",
        )
    return list(_unpack(x, axis=index))


# --- repetition ---


def _tile_vjp(ybar: Value, y: Value, x: Value, *, multiples: Ints) -> Value:
    """Split each axis into (copy, element), and sum over the copies."""
    pairs = [size for pair in zip(multiples, x.shape, strict=True) for size in pair]
    copies = tuple(range(0, len(pairs), 2))
    return _sum(_reshape(ybar, shape=tuple(pairs)), axis=copies, keepdims=False)


def _tile_batch(op: Primitive, _: Stacked, x: Value, *, multiples: Ints) -> Value:
    return op(x, multiples=(1, *multiples))


_tile: Primitive = Primitive(
    "Tile",
    lambda x, *, multiples: np.tile(x, multiples),
    vjp=(_tile_vjp,),
    batch=_tile_batch,
    rule="x̄ = the sum of ȳ over the copies",
    dtype_kinds=ANY,
)


def tile(input: Value, multiples: Any, name: str | None = None) -> Value:
    """Repeat `input` along each of its axes.

    Args:
        input: Any dtype.
        multiples: The number of repetitions for each axis.
        name: Ignored.

    Returns:
        A tensor of shape input.shape · multiples, with the dtype of `input`.

    Raises:
        InvalidArgumentError: the length of `multiples` is not the rank.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/tile
    """
    x = as_operand(input)
    times = as_ints(multiples)
    if len(times) != len(x.shape):
        raise InvalidArgumentError(
            f"Expected multiples argument to be a vector of length {len(x.shape)} but got length {len(times)}",
            fix="pass one number for each axis of the input",
            code="MT507",
        )
    return _tile(x, multiples=times)


def meshgrid(*args: Value, indexing: str = "xy", name: str | None = None) -> list[Value]:
    """Return the coordinates of all points of a grid.

    Args:
        args: The coordinates along each axis, all of one dtype; values of any other rank are flattened.
        indexing: "xy" makes the first argument the second axis, as plots do; "ij" keeps the order.
        name: Ignored.

    Returns:
        A list with one array of coordinates for each axis, all in the shape of the grid.

    Raises:
        ValueError: `indexing` is unknown.
        InvalidArgumentError: the dtypes differ.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/meshgrid
    """
    word(indexing, "indexing", ("xy", "ij"))
    vectors = [_reshape(as_operand(value), shape=(-1,)) for value in args]
    found = {dtypes.as_dtype(raw_dtype(vector)).name for vector in vectors}
    if len(found) > 1:
        raise DtypeMismatchError(
            f"`meshgrid` requires coordinates of the same dtype, but got {', '.join(sorted(found))}.",
            fix="use `tf.cast(x, tf.float32)` for each of them",
            code="MT506",
        )
    positions = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        positions[:2] = 1, 0
    sizes = [0] * len(vectors)
    for index, vector in zip(positions, vectors, strict=True):
        sizes[index] = vector.shape[0]
    grids = []
    for index, vector in zip(positions, vectors, strict=True):
        line = tuple(-1 if i == index else 1 for i in range(len(vectors)))
        lined = _reshape(vector, shape=tuple(vector.shape[0] if n == -1 else 1 for n in line))
        grids.append(_broadcast(lined, shape=tuple(sizes)))
    return grids

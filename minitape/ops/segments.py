"""Reduces, splits and merges segments, which are rows that share an index.

    segment_sum, _mean, _max, _min, _prod  reduce the rows of each segment; indices in ascending order
    unsorted_segment_sum, ...              for indices in any order; a negative index skips a row
    dynamic_partition ↔ dynamic_stitch     distribute rows to lists, and merge the lists

A segment consists of the rows with the same index. The cotangent of a segment goes to its rows as in the reduction of a whole
axis: for a sum to every row, for a maximum only to the rows that are equal to it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import listed
from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.declaration import ANY, DIFFERENTIABLE_KINDS, VARIADIC
from minitape.core.primitive import Primitive
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Value, zeros_of
from minitape.errors import InvalidArgumentError, TapeTypeError
from minitape.ops.arithmetic import sqrt, truncatediv
from minitape.ops.axes import whole_number
from minitape.ops.comparison import REALS, equal
from minitape.ops.creation import ones_like, zeros_like
from minitape.ops.identity import _cast_from_or_to_whole, cast
from minitape.ops.indexing import _gather, _select, _stack_last, unsorted_rows
from minitape.ops.joining import _concat, _or_zeros
from minitape.ops.minmax import maximum
from minitape.ops.reshaping import _reshape, _transpose, moved_to_front
from minitape.ops.rules import Stacked, one_by_one

# --- reductions: an extra row collects the rows with negative indices ---


def _fold(ufunc: Any, empty: Callable[[Any], Any]) -> Callable[..., Array]:
    """Return a kernel that reduces the rows with equal indices; `empty` is the result for a segment without rows."""

    def kernel(rows: Array, numbers: Array, *, count: int) -> Array:
        table = np.full((count, *rows.shape[1:]), empty(rows.dtype), rows.dtype)
        ufunc.at(table, numbers, rows)
        return table

    return kernel


def _lowest(dtype: Any) -> Any:
    return np.iinfo(dtype).min if dtype.kind in "iu" else dtypes.limits_of(dtype).min


def _highest(dtype: Any) -> Any:
    return np.iinfo(dtype).max if dtype.kind in "iu" else dtypes.limits_of(dtype).max


def _fold_batch(
    op: Primitive, stacked: Stacked, rows: Value, numbers: Value, *, count: int
) -> Value:
    if stacked == (True, False):
        return _stack_last(op, rows, others=(numbers,), first=True, count=count)
    return one_by_one(op, stacked, rows, numbers, count=count)


def _sum_of(rows: Value, numbers: Value, count: int) -> Value:
    return unsorted_rows(rows, numbers, shape=(count, *rows.shape[1:]))


def _of_its_segment(table: Value, numbers: Value) -> Value:
    """Return for each row the value of its segment."""
    return _gather(table, numbers, axis=0)


def _extreme_vjp(ybar: Value, y: Value, rows: Value, numbers: Value, *, count: int) -> Value:
    """Distribute the cotangent of a segment evenly among all elements that are equal to its maximum or minimum."""
    reached = equal(rows, _of_its_segment(y, numbers))
    winners = _cast_from_or_to_whole(reached, dtype=raw_dtype(rows))
    # A segment without rows has no contributions; 1 avoids a division by 0.
    contribution = ybar / maximum(
        _sum_of(winners, numbers, count), np.ones((), raw_dtype(rows))[()]
    )
    return winners * _of_its_segment(contribution, numbers)


def _prod_vjp(ybar: Value, y: Value, rows: Value, numbers: Value, *, count: int) -> Value:
    """Return the product of all other rows: y / x, and for the only 0 of a segment the product of its other rows."""
    is_zero = equal(rows, zeros_like(rows))
    zeros = _sum_of(_cast_from_or_to_whole(is_zero, dtype=raw_dtype(rows)), numbers, count)
    owed = _select(zeros > 1.0, zeros_like(ybar), ybar)
    safe = _select(is_zero, ones_like(rows), rows)
    product = _segment_prod(safe, numbers, count=count)
    without = _select(
        is_zero, _of_its_segment(product, numbers), _of_its_segment(y, numbers) / safe
    )
    return _of_its_segment(owed, numbers) * without


_segment_max: Primitive = Primitive(
    "UnsortedSegmentMax",
    _fold(np.maximum, _lowest),
    vjp=(_extreme_vjp, None),
    batch=_fold_batch,
    residuals=("aby", ""),
    rule="the ȳ of a segment goes to the largest element of the segment; equal elements share ȳ",
    dtype_kinds=REALS,
    same_dtype_args=(0,),
)

_segment_min: Primitive = Primitive(
    "UnsortedSegmentMin",
    _fold(np.minimum, _highest),
    vjp=(_extreme_vjp, None),
    batch=_fold_batch,
    residuals=("aby", ""),
    rule="the ȳ of a segment goes to the smallest element of the segment; equal elements share ȳ",
    dtype_kinds=REALS,
    same_dtype_args=(0,),
)

_segment_prod: Primitive = Primitive(
    "UnsortedSegmentProd",
    _fold(np.multiply, lambda dtype: 1),
    vjp=(_prod_vjp, None),
    batch=_fold_batch,
    residuals=("aby", ""),
    rule="x̄ = the ȳ of the segment times the product of the other rows of the segment",
    same_dtype_args=(0,),
)

Fold = Callable[[Value, Value, int], Value]


def _mean_of(rows: Value, numbers: Value, count: int) -> Value:
    total, sizes = _sum_of(rows, numbers, count), _sizes(rows, numbers, count)
    return (
        total / sizes if raw_dtype(rows).kind in DIFFERENTIABLE_KINDS else truncatediv(total, sizes)
    )


def _sqrt_n_of(rows: Value, numbers: Value, count: int) -> Value:
    return _sum_of(rows, numbers, count) / sqrt(_sizes(rows, numbers, count))


def _sizes(rows: Value, numbers: Value, count: int) -> Value:
    """Return the number of rows of each segment, or 1 if it is empty, with axes of size 1 to broadcast to the sums."""
    ones = np.ones(tuple(numbers.shape), raw_dtype(rows)).real
    counted = maximum(_sum_of(ones, numbers, count), ones.dtype.type(1))
    counted = cast(counted, raw_dtype(rows)) if raw_dtype(rows).kind == "c" else counted
    return _reshape(counted, shape=(count, *(1,) * (len(rows.shape) - 1)))


def _max_of(rows: Value, numbers: Value, count: int) -> Value:
    return _segment_max(rows, numbers, count=count)


def _min_of(rows: Value, numbers: Value, count: int) -> Value:
    return _segment_min(rows, numbers, count=count)


def _prod_of(rows: Value, numbers: Value, count: int) -> Value:
    return _segment_prod(rows, numbers, count=count)


# --- indices in any order ---


def _unsorted(fold: Fold, data: Value, segment_ids: Value, num_segments: Any) -> Value:
    rows, numbers = as_operand(data), read_once(segment_ids)
    count, positions = whole_number(num_segments), tuple(numbers.shape)
    if count < 0:
        raise InvalidArgumentError(f"num_segments == {count} must not be negative.")
    if tuple(rows.shape)[: len(positions)] != positions:
        raise InvalidArgumentError(
            f"data.shape = {tuple(rows.shape)} does not start with segment_ids.shape = {positions}.",
            fix="pass one number for each row",
            code="MT507",
        )
    size = int(np.prod(positions, dtype=np.int64))
    flat = _reshape(rows, shape=(size, *tuple(rows.shape)[len(positions) :]))
    lined = _reshape(numbers, shape=(size,))
    if type(lined) is not Batched:
        _check_numbers(lined._array, count)
    kept = _select(lined < 0, np.array(count, raw_dtype(lined))[()], lined)
    if fold is _mean_of and raw_dtype(flat).kind in "iu":
        # float64 is the dtype of an integer divided by an integer
        flat = cast(flat, dtypes.float64)
    return fold(flat, kept, count + 1)[:count]


def _check_numbers(numbers: Array, count: int) -> None:
    if np.any(numbers >= count):
        position = int(np.argmax(numbers >= count))
        raise InvalidArgumentError(
            f"segment_ids[{position}] = {numbers[position]} is out of range [0, {count}).",
            fix=f"pass `num_segments={int(numbers.max()) + 1}`",
            code="MT507",
        )


def _unsorted_of(fold: Fold, name: str, about: str, empty: str) -> Callable[..., Value]:
    def of_segments(
        data: Value, segment_ids: Value, num_segments: Any, name: str | None = None
    ) -> Value:
        return _unsorted(fold, data, segment_ids, num_segments)

    of_segments.__name__ = of_segments.__qualname__ = name
    of_segments.__doc__ = f"""{about} of each segment, which consists of the rows with the same index.

    Args:
        data: A tensor of shape segment_ids.shape + rest with a number dtype.
        segment_ids: The index of the segment of each row, in any order; a row with a negative index is skipped.
        num_segments: The number of segments; a segment without rows gets {empty}.
        name: Ignored.

    Returns:
        A tensor of shape [num_segments] + rest.

    Raises:
        InvalidArgumentError: an index is too large, or the shapes do not fit.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}
    """
    return of_segments


unsorted_segment_sum = _unsorted_of(_sum_of, "unsorted_segment_sum", "The sum", "0")
unsorted_segment_mean = _unsorted_of(_mean_of, "unsorted_segment_mean", "The mean", "0")
unsorted_segment_sqrt_n = _unsorted_of(
    _sqrt_n_of,
    "unsorted_segment_sqrt_n",
    "The sum divided by the square root of the number of rows",
    "0",
)
unsorted_segment_max = _unsorted_of(
    _max_of, "unsorted_segment_max", "The maximum", "the lowest number of the dtype"
)
unsorted_segment_min = _unsorted_of(
    _min_of, "unsorted_segment_min", "The minimum", "the highest number of the dtype"
)
unsorted_segment_prod = _unsorted_of(_prod_of, "unsorted_segment_prod", "The product", "1")


# --- indices in ascending order ---


def _sorted(fold: Fold, data: Value, segment_ids: Value, *, empty_is_zero: bool) -> Value:
    rows, numbers = as_operand(data), read_once(segment_ids)
    order = np.asarray(numbers._array)
    if order.ndim != 1 or tuple(rows.shape)[:1] != order.shape:
        raise InvalidArgumentError(
            f"segment_ids should be the same size as dimension 0 of input: {order.shape} and "
            f"{tuple(rows.shape)}.",
            fix="pass one number for each row",
            code="MT507",
        )
    if np.any(np.diff(order) < 0) or np.any(order < 0):
        raise InvalidArgumentError(
            "segment ids are not increasing from 0.",
            fix="use `tf.math.unsorted_segment_sum(data, segment_ids, num_segments)`",
            code="MT507",
        )
    count = int(order[-1]) + 1 if order.size else 0
    folded = fold(rows, numbers, count)
    if not empty_is_zero:
        return folded
    has_rows = np.isin(np.arange(count), order).reshape(count, *(1,) * (len(rows.shape) - 1))
    return _select(has_rows, folded, zeros_like(folded))


def _sorted_of(
    fold: Fold, name: str, about: str, empty: str, *, empty_is_zero: bool = False
) -> Callable[..., Value]:
    def of_segments(data: Value, segment_ids: Value, name: str | None = None) -> Value:
        return _sorted(fold, data, segment_ids, empty_is_zero=empty_is_zero)

    of_segments.__name__ = of_segments.__qualname__ = name
    of_segments.__doc__ = f"""{about} of each segment, which consists of the rows with the same index.

    Args:
        data: A tensor of shape [n, ...] with a number dtype.
        segment_ids: The index of the segment of each row, in ascending order; a missing index gets {empty}.
        name: Ignored.

    Returns:
        A tensor of shape [last index + 1, ...].

    Raises:
        InvalidArgumentError: the indices are not in ascending order, or their number is not the number of rows.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}
    """
    return of_segments


segment_sum = _sorted_of(_sum_of, "segment_sum", "The sum", "0")
segment_mean = _sorted_of(_mean_of, "segment_mean", "The mean", "0")
segment_prod = _sorted_of(_prod_of, "segment_prod", "The product", "1")
segment_max = _sorted_of(_max_of, "segment_max", "The maximum", "0", empty_is_zero=True)
segment_min = _sorted_of(_min_of, "segment_min", "The minimum", "0", empty_is_zero=True)


# --- partition and stitch ---


def _partition_kernel(data: Array, partitions: Array, *, count: int) -> tuple[Array, ...]:
    return tuple(data[partitions == i] for i in range(count))


def _partition_vjp(ybar: Any, y: Any, data: Value, partitions: Value, *, count: int) -> Value:
    """Return the cotangents of the lists, concatenated and put into the order of the rows."""
    parts = _concat(*_or_zeros(ybar, y), axis=0)
    numbers = partitions._array if type(partitions) is Tensor else partitions
    order = np.argsort(numbers.reshape(-1), kind="stable")
    positions = np.argsort(order).reshape(numbers.shape)
    return _gather(parts, positions, axis=0)


def _partition_batch(
    op: Primitive, stacked: Stacked, data: Value, partitions: Value, *, count: int
) -> Any:
    if stacked != (True, False):
        return one_by_one(op, stacked, data, partitions, count=count)
    last = tuple(range(1, len(data.shape)))
    parts = op(_transpose(data, perm=(*last, 0)), partitions, count=count)
    return tuple(moved_to_front(part, len(part.shape) - 1) for part in parts)


_partition: Primitive = Primitive(
    "DynamicPartition",
    _partition_kernel,
    vjp=(_partition_vjp, None),
    batch=_partition_batch,
    residuals=("b", ""),
    rule="x̄ = the rows of the parts of ȳ, in their original order",
    dtype_kinds=ANY,
    same_dtype_args=(0,),
    outputs=VARIADIC,
)


def dynamic_partition(
    data: Value, partitions: Value, num_partitions: Any, name: str | None = None
) -> list[Value]:
    """Distribute the rows of `data` to lists, in their order.

    Args:
        data: A tensor of shape partitions.shape + rest and any dtype.
        partitions: The index of the list for each row, an integer tensor.
        num_partitions: The number of lists.
        name: Ignored.

    Returns:
        A list of `num_partitions` tensors, each of shape [count] + rest.

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the indices.

    Source: https://www.tensorflow.org/api_docs/python/tf/dynamic_partition
    """
    rows, numbers = as_operand(data), read_once(partitions)
    count, array = whole_number(num_partitions), numbers._array
    outside = np.argwhere((array < 0) | (array >= count))
    if len(outside):
        position = tuple(outside[0].tolist())
        raise InvalidArgumentError(
            f"partitions{list(position)} = {array[position]} is not in [0, {count}).",
            fix=f"pass `num_partitions={int(array.max()) + 1}`",
            code="MT507",
        )
    if tuple(rows.shape)[: array.ndim] != array.shape:
        raise InvalidArgumentError(
            f"data.shape = {tuple(rows.shape)} must start with partitions.shape = {array.shape}.",
            fix="pass one number for each row",
            code="MT507",
        )
    return list(_partition(rows, numbers, count=count))


def _stitch_kernel(rows: Array, numbers: Array, *, count: int) -> Array:
    table = zeros_of(rows.dtype, (count, *rows.shape[1:]))
    table[numbers] = rows
    return table


_stitch: Primitive = Primitive(
    "DynamicStitch",
    _stitch_kernel,
    vjp=(lambda ybar, y, rows, numbers, count: _gather(ybar, numbers, axis=0), None),
    batch=_fold_batch,
    residuals=("b", ""),
    rule="each row receives the ȳ at its position, even a row that a later row replaced",
    dtype_kinds=ANY,
    same_dtype_args=(0,),
)


def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Value:
    """Merge the rows of several lists: row indices[m][i] of the result is data[m][i].

    Args:
        indices: A list of integer tensors of any shape.
        data: A list with a value of shape indices[m].shape + rest for each element of `indices`.
        name: Ignored.

    Returns:
        A tensor of shape [largest index + 1] + rest. If an index occurs twice, the later row is used; a missing index receives
        zeros.

    Raises:
        InvalidArgumentError: the lists do not fit.

    Gradient: Derivatives of any order are supported, including batched ones. As in TensorFlow, a replaced row gets the same
    cotangent as the row that replaced it.

    Source: https://www.tensorflow.org/api_docs/python/tf/dynamic_stitch
    """
    positions = [read_once(each)._array for each in listed(indices, "indices")]
    values = [read_once(each) for each in listed(data, "data")]
    if len(positions) != len(values) or any(
        tuple(value.shape)[: position.ndim] != position.shape
        for position, value in zip(positions, values, strict=False)
    ):
        raise InvalidArgumentError(
            "`dynamic_stitch` requires a list of indices for each list of rows, with one index for each row.",
            code="MT507",
        )
    if not values:
        raise InvalidArgumentError("`dynamic_stitch` got no rows.", code="MT507")
    rest = tuple(values[0].shape)[positions[0].ndim :]
    flat = [
        _reshape(value, shape=(position.size, *rest))
        for position, value in zip(positions, values, strict=True)
    ]
    numbers = np.concatenate([np.ravel(position) for position in positions])
    if numbers.size and numbers.dtype.kind not in "iu":
        raise TapeTypeError(
            f"`dynamic_stitch` requires integer indices, but got {numbers.tolist()}.",
            fix="use `tf.cast(indices, tf.int32)`",
        )
    count = int(numbers.max(initial=-1)) + 1
    return _stitch(_concat(*flat, axis=0), numbers, count=count)

"""Sorts elements. Each cotangent goes to the original position of its element.

    top_k            the largest elements of each row, and their indices
    sort, argsort    all elements of an axis, or their indices

The order is locally constant, because a small change of the inputs changes it only if two elements are equal.
"""

from typing import Any, NamedTuple

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import strict_flag
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import canonical_axis, whole_number
from minitape.ops.comparison import REALS
from minitape.ops.identity import cast
from minitape.ops.reshaping import _transpose
from minitape.ops.rules import (
    elementwise,
    leading_axes,
)


def _put_kernel(values: Array, positions: Array, *, size: int) -> Array:
    rows = np.broadcast_shapes(values.shape, positions.shape)
    line = np.zeros((*rows[:-1], size), values.dtype)
    np.put_along_axis(line, np.broadcast_to(positions, rows), np.broadcast_to(values, rows), -1)
    return line


_put_along: Primitive = Primitive(
    "PutAlongLastAxis",
    _put_kernel,
    vjp=(lambda zbar, z, values, positions, size: _take_along(zbar, positions), None),
    batch=elementwise,
    residuals="b",
    rule="x̄ = ȳ at the positions where the values were written",
    same_dtype_args=(0,),
)


def _take_kernel(x: Array, positions: Array) -> Array:
    ahead = np.broadcast_shapes(x.shape[:-1], positions.shape[:-1])
    line = np.broadcast_to(x, (*ahead, x.shape[-1]))
    return np.take_along_axis(line, np.broadcast_to(positions, (*ahead, positions.shape[-1])), -1)


_take_along: Primitive = Primitive(
    "TakeAlongLastAxis",
    _take_kernel,
    vjp=(lambda ybar, y, x, positions: _put_along(ybar, positions, size=x.shape[-1]), None),
    batch=elementwise,
    residuals="b",
    rule="x̄ = ȳ at the positions of the selected elements, 0 elsewhere",
    same_dtype_args=(0,),
)


def _top_k_kernel(x: Array, *, k: int) -> tuple[Array, Array]:
    # Reversed, sorted in ascending order and reversed again, so that equal elements keep their order.
    last = x.shape[-1] - 1
    upwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")
    positions = (last - upwards[..., ::-1])[..., :k]
    return np.take_along_axis(x, positions, -1), positions.astype(np.int32)


_top_k: Primitive = Primitive(
    "TopKV2",
    _top_k_kernel,
    vjp=(lambda ybar, y, x, k: _put_along(ybar[0], y[1], size=x.shape[-1]),),
    batch=leading_axes,
    residuals="y",
    rule="each element of ȳ goes to the original position of its element",
    dtype_kinds=REALS,
    outputs=2,
)


class TopKV2(NamedTuple):
    """The result of `top_k`, which consists of the values and their indices."""

    values: Value
    indices: Value


def top_k(
    input: Value,
    k: Any = 1,
    sorted: bool = True,
    index_type: Any = dtypes.int32,
    name: str | None = None,
) -> TopKV2:
    """Return the `k` largest elements along the last axis in descending order, and their indices.

    Args:
        input: A tensor of shape [..., n] with n ≥ k; a real dtype.
        k: The number of elements.
        sorted: Ignored, because the elements are always sorted.
        index_type: The dtype of the indices: int32 or int64.
        name: Ignored.

    Returns:
        `values` in the dtype of `input` and `indices`, both of shape [..., k]. Equal elements keep their order.

    Raises:
        InvalidArgumentError: the input is a scalar, or has fewer than `k` elements along its last axis.

    Gradient: For the values, derivatives of any order are supported, including batched ones. The indices have no gradient. The
    tape keeps the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/top_k
    """
    strict_flag(sorted, "sorted", default=True)
    x = as_operand(input)
    count = whole_number(k)
    if not len(x.shape) or not 0 <= count <= x.shape[-1]:
        raise InvalidArgumentError(
            f"`top_k` got `k={count}` for an input of shape {tuple(x.shape)}.",
            fix="use `k` from 0 to the size of the last axis",
            code="MT507",
        )
    values, positions = _top_k(x, k=count)
    wanted = dtypes.as_dtype(index_type).numpy
    return TopKV2(values, positions if wanted == np.int32 else cast(positions, wanted))


def _in_order(values: Any, axis: Any, direction: str) -> TopKV2:
    """Return all elements along `axis` in order, and their indices."""
    if direction not in ("ASCENDING", "DESCENDING"):
        raise TapeValueError(
            f"Argument `direction` should be one of ASCENDING, DESCENDING. Received: {direction!r}.",
            fix='pass `direction="DESCENDING"`',
        )
    x = as_operand(values)
    if dtypes.kind_of(raw_dtype(x)) not in "fiub":
        raise InvalidArgumentError(
            f"Only real numbers can be sorted, but the dtype is {dtypes.as_dtype(raw_dtype(x)).name}.",
            fix="use `tf.sort(tf.abs(x))`",
        )
    rank = len(x.shape)
    axis = canonical_axis(axis, rank, "sort")
    swap = list(range(rank))
    swap[axis], swap[-1] = swap[-1], swap[axis]
    if direction == "ASCENDING":
        x = _upside_down(x)
    ordered, positions = _top_k(_transpose(x, perm=tuple(swap)), k=x.shape[axis])
    ordered, positions = (
        _transpose(ordered, perm=tuple(swap)),
        _transpose(positions, perm=tuple(swap)),
    )
    return TopKV2(_upside_down(ordered) if direction == "ASCENDING" else ordered, positions)


def _upside_down(x: Value) -> Value:
    dtype = raw_dtype(x)
    if dtypes.kind_of(dtype) == "f":
        return -x
    # -x does not exist for the lowest integer and for unsigned integers; ~0 - x exists for every integer and also reverses the
    # order.
    return ~dtype.type(0) - x


def sort(
    values: Value, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None
) -> Value:
    """Sort the elements along `axis`.

    Args:
        values: A tensor of rank at least 1 with a real dtype.
        axis: One axis; the last by default.
        direction: "ASCENDING" or "DESCENDING".
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `values`.

    Raises:
        ValueError: `direction` is unknown.
        InvalidArgumentError: the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. Each cotangent returns to the original position of
    its element.

    Source: https://www.tensorflow.org/api_docs/python/tf/sort
    """
    return _in_order(values, axis, direction).values


def argsort(
    values: Value,
    axis: Any = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Value:
    """Return the indices that would sort the elements along `axis`.

    Args:
        values: A tensor of rank at least 1 with a real dtype.
        axis: One axis; the last by default.
        direction: "ASCENDING" or "DESCENDING".
        stable: Ignored, because equal elements always keep their order.
        name: Ignored.

    Returns:
        An int32 tensor with the shape of `values`.

    Raises:
        ValueError: `direction` is unknown.
        InvalidArgumentError: the axis is out of range.

    Gradient: There is none, because indices are integers.

    Source: https://www.tensorflow.org/api_docs/python/tf/argsort
    """
    return _in_order(values, axis, direction).indices

"""The largest and the smallest.

    maximum, minimum              of two values: the one that won is owed everything; a tie goes to the first
    reduce_max, reduce_min        of many: those that tie share
    reduce_all, reduce_any        the same for true and false: no gradient
    argmax, argmin                where it is: a place is no quantity, no gradient
    top_k, sort, argsort          in order: each cotangent goes back to where its element came from

A choice is locally constant: a small change of the inputs changes who wins only at a tie. So each of these sends a cotangent back
along the choice that was made, and nothing anywhere else.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import flag, strict_flag
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import no_gradient
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import canonical_axes, canonical_axis, whole_number
from minitape.ops.broadcasting import _sum, spread, sum_to
from minitape.ops.comparing import REALS, equal
from minitape.ops.making import zeros_like
from minitape.ops.passing import _cast_from_or_to_whole, cast
from minitape.ops.picking import _select
from minitape.ops.rules import (
    axes_after_stacking,
    axis_after_stacking,
    elementwise,
    leading_axes,
)
from minitape.ops.shaping import _transpose

# --- of two values ---


def _if(condition: Value, ybar: Value) -> Value:
    return _select(condition, ybar, zeros_like(ybar))


def _unless(condition: Value, ybar: Value) -> Value:
    return _select(condition, zeros_like(ybar), ybar)


maximum: Primitive = Primitive(
    "Maximum",
    np.maximum,
    vjp=(
        lambda ybar, y, a, b: sum_to(_if(a >= b, ybar), a),
        lambda ybar, y, a, b: sum_to(_unless(a >= b, ybar), b),
    ),
    batch=elementwise,
    saves="ab",
    rule="ȳ goes to the larger; a tie goes to a",
    accepts=REALS,
)

minimum: Primitive = Primitive(
    "Minimum",
    np.minimum,
    vjp=(
        lambda ybar, y, a, b: sum_to(_if(a <= b, ybar), a),
        lambda ybar, y, a, b: sum_to(_unless(a <= b, ybar), b),
    ),
    batch=elementwise,
    saves="ab",
    rule="ȳ goes to the smaller; a tie goes to a",
    accepts=REALS,
)

# --- of many values ---


def _max_kernel(x: Array, *, axis: Ints, keepdims: bool) -> Array:
    # Of nothing, the largest is what loses against everything.
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    return x.max(axis=axis, keepdims=keepdims, initial=x.dtype.type(lowest))


def _min_kernel(x: Array, *, axis: Ints, keepdims: bool) -> Array:
    highest = np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).max
    return x.min(axis=axis, keepdims=keepdims, initial=x.dtype.type(highest))


def _extreme_vjp(ybar: Value, y: Value, x: Value, *, axis: Ints, keepdims: bool) -> Value:
    """Those who reached the extreme share its cotangent evenly."""
    reached = equal(x, spread(y, x.shape, axis))
    winners = _cast_from_or_to_whole(reached, dtype=raw_dtype(x))
    shares = winners / _sum(winners, axis=axis, keepdims=True)
    return shares * spread(ybar, x.shape, axis)


_max: Primitive = Primitive(
    "Max",
    _max_kernel,
    vjp=(_extreme_vjp,),
    batch=axes_after_stacking,
    saves="xy",
    rule="ȳ goes to the largest; those that tie share it",
    accepts=REALS,
)

_min: Primitive = Primitive(
    "Min",
    _min_kernel,
    vjp=(_extreme_vjp,),
    batch=axes_after_stacking,
    saves="xy",
    rule="ȳ goes to the smallest; those that tie share it",
    accepts=REALS,
)


def reduce_max(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """The largest element along `axis`, or of all.

    Args:
        input_tensor: Any shape; a real dtype. NaN wins against everything; of nothing, the largest is -inf.
        axis: One axis or several; None for all.
        keepdims: Leave the reduced axes with size 1.
        name: Ignored.

    Raises:
        InvalidArgumentError: there is no such axis.

    Gradient: to the first order, batched; the second is none, for the choice does not move. Remembers input and output.
    At a tie the winners share evenly: that is the middle of the slopes they could have.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_max
    """
    x = as_operand(input_tensor)
    axes = canonical_axes(axis, len(x.shape), "reduce_max")
    return _max(x, axis=axes, keepdims=flag(keepdims, "keepdims"))


def reduce_min(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """The smallest element along `axis`, or of all.

    Args:
        input_tensor: Any shape; a real dtype. NaN wins against everything; of nothing, the smallest is inf.
        axis: One axis or several; None for all.
        keepdims: Leave the reduced axes with size 1.
        name: Ignored.

    Raises:
        InvalidArgumentError: there is no such axis.

    Gradient: as for `reduce_max`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_min
    """
    x = as_operand(input_tensor)
    axes = canonical_axes(axis, len(x.shape), "reduce_min")
    return _min(x, axis=axes, keepdims=flag(keepdims, "keepdims"))


_all: Primitive = Primitive(
    "All",
    lambda x, *, axis, keepdims: x.all(axis=axis, keepdims=keepdims),
    vjp=no_gradient(reason="true and false are no quantities"),
    batch=axes_after_stacking,
    accepts="b",
)

_any: Primitive = Primitive(
    "Any",
    lambda x, *, axis, keepdims: x.any(axis=axis, keepdims=keepdims),
    vjp=no_gradient(reason="true and false are no quantities"),
    batch=axes_after_stacking,
    accepts="b",
)


def _truths(given: Any) -> Value:
    """An empty list has no dtype of its own: here it is one of bools."""
    is_plain = isinstance(given, list | tuple)
    return (
        as_operand(given, dtype=dtypes.bool_)
        if is_plain and not np.size(given)
        else as_operand(given)
    )


def reduce_all(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Whether all elements along `axis` are true.

    Args:
        input_tensor: Any shape; bool.
        axis: One axis or several; None for all.
        keepdims: Leave the reduced axes with size 1.
        name: Ignored.

    Raises:
        InvalidArgumentError: the elements are not bool, or there is no such axis.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_all
    """
    x = _truths(input_tensor)
    return _all(
        x,
        axis=canonical_axes(axis, len(x.shape), "reduce_all"),
        keepdims=flag(keepdims, "keepdims"),
    )


def reduce_any(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Whether any element along `axis` is true.

    Args:
        input_tensor: Any shape; bool.
        axis: One axis or several; None for all.
        keepdims: Leave the reduced axes with size 1.
        name: Ignored.

    Raises:
        InvalidArgumentError: the elements are not bool, or there is no such axis.

    Gradient: none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_any
    """
    x = _truths(input_tensor)
    return _any(
        x,
        axis=canonical_axes(axis, len(x.shape), "reduce_any"),
        keepdims=flag(keepdims, "keepdims"),
    )


# --- where they are ---


def _place_kernel(find: Callable[..., Array], loser: float) -> Callable[..., Array]:
    """A kernel that takes NaN for a loser, as TensorFlow does; for NumPy it would win."""

    def kernel(x: Array, *, axis: int, dtype: Any) -> Array:
        numbers = np.where(np.isnan(x), x.dtype.type(loser), x) if x.dtype.kind == "f" else x
        return find(numbers, axis).astype(dtype)

    return kernel


_argmax: Primitive = Primitive(
    "ArgMax",
    _place_kernel(np.argmax, -np.inf),
    vjp=no_gradient(reason="a place is a whole number: it jumps or stays"),
    batch=axis_after_stacking,
    accepts=REALS + "b",
)

_argmin: Primitive = Primitive(
    "ArgMin",
    _place_kernel(np.argmin, np.inf),
    vjp=no_gradient(reason="a place is a whole number: it jumps or stays"),
    batch=axis_after_stacking,
    accepts=REALS + "b",
)


def _of_places(output_type: Any) -> Any:
    wanted = dtypes.as_dtype(output_type)
    if not wanted.is_integer:
        raise InvalidArgumentError(
            f"A place is a whole number, and output_type={wanted.name} was asked for.",
            fix=f"tf.cast(tf.argmax(x), tf.{wanted.name})",
        )
    return wanted.numpy


def argmax(
    input: Value, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Value:
    """The place of the largest element along `axis`; the first of several. NaN is never the largest.

    Args:
        input: Rank at least 1; real numbers or bool.
        axis: One axis; 0 by default.
        output_type: int64 or int32.
        name: Ignored.

    Raises:
        InvalidArgumentError: there is no such axis, or nothing along it.

    Gradient: none: a place is a whole number.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/argmax

    >>> argmax([3.0, 7.0, 5.0])
    <tf.Tensor: shape=(), dtype=int64, numpy=1>
    """
    x = as_operand(input)
    place = canonical_axis(0 if axis is None else axis, len(x.shape), "argmax")
    return _argmax(x, axis=place, dtype=_of_places(output_type))


def argmin(
    input: Value, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Value:
    """The place of the smallest element along `axis`; the first of several. NaN is never the smallest.

    Args:
        input: Rank at least 1; real numbers or bool.
        axis: One axis; 0 by default.
        output_type: int64 or int32.
        name: Ignored.

    Raises:
        InvalidArgumentError: there is no such axis, or nothing along it.

    Gradient: none: a place is a whole number.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/argmin
    """
    x = as_operand(input)
    place = canonical_axis(0 if axis is None else axis, len(x.shape), "argmin")
    return _argmin(x, axis=place, dtype=_of_places(output_type))


# --- in order ---


def _put_kernel(values: Array, places: Array, *, size: int) -> Array:
    rows = np.broadcast_shapes(values.shape, places.shape)
    line = np.zeros((*rows[:-1], size), values.dtype)
    np.put_along_axis(line, np.broadcast_to(places, rows), np.broadcast_to(values, rows), -1)
    return line


_put_along: Primitive = Primitive(
    "PutAlongLastAxis",
    _put_kernel,
    vjp=(lambda zbar, z, values, places, size: _take_along(zbar, places), None),
    batch=elementwise,
    saves="b",
    rule="x̄ = ȳ at the places where the values were put",
    alike=(0,),
)


def _take_kernel(x: Array, places: Array) -> Array:
    ahead = np.broadcast_shapes(x.shape[:-1], places.shape[:-1])
    line = np.broadcast_to(x, (*ahead, x.shape[-1]))
    return np.take_along_axis(line, np.broadcast_to(places, (*ahead, places.shape[-1])), -1)


_take_along: Primitive = Primitive(
    "TakeAlongLastAxis",
    _take_kernel,
    vjp=(lambda ybar, y, x, places: _put_along(ybar, places, size=x.shape[-1]), None),
    batch=elementwise,
    saves="b",
    rule="x̄ = ȳ put back at the places it was taken from, 0 elsewhere",
    alike=(0,),
)


def _top_k_kernel(x: Array, *, k: int) -> tuple[Array, Array]:
    # Sorted upwards from the far end and read backwards, so that of equal elements the first one leads.
    last = x.shape[-1] - 1
    upwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")
    places = (last - upwards[..., ::-1])[..., :k]
    return np.take_along_axis(x, places, -1), places.astype(np.int32)


_top_k: Primitive = Primitive(
    "TopKV2",
    _top_k_kernel,
    vjp=(lambda ybar, y, x, k: _put_along(ybar[0], y[1], size=x.shape[-1]),),
    batch=leading_axes,
    saves="y",
    rule="each ȳ goes back to the place its element came from",
    accepts=REALS,
    outputs=2,
)


class TopKV2(NamedTuple):
    """What `top_k` answers: the values, and where they were."""

    values: Value
    indices: Value


def top_k(
    input: Value,
    k: Any = 1,
    sorted: bool = True,
    index_type: Any = dtypes.int32,
    name: str | None = None,
) -> TopKV2:
    """The `k` largest elements along the last axis, the largest first, and their places.

    Args:
        input: Shape [..., n] with n ≥ k; a real dtype.
        k: How many.
        sorted: They always come in order here, which TensorFlow leaves open when this is False.
        index_type: Of the places: int32 or int64.
        name: Ignored.

    Returns:
        `values` in the dtype of `input` and `indices`, both of shape [..., k]. Of equal elements the first one leads.

    Raises:
        InvalidArgumentError: the input is a scalar, or has fewer than `k` elements along its last axis.

    Gradient: of the values, to any order, batched; none of the places. Remembers the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/top_k
    """
    strict_flag(sorted, "sorted", default=True)
    x = as_operand(input)
    count = whole_number(k)
    if not len(x.shape) or not 0 <= count <= x.shape[-1]:
        raise InvalidArgumentError(
            f"top_k was asked for {count} elements of an input of shape {tuple(x.shape)}.",
            fix="k from 0 to the size of the last axis",
            code="MT507",
        )
    values, places = _top_k(x, k=count)
    wanted = dtypes.as_dtype(index_type).numpy
    return TopKV2(values, places if wanted == np.int32 else cast(places, wanted))


def _in_order(values: Any, axis: Any, direction: str) -> TopKV2:
    """All elements along `axis` in order, and where they were."""
    if direction not in ("ASCENDING", "DESCENDING"):
        raise TapeValueError(
            f"Argument `direction` should be one of ASCENDING, DESCENDING. Received: {direction!r}.",
            fix='direction="DESCENDING"',
        )
    x = as_operand(values)
    if dtypes.kind_of(raw_dtype(x)) not in "fiub":
        raise InvalidArgumentError(
            f"Only real numbers have an order, and these are {dtypes.as_dtype(raw_dtype(x)).name}.",
            fix="tf.sort(tf.abs(x))",
        )
    rank = len(x.shape)
    axis = canonical_axis(axis, rank, "sort")
    swap = list(range(rank))
    swap[axis], swap[-1] = swap[-1], swap[axis]
    if direction == "ASCENDING":
        x = _upside_down(x)
    ordered, places = _top_k(_transpose(x, perm=tuple(swap)), k=x.shape[axis])
    ordered, places = _transpose(ordered, perm=tuple(swap)), _transpose(places, perm=tuple(swap))
    return TopKV2(_upside_down(ordered) if direction == "ASCENDING" else ordered, places)


def _upside_down(x: Value) -> Value:
    dtype = raw_dtype(x)
    if dtypes.kind_of(dtype) == "f":
        return -x
    # -x does not exist for the lowest int, nor for unsigned ones; ~0 - x is there for all and turns the order too.
    return ~dtype.type(0) - x


def sort(
    values: Value, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None
) -> Value:
    """The elements along `axis` in order.

    Args:
        values: Rank at least 1; a real dtype.
        axis: One axis; the last by default.
        direction: "ASCENDING" or "DESCENDING".
        name: Ignored.

    Raises:
        ValueError: there is no such direction.
        InvalidArgumentError: there is no such axis.

    Gradient: to any order, batched: each cotangent goes back to where its element came from.

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
    """The places of the elements along `axis` in the order that would sort them.

    Args:
        values: Rank at least 1; a real dtype.
        axis: One axis; the last by default.
        direction: "ASCENDING" or "DESCENDING".
        stable: Equal elements always stay in their order, so it changes nothing.
        name: Ignored.

    Returns:
        int32, in the shape of `values`.

    Raises:
        ValueError: there is no such direction.
        InvalidArgumentError: there is no such axis.

    Gradient: none: places are whole numbers.

    Source: https://www.tensorflow.org/api_docs/python/tf/argsort
    """
    return _in_order(values, axis, direction).indices

"""Converts axes and sizes to their canonical form, a tuple of integers ≥ 0."""

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.core.values import Ints
from minitape.errors import (
    AxisError,
    DtypeMismatchError,
    InvalidArgumentError,
    ResourceExhaustedError,
    TapeValueError,
)

_MOST_ELEMENTS = 2**37  # the maximum number of elements of a tensor: half a terabyte of float32


def whole_number(value: Any) -> int:
    """Return a size, a count or an index as a Python integer; a fraction is refused, not truncated.

    Raises:
        InvalidArgumentError: the value is not an integer; the error is also a TypeError.
        ValueError: it is None.
    """
    if value is None:
        raise TapeValueError(
            "A size, index or axis must be an integer, but is `None`.",
            fix="pass an integer such as `x.shape[0]`",
        )
    try:
        return operator.index(value)
    except TypeError:
        raise DtypeMismatchError(
            f"A size, index or axis must be an integer, but is {value!r}.",
            fix="pass an integer, or convert with `tf.cast(x, tf.int32)`",
            code="MT506",
        ) from None


def real_number(value: Any) -> float:
    """Return a scalar argument as a Python float.

    Raises:
        InvalidArgumentError: the value is not a scalar number; the error is also a TypeError.
    """
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise DtypeMismatchError(
            f"Expected a number, but got {value!r}.", fix="pass a `float`", code="MT506"
        ) from None


def sizes_of(value: Any) -> Ints:
    """Return the shape of an operand that may be a number or a list; the values of a tensor are not read."""
    if hasattr(value, "shape"):
        return tuple(value.shape)
    try:
        return np.shape(value)
    except ValueError:
        raise TapeValueError(
            "Can't convert non-rectangular Python sequence to Tensor.",
            fix="use inner lists of the same length",
        ) from None


def canonical_axis(axis: Any, rank: int, op: str) -> int:
    """Return one axis, counted from the front.

    Args:
        axis: An integer; a negative one counts from the last axis.
        rank: The number of axes.
        op: The name of the op, for the message.

    Raises:
        InvalidArgumentError: the axis is out of range; the error is also a ValueError.
    """
    number = axis if type(axis) is int else whole_number(axis)
    if not -rank <= number < rank:
        allowed = f"from {-rank} to {rank - 1}" if rank else "none, because it is a scalar"
        raise AxisError(
            f"`{op}` got axis {number}, but its input has rank {rank}.",
            fix=f"use an axis of the input ({allowed})",
            code="MT507",
        )
    return number % rank


def canonical_axes(axis: Any, rank: int, op: str) -> Ints:
    """Return axes in ascending order; None means all axes.

    Args:
        axis: An integer, a list or tuple of integers, or None.
        rank: The number of axes.
        op: The name of the op, for the message.

    Returns:
        A tuple of integers ≥ 0.

    Raises:
        InvalidArgumentError: an axis is out of range, or occurs twice.
    """
    if axis is None:
        return tuple(range(rank))
    if type(axis) is int:
        return (canonical_axis(axis, rank, op),)
    try:
        listed: Sequence[Any] = np.atleast_1d(np.asarray(axis)).ravel().tolist()
    except ValueError:
        raise TapeValueError(
            f"`{op}` got `axis={axis!r}`, which is not a list of axes.", fix="pass `axis=[0, 1]`"
        ) from None
    axes = tuple(sorted(canonical_axis(each, rank, op) for each in listed))
    if len(set(axes)) != len(axes):
        raise InvalidArgumentError(
            f"`{op}` got `axis={list(listed)}`, which contains an axis twice.",
            fix=f"pass `axis={sorted(set(axes))}`",
            code="MT507",
        )
    return axes


def as_sizes(values: Any) -> Ints:
    """Return the shape of a tensor to be created.

    Raises:
        InvalidArgumentError: a size is negative.
        ResourceExhaustedError: the tensor would be too large for any machine's memory.
    """
    sizes = as_ints(values)
    if any(size < 0 for size in sizes):
        raise InvalidArgumentError(
            f"A dimension must be >= 0, but the requested shape is {list(sizes)}.",
            fix="use sizes that are at least 0; only `tf.reshape` accepts -1",
            code="MT507",
        )
    if math.prod(sizes) > _MOST_ELEMENTS:
        raise ResourceExhaustedError(
            f"Out of memory: a tensor of shape {list(sizes)} has {math.prod(sizes):,} elements.",
            fix="use a smaller shape",
            code="MT507",
        )
    return sizes


def as_ints(values: Any) -> Ints:
    """Return a shape or permutation, given as a list, tuple, array or integer tensor, as a tuple."""
    if isinstance(values, list | tuple):
        return tuple([each if type(each) is int else whole_number(each) for each in values])
    return tuple(map(whole_number, np.atleast_1d(np.asarray(values))))

"""Ops that move elements along an axis.

    reverse     last becomes first
    roll        what falls off the end re-enters at the start

Nothing is lost and nothing is added, so the cotangent takes the same way back.
"""

from typing import Any

import numpy as np

from minitape.core.convert import as_operand
from minitape.core.primitive import ANY, Primitive
from minitape.core.values import Array, Ints, Value
from minitape.ops.axes import as_ints, canonical_axes, canonical_axis
from minitape.ops.rules import axes_after_stacking

_reverse: Primitive = Primitive(
    "ReverseV2",
    lambda x, *, axis: np.flip(x, axis),
    vjp=(lambda ybar, y, x, axis: _reverse(ybar, axis=axis),),
    batch=axes_after_stacking,
    rule="x̄ = ȳ reversed",
    accepts=ANY,
)


def reverse(tensor: Value, axis: Any, name: str | None = None) -> Value:
    """The elements of each given axis from last to first.

    Args:
        tensor: Any dtype.
        axis: One axis or several, as a list.
        name: Ignored.

    Raises:
        InvalidArgumentError: there is no such axis.

    Gradient: to any order, batched. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/reverse
    """
    x = as_operand(tensor)
    return _reverse(x, axis=canonical_axes(axis, len(x.shape), "reverse"))


def _roll_kernel(x: Array, *, shift: Ints, axis: Ints) -> Array:
    return np.roll(x, shift, axis)


def _roll_vjp(ybar: Value, y: Value, x: Value, *, shift: Ints, axis: Ints) -> Value:
    return _roll(ybar, shift=tuple(-s for s in shift), axis=axis)


_roll: Primitive = Primitive(
    "Roll",
    _roll_kernel,
    vjp=(_roll_vjp,),
    batch=axes_after_stacking,
    rule="x̄ = ȳ rolled back",
    accepts=ANY,
)


def roll(input: Value, shift: Any, axis: Any, name: str | None = None) -> Value:
    """Move elements along an axis; what falls off the end re-enters at the start.

    Args:
        input: Shape [..., n, ...]; any dtype.
        shift: By how many places; negative moves towards the start. One for each axis.
        axis: The axis or axes to move along; negative counts from the last.
        name: Ignored.

    Raises:
        InvalidArgumentError: `input` has no such axis.

    Gradient: to any order, batched. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/roll

    >>> roll(np.array([1, 2, 3, 4]), shift=1, axis=0).numpy().tolist()
    [4, 1, 2, 3]
    """
    x = as_operand(input)
    axes = tuple(canonical_axis(each, len(x.shape), "roll") for each in as_ints(axis))
    shifts = as_ints(shift)
    return _roll(x, shift=shifts * len(axes) if len(shifts) == 1 else shifts, axis=axes)

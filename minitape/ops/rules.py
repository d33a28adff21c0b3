"""Batch rules that many ops share. A batch rule defines how an op runs on Batched values.

    elementwise             for ops that treat each element separately: align the batches, then run the op once
    leading_axes_broadcast  for an op that works on the last axes and broadcasts the leading ones
    axes_after_stacking     an op with axes: the batch is axis 0, so the other axes move up by one
    axis_after_stacking     an op with a single axis
    leading_axes            an op that works only on the last axes: the batch needs no special treatment
    leading_axes_of_all     such an op with several inputs, each of which needs the batch axis
    one_by_one              run the op for each value in a loop
    all_stacked             repeat the values that are not batched

A batch rule is called as `rule(op, stacked, *values, **settings)`: `stacked[i]` is True if `values[i]` is batched, and the
result is batched (or a tuple of batched values).
"""

from typing import Any

from minitape.core import convert
from minitape.core.batched import (
    one_by_one as one_by_one,
)  # re-exported for modules that declare ops
from minitape.core.batched import raw_dtype
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Ints, Value

Stacked = tuple[bool, ...]


def elementwise(op: Primitive, stacked: Stacked, *values: Value, **settings: Any) -> Value:
    """Batch rule of elementwise ops, which gives all batches the rank of the value of highest rank."""
    ranks = [rank(value) - is_stack for value, is_stack in zip(values, stacked, strict=True)]
    highest = max(ranks)
    aligned = [
        _with_rank(value, highest) if is_stack and own < highest else value
        for value, is_stack, own in zip(values, stacked, ranks, strict=True)
    ]
    return op(*aligned, **settings)


def leading_axes_broadcast(
    op: Primitive, stacked: Stacked, *values: Value, **settings: Any
) -> Value:
    """Batch rule of matrix products. It is not `elementwise`, because forward mode relies on the meaning of that rule."""
    return elementwise(op, stacked, *values, **settings)


def rank(value: Value) -> int:
    """Return the rank of any value; a Python number has rank 0."""
    shape = getattr(value, "shape", ())
    return len(shape)


def _with_rank(stack: Value, wanted: int) -> Value:
    """Return the batch with axes of size 1 after its first axis, so that inner shapes broadcast from the right."""
    shape = tuple(stack.shape)
    missing = wanted - (len(shape) - 1)
    return PRIMITIVES["Reshape"](stack, shape=(shape[0], *(1,) * missing, *shape[1:]))


def axes_after_stacking(
    op: Primitive, _: Stacked, x: Value, *, axis: Ints, **settings: Any
) -> Value:
    """Batch rule of an op with a tuple of axes."""
    return op(x, axis=tuple(a + 1 for a in axis), **settings)


def axis_after_stacking(
    op: Primitive, _: Stacked, x: Value, *, axis: int, **settings: Any
) -> Value:
    """Batch rule of an op with one axis."""
    return op(x, axis=axis + 1, **settings)


def leading_axes(op: Primitive, stacked: Stacked, *values: Value, **settings: Any) -> Value:
    """Batch rule of an op with one input that treats all but its last axes as batch axes."""
    return op(*values, **settings)


def leading_axes_of_all(op: Primitive, stacked: Stacked, *values: Value, **settings: Any) -> Value:
    """Batch rule of an op with several inputs that treats all but their last axes as batch axes."""
    return op(*all_stacked(stacked, *values), **settings)


def all_stacked(stacked: Stacked, *values: Value) -> list[Value]:
    """Return the values; values that are not batched are repeated."""
    stack = next(value for value, is_stack in zip(values, stacked, strict=True) if is_stack)
    return [
        value if is_stack else _repeated(value, stack)
        for value, is_stack in zip(values, stacked, strict=True)
    ]


def _repeated(value: Value, stack: Value) -> Value:
    if not hasattr(value, "shape"):
        value = convert.beside(value, raw_dtype(stack))
    shape = (stack.shape[0], *value.shape)
    return PRIMITIVES["BroadcastTo"](value, shape=shape)

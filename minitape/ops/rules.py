"""Words that many declarations share: how an op meets a stack of values.

    elementwise             every element alone: line the stacks up, then run the op once
    leading_axes_broadcast  the same for an op whose last axes meet, and whose leading axes broadcast
    axes_after_stacking     an op with axes: the stack is axis 0, so the others moved up by one
    axis_after_stacking     the same for an op with a single axis
    leading_axes            an op that works on the last axes only: it does not notice the stack
    leading_axes_of_all     the same where several values meet: each of them needs the stack's axis
    one_by_one              no shortcut: run it for each of the many
    all_stacked             makes a stack of what is none

A batch rule is called as `rule(op, stacked, *values, **settings)`: `stacked[i]` says whether `values[i]` is a stack, and the
answer is a stack (or a tuple of stacks).
"""

from typing import Any

from minitape.core import convert
from minitape.core.batched import one_by_one as one_by_one  # said again for those who declare ops
from minitape.core.batched import raw_dtype
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Ints, Value

Stacked = tuple[bool, ...]


def elementwise(op: Primitive, stacked: Stacked, *values: Value, **settings: Any) -> Value:
    """Batching where elements never meet: give all stacks the rank of the largest value."""
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
    """Batching for a product of matrices. It has a name of its own: forward mode takes `elementwise` at its word."""
    return elementwise(op, stacked, *values, **settings)


def rank(value: Value) -> int:
    """The rank of any value; a Python number has rank 0."""
    shape = getattr(value, "shape", ())
    return len(shape)


def _with_rank(stack: Value, wanted: int) -> Value:
    """The stack with axes of size 1 after its leading one, so that inner shapes broadcast from the right."""
    shape = tuple(stack.shape)
    missing = wanted - (len(shape) - 1)
    return PRIMITIVES["Reshape"](stack, shape=(shape[0], *(1,) * missing, *shape[1:]))


def axes_after_stacking(
    op: Primitive, _: Stacked, x: Value, *, axis: Ints, **settings: Any
) -> Value:
    """Batching for an op with a tuple of axes."""
    return op(x, axis=tuple(a + 1 for a in axis), **settings)


def axis_after_stacking(
    op: Primitive, _: Stacked, x: Value, *, axis: int, **settings: Any
) -> Value:
    """Batching for an op with one axis."""
    return op(x, axis=axis + 1, **settings)


def leading_axes(op: Primitive, stacked: Stacked, *values: Value, **settings: Any) -> Value:
    """Batching for an op of one value that treats all but its last axes as a batch already."""
    return op(*values, **settings)


def leading_axes_of_all(op: Primitive, stacked: Stacked, *values: Value, **settings: Any) -> Value:
    """Batching for an op of several values that treats all but their last axes as a batch already."""
    return op(*all_stacked(stacked, *values), **settings)


def all_stacked(stacked: Stacked, *values: Value) -> list[Value]:
    """The values with those that are no stack repeated into one, so that all can be treated alike."""
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

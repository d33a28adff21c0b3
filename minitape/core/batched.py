"""Batched: many values of one shape in a stack, so that one pass of the engine does the work of a loop.

`jacobian` seeds its walk with a stack of unit cotangents; every op on the way then meets a Batched value and answers with one, by
its batch rule. The stack's leading axis is the batch, and `shape` is what each of the many looks like, so a rule written for
one value reads the same for many.
"""

from typing import Any

from minitape.core.tensor import ArrayFace, Operators
from minitape.core.values import Ints, Value


class Batched(Operators):
    """`stack[i]` is the i-th of the many; the stack is an Array or a Tensor."""

    __slots__ = ("stack",)

    def __init__(self, stack: Value) -> None:
        self.stack = stack

    @property
    def shape(self) -> Ints:
        return tuple(self.stack.shape[1:])

    @property
    def ndim(self) -> int:
        return len(self.stack.shape) - 1

    @property
    def dtype(self) -> Any:
        return self.stack.dtype

    def __repr__(self) -> str:
        return f"Batched({self.stack!r})"


def raw_dtype(value: Value) -> Any:
    """The NumPy dtype of any value."""
    if type(value) is Batched:
        value = value.stack
    return value._array.dtype if isinstance(value, ArrayFace) else value.dtype

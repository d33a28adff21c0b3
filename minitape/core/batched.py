"""A Batched holds many values of one shape in one array, so that the engine computes all of them in one pass instead of a loop.

`jacobian` seeds its backward pass with a batch of unit cotangents. Each op then gets a Batched value and returns one, by its
batch rule. The leading axis of `stack` is the batch, and `shape` is the shape of a single value, so a rule that is written for
one value works for many.

Python and NumPy cannot compute with a Batched value. Converting it to a bool, a number or an array raises an error.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Operators, TensorLike
from minitape.core.values import Ints, Value
from minitape.errors import TapeTypeError


class Batched(Operators):
    """A batch of values of one shape and dtype: `stack[i]` is value i; `stack` is an Array or a Tensor."""

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

    def __len__(self) -> int:
        if not self.ndim:
            raise TapeTypeError("Scalar tensor has no `len()`.")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> NoReturn:
        raise self._refusal("`if`, `while`, `and` or `not`")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise self._refusal("NumPy")

    def _refusal(self, requested_by: str) -> TapeTypeError:
        return TapeTypeError(
            f"A batch of {self.stack.shape[0]} values has no single value for {requested_by}.",
            fix="use `tf.where(condition, a, b)` instead of `if`, and TensorFlow functions instead of NumPy functions",
        )

    def __repr__(self) -> str:
        return f"Batched({self.stack!r})"


def raw_dtype(value: Value) -> Any:
    """Return the NumPy dtype of any value of the engine."""
    if type(value) is Batched:
        value = value.stack
    return value._array.dtype if isinstance(value, TensorLike) else value.dtype


def one_by_one(op: Any, stacked: tuple[bool, ...], *values: Value, **settings: Any) -> Value:
    """Batch rule that calls the op for each value in a loop: correct for every op, but no faster than a loop."""
    stacks = [value for value, is_stack in zip(values, stacked, strict=True) if is_stack]
    size = stacks[0].shape[0]
    # an empty batch has no value to run on, but its result needs a shape, so run on zeros
    if not size:
        zeros = [_one_zero(v) if is_stack else v for v, is_stack in zip(values, stacked)]
        answer = one_by_one(op, stacked, *zeros, **settings)
        return tuple(each[:0] for each in answer) if type(answer) is tuple else answer[:0]
    answers = [
        op(
            *(v[i] if is_stack else v for v, is_stack in zip(values, stacked, strict=True)),
            **settings,
        )
        for i in range(size)
    ]
    if isinstance(answers[0], tuple):
        return tuple(PRIMITIVES["Pack"](*column, axis=0) for column in zip(*answers, strict=True))
    return PRIMITIVES["Pack"](*answers, axis=0)


def _one_zero(stack: Value) -> Value:
    return np.zeros((1, *stack.shape[1:]), raw_dtype(stack))

"""Computes all rows of a Jacobian in one backward pass.

Row i of a Jacobian is the gradient of element i: the result of the backward pass whose seed is 1 at element i and 0 elsewhere.
`by_stack` seeds one backward pass with the batch of all these seeds, so each op of the tape is visited once, and each rule
computes all rows at once. `by_loop` runs one backward pass for each row.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.autodiff.accumulate import dense
from minitape.autodiff.backward import run_backward
from minitape.autodiff.tape import Tape
from minitape.core import recorders
from minitape.core.batched import Batched
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Value
from minitape.errors import TapeValueError


def by_stack(
    tape: Tape, target: Any, sources: Sequence[Any], *, consume: bool
) -> list[Value | None]:
    """Return for each source the Jacobian of shape target.shape + source.shape, or None.

    Args:
        tape: The tape, which no longer records.
        target: A tensor.
        sources: Tensors or variables.
        consume: Whether to release the records.
    """
    shape = tuple(target._array.shape)
    size = int(np.prod(shape, dtype=np.int64))
    seeds = np.eye(size, dtype=target._array.dtype).reshape(size, *shape)
    stacks = _backward_stack(tape, target, sources, seeds, consume)
    return [
        None if stack is None else _reshaped(stack, shape + tuple(source._array.shape))
        for stack, source in zip(stacks, sources, strict=True)
    ]


def by_loop(
    tape: Tape, target: Any, sources: Sequence[Any], *, consume: bool
) -> list[Value | None]:
    """Return the result of `by_stack`, computed with one backward pass for each row."""
    shape = tuple(target._array.shape)
    size = int(np.prod(shape, dtype=np.int64))
    if not size:  # even a result without rows needs a shape
        return by_stack(tape, target, sources, consume=consume)
    arrays = not recorders.thread.active
    rows: list[list[Value | None]] = []
    for i in range(size):
        seed = np.zeros(size, target._array.dtype)
        seed[i] = 1
        seed = seed.reshape(shape)
        seeds = [(target._id, seed if arrays else Tensor(seed))]
        ids = [source._id for source in sources]
        found = run_backward(
            tape.records, tape.watched, seeds, ids, on_arrays=arrays, consume=False
        )
        rows.append([dense(found.get(source._id)) for source in sources])
    if consume:
        tape.records.clear()
    return [
        None
        if any(row is None for row in column)
        else _reshaped(PRIMITIVES["Pack"](*column, axis=0), shape + tuple(source._array.shape))
        for column, source in zip(zip(*rows, strict=True), sources, strict=True)
    ]


def check_batches(target: Any, source: Any) -> None:
    """Raise ValueError unless target and source have first axes of equal size, and at least one more axis each."""
    for value in (target, source):
        if len(value.shape) < 2:
            raise TapeValueError(
                f"Shape {tuple(value.shape)} must have rank at least 2",
                fix="use a target of shape `[batch, ...]`, or `tape.jacobian` for other shapes",
                code="MT507",
            )
    if target.shape[0] != source.shape[0]:
        raise TapeValueError(
            f"Need first dimension of target shape ({tuple(target.shape)}) and "
            f"source shape ({tuple(source.shape)}) to match.",
            fix="use `tape.jacobian` if the target and the source have no common batch axis",
            code="MT507",
        )


def of_batch(tape: Tape, target: Any, source: Any, *, consume: bool, at_once: bool) -> Value | None:
    """Return the Jacobian of each example, or None if target and source are not connected.

    Because no example depends on another, one seed is enough for all examples. It is 1 at the same element of each example.

    Args:
        tape: The tape, which no longer records.
        target: A tensor of shape [b, ...].
        source: A tensor of shape [b, ...].
        consume: Whether to release the records.
        at_once: Whether to compute all rows in one backward pass.
    """
    batch, *inner = target._array.shape
    size = int(np.prod(inner, dtype=np.int64))
    unit = np.eye(size, dtype=target._array.dtype).reshape(size, 1, *inner)
    seeds = np.broadcast_to(unit, (size, batch, *inner)).copy()
    if at_once or not size:
        stack = _backward_stack(tape, target, [source], seeds, consume)[0]
    else:
        rows = [
            _backward_stack(tape, target, [source], seeds[i : i + 1], False)[0] for i in range(size)
        ]
        stack = None if rows[0] is None else PRIMITIVES["ConcatV2"](*rows, axis=0)
    if stack is None:
        return None
    rank = len(source._array.shape) + 1
    by_example = PRIMITIVES["Transpose"](stack, perm=(1, 0, *range(2, rank)))
    return _reshaped(by_example, (batch, *inner, *source._array.shape[1:]))


def _backward_stack(
    tape: Tape, target: Any, sources: Sequence[Any], seeds: Array, consume: bool
) -> list[Value | None]:
    arrays = not recorders.thread.active
    found = run_backward(
        tape.records,
        tape.watched,
        [(target._id, Batched(seeds if arrays else Tensor(seeds)))],
        [source._id for source in sources],
        on_arrays=arrays,
        consume=consume,
    )
    return [_as_stack(found.get(source._id), len(seeds)) for source in sources]


def _as_stack(cotangent: Value | None, count: int) -> Value | None:
    """Return the rows as a batch; a cotangent that is not Batched, such as zeros, is repeated for each row."""
    if type(cotangent) is Batched:
        return cotangent.stack
    row = dense(cotangent)
    return None if row is None else PRIMITIVES["BroadcastTo"](row, shape=(count, *tuple(row.shape)))


def _reshaped(stack: Value, shape: tuple[int, ...]) -> Value:
    return PRIMITIVES["Reshape"](stack, shape=shape)

"""The law of batching rules: one call on stacks returns what a loop over the elements returns, for an op and for its rules."""

from itertools import product
from typing import Any

import numpy as np
from samples import Sample, cotangent

from minitape.core.batched import Batched
from minitape.core.tensor import Tensor

SIZE = 3
# A sum over a stack may be computed in another order than a sum over one value.
TOLERANCE = {"rtol": 1e-12, "atol": 1e-14}


def stack_of(x: Any) -> Any:
    """Several values like x: scaled towards 0, so that the op is defined for them, and with their elements reordered."""
    if x.dtype.kind in "fc":
        return np.stack([x, 0.9 * x, 0.8 * x])
    return np.stack([x, np.flip(x, 0) if x.ndim else x, x])


def stacks(sample: Sample) -> list[Any]:
    if sample.op == "Acosh":
        return [np.stack([x, x + 0.1, x + 0.2]) for x in sample.inputs]
    return [stack_of(x) for x in sample.inputs]


def chosen(many: list[Any], sample: Sample, which: tuple[bool, ...], i: int) -> list[Any]:
    """The i-th element of each stacked input; the other inputs unchanged."""
    return [
        s[i] if is_stack else x for s, x, is_stack in zip(many, sample.inputs, which, strict=True)
    ]


def assert_is_stack_of(together: Any, one_by_one: list[Any]) -> None:
    if isinstance(together, tuple):
        for each, column in zip(together, zip(*one_by_one, strict=True), strict=True):
            assert_is_stack_of(each, list(column))
        return
    assert type(together) is Batched
    np.testing.assert_allclose(np.asarray(together.stack), np.stack(one_by_one), **TOLERANCE)


def ways_to_stack(count: int) -> list[tuple[bool, ...]]:
    return [which for which in product((True, False), repeat=count) if any(which)]


def test_op_on_stacks_equals_loop(sample: Sample) -> None:
    """Whichever inputs are stacked."""
    many = stacks(sample)
    for which in ways_to_stack(len(many)):
        given = [
            Batched(s) if is_stack else x for s, x, is_stack in zip(many, sample.inputs, which)
        ]
        one_by_one = [sample.run(*chosen(many, sample, which, i)) for i in range(SIZE)]
        assert_is_stack_of(sample.run(*given), one_by_one)


def cotangents(y: Any) -> list[Any]:
    return [cotangent(y, seed=i) for i in range(SIZE)]


def batched(columns: list[Any], wrap: Any = lambda array: array) -> Any:
    """Many cotangents as one: a stack for each output."""
    if isinstance(columns[0], tuple):
        return tuple(batched(list(column), wrap) for column in zip(*columns, strict=True))
    return None if columns[0] is None else Batched(wrap(np.stack(columns)))


def test_vjp_of_stacked_cotangents_equals_loop(sample: Sample) -> None:
    """This computes a Jacobian: one tape, and one backward pass for a stack of seeds."""
    y = sample.run()
    ybars = cotangents(y)
    for position in sample.smooth:
        together = sample.vjp(position, batched(ybars), y, sample.inputs)
        one_by_one = [sample.vjp(position, ybar, y, sample.inputs) for ybar in ybars]
        assert_is_stack_of(together, one_by_one)
        assert type(together.stack) is np.ndarray


def test_vjp_of_stacked_cotangents_can_be_recorded(sample: Sample) -> None:
    """For a Jacobian under a second tape: the stack is a tensor, and so is the result."""
    y = sample.run()
    ybars = cotangents(y)
    tensors = tuple(map(Tensor, sample.inputs))
    for position in sample.smooth:
        together = sample.vjp(position, batched(ybars, Tensor), sample.run(*tensors), tensors)
        assert type(together.stack) is Tensor
        one_by_one = [sample.vjp(position, ybar, y, sample.inputs) for ybar in ybars]
        assert_is_stack_of(together, one_by_one)


def test_vjp_of_stacked_inputs_and_cotangents_equals_loop(sample: Sample) -> None:
    """Many examples at once, each with its own inputs and its own cotangent."""
    many = stacks(sample)
    which = tuple(x.dtype.kind in "fc" for x in sample.inputs)
    given = [Batched(s) if is_stack else x for s, x, is_stack in zip(many, sample.inputs, which)]
    each = [chosen(many, sample, which, i) for i in range(SIZE)]
    ys = [sample.run(*inputs) for inputs in each]
    ybars = [cotangent(y, seed=i) for i, y in enumerate(ys)]
    for position in sample.smooth:
        together = sample.vjp(position, batched(ybars), sample.run(*given), given)
        one_by_one = [
            sample.vjp(position, ybar, y, inputs)
            for ybar, y, inputs in zip(ybars, ys, each, strict=True)
        ]
        assert_is_stack_of(together, one_by_one)

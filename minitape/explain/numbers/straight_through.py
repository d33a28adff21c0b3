"""Straight-through estimators that lack the stop, such as `x + (tf.round(x) - x)`.

    unstopped    the addition in which the two uses of `x` cancel, so that only the rounded value is left, which passes on nothing

The answer depends on the ops alone, not on the gradients, so it is the same regardless of other uses of `x`.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from minitape.explain.causes import zeros
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.trace import events

_SEARCHED = 200  # the maximum number of ops between `x` and the rounded value


class _Estimator(NamedTuple):
    """An addition `x + (q - x)`: the values of `x`, and the break to report."""

    straight: set[int]
    found: BrokenEdge[zeros.Unstopped]


def unstopped(
    flow: FlowGraph, call: GradientCall, source: int, *, partial: bool = False
) -> BrokenEdge[Facts] | None:
    """Return the straight-through estimator that discards the gradient of a source; None if there is none.

    Args:
        flow: The graph of the run.
        call: The gradient call.
        source: The source, which the backward pass reached.
        partial: Whether other paths contribute to its gradient.
    """
    estimators = flow.once(_estimators, call)
    if not estimators:
        return None
    waiting, seen = [source], {source}
    for value in waiting:
        for estimator in estimators:
            if value in estimator.straight:
                return replace(
                    estimator.found, facts=replace(estimator.found.facts, partial=partial)
                )
        for sent in call.sent_to.get(value, ()):
            new = [each.id for each in sent.step.op.outputs if each.id not in seen]
            seen.update(new)
            waiting.extend(new)
    return None


def _estimators(flow: FlowGraph, call: GradientCall) -> list[_Estimator]:
    return [each for step in call.steps for each in _of_op(flow, step.op)]


def _of_op(flow: FlowGraph, op: events.OpEvent) -> Iterator[_Estimator]:
    """Yield the estimator that ends in an op: `x + (q - x)`, `(q - x) + x` or `x - (x - q)`."""
    if op.name not in ("AddN", "AddV2", "Sub") or len(op.inputs) != 2:
        return
    values = [each.value for each in op.inputs]
    is_sum = op.name != "Sub"
    sides = [(0, 1), (1, 0)] if is_sum else [(0, 1)]
    for straight, other in sides:
        difference = flow.op_behind(values[other])
        if difference is None or difference.name != "Sub":
            continue
        left, right = (each.value for each in difference.inputs)
        same, rounded = (right, left) if is_sum else (left, right)
        if _owner(flow, same) != _owner(flow, values[straight]):
            continue
        jump = _jump_between(flow, _owner(flow, same), rounded)
        if jump is not None:
            facts = zeros.Unstopped(straight=straight, jump=jump.i)
            found = BrokenEdge(zeros.straight_through_unstopped, op.i, facts=facts)
            yield _Estimator({same, values[straight], _owner(flow, same)}, found)


def _owner(flow: FlowGraph, value: int) -> int:
    """Return the variable that a value was read from, or the value itself."""
    return flow.variable_read(value) or value


def _jump_between(flow: FlowGraph, start: int, end: int) -> events.OpEvent | None:
    """Return the op that is constant between its jumps, on a path from `start` to `end`; None if there is none."""
    waiting: list[tuple[int, events.OpEvent | None]] = [(end, None)]
    seen = {end}
    for value, jump in waiting:
        if _owner(flow, value) == start:
            return jump
        op = flow.op_behind(value)
        if op is None or len(waiting) > _SEARCHED:
            continue
        is_jump = _is_jump(flow, op) or not flow.is_smooth(value)
        for each in op.inputs:
            if each.value not in seen:
                seen.add(each.value)
                waiting.append((each.value, op if is_jump else jump))
    return None


def _is_jump(flow: FlowGraph, op: events.OpEvent) -> bool:
    """Whether no gradient passes an op. The rule of `tf.sign` returns zeros."""
    return op.name == "Sign" or flow.primitives[op.name].gradient in ("none", "zero")

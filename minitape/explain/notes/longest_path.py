"""The longest path of a backward pass, op by op, and the norm of the cotangent at each.

The norm of the whole cotangent is compared, not the size of its elements. A mean over a large batch scales the norm once, for all
layers, and a layer with the usual initialization hardly changes the norm, regardless of its width. The size of a single element
depends on the number of elements.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from minitape.explain.flow.calls import BackwardStep, GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import largest
from minitape.explain.report import ScalingFactor
from minitape.trace import events

# Ops on two values, of which the smaller one is repeated to the size of the other.
_BROADCASTING = {
    "AddV2", "BiasAdd", "DivNoNan", "Maximum", "Minimum", "Mul", "MulNoNan", "RealDiv", "SquaredDifference", "Sub",
}  # fmt: skip
# Ops that add a weight and pass the cotangent on unchanged.
_ADDING = {"AddV2", "AddN", "BiasAdd", "Sub"}
_A_TENTH = math.log(1.1)


class Passed(NamedTuple):
    """One op of the backward pass, and the norm of the cotangent that arrived at it."""

    op: events.OpEvent
    arrived: float
    location: int


def spine(_: FlowGraph, call: GradientCall) -> list[Passed]:
    """Return the path from the target to the value that is the most ops away from it.

    Where an op repeats the smaller of two values, the path goes on to the larger one. The smaller one is a parameter or a
    statistic, such as the mean in a normalization, and not the output of a layer.
    """
    depth: dict[int, int] = {}
    onward: dict[int, int | None] = {}
    behind: dict[int, BackwardStep] = {}
    for step in reversed(call.steps):
        deepest, via = -1, None
        for contribution in _of_full_size(step):
            so_deep = depth.get(contribution.value, 0)
            if so_deep > deepest:
                deepest, via = so_deep, contribution.value
        for output in step.op.outputs:
            depth[output.id] = deepest + 1
            onward[output.id] = via
            behind[output.id] = step
    value: int | None = max(
        call.event.targets, key=lambda target: depth.get(target, -1), default=None
    )
    passed: list[Passed] = []
    while value in behind:
        step = behind.pop(value)  # once, because in a damaged trace values may form a cycle
        passed.append(Passed(step.op, step.back.arrived.l2 or 0.0, len(passed)))
        value = onward[value]
    return passed


def _of_full_size(step: BackwardStep) -> Sequence[events.Contribution]:
    """Return the contributions that a step sends to the layers before it."""
    sent = step.back.sent
    if step.op.name not in _BROADCASTING:
        return sent
    largest_size = max(
        (contribution.numbers.size for contribution in sent if contribution.numbers), default=0
    )
    return [
        contribution
        for contribution in sent
        if contribution.numbers and contribution.numbers.size == largest_size
    ]


def weights_of(flow: FlowGraph, op: events.OpEvent) -> list[int]:
    """Return the variables among an op's inputs, unless the op only adds them."""
    if op.name in _ADDING:
        return []
    read = (flow.variable_read(given.value) or given.value for given in op.inputs)
    return [value for value in read if value in flow.variables]


def factors_between(passed: Sequence[Passed], first: int, last: int) -> dict[str, list[float]]:
    """Return the factors by which the ops of each name multiply the gradient, between two points of the path."""
    factors: dict[str, list[float]] = {}
    for near, far in zip(passed[first:last], passed[first + 1 : last + 1], strict=True):
        if near.arrived and far.arrived:
            factors.setdefault(near.op.name, []).append(far.arrived / near.arrived)
    return factors


def to_blame(factors: dict[str, list[float]], *, shrinks: bool) -> str:
    """Return the name of the ops that together reduce, or enlarge, the gradient most."""
    sign = 1.0 if shrinks else -1.0
    return min(factors, key=lambda name: sign * sum(map(math.log, factors[name])))


def reported(
    passed: Sequence[Passed], factors: dict[str, list[float]], first: str
) -> tuple[ScalingFactor, ...]:
    """Return the factors in the form of a report: first the factors of the op `first`, then the largest changes, without factors
    near 1.
    """
    lines = {each.op.name: each.op.at.line for each in reversed(passed) if each.op.at}
    each = [
        ScalingFactor(name, lines.get(name, 0), len(some), typical(some))
        for name, some in factors.items()
    ]
    changing = [factor for factor in each if factor.op == first or _change(factor) > _A_TENTH]
    return tuple(sorted(changing, key=lambda factor: (factor.op != first, -_change(factor))))


def _change(factor: ScalingFactor) -> float:
    """Return the size of the combined effect of some factors, regardless of whether they reduce or enlarge the gradient."""
    return abs(math.log(factor.factor)) * factor.times


def typical(factors: Sequence[float]) -> float:
    """Return the geometric mean of some factors."""
    return math.exp(sum(map(math.log, factors)) / len(factors))


def largest_given(flow: FlowGraph, call: GradientCall) -> float:
    """Return the largest absolute value of the data, which are the constants that an op of the backward pass combines with a
    weight.
    """
    given = (
        flow.numbers.get(each.value)
        for step in call.steps
        if weights_of(flow, step.op)
        for each in step.op.inputs
        if isinstance(flow.born.get(each.value), events.ConstantEvent)
    )
    return max(map(largest, given), default=0.0)

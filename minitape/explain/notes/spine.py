"""The longest way back of a gradient call, op by op, and what is left of the gradient at each.

What is compared is the norm of the whole cotangent. A mean over a large batch makes it small once, for all layers alike; and a
layer with weights of the usual size hardly changes it, however wide its sides are, while the size of a single element depends on
how many there are.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from minitape.explain.flow.calls import Call, Step
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.magnitudes import largest
from minitape.explain.report import Factor
from minitape.trace import events

# Ops that add a weight, and pass on what arrives as it is.
_ADDING = {"AddV2", "AddN", "BiasAdd", "Sub"}
_A_TENTH = math.log(1.1)


class Passed(NamedTuple):
    """One op of the way back, and the norm of what arrived at it."""

    op: events.Op
    arrived: float
    place: int


def spine(_: Flow, call: Call) -> list[Passed]:
    """From the target to the value that is the most ops away from it."""
    depth: dict[int, int] = {}
    onward: dict[int, int | None] = {}
    behind: dict[int, Step] = {}
    for step in reversed(call.steps):
        deepest, via = -1, None
        for share in step.back.sent:
            so_deep = depth.get(share.value, 0)
            if so_deep > deepest:
                deepest, via = so_deep, share.value
        for output in step.op.outputs:
            depth[output.id] = deepest + 1
            onward[output.id] = via
            behind[output.id] = step
    value: int | None = max(
        call.event.targets, key=lambda target: depth.get(target, -1), default=None
    )
    passed: list[Passed] = []
    while value in behind:
        step = behind.pop(value)  # once: in a damaged trace values may lead in a circle
        passed.append(Passed(step.op, step.back.arrived.l2 or 0.0, len(passed)))
        value = onward[value]
    return passed


def weights_of(flow: Flow, op: events.Op) -> list[int]:
    """The variables that an op multiplies by, or whatever it does with them but add."""
    if op.name in _ADDING:
        return []
    read = (flow.variable_read(given.value) or given.value for given in op.inputs)
    return [value for value in read if value in flow.variables]


def factors_between(passed: Sequence[Passed], first: int, last: int) -> dict[str, list[float]]:
    """What the ops of each name multiply a gradient by, from one place of the way to another."""
    factors: dict[str, list[float]] = {}
    for near, far in zip(passed[first:last], passed[first + 1 : last + 1], strict=True):
        if near.arrived and far.arrived:
            factors.setdefault(near.op.name, []).append(far.arrived / near.arrived)
    return factors


def to_blame(factors: dict[str, list[float]], *, shrinks: bool) -> str:
    """The name of the ops that together shrink a gradient most, or make it grow most."""
    sign = 1.0 if shrinks else -1.0
    return min(factors, key=lambda name: sign * sum(map(math.log, factors[name])))


def told(
    passed: Sequence[Passed], factors: dict[str, list[float]], first: str
) -> tuple[Factor, ...]:
    """The factors as a report has them, the ones to blame first, then what changes most; what changes nothing is left out."""
    lines = {each.op.name: each.op.at.line for each in reversed(passed) if each.op.at}
    each = [
        Factor(name, lines.get(name, 0), len(some), typical(some)) for name, some in factors.items()
    ]
    changing = [factor for factor in each if factor.op == first or _change(factor) > _A_TENTH]
    return tuple(sorted(changing, key=lambda factor: (factor.op != first, -_change(factor))))


def _change(factor: Factor) -> float:
    """What all of them together do, whether they shrink it or let it grow."""
    return abs(math.log(factor.factor)) * factor.times


def typical(factors: Sequence[float]) -> float:
    """The factor that, taken at each of them, gives the same in all."""
    return math.exp(sum(map(math.log, factors)) / len(factors))


def largest_given(flow: Flow, call: Call) -> float:
    """How large the data are: the largest number that met a weight of the walk and was computed from nothing."""
    given = (
        flow.numbers.get(each.value)
        for step in call.steps
        if weights_of(flow, step.op)
        for each in step.op.inputs
        if isinstance(flow.born.get(each.value), events.Constant)
    )
    return max(map(largest, given), default=0.0)

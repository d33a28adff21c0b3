"""Units that give the same whatever comes in: a relu that is below 0 for every example, a sigmoid that is far out.

What a sigmoid's slope is on the average can be read off the mean and the spread of what it gave: the slope of y is y - y², that
of a tanh is 1 - y². Of a softmax the same sum tells how near each row is to a single 1.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Kind, Noted
from minitape.explain.notes.makers import made_at
from minitape.explain.notes.spine import largest_given
from minitape.trace import events
from minitape.trace.events import Numbers

_DEAD = 0.9  # of the units of a layer
_UNITS = 10  # fewer are not worth a share
_ELEMENTS = 16  # of what is squashed: neither
_FLAT = 0.1  # of the steepest slope, on the average
_FLAT_SOFTPLUS = 1e-3  # a scale that starts at softplus(-5) is meant
_UNMOVED = 0.5  # of the loss at the start: what has learnt may be as flat as it likes
_RELUS = {"Relu", "Relu6"}
_MIXING = {"BatchMatMulV2", "Conv2D", "Einsum", "MatMul"}


def noticed(flow: Flow, rounds: Sequence[Call]) -> Iterator[Noted]:
    """Dead units that stay so, and units that are flat at the start, or from a round on in which nothing was learnt."""
    dead: dict[int, list[Noted]] = {}
    for call in rounds:
        for bias, case in _dead(flow, call):
            dead.setdefault(bias, []).append(case)
        if call is rounds[0] or _has_not_learnt(flow, rounds[0], call):
            yield from _saturated(flow, call, call.event.visit - rounds[0].event.visit)
    for cases in dead.values():
        if cases[-1].call is rounds[-1] and len(cases) >= len(rounds) / 2:
            yield from cases


def _dead(flow: Flow, call: Call) -> Iterator[tuple[int, Noted]]:
    """The biases before a relu most of whose units were sent nothing; one whose units all got nothing has a gradient of zeros."""
    for step in call.steps:
        if step.op.name not in _RELUS:
            continue
        before = flow.op_behind(step.op.inputs[0].value)
        adding = None if before is None else call.step_of.get(before.number)
        for share in () if adding is None else adding.back.sent:
            zeros, units = share.numbers.zeros, share.numbers.size
            is_bias = share.value in flow.variables and len(share.numbers.shape) == 1
            if is_bias and units >= _UNITS and _DEAD * units <= zeros < units:
                facts = {"dead": zeros, "units": units}
                yield share.value, _case(flow, call, kinds.dead_units, step.op, facts)


def _saturated(flow: Flow, call: Call, since: int) -> Iterator[Noted]:
    """The places of the program at which all that is squashed is squashed flat: of a recurrence, all steps together."""
    if not any(source.value in flow.variables for source in call.event.sources):
        return  # nothing is to be learnt: of a trained network a flat unit is no wonder
    places: dict[object, list[tuple[events.Op, float]]] = {}
    for step in call.steps:
        slope = _slope(step.op)
        if slope is not None:
            places.setdefault((step.op.name, *step.op.stack), []).append((step.op, slope))
    mixed = {
        given.value
        for step in (call.steps if places else ())
        if step.op.name in _MIXING
        for given in step.op.inputs
    }
    for runs in places.values():
        op = runs[-1][0]
        if sum(run.outputs[0].size for run, _ in runs) < _ELEMENTS:
            continue
        slope = sum(each for _, each in runs) / len(runs)
        is_inside = op.name == "Softplus" or any(each.outputs[0].id in mixed for each, _ in runs)
        if is_inside and slope < (_FLAT_SOFTPLUS if op.name == "Softplus" else _FLAT):
            facts = {
                "op": op.name,
                "slope": slope,
                "input": op.inputs[0].value,
                "data": largest_given(flow, call),
                "since": since,
            }
            yield _case(flow, call, kinds.saturated_units, op, facts)


def _slope(op: events.Op) -> float | None:
    """The slope of an op on the average, as a share of its steepest; None for an op that does not squash."""
    of = _SLOPES.get(op.name)
    numbers = op.outputs[0]
    if of is None or numbers.mean is None or numbers.std is None or numbers.nan or numbers.inf:
        return None
    return max(0.0, of(numbers.mean, numbers.mean**2 + numbers.std**2, numbers))


def _of_rows(_: float, squares: float, numbers: Numbers) -> float:
    """How far the rows of a softmax are from a single 1, where even rows are 1."""
    n = numbers.shape[-1] if numbers.shape else 1
    return 1.0 if n < 2 else (1 - n * squares) / (1 - 1 / n)


# From the mean of what came out, and the mean of its squares.
_SLOPES: dict[str, Callable[[float, float, Numbers], float]] = {
    "Sigmoid": lambda mean, squares, _: 4 * (mean - squares),
    "Softmax": _of_rows,
    "Softplus": lambda mean, _, __: mean,  # 1 - exp(-y) is y where y is small
    "Tanh": lambda _, squares, __: 1 - squares,
}


def _has_not_learnt(flow: Flow, first: Call, now: Call) -> bool:
    before, after = loss_of(flow, first), loss_of(flow, now)
    return before is not None and after is not None and after >= _UNMOVED * before


def loss_of(flow: Flow, call: Call) -> float | None:
    """The target of a call, where that is one finite number."""
    numbers = flow.numbers.get(call.event.targets[0]) if len(call.event.targets) == 1 else None
    is_one = numbers is not None and numbers.size == 1 and not numbers.nan and not numbers.inf
    return numbers.mean if numbers is not None and is_one else None


def _case(flow: Flow, call: Call, kind: Kind, op: events.Op, facts: dict[str, Any]) -> Noted:
    at, lines = made_at(flow, [op])
    return Noted(kind, call, op.i, at=at, lines=lines, visits=(call.event.visit,), facts=facts)

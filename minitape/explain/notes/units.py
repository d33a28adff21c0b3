"""Units that are almost constant: a relu whose input is below 0 for every example, a saturated sigmoid.

The average derivative of a sigmoid follows from the mean and the standard deviation of its outputs: with the output y the
derivative is y - y², and for a tanh 1 - y². For a softmax the same sum measures how close each row is to one-hot.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Facts, NoteCase, NoteKind
from minitape.explain.notes.locations import made_at
from minitape.explain.notes.longest_path import largest_given
from minitape.trace import events
from minitape.trace.events import Numbers

_DEAD = 0.9  # the fraction of the units of a layer that must receive no gradient for a note
_UNITS = 10  # the minimum number of units of a layer for which a fraction is meaningful
_ELEMENTS = 16  # the minimum number of elements of an activation for which an average is meaningful
_FLAT = 0.1  # the average derivative of a saturated activation, relative to its maximum
# The same for softplus, because a scale that starts at softplus(-5) is intended.
_FLAT_SOFTPLUS = 1e-3
# The fraction of the first loss below which saturation is normal for a trained model.
_UNMOVED = 0.5
_RELUS = {"Relu", "Relu6"}
_MIXING = {"BatchMatMulV2", "Conv2D", "Einsum", "MatMul"}


def noticed(flow: FlowGraph, iterations: Sequence[GradientCall]) -> Iterator[NoteCase[Facts]]:
    """Yield the dead units that stay dead, and the units that are saturated in the first iteration or while the loss is
    still high.
    """
    dead: dict[int, list[NoteCase[Facts]]] = {}
    for call in iterations:
        for bias, case in _dead(flow, call):
            dead.setdefault(bias, []).append(case)
        if call is iterations[0] or _has_not_learnt(flow, iterations[0], call):
            yield from _saturated(flow, call, call.event.visit - iterations[0].event.visit)
    for cases in dead.values():
        if cases[-1].call is iterations[-1] and len(cases) >= len(iterations) / 2:
            yield from cases


def _dead(flow: FlowGraph, call: GradientCall) -> Iterator[tuple[int, NoteCase[Facts]]]:
    """Yield the biases before a relu for which most units, but not all, received no gradient. If none did, the gradient
    is zero.
    """
    for step in call.steps:
        if (
            step.op.name not in _RELUS or not step.op.inputs
        ):  # a damaged trace may have an op without inputs
            continue
        before = flow.op_behind(step.op.inputs[0].value)
        adding = None if before is None else call.step_of.get(before.number)
        for contribution in () if adding is None else adding.back.sent:
            zeros, units = contribution.numbers.zeros, contribution.numbers.size
            is_bias = contribution.value in flow.variables and len(contribution.numbers.shape) == 1
            if is_bias and units >= _UNITS and _DEAD * units <= zeros < units:
                facts = kinds.DeadUnits(dead=zeros, units=units)
                yield contribution.value, _case(flow, call, kinds.dead_units, step.op, facts)


def _saturated(flow: FlowGraph, call: GradientCall, since: int) -> Iterator[NoteCase[Facts]]:
    """Yield the activations that are saturated, by their location in the program; all steps of a recurrence count together."""
    if not any(source.value in flow.variables for source in call.event.sources):
        return  # nothing is trained, and in a trained network a saturated unit is normal
    locations: dict[object, list[tuple[events.OpEvent, float]]] = {}
    for step in call.steps:
        derivative = _derivative(step.op)
        if derivative is not None and step.op.inputs:
            locations.setdefault((step.op.name, *step.op.stack), []).append((step.op, derivative))
    mixed = {
        given.value
        for step in (call.steps if locations else ())
        if step.op.name in _MIXING
        for given in step.op.inputs
    }
    for runs in locations.values():
        op = runs[-1][0]
        if sum(run.outputs[0].size for run, _ in runs) < _ELEMENTS:
            continue
        derivative = sum(each for _, each in runs) / len(runs)
        is_inside = op.name == "Softplus" or any(each.outputs[0].id in mixed for each, _ in runs)
        if is_inside and derivative < (_FLAT_SOFTPLUS if op.name == "Softplus" else _FLAT):
            facts = kinds.SaturatedUnits(
                op=op.name,
                derivative=derivative,
                input=op.inputs[0].value,
                data=largest_given(flow, call),
                since=since,
            )
            yield _case(flow, call, kinds.saturated_units, op, facts)


def _derivative(op: events.OpEvent) -> float | None:
    """Return the average derivative of an op, relative to its maximum; None for an op that is not one of these activations."""
    of = _DERIVATIVES.get(op.name)
    numbers = op.outputs[0]
    if of is None or numbers.mean is None or numbers.std is None or numbers.nan or numbers.inf:
        return None
    return max(0.0, of(numbers.mean, numbers.mean**2 + numbers.std**2, numbers))


def _of_rows(_: float, squares: float, numbers: Numbers) -> float:
    """Return how far the rows of a softmax are from one-hot: 0 for one-hot rows, 1 for even rows."""
    n = numbers.shape[-1] if numbers.shape else 1
    return 1.0 if n < 2 else (1 - n * squares) / (1 - 1 / n)


# The relative derivative, from the mean of the outputs and the mean of their squares.
_DERIVATIVES: dict[str, Callable[[float, float, Numbers], float]] = {
    "Sigmoid": lambda mean, squares, _: 4 * (mean - squares),
    "Softmax": _of_rows,
    "Softplus": lambda mean, _, __: mean,  # 1 - exp(-y) is y where y is small
    "Tanh": lambda _, squares, __: 1 - squares,
}


def _has_not_learnt(flow: FlowGraph, first: GradientCall, now: GradientCall) -> bool:
    before, after = loss_of(flow, first), loss_of(flow, now)
    return before is not None and after is not None and after >= _UNMOVED * before


def loss_of(flow: FlowGraph, call: GradientCall) -> float | None:
    """Return the value of the target of a call, if it is a single finite number."""
    numbers = flow.numbers.get(call.event.targets[0]) if len(call.event.targets) == 1 else None
    is_one = numbers is not None and numbers.size == 1 and not numbers.nan and not numbers.inf
    return numbers.mean if numbers is not None and is_one else None


_AnyFacts = TypeVar("_AnyFacts", bound=Facts)


def _case(
    flow: FlowGraph,
    call: GradientCall,
    kind: NoteKind[_AnyFacts],
    op: events.OpEvent,
    facts: _AnyFacts,
) -> NoteCase[Facts]:
    at, lines = made_at(flow, [op])
    return NoteCase(kind, call, op.i, facts, at=at, lines=lines, visits=(call.event.visit,))

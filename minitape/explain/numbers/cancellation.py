"""Zero gradients whose contributions are not 0, but always add up to 0.

    cancelled    the op in which the contributions to a source add up to 0

The gradient of a bias before a batch normalization is an example: the mean that is subtracted afterwards removes the bias again.
A sum of 0 alone proves little, because contributions add up to 0 at a minimum too. So this module follows a symbolic shift of the
source by `b` through those ops of the forward pass whose response to a shift is known. The source is removed if the shift does
not reach the target.
"""

from collections.abc import Iterator
from typing import Any

from minitape.explain.causes import zeros
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.flow.calls import FlowContribution, GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import is_zero
from minitape.trace import events

# Ops whose rules pass the cotangent on, summed where broadcasting copied one element of the input to many of the output.
_ADDING = {"AddV2", "BiasAdd", "BroadcastTo", "Sub"}
_SIGNS = {
    "AddV2": (1, 1),
    "BiasAdd": (1, 1),
    "Neg": (-1,),
    "SquaredDifference": (1, -1),
    "Sub": (1, -1),
}
# The attribute with the axes of a reduction, in minitape's traces and in TensorFlow's.
_AXES = {"axis", "reduction_indices"}
_PASSING = {"BroadcastTo", "Cast", "ExpandDims", "Identity", "Reshape", "Squeeze", "StopGradient"}

# By how much a value changes with the shift: a coefficient for each product of factors, each a value's id and its power.
_Shift = dict[tuple[tuple[int, int], ...], int]


def cancelled(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the op in which the contributions to a source add up to 0; None if that is not proved."""
    if not flow.once(_some_add_up, call):
        return None
    waiting, seen = [source], {source}
    while waiting:
        for sent in call.sent_to.get(waiting.pop(), ()):
            back, op = sent.step.back, sent.step.op
            if not is_zero(sent.contribution.numbers):
                continue
            if _adds_up(sent) and _Shifted(flow, call, op, sent.contribution.value).is_taken_out:
                removed = zeros.SumsToConstant(sum=zeros.Sum.REMOVED_LATER, harmless=True)
                return BrokenEdge(zeros.sums_to_constant, op.i, (back.i,), removed)
            if is_zero(back.arrived):
                outputs = {output.id for output in op.outputs} - seen
                seen |= outputs
                waiting.extend(sorted(outputs))
    return None


def _some_add_up(_: FlowGraph, call: GradientCall) -> bool:
    """Whether there is an op whose contributions add up to 0. The result is computed once for all sources of a call, because each
    source may be far from the target.
    """
    return any(_adds_up(sent) for contributions in call.sent_to.values() for sent in contributions)


def _adds_up(sent: FlowContribution) -> bool:
    """Whether a rule that only adds up received more elements than it passed on, and their sum is 0."""
    if sent.step.op.name not in _ADDING:
        return False
    arrived, numbers = sent.step.back.arrived, sent.contribution.numbers
    return arrived.size > numbers.size and is_zero(numbers) and not is_zero(arrived)


class _Shifted:
    """A shift of the value `given`, which an op adds to many elements, and its effect on the targets."""

    def __init__(self, flow: FlowGraph, call: GradientCall, op: events.OpEvent, given: int) -> None:
        self._flow = flow
        self._targets = set(call.event.targets)
        # Only values of this iteration, because the history of a training loop grows with each iteration.
        self._useful = flow.once(FlowGraph.own_past, call)
        self._shape = self._shape_of(given)
        self._start = op.outputs[0].id
        self._shifts: dict[int, _Shift] = {self._start: {(): 1}}

    @property
    def is_taken_out(self) -> bool:
        """Whether no target changes; False too if the response of an op to a shift is not known."""
        for event in self._later_events():
            if not isinstance(event, events.OpEvent):
                return False  # the value passed through NumPy, or through a gradient call
            moved = [self._shifts.get(each.value, {}) for each in event.inputs]
            if any(moved):
                shift = self._answer(event, moved)
                if shift is None:
                    return False
                self._shifts[event.outputs[0].id] = shift
        return not any(self._shifts.get(target) for target in self._targets)

    def _later_events(self) -> Iterator[events.Event]:
        reached, waiting, numbers = {self._start}, [self._start], set[int]()
        while waiting:
            for edge in self._flow.out_of.get(waiting.pop(), ()):
                if edge.end in self._useful:
                    numbers.add(edge.event)
                    if edge.end not in reached:
                        reached.add(edge.end)
                        waiting.append(edge.end)
        return map(self._flow.event, sorted(numbers))

    def _answer(self, op: events.OpEvent, moved: list[_Shift]) -> _Shift | None:
        """Return by how much the output changes when the inputs change; None if that is not known."""
        match op.name, [each.value for each in op.inputs]:
            case "AddV2" | "BiasAdd" | "Neg" | "Sub" as name, _:
                return _sum(_SIGNS[name], moved)
            case "SquaredDifference" as name, _:
                return None if _sum(_SIGNS[name], moved) else {}
            case "Mul" | "RealDiv" as name, [_, right] if not moved[1]:
                return _times(moved[0], right, 1 if name == "Mul" else -1)
            case "Mul", [left, _] if not moved[0]:
                return _times(moved[1], left, 1)
            case "Mean", _ if axes := _AXES & op.attrs.keys():
                return moved[0] if self._is_level(op, op.attrs[axes.pop()], moved[0]) else None
            case "Softmax" | "LogSoftmax", _:
                return {} if self._is_level(op, [-1], moved[0]) else None
            case name, _ if name in _PASSING:
                return moved[0]
        return None

    def _is_level(self, op: events.OpEvent, axes: Any, shift: _Shift) -> bool:
        """Whether the shift is the same for all elements along these axes of an op's input."""
        rank = len(self._shape_of(op.inputs[0].value))
        factors = {value for product in shift for value, _ in product}
        shapes = [self._shape, *map(self._shape_of, factors)]
        axes = range(rank) if axes is None else axes if isinstance(axes, list) else [axes]
        return all(_is_one(shape, rank, axis % rank) for shape in shapes for axis in axes)

    def _shape_of(self, value: int) -> list[int]:
        return self._flow.numbers[value].shape


def _is_one(shape: list[int], rank: int, axis: int) -> bool:
    """Whether a shape, aligned to the right as in broadcasting, has size 1 along an axis or does not have the axis."""
    location = axis - (rank - len(shape))
    return location < 0 or shape[location] == 1


def _sum(signs: tuple[int, ...], moved: list[_Shift]) -> _Shift:
    total: _Shift = {}
    for sign, shift in zip(signs, moved, strict=True):
        for factors, times in shift.items():
            total[factors] = total.get(factors, 0) + sign * times
    return {factors: times for factors, times in total.items() if times}


def _times(shift: _Shift, factor: int, power: int) -> _Shift:
    return {tuple(sorted((*factors, (factor, power)))): times for factors, times in shift.items()}

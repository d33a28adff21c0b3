"""Zeros that are a sum: what arrives for single elements is not zero, adds up to zero, and always will.

    cancelled    the op in which the shares of a source add up to zero

A bias before a batch normalisation is such a one: the mean that is taken away afterwards takes the bias with it. That shares add
up to zero proves little, for at the bottom of a valley they do so too. So the source is moved in thought: a shift by `b` goes
forward through the ops whose answer to a shift is known, and is taken out if nothing of it reaches the target.
"""

from collections.abc import Iterator
from typing import Any

from minitape.debug.breaks import Break
from minitape.debug.flow import Call, Flow
from minitape.debug.numbers import is_zero, largest
from minitape.debug.trace import Event

# Ops whose rules send on what arrived, added up where one element of the input went to many of the output.
_ADDING = {"AddV2", "BiasAdd", "BroadcastTo", "Sub"}
_SIGNS = {
    "AddV2": (1, 1),
    "BiasAdd": (1, 1),
    "Neg": (-1,),
    "SquaredDifference": (1, -1),
    "Sub": (1, -1),
}
_PASSING = {"BroadcastTo", "Cast", "ExpandDims", "Identity", "Reshape", "Squeeze", "StopGradient"}
_ROUNDING = 1e-5  # what float32 leaves of a sum that is 0 on paper, as a share of its largest part

# How far a value moves with the shift: so many times the product of these factors, each a value's id and its power.
_Shift = dict[tuple[tuple[int, int], ...], int]


def cancelled(flow: Flow, call: Call, source: int) -> Break | None:
    """The op in which the shares of a source add up to zero; None where that is not proved."""
    if not flow.once(_some_add_up, call):
        return None
    waiting, seen = [source], {source}
    while waiting:
        for step, sent in call.sent_to.get(waiting.pop(), ()):
            if not is_zero(sent["T"]):
                continue
            op = flow.op_events[step["op"]]
            if _adds_up(op, step, sent["T"]) and _Shifted(flow, call, op, sent["t"]).is_taken_out:
                return Break("sums-to-constant", op["i"], (step["i"],), {"cancels": True})
            if is_zero(step["grad_in"]):
                outputs = {output["id"] for output in op["outputs"]} - seen
                seen |= outputs
                waiting.extend(sorted(outputs))
    return None


def _some_add_up(flow: Flow, call: Call) -> bool:
    """Whether there is any such op, looked for once: a call may have many sources, each with a long way to the target."""
    return any(
        is_zero(sent["T"]) and _adds_up(flow.op_events[step["op"]], step, sent["T"])
        for step in call.steps
        for sent in step["out"]
    )


def _adds_up(op: Event, step: Event, sent: dict[str, Any]) -> bool:
    """Whether a rule that only adds up was given more elements than it sent on, and they cancelled."""
    arrived = step["grad_in"]
    if op["name"] not in _ADDING or arrived["n"] <= sent["n"] or is_zero(arrived):
        return False
    return largest(sent) <= _ROUNDING * largest(arrived)


class _Shifted:
    """A shift of the value `given`, which an op adds to many elements, on its way to the targets."""

    def __init__(self, flow: Flow, call: Call, op: Event, given: int) -> None:
        self._flow = flow
        self._targets = set(call.event["target"])
        # Of this turn alone: the past of a training loop grows with each turn.
        self._useful = flow.once(Flow.own_past, call)
        self._shape = self._shape_of(given)
        self._start = op["outputs"][0]["id"]
        self._shifts: dict[int, _Shift] = {self._start: {(): 1}}

    @property
    def is_taken_out(self) -> bool:
        """Whether no target moves; False as well where an op's answer is not known."""
        for op in self._later_ops():
            moved = [self._shifts.get(each["t"], {}) for each in op["inputs"]]
            if any(moved):
                shift = self._answer(op, moved)
                if shift is None:
                    return False
                self._shifts[op["outputs"][0]["id"]] = shift
        return not any(self._shifts.get(target) for target in self._targets)

    def _later_ops(self) -> Iterator[Event]:
        reached, waiting, events = {self._start}, [self._start], set()
        while waiting:
            for edge in self._flow.out_of.get(waiting.pop(), ()):
                if edge.end in self._useful:
                    events.add(edge.event)
                    if edge.end not in reached:
                        reached.add(edge.end)
                        waiting.append(edge.end)
        return (self._flow.event(number) for number in sorted(events))

    def _answer(self, op: Event, moved: list[_Shift]) -> _Shift | None:
        """How far the output moves when the inputs do; None where that is not known."""
        match op:
            case {"name": "AddV2" | "BiasAdd" | "Neg" | "Sub" as name}:
                return _sum(_SIGNS[name], moved)
            case {"name": "SquaredDifference" as name}:
                return None if _sum(_SIGNS[name], moved) else {}
            case {"name": "Mul" | "RealDiv" as name, "inputs": [_, {"t": right}]} if not moved[1]:
                return _times(moved[0], right, 1 if name == "Mul" else -1)
            case {"name": "Mul", "inputs": [{"t": left}, _]} if not moved[0]:
                return _times(moved[1], left, 1)
            case {"name": "Mean", "attrs": {"axis": axes}}:
                return moved[0] if self._is_level(op, axes, moved[0]) else None
            case {"name": "Softmax" | "LogSoftmax"}:
                return {} if self._is_level(op, [-1], moved[0]) else None
            case {"name": name} if name in _PASSING:
                return moved[0]
        return None

    def _is_level(self, op: Event, axes: Any, shift: _Shift) -> bool:
        """Whether the shift is the same for all elements along these axes of an op's input."""
        rank = len(self._shape_of(op["inputs"][0]["t"]))
        factors = {value for product in shift for value, _ in product}
        shapes = [self._shape, *map(self._shape_of, factors)]
        axes = range(rank) if axes is None else axes if isinstance(axes, list) else [axes]
        return all(_is_one(shape, rank, axis % rank) for shape in shapes for axis in axes)

    def _shape_of(self, value: int) -> list[int]:
        shape: list[int] = self._flow.numbers[value]["shape"]
        return shape


def _is_one(shape: list[int], rank: int, axis: int) -> bool:
    """Whether a shape, aligned to the right as broadcasting does, has no extent along an axis."""
    place = axis - (rank - len(shape))
    return place < 0 or shape[place] == 1


def _sum(signs: tuple[int, ...], moved: list[_Shift]) -> _Shift:
    total: _Shift = {}
    for sign, shift in zip(signs, moved, strict=True):
        for factors, times in shift.items():
            total[factors] = total.get(factors, 0) + sign * times
    return {factors: times for factors, times in total.items() if times}


def _times(shift: _Shift, factor: int, power: int) -> _Shift:
    return {tuple(sorted((*factors, (factor, power)))): times for factors, times in shift.items()}

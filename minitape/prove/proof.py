"""Proving an explanation: repair what it names, run the script again, and look what comes back.

    proved     a report, with the gradient that each repaired finding gave, and what the target does when a source is moved

The repairs go on while the gradient is lost for another reason that can be repaired too: then all that was done is told. A
gradient is reported only if it came back from a run, whole and finite, in the call that was asked about.
"""

import ast
import copy
import math
import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from minitape.core.values import Array
from minitape.explain.breaks import originals
from minitape.explain.explain import explain
from minitape.explain.flow.graph import Flow
from minitape.explain.report import (
    CallReport,
    Finding,
    Nudge,
    Outcome,
    Place,
    Proof,
    Report,
    SourceReport,
)
from minitape.prove.perturbation import compared, nudged
from minitape.prove.repair import hopeless, mends
from minitape.prove.rerun import Again
from minitape.prove.syntax import Joined, Spot
from minitape.trace import events
from minitape.trace.trace import Trace

__all__ = ["proved"]

_REPAIRS = 4  # mistakes on one path, at most
_TRIES = 8  # different findings of a report that are tried, at most
_SAME = 1e-3  # NumPy computes in float64 what a repaired script computes in float32
_NUDGED = (Outcome.NONE, Outcome.ZERO, Outcome.PARTIAL)
_GONE = "no mended run could be read: the script leaves its process, or had to be killed"
_LATE = "the time (--timeout) was over before a mend was found"


def proved(report: Report, trace: Trace, again: Again) -> Report:
    """The report with proofs; each distinct finding is tried once, where it came up first.

    Args:
        report: What `explain` said about `trace`.
        trace: The first run.
        again: Runs the script again; its side effects happen again too. All runs together may begin within its `timeout`.
    """
    prover = _Prover(trace, again)
    calls = [prover.call(call) for call in report.calls]  # what was found goes first: time is short
    return replace(report, calls=tuple(map(prover.compared, calls)))


class _Prover:
    def __init__(self, trace: Trace, again: Again) -> None:
        self._trace = trace
        self._again = again
        self._joined = Joined(again.parts)
        self._tried: set[tuple[Place, int, Place, str]] = set()
        self._moved: set[tuple[Place, int]] = set()
        self._compared_once: set[tuple[Place, int]] = set()
        self._until = time.monotonic() + (again.timeout or float("inf"))

    @property
    def _has_time(self) -> bool:
        return time.monotonic() < self._until

    def call(self, call: CallReport) -> CallReport:
        return replace(call, sources=tuple(self._source(call, each) for each in call.sources))

    def compared(self, call: CallReport) -> CallReport:
        """The call with its sound gradients held against the slopes that are measured."""
        return replace(call, sources=tuple(self._compared(call, each) for each in call.sources))

    def _compared(self, call: CallReport, source: SourceReport) -> SourceReport:
        key = call.place, source.index
        asked = _asked(self._trace, call)
        if source.findings or source.outcome is not Outcome.OK or key in self._compared_once:
            return source
        if (
            call.api != "gradient"
            or asked.output_gradients
            or self._has_been_assigned(asked, source)
        ):
            return source
        self._compared_once.add(key)
        if len(self._compared_once) > _TRIES or not self._has_time:
            return source
        gradient = self._gradient_as_it_is(call, source)
        if gradient is None:
            return source
        nudge = nudged(self._again, self._trace, asked, source.value)
        return replace(source, nudge=compared(nudge, gradient))

    def _has_been_assigned(self, asked: events.Gradient, source: SourceReport) -> bool:
        """Whether the first value of a source is no longer the one that was asked about."""
        return any(
            each.variable == source.value and each.i < asked.i
            for each in self._trace.of(events.Assign)
        )

    def _gradient_as_it_is(self, call: CallReport, source: SourceReport) -> Array | None:
        """All elements of a gradient, with the random numbers that the measured slopes have; None for a large one."""
        if self._as_it_is is None:
            return None
        trace, report = self._as_it_is
        same = _same_call(report, call)
        if same is None or source.index >= len(same.sources):
            return None
        found = _gradient(trace, same, same.sources[source.index], is_picked=False)
        return None if found is None else found.elements

    def _source(self, call: CallReport, source: SourceReport) -> SourceReport:
        findings = []
        for finding in source.findings:
            key = call.place, source.index, finding.place, finding.slug
            if key not in self._tried and len(self._tried) < _TRIES and self._has_time:
                self._tried.add(key)
                finding = self._proved(call, source, finding)
            findings.append(finding)
        nudge = self._nudge(call, source)
        return replace(
            source, findings=tuple(_weighed(each, nudge) for each in findings), nudge=nudge
        )

    def _nudge(self, call: CallReport, source: SourceReport) -> Nudge | None:
        key = call.place, source.index
        is_asked = source.findings and source.outcome in _NUDGED
        if not is_asked or key in self._moved or len(self._moved) >= _TRIES or not self._has_time:
            return None
        self._moved.add(key)
        return nudged(self._again, self._trace, _asked(self._trace, call), source.value)

    def _proved(self, call: CallReport, source: SourceReport, finding: Finding) -> Finding:
        """The finding with a proof, or with the reason why there is none."""
        state = _State(self._joined.tree, self._trace, call, source, finding)
        done = list[str]()
        for _ in range(_REPAIRS):
            spot = self._spot(state)
            if spot is None:
                return replace(
                    finding,
                    unproved=f"only the script itself is mended, not {state.finding.place.file}",
                )
            step = self._step(state, spot)
            if isinstance(step, str):
                reason = step
                break
            state, said = step
            done.append(said)
            if state.source.outcome is Outcome.OK:
                assert state.gradient is not None
                return replace(finding, proof=Proof("; ".join(done), state.gradient.as_data()))
        else:
            reason = hopeless(state.finding.slug)
        if done:
            left = f"line {state.finding.place.line} is left"
            reason = f"{'; '.join(done)}: not enough, {left}, and {reason}"
        return replace(finding, unproved=reason)

    def _step(self, state: "_State", spot: Spot) -> "tuple[_State, str] | str":
        """The first repair after which the source does not have this finding any more, or else the first that runs.

        If there is none: why, in a sentence.
        """
        second_best = None
        reason = hopeless(spot.slug)
        for tree, said in mends(state.tree, spot):
            if not self._has_time:
                reason = _LATE
                break
            trace = self._again.run(self._joined.apart(copy.deepcopy(tree)), seed=0)
            if trace is None or self._as_it_is is None:
                reason = _GONE if self._has_time else _LATE
                continue
            after = _same_call(explain(trace), state.call)
            if after is None or state.source.index >= len(after.sources):
                continue
            if not _has_same_target(self._as_it_is, trace, after):
                continue
            source = after.sources[state.source.index]
            is_picked = spot.slug == "source-is-copy" and said.endswith("]")
            gradient = _gradient(trace, after, source, is_picked=is_picked)
            if source.outcome is Outcome.OK and gradient is not None:
                return _State(tree, trace, after, source, state.finding, gradient), said
            if source.findings:
                repaired = _State(tree, trace, after, source, source.findings[0]), said
                if not any(_is_same(each, state.finding) for each in source.findings):
                    return repaired
                second_best = second_best or repaired
        return second_best or reason

    @cached_property
    def _as_it_is(self) -> tuple[Trace, Report] | None:
        """The script run again without a change, with the random numbers that repaired ones get."""
        trace = self._again.run(seed=0)
        return None if trace is None else (trace, explain(trace))

    def _spot(self, state: "_State") -> Spot | None:
        joined, trace, finding = self._joined, state.trace, state.finding
        place, call = joined.place(finding.place), joined.place(state.call.place)
        if place is None or call is None:
            return None
        flow = Flow(trace)
        (tape,) = _asked(trace, state.call).tapes
        entered = flow.tapes[tape].entered
        numbers = [
            *finding.events,
            *(hop.event for hop in finding.path if hop.lost == finding.slug),
        ]
        evidence = [flow.event(number) for number in numbers]
        opened = flow.event(entered[0]) if entered else None
        lines = {place.line, *(self._line_of(each) for each in evidence if each is not opened)}
        original = _place(flow.event(finding.events[-1])) if len(finding.events) > 1 else None
        return Spot(
            slug=finding.slug,
            place=place,
            fix=finding.fix,
            call=call,
            source=state.source.name,
            made=self._line_of(flow.born.get(state.source.value)),
            opened=self._line_of(opened),
            lines=tuple(sorted(lines)),
            recorder=_recorder(flow, evidence),
            original=None if original is None else joined.place(original),
            is_same_shape=_is_same_shape(flow, state.source.value),
            joined=joined,
        )

    def _line_of(self, event: events.Event | None) -> int:
        """The line of an event in the program; 0 for one that is not in its parts."""
        place = _place(event)
        return (None if place is None else self._joined.line(place.file, place.line)) or 0


def _weighed(finding: Finding, nudge: Nudge | None) -> Finding:
    """The finding, its proof held against the slope that was measured."""
    proof = finding.proof
    if proof is None or nudge is None or "data" not in proof.gradient or "rows" in proof.gradient:
        return finding
    if not compared(nudge, np.asarray(proof.gradient["data"], np.float64)).differs:
        return finding
    return replace(finding, proof=replace(proof, tried=f"{proof.tried} (still only a part)"))


@dataclass(frozen=True)
class _Gradient:
    """A gradient that came back; of one that consists of `rows` to be added up, the trace has the numbers of these rows."""

    numbers: events.Numbers
    rows: int | None = None

    @property
    def elements(self) -> Array | None:
        """All of them, as an array; None where the trace does not have them."""
        if self.numbers.data is None or self.rows is not None:
            return None
        return np.asarray(self.numbers.data, np.float64)

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.to_builtins(self.numbers)
        return data if self.rows is None else data | {"rows": self.rows}


@dataclass(frozen=True)
class _State:
    """A script that has been repaired so far, its run, and what is still wrong with the source."""

    tree: ast.Module
    trace: Trace
    call: CallReport
    source: SourceReport
    finding: Finding
    gradient: _Gradient | None = None


def _asked(trace: Trace, call: CallReport) -> events.Gradient:
    """The event of a call."""
    event = trace.events[call.event]
    assert isinstance(event, events.Gradient)
    return event


def _place(event: events.Event | None) -> Place | None:
    at = event.at if isinstance(event, events.Placed) else None
    return None if at is None else Place(*at)


def _has_same_target(before: tuple[Trace, Report], trace: Trace, call: CallReport) -> bool:
    """A repair brings back a gradient of the same numbers; one that changes them has changed the program."""
    same = _same_call(before[1], call)
    if same is None:
        return False
    numbers = _target_numbers(before[0], same), _target_numbers(trace, call)
    return len(numbers[0]) == len(numbers[1]) and all(
        math.isclose(one, other, rel_tol=_SAME, abs_tol=_SAME)
        for one, other in zip(*numbers, strict=True)
    )


def _target_numbers(trace: Trace, call: CallReport) -> list[float]:
    """What a call differentiates, in a few numbers for each target."""
    flow = Flow(trace)
    targets = [flow.numbers.get(each) for each in _asked(trace, call).targets]
    known = [(0, 0, 0) if each is None else (each.size, each.mean, each.l2) for each in targets]
    return [float(number or 0.0) for each in known for number in each]


def _is_same(one: Finding, other: Finding) -> bool:
    return (one.slug, one.place) == (other.slug, other.place)


def _recorder(flow: Flow, evidence: list[events.Event]) -> str | None:
    """The name of the tape that recorded the ops in question."""
    for event in evidence:
        if isinstance(event, events.Op) and event.recorded:
            entered = flow.tapes[event.recorded[-1]].entered
            opened = flow.event(entered[0]) if entered else None
            return opened.name if isinstance(opened, events.TapeEnter) else None
    return None


def _is_same_shape(flow: Flow, source: int) -> bool:
    """Whether a copy has the shape of what it is a copy of."""
    ends = flow.numbers.get(source), flow.numbers.get([source, *originals(flow, source)][-1])
    shapes = [None if each is None else each.shape for each in ends]
    return shapes[0] == shapes[1]


def _same_call(report: Report, call: CallReport) -> CallReport | None:
    """The call in a run of the repaired script: the same line, the same round."""
    wanted = call.place.file, call.place.line, call.visit
    for each in report.calls:
        if (each.place.file, each.place.line, each.visit) == wanted:
            return each
    return None


def _gradient(
    trace: Trace, call: CallReport, source: SourceReport, *, is_picked: bool
) -> _Gradient | None:
    """What came back for a source; of an original in place of its copy, the part that was picked."""
    number = _asked(trace, call).call
    for each in trace.of(events.Result):
        if (each.call, each.source) == (number, source.index):
            if each.numbers is None:
                return None
            if is_picked:
                return _picked(trace, each.numbers)
            return _of_whole_source(Flow(trace).numbers.get(source.value), each.numbers)
    return None


def _of_whole_source(source: events.Numbers | None, gradient: events.Numbers) -> _Gradient:
    """Of rows that were gathered a trace has the numbers only: the shape is that of the source all the same."""
    shape = gradient.shape
    if source is None or source.shape == shape or source.shape[1:] != shape[1:]:
        return _Gradient(gradient)
    return _Gradient(msgspec.structs.replace(gradient, shape=source.shape), shape[0])


def _picked(trace: Trace, gradient: events.Numbers) -> _Gradient | None:
    """The entry of a gradient that the program took right afterwards."""
    for op in trace.of(events.Op):
        if op.inputs and op.inputs[0].value == gradient.id:
            return _Gradient(op.outputs[0])
    return None

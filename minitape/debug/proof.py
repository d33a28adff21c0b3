"""Proving an explanation: mend what it names, run the script again, and look what comes back.

    proved     a report, with the gradient that each mended finding gave, and what the target does when a source is moved

The mends go on while the gradient is lost for another reason that can be mended too: then all that was done is told. A gradient
is reported only if it came back from a run, whole and finite, in the call that was asked about.
"""

import ast
import copy
import math
import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.debug.breaks import originals
from minitape.debug.explain import explain
from minitape.debug.flow import Flow
from minitape.debug.mending import hopeless, mends
from minitape.debug.nudging import compared, nudged
from minitape.debug.report import (
    CallReport,
    Finding,
    Nudge,
    Outcome,
    Place,
    Proof,
    Report,
    SourceReport,
)
from minitape.debug.rerun import Again
from minitape.debug.syntax import Joined, Spot
from minitape.debug.trace import Event, Trace

__all__ = ["proved"]

_MENDS = 4  # mistakes on one path, at most
_TRIES = 8  # different findings of a report that are tried, at most
_SAME = 1e-3  # NumPy computes in float64 what a mended script computes in float32
_NUDGED = (Outcome.NONE, Outcome.ZERO, Outcome.PARTIAL)


def proved(report: Report, trace: Trace, again: Again) -> Report:
    """The report with proofs; each distinct finding is tried once, where it came up first.

    Args:
        report: What `explain` said about `trace`.
        trace: The first run.
        again: How to run the script again; its side effects happen again too. All runs together may begin within its `timeout`.
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
        event = self._trace.events[call.event]
        if source.findings or source.outcome is not Outcome.OK or key in self._compared_once:
            return source
        if (
            call.api != "gradient"
            or event["output_gradients"]
            or self._has_been_assigned(event, source)
        ):
            return source
        self._compared_once.add(key)
        if len(self._compared_once) > _TRIES or not self._has_time:
            return source
        gradient = self._gradient_unmended(call, source)
        if gradient is None:
            return source
        nudge = nudged(self._again, self._trace, event, source.value)
        return replace(source, nudge=compared(nudge, gradient))

    def _has_been_assigned(self, call: Event, source: SourceReport) -> bool:
        """Whether the first value of a source is no longer the one that was asked about."""
        return any(
            each["var"] == source.value and each["i"] < call["i"]
            for each in self._trace.of("assign")
        )

    def _gradient_unmended(self, call: CallReport, source: SourceReport) -> Array | None:
        """All numbers of a gradient, with the random numbers that the measured slopes have; None for a large one."""
        trace, report = self._unmended
        same = _same_call(report, call)
        if same is None or source.index >= len(same.sources):
            return None
        found = _gradient(trace, same, same.sources[source.index], is_picked=False)
        is_known = found is not None and "data" in found and "rows" not in found
        return np.asarray(found["data"], np.float64) if found is not None and is_known else None

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
        return nudged(self._again, self._trace, self._trace.events[call.event], source.value)

    def _proved(self, call: CallReport, source: SourceReport, finding: Finding) -> Finding:
        """The finding with a proof, or with the reason why there is none."""
        state = _State(self._joined.tree, self._trace, call, source, finding)
        done = list[str]()
        for _ in range(_MENDS):
            spot = self._spot(state)
            if spot is None:
                return replace(
                    finding,
                    unproved=f"only the script itself is mended, not {state.finding.place.file}",
                )
            step = self._step(state, spot)
            if step is None:
                break
            state, said = step
            done.append(said)
            if state.source.outcome is Outcome.OK:
                assert state.gradient is not None
                return replace(finding, proof=Proof("; ".join(done), state.gradient))
        reason = hopeless(state.finding.slug)
        if done:
            left = f"line {state.finding.place.line} is left"
            reason = f"{'; '.join(done)}: not enough, {left}, and {reason}"
        return replace(finding, unproved=reason)

    def _step(self, state: "_State", spot: Spot) -> tuple["_State", str] | None:
        """The first mend after which the source does not have this finding any more, or else the first that runs."""
        second_best = None
        for tree, said in mends(state.tree, spot):
            if not self._has_time:
                break
            trace = self._again.run(self._joined.apart(copy.deepcopy(tree)), seed=0).trace
            after = _same_call(explain(trace), state.call)
            if after is None or state.source.index >= len(after.sources):
                continue
            if not self._has_same_target(trace, after):
                continue
            source = after.sources[state.source.index]
            gradient = _gradient(
                trace, after, source, is_picked=spot.slug == "source-is-copy" and said.endswith("]")
            )
            if source.outcome is Outcome.OK and gradient is not None:
                return _State(tree, trace, after, source, state.finding, gradient), said
            if source.findings:
                mended = _State(tree, trace, after, source, source.findings[0]), said
                if not any(_is_same(each, state.finding) for each in source.findings):
                    return mended
                second_best = second_best or mended
        return second_best

    def _has_same_target(self, trace: Trace, call: CallReport) -> bool:
        """A mend brings back a gradient of the same numbers; one that changes them has changed the program."""
        unmended, report = self._unmended
        before = _same_call(report, call)
        if before is None:
            return False
        numbers = _target_numbers(unmended, before), _target_numbers(trace, call)
        return len(numbers[0]) == len(numbers[1]) and all(
            math.isclose(one, other, rel_tol=_SAME, abs_tol=_SAME)
            for one, other in zip(*numbers, strict=True)
        )

    @cached_property
    def _unmended(self) -> tuple[Trace, Report]:
        """The script as it is, with the random numbers that mended ones get."""
        trace = self._again.run(seed=0).trace
        return trace, explain(trace)

    def _spot(self, state: "_State") -> Spot | None:
        joined, trace, finding = self._joined, state.trace, state.finding
        place, call = joined.place(finding.place), joined.place(state.call.place)
        if place is None or call is None:
            return None
        flow = Flow(trace)
        asked = next(each for each in flow.calls.values() if each.event["i"] == state.call.event)
        entered = flow.tapes[asked.tape].entered
        numbers = [
            *finding.events,
            *(hop.event for hop in finding.path if hop.lost == finding.slug),
        ]
        events = [flow.event(number) for number in numbers]
        opened = flow.event(entered[0]) if entered else None
        lines = {place.line, *(self._line_of(each) for each in events if each is not opened)}
        original = flow.event(finding.events[-1]) if len(finding.events) > 1 else None
        at = None if original is None or not original.get("at") else Place(*original["at"])
        return Spot(
            slug=finding.slug,
            place=place,
            fix=finding.fix,
            call=call,
            source=state.source.name,
            made=self._line_of(flow.born.get(state.source.value)),
            opened=self._line_of(opened),
            lines=tuple(sorted(lines)),
            recorder=_recorder(flow, events),
            original=None if at is None else joined.place(at),
            is_same_shape=_is_same_shape(flow, state.source.value),
            joined=joined,
        )

    def _line_of(self, event: Event | None) -> int:
        """The line of an event in the program; 0 for one that is not in its parts."""
        at = None if event is None else event.get("at")
        return (None if at is None else self._joined.line(at[0], at[1])) or 0


def _weighed(finding: Finding, nudge: Nudge | None) -> Finding:
    """The finding, its proof held against the slope that was measured."""
    proof = finding.proof
    if proof is None or nudge is None or "data" not in proof.gradient or "rows" in proof.gradient:
        return finding
    if not compared(nudge, np.asarray(proof.gradient["data"], np.float64)).differs:
        return finding
    return replace(finding, proof=replace(proof, tried=f"{proof.tried} (still only a part)"))


@dataclass(frozen=True)
class _State:
    """A script that has been mended so far, its run, and what is still wrong with the source."""

    tree: ast.Module
    trace: Trace
    call: CallReport
    source: SourceReport
    finding: Finding
    gradient: dict[str, Any] | None = None


def _target_numbers(trace: Trace, call: CallReport) -> list[float]:
    """What a call differentiates, in a few numbers for each target."""
    flow = Flow(trace)
    targets = [flow.numbers.get(each, {}) for each in trace.events[call.event]["target"]]
    return [float(each.get(key) or 0.0) for each in targets for key in ("n", "mean", "l2")]


def _is_same(one: Finding, other: Finding) -> bool:
    return (one.slug, one.place) == (other.slug, other.place)


def _recorder(flow: Flow, events: list[Event]) -> str | None:
    """The name of the tape that recorded the ops in question."""
    for event in events:
        if event["k"] == "op" and event["recorded"]:
            entered = flow.tapes[event["recorded"][-1]].entered
            name: str | None = flow.event(entered[0])["name"] if entered else None
            return name
    return None


def _is_same_shape(flow: Flow, source: int) -> bool:
    """Whether a copy has the shape of what it is a copy of."""
    shapes = [
        flow.numbers.get(each, {}).get("shape") for each in (source, *originals(flow, source))
    ]
    return bool(shapes[0] == shapes[-1])


def _same_call(report: Report, call: CallReport) -> CallReport | None:
    """The call in a run of the mended script: the same line, the same round."""
    wanted = call.place.file, call.place.line, call.visit
    for each in report.calls:
        if (each.place.file, each.place.line, each.visit) == wanted:
            return each
    return None


def _gradient(
    trace: Trace, call: CallReport, source: SourceReport, *, is_picked: bool
) -> dict[str, Any] | None:
    """What came back for a source; of an original in place of its copy, the part that was picked."""
    number = trace.events[call.event]["call"]
    for each in trace.of("result"):
        if (each["call"], each["source"]) == (number, source.index):
            gradient: dict[str, Any] | None = each["T"]
            if is_picked:
                return _picked(trace, gradient)
            return gradient and _of_whole_source(Flow(trace).numbers.get(source.value), gradient)
    return None


def _of_whole_source(source: dict[str, Any] | None, gradient: dict[str, Any]) -> dict[str, Any]:
    """Of rows that were gathered a trace has the numbers only: the shape is that of the source all the same."""
    shape = gradient["shape"]
    if source is None or source["shape"] == shape or source["shape"][1:] != shape[1:]:
        return gradient
    return gradient | {"shape": source["shape"], "rows": shape[0]}


def _picked(trace: Trace, gradient: dict[str, Any] | None) -> dict[str, Any] | None:
    """The entry of a gradient that the program took right afterwards."""
    for op in trace.of("op"):
        if gradient is not None and op["inputs"][:1] and op["inputs"][0]["t"] == gradient["id"]:
            picked: dict[str, Any] = op["outputs"][0]
            return picked
    return None

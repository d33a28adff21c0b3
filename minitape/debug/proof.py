"""Proving an explanation: mend what it names, run the script again, and look what comes back.

    proved     a report, with the gradient that each mended finding gave, and what the target does when a source is moved

The mends go on while the gradient is lost for another reason that can be mended too: then all that was done is told. A gradient
is reported only if it came back from a run, whole and finite, in the call that was asked about.
"""

import ast
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from minitape.debug.explain import explain
from minitape.debug.flow import Flow
from minitape.debug.mending import Spot, mended
from minitape.debug.nudging import nudged
from minitape.debug.program import Part
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
from minitape.debug.trace import Trace

__all__ = ["proved"]

_MENDS = 4  # mistakes on one path, at most
_TRIES = 8  # different findings of a report that are tried, at most
_NUDGED = (Outcome.NONE, Outcome.ZERO, Outcome.PARTIAL)


def proved(report: Report, trace: Trace, again: Again) -> Report:
    """The report with proofs; each distinct finding is tried once, where it came up first.

    Args:
        report: What `explain` said about `trace`.
        trace: The first run.
        again: How to run the script again; its side effects happen again too. All runs together may begin within its `timeout`.
    """
    prover = _Prover(trace, again)
    return replace(report, calls=tuple(map(prover.call, report.calls)))


class _Prover:
    def __init__(self, trace: Trace, again: Again) -> None:
        self._trace = trace
        self._again = again
        self._tried: set[tuple[Place, int, Place, str]] = set()
        self._moved: set[tuple[Place, int]] = set()
        self._until = time.monotonic() + (again.timeout or float("inf"))

    @property
    def _has_time(self) -> bool:
        return time.monotonic() < self._until

    def call(self, call: CallReport) -> CallReport:
        return replace(call, sources=tuple(self._source(call, each) for each in call.sources))

    def _source(self, call: CallReport, source: SourceReport) -> SourceReport:
        findings = []
        for finding in source.findings:
            key = call.place, source.index, finding.place, finding.slug
            if key not in self._tried and len(self._tried) < _TRIES and self._has_time:
                self._tried.add(key)
                finding = replace(finding, proof=self._proof(call, source, finding))
            findings.append(finding)
        return replace(source, findings=tuple(findings), nudge=self._nudge(call, source))

    def _nudge(self, call: CallReport, source: SourceReport) -> Nudge | None:
        key = call.place, source.index
        is_asked = source.findings and source.outcome in _NUDGED
        if not is_asked or key in self._moved or len(self._moved) >= _TRIES or not self._has_time:
            return None
        self._moved.add(key)
        return nudged(self._again, self._trace, self._trace.events[call.event], source.value)

    def _proof(self, call: CallReport, source: SourceReport, finding: Finding) -> Proof | None:
        written = self._again.written
        if written is None:
            return None
        tree, trace, done = ast.parse(written.text), self._trace, list[str]()
        for _ in range(_MENDS):
            if Path(finding.place.file).name != Path(written.file).name:
                return None
            step = mended(tree, _spot(written, trace, call, source, finding))
            if step is None:
                return None
            tree, said = step
            done.append(said)
            trace = self._again.run(tree).trace
            after = _same_call(explain(trace), call)
            if after is None or source.index >= len(after.sources):
                return None
            call, source = after, after.sources[source.index]
            if source.outcome is Outcome.OK:
                gradient = _gradient(trace, call, source)
                return None if gradient is None else Proof("; ".join(done), gradient)
            if not source.findings:
                return None
            finding = source.findings[0]
        return None


def _spot(
    written: Part, trace: Trace, call: CallReport, source: SourceReport, finding: Finding
) -> Spot:
    flow = Flow(trace)
    asked = next(each for each in flow.calls.values() if each.event["i"] == call.event)
    entered = flow.tapes[asked.tape].entered
    return Spot(
        slug=finding.slug,
        place=_in_bytes(finding.place, written),
        fix=finding.fix,
        call=_in_bytes(call.place, written),
        source=source.name,
        made=_line_of(flow.born.get(source.value)),
        opened=_line_of(flow.event(entered[0])) if entered else 0,
    )


def _in_bytes(place: Place, written: Part) -> Place:
    """The same place with its columns counted as syntax trees count them."""
    lines = written.text.decode(errors="replace").splitlines()
    if place.column < 0 or not 0 < place.line <= place.end_line <= len(lines):
        return place
    start = len(lines[place.line - 1][: place.column].encode())
    end = len(lines[place.end_line - 1][: place.end_column].encode())
    return replace(place, column=start, end_column=end)


def _line_of(event: dict[str, Any] | None) -> int:
    return int(event["at"][1]) if event is not None and event.get("at") else 0


def _same_call(report: Report, call: CallReport) -> CallReport | None:
    """The call in a run of the mended script: the same line, the same round."""
    wanted = call.place.line, call.visit
    return next((each for each in report.calls if (each.place.line, each.visit) == wanted), None)


def _gradient(trace: Trace, call: CallReport, source: SourceReport) -> dict[str, Any] | None:
    number = trace.events[call.event]["call"]
    for each in trace.of("result"):
        if (each["call"], each["source"]) == (number, source.index):
            gradient: dict[str, Any] | None = each["T"]
            return gradient
    return None

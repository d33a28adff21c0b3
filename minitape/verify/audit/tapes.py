"""Recomputes from the events of a trace which tapes watch and record.

A tape watches the values passed to `watch`, the variables that were read, and the results of the ops that it recorded. While it
is open and not paused, it records each op that has a gradient and an input that the tape watches. A tape that is not persistent
stops recording at its gradient call, even inside its block.
"""

from collections import defaultdict

from minitape.core.registry import PRIMITIVES
from minitape.replay.reason import Reason
from minitape.trace import events
from minitape.verify.audit.recomputed import RecomputedValues
from minitape.verify.audit.report import AuditFault, FaultKind, Findings, What
from minitape.verify.texts import audit as texts


class AuditedTapes:
    """What each tape watches and has recorded, up to some event."""

    def __init__(self, known: RecomputedValues, findings: Findings) -> None:
        self._known = known
        self._findings = findings
        self._paused: set[int] = set()
        self._answer_once: set[int] = set()
        self.watched: defaultdict[int, set[int]] = defaultdict(set)
        self.recorded: defaultdict[int, list[events.OpEvent]] = defaultdict(list)

    def receive(self, event: events.Event) -> None:
        """Update the state with an event, which may be any event except an op."""
        if isinstance(event, events.WatchEvent):
            if event.value is not None and self._known.may_be_watched(event.value):
                self.watched[event.tapes[0]].add(self._known.named(event.value))
        elif isinstance(event, events.TapeEnterEvent):
            if not event.persistent:
                self._answer_once.add(event.tapes[0])
        elif isinstance(event, events.GradientEvent):
            self._paused |= self._answer_once.intersection(event.tapes)
        elif isinstance(event, events.StopRecordingEvent):
            (self._paused.add if event.on else self._paused.discard)(event.tapes[0])
        elif isinstance(event, events.TapeExitEvent):
            self._audit_count(event, event.ops)
        elif isinstance(event, events.ResetEvent):
            self._audit_count(event, event.dropped)
            self.watched.pop(event.tapes[0], None)
            self.recorded.pop(event.tapes[0], None)

    def _audit_count(self, event: events.TapeExitEvent | events.ResetEvent, count: int) -> None:
        """Check how many ops a tape has recorded."""
        tape = event.tapes[0]
        should = len(self.recorded[tape])
        if count != should:
            line = 0 if event.at is None else event.at.line
            what = texts.RECORDED_COUNT(tape=tape)
            self._findings.faults.append(
                AuditFault(
                    FaultKind.COUNT, event.i, None, None, line, what, str(count), str(should)
                )
            )

    def audit(self, op: events.OpEvent) -> None:
        """Compare the tapes that an op names with the known tapes, and update the known tapes."""

        line = 0 if op.at is None else op.at.line

        def fault(kind: FaultKind, what: str, says: object, should: object) -> None:
            self._findings.faults.append(
                AuditFault(kind, op.i, op.number, None, line, what, str(says), str(should))
            )

        unsaid = {
            tape
            for tape, why in op.why_not.items()
            if why == "recording_stopped" and tape not in self._paused
        }
        if unsaid:
            self._findings.passed_over(What.RECORDS, Reason.PAUSED)
        else:
            self._findings.audited[What.RECORDS] += 1
        tracing = [tape for tape in op.tapes if tape not in self._paused | unsaid]
        for position, each in enumerate(op.inputs):
            should = [
                tape for tape in tracing if self._known.named(each.value) in self.watched[tape]
            ]
            reported = [tape for tape in each.watched if tape not in unsaid]
            if sorted(reported) != sorted(should):
                what = texts.WATCHERS(position=position, op=op.name)
                fault(FaultKind.WATCHED, what, reported, should)
        smooth = [each.value for each in op.inputs if self._known.is_smooth(each.value)]
        watching = [
            tape
            for tape in tracing
            if any(self._known.named(each) in self.watched[tape] for each in smooth)
        ]
        has_gradient = self._known.gradient_of(op) != "none"
        recording = watching if has_gradient else []
        if sorted(op.recorded) != sorted(recording):
            fault(FaultKind.RECORDED, texts.RECORDERS(op=op.name), op.recorded, recording)
        for tape, why in op.why_not.items():
            reasons = self._reasons(op, tape, is_watching=tape in watching)
            if tape not in op.recorded and tape not in unsaid and why not in reasons:
                fault(
                    FaultKind.WHY_NOT,
                    texts.WHY_NOT_RECORDED(tape=tape, op=op.name),
                    why,
                    reasons[0],
                )
        restarts_at_output = not getattr(PRIMITIVES.get(op.name), "hidden_from_tape", False)
        for tape in watching:
            if has_gradient or restarts_at_output:
                self.watched[tape].update(
                    filter(self._known.may_be_watched, (out.id for out in op.outputs))
                )
        for tape in recording:
            self.recorded[tape].append(op)

    def _reasons(self, op: events.OpEvent, tape: int, *, is_watching: bool) -> tuple[str, ...]:
        """Return the valid reasons why a tape did not record an op; the first reason is the one to report."""
        if not tape:
            return ("no_tape",)
        if tape in self._paused:
            return ("recording_stopped",)
        if is_watching:
            return ("no_gradient",)
        if any(self._known.named(each.value) in self.watched[tape] for each in op.inputs):
            return ("not_floating", "no_gradient")  # integers computed from watched ones
        return ("no_watched_input", "not_floating")

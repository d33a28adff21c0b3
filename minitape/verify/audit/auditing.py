"""Audit a trace from beginning to end."""

import warnings

import numpy as np

from minitape.core.values import Array
from minitape.replay.numbers import array_of
from minitape.replay.reason import Reason
from minitape.replay.running import ReplayedOp
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape.verify.audit.answers import audit_results, audit_seeds
from minitape.verify.audit.backward import Account
from minitape.verify.audit.calls import AuditedCall
from minitape.verify.audit.numbers import difference, same
from minitape.verify.audit.recomputed import RecomputedValues
from minitape.verify.audit.report import Audit, AuditFault, FaultKind, Findings, What
from minitape.verify.audit.tapes import AuditedTapes
from minitape.verify.texts import audit as texts


def audit(trace: Trace) -> Audit:
    """Recompute everything in a trace that can be recomputed, and compare the results with the trace.

    Args:
        trace: The trace of a run on minitape, or on another engine whose op names are those of TensorFlow.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings were already shown when the program ran
        auditing = _Auditing(trace)
        for event in trace:
            auditing.receive(event)
        return auditing.report()


class _Auditing:
    """An audit in progress, event by event."""

    def __init__(self, trace: Trace) -> None:
        header = next(iter(trace.of(events.HeaderEvent)), None)
        self._findings = Findings()
        self._known = RecomputedValues(header is None or header.engine in (None, "minitape"))
        self._tapes = AuditedTapes(self._known, self._findings)
        self._calls: dict[int, AuditedCall] = {}

    def receive(self, event: events.Event) -> None:
        if isinstance(event, events.OpEvent):
            self._audit_op(event)
            self._tapes.audit(event)
            return
        if isinstance(event, events.GradientEvent):
            tape = event.tapes[0]
            self._calls[event.call] = AuditedCall(
                event,
                line_of(event),
                frozenset(self._tapes.watched[tape]),
                tuple(self._tapes.recorded[tape]),
            )
        elif isinstance(event, events.SeedEvent | events.BackEvent | events.ResultEvent):
            self._calls[event.call].receive(event)
        self._known.receive(event)
        self._tapes.receive(event)

    def _audit_op(self, op: events.OpEvent) -> None:
        again = self._known.ran(op)
        if isinstance(again, Reason):
            self._findings.passed_over(What.OPS, again)
            return
        reported = [array_of(out) for out in op.outputs]
        reason = next((each for each in reported if isinstance(each, Reason)), None)
        if reason is not None:
            self._findings.passed_over(What.OPS, reason)
            return
        self._findings.audited[What.OPS] += 1
        if self._compare(op, reported, again):
            again.take_outputs(reported)

    def _compare(self, op: events.OpEvent, reported: list[Array], again: ReplayedOp) -> bool:
        """Return whether the outputs are correct; report each wrong output as a fault."""
        is_right = True
        for index, (out, says, should) in enumerate(
            zip(op.outputs, reported, again.arrays, strict=True)
        ):
            if same(says, should):
                continue
            scale = self._known.scale_of_output(op, index)
            if not same(says, should, scale):
                self._findings.faults.append(
                    AuditFault(
                        FaultKind.OUTPUT,
                        op.i,
                        op.number,
                        None,
                        line_of(op),
                        texts.OUTPUT(op=op.name),
                        *difference(says, should, scale),
                    )
                )
                self._known.arrays[out.id] = should
                is_right = False
        return is_right

    def report(self) -> Audit:
        for call in self._calls.values():
            beginnings = audit_seeds(call, self._known, self._findings)
            accounts = [
                Account(call, reported, beginning, self._known, self._findings)
                for reported, beginning in zip(call.backward_passes, beginnings, strict=True)
            ]
            for account in accounts:
                account.settle()
            audit_results(call, accounts, self._known, self._findings)
        return self._findings.report()


def line_of(event: events.Placed) -> int:
    return 0 if event.at is None else event.at.line

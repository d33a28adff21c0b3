"""Audit a trace from beginning to end."""

import warnings

import numpy as np

from minitape.again.numbers import array_of
from minitape.again.reason import Reason
from minitape.again.running import Again
from minitape.core.values import Array
from minitape.prove.audit.answers import audit_results, audit_seeds
from minitape.prove.audit.calls import Call
from minitape.prove.audit.known import Known
from minitape.prove.audit.numbers import difference, same
from minitape.prove.audit.report import Audit, Fault, Findings, Kind, What
from minitape.prove.audit.tapes import Tapes
from minitape.prove.audit.walks import Account
from minitape.prove.texts import audit as texts
from minitape.trace import events
from minitape.trace.trace import Trace


def audit(trace: Trace) -> Audit:
    """Compute everything in a trace again that can be, and compare it with the trace.

    Args:
        trace: Of a run on minitape, or on another engine that calls its ops as TensorFlow does.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the program already showed its warnings when it ran
        auditing = _Auditing(trace)
        for event in trace:
            auditing.hear(event)
        return auditing.report()


class _Auditing:
    """An audit in progress, event by event."""

    def __init__(self, trace: Trace) -> None:
        header = next(iter(trace.of(events.Header)), None)
        self._findings = Findings()
        self._known = Known(header is None or header.engine in (None, "minitape"))
        self._tapes = Tapes(self._known, self._findings)
        self._calls: dict[int, Call] = {}

    def hear(self, event: events.Event) -> None:
        if isinstance(event, events.Op):
            self._audit_op(event)
            self._tapes.audit(event)
            return
        if isinstance(event, events.Gradient):
            tape = event.tapes[0]
            self._calls[event.call] = Call(
                event,
                line_of(event),
                frozenset(self._tapes.watched[tape]),
                tuple(self._tapes.recorded[tape]),
            )
        elif isinstance(event, events.Seed | events.Back | events.Result):
            self._calls[event.call].hear(event)
        self._known.hear(event)
        self._tapes.hear(event)

    def _audit_op(self, op: events.Op) -> None:
        again = self._known.ran(op)
        if isinstance(again, Reason):
            self._findings.passed_over(What.OPS, again)
            return
        told = [array_of(out) for out in op.outputs]
        reason = next((each for each in told if isinstance(each, Reason)), None)
        if reason is not None:
            self._findings.passed_over(What.OPS, reason)
            return
        self._findings.audited[What.OPS] += 1
        if self._compare(op, told, again):
            again.take_outputs(told)

    def _compare(self, op: events.Op, told: list[Array], again: Again) -> bool:
        """Whether the outputs are what they should be; each that is not is a fault."""
        is_right = True
        for index, (out, says, should) in enumerate(
            zip(op.outputs, told, again.arrays, strict=True)
        ):
            if same(says, should):
                continue
            scale = self._known.scale_of_output(op, index)
            if not same(says, should, scale):
                self._findings.faults.append(
                    Fault(
                        Kind.OUTPUT,
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
                Account(call, told, beginning, self._known, self._findings)
                for told, beginning in zip(call.walks, beginnings, strict=True)
            ]
            for account in accounts:
                account.settle()
            audit_results(call, accounts, self._known, self._findings)
        return self._findings.report()


def line_of(event: events.Placed) -> int:
    return 0 if event.at is None else event.at.line

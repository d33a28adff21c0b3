"""The result of an audit, as data.

FaultKind   the subject of a fault
AuditFault  a wrong value in a trace
Audit       the counts, the reasons and the faults of one trace or of several
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from minitape.replay.reason import Reason


class What(StrEnum):
    """The kinds of values that an audit checks and counts."""

    OPS = "ops"
    STEPS = "back steps"
    SUMS = "sums"
    SEEDS = "seeds"
    RESULTS = "results"
    RECORDS = "records"


class FaultKind(StrEnum):
    """The subject of a fault."""

    OUTPUT = "output"
    CONTRIBUTION = "share"
    SKIPPED = "skipped"
    SUM = "sum"
    ARRIVED = "arrived"
    SEED = "seed"
    RESULT = "result"
    MISSING_STEP = "missing step"
    STEP = "step"
    WATCHED = "watched"
    RECORDED = "recorded"
    WHY_NOT = "why not"
    COUNT = "count"


@dataclass(frozen=True)
class AuditFault:
    """A wrong value in a trace.

    `event` is the number of its event, from 0; `op` and `call` are the op and the call that it concerns. `line` is the line of
    the program, 0 if it is unknown.
    """

    kind: FaultKind
    event: int
    op: int | None
    call: int | None
    line: int
    what: str
    says: str
    should: str


@dataclass(frozen=True)
class Audit:
    """The numbers of values that were audited and that were not audited, with the reasons, and all faults."""

    traces: int = 0
    audited: Counter[What] = field(default_factory=Counter)
    unaudited: Counter[tuple[What, Reason]] = field(default_factory=Counter)
    faults: tuple[AuditFault, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.faults

    def not_audited(self, what: What) -> int:
        return sum(count for (each, _), count in self.unaudited.items() if each is what)

    def as_data(self) -> dict[str, Any]:
        """Return the audit in built-in Python types: the `audit` of `minitape trace --audit --json`."""
        return {
            "traces": self.traces,
            "audited": {what.value: self.audited[what] for what in What},
            "not_audited": {
                what.value: {
                    reason.value: self.unaudited[what, reason]
                    for reason in Reason
                    if self.unaudited[what, reason]
                }
                for what in What
                if self.not_audited(what)
            },
            "faults": [asdict(fault) | {"kind": fault.kind.value} for fault in self.faults],
        }


def together(audits: Iterable[Audit]) -> Audit:
    """Return the audits of several traces as one audit."""
    traces = 0
    faults: list[AuditFault] = []
    audited: Counter[What] = Counter()
    unaudited: Counter[tuple[What, Reason]] = Counter()
    for each in audits:
        traces += each.traces
        audited += each.audited
        unaudited += each.unaudited
        faults += each.faults
    return Audit(traces, audited, unaudited, tuple(faults))


@dataclass
class Findings:
    """The results of an audit in progress."""

    audited: Counter[What] = field(default_factory=Counter)
    unaudited: Counter[tuple[What, Reason]] = field(default_factory=Counter)
    faults: list[AuditFault] = field(default_factory=list)

    def passed_over(self, what: What, reason: Reason) -> None:
        self.unaudited[what, reason] += 1

    def report(self) -> Audit:
        faults = sorted(self.faults, key=lambda fault: fault.event)
        return Audit(1, +self.audited, +self.unaudited, tuple(faults))

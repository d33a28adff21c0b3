"""A training loop over time: the gradients of each variable in each iteration, as one small grid.

    CallHistory  one gradient call of the source, with all its iterations
      SourceHistory  one source of that call
        Stretch     successive iterations with the same outcome and the same causes
      GradientNote  a note on some of the iterations (see `report`)

A training loop of ten thousand steps requests its gradients ten thousand times. The important information is when something
changed, such as the step at which a unit died or a loss became NaN. So successive iterations with the same result are stored as
one stretch.
"""

from dataclasses import dataclass, field
from typing import Any

from minitape.explain.report import (
    CallReport,
    GradientNote,
    Location,
    Outcome,
    Report,
    SourceReport,
)


@dataclass(frozen=True)
class Stretch:
    """Iterations `first` to `last` of a call, both included; `codes` are the causes found in each of them."""

    first: int
    last: int
    outcome: Outcome
    codes: tuple[str, ...]


@dataclass
class SourceHistory:
    """One source over all iterations of a call, in order."""

    name: str
    stretches: list[Stretch] = field(default_factory=list)

    def add(self, iteration: int, source: SourceReport) -> None:
        """Add one more iteration: it extends the last stretch, or begins a new one."""
        codes = tuple(finding.code for finding in source.findings)
        if self.stretches:
            last = self.stretches[-1]
            if (last.outcome, last.codes) == (source.outcome, codes):
                self.stretches[-1] = Stretch(last.first, iteration, source.outcome, codes)
                return
        self.stretches.append(Stretch(iteration, iteration, source.outcome, codes))


@dataclass
class CallHistory:
    """One gradient call of the program and what it returned each time.

    Attributes:
        location: The location of the call.
        text: Its source text.
        events: The event number of each iteration.
        sources: The history of each source of the report, by its index in the call.
        notes: The notes on the call.
    """

    location: Location
    text: str
    events: list[int] = field(default_factory=list)
    sources: dict[int, SourceHistory] = field(default_factory=dict)
    notes: tuple[GradientNote, ...] = ()

    @property
    def rows(self) -> list[SourceHistory]:
        """The histories of the sources, in the order of the sources in the call."""
        return [self.sources[index] for index in sorted(self.sources)]

    @property
    def iterations(self) -> int:
        return len(self.events)

    @property
    def has_problem(self) -> bool:
        return any(stretch.codes for row in self.rows for stretch in row.stretches)

    def add(self, call: CallReport) -> None:
        """Add the next iteration; a source that was not requested before gets its own row."""
        self.events.append(call.event)
        for source in call.sources:
            history = self.sources.setdefault(source.index, SourceHistory(source.name))
            history.add(self.iterations, source)


def over_time(report: Report) -> tuple[CallHistory, ...]:
    """Return the gradient calls that ran more than once, in the order of their first iteration."""
    histories: dict[tuple[Location, str], CallHistory] = {}
    for call in report.calls:
        key = call.location, call.text
        notes = tuple(note for note in report.notes if note.call == call.location)
        histories.setdefault(key, CallHistory(call.location, call.text, notes=notes)).add(call)
    return tuple(history for history in histories.values() if history.iterations > 1)


def as_data(report: Report) -> list[dict[str, Any]]:
    """Return the `grid` of `minitape explain --json`: one entry for each gradient call that ran more than once."""
    return [
        {
            "line": history.location.line,
            "iterations": history.iterations,
            "rows": [{"name": row.name, "stretches": _stretches(row)} for row in history.rows],
            "note_ranges": [
                {"code": note.code, "iterations": [list(stretch) for stretch in note.iterations]}
                for note in history.notes
            ],
        }
        for history in over_time(report)
    ]


def _stretches(row: SourceHistory) -> list[dict[str, Any]]:
    return [
        {
            "first": each.first,
            "last": each.last,
            "outcome": each.outcome.value,
            "codes": list(each.codes),
        }
        for each in row.stretches
    ]

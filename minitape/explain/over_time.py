"""A training loop over time: the gradients of each variable in each iteration, so that a run becomes one small grid.

    History     one gradient call of the source, with all its iterations
      Row         one source of that call
        Stretch     successive iterations with the same outcome and the same causes
      Note        a note on some of the iterations (see `report`)

A training loop of ten thousand steps requests its gradients ten thousand times. What matters is when something changed: the step
at which a unit died, or a loss became NaN. So successive iterations with the same result are kept as one stretch.
"""

from dataclasses import dataclass, field
from typing import Any

from minitape.explain.report import CallReport, Note, Outcome, Place, Report, SourceReport


@dataclass(frozen=True)
class Stretch:
    """Iterations `first` to `last` of a call, both included; `codes` are the causes found in each of them."""

    first: int
    last: int
    outcome: Outcome
    codes: tuple[str, ...]


@dataclass
class Row:
    """One source over all iterations of a call, in order."""

    name: str
    stretches: list[Stretch] = field(default_factory=list)

    def add(self, turn: int, source: SourceReport) -> None:
        """Add one more iteration: it extends the last stretch, or begins a new one."""
        codes = tuple(finding.code for finding in source.findings)
        if self.stretches:
            last = self.stretches[-1]
            if (last.outcome, last.codes) == (source.outcome, codes):
                self.stretches[-1] = Stretch(last.first, turn, source.outcome, codes)
                return
        self.stretches.append(Stretch(turn, turn, source.outcome, codes))


@dataclass
class History:
    """One gradient call of the program and what it returned each time; `events` has the event number of each iteration."""

    place: Place
    text: str
    events: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    notes: tuple[Note, ...] = ()

    @property
    def turns(self) -> int:
        return len(self.events)

    @property
    def has_problem(self) -> bool:
        return any(stretch.codes for row in self.rows for stretch in row.stretches)

    def add(self, call: CallReport) -> None:
        """Add the next iteration; a source that was not requested before begins a row of its own."""
        self.events.append(call.event)
        for source in call.sources:
            if source.index >= len(self.rows):
                self.rows.append(Row(source.name))
            self.rows[source.index].add(self.turns, source)


def over_time(report: Report) -> tuple[History, ...]:
    """The gradient calls that ran more than once, in the order of their first iteration."""
    histories: dict[tuple[Place, str], History] = {}
    for call in report.calls:
        key = call.place, call.text
        notes = tuple(note for note in report.notes if note.call == call.place)
        histories.setdefault(key, History(call.place, call.text, notes=notes)).add(call)
    return tuple(history for history in histories.values() if history.turns > 1)


def as_data(report: Report) -> list[dict[str, Any]]:
    """The `grid` of `minitape explain --json`: one entry for each gradient call that ran more than once."""
    return [
        {
            "line": history.place.line,
            "turns": history.turns,
            "rows": [{"name": row.name, "stretches": _stretches(row)} for row in history.rows],
            "noted": [
                {"code": note.code, "rounds": [list(stretch) for stretch in note.rounds]}
                for note in history.notes
            ],
        }
        for history in over_time(report)
    ]


def _stretches(row: Row) -> list[dict[str, Any]]:
    return [
        {
            "first": each.first,
            "last": each.last,
            "outcome": each.outcome.value,
            "codes": list(each.codes),
        }
        for each in row.stretches
    ]

"""Divides the run into chapters: the steps up to a gradient call, then its backward pass. Loops are collapsed.

chapters    the chapters of a timeline
Chapter     the steps up to a gradient call, and its backward pass
"""

from dataclasses import dataclass, field, replace

from minitape.timeline import Phase, Timeline, TimelineCall, TimelineStep
from minitape_cli.views.rows import TableRow, row

_ROLL_FROM = 5  # the minimum number of repetitions of a row that are collapsed


@dataclass
class Chapter:
    """The steps up to a gradient call, and its backward pass; the last chapter has no call."""

    forward: list[TableRow] = field(default_factory=list)
    call: TimelineCall | None = None
    backward: list[TableRow] = field(default_factory=list)
    results: int = 0
    error: TimelineStep | None = None

    @property
    def is_done(self) -> bool:
        """Whether the call has returned all its results."""
        if self.call is None:
            return False
        return self.error is not None or self.results == len(self.call.answers)

    @property
    def signature(self) -> tuple[object, ...]:
        """A key that is equal for equal iterations of a training loop."""
        rows = tuple((row.key, row.times) for row in (*self.forward, *self.backward))
        if self.call is None:
            return rows
        came = tuple(answer.value == "None" for answer in self.call.answers)
        return (self.call.location, came, rows)


def chapters(timeline: Timeline, *, unroll: bool) -> list[Chapter]:
    """Return the run, cut after each gradient call; the steps after the last call make a chapter without a call.

    Ops that another tape records during a backward pass run between its steps. They are shown after it, as ops of that tape.
    """
    calls = {call.number: call for call in timeline.calls}
    reported = [Chapter()]
    of_call: dict[int, Chapter] = {}
    during: list[TableRow] = []
    for step in timeline.steps:
        if step.phase is Phase.BACKWARD and step.kind != "gradient":
            _add_to_call(of_call[step.call], step)
            continue
        if step.kind == "gradient" or reported[-1].is_done:
            if reported[-1].call is not None:
                reported.append(Chapter(during))
                during = []
            if step.kind == "gradient":
                reported[-1].call = calls[step.call]
                of_call[step.call] = reported[-1]
                continue
        (reported[-1].forward if reported[-1].call is None else during).append(row(step))
    if during:
        reported.append(Chapter(during))
    return [_rolled(each, unroll) for each in reported if each.forward or each.call is not None]


def _add_to_call(chapter: Chapter, step: TimelineStep) -> None:
    """Add a seed, a backward step, a result or an error to its call."""
    if step.kind == "result":
        chapter.results += 1
    elif step.kind == "error":
        chapter.error = step
    else:
        chapter.backward.append(row(step))


def _rolled(chapter: Chapter, unroll: bool) -> Chapter:
    if not unroll:
        chapter.forward = _roll(chapter.forward)
        chapter.backward = _roll(chapter.backward)
    return chapter


def _roll(rows: list[TableRow]) -> list[TableRow]:
    """Return the rows with repeated ones replaced by the first of them and a count."""
    counts: dict[tuple[object, ...], int] = {}
    for each in rows:
        counts[each.key] = counts.get(each.key, 0) + 1
    shown: set[tuple[object, ...]] = set()
    kept = []
    for each in rows:
        if counts[each.key] < _ROLL_FROM:
            kept.append(each)
        elif each.key not in shown:
            shown.add(each.key)
            kept.append(replace(each, times=counts[each.key]))
    return kept

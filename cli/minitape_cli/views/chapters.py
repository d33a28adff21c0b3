"""The run in chapters: what ran up to a gradient call, then its walk back. Loops are rolled up.

chapters    a trace, cut after each gradient call
Chapter     what ran up to a call (forward) and its walk back
"""

from dataclasses import dataclass, field, replace

from minitape.debug.trace import Event, Trace
from minitape_cli.views.rows import Reader, Row

_OF_A_CALL = ("seed", "back", "result", "error")
_SILENT = ("site", "source", "primitive", "read", "end")  # these end no chapter
_ROLL_FROM = 5  # a line that runs fewer times is shown each time


@dataclass
class Chapter:
    """What ran up to a gradient call, and the call with its walk back; the last has no call."""

    forward: list[Row] = field(default_factory=list)
    call: Event | None = None
    backward: list[Row] = field(default_factory=list)
    results: list[Event] = field(default_factory=list)
    error: Event | None = None

    @property
    def is_done(self) -> bool:
        """Whether the call has given all its answers."""
        if self.call is None:
            return False
        return self.error is not None or len(self.results) == len(self.call["sources"])

    @property
    def signature(self) -> tuple[object, ...]:
        """Equal for the rounds of a training loop."""
        rows = (*self.forward, *self.backward)
        came = tuple(result["T"] is None for result in self.results)
        place = None if self.call is None else tuple(self.call["at"] or ())
        return (place, came, tuple((row.key, row.times) for row in rows))


def chapters(trace: Trace, *, unroll: bool) -> list[Chapter]:
    """The run, cut after each gradient call; a last one without call for what came after.

    Ops of a walk that another tape records run between the steps of the walk. They are told
    after it, as what that other tape wrote down.
    """
    reader = Reader(trace)
    told = [Chapter()]
    of_call: dict[int, Chapter] = {}
    during: list[Row] = []
    for event in trace:
        kind = event["k"]
        if kind in _OF_A_CALL and event["call"] is not None:
            _add_to_call(of_call[event["call"]], event, reader)
            continue
        if kind in _SILENT:
            reader.row(event)
            continue
        if kind == "gradient" or told[-1].is_done:
            if told[-1].call is not None:
                told.append(Chapter(during))
                during = []
            if kind == "gradient":
                told[-1].call = event
                of_call[event["call"]] = told[-1]
                continue
        row = reader.row(event, told[-1].call)
        if row is not None:
            _add(row, told[-1].forward if told[-1].call is None else during)
    if during:
        told.append(Chapter(during))
    return [_rolled(each, unroll) for each in told if each.forward or each.call is not None]


def _add_to_call(chapter: Chapter, event: Event, reader: Reader) -> None:
    """A seed, a step back, a result or an error, to the call that it belongs to."""
    assert chapter.call is not None
    if event["k"] == "seed":
        chapter.backward.append(reader.seed(event, chapter.call))
    elif event["k"] == "back":
        chapter.backward.append(reader.back(event))
    elif event["k"] == "result":
        reader.learn(event)
        chapter.results.append(event)
    else:
        chapter.error = event


def _add(row: Row, rows: list[Row]) -> None:
    if row.key[0] == "export" and rows and rows[-1].key == row.key:
        rows.pop()  # NumPy first asked for the array, then worked on it
    rows.append(row)


def _rolled(chapter: Chapter, unroll: bool) -> Chapter:
    if not unroll:
        chapter.forward = _roll(chapter.forward)
        chapter.backward = _roll(chapter.backward)
    return chapter


def _roll(rows: list[Row]) -> list[Row]:
    """The first of the rows that a loop wrote again and again, with their number."""
    counts: dict[tuple[object, ...], int] = {}
    for row in rows:
        counts[row.key] = counts.get(row.key, 0) + 1
    shown: set[tuple[object, ...]] = set()
    kept = []
    for row in rows:
        if counts[row.key] < _ROLL_FROM:
            kept.append(row)
        elif row.key not in shown:
            shown.add(row.key)
            kept.append(replace(row, times=counts[row.key]))
    return kept

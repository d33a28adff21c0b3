"""Shows a training loop over its iterations: the target and the norms of the gradients as bars, then a grid with a row for
sources with the same outcomes, and for each note.
"""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from minitape.explain.over_time import CallHistory, SourceHistory, Stretch, over_time
from minitape.explain.report import GradientNote, Outcome, Report, listed
from minitape.trace.trace import Trace
from minitape_cli.console import Symbols, in_short

if TYPE_CHECKING:
    from minitape.timeline.norms import LoopNorms

_COLUMNS = 44
_ROWS = 10
_GRIDS = 1
_NAME = 16
_BARS = 10  # the maximum number of sources with bars; fewer if nothing is wrong
_FEW_BARS = 4
# Letters, because colors alone are not accessible. A cell shows the worst outcome of its iterations.
_LETTERS = {
    Outcome.OK: ".",
    Outcome.PARTIAL: "p",
    Outcome.ZERO: "0",
    Outcome.NONE: "N",
    Outcome.NAN: "!",
    Outcome.ERROR: "E",
    Outcome.EMPTY: "-",
}
_SEVERITY = tuple(_LETTERS)
_MARKED = "~"
_STYLES = {
    ".": "green",
    "p": "yellow",
    "0": "yellow",
    "N": "red",
    "!": "red",
    "E": "red",
    "-": "yellow",
}


def grids(trace: Trace, report: Report, symbols: Symbols) -> Iterator[RenderableType]:
    """Yield a grid for the first loop with a problem or a note, or else for the longest loop, if it is long; then a list of the
    other loops with problems or notes.
    """
    histories = over_time(report)
    wrong = [history for history in histories if history.has_problem or history.notes]
    longest = max(histories, key=lambda each: each.iterations, default=None)
    for history in wrong[:_GRIDS] or [*filter(None, [longest])]:
        yield from _grid(history, _loop(trace, report, history), symbols)
    if len(wrong) > _GRIDS:
        more = ", ".join(
            f"line {each.location.line}" for each in islice(wrong, _GRIDS, _GRIDS + _ROWS)
        )
        yield Text(f"other loops with problems or notes: {more}\n")


def _loop(trace: Trace, report: Report, history: CallHistory) -> "LoopNorms | None":
    """Return the numbers of a loop; None for a short one."""
    from minitape.timeline.norms import MANY, norms_over_time  # a short run needs no timeline

    if history.iterations < MANY:
        return None
    at = history.location, history.text
    return next(
        each
        for each in norms_over_time(trace, report)
        if (each.history.location, each.history.text) == at
    )


def _grid(
    history: CallHistory, loop: "LoopNorms | None", symbols: Symbols
) -> Iterator[RenderableType]:
    shown: list[RenderableType] = []
    is_marked = history.has_problem or bool(history.notes)
    if loop is not None:
        from minitape_cli.views.bars import loop_bars

        most = _BARS if is_marked else _FEW_BARS
        bars, key = loop_bars(loop, symbols, width=_COLUMNS, most=most)
        shown += [Padding(bars, (0, 0, 0, 2), expand=False)] if bars.row_count else []
        shown += [Text(f"  {key}", style="dim")] if key else []
    if is_marked:
        letters = "  . arrived  p incomplete  0 zero  N None  ! nan or inf  E error  - no sources"
        key = letters + (f"  {_MARKED} noted" if history.notes else "")
        shown += [_outcomes(history, symbols.dots), Text(key, style="dim")]
    if shown:
        head = f"over {history.iterations} iterations of line {history.location.line}:"
        yield from (Text(head, style="bold"), *shown, Text())


def _outcomes(history: CallHistory, dots: str) -> RenderableType:
    """Return a row for the sources with the same outcomes, and for each note."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    alike: dict[tuple[Stretch, ...], list[SourceHistory]] = {}
    for row in history.rows:
        if any(each.codes for each in row.stretches):
            alike.setdefault(tuple(row.stretches), []).append(row)
    for rows in list(alike.values())[:_ROWS]:
        names = listed([in_short(row.name, _NAME, dots) for row in rows], most=2)
        table.add_row(
            Text(f"  {names}"), _cells(rows[0], history.iterations), Text(_reported(rows[0]))
        )
    if len(alike) > _ROWS:
        more = sum(map(len, list(alike.values())[_ROWS:]))
        table.add_row(Text(f"  and {more} more"))
    for note in history.notes:
        name = Text(f"  {note.code}")
        table.add_row(
            name,
            _marked_iterations(note, history.iterations),
            Text(_in_iterations(note, history.iterations)),
        )
    return table


def _cells(row: SourceHistory, iterations: int) -> Text:
    """Return all iterations as at most `_COLUMNS` letters, each of which shows the worst outcome in its range."""
    width = min(iterations, _COLUMNS)
    worst = [0] * width
    for stretch in row.stretches:
        rank = _SEVERITY.index(stretch.outcome)
        for cell in range(
            (stretch.first - 1) * width // iterations, (stretch.last - 1) * width // iterations + 1
        ):
            worst[cell] = max(worst[cell], rank)
    letters = [_LETTERS[_SEVERITY[rank]] for rank in worst]
    return Text.assemble(*((letter, _STYLES[letter]) for letter in letters))


def _marked_iterations(note: GradientNote, iterations: int) -> Text:
    """Return all iterations as at most `_COLUMNS` characters; those with the note are marked."""
    width = min(iterations, _COLUMNS)
    cells = ["."] * width
    for first, last in note.iterations:
        for cell in range((first - 1) * width // iterations, (last - 1) * width // iterations + 1):
            cells[cell] = _MARKED
    styles = {".": "green", _MARKED: "blue"}
    return Text.assemble(*((letter, styles[letter]) for letter in cells))


def _in_iterations(note: GradientNote, iterations: int) -> str:
    """Return the first iteration with the note, and how many have it."""
    noted = sum(last - first + 1 for first, last in note.iterations)
    return f"{note.slug} from iteration {note.iterations[0][0]}, in {noted} of {iterations}"


def _reported(row: SourceHistory) -> str:
    """Return the first iteration with each problem, and how many have one."""
    bad = [stretch for stretch in row.stretches if stretch.codes]
    iterations = sum(each.last - each.first + 1 for each in bad)
    since: dict[str, int] = {}
    for stretch in bad:
        since.setdefault(stretch.codes[0], stretch.first)
    reported = ", ".join(f"{code} from iteration {first}" for code, first in since.items())
    return f"{reported}, in {iterations} of {row.stretches[-1].last}"

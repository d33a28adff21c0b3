"""Shows a training loop as a grid: a row for sources with the same outcomes, a column for each range of iterations."""

from collections.abc import Iterator, Sequence
from itertools import islice

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.explain.over_time import CallHistory, SourceHistory, Stretch
from minitape.explain.report import GradientNote, Outcome, listed
from minitape_cli.console import in_short

_COLUMNS = 44
_ROWS = 10
_GRIDS = 1
_NAME = 16
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
_NOTED = "~"
_STYLES = {
    ".": "green",
    "p": "yellow",
    "0": "yellow",
    "N": "red",
    "!": "red",
    "E": "red",
    "-": "yellow",
}


def grids(histories: Sequence[CallHistory], dots: str) -> Iterator[RenderableType]:
    """Yield a grid for the first loop with a problem or a note, then a list of the other such loops."""
    wrong = [history for history in histories if history.has_problem or history.notes]
    for history in wrong[:_GRIDS]:
        yield _grid(history, dots)
    if len(wrong) > _GRIDS:
        more = ", ".join(
            f"line {each.place.line}" for each in islice(wrong, _GRIDS, _GRIDS + _ROWS)
        )
        yield Text(f"other loops with problems or notes: {more}\n")


def _grid(history: CallHistory, dots: str) -> RenderableType:
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
            name, _noted(note, history.iterations), Text(_in_iterations(note, history.iterations))
        )
    head = Text(f"over {history.iterations} iterations of line {history.place.line}:", style="bold")
    letters = "  . arrived  p incomplete  0 zero  N None  ! nan or inf  E error  - no sources"
    key = Text(letters + (f"  {_NOTED} noted" if history.notes else ""), style="dim")
    return Group(head, table, key, Text())


def _cells(row: SourceHistory, iterations: int) -> Text:
    """Return all iterations in at most `_COLUMNS` letters, each for the worst outcome in its range."""
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


def _noted(note: GradientNote, iterations: int) -> Text:
    """Return all iterations in at most `_COLUMNS` letters; those with the note are marked."""
    width = min(iterations, _COLUMNS)
    cells = ["."] * width
    for first, last in note.iterations:
        for cell in range((first - 1) * width // iterations, (last - 1) * width // iterations + 1):
            cells[cell] = _NOTED
    styles = {".": "green", _NOTED: "blue"}
    return Text.assemble(*((letter, styles[letter]) for letter in cells))


def _in_iterations(note: GradientNote, iterations: int) -> str:
    """Return the first iteration with the note, and how many have it."""
    iterations = sum(last - first + 1 for first, last in note.iterations)
    return f"{note.slug} from iteration {note.iterations[0][0]}, in {iterations} of {iterations}"


def _reported(row: SourceHistory) -> str:
    """Return the first iteration with each problem, and how many have one."""
    bad = [stretch for stretch in row.stretches if stretch.codes]
    iterations = sum(each.last - each.first + 1 for each in bad)
    since: dict[str, int] = {}
    for stretch in bad:
        since.setdefault(stretch.codes[0], stretch.first)
    reported = ", ".join(f"{code} from iteration {first}" for code, first in since.items())
    return f"{reported}, in {iterations} of {row.stretches[-1].last}"

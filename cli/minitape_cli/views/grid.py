"""A training loop as a grid: a row for all sources that went alike, a column for each stretch of turns, at most one screen."""

from collections.abc import Iterator, Sequence
from itertools import islice

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.explain.over_time import History, Row, Stretch
from minitape.explain.report import Outcome, listed
from minitape_cli.console import in_short

_COLUMNS = 44
_ROWS = 10
_GRIDS = 1
_NAME = 16
# Letters, not colours alone; the worst of the turns in a cell is the one to show.
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
_STYLES = {
    ".": "green",
    "p": "yellow",
    "0": "yellow",
    "N": "red",
    "!": "red",
    "E": "red",
    "-": "yellow",
}


def grids(histories: Sequence[History], dots: str) -> Iterator[RenderableType]:
    """A grid for the first loops in which something went wrong, then how many more there are."""
    wrong = [history for history in histories if history.has_problem]
    for history in wrong[:_GRIDS]:
        yield _grid(history, dots)
    if len(wrong) > _GRIDS:
        more = ", ".join(
            f"line {each.place.line}" for each in islice(wrong, _GRIDS, _GRIDS + _ROWS)
        )
        yield Text(f"and over time too: {more}\n")


def _grid(history: History, dots: str) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    alike: dict[tuple[Stretch, ...], list[Row]] = {}
    for row in history.rows:
        if any(each.codes for each in row.stretches):
            alike.setdefault(tuple(row.stretches), []).append(row)
    for rows in list(alike.values())[:_ROWS]:
        names = listed([in_short(row.name, _NAME, dots) for row in rows], most=2)
        table.add_row(Text(f"  {names}"), _cells(rows[0], history.turns), Text(_told(rows[0])))
    if len(alike) > _ROWS:
        more = sum(map(len, list(alike.values())[_ROWS:]))
        table.add_row(Text(f"  and {more} more"))
    head = Text(f"over {history.turns} rounds of line {history.place.line}:", style="bold")
    key = Text(
        "  . arrived  p partial  0 zero  N None  ! nan or inf  E error  - no sources", style="dim"
    )
    return Group(head, table, key, Text())


def _cells(row: Row, turns: int) -> Text:
    """All turns in at most so many letters, each for the worst that happened in its share."""
    width = min(turns, _COLUMNS)
    worst = [0] * width
    for stretch in row.stretches:
        rank = _SEVERITY.index(stretch.outcome)
        for cell in range(
            (stretch.first - 1) * width // turns, (stretch.last - 1) * width // turns + 1
        ):
            worst[cell] = max(worst[cell], rank)
    letters = [_LETTERS[_SEVERITY[rank]] for rank in worst]
    return Text.assemble(*((letter, _STYLES[letter]) for letter in letters))


def _told(row: Row) -> str:
    """When it first went wrong, and how often in all."""
    bad = [stretch for stretch in row.stretches if stretch.codes]
    rounds = sum(each.last - each.first + 1 for each in bad)
    since: dict[str, int] = {}
    for stretch in bad:
        since.setdefault(stretch.codes[0], stretch.first)
    told = ", ".join(f"{code} from round {first}" for code, first in since.items())
    return f"{told}, in {rounds} of {row.stretches[-1].last}"

"""Numbers over the iterations of a loop, as bars of one character each, and one number as a horizontal bar.

loop_bars   the target and the gradients of a loop, one row each
spark       numbers as bars
LogScale    the heights of the bars
level       a number as a horizontal bar
strip       the cells of a tensor as bars
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from minitape.draw.words import number
from minitape.explain.report import GradientNote
from minitape.printable import printable
from minitape.timeline.norms import LoopNorms, changes
from minitape_cli.console import Symbols, in_short

_BLOCKS = "▁▂▃▄▅▆▇█"
_CELLS = f" {_BLOCKS}"
_DIGITS = "12345678"
NOTED = "~"
_PARTS = " ▏▎▍▌▋▊▉█"
NAME = 28
_DECADES = 8  # smaller norms have the lowest bar
_LEAST_DECADES = 2
_RATIO = 100  # a target that changes by more is shown on a logarithmic scale
KEY = "bars: gradient norms {low} to {high} (log)  N None  0 zero  ! nan or inf"
MORE = "  (and {count} more)"


@dataclass(frozen=True)
class LogScale:
    """A scale from `10 ** low` to `10 ** high`; a linear one from `low` to `high` if `is_linear`."""

    low: float
    high: float
    is_linear: bool = False

    @staticmethod
    def of(numbers: Iterable[float | None]) -> "LogScale":
        """Return the logarithmic scale for these norms."""
        logs = [math.log10(each) for each in numbers if each and math.isfinite(each)]
        if not logs:
            return LogScale(-_LEAST_DECADES, 0)
        high = max(logs)
        return LogScale(min(max(min(logs), high - _DECADES), high - _LEAST_DECADES), high)

    @staticmethod
    def of_targets(numbers: Iterable[float | None]) -> "LogScale":
        """Return the scale for the values of a target: a logarithmic one if they are positive and change much."""
        known = [each for each in numbers if each is not None and math.isfinite(each)]
        if known and min(known) > 0 and max(known) > _RATIO * min(known):
            return LogScale(math.log10(min(known)), math.log10(max(known)))
        return LogScale(min(known, default=0.0), max(known, default=1.0), is_linear=True)

    def fraction(self, each: float) -> float:
        """Return a number from 0 for the lowest bar to 1 for the highest."""
        if not self.is_linear and each <= 0:
            return 0.0
        at = each if self.is_linear else math.log10(each)
        return min(1.0, max(0.0, (at - self.low) / ((self.high - self.low) or 1.0)))

    @property
    def ends(self) -> tuple[str, str]:
        """The smallest and the largest number, as text."""
        ends = (self.low, self.high) if self.is_linear else (10**self.low, 10**self.high)
        low, high = (f"{each:.2g}" for each in ends)
        return low, high


def spark(
    numbers: Sequence[float | None],
    scale: LogScale,
    symbols: Symbols,
    *,
    width: int,
    style: str,
    here: int | None = None,
) -> Text:
    """Return numbers as bars; several iterations share a bar if there are more than `width`, and it shows the largest.

    Args:
        numbers: A number for each iteration: None and NaN are shown as letters, and so is 0 on a logarithmic scale.
        scale: The scale of the bars.
        symbols: The symbols of the terminal.
        width: The largest number of bars.
        style: The style of the bars.
        here: The index of the iteration to mark.
    """
    cells = min(width, len(numbers))
    marked = None if here is None else here * cells // len(numbers)
    text = Text(no_wrap=True)
    for cell in range(cells):
        start = -(-cell * len(numbers) // cells)  # the first iteration whose bar this is
        end = -(-(cell + 1) * len(numbers) // cells)
        letter, of_letter = _bar(numbers[start:end], scale, symbols, style)
        text.append(letter, f"{of_letter} reverse" if cell == marked else of_letter)
    return text


def _bar(
    numbers: Sequence[float | None], scale: LogScale, symbols: Symbols, style: str
) -> tuple[str, str]:
    known = [each for each in numbers if each is not None]
    if any(math.isnan(each) for each in known):
        return "!", "bold red"
    if len(known) < len(numbers):
        return "N", "red"
    largest = max(known)
    if not largest and not scale.is_linear:
        return "0", "yellow"
    bars = _BLOCKS if symbols.dots == "…" else _DIGITS
    return bars[round(scale.fraction(largest) * (len(bars) - 1))], style


def level(norm: float, scale: LogScale, symbols: Symbols, width: int) -> str:
    """Return a norm as a horizontal bar of at most `width` characters. It is never empty, because a small gradient is not
    None.
    """
    if symbols.dots != "…":
        return "#" * max(1, round(scale.fraction(norm) * width))
    eighths = max(1, round(scale.fraction(norm) * width * 8))
    return _PARTS[8] * (eighths // 8) + _PARTS[eighths % 8].strip()


def strip(cells: Iterable[float | None]) -> Text:
    """Return a bar for each cell, with its height for the absolute value; `-` below negative cells, `!` for NaN."""
    sizes, signs = Text("  "), Text("\n  ")
    for cell in cells:
        if cell is None:
            sizes.append("!", "bold red")
        else:
            sizes.append(_CELLS[round(abs(cell) * (len(_CELLS) - 1))])
        signs.append("-" if cell is not None and cell < 0 else " ")
    return sizes + signs if "-" in signs.plain else sizes


def loop_bars(
    loop: LoopNorms,
    symbols: Symbols,
    *,
    width: int,
    most: int,
    here: int | None = None,
    name: int = NAME,
) -> tuple[Table, str]:
    """Return a row for the target and for each source of a loop, and the key to the bars; both are empty without rows.

    Args:
        loop: The loop.
        symbols: The symbols of the terminal.
        width: The largest number of bars in a row.
        most: The largest number of sources.
        here: The index of the iteration to mark; the numbers next to the bars are those of this iteration, and each note has a
            row with its iterations. Without it, the numbers are those of the first and the last iteration, and rows that never
            change are left out.
        name: The largest width of a name.
    """
    shown = loop.selected(most, changing=here is None)
    scale = LogScale.of(each for row in shown for each in row.norms)
    table = Table.grid(padding=(0, 2))
    for _ in range(3):
        table.add_column(no_wrap=True)
    rows = [(row.name, row.norms, scale, "magenta") for row in shown]
    if changes(loop.targets) or (here is not None and loop.targets[here] is not None):
        of_targets = LogScale.of_targets(loop.targets)
        rows.insert(0, (loop.target, loop.targets, of_targets, "blue"))
    for source, numbers, its, style in rows:
        table.add_row(
            Text(printable(in_short(source, name, symbols.dots))),
            spark(numbers, its, symbols, width=width, style=style, here=here),
            Text(_beside(numbers, symbols, here)),
        )
    if here is not None:
        cells = min(width, len(loop.calls))
        table.add_row("", Text(" " * (here * cells // len(loop.calls)) + "^", "bold"))
        for note in loop.history.notes:
            holds = any(first <= here + 1 <= last for first, last in note.iterations)
            beside = Text("noted" if holds else "")
            table.add_row(Text(note.code), _note_row(note, len(loop.calls), cells), beside)
    low, high = scale.ends
    more = len(loop.sources) - len(shown)
    key = KEY.format(low=low, high=high) + (MORE.format(count=more) if more else "")
    return table, key if shown else ""


def _note_row(note: GradientNote, iterations: int, cells: int) -> Text:
    """Return the iterations of a loop, with `~` where a note holds."""
    letters = ["."] * cells
    for first, last in note.iterations:
        for cell in range((first - 1) * cells // iterations, (last - 1) * cells // iterations + 1):
            letters[cell] = NOTED
    return Text("".join(letters), style="blue", no_wrap=True)


def _beside(numbers: Sequence[float | None], symbols: Symbols, here: int | None) -> str:
    if here is not None:
        return _number(numbers[here])
    return f"{_number(numbers[0])} {symbols.to} {_number(numbers[-1])}"


def _number(value: float | None) -> str:
    return "None" if value is None else "nan or inf" if math.isnan(value) else number(value)

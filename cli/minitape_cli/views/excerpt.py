"""Lines of source with marks under them, as compilers print them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from minitape.printable import printable
from minitape.source_text import lines_of as program_lines
from minitape.trace.events import SourceEvent
from minitape.trace.trace import Trace

_CONTEXT = 1
_TAB = 4
_LONG = 1_000  # characters; of a longer line only the part around the marks is used


@dataclass(frozen=True)
class Mark:
    """A part of a line to underline, with a label; without columns, the whole line."""

    line: int
    label: str
    column: int = -1
    end_column: int = -1
    is_primary: bool = False


def lines_of(trace: Trace) -> dict[str, list[str]]:
    """Return the lines of each file in the trace."""
    return {source.file: list(program_lines(source.text)) for source in trace.of(SourceEvent)}


def excerpt(lines: Sequence[str], marks: Sequence[Mark], *, dots: str, columns: int) -> list[Text]:
    """Return the marked lines with their numbers, and one line before and after each primary mark.

    Args:
        lines: The lines of the file.
        marks: What to mark.
        dots: The text for a gap between lines.
        columns: The width in columns. A label that does not fit next to its mark goes below it.
    """
    wanted: set[int] = set()
    for mark in marks:
        around = _CONTEXT if mark.is_primary else 0
        wanted |= set(range(mark.line - around, mark.line + around + 1))
    numbers = sorted(n for n in wanted if 1 <= n <= len(lines) and _is_worth_it(n, lines, wanted))
    width = len(str(numbers[-1])) if numbers else 1
    shown = []
    for before, number in zip([None, *numbers], numbers):
        if before is not None and number > before + 1:
            shown.append(Text(dots, style="blue"))
        here = [mark for mark in marks if mark.line == number]
        line, here = _around(lines[number - 1], here, columns, dots)
        shown.append(_line(number, line, width))
        for mark in here:
            shown += _underline(mark, line, width, columns)
    return [_cut(each, columns, dots) for each in shown]


def _around(line: str, marks: list[Mark], columns: int, dots: str) -> tuple[str, list[Mark]]:
    """Return the visible part of a very long line, which begins shortly before the first mark, with the marks moved to match."""
    if len(line) <= _LONG:
        return line, marks
    first = min((mark.column for mark in marks if mark.column >= 0), default=0)
    start = max(0, first - columns // 3)
    if start == 0:
        return line[:_LONG], marks
    shift = start - len(dots)
    moved = [
        replace(mark, column=mark.column - shift, end_column=mark.end_column - shift)
        if mark.column >= 0
        else mark
        for mark in marks
    ]
    return dots + line[start : start + _LONG], moved


def _is_worth_it(number: int, lines: Sequence[str], wanted: set[int]) -> bool:
    """Whether a line is shown; an empty line is shown only between two other lines."""
    return bool(lines[number - 1].strip()) or {number - 1, number + 1} <= wanted


def _line(number: int, text: str, width: int) -> Text:
    return Text.assemble((f"{number:>{width}} | ", "blue"), printable(text.expandtabs(_TAB)))


def _underline(mark: Mark, text: str, width: int, columns: int) -> list[Text]:
    start, end = mark.column, mark.end_column
    if start < 0:
        start = len(text) - len(text.lstrip())
    if end <= start:
        end = len(text.rstrip())
    indent = len(text[:start].expandtabs(_TAB))
    sign, style = ("^", "bold red") if mark.is_primary else ("-", "blue")
    stretch = sign * max(1, len(text[:end].expandtabs(_TAB)) - indent)
    label = printable(mark.label)
    beside = f"{stretch} {label}".rstrip()
    free = columns - width - 3
    fits = indent + len(beside) <= free
    edge = " " * width + " | "
    if fits:
        return [Text.assemble((edge, "blue"), " " * indent, (beside, style))]
    left = max(0, min(indent, free - len(label)))
    return [
        Text.assemble((edge, "blue"), " " * at, (part, style))
        for at, part in ((indent, stretch), (left, label))
    ]


def _cut(text: Text, columns: int, dots: str) -> Text:
    """Return a line cut to the width of the terminal, because a wrapped line would run into the line numbers."""
    if text.cell_len <= columns:
        return text
    text.truncate(max(1, columns - len(dots)))
    text.append(dots, style="blue")
    return text

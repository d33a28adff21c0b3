"""Shows a run as tables: the forward pass, then the backward pass of each gradient call."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from minitape.explain.report import Report
from minitape.printable import printable, printable_lines
from minitape.timeline import CallResult, Severity, Timeline, build_timeline
from minitape.trace.events import OpEvent, TapeEnterEvent, VariableEvent
from minitape.trace.trace import Trace
from minitape_cli.console import Symbols
from minitape_cli.views.chapters import Chapter, chapters
from minitape_cli.views.rows import TableRow

_FORWARD = ("#", "line", "source", "op", "inputs", "value", "")
_BACKWARD = ("step", "op", "line", "gradient in", "rule", "sent to", "contribution")
_STYLES = {Severity.EVENT: "cyan", Severity.LOST: "bold red", Severity.MUTED: "dim"}
_NUMBERS = ("#", "line", "step")
_GAP = 2  # the number of spaces between two columns
# The longest text of a column. A value is never truncated, because a range without its maximum is useless.
_LONGEST = {"source": 60, "inputs": 48, "sent to": 48, "rule": 60, "": 60}
_VALUES = ("gradient in", "value", "contribution")
# The longest text for several tensors; the tensors that do not fit are counted.
_LONGEST_VALUES = 56
_BETWEEN = re.compile(r", (?=\+?\[)")
# In a narrow terminal, columns shrink in this order, each down to its minimum width; a column without a minimum width is left
# out.
_SHRINKS = (
    *(("", 12), ("rule", 12), ("inputs", 12), ("sent to", 12), ("source", 16)),
    *(("", 0), ("rule", 0), ("inputs", 8), ("sent to", 8), ("source", 8)),
    *(("gradient in", 18), ("contribution", 18), ("value", 18), ("gradient in", 12)),
    *(("contribution", 12), ("value", 12), ("op", 12)),
    *(("contribution", 4), ("gradient in", 4), ("value", 4), ("op", 6)),
)


def trace(
    trace: Trace,
    report: Report,
    *,
    symbols: Symbols,
    width: int | None,
    call: int | None = None,
    unroll: bool = False,
) -> RenderableType:
    """Return the whole run, or the part of one gradient call.

    Args:
        trace: The run.
        report: The findings about it.
        symbols: The symbols of the terminal.
        width: The width of the terminal; None for a pipe or a file, where tables are as wide as their texts.
        call: The number of the gradient call to show; None for all.
        unroll: Whether to show every iteration of a loop.
    """
    timeline = build_timeline(trace, report)
    shown: list[RenderableType] = [_headline(trace, timeline)]
    all_chapters = [
        each
        for each in chapters(timeline, unroll=unroll)
        if call is None or (each.call is not None and each.call.number == call)
    ]
    for chapter, again in _merged(all_chapters, unroll):
        shown += _chapter(chapter, symbols, width)
        if again:
            first, last = again[0].call, again[-1].call
            assert first is not None and last is not None
            which = f"call {first.number}"
            if len(again) > 1:
                which = f"calls {first.number} to {last.number}"
            same = f"{symbols.dots} {which} repeats these steps (use `--unroll` to show them)"
            if len(again) > 1:
                same = f"{symbols.dots} {which} repeat these steps (use `--unroll` to show them)"
            shown += [Text(same, style="bold"), Text()]
    if not all_chapters:
        return Group(*shown, Text("The script opened no tape and ran no op."))
    return Group(*shown[:-1])  # without the empty line after the last


def _merged(every: Iterable[Chapter], unroll: bool) -> Iterator[tuple[Chapter, list[Chapter]]]:
    """Yield each chapter with the following chapters that are equal to it, such as further iterations of a training loop."""
    first: Chapter | None = None
    again: list[Chapter] = []
    for chapter in every:
        same = first is not None and first.call is not None
        if first is not None and same and not unroll and chapter.signature == first.signature:
            again.append(chapter)
            continue
        if first is not None:
            yield first, again
        first, again = chapter, []
    if first is not None:
        yield first, again


def _headline(trace: Trace, timeline: Timeline) -> Text:
    tapes = {number for event in trace.of(TapeEnterEvent) for number in event.tapes}
    wrong = {
        (each.code, each.line) for call in timeline.calls for each in call.answers if each.code
    }
    counted = [
        (len(tapes), "tape"),
        (len(trace.of(OpEvent)), "op"),
        (len(trace.of(VariableEvent)), "variable"),
        (len(timeline.calls), "gradient call"),
        *([(len(wrong), "problem")] if wrong else []),
    ]
    words = " · ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counted)
    words = " · ".join(filter(None, (words, printable(timeline.ran_on))))
    return Text.assemble((printable(trace.script), "bold"), f"   {words}\n")


def _chapter(chapter: Chapter, symbols: Symbols, width: int | None) -> Iterator[RenderableType]:
    if chapter.forward:
        yield _table(_FORWARD, chapter.forward, symbols, width, _hidden(width))
        yield Text()
    call = chapter.call
    if call is None:
        return
    at = "" if call.location is None else f" on line {call.location.line}"
    title = Text(printable(f"backward pass of {call.text}{at}"))
    yield Rule(title, align="left", style="magenta")
    if chapter.backward:
        yield _table(_BACKWARD, chapter.backward, symbols, width, _hidden_back(width))
        yield Text()
    answers = [answer for answer in call.answers if answer.value]
    for answer, after in zip(answers, [*answers[1:], None]):  # `strict` would reject no answers
        yield _answer(call.target, answer, symbols)
        if answer.fix and (after is None or after.fix != answer.fix):
            yield Text("\n".join(f"    try: {printable(line)}" for line in answer.fix.splitlines()))
    if chapter.error is not None:
        said = printable_lines(chapter.error.facts[0].text)
        yield Text(f"{printable(chapter.error.what)}: {said}", style="bold red")
    yield Text()


def _hidden(width: int | None) -> set[int]:
    """Return the columns to hide in a narrow terminal: first the note, then the inputs, then the source."""
    if width is None:
        return set()
    return {6, 4, 2} if width < 76 else {6, 4} if width < 90 else {6} if width < 100 else set()


def _hidden_back(width: int | None) -> set[int]:
    if width is None:
        return set()
    return {3, 4} if width < 76 else {4} if width < 100 else set()


def _table(
    heads: tuple[str, ...],
    rows: Iterable[TableRow],
    symbols: Symbols,
    width: int | None,
    hidden: set[int],
) -> RenderableType:
    lines = [*_lines(rows, heads, symbols)]
    widths = _widths(heads, lines, hidden)
    if width is not None:
        _shrink(widths, heads, width)
    shown = [i for i, size in enumerate(widths) if size]
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1),
        collapse_padding=True,
        header_style="bold",
    )
    for i in shown:
        justify: Literal["left", "right"] = "right" if heads[i] in _NUMBERS else "left"
        table.add_column(heads[i], justify=justify, width=widths[i])
    for cells, style in lines:
        table.add_row(*(_cell(cells[i], symbols) for i in shown), style=style)
    return table if width is not None else _Whole(table, _sum(widths))


_Row = tuple[Sequence[str], str]  # the cells and the style of a row


def _lines(rows: Iterable[TableRow], heads: tuple[str, ...], symbols: Symbols) -> Iterator[_Row]:
    """Yield the rows of a table. A line and a source that repeat the row above are left empty."""
    before: tuple[str, ...] = ()
    for row in rows:
        cells = tuple(
            _values(printable(cell)) if head in _VALUES else printable(cell)
            for head, cell in zip(heads, row.cells, strict=True)
        )
        if row.times > 1:
            cells = (f"{symbols.times}{row.times}", *cells[1:])
        is_said = heads is _FORWARD and before[1:3] == cells[1:3]
        before = cells
        if is_said:
            cells = (cells[0], "", "", *cells[3:])
        yield cells, _STYLES.get(row.tone, "")


def _values(text: str) -> str:
    """Return the texts of several tensors, as many as fit, and the number of the others."""
    if len(text) <= _LONGEST_VALUES:
        return text
    first, *rest = _BETWEEN.split(text)
    while rest and len(first) + len(rest[0]) + 2 <= _LONGEST_VALUES:
        first = f"{first}, {rest.pop(0)}"
    return f"{first}, and {len(rest)} more" if rest else first


# --- widths ---


def _widths(heads: Sequence[str], rows: Sequence[_Row], hidden: set[int]) -> list[int]:
    """Return the width of the longest text of each column; 0 for a hidden column."""
    widest = [
        max(cell_len(head), *(cell_len(cells[i]) for cells, _ in rows), 1)
        for i, head in enumerate(heads)
    ]
    return [
        0 if i in hidden else min(size, _LONGEST.get(heads[i], size))
        for i, size in enumerate(widest)
    ]


def _sum(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (sum(map(bool, widths)) - 1)


def _shrink(widths: list[int], heads: Sequence[str], width: int) -> None:
    """Shrink columns until the table fits."""
    for name, least in _SHRINKS:
        too_much = _sum(widths) - width
        if name in heads and too_much > 0:
            at = heads.index(name)
            widths[at] = min(widths[at], max(least, widths[at] - too_much) if least else 0)


@dataclass
class _Whole:
    """A table in its full width, regardless of the width of the console."""

    table: Table
    width: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from console.render(self.table, options.update(width=self.width))


def _cell(text: str, symbols: Symbols) -> Text:
    cut: Literal["ellipsis", "crop"] = "ellipsis" if symbols.dots == "…" else "crop"
    return Text(text, no_wrap=True, overflow=cut)


def _answer(target: str, answer: CallResult, symbols: Symbols) -> Text:
    sign, style = (symbols.none, "bold red") if answer.code else (symbols.ok, "green")
    goal = printable(f"d {target} / d {answer.name} = ")
    text = Text.assemble((f"{sign} ", style), goal, (printable(answer.value), style))
    if answer.code:
        text.append(printable(f"   line {answer.line}: {answer.label} ({answer.code})"))
    return text

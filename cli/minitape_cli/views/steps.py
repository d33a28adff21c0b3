"""Shows a run as tables: the forward pass, then the backward pass of each gradient call."""

from collections.abc import Iterable, Iterator
from typing import Literal

from rich import box
from rich.console import Group, RenderableType
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
_WIDEST = 0.4  # of the width, for one column


def trace(
    trace: Trace,
    report: Report,
    *,
    symbols: Symbols,
    width: int,
    call: int | None = None,
    unroll: bool = False,
) -> RenderableType:
    """Return the whole run, or the part of gradient call number `call`."""
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
            same = f"{symbols.dots} {which} repeats these steps (--unroll shows them)"
            if len(again) > 1:
                same = f"{symbols.dots} {which} repeat these steps (--unroll shows them)"
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


def _chapter(chapter: Chapter, symbols: Symbols, width: int) -> Iterator[RenderableType]:
    if chapter.forward:
        yield _table(_FORWARD, chapter.forward, symbols, width, _hidden(width))
        yield Text()
    call = chapter.call
    if call is None:
        return
    at = "" if call.place is None else f" on line {call.place.line}"
    title = Text(printable(f"backward pass of {call.text}{at}"))
    yield Rule(title, align="left", style="magenta")
    if chapter.backward:
        yield _table(_BACKWARD, chapter.backward, symbols, width, _hidden_back(width))
        yield Text()
    answers = [answer for answer in call.answers if answer.value]
    for answer, after in zip(answers, [*answers[1:], None]):  # strict would refuse none at all
        yield _answer(call.target, answer, symbols)
        if answer.fix and (after is None or after.fix != answer.fix):
            yield Text("\n".join(f"    try: {printable(line)}" for line in answer.fix.splitlines()))
    if chapter.error is not None:
        said = printable_lines(chapter.error.facts[0].text)
        yield Text(f"{printable(chapter.error.what)}: {said}", style="bold red")
    yield Text()


def _hidden(width: int) -> set[int]:
    """Return the columns to hide in a narrow terminal: first the note, then the inputs, then the source."""
    return {6, 4, 2} if width < 76 else {6, 4} if width < 90 else {6} if width < 100 else set()


def _hidden_back(width: int) -> set[int]:
    return {3, 4} if width < 76 else {4} if width < 100 else set()


def _table(
    heads: tuple[str, ...], rows: Iterable[TableRow], symbols: Symbols, width: int, hidden: set[int]
) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1),
        collapse_padding=True,
        header_style="bold",
    )
    shown = [i for i in range(len(heads)) if i not in hidden]
    for i in shown:
        head = heads[i]
        table.add_column(
            head,
            justify="right" if head in _NUMBERS else "left",
            no_wrap=head in (*_NUMBERS, "op"),  # never cut; the other columns shrink
            max_width=int(width * _WIDEST),
        )
    before: tuple[str, ...] = ()
    for row in rows:
        cells = row.cells
        if row.times > 1:
            cells = (f"{symbols.times}{row.times}", *cells[1:])
        is_said = (
            heads is _FORWARD and before[1:3] == cells[1:3]
        )  # same line and source as the row above
        before = cells
        if is_said:
            cells = (cells[0], "", "", *cells[3:])
        table.add_row(*(_cell(cells[i], symbols) for i in shown), style=_STYLES.get(row.tone, ""))
    return table


def _cell(text: str, symbols: Symbols) -> Text:
    cut: Literal["ellipsis", "crop"] = "ellipsis" if symbols.dots == "…" else "crop"
    return Text(printable(text), no_wrap=True, overflow=cut)


def _answer(target: str, answer: CallResult, symbols: Symbols) -> Text:
    sign, style = (symbols.none, "bold red") if answer.code else (symbols.ok, "green")
    goal = printable(f"d {target} / d {answer.name} = ")
    text = Text.assemble((f"{sign} ", style), goal, (printable(answer.value), style))
    if answer.code:
        text.append(printable(f"   line {answer.line}: {answer.label} ({answer.code})"))
    return text

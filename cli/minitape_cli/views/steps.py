"""A run as tables: what happened on the way forward, and what flowed back."""

from collections.abc import Iterable, Iterator
from typing import Literal

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from minitape.debug.report import Finding, Report
from minitape.debug.trace import Event, Trace
from minitape_cli.console import Symbols
from minitape_cli.views.chapters import Chapter, chapters
from minitape_cli.views.rows import Row, short

_FORWARD = ("#", "line", "source", "op", "inputs", "value", "")
_BACKWARD = ("step", "op", "line", "gradient in", "rule", "sent to", "running sum")
_STYLES = {"op": "", "event": "cyan", "lost": "bold red", "muted": "dim"}
_NUMBERS = ("#", "line", "step")
_WIDEST = 40

_Lost = dict[tuple[int, int], Finding]


def trace(
    trace: Trace,
    report: Report,
    *,
    symbols: Symbols,
    width: int,
    call: int | None = None,
    unroll: bool = False,
) -> RenderableType:
    """The whole run, or the part that belongs to its `call`-th gradient call."""
    lost = _lost(trace, report)
    shown: list[RenderableType] = [_headline(trace)]
    all_chapters = [
        each
        for each in chapters(trace, unroll=unroll)
        if call is None or (each.call is not None and each.call["call"] == call)
    ]
    for chapter, again in _merged(all_chapters, unroll):
        shown += _chapter(chapter, lost, symbols, width)
        if again:
            first, last = again[0].call, again[-1].call
            assert first is not None and last is not None
            which = f"call {first['call']}"
            if len(again) > 1:
                which = f"calls {first['call']} to {last['call']}"
            same = f"{symbols.dots} and the same steps again for {which} (--unroll shows them)"
            shown += [Text(same, style="bold"), Text()]
    if not all_chapters:
        return Group(*shown, Text("no tape was opened, and no op ran"))
    return Group(*shown[:-1])  # without the empty line after the last


def _lost(trace: Trace, report: Report) -> _Lost:
    """The first finding for each (gradient call, source)."""
    numbers = {event["i"]: event["call"] for event in trace.of("gradient")}
    return {
        (numbers[call.event], source.index): source.findings[0]
        for call in report.calls
        for source in call.sources
        if source.findings
    }


def _merged(every: Iterable[Chapter], unroll: bool) -> Iterator[tuple[Chapter, list[Chapter]]]:
    """Each chapter with those that follow it and are the same: the rounds of a training loop."""
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


def _headline(trace: Trace) -> Text:
    tapes = {number for event in trace.of("tape_enter") for number in event["tape"]}
    counted = [
        (len(tapes), "tape"),
        (len(trace.of("op")), "op"),
        (len(trace.of("variable")), "variable"),
        (len(trace.of("gradient")), "gradient call"),
    ]
    words = " · ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counted)
    return Text.assemble((trace.script, "bold"), f"   {words}\n")


def _chapter(
    chapter: Chapter, lost: _Lost, symbols: Symbols, width: int
) -> Iterator[RenderableType]:
    if chapter.forward:
        yield _table(_FORWARD, chapter.forward, symbols, _hidden(width))
        yield Text()
    if chapter.call is None:
        return
    call = chapter.call
    at = f" at line {call['at'][1]}" if call["at"] else ""
    yield Rule(Text(f"{call['text']}{at}"), align="left", style="magenta")
    if chapter.backward:
        yield _table(_BACKWARD, chapter.backward, symbols, _hidden_back(width))
        yield Text()
    for result in chapter.results:
        yield _result(call, result, lost, symbols)
    if chapter.error is not None:
        yield Text(f"{chapter.error['type']}: {chapter.error['message']}", style="bold red")
    yield Text()


def _hidden(width: int) -> set[int]:
    """Columns that give way on a narrow terminal, the last ones first."""
    return {6, 4} if width < 90 else {6} if width < 100 else set()


def _hidden_back(width: int) -> set[int]:
    return {4} if width < 100 else set()


def _table(
    heads: tuple[str, ...], rows: Iterable[Row], symbols: Symbols, hidden: set[int]
) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    shown = [i for i in range(len(heads)) if i not in hidden]
    for i in shown:
        head = heads[i]
        table.add_column(
            head,
            justify="right" if head in _NUMBERS else "left",
            no_wrap=head in (*_NUMBERS, "op"),  # these are never cut, the others give way
            max_width=_WIDEST,
        )
    before: list[str] = []
    for row in rows:
        cells = list(row.cells)
        if row.times > 1:
            cells[0] = f"{symbols.times}{row.times}"
        if before[1:3] == cells[1:3] and heads is _FORWARD:
            before, cells = cells, [cells[0], "", "", *cells[3:]]  # said in the row above
        else:
            before = cells
        table.add_row(*(_cell(cells[i], symbols) for i in shown), style=_STYLES[row.tone])
    return table


def _cell(text: str, symbols: Symbols) -> Text:
    cut: Literal["ellipsis", "crop"] = "ellipsis" if symbols.dots == "…" else "crop"
    return Text(text, no_wrap=True, overflow=cut)


def _result(call: Event, result: Event, lost: _Lost, symbols: Symbols) -> Text:
    name = call["sources"][result["source"]]["name"]
    of = call["target_name"] or "target"
    finding = lost.get((call["call"], result["source"]))
    value = "None" if result["T"] is None else short(result["T"])
    sign, style = (symbols.ok, "green") if finding is None else (symbols.none, "bold red")
    text = Text.assemble((f"{sign} ", style), f"d {of} / d {name} = ", (value, style))
    if finding is not None:
        text.append(f"   line {finding.place.line}: {finding.label} ({finding.code})")
    return text

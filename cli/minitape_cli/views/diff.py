"""Two runs side by side: their different steps, values and gradients."""

from collections.abc import Iterator
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from minitape.printable import printable
from minitape.timeline import EventReader, Severity, step_of
from minitape.timeline.words import short
from minitape.trace import events
from minitape.trace.comparison.diff import CHANGED, Difference, GradientDifference, Parting
from minitape.trace.trace import Trace, plain
from minitape_cli.console import Symbols
from minitape_cli.messages import counted
from minitape_cli.views.rows import TableRow, row

_SHOWN = 3  # the number of differences of each kind that are listed, the most important first
_LONGEST = 6  # the maximum number of steps that are listed for one difference
_SIGNS = (("-", "red"), ("+", "green"))
_ALIKE = " (equal in the digits shown; use --json to print all digits)"
_SAME = "The runs are equal in all {steps}."
_UNSEEN = "\nThe runs differ early; {steps} after that were not compared."
_NONE = "no difference in {what}"
_SOME = "{differences} in {what}"
_MORE = "  {dots} and {count} more (use `--all` to show them)"
_MORE_STEPS = "      {dots} and {count} more steps"
_TIMES = "  {what}, {times} times"

_Rows = tuple[dict[int, TableRow], dict[int, TableRow]]


def diff(
    difference: Difference,
    traces: tuple[Trace, Trace],
    names: tuple[str, str],
    *,
    symbols: Symbols,
    everything: bool = False,
) -> RenderableType:
    """Return the differences of two runs: first in steps, then in values, then in gradients."""
    rows = _rows(traces[0]), _rows(traces[1])
    limit = None if everything else _SHOWN
    pairs = zip(names, traces, strict=True)
    first, second = (printable(f"{name} {each.ran_on.heading}".rstrip()) for name, each in pairs)
    lines = [Text.assemble((first, "bold red"), f" {symbols.to} ", (second, "bold green"))]
    if difference.is_none:
        lines.append(Text(_SAME.format(steps=counted(difference.pairs, "step")), style="bold"))
        return Group(*lines)
    for title, partings in (("steps", difference.steps), ("values", difference.values)):
        lines += [Text(), _title(title, len(partings))]
        for parting in partings[:limit]:
            lines += _parting(parting, rows, symbols)
        lines += _rest(len(partings), limit, symbols)
    lines += [Text(), _title("gradients", len(difference.gradients))]
    lines += [_gradient(each, symbols) for each in difference.gradients[:limit]]
    lines += _rest(len(difference.gradients), limit, symbols)
    if difference.unseen:
        lines.append(Text(_UNSEEN.format(steps=counted(difference.unseen, "step")), style="dim"))
    return Group(*lines)


def as_data(difference: Difference) -> dict[str, Any]:
    """Return the differences as JSON data."""
    return {
        "same": difference.is_none,
        "pairs": difference.pairs,
        "unseen": difference.unseen,
        "steps": [_parting_data(each) for each in difference.steps],
        "values": [_parting_data(each) for each in difference.values],
        "gradients": [
            {
                "line": [_line(call) for call in each.calls],
                "target": [call.target_name for call in each.calls],
                "source": [call.sources[each.index].name for call in each.calls],
                "gradient": [_numbers(result) for result in each.results],
            }
            for each in difference.gradients
        ],
    }


def _numbers(result: events.ResultEvent | None) -> Any:
    return None if result is None else msgspec.to_builtins(result.numbers)


def _parting_data(parting: Parting) -> dict[str, Any]:
    return {
        "what": parting.what,
        "times": parting.times,
        "first": [plain(event) for event in parting.first],
        "second": [plain(event) for event in parting.second],
    }


def _rows(trace: Trace) -> dict[int, TableRow]:
    """Return the row of each event, by its number; all events have to be read in order to know the names."""
    reader = EventReader()
    steps = (step_of(event, reader) for event in trace)
    return {step.event: row(step) for step in steps if step and step.kind != "gradient"}


def _title(what: str, count: int) -> Text:
    if not count:
        return Text(_NONE.format(what=what), style="dim")
    text = _SOME.format(differences=counted(count, "difference"), what=what)
    return Text(text, style="bold")


def _rest(count: int, limit: int | None, symbols: Symbols) -> Iterator[Text]:
    if limit is not None and count > limit:
        yield Text(_MORE.format(dots=symbols.dots, count=count - limit), style="dim")


def _parting(parting: Parting, rows: _Rows, symbols: Symbols) -> Iterator[Text]:
    title = _TIMES if parting.times > 1 else "  {what}"
    yield Text(title.format(what=CHANGED[parting.what], times=parting.times), style="dim")
    sides = parting.first, parting.second
    for steps, known, (sign, style) in zip(sides, rows, _SIGNS, strict=True):
        yield from _side(steps, known, sign, style, symbols)
    if parting.what == "value" and _value(sides[0], rows[0]) == _value(sides[1], rows[1]):
        yield Text(f"     {_ALIKE}", style="dim")


def _value(steps: tuple[events.Placed, ...], rows: dict[int, TableRow]) -> str:
    return rows[steps[0].i].cells[5]


def _side(
    steps: tuple[events.Placed, ...],
    rows: dict[int, TableRow],
    sign: str,
    style: str,
    symbols: Symbols,
) -> Iterator[Text]:
    """Yield the steps of one run, each under its line of code."""
    before = None
    for step in steps[:_LONGEST]:
        row = rows.get(step.i)
        line, code = _line(step), _code(step) if row is None else row.cells[2]
        if (line, code) != before:
            where = "" if line is None else f"line {line}   "
            yield Text(printable(f"  {sign} {where}{code}"), style=style)
            before = line, code
        if row is not None:
            yield Text(
                printable("      " + _reported(row)), style="" if row.tone is Severity.OP else "dim"
            )
    if len(steps) > _LONGEST:
        more = _MORE_STEPS.format(dots=symbols.dots, count=len(steps) - _LONGEST)
        yield Text(more, style="dim")


def _code(step: events.Placed) -> str:
    """Return the source text of a step that has no row in the tables."""
    return step.text if isinstance(step, events.GradientEvent) else ""


def _reported(row: TableRow) -> str:
    number, _, _, what, inputs, value, note = row.cells
    number = number if number.startswith("#") else ""
    return "  ".join(part for part in (number, what, inputs, value, note) if part)


def _gradient(each: GradientDifference, symbols: Symbols) -> Text:
    call = each.calls[0]
    name = call.sources[each.index].name
    line = "" if _line(call) is None else f"line {_line(call)}   "
    text = Text(printable(f"  {line}d {call.target_name or 'target'} / d {name} = "))
    before, after = map(_answer, each.results)
    text.append(printable(before), style="bold red")
    text.append(f" {symbols.to} ")
    text.append(printable(after), style="bold green")
    return text.append(_ALIKE if before == after else "")


def _answer(result: events.ResultEvent | None) -> str:
    if result is None:
        return "no result"
    return "None" if result.numbers is None else short(result.numbers)


def _line(event: events.Placed) -> int | None:
    return None if event.at is None else event.at.line

"""An explanation as text: the answer, the line, the lost path, the cause, the fix."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import typer
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.explain.mistakes import Mistake, in_all, mistakes_of
from minitape.explain.over_time import over_time
from minitape.explain.path import stops
from minitape.explain.report import (
    SAYS,
    CallReport,
    Finding,
    Hop,
    Mended,
    Place,
    Report,
    listed,
)
from minitape.printable import printable
from minitape.trace.trace import Trace
from minitape_cli.console import Symbols, in_short
from minitape_cli.views.excerpt import Mark, excerpt, lines_of
from minitape_cli.views.grid import grids
from minitape_cli.views.notes import note_in_brief, noted

if TYPE_CHECKING:
    from minitape.prove.fixing import Fixed

_FEW = 8
_LONGEST_NAME = 32
_FEW_MARKS = 3
_OF_DIFF = {"+": "green", "-": "red", "@": "blue"}
_ONCE = {"path", "check"}


def only(report: Report, *, call: int | None, source: str | None) -> Report:
    """The part of a report that the user asked for.

    Raises:
        typer.BadParameter: no gradient was asked for with respect to `source`.
    """
    calls = report.calls if call is None else report.calls[call - 1 : call]
    if source is not None:
        names = dict.fromkeys(each.name for one in calls for each in one.sources)
        if source not in names:
            known = ", ".join(names) or "none"
            raise typer.BadParameter(f"the sources are: {known}.", param_hint="--source")
        calls = tuple(
            replace(each, sources=tuple(s for s in each.sources if s.name == source))
            for each in calls
        )
    return report.of(calls)


def explanation(
    report: Report,
    trace: Trace,
    symbols: Symbols,
    *,
    width: int,
    stopped: tuple[str, str] | None = None,
    is_heard: bool = True,
    shows_diff: bool = False,
    why_sure: bool = False,
) -> RenderableType:
    """All findings of a report; if there is none, that all is well, or was up to where the run `stopped` (see `Stopped`).

    With `why_sure` each tells what it is known by.
    """
    mistakes = mistakes_of(report)
    if not is_heard:
        return Text("The script was not heard: there is nothing to explain.")
    over = (*noted(report, trace, symbols, width), *grids(over_time(report), symbols.dots))
    if not mistakes:
        return Group(*_ran_on(trace), _all_well(report, symbols, stopped), *over)
    said: set[str] = set()
    first = [Text(printable(line), style="bold") for line in in_all(mistakes, report)]
    facts = partial(
        _facts, trace=trace, symbols=symbols, said=said, shows_diff=shows_diff, why_sure=why_sure
    )
    shown = [_shown(mistake, trace, symbols, width, facts) for mistake in mistakes]
    return Group(*_ran_on(trace), *first, Text(), *shown, *over, _ending(report))


def _ran_on(trace: Trace) -> Iterator[Text]:
    """What computed, where that is not minitape."""
    if trace.ran_on.said:
        yield Text(printable(f"{trace.script or 'this run'} {trace.ran_on.said}"), style="dim")
        yield Text()


def briefly(report: Report) -> str:
    """A line for each mistake, as long as it may be; what to mend together is told once."""
    said: set[str] = set()
    lines = []
    for mistake in mistakes_of(report):
        together = "" if mistake.together in said else mistake.together
        said.add(together)
        lines.append(f"{_in_brief(mistake, together)}\n")
    return "".join([*lines, *map(note_in_brief, report.notes)])


def _in_brief(mistake: Mistake, together: str) -> str:
    finding, place = mistake.finding, mistake.finding.place
    where = f"{place.file}:{place.line}:{max(place.column, 0) + 1}"
    told = "; ".join(filter(None, (finding.label, together, f"try {mistake.fix}")))
    says = " or ".join(SAYS[outcome] for outcome in mistake.outcomes)
    return printable(f"{where}: {finding.code} {listed(mistake.names)} {says}: {told}")


def _shown(
    mistake: Mistake,
    trace: Trace,
    symbols: Symbols,
    width: int,
    facts: Callable[[Mistake], RenderableType],
) -> RenderableType:
    place = mistake.finding.place
    arrow = Text.assemble(
        ("  --> ", "blue"),
        printable(f"{place.file}:{place.line}:{max(place.column, 0) + 1}"),
    )
    lines = lines_of(trace).get(place.file, [])
    return Group(
        _headline(mistake),
        arrow,
        *excerpt(lines, list(_marks(mistake)), dots=symbols.dots, room=width),
        facts(mistake),
        Text(),
    )


def _headline(mistake: Mistake) -> Text:
    level, style = ("error", "bold red") if mistake.is_error else ("warning", "bold yellow")
    sure = f" ({mistake.sure} cause)" if mistake.sure else ""
    return Text.assemble(
        (f"{level}[{mistake.finding.code}]", style),
        (f": {printable(mistake.headline)}{sure}", "bold"),
    )


def _marks(mistake: Mistake) -> Iterator[Mark]:
    """The cause, the lines that share it, and where the gradients were asked for."""
    place = mistake.finding.place
    for each in mistake.stretches[:_FEW_MARKS]:
        end = each.place.end_column if each.place.end_line == place.line else -1
        yield Mark(place.line, each.label, each.place.column, end, is_primary=True)
    asked = [each for each in mistake.asked if (each.file, each.line) != (place.file, place.line)]
    beside = {
        line: part
        for each in reversed(mistake.stretches)
        for line, part in zip(each.lines, each.parts, strict=False)
    }
    hidden = {place.line, *(each.line for each in asked if each.file == place.file)}
    for line in [line for line in beside if line not in hidden][:2]:
        yield Mark(line, beside[line])
    here = [each for each in asked if each.file == place.file]
    for call in here[:_FEW_MARKS]:
        end = call.end_column if call.end_line == call.line else -1
        more = len(here) - _FEW_MARKS
        is_last = call is here[_FEW_MARKS - 1] if more > 0 else False
        also = f", and in {more} more lines" if is_last else ""
        yield Mark(call.line, f"asked for here{_rounds(mistake, call)}{also}", call.column, end)


def _rounds(mistake: Mistake, call: Place) -> str:
    """In which rounds of a loop it happened, where that is not simply the first."""
    visits = mistake.visits[call]
    if visits == [1]:
        return ""
    if len(visits) == 1:
        return f", in round {visits[0]}"
    if visits == list(range(visits[0], visits[-1] + 1)):
        return f", in rounds {visits[0]} to {visits[-1]}"
    return f", in {len(visits)} rounds"


def _facts(
    mistake: Mistake,
    trace: Trace,
    symbols: Symbols,
    said: set[str],
    *,
    shows_diff: bool,
    why_sure: bool,
) -> RenderableType:
    """The rows below a mistake; a path and a check are told once."""
    finding = mistake.finding
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    path = _path(finding.path, mistake, trace, symbols)
    rows = [("why", Text(finding.message)), ("sure", Text(finding.why_sure) if why_sure else None)]
    rows += [("path", path)]
    rows += [("try", _advice(mistake)), ("tried", _tried(mistake))]
    rows += [("diff", _diff(mistake))] if shows_diff else []
    rows += [("check", _checked(mistake)), ("more", _more(finding))]
    for label, text in rows:
        if text is None or (label in _ONCE and text.plain in said):
            continue
        said.add(text.plain)
        if text.plain:
            table.add_row(Text.assemble(("   = ", "blue"), (f"{label:<4}:", "bold")), text)
    return table


def _advice(mistake: Mistake) -> Text:
    """What to write instead, and where one line is new, that line in full."""
    advice = Text(mistake.fix, style="green")
    if mistake.new_line:
        advice.append(f"\n{mistake.new_line}", style="bold green")
    return advice


def mended(result: "Fixed") -> Text:
    """What a program's files would say, and what was proved for it."""
    head = Text("".join(f"{each}\n" for each in result.done), style="bold")
    return head.append_text(_as_diff(result.files))


def _diff(mistake: Mistake) -> Text:
    """All lines that the mend changes."""
    return _as_diff(mistake.finding.mended)


def _as_diff(files: Sequence[Mended]) -> Text:
    text = Text()
    for line in chain.from_iterable(each.diff_lines for each in files):
        style = _OF_DIFF.get(line[:1], "") if not line.startswith(("---", "+++")) else "bold"
        text.append(f"\n{printable(line)}" if text else printable(line), style=style)
    return text


def _tried(mistake: Mistake) -> Text | None:
    proof = mistake.finding.proof
    if proof is None:
        return Text(mistake.finding.unproved)
    gradient = _numbers(proof.gradient)
    return Text(f"{proof.tried}: the gradient with respect to {mistake.names[0]} is {gradient}")


def _checked(mistake: Mistake) -> Text | None:
    if mistake.nudge is None:
        return None
    return Text(f"{mistake.names[0]} moved a little: {mistake.nudge.said}")


def _numbers(summary: dict[str, Any]) -> str:
    """A small tensor's numbers, a large one's shape and range."""
    if "rows" in summary:
        between = f"{summary['min']:.4g} to {summary['max']:.4g}"
        return f"of shape {tuple(summary['shape'])}, as {summary['rows']} rows to be added up, from {between} each"
    if summary["n"] <= _FEW and "data" in summary:
        return json.dumps(summary["data"])
    return f"of shape {tuple(summary['shape'])}, from {summary['min']:.4g} to {summary['max']:.4g}"


def _more(finding: Finding) -> Text:
    return Text(f"minitape explain {finding.code}  ({finding.slug})")


def _path(path: Sequence[Hop], mistake: Mistake, trace: Trace, symbols: Symbols) -> Text | None:
    """`w → MatMul:11 ✂ np.square:12 → loss`: the way, and where it is cut."""
    if not path:
        return None
    text = Text(printable(mistake.names[0]))
    for stop in stops(path, trace):
        if stop.is_cut:
            text.append(f" {symbols.cut} ", style="bold red")
        else:
            text.append(f" {symbols.to} ")
        text.append(printable(stop.word) or symbols.dots)
    target = mistake.call.target_name
    if target:
        text.append(f" {symbols.to} {printable(target)}", style="bold")
    return text


def _ending(report: Report) -> Text:
    lost = [s for call in report.calls for s in call.sources if s.findings]
    every = sum(len(call.sources) for call in report.calls)
    return Text(f"{len(lost)} of {every} gradients lost or suspicious.", style="bold")


def _all_well(report: Report, symbols: Symbols, stopped: tuple[str, str] | None) -> RenderableType:
    """One line for each gradient call in the source, and a word on all of them."""
    if not report.calls:
        where = "in this run" if stopped is None else f"up to {stopped[0]}"
        return Text(f"No gradient was asked for {where}: there is nothing to explain.")
    rows: dict[tuple[str, int, str], tuple[CallReport, int]] = {}
    for call in report.calls:
        key = call.place.file, call.place.line, call.text
        first, times = rows.get(key, (call, 0))
        rows[key] = first, times + 1
    table = Table.grid(padding=(0, 2))
    for column in range(3):
        table.add_column(no_wrap=column != 1)
    for call, times in rows.values():
        often = f"{symbols.times}{times}" if times > 1 else ""
        names = [
            f"{symbols.ok} {in_short(printable(source.name), _LONGEST_NAME, symbols.dots)}"
            for source in call.sources
        ]
        across = max(map(len, names), default=1)
        table.add_row(
            f"  line {call.place.line}",
            Text(printable(call.text)),
            often,
            Columns([Text(name, no_wrap=True) for name in names], width=across),
        )
    every = sum(len(call.sources) for call in report.calls)
    well = f"{every} gradients, none lost." if every != 1 else "1 gradient, not lost."
    head = Text.assemble((f"{symbols.ok} ", "green"), (well, "bold"))
    if stopped is not None:
        where, after = stopped
        until = f"{well.removesuffix('.')} up to {where}: what comes after it {after}."
        head = Text(until, style="bold yellow")
    return Group(head, table, *_differing(report))


def _differing(report: Report) -> Iterator[Text]:
    """Gradients that arrived and are not the slope that was measured."""
    for call in report.calls:
        for source in call.sources:
            if source.nudge is not None and source.nudge.differs:
                yield Text.assemble(
                    ("check: ", "bold yellow"),
                    f"{source.name} (line {call.place.line}) moved a little: {source.nudge.said}.",
                )

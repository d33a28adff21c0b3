"""Shows an explanation as text: the headline, the line, the cause, the path, and the fix."""

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
from minitape.explain.path import stops
from minitape.explain.report import (
    ADJECTIVES,
    CallReport,
    Finding,
    FixedFile,
    Hop,
    Outcome,
    Report,
    listed,
)
from minitape.printable import printable
from minitape.templates import all_of
from minitape.trace.events import GradientEvent
from minitape.trace.trace import Trace
from minitape_cli import messages
from minitape_cli.console import Symbols, in_short
from minitape_cli.views.excerpt import Mark, excerpt, lines_of
from minitape_cli.views.grid import grids
from minitape_cli.views.notes import note_blocks, note_in_brief

if TYPE_CHECKING:
    from minitape.verify.applying import Fixed

_FEW = 8
_LONGEST_NAME = 32
_FEW_MARKS = 3
_OF_DIFF = {"+": "green", "-": "red", "@": "blue"}
_ONCE = {"path", "check"}

# --- what is printed ---

_NOT_TRACED = "The script was not traced, so there is nothing to explain."
_NO_GRADIENT = "No gradient was requested in this run, so there is nothing to explain."
_NO_RESULT_UP_TO = (
    "No gradient call returned a result before {where}, so there is nothing to explain."
)
_NO_GRADIENT_UP_TO = "No gradient was requested before {where}, so there is nothing to explain."
_REQUESTED = "gradient requested here"
_IS_ZERO = " (0)"
_IN_ITERATION = "gradient requested here, in iteration {first}"
_IN_ITERATIONS = "gradient requested here, in iterations {first} to {last}"
_IN_SOME_ITERATIONS = "gradient requested here, in {count} iterations"
_MORE_LINES = "{label}, and on {count} more lines"
_PERTURBED = "{name} perturbed on {engine}: {result}"
_PERTURBED_ON_LINE = "{name} (line {line}) perturbed: {result}."
_FIXED = "{change}: on {engine} the gradient with respect to {name} is {gradient}"
_RUN_ON = "run on {engine}"
_ROWS = "of shape {shape}, as the sum of {rows} rows, each from {least} to {most}"
_RANGE = "of shape {shape}, from {least} to {most}"
_LOST = "{lost} of {total} gradients are {outcomes}."
_ALL_LOST = "{gradients} are {outcomes}."
_ONE_LOST = "1 of {total} gradients is {outcomes}."
_ONLY_ONE_LOST = "The only gradient is {outcomes}."
_OF_BROKEN_TARGET = "{found} of {total} gradients have a target that is NaN or infinite."
_ONE_OF_BROKEN_TARGET = "1 of {total} gradients has a target that is NaN or infinite."
_ONE_ARRIVED = "The only gradient arrived."
_ALL_ARRIVED = "{gradients} arrived."
_SO_MANY_ARRIVED = "{count} gradients arrived; use `--evidence` to list them"
_MOST_NAMES = 24  # the maximum number of sources of one call that are named; more are counted
_ONE_ARRIVED_UP_TO = "The only gradient before {where} arrived; the rest of the script {after}."
_ALL_ARRIVED_UP_TO = "{gradients} before {where} arrived; the rest of the script {after}."


def only(report: Report, *, call: int | None, source: str | None) -> Report:
    """Return the part of a report that the user chose.

    Args:
        report: The whole report.
        call: Keep only this gradient call.
        source: Keep only the source with this name.

    Raises:
        typer.BadParameter: no gradient was requested with respect to `source`.
    """
    calls = report.calls if call is None else report.calls[call - 1 : call]
    if source is not None:
        names = dict.fromkeys(each.name for one in calls for each in one.sources)
        if source not in names:
            what = messages.NO_SUCH_SOURCE.format(names=", ".join(names) or "none")
            raise typer.BadParameter(what, param_hint="--source")
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
    is_traced: bool = True,
    shows_diff: bool = False,
    evidence: bool = False,
) -> RenderableType:
    """Return all findings and notes of a report; without findings, a list of the gradients that arrived.

    Args:
        report: The findings.
        trace: The run.
        symbols: The symbols of the terminal.
        width: The width of the terminal.
        stopped: Where the trace ended before the script (see `Stopped`).
        is_traced: Whether the script was traced.
        shows_diff: Whether to show the changes of each fix.
        evidence: Whether to show the evidence for each finding, and the names of all sources.
    """
    mistakes = mistakes_of(report)
    if not is_traced:
        return Text(_NOT_TRACED)
    over = (*note_blocks(report, trace, symbols, width), *grids(trace, report, symbols))
    if not mistakes:
        return Group(
            *_ran_on(trace), _all_well(report, trace, symbols, stopped, all_names=evidence), *over
        )
    said: set[str] = set()
    first = [Text(printable(line), style="bold") for line in in_all(mistakes, report)]
    facts = partial(
        _facts, trace=trace, symbols=symbols, said=said, shows_diff=shows_diff, evidence=evidence
    )
    shown = [_shown(mistake, trace, symbols, width, facts) for mistake in mistakes]
    return Group(*_ran_on(trace), *first, Text(), *shown, *over, _ending(report))


def _ran_on(trace: Trace) -> Iterator[Text]:
    """Yield a line about the engine, if it is not minitape."""
    if trace.ran_on.heading:
        yield Text(printable(f"{trace.script or 'this run'} {trace.ran_on.heading}"), style="dim")
        yield Text()


def briefly(report: Report) -> str:
    """Return one line for each mistake; fixes that belong together are listed only once."""
    said: set[str] = set()
    lines = []
    for mistake in mistakes_of(report):
        together = "" if mistake.together in said else mistake.together
        said.add(together)
        lines.append(f"{_in_brief(mistake, together)}\n")
    return "".join([*lines, *map(note_in_brief, report.notes)])


def _in_brief(mistake: Mistake, together: str) -> str:
    finding, location = mistake.finding, mistake.finding.location
    where = f"{location.file}:{location.line}:{max(location.column, 0) + 1}"
    reported = "; ".join(filter(None, (finding.label, together, f"try: {mistake.fix}")))
    says = mistake.outcome_text
    return printable(
        f"{where}: {finding.code} gradient for {listed(mistake.names)} {says}: {reported}"
    )


def _shown(
    mistake: Mistake,
    trace: Trace,
    symbols: Symbols,
    width: int,
    facts: Callable[[Mistake], RenderableType],
) -> RenderableType:
    location = mistake.finding.location
    arrow = Text.assemble(
        ("  --> ", "blue"),
        printable(f"{location.file}:{location.line}:{max(location.column, 0) + 1}"),
    )
    lines = lines_of(trace).get(location.file, [])
    return Group(
        _headline(mistake),
        arrow,
        *excerpt(lines, list(_marks(mistake)), dots=symbols.dots, columns=width),
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
    """Yield the marks of a mistake: its cause, other lines that share it, and the gradient calls."""
    location = mistake.finding.location
    for each in mistake.stretches[:_FEW_MARKS]:
        end = each.location.end_column if each.location.end_line == location.line else -1
        yield Mark(location.line, each.label, each.location.column, end, is_primary=True)
    requested = [
        each
        for each in mistake.requested
        if (each.file, each.line) != (location.file, location.line)
    ]
    beside = {
        line: part
        for each in reversed(mistake.stretches)
        for line, part in zip(each.lines, each.parts, strict=False)
    }
    hidden = {location.line, *(each.line for each in requested if each.file == location.file)}
    for line in [line for line in beside if line not in hidden][:2]:
        yield Mark(line, beside[line])
    here = [each for each in requested if each.file == location.file]
    for call in here[:_FEW_MARKS]:
        end = call.end_column if call.end_line == call.line else -1
        more = len(here) - _FEW_MARKS
        is_last = call is here[_FEW_MARKS - 1] if more > 0 else False
        label = _requested(mistake.visits[call])
        if is_last:
            label = _MORE_LINES.format(label=label, count=more)
        yield Mark(call.line, label, call.column, end)


def _requested(visits: list[int]) -> str:
    """Return the label of a gradient call, with the iterations of a loop in which it failed, unless that is only the first."""
    if visits == [1]:
        return _REQUESTED
    if len(visits) == 1:
        return _IN_ITERATION.format(first=visits[0])
    if visits == list(range(visits[0], visits[-1] + 1)):
        return _IN_ITERATIONS.format(first=visits[0], last=visits[-1])
    return _IN_SOME_ITERATIONS.format(count=len(visits))


def _facts(
    mistake: Mistake,
    trace: Trace,
    symbols: Symbols,
    said: set[str],
    *,
    shows_diff: bool,
    evidence: bool,
) -> RenderableType:
    """Return the rows below a mistake; a path or a check that was already printed is not repeated."""
    finding = mistake.finding
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    path = _path(finding.path, mistake, trace, symbols)
    rows = [
        ("why", Text(finding.message)),
        ("sure", Text(finding.evidence_text) if evidence else None),
    ]
    rows += [("path", path)]
    rows += [("try", _advice(mistake)), ("tried", _tried(mistake))]
    rows += [("diff", _diff(mistake))] if shows_diff else []
    rows += [("check", _checked(mistake, trace)), ("more", _more(finding))]
    for label, text in rows:
        if text is None or (label in _ONCE and text.plain in said):
            continue
        said.add(text.plain)
        if text.plain:
            table.add_row(Text.assemble(("   = ", "blue"), (f"{label:<4}:", "bold")), text)
    return table


def _advice(mistake: Mistake) -> Text:
    """Return what to write instead; if the fix changes one line, also that line in full."""
    advice = Text(mistake.fix, style="green")
    if mistake.new_line:
        advice.append(f"\n{mistake.new_line}", style="bold green")
    return advice


def fixes_written(result: "Fixed") -> Text:
    """Return the changes to a program's files, after a line for each verified fix."""
    lines = [f"{each} ({_RUN_ON.format(engine=result.engine)})\n" for each in result.done]
    head = Text("".join(lines), style="bold")
    return head.append_text(_as_diff(result.files))


def _diff(mistake: Mistake) -> Text:
    """Return all lines that the fix changes."""
    return _as_diff(mistake.finding.fixed)


def _as_diff(files: Sequence[FixedFile]) -> Text:
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
    name = mistake.names[0]
    return Text(
        _FIXED.format(change=proof.tried, engine=proof.engine, name=name, gradient=gradient)
    )


def _checked(mistake: Mistake, trace: Trace) -> Text | None:
    if mistake.nudge is None:
        return None
    engine, result = trace.ran_on.in_words, mistake.nudge.text
    return Text(_PERTURBED.format(name=mistake.names[0], engine=engine, result=result))


def _numbers(summary: dict[str, Any]) -> str:
    """Return the elements of a small tensor, or the shape and range of a large one."""
    if "rows" not in summary and summary["n"] <= _FEW and "data" in summary:
        return json.dumps(summary["data"])
    text = _ROWS if "rows" in summary else _RANGE
    return text.format(
        shape=tuple(summary["shape"]),
        rows=summary.get("rows"),
        least=f"{summary['min']:.4g}",
        most=f"{summary['max']:.4g}",
    )


def _more(finding: Finding) -> Text:
    return Text(f"minitape explain {finding.code}  ({finding.slug})")


def _path(path: Sequence[Hop], mistake: Mistake, trace: Trace, symbols: Symbols) -> Text | None:
    """Return the path from the source to the target, and where it is cut: `w → MatMul:11 ✂ np.square:12 → loss`."""
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
    found = [s for call in report.calls for s in call.sources if s.findings]
    lost = [source for source in found if source.outcome is not Outcome.OK]
    every = sum(len(call.sources) for call in report.calls)
    if not lost:
        sentence = _ONE_OF_BROKEN_TARGET if len(found) == 1 else _OF_BROKEN_TARGET
        return Text(sentence.format(found=len(found), total=every), style="bold")
    return Text(_lost_in_words([source.outcome for source in lost], every), style="bold")


def _lost_in_words(lost: Sequence[Outcome], total: int) -> str:
    *some, last = [words for outcome, words in ADJECTIVES.items() if outcome in lost]
    outcomes = f"{', '.join(some)} or {last}" if some else last
    if total == 1:
        return _ONLY_ONE_LOST.format(outcomes=outcomes)
    if len(lost) == total:
        return _ALL_LOST.format(gradients=all_of(total, "gradients"), outcomes=outcomes)
    sentence = _ONE_LOST if len(lost) == 1 else _LOST
    return sentence.format(lost=len(lost), total=total, outcomes=outcomes)


def _all_well(
    report: Report,
    trace: Trace,
    symbols: Symbols,
    stopped: tuple[str, str] | None,
    *,
    all_names: bool,
) -> RenderableType:
    """Return a sentence that all gradients arrived, and a line for each gradient call in the source."""
    if not report.calls and stopped is not None:
        is_inside = bool(trace.of(GradientEvent))
        return Text(
            (_NO_RESULT_UP_TO if is_inside else _NO_GRADIENT_UP_TO).format(where=stopped[0])
        )
    if not report.calls:
        return Text(_NO_GRADIENT)
    rows: dict[tuple[str, int, str], tuple[CallReport, int]] = {}
    for call in report.calls:
        key = call.location.file, call.location.line, call.text
        first, times = rows.get(key, (call, 0))
        rows[key] = first, times + 1
    table = Table.grid(padding=(0, 2))
    for column in range(3):
        table.add_column(no_wrap=column != 1)
    for call, times in rows.values():
        often = f"{symbols.times}{times}" if times > 1 else ""
        names = [
            f"{symbols.ok} {in_short(printable(source.name), _LONGEST_NAME, symbols.dots)}"
            + (_IS_ZERO if source.outcome is Outcome.ZERO else "")
            for source in call.sources
        ]
        is_counted = len(names) > _MOST_NAMES and not all_names
        table.add_row(
            f"  line {call.location.line}",
            Text(printable(call.text)),
            often,
            Text(f"{symbols.ok} {_SO_MANY_ARRIVED.format(count=len(names))}")
            if is_counted
            else Columns([Text(name, no_wrap=True) for name in names], equal=True),
        )
    every = sum(len(call.sources) for call in report.calls)
    gradients = all_of(every, "gradients")
    well = _ONE_ARRIVED if every == 1 else _ALL_ARRIVED.format(gradients=gradients)
    head = Text.assemble((f"{symbols.ok} ", "green"), (well, "bold"))
    if stopped is not None:
        where, after = stopped
        until = _ONE_ARRIVED_UP_TO if every == 1 else _ALL_ARRIVED_UP_TO
        head = Text(
            until.format(gradients=gradients, where=where, after=after), style="bold yellow"
        )
    return Group(head, table, *_differing(report))


def _differing(report: Report) -> Iterator[Text]:
    """Yield the gradients that arrived but differ from the numerical derivative."""
    for call in report.calls:
        for source in call.sources:
            if source.nudge is not None and source.nudge.differs:
                yield Text.assemble(
                    ("check: ", "bold yellow"),
                    _PERTURBED_ON_LINE.format(
                        name=source.name, line=call.location.line, result=source.nudge.text
                    ),
                )

"""An explanation as text: the answer, the line, the lost path, the cause, the fix."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import typer
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.explain.causes import CAUSES
from minitape.explain.over_time import over_time
from minitape.explain.report import (
    SAYS,
    CallReport,
    Confidence,
    Finding,
    Hop,
    Nudge,
    Outcome,
    Report,
)
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape_cli.console import Symbols, in_short, printable
from minitape_cli.views.excerpt import Mark, excerpt, lines_of
from minitape_cli.views.grid import grids
from minitape_cli.views.notes import note_in_brief, noted

_ERRORS = (Outcome.NONE, Outcome.NAN, Outcome.ERROR)
_LONGEST_PATH = 9
_FEW = 8
_LONGEST_NAME = 32
_ONCE = {"path", "also", "check"}


@dataclass
class Block:
    """One cause as it is shown: all sources and all rounds of a loop that it touched."""

    finding: Finding
    outcome: Outcome
    call: CallReport
    names: list[str]
    visits: list[int]
    nudge: Nudge | None
    mending: dict[str, list[str]]  # what to mend together, and the sources that this is said of

    @property
    def together(self) -> str:
        """Whether mending this one is enough; where it differs, for each source."""
        if len(self.mending) == 1:
            return next(iter(self.mending))
        said = {words: _listed(names) for words, names in self.mending.items() if words}
        return "; ".join(f"for {names} {words}" for words, names in said.items())

    @property
    def is_error(self) -> bool:
        return self.outcome in _ERRORS

    @property
    def headline(self) -> str:
        """What came back, and how sure the cause is."""
        of = f" of {self.call.target_name}" if self.call.target_name else ""
        told = f"the gradient{of} with respect to {_listed(self.names)} {SAYS[self.outcome]}"
        if self.finding.confidence is not Confidence.CERTAIN:
            told += f" ({self.finding.confidence.value} cause)"
        return told


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
) -> RenderableType:
    """All findings of a report; if there is none, that all is well, or was up to where the run `stopped` (see `Stopped`)."""
    blocks = blocks_of(report)
    if not is_heard:
        return Text("The script was not heard: there is nothing to explain.")
    over = (*noted(report, trace, symbols, width), *grids(over_time(report), symbols.dots))
    if not blocks:
        return Group(*_ran_on(trace), _all_well(report, symbols, stopped), *over)
    said: set[str] = set()
    shown = [_shown(block, trace, symbols, width, said) for block in blocks]
    return Group(*_ran_on(trace), *_to_mend(blocks), *shown, *over, _ending(report))


def _ran_on(trace: Trace) -> Iterator[Text]:
    """What computed, where that is not minitape."""
    if trace.ran_on.said:
        yield Text(printable(f"{trace.script or 'this run'} {trace.ran_on.said}"), style="dim")
        yield Text()


def blocks_of(report: Report) -> list[Block]:
    """Findings that say the same, together."""
    blocks: dict[tuple[object, ...], Block] = {}
    for call in report.calls:
        for source in call.sources:
            for finding in source.findings:
                at = finding.place.file, finding.place.line
                said = source.mending_said
                key = (call.place, finding.code, at, finding.fix, source.outcome)
                block = blocks.setdefault(
                    key, Block(finding, source.outcome, call, [], [], source.nudge, {})
                )
                mended = block.mending.setdefault(said, [])
                if source.name not in mended:
                    mended.append(source.name)
                if source.name not in block.names:
                    block.names.append(source.name)
                if call.visit not in block.visits:
                    block.visits.append(call.visit)
    return list(blocks.values())


def briefly(report: Report) -> bytes:
    """A line for each finding, as long as it may be; what to mend together is told once."""
    said: set[str] = set()
    lines = []
    for block in blocks_of(report):
        together = "" if block.together in said else block.together
        said.add(together)
        lines.append(f"{_in_brief(block, together)}\n")
    return "".join([*lines, *map(note_in_brief, report.notes)]).encode()


def _in_brief(block: Block, together: str) -> str:
    finding, place = block.finding, block.finding.place
    where = f"{place.file}:{place.line}:{max(place.column, 0) + 1}"
    told = "; ".join(filter(None, (finding.label, together, f"try {finding.fix}")))
    return f"{where}: {finding.code} {', '.join(block.names)} {SAYS[block.outcome]}: {told}"


def _to_mend(blocks: Sequence[Block]) -> Iterator[Text]:
    """The lines of all findings that belong together, before they are told one by one."""
    together = [block for block in blocks if block.together]
    if together:
        files = {block.finding.place.file for block in together}
        lines = sorted({block.finding.place.line for block in together})
        if len(files) == 1 and len(lines) > 1:
            numbers = ", ".join(map(str, lines))
            yield Text(
                f"{len(lines)} lines to mend together, each as its try says: {numbers}",
                style="bold",
            )
            yield Text()


def _shown(
    block: Block, trace: Trace, symbols: Symbols, width: int, said: set[str]
) -> RenderableType:
    place = block.finding.place
    arrow = Text.assemble(
        ("  --> ", "blue"), f"{place.file}:{place.line}:{max(place.column, 0) + 1}"
    )
    lines = lines_of(trace).get(place.file, [])
    return Group(
        _headline(block),
        arrow,
        *excerpt(lines, list(_marks(block)), dots=symbols.dots, room=width),
        _facts(block, trace, symbols, said),
        Text(),
    )


def _headline(block: Block) -> Text:
    level, style = ("error", "bold red") if block.is_error else ("warning", "bold yellow")
    return Text.assemble((f"{level}[{block.finding.code}]", style), (f": {block.headline}", "bold"))


def _listed(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _marks(block: Block) -> Iterator[Mark]:
    """The cause, the lines that share it, and where the gradient was asked for."""
    place, call = block.finding.place, block.call.place
    end = place.end_column if place.end_line == place.line else -1
    yield Mark(place.line, block.finding.label, place.column, end, is_primary=True)
    others = [line for line in block.finding.lines if line not in (place.line, call.line)]
    for line in others[:2]:
        yield Mark(line, "")
    if call.file == place.file and call.line != place.line:
        end = call.end_column if call.end_line == call.line else -1
        yield Mark(call.line, f"asked for here{_rounds(block)}", call.column, end)


def _rounds(block: Block) -> str:
    """In which rounds of a loop it happened, where that is not simply the first."""
    visits = block.visits
    if visits == [1]:
        return ""
    if len(visits) == 1:
        return f", in round {visits[0]}"
    if visits == list(range(visits[0], visits[-1] + 1)):
        return f", in rounds {visits[0]} to {visits[-1]}"
    return f", in {len(visits)} rounds"


def _facts(block: Block, trace: Trace, symbols: Symbols, said: set[str]) -> RenderableType:
    """The rows below a finding; a path, a check and what to mend together are told once."""
    finding = block.finding
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    path = _path(finding.path, block, trace, symbols)
    rows = [("why", Text(finding.message)), ("path", path)]
    rows += [("also", Text(block.together))]
    rows += [("try", Text(finding.fix, style="green")), ("tried", _tried(block))]
    rows += [("check", _checked(block)), ("more", _more(finding))]
    for label, text in rows:
        if text is None or (label in _ONCE and text.plain in said):
            continue
        said.add(text.plain)
        if text.plain:
            table.add_row(Text.assemble(("   = ", "blue"), (f"{label:<4}:", "bold")), text)
    return table


def _tried(block: Block) -> Text | None:
    proof = block.finding.proof
    if proof is None:
        return Text(block.finding.unproved)
    gradient = _numbers(proof.gradient)
    return Text(f"{proof.tried}: the gradient with respect to {block.names[0]} is {gradient}")


def _checked(block: Block) -> Text | None:
    if block.nudge is None:
        return None
    return Text(f"{block.names[0]} moved a little: {block.nudge.said}")


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


def _path(path: Sequence[Hop], block: Block, trace: Trace, symbols: Symbols) -> Text | None:
    """`w → MatMul:11 ✂ np.square:12 → loss`: the way, and where it is cut."""
    if not path:
        return None
    text = Text(block.names[0])
    last = None
    for hop in _shortened(_cut_once([hop for hop in path if not _is_plain_read(hop, trace)])):
        if hop is None:
            text.append(f" {symbols.to} {symbols.dots}")
            continue
        word = _hop_word(trace.events[hop.event])
        if hop.lost is not None:
            text.append(f" {symbols.cut} ", style="bold red")
        elif word != last:
            text.append(f" {symbols.to} ")
        if word != last or hop.lost is not None:
            text.append(word)
        last = word
    target = block.call.target_name
    if target:
        text.append(f" {symbols.to} {target}", style="bold")
    return text


def _cut_once(path: Sequence[Hop]) -> list[Hop]:
    """The path with one cut for each mistake: the steps after it that are lost by the same are no others."""
    pairs = zip(path, (None, *path), strict=False)
    return [
        replace(hop, lost=None)
        if before is not None and hop.lost == before.lost and hop.lost and CAUSES[hop.lost].goes_on
        else hop
        for hop, before in pairs
    ]


def _is_plain_read(hop: Hop, trace: Trace) -> bool:
    """Reading a variable is a step of the engine's that no one wrote."""
    return hop.lost is None and isinstance(trace.events[hop.event], events.Read)


def _shortened(path: Sequence[Hop]) -> Iterator[Hop | None]:
    """The path with its long healthy stretches left out (None)."""
    if len(path) <= _LONGEST_PATH:
        yield from path
        return
    near = {i for i, hop in enumerate(path) if hop.lost is not None}
    kept = {0, 1, len(path) - 1} | {i + d for i in near for d in (-1, 0, 1)}
    gap = False
    for i, hop in enumerate(path):
        if i in kept:
            yield hop
            gap = False
        elif not gap:
            yield None
            gap = True


def _hop_word(event: events.Event) -> str:
    """What made a value, in a word, and its line."""
    word = event.kind
    match event:
        case events.Op():
            word = event.name
        case events.Export():
            word = event.via
        case events.Reentry():
            word = "constant"
        case events.Variable():
            word = "Variable"
        case events.Constant() | events.Assign() | events.Watch():
            word = event.how
    at = event.at if isinstance(event, events.Placed) else None
    return word if at is None else f"{word}:{at.line}"


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
            f"{symbols.ok} {in_short(source.name, _LONGEST_NAME, symbols.dots)}"
            for source in call.sources
        ]
        across = max(map(len, names), default=1)
        table.add_row(
            f"  line {call.place.line}",
            Text(call.text),
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

"""Shows a step of a run on the whole screen, with its source, values and a timeline, or as plain text.

stepper     the screen of a session, for any size of terminal
reported    steps as text, for a pipe or a screen reader
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from minitape.explain.report import GradientNote
from minitape.printable import printable, printable_lines
from minitape.source_text import lines_of
from minitape.timeline import CallResult, Phase, Severity, Timeline, TimelineStep
from minitape_cli.console import Symbols
from minitape_cli.stepping import HELP, Pane, StepperSession
from minitape_cli.term_navigation import tensors
from minitape_cli.views.bars import NOTED
from minitape_cli.views.stepper_panels import (
    Column,
    Part,
    RunMap,
    StepList,
    changed,
    number_of,
    panel,
)

_STACKED_BELOW = 80
_THREE_FROM = 140
_TAB = 4
_STYLES = {
    Severity.OP: "",
    Severity.EVENT: "cyan",
    Severity.MUTED: "dim",
    Severity.GRADIENT: "magenta",
    Severity.LOST: "bold red",
}
_PHASES = {Phase.FORWARD: "green", Phase.BACKWARD: "magenta"}
_KEYS = (
    ("→", "next"),
    ("←", "back"),
    ("?", "keys"),
    ("q", "quit"),
    ("b", "backward"),
    ("n", "next problem or note"),
    ("w", "why"),
    ("g", "graph"),
    ("m", "run map"),
    ("t", "terms"),
    ("e", "one number"),
    ("/", "find"),
    (":", "line"),
    ("o", "open page"),
)

_PANE_KEYS = {
    Pane.ELEMENT: "1 2 … follow a term, ← back, Enter goes to its step · ",
    Pane.MAP: "→ ← iteration, Enter goes to it · ",
}


def stepper(
    session: StepperSession, symbols: Symbols, *, width: int, height: int
) -> RenderableType:
    """Return the screen of a session: panels side by side, or one above the other in a narrow terminal."""
    screen = Layout()
    screen.split_column(
        Layout(_body(session, symbols, width, height)),
        Layout(_timeline(session, symbols, width), size=1),
        Layout(_last_line(session, symbols, width), size=1),
    )
    return screen


def _body(session: StepperSession, symbols: Symbols, width: int, height: int) -> RenderableType:
    if session.pane is not Pane.STEP:
        title = Text(f"{session.pane} · {_PANE_KEYS.get(session.pane, '')}↑ ↓ scroll · Esc closes")
        shown = _Scrolled(_pane(session, symbols, width), session, symbols)
        return Panel(shown, title=title, title_align="left", padding=(0, 1))
    step, name = session.step, session.timeline.main
    if step.location is not None:
        name = step.location.file
    source = panel(
        _Source(session.timeline, step, name), f"{name} {session.timeline.ran_on}".rstrip()
    )
    body = Layout()
    if width < _STACKED_BELOW:
        now = panel(_Fitted(_now(session), symbols), "now")
        body.split_column(Layout(source, size=max(5, height // 3)), Layout(now))
        return body
    now_part, changed_part, steps_part, *map_part = _parts(session, symbols)
    if width < _THREE_FROM:
        column = Column([now_part, changed_part, *map_part, steps_part])
        body.split_row(Layout(source, ratio=4), Layout(column, ratio=5))
    else:
        body.split_row(
            Layout(source, ratio=5),
            Layout(Column([now_part, steps_part]), ratio=6),
            Layout(Column([changed_part, *map_part]), ratio=5 if map_part else 3),
        )
    return body


def _parts(session: StepperSession, symbols: Symbols) -> list[Part]:
    """Return the panels next to the source: the step, what it changes, the steps of its gradient call, and the loop around
    it.
    """
    parts = [
        Part("now", _Fitted(_now(session), symbols), least=16, rank=0),
        Part("what changed", _Fitted(changed(session, symbols), symbols), least=6, rank=2),
        Part("steps", StepList(session, symbols), least=5, rank=3),
    ]
    if session.loop is not None:
        run_map = RunMap(session, symbols)
        parts.append(Part(run_map.title, run_map, least=6, rank=1))
    return parts


# --- what fits ---


@dataclass
class _Fitted:
    """Shows as many lines as fit; the last one shows how many are missing."""

    shown: RenderableType
    symbols: Symbols

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or options.size.height
        lines = console.render_lines(self.shown, options.update(height=None), pad=False)
        rest = len(lines) - height
        for line in lines if rest <= 0 else lines[: height - 1]:
            yield from (*line, Segment.line())
        if rest > 0:
            yield Text(f"{self.symbols.dots} {rest + 1} more: Enter", style="dim")


@dataclass
class _Scrolled:
    """Shows a long text from the line that the session has scrolled to."""

    shown: RenderableType
    session: StepperSession
    symbols: Symbols

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or options.size.height
        lines = console.render_lines(self.shown, options.update(height=None), pad=False)
        # The last line to scroll to depends on the layout, which is known only here.
        self.session.scroll = max(0, min(self.session.scroll, len(lines) - height))
        for line in lines[self.session.scroll : self.session.scroll + height]:
            yield from (*line, Segment.line())


@dataclass
class _Source:
    """Shows the source around the line that ran, and marks lines with problems."""

    timeline: Timeline
    step: TimelineStep
    file: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = lines_of(self.timeline.texts.get(self.file, ""))
        if not lines:
            yield Text(printable(self.step.code))
            return
        height = options.height or options.size.height
        here = self.step.location.line if self.step.location is not None else 0
        top = max(1, min(here - height // 2, len(lines) - height + 1))
        wrong = self._wrong_lines()
        digits = len(str(len(lines)))
        width = options.max_width - digits - 4
        for number in range(top, min(top + height, len(lines) + 1)):
            sign = ">" if number == here else " "
            mark = "!" if number in wrong else " "
            yield Text.assemble(
                (sign, "bold yellow"),
                (mark, "bold red"),
                (f"{number:>{digits}}  ", "dim"),
                self._line(lines[number - 1], width)
                if number == here
                else _code(lines[number - 1]),
                no_wrap=True,
                overflow="ellipsis",
            )

    def _wrong_lines(self) -> set[int]:
        wrong = (self.timeline.steps[index].location for index in self.timeline.problems)
        return {
            location.line
            for location in wrong
            if location is not None and location.file == self.file
        }

    def _line(self, line: str, width: int) -> Text:
        """Return the line that ran, with the expression underlined; shifted to the left if it would not fit."""
        location = self.step.location
        assert location is not None
        start = max(0, location.column)
        end = location.end_column if location.end_line == location.line else len(line)
        before, ran = (len(line[:column].expandtabs(_TAB)) for column in (start, max(start, end)))
        text = _code(line)
        text.stylize("bold")
        text.stylize("underline", before, ran)
        return text[min(before, ran - width) :] if ran > width else text


def _code(line: str) -> Text:
    return Text(printable(line.expandtabs(_TAB)))


# --- the panel of a step ---


def _now(session: StepperSession) -> RenderableType:
    step = session.step
    said = [Text(_heading(step), style=_PHASES[step.phase])]
    if step.visits > 1:
        loop = f" · {step.iteration or step.loop}" if step.iteration or step.loop else ""
        said.append(Text(printable(f"time {step.visit} of {step.visits}{loop}"), style="dim"))
    title = " ".join(part for part in (step.number, step.what) if part)
    said.append(Text.assemble((printable(title), f"bold {_STYLES[step.tone]}")))
    said.append(Text(printable(step.code), style="italic"))
    if step.problem:
        said.append(Text(printable(f"! {step.problem}"), style="bold red"))
    for note in _notes_on(session.timeline, step):
        said.append(Text(printable(f"{note.code}: {note.headline} (w explains)"), style="blue"))
    return Group(*said, Text(), _facts(step))


def _heading(step: TimelineStep) -> str:
    line = "" if step.location is None else f"line {step.location.line}"
    note = step.note if step.kind == "back" else ""
    return " · ".join(part for part in (step.phase.value, note, line) if part)


def _facts(step: TimelineStep) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, max_width=24, overflow="ellipsis")
    table.add_column(overflow="fold")
    for fact in step.facts:
        style = _STYLES[fact.tone]
        table.add_row(Text(printable(fact.label), style=style), _prose(fact.text, style))
    return table


def _prose(text: str, style: str = "") -> Text:
    """Return text of several lines, without control characters."""
    return Text(printable_lines(text), style=style)


# --- the panes ---


def _pane(session: StepperSession, symbols: Symbols, width: int) -> RenderableType:
    match session.pane:
        case Pane.WHY:
            return _why(session)
        case Pane.TERMS:
            return _terms(session)
        case Pane.ELEMENT:
            from minitape_cli.views.terms import expansion_pane  # imports the engine

            assert session.following is not None  # the pane is open
            return expansion_pane(session.following)
        case Pane.GRAPH:
            drawn = session.draw(session.step.call, width - 4)
            return Text(printable_lines(drawn), no_wrap=True)
        case Pane.MAP:
            return RunMap(session, symbols, is_whole=True)
        case Pane.KEYS:
            table = Table.grid(padding=(0, 3, 0, 0))
            for keys, does in HELP:
                table.add_row(Text(keys, style="bold"), Text(does))
            return table
        case _:
            return _now(session)


def _why(session: StepperSession) -> RenderableType:
    said: list[RenderableType] = []
    target = "" if session.call is None else session.call.target
    for answer in session.wrong:
        value = f" = {answer.value}" if answer.value else ""
        title = Text(printable(f"∂{target}/∂{answer.name}{value}"), style="bold red")
        said += _reason(title, answer.line, f"{answer.label} ({answer.code})", answer)
    for note in session.notes:
        title = Text(printable(f"{note.headline} ({note.code})"), style="bold blue")
        said += _reason(title, note.location.line, note.label, note)
    return Group(*said[:-1])


def _reason(
    title: Text, line: int | None, label: str, reported: CallResult | GradientNote
) -> Iterator[RenderableType]:
    """Yield a title, the line and its label, the cause, and the fix; an empty line at the end."""
    yield title
    yield Text(printable(f"line {line}: {label}" if line else label))
    yield Text()
    yield _prose(reported.message)
    if reported.fix:
        yield Text()
        yield Text.assemble(("try  ", "bold"), _prose(reported.fix, "green"))
    yield Text()


def _terms(session: StepperSession) -> RenderableType:
    said: list[RenderableType] = []
    for name, terms in session.terms.items():
        table = Table.grid(padding=(0, 3, 0, 0))
        for term in terms:
            table.add_row(
                Text(f"step {term.step + 1}", style="dim"),
                Text(printable(term.expansion)),
                Text(printable(f"+ {term.amount}")),
                Text(printable(f"= {term.sum}"), style="magenta"),
            )
        count = "one term" if len(terms) == 1 else f"the sum of {len(terms)} terms"
        said += [Text(printable(f"{name} is {count}"), style="bold"), table, Text()]
    return Group(*said[:-1])


# --- the timeline and the keys ---


def _timeline(session: StepperSession, symbols: Symbols, width: int) -> Text:
    """Return the steps of this gradient call as a bar: filled up to the current step; `!` is a problem, `~` a note."""
    timeline, call = session.timeline, session.call
    steps = [step.index for step in timeline.steps if step.call == session.step.call]
    forward = [at for at in steps if call is None or at < call.requested]
    backward = steps[len(forward) :]
    count = f"  {session.index + 1} / {len(timeline.steps)}"
    if len(timeline.calls) > 1 and call is not None:
        count = f"  call {call.number} of {len(timeline.calls)}{count}"
    labels = " forward " + ("  backward " if backward else "")
    free = max(2, width - len(labels) - len(count) - 1)
    scale = min(1.0, free / max(1, len(steps)))
    text = Text(" forward ", no_wrap=True, overflow="crop")
    text.append_text(_bar(session, symbols, forward, scale, "green"))
    if backward:
        text.append("  backward ")
        text.append_text(_bar(session, symbols, backward, scale, "magenta"))
    return text.append(count, style="bold")


def _bar(
    session: StepperSession, symbols: Symbols, steps: list[int], scale: float, style: str
) -> Text:
    full, empty = ("■", "□") if symbols.dots == "…" else ("#", ".")
    cells = max(1, int(len(steps) * scale)) if steps else 0
    text = Text()
    for cell in range(cells):
        its = steps[cell * len(steps) // cells : (cell + 1) * len(steps) // cells]
        if any(session.timeline.steps[at].problem for at in its):
            text.append("!", "bold red")
        elif any(at in session.moves.notes for at in its):
            text.append(NOTED, "bold blue")
        else:
            text.append(full if its[0] <= session.index else empty, style)
    return text


def _last_line(session: StepperSession, symbols: Symbols, width: int) -> Text:
    """Return the last line: the input that is being typed, a message about the last key, or the keys that fit."""
    if session.prompt == "e":
        have = tensors(session.step)
        requested = ", ".join(f"{name} {each.shape}" for name, each in have.items())
        said = f" element: {session.typed}_   of {requested}"
        return Text(printable(said), style="bold", no_wrap=True, overflow="crop")
    if session.prompt:
        return Text(f" {session.prompt}{session.typed}_", style="bold", overflow="crop")
    if session.message:
        return Text(printable(f" {session.message}"), style="bold yellow", no_wrap=True)
    text = Text(no_wrap=True, overflow="crop")
    for key, does in _KEYS:
        shown = key if symbols.dots == "…" else {"→": "right", "←": "left"}.get(key, key)
        if text.cell_len + len(shown) + len(does) + 3 > width:
            break
        text.append(f" {shown} ", "bold").append(f"{does} ", "dim")
    return text


# --- as plain text ---


def reported(timeline: Timeline, steps: Iterable[TimelineStep], *, is_brief: bool) -> Iterator[str]:
    """Return steps as lines of text, in the order of the run."""
    if timeline.ran_on:
        yield printable(f"{timeline.script or 'this run'} {timeline.ran_on}")
    for step in steps:
        line = "" if step.location is None else f", line {step.location.line}"
        title = step.what
        if step.kind != "result":
            parts = (number_of(step), step.what, step.inputs)
            title = " ".join(part for part in parts if part)
        value = f" = {step.value}" if step.value else ""
        ending = f", {step.note}" if step.note else ""
        which = f"step {step.index + 1} of {len(timeline.steps)}, {step.phase}{line}"
        yield printable(f"{which}: {title}{value}{ending}")
        if step.problem:
            yield printable(f"    problem: {step.problem}")
        if is_brief:
            continue
        if step.code:
            yield printable(f"    {step.code}")
        for fact in step.facts:
            label = fact.label if fact.label.endswith("=") else f"{fact.label}:"
            words = " ".join(fact.text.split())
            yield printable(f"    {label} {words}" if fact.label else f"    {words}")
        for note in _notes_on(timeline, step):
            yield printable(f"    note ({note.code}): {note.headline}: {note.message}")
            if note.fix:
                yield printable(f"    try: {' '.join(note.fix.split())}")
        for answer in _answers_of(timeline, step):
            yield printable(f"    why: {answer.message}")
            if answer.fix:
                yield printable(f"    try: {' '.join(answer.fix.split())}")


def _answers_of(timeline: Timeline, step: TimelineStep) -> Iterator[CallResult]:
    """Yield the results with a problem that this step returned."""
    call = timeline.call_of(step)
    if step.kind == "result" and call is not None:
        yield from (a for a in call.answers if a.name == step.inputs and a.code)


def _notes_on(timeline: Timeline, step: TimelineStep) -> tuple[GradientNote, ...]:
    """Return the notes about the gradient call of this step."""
    call = timeline.call_of(step)
    return call.notes if step.kind == "gradient" and call is not None else ()

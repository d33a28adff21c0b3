"""The panels next to the source in the stepper, and how they share a column.

Column      panels one above the other, each as tall as its content needs
StepList    the steps of a gradient call around the current one, gradients as bars
changed     what the step changes in the picture
RunMap      all iterations of a training loop as bars
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from minitape.draw.words import number
from minitape.printable import printable
from minitape.timeline import Phase, TimelineStep
from minitape_cli.console import Symbols
from minitape_cli.stepping import StepperSession
from minitape_cli.views.bars import NAME, LogScale, level, loop_bars, strip

_FRAME = 2  # lines of a panel's frame
_TITLE = 26
_BAR = 20
_ITERATION = "iteration {here:,} of {total:,}"


def panel(shown: RenderableType, title: str) -> Panel:
    return Panel(shown, title=Text(printable(title)), title_align="left", padding=(0, 1))


# --- a column ---


@dataclass
class Part:
    """A panel of a column.

    Attributes:
        title: Its title.
        shown: Its content, which uses as many lines as it is given.
        least: The lines that it needs at least; without them it is left out.
        rank: Its importance: panels with a lower rank get lines first.
    """

    title: str
    shown: RenderableType
    least: int
    rank: int


@dataclass
class Column:
    """Panels one above the other. Each is as tall as its content, if there is room; the last one fills the rest."""

    parts: Sequence[Part]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or options.size.height
        inside = options.update(width=options.max_width - 4, height=None)
        needed = [
            len(console.render_lines(part.shown, inside, pad=False)) + _FRAME for part in self.parts
        ]
        sizes = self._sizes(needed, height)
        for part, size in zip(self.parts, sizes, strict=True):
            if size:
                lines = console.render_lines(
                    panel(part.shown, part.title), options.update(height=size)
                )
                for line in lines:
                    yield from (*line, Segment.line())

    def _sizes(self, needed: Sequence[int], height: int) -> list[int]:
        order = sorted(range(len(needed)), key=lambda at: self.parts[at].rank)
        sizes = [0] * len(needed)
        for at in order:
            least = min(needed[at], self.parts[at].least)
            if sum(sizes) + least <= height:
                sizes[at] = least
        for at in order:
            if sizes[at]:
                sizes[at] += max(0, min(needed[at] - sizes[at], height - sum(sizes)))
        shown = [at for at, size in enumerate(sizes) if size] or [0]
        sizes[shown[-1]] += height - sum(sizes)
        return sizes


# --- the steps of a gradient call ---


@dataclass
class StepList:
    """The steps of the current gradient call: values of forward steps, gradients of backward steps as bars. Later steps have only
    their names.
    """

    session: StepperSession
    symbols: Symbols

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        session = self.session
        steps = [step for step in session.timeline.steps if step.call == session.step.call]
        height = min(options.height or len(steps), len(steps))
        here = next(at for at, step in enumerate(steps) if step.index == session.index)
        top = max(0, min(here - height // 2, len(steps) - height))
        norms = {
            step.index: norm
            for step in steps
            if step.phase is Phase.BACKWARD and (norm := _norm(step)) is not None
        }
        scale = LogScale.of(norms.values())
        for step in steps[top : top + height]:
            yield self._row(step, norms.get(step.index), scale, options.max_width)

    def _row(self, step: TimelineStep, norm: float | None, scale: LogScale, width: int) -> Text:
        now = self.session.index
        line = "" if step.location is None else str(step.location.line)
        title = _title(step)
        name, dots = printable(title), self.symbols.dots
        name = name if len(name) <= _TITLE else name[: _TITLE - len(dots)] + dots
        text = Text(no_wrap=True, overflow="ellipsis" if self.symbols.dots == "…" else "crop")
        text.append(">" if step.index == now else " ", "bold yellow")
        text.append("!" if step.problem else " ", "bold red")
        text.append(f"{line:>4} ", "dim")
        text.append(
            f"{name:<{_TITLE}} ", "bold" if step.index == now else "dim" if step.index > now else ""
        )
        if step.index > now:
            return text
        if norm is None:
            return text.append(printable(step.value))
        if math.isnan(norm):
            return text.append("nan or inf", "bold red")
        bar = (
            level(norm, scale, self.symbols, min(_BAR, max(4, width - _TITLE - 20))) if norm else ""
        )
        text.append(f"{bar} " if bar else "", "magenta")
        return text.append(number(norm) if norm else "0")


def _title(step: TimelineStep) -> str:
    what = step.what.removesuffix(", backward")
    return " ".join(filter(None, (number_of(step), what)))


def number_of(step: TimelineStep) -> str:
    """Return the number of a step's op; empty if it has only a mark, or is the seed."""
    return "" if step.number in ("!", "0") else step.number


def _norm(step: TimelineStep) -> float | None:
    """Return the largest norm of the gradients that a step shows: NaN if one is not finite, None if there is none."""
    shown = [each.numbers for each in step.shown if each.row == "grad"]
    known = [each for each in shown if each is not None]
    if any(each.nan or each.inf for each in known):
        return math.nan
    return max((each.l2 for each in known if each.l2 is not None), default=None)


# --- the run map ---


@dataclass
class RunMap:
    """All iterations of the loop around the current gradient call: its target and its gradients as bars."""

    session: StepperSession
    symbols: Symbols
    is_whole: bool = False

    @property
    def title(self) -> str:
        """A title with the current iteration."""
        if self.session.loop is None:
            return ""
        loop, here = self.session.loop
        iteration = _ITERATION.format(here=here + 1, total=len(loop.calls))
        return f"{loop.history.text} · {iteration}" if self.is_whole else f"run map · {iteration}"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.session.loop is None:
            return
        loop, here = self.session.loop
        rows = 2 + len(loop.history.notes)  # next to those of the sources
        most = len(loop.sources) if self.is_whole else max(2, (options.height or 18) - rows)
        names = [loop.target, *(each.name for each in loop.selected(most))]
        name = min(NAME, max(5, *map(len, names)), max(8, options.max_width // 4))
        width = max(8, options.max_width - name - 16)
        table, key = loop_bars(loop, self.symbols, width=width, most=most, here=here, name=name)
        if not self.is_whole:
            yield table
            return
        notes = [
            Text(printable(f"{note.code}: {note.headline}"), "blue") for note in loop.history.notes
        ]
        yield Group(
            Text(printable(self.title), "bold"), Text(), table, Text(), Text(key, "dim"), *notes
        )


def changed(session: StepperSession, symbols: Symbols) -> RenderableType:
    """Return what nodes of the picture show from this step on, and what they showed before."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for shown in session.step.shown:
        before = session.shown_before(shown)
        table.add_row(Text(printable(shown.name), style="bold"))
        if before is not None:
            table.add_row(Text(printable(f"  was  {before.text}"), style="dim"))
        table.add_row(Text(printable(f"  {'now' if before else 'is'}  {shown.text}")))
        if symbols.dots == "…":
            table.add_row(strip(shown.cells))
    return table if session.step.shown else Text("nothing", style="dim")

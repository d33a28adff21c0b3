"""Shows a run while it is in progress, with a line for each event as soon as the event arrives."""

from rich.text import Text

from minitape.printable import printable
from minitape.timeline import EventReader, Severity, step_of
from minitape.timeline.words import short
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape_cli.console import Symbols
from minitape_cli.views.rows import TableRow, row

_TONES = {Severity.EVENT: "cyan", Severity.LOST: "bold red", Severity.MUTED: "dim"}


class Live:
    """Turns each event into a line of text; None for events that are not shown."""

    def __init__(self, symbols: Symbols) -> None:
        self._reader = EventReader()
        self._symbols = symbols
        self._calls: dict[int, events.GradientEvent] = {}

    def line(self, event: events.Event) -> Text | None:
        step = step_of(event, self._reader)
        if isinstance(event, events.HeaderEvent) and event.engine is not None:
            return Text(printable(f"{'':>5}  {Trace([event]).ran_on.heading}"))
        if isinstance(event, events.GradientEvent):
            self._calls[event.call] = event
            requested = printable(event.text)
            return Text(f"{_line(event):>5}  {requested}", style="magenta")
        if isinstance(event, events.ResultEvent):
            return self._result(event)
        if step is None:
            return None
        if isinstance(event, events.SeedEvent | events.BackEvent):
            of = f" of {event.steps}" if isinstance(event, events.BackEvent) else ""
            return self._backward(row(step), of)
        return self._forward(row(step))

    def _forward(self, row: TableRow) -> Text:
        number, line, _, what, inputs, value, note = map(printable, row.cells)
        text = Text(f"{line:>5}  {number:<5} {what}", style=_TONES.get(row.tone, ""))
        for sign, part in (("  ", inputs), (f" {self._symbols.to} ", value), ("   ", note)):
            text.append(f"{sign}{part}" if part else "")
        return text

    def _backward(self, row: TableRow, of: str) -> Text:
        step, what, line, arrived, _, sent, sums = map(printable, row.cells)
        text = Text(f"{line:>5}  back {step}{of}  {what}", style="magenta")
        text.append(f"  {arrived}" if arrived else "", style="default")
        return text.append(f" {self._symbols.to} {sent}: {sums}" if sent else "", style="default")

    def _result(self, result: events.ResultEvent) -> Text:
        call = self._calls[result.call]
        value = "None" if result.numbers is None else short(result.numbers)
        name = call.sources[result.source].name
        text = f"{_line(call):>5}  d {call.target_name or 'target'} / d {name} = {value}"
        return Text(printable(text), style="bold red" if result.numbers is None else "bold green")


def _line(call: events.GradientEvent) -> str:
    return "" if call.at is None else str(call.at.line)

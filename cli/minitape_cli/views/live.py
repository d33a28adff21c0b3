"""A run while it runs: a line for each event, as soon as it arrives."""

from rich.text import Text

from minitape.printable import printable
from minitape.story import Reader, Tone, step_of
from minitape.story.words import short
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape_cli.console import Symbols
from minitape_cli.views.rows import Row, row

_TONES = {Tone.EVENT: "cyan", Tone.LOST: "bold red", Tone.MUTED: "dim"}


class Live:
    """Turns each event into a line of text; None for events that are not shown."""

    def __init__(self, symbols: Symbols) -> None:
        self._reader = Reader()
        self._symbols = symbols
        self._calls: dict[int, events.Gradient] = {}

    def line(self, event: events.Event) -> Text | None:
        step = step_of(event, self._reader)
        if isinstance(event, events.Header) and event.engine is not None:
            return Text(printable(f"{'':>5}  {Trace([event]).ran_on.said}"))
        if isinstance(event, events.Gradient):
            self._calls[event.call] = event
            asked = printable(event.text)
            return Text(f"{_line(event):>5}  {asked}", style="magenta")
        if isinstance(event, events.Result):
            return self._result(event)
        if step is None:
            return None
        if isinstance(event, events.Seed | events.Back):
            of = f" of {event.steps}" if isinstance(event, events.Back) else ""
            return self._backward(row(step), of)
        return self._forward(row(step))

    def _forward(self, row: Row) -> Text:
        number, line, _, what, inputs, value, remark = map(printable, row.cells)
        text = Text(f"{line:>5}  {number:<5} {what}", style=_TONES.get(row.tone, ""))
        for sign, part in (("  ", inputs), (f" {self._symbols.to} ", value), ("   ", remark)):
            text.append(f"{sign}{part}" if part else "")
        return text

    def _backward(self, row: Row, of: str) -> Text:
        step, what, line, arrived, _, sent, sums = map(printable, row.cells)
        text = Text(f"{line:>5}  back {step}{of}  {what}", style="magenta")
        text.append(f"  {arrived}" if arrived else "", style="default")
        return text.append(f" {self._symbols.to} {sent}: {sums}" if sent else "", style="default")

    def _result(self, result: events.Result) -> Text:
        call = self._calls[result.call]
        value = "None" if result.numbers is None else short(result.numbers)
        name = call.sources[result.source].name
        text = f"{_line(call):>5}  d {call.target_name or 'target'} / d {name} = {value}"
        return Text(printable(text), style="bold red" if result.numbers is None else "bold green")


def _line(call: events.Gradient) -> str:
    return "" if call.at is None else str(call.at.line)

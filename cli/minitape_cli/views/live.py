"""A run as it goes: a line for each thing that happens, forward and backward, as soon as it is told."""

from rich.text import Text

from minitape.debug.story import Reader, Tone, step_of
from minitape.debug.story.words import short
from minitape.debug.trace import Event
from minitape_cli.console import Symbols, printable
from minitape_cli.views.rows import Row, row

_TONES = {Tone.EVENT: "cyan", Tone.LOST: "bold red", Tone.MUTED: "dim"}


class Live:
    """Turns each event, when it comes, into a line of a terminal; None for what no one needs to see."""

    def __init__(self, symbols: Symbols) -> None:
        self._reader = Reader()
        self._symbols = symbols
        self._calls: dict[int, Event] = {}

    def line(self, event: Event) -> Text | None:
        step = step_of(event, self._reader)
        if event["k"] == "gradient":
            self._calls[event["call"]] = event
            asked = printable(event["text"])
            return Text(f"{_line(event):>5}  {asked}", style="magenta")
        if event["k"] == "result":
            return self._result(event)
        if step is None:
            return None
        if step.kind in ("seed", "back"):
            return self._backward(row(step), f" of {event['of']}" if step.kind == "back" else "")
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

    def _result(self, event: Event) -> Text:
        call = self._calls[event["call"]]
        is_lost = event["T"] is None
        value = "None" if is_lost else short(event["T"])
        name = call["sources"][event["source"]]["name"]
        text = f"{_line(call):>5}  d {call['target_name'] or 'target'} / d {name} = {value}"
        return Text(printable(text), style="bold red" if is_lost else "bold green")


def _line(event: Event) -> str:
    return str(event["at"][1]) if event["at"] else ""

"""A trace as data: one JSON object per line (docs/trace-format.md). Knows no engine.

Trace       the events of a run, in order
encode      one event as one line of text, the same bytes each time
read, write from and to a file
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from minitape.errors import TraceError

FORMAT = "minitape-trace"
VERSION = 1

Event = dict[str, Any]


@dataclass
class Trace:
    """The events of one run; `events[i]["i"] == i` always."""

    events: list[Event] = field(default_factory=list)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def of(self, *kinds: str) -> list[Event]:
        """The events of these kinds, in order."""
        return [event for event in self.events if event["k"] in kinds]

    @property
    def script(self) -> str:
        return str(self.events[0].get("script", "")) if self.events else ""

    @property
    def is_whole(self) -> bool:
        """Whether the run came to its end and nothing was left out."""
        return (
            bool(self.events) and self.events[-1]["k"] == "end" and not self.events[-1]["dropped"]
        )


def encode(event: Event) -> str:
    """One event as one line of JSON, without the line break."""
    try:
        return json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    except ValueError:
        return json.dumps(_strict(event), ensure_ascii=False, separators=(", ", ": "))


def _strict(value: Any) -> Any:
    """The same value with the numbers that JSON lacks as strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    return value


def as_number(value: Any) -> float:
    """A number of a trace as a float: undoes the strings for NaN and infinity."""
    return float(value)  # float("NaN") and float("Infinity") are what is wanted


def write(events: Iterable[Event], stream: TextIO) -> None:
    for event in events:
        stream.write(encode(event) + "\n")


def read(path: Path) -> Trace:
    """Read a trace file; one that was cut short in its last line is read up to there.

    Raises:
        TraceError: the file is no trace, is of another version, or is damaged before its last line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise TraceError(f"{path.name} is not a trace: it is not text.") from error
    trace = Trace()
    for number, line in enumerate(lines, start=1):
        try:
            event = json.loads(line)
        except json.JSONDecodeError as error:
            if number == len(lines) > 1:
                break  # the writer was stopped in the middle of a line
            raise TraceError(
                f"{path.name} is not a trace: line {number} is not JSON.",
                fix="minitape trace SCRIPT --format jsonl -o FILE writes a new one",
            ) from error
        if not isinstance(event, dict) or "k" not in event or event.get("i") != number - 1:
            raise TraceError(
                f"{path.name} is damaged: line {number} is not event {number - 1} of a trace.",
                fix="minitape trace SCRIPT --format jsonl -o FILE writes a new one",
            )
        trace.events.append(event)
    _check_header(trace, path)
    return trace


def _check_header(trace: Trace, path: Path) -> None:
    header = trace.events[0] if trace.events else {}
    if header.get("k") != "header" or header.get("format") != FORMAT:
        raise TraceError(f"{path.name} is not a trace: its first line is no {FORMAT} header.")
    if header.get("v") != VERSION:
        raise TraceError(
            f"{path.name} has version {header.get('v')} of the trace format; this is version {VERSION}.",
            fix="write the trace again with this minitape",
        )

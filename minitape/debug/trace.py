"""A trace as data: one JSON object per line (docs/trace-format.md). Knows no engine.

Trace            the events of a run, in order
seldom_searched  for the time in which one is made or read
encode           one event as one line of text, the same bytes each time
strict           the numbers that JSON lacks as strings
read, write      from and to a file; what is read is checked (schema.py, references.py)
"""

import gc
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, Unpack

from minitape.debug.references import References
from minitape.debug.schema import fault
from minitape.errors import TraceError

if TYPE_CHECKING:
    from minitape.debug.notebook import Graph, Looks, Page

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

    # --- to look at: whoever shows a trace knows what it is, and not the other way round ---

    def graph(self, **looks: "Unpack[Looks]") -> "Graph":
        """The picture of one gradient call, see `minitape.debug.notebook.drawn`."""
        from minitape.debug import notebook

        return notebook.drawn(self, **looks)

    def debugger(self) -> "Page":
        """The page on which one steps through the run, see `minitape.debug.notebook.paged`."""
        from minitape.debug import notebook

        return notebook.paged(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """For notebooks: the picture."""
        from minitape.debug import notebook

        return notebook.shown(self)


_SELDOM = 1000  # searches of the young objects to one of all; Python's own number is 10


@contextmanager
def seldom_searched() -> Iterator[None]:
    """Let Python look for garbage among young objects as ever, and seldom among all.

    A trace and its graph are large, live long and hold no cycles: to look through all of them again and again, while they grow,
    takes longer than to write them.
    """
    before = gc.get_threshold()
    if (
        before[2] >= _SELDOM
    ):  # within another; and recordings may end in any order, so that one must not undo the other
        yield
        return
    gc.set_threshold(before[0], before[1], _SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def encode(event: Event) -> str:
    """One event as one line of JSON, without the line break."""
    try:
        return json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    except ValueError:
        return json.dumps(strict(event), ensure_ascii=False, separators=(", ", ": "))


def strict(value: Any) -> Any:
    """The same value with the numbers that JSON lacks as strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    return value


def as_number(value: Any) -> float:
    """A number of a trace as a float: undoes the strings for NaN and infinity."""
    return float(value)  # float("NaN") and float("Infinity") are what is wanted


def write(events: Iterable[Event], stream: TextIO) -> None:
    for event in events:
        stream.write(encode(event) + "\n")


def read(path: Path) -> Trace:
    """Read a trace file: JSON Lines, or the one object that `minitape trace --json` writes.

    One that was cut short is read up to there. What comes back is sound: each event has the fields that its kind has, and refers
    only to what came before it, so readers need not look twice.

    Raises:
        TraceError: the file is no trace, is of another version, or is damaged before its last line.
        OSError: it cannot be read.
    """
    lines = path.read_bytes().split(b"\n")
    if not lines[-1].strip():
        lines.pop()
    events: list[Event] = []
    for number, line in enumerate(lines, start=1):
        try:
            event = _decoded(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines) > 1:
                break  # the writer was stopped in the middle of a line
            raise TraceError(
                f"{path.name} {_not_a(number)}: line {number} is not JSON.", fix=_WRITE_ANEW
            ) from error
        events.append(event)
    if len(events) == 1 and isinstance(events[0], dict):
        events = _unwrapped(events[0])
    _check_header(events, path)
    _check_events(events, path)
    return Trace(events)


_WRITE_ANEW = "minitape trace SCRIPT -o FILE.jsonl writes a new one"


def _not_a(line: int) -> str:
    return "is not a trace" if line == 1 else "is damaged"


def _decoded(line: bytes) -> Any:
    """A line as Python reads it.

    Raises:
        ValueError: it is not JSON in UTF-8.
        RecursionError: it is nested too deep.
    """
    event = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    if b"\\ud" in line.lower():
        encode(event).encode("utf-8")  # half a letter (a lone surrogate) cannot be shown
    return event


def _refuse(constant: str) -> None:
    raise ValueError(f"JSON has no {constant}")


def _unwrapped(whole: Event) -> list[Event]:
    """The events in what `minitape trace --json` wrote; any other object is a line by itself."""
    data = whole.get("data")
    if whole.get("schema") == f"minitape.trace/{VERSION}" and isinstance(data, dict):
        events: list[Event] = data.get("events", [])
        return events if isinstance(events, list) else []
    return [whole]


def _check_header(events: list[Event], path: Path) -> None:
    header = events[0] if events else {}
    if not events:
        what = "it is empty"
    elif not isinstance(header, dict) or header.get("i") != 0:
        what = "line 1 is not event 0 of a trace"
    elif header.get("k") != "header" or header.get("format") != FORMAT:
        what = f"its first line is no {FORMAT} header"
    else:
        what = None
    if what is not None:
        raise TraceError(f"{path.name} is not a trace: {what}.", fix=_WRITE_ANEW)
    version = header.get("v")
    if version != VERSION:
        raise TraceError(
            f"{path.name} has version {version} of the trace format; this is version {VERSION}.",
            fix="write the trace again with this minitape",
        )


def _check_events(events: list[Event], path: Path) -> None:
    references = References()
    for number, event in enumerate(events):
        found = _fault(event, number, references)
        if found is not None:
            raise TraceError(f"{path.name} is damaged: line {number + 1} {found}.", fix=_WRITE_ANEW)


def _fault(event: Any, number: int, references: References) -> str | None:
    if not isinstance(event, dict) or event.get("i") is True or event.get("i") != number:
        return f"is not event {number} of a trace"
    kind = event.get("k")
    if not isinstance(kind, str) or (kind == "header") != (number == 0):
        return "is a header" if kind == "header" else "has no kind"
    found = fault(event)
    if found is not None:
        return f"({kind}) is not as the format says: {found}"
    found = references.fault(event)
    return None if found is None else f"({kind}) {found}"

"""A run as data: its events in order. It is independent of engines.

Trace    the events of a run
RanOn    the engine
typed    an event from the dict that a tracer writes
plain    the dict of an event
encode   the line of an event in a file
write    writes events to a file; reading.py reads them
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TextIO, TypeVar, cast, overload

import msgspec

from minitape.errors import TraceError
from minitape.trace import writing
from minitape.trace.events import (
    KINDS,
    EndEvent,
    Event,
    FramesEvent,
    HeaderEvent,
    Placed,
    SiteEvent,
    UnknownEvent,
)
from minitape.trace.faults import fault
from minitape.trace.writing import EventDict

_NAMES = {"tensorflow": "TensorFlow"}

_T = TypeVar("_T")
_A = TypeVar("_A", bound=Event)
_B = TypeVar("_B", bound=Event)
_C = TypeVar("_C", bound=Event)


class RanOn(NamedTuple):
    """The engine of a run: its name in the trace, and its version, if known."""

    engine: str
    version: str | None

    @property
    def is_minitape(self) -> bool:
        return self.engine == "minitape"

    @property
    def name(self) -> str:
        """The name and version of the engine: `TensorFlow 2.21.0`."""
        return " ".join(filter(None, (_NAMES.get(self.engine, self.engine), self.version)))

    @property
    def in_words(self) -> str:
        """The engine for a sentence about this run; for minitape only the name, because its version is that of the command."""
        return self.engine if self.is_minitape else self.name

    @property
    def heading(self) -> str:
        """The engine for a heading: `on TensorFlow 2.21.0`; empty for minitape."""
        return "" if self.is_minitape else f"on {self.name}"


@dataclass
class Trace:
    """The events of one run; `events[i].i == i` for all of them."""

    events: list[Event] = field(default_factory=list)
    _learnt: dict[object, tuple[int, Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def from_dicts(cls, events: Iterable[EventDict]) -> "Trace":
        """Return a trace from the dicts of a tracer in this process."""
        return cls([typed(event) for event in events])

    def extend(self, events: Iterable[EventDict]) -> None:
        """Append new events from the dicts of a tracer."""
        self.events.extend(typed(event) for event in events)

    def put(self, event: Event) -> None:
        """Replace the event with this number."""
        self.events[event.i] = event
        self._learnt.clear()

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def of(self, kind: type[_A], /) -> list[_A]: ...
    @overload
    def of(self, first: type[_A], second: type[_B], /) -> list[_A | _B]: ...
    @overload
    def of(self, first: type[_A], second: type[_B], third: type[_C], /) -> list[_A | _B | _C]: ...
    @overload
    def of(self, *kinds: type[Event]) -> list[Event]: ...

    def of(self, *kinds: type[Event]) -> Any:
        """Return the events of these kinds, in order: `trace.of(events.Op)`."""
        by_kind = self.once(_by_kind)
        found = [event for kind in kinds for event in by_kind.get(kind, ())]
        return found if len(kinds) == 1 else sorted(found, key=lambda event: event.i)

    def once(self, learn: Callable[["Trace"], _T]) -> _T:
        """Return the result of `learn` for this trace. It is cached for all callers until events are added."""
        length, learnt = self._learnt.get(learn, (-1, None))
        if length == len(self.events):
            return cast(_T, learnt)
        fresh = learn(self)
        self._learnt[learn] = (len(self.events), fresh)
        return fresh

    @property
    def sites(self) -> dict[int, SiteEvent]:
        """The call sites by their numbers."""
        return self.once(_by_number)

    def outermost(self, event: Placed) -> int | None:
        """Return the number of the outermost call site of an event; None if no site is known."""
        frames = self.once(_frames_by_number)
        stack, outer = event.stack, event.outer
        while outer is not None:
            stack, outer = frames[outer].stack, frames[outer].outer
        return stack[0] if stack else None

    @property
    def script(self) -> str:
        first = self.events[0] if self.events else None
        return first.script if isinstance(first, HeaderEvent) else ""

    @property
    def ran_on(self) -> RanOn:
        first = self.events[0] if self.events else None
        if not isinstance(first, HeaderEvent):
            return RanOn("minitape", None)
        if first.engine is None:
            return RanOn("minitape", first.minitape)
        return RanOn(first.engine, first.engine_version)

    @property
    def is_whole(self) -> bool:
        """Whether the run finished and all its events were recorded."""
        return bool(self.events) and isinstance(self.events[-1], EndEvent) and not self.dropped

    @property
    def dropped(self) -> int:
        """How many events were not recorded because the recording was full."""
        last = self.events[-1] if self.events else None
        return last.dropped if isinstance(last, EndEvent) else 0


def _by_kind(trace: Trace) -> dict[type[Event], list[Event]]:
    found: dict[type[Event], list[Event]] = {}
    for event in trace.events:
        found.setdefault(type(event), []).append(event)
    return found


def _by_number(trace: Trace) -> dict[int, SiteEvent]:
    return {site.number: site for site in trace.of(SiteEvent)}


def _frames_by_number(trace: Trace) -> dict[int, FramesEvent]:
    return {frames.number: frames for frames in trace.of(FramesEvent)}


def typed(event: EventDict) -> Event:
    """Return an event object from a dict with the names of the format, in which NaN and infinities are floats.

    Raises:
        TraceError: the dict does not follow the format.

    >>> typed({"i": 4, "k": "note", "text": "half way", "at": None, "stack": [1]}).text
    'half way'
    """
    kind = event["k"]
    if kind not in KINDS:
        return other(event)
    try:
        return msgspec.convert(event, KINDS[kind], str_keys=True)
    except msgspec.ValidationError as error:
        raise TraceError(
            f"Event {event.get('i')} ({kind}) does not follow the format: {fault(kind, error)}."
        ) from error


def other(event: EventDict) -> UnknownEvent:
    """Return an event of a kind that this version does not know."""
    return UnknownEvent(
        event["i"], event["k"], {name: event[name] for name in event if name not in ("i", "k")}
    )


def plain(event: Event) -> EventDict:
    """Return the dict that the tracer wrote, with the format's names and order; optional fields that are None are left out."""
    if isinstance(event, UnknownEvent):
        return {"i": event.i, "k": event.kind, **event.fields}
    return {"i": event.i, **msgspec.to_builtins(event, str_keys=True)}


def encode(event: Event) -> str:
    """Return one event as one line of JSON, without the line break, as `writing.encode` writes its dict."""
    return writing.encode(plain(event))


def write(events: Iterable[Event], stream: TextIO) -> None:
    for event in events:
        stream.write(encode(event) + "\n")

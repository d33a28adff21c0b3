"""Runs whose numbers are asked where they are from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.explain.explain import explain
from minitape.origin import Element, Origin, Origins
from minitape.origin.heard import tensors
from minitape.story import tell
from minitape.trace import events
from minitape.trace.trace import Trace


@dataclass
class Asked:
    """A run and its origins."""

    trace: Trace
    origins: Origins

    @classmethod
    def of(cls, trace: Trace) -> "Asked":
        return cls(trace, Origins(trace, tell(trace, explain(trace))))

    def shares(self) -> Iterator[Origin]:
        """The origin of each number that a step of a walk sends."""
        for event in self.trace.of(events.Back):
            yield from self.each(event, range(1, 1 + 2 * len(event.sent), 2))

    def values(self) -> Iterator[Origin]:
        """The origin of each number that an op computed."""
        for event in self.trace.of(events.Op):
            yield from self.each(event, range(len(event.outputs)))

    def results(self, source: int = 0) -> Iterator[Origin]:
        """The origin of each number that came back for a source in the last call."""
        event = [each for each in self.trace.of(events.Result) if each.source == source][-1]
        yield from self.each(event, [0])

    def each(self, event: events.Event, slots: Iterable[int]) -> Iterator[Origin]:
        for slot in slots:
            numbers = tensors(event)[slot]
            for at in np.ndindex(*([] if numbers is None else numbers.shape)):
                yield self.origins.of(Element(event.i, slot, at))

    def named(self, name: str) -> Origin:
        """The origin of the number that came back under this name, or was computed under it."""
        for origin in (*self.results(), *self.values()):
            if origin.name == name:
                return origin
        raise AssertionError(f"nothing is called {name}")


def total(origin: Origin) -> Any:
    """What the terms come to."""
    return sum(each.amount for each in origin.terms)  # type: ignore[misc]  # the tests ask where all are known

"""Runs, and queries for the terms of their numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.explain.explain import explain
from minitape.terms import Element, Expansion, Expansions
from minitape.terms.trace_index import tensors
from minitape.timeline import build_timeline
from minitape.trace import events
from minitape.trace.trace import Trace


@dataclass
class Asked:
    """A run and the expansions of its numbers."""

    trace: Trace
    expansions: Expansions

    @classmethod
    def of(cls, trace: Trace) -> "Asked":
        return cls(trace, Expansions(trace, build_timeline(trace, explain(trace))))

    def contributions(self) -> Iterator[Expansion]:
        """The expansion of each number that a backward step returns."""
        for event in self.trace.of(events.BackEvent):
            yield from self.each(event, range(1, 1 + 2 * len(event.sent), 2))

    def values(self) -> Iterator[Expansion]:
        """The expansion of each number that an op computed."""
        for event in self.trace.of(events.OpEvent):
            yield from self.each(event, range(len(event.outputs)))

    def results(self, source: int = 0) -> Iterator[Expansion]:
        """The expansion of each number that the last call returned for a source."""
        event = [each for each in self.trace.of(events.ResultEvent) if each.source == source][-1]
        yield from self.each(event, [0])

    def each(self, event: events.Event, slots: Iterable[int]) -> Iterator[Expansion]:
        for slot in slots:
            numbers = tensors(event)[slot]
            for at in np.ndindex(*([] if numbers is None else numbers.shape)):
                yield self.expansions.of(Element(event.i, slot, at))

    def named(self, name: str) -> Expansion:
        """The expansion of the number that was returned or computed under this name."""
        for expansion in (*self.results(), *self.values()):
            if expansion.name == name:
                return expansion
        raise AssertionError(f"no value has the name {name}")


def total(expansion: Expansion) -> Any:
    """The sum of the terms."""
    return sum(each.value for each in expansion.terms)  # type: ignore[misc]  # used only where all are known

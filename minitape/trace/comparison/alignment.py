"""Aligns the steps of two runs of one program, by their lines.

chunks     a trace → consecutive steps of one line
beside     two lists of them → pairs; None if only one run has the line
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TypeVar

from minitape.source_text import lines_of
from minitape.trace import events
from minitape.trace.events import OpEvent, Placed
from minitape.trace.trace import Trace

Made = events.ConstantEvent | events.VariableEvent | events.AssignEvent
Step = OpEvent | events.GradientEvent | Made
_AHEAD = 200  # the maximum number of consecutive lines that only one engine has
_K = TypeVar("_K", bound=Placed)


@dataclass(frozen=True)
class Chunk:
    """Consecutive steps of one line."""

    file: str
    line: int
    code: str
    steps: tuple[Step, ...]

    @property
    def key(self) -> tuple[str, int]:
        return self.file, self.line

    def of(self, kind: type[_K]) -> list[_K]:
        return [step for step in self.steps if isinstance(step, kind)]

    @property
    def ops(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.steps if isinstance(step, OpEvent))


def chunks(trace: Trace) -> list[Chunk]:
    texts = {source.file: lines_of(source.text) for source in trace.of(events.SourceEvent)}
    steps = [step for step in trace if isinstance(step, Step) and step.stack and _is_compared(step)]
    chunks = []
    for (file, line), group in groupby(steps, lambda step: trace.sites[step.stack[-1]].at[:2]):
        code = texts[file][line - 1].strip() if file in texts else ""
        chunks.append(Chunk(file, line, code, tuple(group)))
    return chunks


def _is_compared(step: Step) -> bool:
    """Whether a step is compared; constants that an op creates from plain operands are not compared."""
    return not isinstance(step, events.ConstantEvent) or step.how.startswith("tf.")


def beside(
    left: Sequence[Chunk], right: Sequence[Chunk]
) -> Iterator[tuple[Chunk | None, Chunk | None]]:
    """Yield the lines of both runs in order. Where they differ, the shorter side is skipped to the next common line."""
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i].key == right[j].key:
            yield left[i], right[j]
            i, j = i + 1, j + 1
            continue
        skipped = _meeting(left[i : i + _AHEAD], right[j : j + _AHEAD])
        for each in left[i : i + skipped[0]]:
            yield each, None
        for each in right[j : j + skipped[1]]:
            yield None, each
        i, j = i + skipped[0], j + skipped[1]
    yield from zip_longest(left[i:], (), fillvalue=None)
    yield from zip_longest((), right[j:], fillvalue=None)


def _meeting(left: Sequence[Chunk], right: Sequence[Chunk]) -> tuple[int, int]:
    """Return the smallest number of lines to skip on each side until both have the same line."""
    first: dict[tuple[str, int], int] = {}
    for j, each in enumerate(right):
        first.setdefault(each.key, j)
    meetings = [(i + first[each.key], i) for i, each in enumerate(left) if each.key in first]
    if not meetings:
        return len(left), len(right)
    total, i = min(meetings)
    return i, total - i

"""The targets of the navigation keys of the stepper and of the page, computed once for all steps."""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from minitape.explain.report import GradientNote, Location
from minitape.timeline.model import Phase, Timeline


@dataclass(frozen=True)
class Moves:
    """For each step and each kind of move, the index of the step to go to; without such a step, the index of the step itself.

    `again` moves lead to the same statement in the next or previous iteration of a loop; `op` moves lead to the other steps of
    the same op: its forward step and its backward steps. `notes` are the gradient calls at which a note begins to apply, such
    as the first of several iterations with the note.
    """

    earlier_again: tuple[int, ...]
    later_again: tuple[int, ...]
    earlier_op: tuple[int, ...]
    later_op: tuple[int, ...]
    problems: tuple[int, ...]
    backward: tuple[int, ...]
    notes: tuple[int, ...] = ()

    @cached_property
    def marked(self) -> tuple[int, ...]:
        """The steps with a problem, and those at which a note begins."""
        return tuple(sorted({*self.problems, *self.notes}))

    def next_problem(self, index: int) -> int:
        """Return the first problem or note after `index`; after the last one, the first one."""
        if not self.marked:
            return index
        return self.marked[bisect_right(self.marked, index) % len(self.marked)]

    def previous_problem(self, index: int) -> int:
        if not self.marked:
            return index
        return self.marked[bisect_left(self.marked, index) - 1]

    def next_backward(self, index: int) -> int:
        """Return the start of the next backward pass; after the last one, the start of the first."""
        if not self.backward:
            return index
        return self.backward[bisect_right(self.backward, index) % len(self.backward)]


def moves(timeline: Timeline) -> Moves:
    """Return all moves of a timeline."""
    earlier_again, later_again = _chained(step.key for step in timeline.steps)
    earlier_op, later_op = _chained(
        step.index if step.op is None else ("op", step.op) for step in timeline.steps
    )
    return Moves(
        earlier_again,
        later_again,
        earlier_op,
        later_op,
        timeline.problems,
        tuple(
            step.index
            for step in timeline.steps
            if step.phase is Phase.BACKWARD and step.kind == "seed"
        ),
        tuple(_beginnings(timeline)),
    )


def _beginnings(timeline: Timeline) -> Iterator[int]:
    """Yield the gradient calls with a note that the previous call of the same line does not have."""
    before: dict[tuple[Location | None, str], tuple[GradientNote, ...]] = {}
    for call in timeline.calls:
        line = call.location, call.text
        if any(note not in before.get(line, ()) for note in call.notes):
            yield call.requested
        before[line] = call.notes


def _chained(keys: Iterable[Hashable]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return, for each position, the previous and the next position with an equal key."""
    before: list[int] = []
    after: list[int] = []
    last: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        earlier = last.get(key, index)
        before.append(earlier)
        after.append(index)
        after[earlier] = index
        last[key] = index
    return tuple(before), tuple(after)


def found(timeline: Timeline, text: str, start: int) -> int | None:
    """Return the first step at or after `start` whose op, names, source or values contain `text`; the search wraps around.

    `line 12` or `:12` finds only the steps on that line.
    """
    wanted = text.strip().casefold()
    line = _line_requested(wanted)
    for offset in range(len(timeline.steps)):
        step = timeline.steps[(start + offset) % len(timeline.steps)]
        if line is not None:
            hit = step.location is not None and step.location.line == line
        else:
            said = (step.number, step.what, step.code, step.inputs, step.value, step.note)
            hit = any(wanted in part.casefold() for part in said)
        if hit:
            return step.index
    return None


def _line_requested(wanted: str) -> int | None:
    number = wanted.removeprefix("line").removeprefix(":").strip()
    return int(number) if number != wanted and number.isdecimal() else None

"""The backward steps of two runs, side by side, after the gradient call to which they belong."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from minitape.trace import events
from minitape.trace.comparison.closeness import close, form
from minitape.trace.comparison.diff import Pair
from minitape.trace.trace import Trace

Step = events.Placed | events.BackEvent


class StepPair(NamedTuple):
    """A step of each run, or None, and what differs; backward steps are included."""

    first: Step | None
    second: Step | None
    what: tuple[str, ...] = ()


def with_backward(
    pairs: Iterable[Pair], traces: tuple[Trace, Trace], tolerance: float
) -> Iterator[StepPair]:
    """Yield the pairs, and after each pair of gradient calls their backward steps, aligned by their ops.

    Args:
        pairs: The aligned steps of the two runs.
        traces: The traces of the two runs.
        tolerance: Gradients are equal if they differ by no more than this, absolute or relative.
    """
    of_calls = [_by_call(trace) for trace in traces]
    ops = [{op.number: op.name for op in trace.of(events.OpEvent)} for trace in traces]
    for first, second, what in pairs:
        yield StepPair(first, second, what)
        if isinstance(first, events.GradientEvent) and isinstance(second, events.GradientEvent):
            left, right = of_calls[0][first.call], of_calls[1][second.call]
            names = [
                ["" if step.op is None else own.get(step.op, "") for step in steps]
                for own, steps in zip(ops, (left, right), strict=True)
            ]
            yield from _aligned(left, right, names[0], names[1], tolerance)


def _by_call(trace: Trace) -> dict[int, list[events.BackEvent]]:
    found: dict[int, list[events.BackEvent]] = defaultdict(list)
    for event in trace.of(events.BackEvent):
        found[event.call].append(event)
    return found


def _aligned(
    left: list[events.BackEvent],
    right: list[events.BackEvent],
    ours: list[str],
    theirs: list[str],
    tolerance: float,
) -> Iterator[StepPair]:
    if ours == theirs:
        for a, b in zip(left, right, strict=True):
            yield StepPair(a, b, () if _is_same(a, b, tolerance) else ("gradient",))
        return
    for tag, i, j, k, m in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        for one, other in zip_longest(left[i:j], right[k:m]):
            if tag == "equal":
                same = _is_same(one, other, tolerance)
                yield StepPair(one, other, () if same else ("gradient",))
            else:
                yield StepPair(one, other, ("steps",))


def _is_same(a: events.BackEvent, b: events.BackEvent, tolerance: float) -> bool:
    """Whether two backward steps receive and send the same gradients."""
    ours = [a.arrived, *(each.numbers for each in a.sent)]
    theirs = [b.arrived, *(each.numbers for each in b.sent)]
    return len(ours) == len(theirs) and all(
        form(x) == form(y) and close(x, y, tolerance) for x, y in zip(ours, theirs, strict=True)
    )

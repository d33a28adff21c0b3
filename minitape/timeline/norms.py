"""The target and the gradient norms of a training loop, in each iteration.

norms_over_time  the gradient calls that ran in a loop → their targets and norms
LoopNorms        one gradient call of the source
  SourceNorms    one of its sources
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from minitape.explain.over_time import CallHistory, over_time
from minitape.explain.report import Report
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

_SAME = 0.01
MANY = 8  # a shorter loop can be read step by step


@dataclass(frozen=True)
class SourceNorms:
    """The norm of the gradient with respect to one source in each iteration: None for a gradient that is None, NaN if it is not
    finite. `is_matrix` is whether the source has two or more axes.
    """

    name: str
    norms: tuple[float | None, ...]
    is_matrix: bool

    @property
    def changes(self) -> bool:
        """Whether the norm differs between the iterations that have one."""
        return changes(self.norms)


def changes(numbers: Sequence[float | None]) -> bool:
    """Whether the finite numbers differ by more than one percent."""
    known = [each for each in numbers if each is not None and math.isfinite(each)]
    return bool(known) and max(known) - min(known) > _SAME * max(map(abs, known))


@dataclass(frozen=True)
class LoopNorms:
    """A gradient call that ran in a loop.

    Attributes:
        history: The call, with the outcomes and notes of each iteration.
        target: The name of the target.
        targets: The value of the target in each iteration, or the mean of a tensor: NaN if it is not finite, None if it is
            unknown.
        sources: The norms of the gradients.
        calls: The number of the gradient call of each iteration.
    """

    history: CallHistory
    target: str
    targets: tuple[float | None, ...]
    sources: tuple[SourceNorms, ...]
    calls: tuple[int, ...]

    def selected(self, most: int, *, changing: bool = False) -> tuple[SourceNorms, ...]:
        """Return at most `most` sources, in order, preferring matrices over biases.

        Args:
            most: The maximum number of sources.
            changing: Whether to omit the sources whose gradients always have the same norm.
        """
        every = tuple(each for each in self.sources if each.changes or not changing)
        matrices = tuple(each for each in every if each.is_matrix)
        few = every if len(every) <= most else matrices or every
        if len(few) <= most:
            return few
        return tuple(few[i * (len(few) - 1) // (most - 1)] for i in range(most))


def norms_over_time(trace: Trace, report: Report) -> tuple[LoopNorms, ...]:
    """Return the targets and norms of each gradient call that ran more than once, in the order of the first iterations."""
    histories = over_time(report)
    if not histories:
        return ()
    requests = {event.i: event for event in trace.of(events.GradientEvent)}
    results: dict[int, dict[int, Numbers | None]] = defaultdict(dict)
    for event in trace.of(events.ResultEvent):
        results[event.call][event.source] = event.numbers
    wanted = {event.targets[0] for event in requests.values() if len(event.targets) == 1}
    values = {
        output.id: output
        for op in trace.of(events.OpEvent)
        for output in op.outputs
        if output.id in wanted
    }
    return tuple(_loop(each, requests, results, values) for each in histories)


def _loop(
    history: CallHistory,
    requests: dict[int, events.GradientEvent],
    results: dict[int, dict[int, Numbers | None]],
    values: dict[int, Numbers],
) -> LoopNorms:
    calls = [requests[event] for event in history.events]
    of_calls = [results[call.call] for call in calls]
    sources = tuple(
        SourceNorms(
            row.name,
            tuple(_norm(result.get(index)) for result in of_calls),
            any(len(n.shape) > 1 for result in of_calls if (n := result.get(index)) is not None),
        )
        for index, row in sorted(history.sources.items())
    )
    return LoopNorms(
        history,
        calls[0].target_name or "target",
        tuple(_target(call, values) for call in calls),
        sources,
        tuple(call.call for call in calls),
    )


def _norm(numbers: Numbers | None) -> float | None:
    if numbers is None:
        return None
    if numbers.nan or numbers.inf:
        return math.nan
    return numbers.l2


def _target(call: events.GradientEvent, values: dict[int, Numbers]) -> float | None:
    numbers = values.get(call.targets[0]) if len(call.targets) == 1 else None
    if numbers is None:
        return None
    return math.nan if numbers.nan or numbers.inf else numbers.mean

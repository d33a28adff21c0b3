"""A gradient call in a trace: the events of each of its backward passes, and its results."""

from dataclasses import dataclass, field

from minitape.core.values import Ints
from minitape.trace import events


@dataclass
class TracedBackward:
    """The events of one backward pass."""

    seeds: list[events.SeedEvent] = field(default_factory=list)
    steps: list[events.BackEvent] = field(default_factory=list)

    def rows(self, shape: Ints) -> int | None:
        """Return the number of Jacobian rows in each cotangent, for a target of this shape; None if it is not a Jacobian."""
        if not self.seeds or tuple(self.seeds[0].numbers.shape) == shape:
            return None
        return self.seeds[0].numbers.shape[0]


@dataclass
class AuditedCall:
    """A gradient call: the state of its tape at the call, and the events about it.

    A Jacobian may need several backward passes, one for each row.
    """

    requested: events.GradientEvent
    line: int
    watched: frozenset[int]
    recorded: tuple[events.OpEvent, ...]
    backward_passes: list[TracedBackward] = field(default_factory=list)
    results: list[events.ResultEvent] = field(default_factory=list)

    def receive(self, event: events.SeedEvent | events.BackEvent | events.ResultEvent) -> None:
        if isinstance(event, events.ResultEvent):
            self.results.append(event)
            return
        is_seed = isinstance(event, events.SeedEvent)
        # A gradient has one backward pass from all its targets. In a Jacobian, each seed belongs to a different row, or to all
        # rows.
        if not self.backward_passes or (is_seed and self.requested.api != "gradient"):
            self.backward_passes.append(TracedBackward())
        if isinstance(event, events.SeedEvent):
            self.backward_passes[-1].seeds.append(event)
        else:
            self.backward_passes[-1].steps.append(event)

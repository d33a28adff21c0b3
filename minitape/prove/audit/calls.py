"""A gradient call in a trace: the events of each of its backward passes, and its results."""

from dataclasses import dataclass, field

from minitape.core.values import Ints
from minitape.trace import events


@dataclass
class Told:
    """The events of one backward pass."""

    seeds: list[events.Seed] = field(default_factory=list)
    steps: list[events.Back] = field(default_factory=list)

    def rows(self, shape: Ints) -> int | None:
        """How many rows of a Jacobian are carried at once, if a target has this shape; None for one cotangent."""
        if not self.seeds or tuple(self.seeds[0].numbers.shape) == shape:
            return None
        return self.seeds[0].numbers.shape[0]


@dataclass
class Call:
    """A gradient call: the state of its tape at the call, and the events about it.

    A Jacobian may need several backward passes, one for each row.
    """

    asked: events.Gradient
    line: int
    watched: frozenset[int]
    recorded: tuple[events.Op, ...]
    walks: list[Told] = field(default_factory=list)
    results: list[events.Result] = field(default_factory=list)

    def hear(self, event: events.Seed | events.Back | events.Result) -> None:
        if isinstance(event, events.Result):
            self.results.append(event)
            return
        is_seed = isinstance(event, events.Seed)
        # A gradient has one backward pass from all its targets; each seed of a Jacobian is another row, or all of them.
        if not self.walks or (is_seed and self.asked.api != "gradient"):
            self.walks.append(Told())
        if isinstance(event, events.Seed):
            self.walks[-1].seeds.append(event)
        else:
            self.walks[-1].steps.append(event)

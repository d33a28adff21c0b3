"""A gradient call, and what a trace tells of it: the events of each walk together, and the results."""

from dataclasses import dataclass, field

from minitape.core.values import Ints
from minitape.trace import events


@dataclass
class Told:
    """What a trace tells of one walk."""

    seeds: list[events.Seed] = field(default_factory=list)
    steps: list[events.Back] = field(default_factory=list)

    def rows(self, shape: Ints) -> int | None:
        """How many rows of a Jacobian are carried at once, if a target has this shape; None for one cotangent."""
        if not self.seeds or tuple(self.seeds[0].numbers.shape) == shape:
            return None
        return self.seeds[0].numbers.shape[0]


@dataclass
class Call:
    """A gradient call: what its tape knew when it was asked, and what the trace tells of it.

    A Jacobian may need several walks, one for each row.
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
        # A gradient has one walk from all its targets; of a Jacobian each seed is another row, or all of them.
        if not self.walks or (is_seed and self.asked.api != "gradient"):
            self.walks.append(Told())
        if isinstance(event, events.Seed):
            self.walks[-1].seeds.append(event)
        else:
            self.walks[-1].steps.append(event)

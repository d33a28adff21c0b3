"""What the tracer keeps of a walk back that is going on: the running total of what each value was sent."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from minitape.core.events import GradientCalled


class Rows(NamedTuple):
    """IndexedSlices in numbers: rows, which row of the table each is, and the shape of the table where it is known."""

    values: Any
    indices: Any
    shape: tuple[int, ...] | None

    def table(self) -> Any:
        """All of it, zeros where no row belongs."""
        assert self.shape is not None  # no engine adds up what has none
        table = np.zeros(self.shape, self.values.dtype)
        np.add.at(table, self.indices, self.values)
        return table


class WalkBack:
    """One walk: the call that asked for it, its steps so far, and its totals."""

    def __init__(self, call: int, asked: GradientCalled, target: str | None) -> None:
        self.call = call
        self.asked = asked
        self.target = target
        self.begin((), None)

    def begin(
        self, plan: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], rows: int | None
    ) -> None:
        """Start from nothing: a Jacobian may take a walk for each of its rows."""
        self.rows = rows
        self.step = 0
        self.steps = len(plan)
        self.uses = Counter(identity for _, inputs in plan for identity in inputs)
        self.used: Counter[int] = Counter()
        self.told: dict[
            int, tuple[Any, dict[str, Any]]
        ] = {}  # each last total, and what the trace says of it
        self._totals: dict[int, Any] = {}

    def add(self, engine_id: int, amount: Any) -> Any:
        """The running total of what a value was sent: an array, or `Rows`."""
        self.used[engine_id] += 1
        held = self._totals.get(engine_id)
        total = amount if held is None else _added(held, amount)
        if self.uses[engine_id] > self.used[engine_id]:
            self._totals[engine_id] = total
        else:
            self._totals.pop(engine_id, None)
        return total


def _added(a: Any, b: Any) -> Any:
    """As engines add: slices are put end to end as long as both are slices."""
    if isinstance(a, Rows) and isinstance(b, Rows):
        values = np.concatenate([a.values, b.values])
        return Rows(values, np.concatenate([a.indices, b.indices]), a.shape)
    return _whole(a) + _whole(b)


def _whole(amount: Any) -> Any:
    return amount.table() if isinstance(amount, Rows) else amount

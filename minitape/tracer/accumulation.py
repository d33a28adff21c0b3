"""The state of a backward pass in progress, with the sum of the contributions to each value so far."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from minitape.core.events import GradientCalled


class SparseRows(NamedTuple):
    """IndexedSlices as arrays: rows, the index of each row in the table, and the shape of the table if it is known."""

    values: Any
    indices: Any
    shape: tuple[int, ...] | None

    def table(self) -> Any:
        """Return the dense table, with zeros in all other rows."""
        assert self.shape is not None  # an engine never sums slices without a shape
        table = np.zeros(self.shape, self.values.dtype)
        np.add.at(table, self.indices, self.values)
        return table


class BackwardPassState:
    """A backward pass: the call that runs it, its steps so far, and its sums."""

    def __init__(self, call: int, requested: GradientCalled, target: str | None) -> None:
        self.call = call
        self.requested = requested
        self.target = target
        self.begin((), None)

    def begin(
        self, plan: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], rows: int | None
    ) -> None:
        """Reset the state, because a Jacobian may run a backward pass for each of its rows."""
        self.rows = rows
        self.step = 0
        self.steps = len(plan)
        self.uses = Counter(identity for _, inputs in plan for identity in inputs)
        self.used: Counter[int] = Counter()
        self.reported: dict[
            int, tuple[Any, dict[str, Any]]
        ] = {}  # the last sum of each value, and its representation in the trace
        self._totals: dict[int, Any] = {}

    def add(self, engine_id: int, amount: Any) -> Any:
        """Return the sum of the contributions to a value, including this one: an array, or `SparseRows`."""
        self.used[engine_id] += 1
        held = self._totals.get(engine_id)
        total = amount if held is None else _added(held, amount)
        if self.uses[engine_id] > self.used[engine_id]:
            self._totals[engine_id] = total
        elif held is not None:
            del self._totals[engine_id]
        return total


def _added(a: Any, b: Any) -> Any:
    """Return the sum as an engine computes it: slices are concatenated as long as both are slices."""
    if isinstance(a, SparseRows) and isinstance(b, SparseRows):
        values = np.concatenate([a.values, b.values])
        return SparseRows(values, np.concatenate([a.indices, b.indices]), a.shape)
    return _whole(a) + _whole(b)


def _whole(amount: Any) -> Any:
    return amount.table() if isinstance(amount, SparseRows) else amount

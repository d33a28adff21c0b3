"""What the tracer keeps of a walk back that is going on: the running total of what each value was sent."""

from collections import Counter
from typing import Any

from numpy import shape

from minitape.core.events import GradientCalled


class WalkBack:
    """One walk: the call that asked for it, its steps so far, and its totals."""

    def __init__(self, call: int, asked: GradientCalled, target: str | None) -> None:
        self.call = call
        self.asked = asked
        self.target = target
        self.rows: int | None = None
        self.step = 0
        self.steps = 0
        self.uses: Counter[int] = Counter()
        self.used: Counter[int] = Counter()
        self.told: dict[
            int, tuple[Any, dict[str, Any]]
        ] = {}  # each last total, and what the trace says of it
        self._totals: dict[int, Any] = {}

    def add(self, engine_id: int, amount: Any) -> Any:
        """The running total of what a value was sent."""
        self.used[engine_id] += 1
        held = self._totals.get(engine_id)
        same = held is None or shape(held) == shape(amount)
        total = amount if held is None or not same else held + amount
        if self.uses[engine_id] > self.used[engine_id]:
            self._totals[engine_id] = total
        else:
            self._totals.pop(engine_id, None)
        return total

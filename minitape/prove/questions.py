"""What the gradient calls of a run were asked and what they answered, with the steps that their tapes recorded.

    Question     one gradient call
    Questions    listens to the engine and keeps them

Whatever Python the user names reads this page, so it needs the engine and nothing besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from minitape.autodiff.rulecheck import numbers
from minitape.core import events
from minitape.core.primitive import OpRan
from minitape.core.values import Array
from minitape.listen import source
from minitape.prove.replay import Step


@dataclass
class Question:
    """One gradient call: what was asked, and the answer. `number` counts the calls of a run from 1."""

    number: int
    api: str
    targets: list[tuple[int, Array]]
    seeds: list[Array | None]
    sources: list[tuple[int, Array]]
    steps: tuple[Step, ...] = ()
    results: list[Array | None] = field(default_factory=list)


class Questions:
    """Of calls at one place in the script over the same ops (the rounds of a loop) the first and the last are kept."""

    def __init__(self) -> None:
        self._steps: WeakKeyDictionary[Any, list[Step]] = WeakKeyDictionary()
        self._waiting: list[Question] = []
        self._kept: dict[Any, list[Question]] = {}
        self._times: dict[Any, int] = {}
        self._calls = 0

    def __iter__(self) -> Iterator[tuple[Question, int]]:
        """Each question that was kept, and how many at the same place were not: told with the first."""
        for place, kept in self._kept.items():
            for i, asked in enumerate(kept):
                yield asked, self._times[place] - len(kept) if i == 0 else 0

    # --- what the engine calls ---

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product

    def tell(self, event: Any) -> None:
        if isinstance(event, OpRan):
            if event.recorded_by:
                step = Step.of(event)
                for tape in event.recorded_by:
                    self._steps.setdefault(tape, []).append(step)
        elif isinstance(event, events.GradientCalled):
            self._calls += 1
            self._waiting.append(self._question(event))
        elif isinstance(event, events.GradientReturned):
            asked = self._waiting.pop()
            asked.results = [numbers(each) for each in event.results]
            self._keep(asked)
        elif isinstance(event, events.GradientFailed):
            self._waiting.pop()

    def _question(self, event: events.GradientCalled) -> Question:
        leaves = [leaf for leaf in event.targets if hasattr(leaf, "_array")]
        smooth = [i for i, leaf in enumerate(leaves) if leaf.dtype.is_floating]
        seeds = event.output_gradients or (None,) * len(leaves)
        steps = [s for tape, s in self._steps.items() if tape.number == event.tape]
        return Question(
            self._calls,
            event.api,
            [(leaves[i]._id, leaves[i]._array) for i in smooth],
            [numbers(seeds[i]) for i in smooth],
            [(leaf._id, leaf._array) for leaf in event.sources if hasattr(leaf, "_array")],
            tuple(steps[-1]) if steps else (),
        )

    def _keep(self, asked: Question) -> None:
        steps = source.here()
        place = (steps[-1] if steps else None, *(step.primitive.name for step in asked.steps))
        kept = self._kept.setdefault(place, [])
        self._times[place] = self._times.get(place, 0) + 1
        kept[1:] = [asked] if kept else []
        if not kept:
            kept.append(asked)

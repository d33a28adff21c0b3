"""Are the gradients of a run correct? Each is compared with finite differences, and so is the rule of each op.

    Checker        runs in the script's process, where it records and compares
    CheckReport    its result

A command says `ran = run(program, argv, wishes, companion=Checker())`, then `CheckReport.of_data(ran.message)`.

This module also runs in the Python interpreter that the user chooses, so it imports only the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from weakref import WeakKeyDictionary

from minitape.autodiff.rulecheck import numbers
from minitape.core import events, listeners
from minitape.core.primitive import OpRan
from minitape.listen import source
from minitape.prove.check_report import CheckReport
from minitape.prove.comparing import Question, compared
from minitape.prove.replay import Step

__all__ = ["CheckReport", "Checker"]


class Checker:
    """A companion (`run/jobs.py`): records while its block runs, then compares.

    Of the calls on one line of the script over the same ops (the iterations of a loop) it keeps the first and the last.
    """

    # Created in the process that records: they cannot be sent to another process.
    _listening: AbstractContextManager[None]
    _steps: WeakKeyDictionary[Any, list[Step]]  # by tape

    def __init__(self) -> None:
        self._waiting: list[Question] = []
        self._kept: dict[Any, list[Question]] = {}
        self._times: dict[Any, int] = {}
        self._calls = 0

    def __enter__(self) -> Checker:
        self._steps = WeakKeyDictionary()
        self._listening = listeners.listen(self)
        self._listening.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        self._listening.__exit__(None, None, None)

    def hear(self, engine: Any) -> bool:
        """False: it recomputes the recorded ops as minitape does, so it records no other engine."""
        return False

    def message(self, gradients: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Compare everything that was kept; returns a `CheckReport` as data."""
        questions = [
            (asked, self._times[place] - len(kept) if asked is kept[0] else 0)
            for place, kept in self._kept.items()
            for asked in kept
        ]
        return compared(questions, gradients).as_data()

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

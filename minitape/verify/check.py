"""Checks whether the gradients of a run are correct: each gradient, and the rule of each op, is compared with finite differences.

    Checker        runs in the script's process, where it records and compares
    CheckReport    its result

A command calls `ran = run(program, argv, run_options, companion=Checker())`, and then `CheckReport.of_data(ran.message)`.

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
from minitape.tracer import source
from minitape.verify.check_report import CheckReport
from minitape.verify.comparing import ComparedCall, compared
from minitape.verify.replay import ReplayStep

__all__ = ["CheckReport", "Checker"]


class Checker:
    """A companion (`run/jobs.py`): records while its block runs, then compares.

    Of the calls on one line of the script over the same ops (the iterations of a loop), it keeps the first and the last.
    """

    # These attributes are created in the recording process, because they cannot be sent to another process.
    _tracing: AbstractContextManager[None]
    _steps: WeakKeyDictionary[Any, list[ReplayStep]]  # keyed by tape

    def __init__(self) -> None:
        self._waiting: list[ComparedCall] = []
        self._by_location: dict[Any, list[ComparedCall]] = {}
        self._times: dict[Any, int] = {}
        self._calls = 0

    def __enter__(self) -> Checker:
        self._steps = WeakKeyDictionary()
        self._tracing = listeners.listen(self)
        self._tracing.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        self._tracing.__exit__(None, None, None)

    def switch_engine(self, engine: Any) -> bool:
        """Return False. The checker recomputes ops with minitape's kernels, so it cannot record another engine."""
        return False

    def message(self, gradients: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Compare all recorded gradient calls, and return a `CheckReport` as data."""
        questions = [
            (requested, self._times[location] - len(kept) if requested is kept[0] else 0)
            for location, kept in self._by_location.items()
            for requested in kept
        ]
        return compared(questions, gradients).as_data()

    # --- what the engine calls ---

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product

    def emit(self, event: Any) -> None:
        if isinstance(event, OpRan):
            if event.recorded_by:
                step = ReplayStep.of(event)
                for tape in event.recorded_by:
                    self._steps.setdefault(tape, []).append(step)
        elif isinstance(event, events.GradientCalled):
            self._calls += 1
            self._waiting.append(self._question(event))
        elif isinstance(event, events.GradientReturned):
            requested = self._waiting.pop()
            requested.results = [numbers(each) for each in event.results]
            self._keep(requested)
        elif isinstance(event, events.GradientFailed):
            self._waiting.pop()

    def _question(self, event: events.GradientCalled) -> ComparedCall:
        leaves = [leaf for leaf in event.targets if hasattr(leaf, "_array")]
        smooth = [i for i, leaf in enumerate(leaves) if leaf.dtype.is_floating]
        seeds = event.output_gradients or (None,) * len(leaves)
        steps = [s for tape, s in self._steps.items() if tape.number == event.tape]
        return ComparedCall(
            self._calls,
            event.api,
            [(leaves[i]._id, leaves[i]._array) for i in smooth],
            [numbers(seeds[i]) for i in smooth],
            [(leaf._id, leaf._array) for leaf in event.sources if hasattr(leaf, "_array")],
            tuple(steps[-1]) if steps else (),
        )

    def _keep(self, requested: ComparedCall) -> None:
        steps = source.here()
        location = (
            steps[-1] if steps else None,
            *(step.primitive.name for step in requested.steps),
        )
        kept = self._by_location.setdefault(location, [])
        self._times[location] = self._times.get(location, 0) + 1
        kept[1:] = [requested] if kept else []
        if not kept:
            kept.append(requested)

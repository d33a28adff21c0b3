"""The part of a perturbation that runs in the script's process. It perturbs a value when the value is made, and reads the target.

    Perturber      a companion (`run/jobs.py`) that is sent to the process that runs the script
    perturbations  by how much each element is perturbed, relative to the step

This module also runs in the Python interpreter that the user chooses, so it imports only the engine and the tracer.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitape.core import events
from minitape.core.primitive import OpRan
from minitape.core.values import Array
from minitape.core.variable import VariableMade
from minitape.tracer import source
from minitape.tracer.engine import Engine
from minitape.tracer.minitape import Minitape


class _Measured(BaseException):
    """Raised at the gradient call in question, because the rest of the script does not have to run."""


@dataclass
class Perturber:
    """Perturbs the `count`-th value of its kind by `step`, and reads the target of the `call`-th gradient call.

    With `widens`, all float32 values become float64 when they enter, so that a small step has a measurable effect. This works
    only on minitape, because other engines refuse to mix the two dtypes.
    """

    kind: str
    count: int
    call: int
    widens: bool
    step: float
    _target: float | None = field(default=None, init=False)
    _seen: dict[str, int] = field(default_factory=dict, init=False)
    # These attributes are created in the recording process, because they cannot be sent to another process.
    _engine: Engine | None = field(default=None, init=False)
    _tracing: ExitStack | None = field(default=None, init=False)

    def __enter__(self) -> Perturber:
        self._tracing = ExitStack()
        self.switch_engine(Minitape())
        return self

    def __exit__(self, *_: Any) -> None:
        assert self._tracing is not None
        self._tracing.close()

    def switch_engine(self, engine: Engine) -> bool:
        assert self._tracing is not None
        self._tracing.close()
        self._engine = engine
        self._tracing.enter_context(engine.connected(self))
        return True

    def message(self, gradients: Sequence[dict[str, Any]]) -> float | None:
        """Return the sum of all elements of the target; None if the call was not reached or its target is not numeric."""
        return self._target

    # --- what the engine calls ---

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product

    def emit(self, event: Any) -> None:
        if isinstance(event, events.Entered):
            self._widen(event.tensor, event.given)
            if not event.how.startswith(("tf.Variable", "Variable.")):
                self._born("constant", event.tensor)
        elif isinstance(event, VariableMade):
            self._born("variable", event.variable)
        elif isinstance(event, OpRan):
            for tensor in event.outputs:
                self._widen(tensor)
            self._born("op", event.outputs[0])
        elif isinstance(event, events.GradientCalled):
            self._seen["call"] = self._seen.get("call", 0) + 1
            if self._seen["call"] == self.call:
                self._target = self._total(event.targets)
                raise _Measured

    def disable(self, fault: Exception) -> None:
        """Stop recording, because a run that cannot be recorded yields no value for the target."""
        raise _Measured from fault

    def _widen(self, tensor: Any, given: Any = None) -> None:
        """Convert a value to float64, if possible from the original number, which has more digits than the tensor."""
        if self.widens and tensor._array.dtype == np.float32:
            exact = np.array(given if _is_exact(given) else tensor._array, np.float64)
            tensor._array = np.broadcast_to(exact, tensor._array.shape)

    def _born(self, kind: str, value: Any) -> None:
        if kind != self.kind or not source.here():
            return
        self._seen[kind] = self._seen.get(kind, 0) + 1
        if self._seen[kind] == self.count:
            assert self._engine is not None
            self._engine.put(value, _perturbed(self._engine.numbers_of(value), self.step))

    def _total(self, targets: tuple[Any, ...]) -> float | None:
        assert self._engine is not None
        try:
            return float(sum(np.sum(np.asarray(self._engine.numbers_of(t)).real) for t in targets))
        except (TypeError, ValueError):
            return None


def perturbations(shape: Sequence[int]) -> Any:
    """Return the perturbation of each element. All of them differ, because equal perturbations could cancel."""
    return np.random.default_rng(0).uniform(0.5, 1.5, shape) if np.prod(shape) > 1 else 1.0


def _is_exact(given: Any) -> bool:
    if isinstance(given, list | tuple):
        return all(isinstance(each, float) for each in given)
    return isinstance(given, float | np.ndarray)


def _perturbed(array: Array, step: float) -> Array:
    return np.asarray(array + step * np.asarray(perturbations(array.shape))).astype(array.dtype)

"""What a perturbation does inside the script's process: it moves a number as it is made, and reads the target.

    Mover      a companion (`run/jobs.py`): picked up where the judging is done, at work where the script runs
    shares     by how much each element is moved, as a part of the step

Whatever Python the user names reads this page, so it needs the engine, who hears it, and nothing besides.
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
from minitape.listen import source
from minitape.listen.engine import Engine
from minitape.listen.minitape import Minitape


class _Measured(BaseException):
    """The call in question was reached: the rest of the script need not run."""


@dataclass
class Mover:
    """Moves the `count`-th value of its kind by `step`, and reads the target of the `call`-th gradient call.

    With `widens` all values of float32 become float64 as they enter, so that a small step can be seen: on minitape, for other
    engines refuse to mix the two.
    """

    kind: str
    count: int
    call: int
    widens: bool
    step: float
    _target: float | None = field(default=None, init=False)
    _seen: dict[str, int] = field(default_factory=dict, init=False)
    # Begun where it listens: these cannot be handed over.
    _engine: Engine | None = field(default=None, init=False)
    _listening: ExitStack | None = field(default=None, init=False)

    def __enter__(self) -> Mover:
        self._listening = ExitStack()
        self.hear(Minitape())
        return self

    def __exit__(self, *_: Any) -> None:
        assert self._listening is not None
        self._listening.close()

    def hear(self, engine: Engine) -> bool:
        assert self._listening is not None
        self._listening.close()
        self._engine = engine
        self._listening.enter_context(engine.hearing(self))
        return True

    def message(self, gradients: Sequence[dict[str, Any]]) -> float | None:
        """The target's value, all elements added up; None if the call was not reached or has no number for a target."""
        return self._target

    # --- what the engine calls ---

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product

    def tell(self, event: Any) -> None:
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

    def go_deaf(self, fault: Exception) -> None:
        """What could not be followed has no number for a target."""
        raise _Measured from fault

    def _widen(self, tensor: Any, given: Any = None) -> None:
        """To float64; a number of Python's or NumPy's had more digits before it became a tensor."""
        if self.widens and tensor._array.dtype == np.float32:
            exact = np.array(given if _is_exact(given) else tensor._array, np.float64)
            tensor._array = np.broadcast_to(exact, tensor._array.shape)

    def _born(self, kind: str, value: Any) -> None:
        if kind != self.kind or not source.here():
            return
        self._seen[kind] = self._seen.get(kind, 0) + 1
        if self._seen[kind] == self.count:
            assert self._engine is not None
            self._engine.put(value, _moved(self._engine.numbers_of(value), self.step))

    def _total(self, targets: tuple[Any, ...]) -> float | None:
        assert self._engine is not None
        try:
            return float(sum(np.sum(np.asarray(self._engine.numbers_of(t)).real) for t in targets))
        except (TypeError, ValueError):
            return None


def shares(shape: Sequence[int]) -> Any:
    """Each element moves by its own share: moves that are equal could cancel."""
    return np.random.default_rng(0).uniform(0.5, 1.5, shape) if np.prod(shape) > 1 else 1.0


def _is_exact(given: Any) -> bool:
    if isinstance(given, list | tuple):
        return all(isinstance(each, float) for each in given)
    return isinstance(given, float | np.ndarray)


def _moved(array: Array, step: float) -> Array:
    return np.asarray(array + step * np.asarray(shares(array.shape))).astype(array.dtype)

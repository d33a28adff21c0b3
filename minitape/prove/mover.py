"""What a perturbation does inside the script's process: it moves a number as it is made, and reads the target.

    Mover      a companion (`run/jobs.py`): picked up where the judging is done, at work where the script runs
    shares     by how much each element is moved, as a part of the step

Whatever Python the user names reads this page, so it needs the engine and nothing besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitape.core import events, listeners
from minitape.core.primitive import OpRan
from minitape.core.values import Array
from minitape.core.variable import VariableMade


class _Measured(BaseException):
    """The call in question was reached: the rest of the script need not run."""


@dataclass
class Mover:
    """Moves the `count`-th value of its kind by `step`, and reads the target of the `call`-th gradient call.

    With `widens` all values of float32 become float64 as they enter, so that a small step can be seen.
    """

    kind: str
    count: int
    call: int
    widens: bool
    step: float
    _target: float | None = field(default=None, init=False)
    _seen: dict[str, int] = field(default_factory=dict, init=False)
    _listening: AbstractContextManager[None] | None = field(default=None, init=False)

    def __enter__(self) -> Mover:
        self._listening = listeners.listen(self)
        self._listening.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        assert self._listening is not None
        self._listening.__exit__(None, None, None)

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
            self._born("variable", event.variable._tensor)
        elif isinstance(event, OpRan):
            for tensor in event.outputs:
                self._widen(tensor)
            self._born("op", event.outputs[0])
        elif isinstance(event, events.GradientCalled):
            self._seen["call"] = self._seen.get("call", 0) + 1
            if self._seen["call"] == self.call:
                self._target = _total(event.targets)
                raise _Measured

    def _widen(self, tensor: Any, given: Any = None) -> None:
        """To float64; a number of Python's or NumPy's had more digits before it became a tensor."""
        if self.widens and tensor._array.dtype == np.float32:
            exact = np.array(given if _is_exact(given) else tensor._array, np.float64)
            tensor._array = np.broadcast_to(exact, tensor._array.shape)

    def _born(self, kind: str, tensor: Any) -> None:
        self._seen[kind] = self._seen.get(kind, 0) + 1
        if kind == self.kind and self._seen[kind] == self.count:
            tensor._array = _moved(tensor._array, self.step)


def shares(shape: Sequence[int]) -> Any:
    """Each element moves by its own share: moves that are equal could cancel."""
    return np.random.default_rng(0).uniform(0.5, 1.5, shape) if np.prod(shape) > 1 else 1.0


def _is_exact(given: Any) -> bool:
    if isinstance(given, list | tuple):
        return all(isinstance(each, float) for each in given)
    return isinstance(given, float | np.ndarray)


def _moved(array: Array, step: float) -> Array:
    return np.asarray(array + step * np.asarray(shares(array.shape))).astype(array.dtype)


def _total(targets: tuple[Any, ...]) -> float | None:
    try:
        return float(sum(np.sum(np.asarray(getattr(t, "_array", t)).real) for t in targets))
    except (TypeError, ValueError):
        return None

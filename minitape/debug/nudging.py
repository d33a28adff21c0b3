"""Does a None or a zero hide a real slope, or a gradient lack a share? The script runs again with the first value of the
source moved a little.

What a tape did not see moves all the same here: NumPy, Python numbers, assigns, other tapes. So a target that moves although its
gradient is None depends on the source by a way that was lost; one that stays shows no sign of such a way.

All runs compute in float64 where the script can: each value is widened as it enters. Where a script insists on its own dtype,
that one is used, with larger steps.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from minitape.core import events
from minitape.core.values import Array
from minitape.debug.flow import Flow
from minitape.debug.report import Nudge
from minitape.debug.rerun import Again
from minitape.debug.trace import Event, Trace

_STEPS: dict[type[np.floating[Any]], float] = {np.float64: 1e-4, np.float32: 1e-2}
_LEVEL = 1e-3  # up and down alike to this share: the target only curves here
_ROUNDED = 1e-3  # what float32 may lose of a sum in which much cancels
_FLAT = 1e-4  # a slope so small may be rounding
_AGREE = 0.05  # two steps, one half of the other, give one slope or the target is not smooth here


class _Measured(BaseException):
    """The call in question was reached: the rest of the script need not run."""


@dataclass
class _Mover:
    """Moves the `count`-th value of its kind by `step`, and reads the target of the `call`-th gradient call."""

    kind: str
    count: int
    call: int
    dtype: type
    step: float
    target: float | None = None
    _seen: dict[str, int] = field(default_factory=dict)

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product

    def tell(self, event: Any) -> None:
        if isinstance(event, events.Entered):
            self._widen(event.tensor, event.given)
            if not event.how.startswith(("tf.Variable", "Variable.")):
                self._born("constant", event.tensor)
        elif isinstance(event, events.VariableMade):
            self._born("variable", event.variable._tensor)
        elif isinstance(event, events.OpRan):
            for tensor in event.outputs:
                self._widen(tensor)
            self._born("op", event.outputs[0])
        elif isinstance(event, events.GradientCalled):
            self._seen["call"] = self._seen.get("call", 0) + 1
            if self._seen["call"] == self.call:
                self.target = _total(event.targets)
                raise _Measured

    def _widen(self, tensor: Any, given: Any = None) -> None:
        """To float64; a number of Python's or NumPy's had more digits before it became a tensor."""
        if self.dtype is np.float64 and tensor._array.dtype == np.float32:
            exact = np.array(given if _is_exact(given) else tensor._array, np.float64)
            tensor._array = np.broadcast_to(exact, tensor._array.shape)

    def _born(self, kind: str, tensor: Any) -> None:
        self._seen[kind] = self._seen.get(kind, 0) + 1
        if kind == self.kind and self._seen[kind] == self.count:
            tensor._array = _moved(tensor._array, self.step)


def _is_exact(given: Any) -> bool:
    if isinstance(given, list | tuple):
        return all(isinstance(each, float) for each in given)
    return isinstance(given, float | np.ndarray)


def _moved(array: Array, step: float) -> Array:
    """All elements, each by its own share: moves that are equal could cancel."""
    return np.asarray(array + step * np.asarray(_shares(array))).astype(array.dtype)


def _shares(array: Array) -> Any:
    return np.random.default_rng(0).uniform(0.5, 1.5, array.shape) if array.size > 1 else 1.0


def _total(targets: tuple[Any, ...]) -> float | None:
    try:
        return float(sum(np.sum(np.asarray(getattr(t, "_array", t)).real) for t in targets))
    except (TypeError, ValueError):
        return None


def nudged(again: Again, trace: Trace, call: Event, source: int) -> Nudge:
    """Move a source's first value; say whether the target of `call` moves.

    Args:
        again: How to run the script.
        trace: Its first run.
        call: The trace event of the gradient call.
        source: The trace id of the source.
    """
    flow = Flow(trace)
    born = flow.born.get(source)
    place = None if born is None else _place_in_line(trace, born)
    name = str(call["target_name"] or "the target")
    if place is None or not flow.dtype(source).startswith("float"):
        return Nudge(None, None, "not tried: only real numbers that the script makes are moved")
    for dtype, step in _STEPS.items():
        readings = [
            _reading(again, _Mover(*place, call["call"], dtype, each))
            for each in (0.0, 0.0, step, -step, step / 2, -step / 2)
        ]
        known = [each for each in readings if each is not None and np.isfinite(each)]
        if len(known) == len(readings):
            nudge = _judged(name, known, step, float(np.finfo(dtype).eps))
            is_one = flow.numbers[source]["n"] == 1
            return nudge if is_one or not nudge.slope else _along_one_direction(nudge)
    return Nudge(None, None, f"not found out: {name} could not be measured again")


def compared(nudge: Nudge, gradient: Array) -> Nudge:
    """The same, and whether `gradient` is the slope that was measured."""
    if nudge.slope is None:
        return nudge
    shares = gradient * _shares(gradient)
    along, noise = float(np.sum(shares)), _ROUNDED * float(np.sum(np.abs(shares)))
    if abs(along - nudge.slope) <= _AGREE * max(abs(along), abs(nudge.slope)) + noise + _FLAT:
        return nudge
    said = (
        f"{nudge.said}, and the gradient that came back says {along:.3g}. They differ where something is held back on purpose "
        "(stop_gradient, a gradient of your own, numbers from before the tape), or lost on a way that was not found"
    )
    return replace(nudge, said=said, differs=True)


def _along_one_direction(nudge: Nudge) -> Nudge:
    return replace(nudge, said=f"{nudge.said}, with all elements moved, each by its own share")


def _place_in_line(trace: Trace, born: Event) -> tuple[str, int] | None:
    """The kind of a value's birth, and how many of that kind there were up to it."""
    if not born.get("stack") or born["k"] not in ("variable", "constant", "op"):
        return None
    kind = str(born["k"])
    # An operand is written down as a constant, but no tensor of it is ever made.
    alike = (each for each in trace.of(kind) if each["stack"] and each.get("how") != "operand")
    return kind, sum(1 for each in alike if each["i"] <= born["i"])


def _reading(again: Again, mover: _Mover) -> float | None:
    with events.listen(mover):
        again.run(seed=0)
    return mover.target


def _judged(name: str, readings: list[float], step: float, eps: float) -> Nudge:
    still, again, *moved = readings
    if still != again:
        return Nudge(None, None, f"not found out: {name} differs from run to run by itself")
    up, down, half_up, half_down = moved
    noise = 100 * eps * max(1.0, *map(abs, readings))
    if max(abs(each - still) for each in moved) <= noise:
        return Nudge(False, 0.0, f"{name} does not change")
    if abs(up - down) <= noise + _LEVEL * (abs(up - still) + abs(down - still)):
        return Nudge(True, 0.0, f"{name} does change, but its slope here is zero")
    slope, finer = (up - down) / (2 * step), (half_up - half_down) / step
    if abs(slope - finer) > _AGREE * max(abs(slope), abs(finer)) + noise / step:
        return Nudge(True, None, f"{name} does change, but jumps or bends here: no one slope")
    return Nudge(True, finer, f"{name} does change: slope about {finer:.3g}")

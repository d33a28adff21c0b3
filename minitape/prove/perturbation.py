"""Perturbation: does a None or a zero hide a real slope, or does a gradient lack a share? The script runs again with the first
value of the source moved a little.

    nudged      a source is moved: what does the target do?
    compared    the same, beside the gradient that came back

What a tape did not see moves all the same here: NumPy, Python numbers, assigns, other tapes. So a target that moves although its
gradient is None depends on the source by a way that was lost; one that stays shows no sign of such a way.

All runs compute in float64 where the script can: each value is widened as it enters. Where a script insists on its own dtype,
or its engine does, that one is used, with larger steps.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.explain.flow.graph import Flow
from minitape.explain.report import Nudge
from minitape.prove.mover import Mover, shares
from minitape.prove.rerun import Again
from minitape.trace import events
from minitape.trace.trace import Trace

_STEPS: dict[type[np.floating[Any]], float] = {np.float64: 1e-4, np.float32: 1e-2}
_LEVEL = 1e-3  # up and down alike to this share: the target only curves here
_ROUNDED = 1e-3  # what float32 may lose of a sum in which much cancels
_FLAT = 1e-4  # a slope so small may be rounding
_AGREE = 0.05  # two steps, one half of the other, give one slope or the target is not smooth here


def nudged(again: Again, trace: Trace, call: events.Gradient, source: int) -> Nudge:
    """Move a source's first value; say whether the target of `call` moves.

    Args:
        again: Runs the script.
        trace: Its first run.
        call: The gradient call.
        source: The trace id of the source.
    """
    flow = Flow(trace)
    place = _place_in_line(trace, flow.born.get(source))
    name = call.target_name or "the target"
    if place is None or not flow.dtype(source).startswith("float"):
        return Nudge(None, None, "not tried: only real numbers that the script makes are moved")
    is_ours = trace.ran_on.is_minitape
    if not is_ours and place[0] == "op":
        return Nudge(None, None, "not tried: what an op made can only be moved on minitape")
    for dtype in _STEPS if is_ours else (_computed_in(flow, call, source),):
        step = _STEPS[dtype]
        moves = 0.0, 0.0, step, -step, step / 2, -step / 2
        widens = is_ours and dtype is np.float64
        movers = [Mover(*place, call.call, widens, each) for each in moves]
        readings = _readings(again, movers)
        if len(readings) == len(moves):
            nudge = _judged(name, readings, step, float(np.finfo(dtype).eps))
            is_one = flow.numbers[source].size == 1
            return nudge if is_one or not nudge.slope else _along_one_direction(nudge)
    return Nudge(None, None, f"not found out: {name} could not be measured again")


def compared(nudge: Nudge, gradient: Array) -> Nudge:
    """The same, and whether `gradient` is the slope that was measured."""
    if nudge.slope is None:
        return nudge
    changes = gradient * shares(gradient.shape)
    along, noise = float(np.sum(changes)), _ROUNDED * float(np.sum(np.abs(changes)))
    if abs(along - nudge.slope) <= _AGREE * max(abs(along), abs(nudge.slope)) + noise + _FLAT:
        return nudge
    said = (
        f"{nudge.said}, and the gradient that came back says {along:.3g}. They differ where something is held back on purpose "
        "(stop_gradient, a gradient of your own, numbers from before the tape), or lost on a way that was not found"
    )
    return replace(nudge, said=said, differs=True)


def _along_one_direction(nudge: Nudge) -> Nudge:
    return replace(nudge, said=f"{nudge.said}, with all elements moved, each by its own share")


def _place_in_line(trace: Trace, born: events.Event | None) -> tuple[str, int] | None:
    """The kind of a value's birth, and how many of that kind there were up to it."""
    if not isinstance(born, events.Variable | events.Constant | events.Op) or not born.stack:
        return None
    earlier = takewhile(lambda each: each.i <= born.i, trace.of(type(born)))
    return born.kind, sum(1 for each in earlier if each.stack and not _is_operand(each))


def _computed_in(flow: Flow, call: events.Gradient, source: int) -> type[np.floating[Any]]:
    """The precision of a script that no one widens: that of the coarser end."""
    ends = (source, *call.targets)
    return np.float64 if all(flow.dtype(each) == "float64" for each in ends) else np.float32


def _is_operand(event: events.Event) -> bool:
    """Whether it is a number beside a tensor: written down as a constant, but no tensor of it is ever made."""
    return isinstance(event, events.Constant) and event.how == "operand"


def _readings(again: Again, movers: Iterable[Mover]) -> list[float]:
    """The target's value in one run after the other, up to the first that gives none."""
    known: list[float] = []
    for mover in movers:
        reading = again.reading(mover, seed=0)
        if reading is None or not np.isfinite(reading):
            break
        known.append(reading)
    return known


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

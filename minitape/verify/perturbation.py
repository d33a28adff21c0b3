"""Finds out by perturbation whether a None or a zero hides a derivative, and whether a gradient is incomplete. The script runs
again with the first value of the source perturbed.

    nudged      how the target changes when a source is perturbed
    compared    the same result, compared with the returned gradient

A perturbation also passes through what a tape does not record: NumPy, Python numbers, assignments, other tapes. So a target that
changes although its gradient is None depends on the source along a path that was lost. If a target does not change, there is no
evidence of such a path.

If possible, all runs compute in float64: each value is widened when it enters TensorFlow. If a script or its engine requires
another dtype, the runs use that dtype, with larger steps.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.report import PerturbationResult, target_quoted
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape.verify.perturber import Perturber, perturbations
from minitape.verify.rerun import Rerun
from minitape.verify.texts import proof as texts

_STEPS: dict[type[np.floating[Any]], float] = {np.float64: 1e-4, np.float32: 1e-2}
_LEVEL = 1e-3  # relative; a smaller difference between up and down is only curvature
_ROUNDED = 1e-3  # relative; the rounding error of a float32 sum with much cancellation
_FLAT = 1e-4  # a derivative this small may be rounding error
_AGREE = 0.05  # relative; if a step and half a step differ by more, the target is not smooth here


def nudged(
    again: Rerun, trace: Trace, call: events.GradientEvent, source: int
) -> PerturbationResult:
    """Perturb the first value of a source, and report whether the target of `call` changes.

    Args:
        again: Runs the script again.
        trace: Its first run.
        call: The gradient call.
        source: The trace id of the source.
    """
    flow = FlowGraph(trace)
    location = _location_in_line(trace, flow.born.get(source))
    name = target_quoted(call.target_name)
    if location is None or not flow.dtype(source).startswith("float"):
        return PerturbationResult(None, None, texts.ONLY_REAL)
    is_ours = trace.ran_on.is_minitape
    if not is_ours and location[0] == "op":
        return PerturbationResult(None, None, texts.ONLY_MINITAPE)
    for dtype in _STEPS if is_ours else (_computed_in(flow, call, source),):
        step = _STEPS[dtype]
        moves = 0.0, 0.0, step, -step, step / 2, -step / 2
        widens = is_ours and dtype is np.float64
        movers = [Perturber(*location, call.call, widens, each) for each in moves]
        readings = _readings(again, movers)
        if len(readings) == len(moves):
            nudge = _judged(name, readings, step, float(np.finfo(dtype).eps))
            is_one = flow.numbers[source].size == 1
            return nudge if is_one or not nudge.derivative else _along_one_direction(nudge)
    return PerturbationResult(None, None, texts.NOT_READ(target=name))


def compared(nudge: PerturbationResult, gradient: Array) -> PerturbationResult:
    """Return the same result, and whether `gradient` agrees with the numerical derivative."""
    if nudge.derivative is None:
        return nudge
    changes = gradient * perturbations(gradient.shape)
    along, noise = float(np.sum(changes)), _ROUNDED * float(np.sum(np.abs(changes)))
    if (
        abs(along - nudge.derivative)
        <= _AGREE * max(abs(along), abs(nudge.derivative)) + noise + _FLAT
    ):
        return nudge
    said = texts.DIFFERS(result=nudge.text, gradient=f"{along:.3g}")
    return replace(nudge, text=said, differs=True)


def _along_one_direction(nudge: PerturbationResult) -> PerturbationResult:
    return replace(nudge, text=texts.ALONG_A_DIRECTION(result=nudge.text))


def _location_in_line(trace: Trace, born: events.Event | None) -> tuple[str, int] | None:
    """Return the kind of event that made a value, and the number of such events up to it."""
    if (
        not isinstance(born, events.VariableEvent | events.ConstantEvent | events.OpEvent)
        or not born.stack
    ):
        return None
    earlier = takewhile(lambda each: each.i <= born.i, trace.of(type(born)))
    return born.kind, sum(1 for each in earlier if each.stack and not _is_operand(each))


def _computed_in(
    flow: FlowGraph, call: events.GradientEvent, source: int
) -> type[np.floating[Any]]:
    """Return the precision of a script that is not widened, which is the lowest precision of its source and targets."""
    ends = (source, *call.targets)
    return np.float64 if all(flow.dtype(each) == "float64" for each in ends) else np.float32


def _is_operand(event: events.Event) -> bool:
    """Whether the value is a plain number next to a tensor: a constant in the trace from which no tensor was made."""
    return isinstance(event, events.ConstantEvent) and event.how == "operand"


def _readings(again: Rerun, movers: Iterable[Perturber]) -> list[float]:
    """Return the value of the target in each run, up to the first run without one."""
    known: list[float] = []
    for mover in movers:
        reading = again.reading(mover, seed=0)
        if reading is None or not np.isfinite(reading):
            break
        known.append(reading)
    return known


def _judged(name: str, readings: list[float], step: float, eps: float) -> PerturbationResult:
    still, again, *perturbed = readings
    if still != again:
        return PerturbationResult(None, None, texts.NOT_REPRODUCIBLE(target=name))
    up, down, half_up, half_down = perturbed
    noise = 100 * eps * max(1.0, *map(abs, readings))
    if max(abs(each - still) for each in perturbed) <= noise:
        return PerturbationResult(False, 0.0, texts.NO_CHANGE(target=name))
    if abs(up - down) <= noise + _LEVEL * (abs(up - still) + abs(down - still)):
        return PerturbationResult(True, 0.0, texts.ZERO_DERIVATIVE(target=name))
    derivative, finer = (up - down) / (2 * step), (half_up - half_down) / step
    if abs(derivative - finer) > _AGREE * max(abs(derivative), abs(finer)) + noise / step:
        return PerturbationResult(True, None, texts.NO_DERIVATIVE(target=name))
    return PerturbationResult(True, finer, texts.SLOPE(target=name, derivative=f"{finer:.3g}"))

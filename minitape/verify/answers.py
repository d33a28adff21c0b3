"""Finds a gradient call in another run of the script, with or without fixes, and the gradient that it returned there.

requested          a call of a report → its event
same_call          the call in another run
has_same_target    whether its target has the same values in the other run
returned           the gradient for one of its sources in the other run
"""

import math
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from minitape.core.values import Array
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.report import CallReport, Report, SourceReport
from minitape.trace import events
from minitape.trace.trace import Trace

_SAME = 1e-3  # because NumPy computes in float64, and a fixed script in float32


def requested(trace: Trace, call: CallReport) -> events.GradientEvent:
    """Return the event of a call of the report."""
    event = trace.events[call.event]
    assert isinstance(event, events.GradientEvent)
    return event


def same_call(report: Report, call: CallReport) -> CallReport | None:
    """Return the call on the same line and in the same iteration of another run."""
    wanted = call.location.file, call.location.line, call.visit
    for each in report.calls:
        if (each.location.file, each.location.line, each.visit) == wanted:
            return each
    return None


def has_same_target(before: tuple[Trace, Report], trace: Trace, call: CallReport) -> bool:
    """Whether a fix kept the values of the target. A fix that changes these values has changed the program."""
    same = same_call(before[1], call)
    if same is None:
        return False
    numbers = _target_numbers(before[0], same), _target_numbers(trace, call)
    return len(numbers[0]) == len(numbers[1]) and all(
        math.isclose(one, other, rel_tol=_SAME, abs_tol=_SAME)
        for one, other in zip(*numbers, strict=True)
    )


def _target_numbers(trace: Trace, call: CallReport) -> list[float]:
    """Return the targets of a call, each summarized in a few numbers."""
    flow = FlowGraph(trace)
    held = flow.calls[requested(trace, call).call].held
    targets = [flow.numbers.get(each) for each in held]
    known = [(0, 0, 0) if each is None else (each.size, each.mean, each.l2) for each in targets]
    return [float(number or 0.0) for each in known for number in each]


@dataclass(frozen=True)
class Returned:
    """A returned gradient. If the gradient is the sum of `rows`, the trace has only these rows."""

    numbers: events.Numbers
    rows: int | None = None

    @property
    def elements(self) -> Array | None:
        """All elements as an array of real numbers; None if the trace does not contain them, or if they are not real."""
        known = self.numbers.data is not None and self.rows is None
        if not known or not self.numbers.dtype.startswith("float"):
            return None
        return np.asarray(self.numbers.data, np.float64)

    def as_data(self) -> dict[str, Any]:
        """Return the gradient in the form of a trace file, with `rows`."""
        data: dict[str, Any] = msgspec.to_builtins(self.numbers)
        return data if self.rows is None else data | {"rows": self.rows}


def returned(
    trace: Trace, call: CallReport, source: SourceReport, *, picked: int | None
) -> Returned | None:
    """Return the gradient for a source; for an original in place of its copy, return the part that the program picked."""
    number = requested(trace, call).call
    for each in trace.of(events.ResultEvent):
        if (each.call, each.source) == (number, source.index):
            if each.numbers is None:
                return None
            if picked is not None:
                return _picked(trace, each.numbers, picked)
            return _of_whole_source(FlowGraph(trace).numbers.get(source.value), each.numbers)
    return None


def _of_whole_source(source: events.Numbers | None, gradient: events.Numbers) -> Returned:
    """Return the gradient with the shape of its source. For gathered rows, the trace has only the rows of the gradient."""
    shape = gradient.shape
    if source is None or source.shape == shape or source.shape[1:] != shape[1:]:
        return Returned(gradient)
    return Returned(msgspec.structs.replace(gradient, shape=source.shape), shape[0])


def _picked(trace: Trace, gradient: events.Numbers, entry: int) -> Returned | None:
    """Return what the program computed from a gradient right afterwards: an entry, a part, or a combination with others."""
    for op in trace.of(events.OpEvent):
        if any(given.value == gradient.id for given in op.inputs):
            return Returned(op.outputs[min(entry, len(op.outputs) - 1)])
    return None

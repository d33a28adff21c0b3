"""A gradient call that ran in a loop, as data: its results in each iteration, for each source.

Numbers are stored as base64 of little-endian arrays, which browsers read much faster than JSON. An array has a row for each
source and an entry for each iteration. Norms and ratios are stored as base-10 logarithms, so that float32 covers the range of
every dtype. NaN means missing, -inf is the logarithm of 0.
"""

import base64
import math
import re
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.notes.depth import gradients_by_layer
from minitape.explain.notes.updates import size_of, updates_of
from minitape.explain.over_time import CallHistory, over_time
from minitape.explain.report import Report
from minitape.html.run.words import findings, growth
from minitape.timeline import Timeline, TimelineCall
from minitape.trace import events
from minitape.trace.trace import Trace

MANY = 8  # from this number of iterations on, a page opens with the overview, and lists iterations instead of steps
LAYERS = "at the activations"
LAYER = "gradient that arrives at {name}"
_MOST_LAYERS = 24
_OF_LAYERS = {"vanishing-layers", "vanishing-steps", "exploding-layers", "exploding-steps"}
_HELD = re.compile(r"(.+)(?:[/.][^/.\[\]]+|\[[^\[\]]*\])")


def loops(report: Report) -> list[CallHistory]:
    """Return the gradient calls that ran more than once, the call with the most iterations first."""
    return sorted(over_time(report), key=lambda history: -history.iterations)


def as_iterations(
    trace: Trace, histories: Sequence[CallHistory], timeline: Timeline
) -> list[dict[str, Any]]:
    """Return the data of each call for the page's script."""
    if not histories:
        return []
    flow = trace.once(FlowGraph)  # the explainer has created it
    calls = {call.event.i: call for call in flow.calls.values()}
    steps = _Steps(timeline)
    return [_iterations(flow, [calls[i] for i in each.events], each, steps) for each in histories]


class _Steps:
    """The step of each event that has a step."""

    def __init__(self, timeline: Timeline) -> None:
        self._calls = {call.number: call for call in timeline.calls}
        self._at = {step.event: step.index for step in timeline.steps}

    def calls_of(self, calls: Sequence[GradientCall]) -> list[TimelineCall]:
        return [self._calls[call.event.call] for call in calls]

    def requested(self, call: GradientCall) -> int:
        return self._at[call.event.i]

    def first_result(self, call: GradientCall) -> int:
        """Return the step from which on the results of all sources follow in order; -1 if they do not."""
        steps = [self._at.get(result.i, -1) for result in call.results]
        first = steps[0] if steps else -1
        return first if steps == list(range(first, first + len(call.event.sources))) else -1


def _iterations(
    flow: FlowGraph, calls: Sequence[GradientCall], history: CallHistory, steps: _Steps
) -> dict[str, Any]:
    rows = range(len(history.rows))
    derivatives = [_derivatives(call, len(rows)) for call in calls]
    weights = [[_held(flow, call, row) for call in calls] for row in rows]
    moves = [list(_moves(flow, calls, row, held)) for row, held in enumerate(weights)]
    targets = [_target(flow, call) for call in calls]
    layers = _of_layers(flow, calls)
    names = [row.name for row in history.rows]
    of_sources = [[derivative[row] for derivative in derivatives] for row in rows]
    return {
        "line": history.location.line,
        "text": history.text,
        "target": calls[0].event.target_name or "the target",
        "isMean": any(numbers is not None and numbers.size > 1 for numbers in targets),
        "iterations": history.iterations,
        "requested": _ints([steps.requested(call) for call in calls]),
        "results": _ints([steps.first_result(call) for call in calls]),
        "targets": _packed("d", [_mean(numbers) for numbers in targets]),
        "held": _stretches(map(_kind, targets)),
        "sources": len(rows),
        "rows": [_row(history, row) for row in rows]
        + [_layer_row(name, norms) for name, norms in layers.items()],
        "norms": packed_logs([*of_sources, *layers.values()]),
        "weights": packed_logs(weights, without=len(layers)),
        "moves": packed_logs(moves, without=len(layers)),
        "notes": [
            [note.code, [list(each) for each in note.iterations], note.slug in _OF_LAYERS]
            for note in history.notes
        ],
        "why": [*growth(names, of_sources, moves), *findings(steps.calls_of(calls))],
    }


def _of_layers(flow: FlowGraph, calls: Sequence[GradientCall]) -> dict[str, list[float | None]]:
    """Return the norms of the gradients that arrive at each layer, or at some of the steps of a recurrence."""
    found = [gradients_by_layer(flow, call) for call in calls]
    names = [*dict.fromkeys(name for each in found for name in each)]
    if len(names) > _MOST_LAYERS:
        names = [names[k * (len(names) - 1) // (_MOST_LAYERS - 1)] for k in range(_MOST_LAYERS)]
    return {name: [each.get(name) for each in found] for name in names}


def _layer_row(name: str, norms: Sequence[float | None]) -> dict[str, Any]:
    kinds = _stretches("empty" if each is None else "zero" if not each else "ok" for each in norms)
    return {"name": LAYER.format(name=name), "label": name, "layer": LAYERS, "stretches": kinds}


def _row(history: CallHistory, row: int) -> dict[str, Any]:
    name = history.rows[row].name
    stretches = history.rows[row].stretches
    return {
        "name": name,
        "layer": layer_of(name),
        "stretches": [[each.first - 1, each.last - 1, each.outcome.value] for each in stretches],
    }


def layer_of(name: str) -> str:
    """Return the layer to which a weight belongs, or the object that contains it; empty if the name does not show this.

    >>> layer_of("encoder/dense_1/kernel"), layer_of("self.w1"), layer_of("weights[3]"), layer_of("w")
    ('encoder/dense_1', 'self', 'weights', '')
    """
    held = _HELD.fullmatch(name)
    return held[1] if held else ""


# --- numbers ---


def _target(flow: FlowGraph, call: GradientCall) -> events.Numbers | None:
    """Return the value of the target, if there is a single one."""
    targets = call.event.targets
    return flow.numbers.get(targets[0]) if len(targets) == 1 else None


def _mean(numbers: events.Numbers | None) -> float:
    if numbers is None or numbers.mean is None or numbers.nan or numbers.inf:
        return math.nan
    return numbers.mean


def _kind(numbers: events.Numbers | None) -> str:
    """Return whether a target is finite, inf or nan; empty if it is unknown."""
    if numbers is None or (numbers.mean is None and not (numbers.nan or numbers.inf)):
        return ""
    return "nan" if numbers.nan else "inf" if numbers.inf else "finite"


def _stretches(kinds: Iterable[str]) -> list[list[Any]]:
    """Return consecutive iterations of the same kind: first, last, kind."""
    found: list[list[Any]] = []
    for iteration, kind in enumerate(kinds):
        if found and found[-1][2] == kind:
            found[-1][1] = iteration
        else:
            found.append([iteration, iteration, kind])
    return found


def _derivatives(call: GradientCall, rows: int) -> list[float | None]:
    """Return the norm of the gradient for each source."""
    found: list[float | None] = [None] * rows
    for result in call.results:
        found[result.source] = None if result.numbers is None else result.numbers.l2
    return found


def _held(flow: FlowGraph, call: GradientCall, row: int) -> float | None:
    """Return the norm of a variable when its gradient was requested."""
    made = _variable(flow, call, row)
    if made is None:
        return None
    assigns = flow.assigns.get(made.variable, [])
    before = bisect_left(assigns, call.event.i, key=lambda assign: assign.i)
    return (assigns[before - 1] if before else made).numbers.l2


def _moves(
    flow: FlowGraph, calls: Sequence[GradientCall], row: int, held: Sequence[float | None]
) -> Iterator[float | None]:
    """Yield the relative change of a variable after each iteration."""
    ends = [*(call.event.i for call in calls[1:]), len(flow.trace)]
    for call, until, weight in zip(calls, ends, held, strict=True):
        made = _variable(flow, call, row)
        updates = [] if made is None else updates_of(flow, call, until, made.variable)
        size = math.hypot(*(size_of(flow, *update) for update in updates)) if updates else math.inf
        yield size / weight if weight and math.isfinite(size) else None


def _variable(flow: FlowGraph, call: GradientCall, row: int) -> events.VariableEvent | None:
    """Return the variable of a source, or None if the source is not a variable."""
    sources = call.event.sources
    value = sources[row].value if row < len(sources) else None
    return None if value is None else flow.variables.get(value)


# --- packing ---


def packed_logs(rows: Sequence[Sequence[float | None]], without: int = 0) -> str:
    """Return the logarithms of the numbers, followed by a number of rows without numbers; empty if there are no numbers."""
    if all(number is None for row in rows for number in row):
        return ""
    numbers = [_log(number) for row in rows for number in row]
    return _packed("f", [*numbers, *[math.nan] * (without * len(rows[0]))])


def _log(number: float | None) -> float:
    if number is None or not math.isfinite(number):
        return math.nan
    return math.log10(number) if number else -math.inf


def _ints(numbers: Sequence[int]) -> str:
    return _packed("i", numbers)


def _packed(kind: str, numbers: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(numbers)}{kind}", *numbers)).decode()

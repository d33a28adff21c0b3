"""Finds where a gradient vanishes or explodes from layer to layer, or from step to step of a recurrence, and which op is the
cause.

A layer is an op with its own weight matrix on the longest path of the backward pass. Scalars do not count, because gradients
with respect to quantities with units, such as a mass and a length, cannot be compared. Ops that repeatedly use the same weights,
or run on the same line, are the steps of a recurrence.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Facts, NoteCase, NoteKind
from minitape.explain.notes.locations import made_at
from minitape.explain.notes.longest_path import (
    Passed,
    factors_between,
    reported,
    spine,
    to_blame,
    weights_of,
)

# Fewer layers than this show no trend.
_LAYERS = 4
_STEPS = 10
# A factor of a thousand between the two ends.
_THOUSAND = 1e3
# Growth over the steps of a recurrence is normal. But with a factor of a million, no learning rate suits both ends.
_MILLION = 1e6
_PER_LAYER = 1.25  # a smaller factor at each layer is normal for a deep network
# Half of the distance from 1 to the next float32. Adding a smaller number to 1 does not change it.
_ROUNDING = 2.0**-24
_LEAST = 1e-37  # below it float32 numbers lose precision, and their ratios are meaningless


def noticed(flow: FlowGraph, iterations: Sequence[GradientCall]) -> Iterator[NoteCase[Facts]]:
    """Yield the gradients that vanish or explode in the backward pass, iteration by iteration."""
    for call in iterations:
        passed = flow.once(spine, call)
        layers = _layers(flow, passed)
        if layers:
            yield from _of_layers(flow, call, passed, layers)
        else:
            yield from _of_steps(flow, call, passed)


def gradients_by_layer(flow: FlowGraph, call: GradientCall) -> dict[str, float]:
    """Return the norms of the gradients that arrive at the layers, or at the steps of a recurrence: the numbers by which
    `noticed` judges. The first layer comes first.

    Returns:
        The norms by the name of the layer, which is that of its weight, or `step 3`; empty for a shallow model.
    """
    passed = flow.once(spine, call)
    layers = _layers(flow, passed)
    if layers:
        names = _names(flow, call, layers)
        numbered = [f"layer {len(layers) - k}" for k in range(len(layers))]
        return _by_name(names or numbered, layers)
    steps = _recurring(flow, passed)
    if len(steps) < _STEPS:
        return {}
    return _by_name([f"step {len(steps) - k}" for k in range(len(steps))], steps)


def _by_name(names: Sequence[str], marks: Sequence[Passed]) -> dict[str, float]:
    pairs = [*zip(names, marks, strict=True)]
    return {name: each.arrived for name, each in reversed(pairs)}


def _layers(flow: FlowGraph, passed: Sequence[Passed]) -> list[Passed]:
    """Return the ops with a weight matrix of their own; empty if they are few, or steps of a recurrence."""
    layers = [each for each in passed if _has_matrix(flow, each)]
    used = Counter(weight for each in layers for weight in weights_of(flow, each.op)[:1])
    return layers if len(used) >= _LAYERS and max(used.values()) < _STEPS else []


def _has_matrix(flow: FlowGraph, each: Passed) -> bool:
    return any(len(flow.variables[w].numbers.shape) > 1 for w in weights_of(flow, each.op))


def _of_layers(
    flow: FlowGraph, call: GradientCall, passed: Sequence[Passed], layers: Sequence[Passed]
) -> list[NoteCase[Facts]]:
    # The cotangent that arrives last is also that of the first bias.
    marks = layers if layers[-1] is passed[-1] else [*layers, passed[-1]]
    alive = [each for each in marks if each.arrived > _LEAST]
    for kind, top in (
        (kinds.vanishing_layers, max(alive, key=_arrived, default=None)),
        (kinds.exploding_layers, min(alive, key=_arrived, default=None)),
    ):
        from_top = [] if top is None else alive[alive.index(top) :]
        if len(from_top) >= _LAYERS and _is_steep(from_top):
            return [_case(flow, call, kind, passed, from_top)]
    return []


def _arrived(each: Passed) -> float:
    return each.arrived


def _is_steep(marks: Sequence[Passed]) -> bool:
    """Whether the norms at the ends differ by more than a factor of a thousand, to which each layer contributes."""
    first, last = marks[0], marks[-1]
    ratio = last.arrived / first.arrived
    sign = 1 if ratio > 1 else -1
    steep = [(far.arrived / near.arrived) ** sign > _PER_LAYER for near, far in pairwise(marks)]
    is_trend = steep.count(True) > 1  # a single steep layer does not make a trend
    is_large = max(ratio, 1 / ratio) > _PER_LAYER ** (len(marks) - 1)
    return is_trend and is_large and not _is_level(first, last)


def _is_level(one: Passed, other: Passed) -> bool:
    """Whether the norms differ by no more than a factor of a thousand."""
    return 1 / _THOUSAND <= other.arrived / one.arrived <= _THOUSAND


def _of_steps(
    flow: FlowGraph, call: GradientCall, passed: Sequence[Passed]
) -> list[NoteCase[Facts]]:
    steps = _recurring(flow, passed)
    if len(steps) < _STEPS:
        return []
    alive = [each for each in steps if each.arrived > _LEAST]
    if not alive:
        return []
    most = max(map(_arrived, steps))
    influential = max(n for n, each in enumerate(steps, 1) if each.arrived > _ROUNDING * most)
    if influential < len(steps) / 2 and _takes_in(flow, passed, steps):
        return [
            _case(
                flow,
                call,
                kinds.vanishing_steps,
                passed,
                alive,
                influential=influential,
                of=len(steps),
            )
        ]
    if alive[-1].arrived > _MILLION * alive[0].arrived:
        return [_case(flow, call, kinds.exploding_steps, passed, alive, of=len(steps))]
    return []


def _takes_in(flow: FlowGraph, passed: Sequence[Passed], steps: Sequence[Passed]) -> bool:
    """Whether each step has a new input. The steps of a solver have none, and its result may correctly be independent of the
    starting point.
    """
    own = {output.id for each in passed for output in each.op.outputs}
    given = {
        _likeness(flow, value)
        for each in passed
        for value in (given.value for given in each.op.inputs)
        if value not in own and not _is_of(flow, value, own)
    }
    return len(given) >= len(steps) / 2


def _is_of(flow: FlowGraph, value: int, own: set[int], far: int = 3) -> bool:
    """Whether an input of the path was computed from a value on the path, by at most `far` ops."""
    op = flow.op_behind(value)
    if op is None or far == 0:
        return False
    before = [given.value for given in op.inputs]
    return any(each in own or _is_of(flow, each, own, far - 1) for each in before)


def _likeness(flow: FlowGraph, value: int) -> object:
    """Return a key that is equal for equal values, such as the constant 0.5 of each step."""
    numbers = flow.numbers.get(value)
    return numbers and (numbers.min, numbers.max, numbers.mean, numbers.l2)


def _recurring(flow: FlowGraph, passed: Sequence[Passed]) -> list[Passed]:
    """Return the runs of the op that runs most often, with the same weights or at the same location in the program."""
    same: dict[object, list[Passed]] = {}
    for each in passed:
        for weight in weights_of(flow, each.op)[:1]:
            same.setdefault(weight, []).append(each)
        same.setdefault((each.op.name, *each.op.stack), []).append(each)
    return max(same.values(), key=len, default=[])


def _case(
    flow: FlowGraph,
    call: GradientCall,
    kind: NoteKind[kinds.Trend],
    passed: Sequence[Passed],
    marks: Sequence[Passed],
    *,
    influential: int = 0,
    of: int = 0,
) -> NoteCase[Facts]:
    """Return the ops between the first and the last mark, and which of them changes the gradient most."""
    first, last = marks[0], marks[-1]
    factors = factors_between(passed, first.location, last.location)
    shrinks = last.arrived < first.arrived
    blamed = to_blame(factors, shrinks=shrinks)
    between = passed[first.location : last.location + 1]
    guilty = [each.op for each in between if each.op.name == blamed]
    at, lines = made_at(flow, guilty, is_recurrence=of > 0)
    trend = kinds.Trend(
        ratio=last.arrived / first.arrived,
        layers=len(marks),
        begins=_beginning(marks),
        names=tuple(_names(flow, call, marks)),
        op=blamed,
        weights=tuple(weight for op in guilty for weight in weights_of(flow, op)),
        influential=influential,
        of=of,
    )
    return NoteCase(
        kind,
        call,
        guilty[-1].i,
        trend,
        at=at,
        lines=lines,
        visits=(call.event.visit,),
        factors=reported(between, factors, blamed),
    )


def _beginning(marks: Sequence[Passed]) -> int:
    """Return how many layers or steps from the target the norm has shrunk to a thousandth, or grown to a thousand times
    its size.
    """
    far = (count for count, each in enumerate(marks) if not _is_level(marks[0], each))
    return next(far, len(marks))


def _names(flow: FlowGraph, call: GradientCall, marks: Sequence[Passed]) -> list[str]:
    """Return the layers, each by its weight among the sources; empty if that does not distinguish all of them."""
    requested = {source.value: source.name for source in call.event.sources}
    weights = (weights_of(flow, each.op)[:1] for each in marks)
    names = [requested.get(weight, "") for found in weights for weight in found]
    return names if all(names) and len(set(names)) == len(marks) else []

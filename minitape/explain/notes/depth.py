"""From layer to layer, and from step to step of a recurrence: where a gradient fades or explodes, and by which op.

A layer is an op with a matrix of weights of its own on the longest way back: of numbers with units, such as a mass and a length,
the gradients differ by right. Where the same weights, or the same line, come again and again, they are the steps of a recurrence.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Kind, Noted
from minitape.explain.notes.makers import made_at
from minitape.explain.notes.spine import (
    Passed,
    factors_between,
    spine,
    to_blame,
    told,
    weights_of,
)

# With fewer layers than this one cannot speak of a trend.
_LAYERS = 4
_STEPS = 10
# Three orders of magnitude from one end to the other.
_THOUSAND = 1e3
# A recurrence may well grow; but with six of the seven digits of float32 between its ends, nothing suits both.
_MILLION = 1e6
_PER_LAYER = (
    1.25  # less than that at each layer is the drift of a deep network, and no fault of any of them
)
# Half of the distance from 1 to the next number of float32: what is added and is smaller than that changes nothing.
_ROUNDING = 2.0**-24
_LEAST = 1e-37  # below it the numbers of float32 lose digits, and their ratios tell nothing


def noticed(flow: Flow, rounds: Sequence[Call]) -> Iterator[Noted]:
    """What fades or explodes on the way back, round by round."""
    for call in rounds:
        passed = flow.once(spine, call)
        layers = [each for each in passed if _has_matrix(flow, each)]
        used = Counter(weight for each in layers for weight in weights_of(flow, each.op)[:1])
        if len(used) >= _LAYERS and max(used.values()) < _STEPS:
            yield from _of_layers(flow, call, passed, layers)
        else:
            yield from _of_steps(flow, call, passed)


def _has_matrix(flow: Flow, each: Passed) -> bool:
    return any(len(flow.variables[w].numbers.shape) > 1 for w in weights_of(flow, each.op))


def _of_layers(
    flow: Flow, call: Call, passed: Sequence[Passed], layers: Sequence[Passed]
) -> list[Noted]:
    marks = layers if layers[-1] is passed[-1] else [*layers, passed[-1]]  # there the first bias is
    alive = [each for each in marks if each.arrived > _LEAST]
    for kind, top in (
        (kinds.fading_layers, max(alive, key=_arrived, default=None)),
        (kinds.exploding_layers, min(alive, key=_arrived, default=None)),
    ):
        from_top = [] if top is None else alive[alive.index(top) :]
        if len(from_top) >= _LAYERS and _is_steep(from_top):
            return [_case(flow, call, kind, passed, from_top)]
    return []


def _arrived(each: Passed) -> float:
    return each.arrived


def _is_steep(marks: Sequence[Passed]) -> bool:
    """Whether the ends are far apart, and each layer has a part in it."""
    first, last = marks[0], marks[-1]
    ratio = last.arrived / first.arrived
    return not _is_level(first, last) and max(ratio, 1 / ratio) > _PER_LAYER ** (len(marks) - 1)


def _is_level(one: Passed, other: Passed) -> bool:
    """Whether the one is less than a thousand times as large as the other."""
    return 1 / _THOUSAND <= other.arrived / one.arrived <= _THOUSAND


def _of_steps(flow: Flow, call: Call, passed: Sequence[Passed]) -> list[Noted]:
    steps = _recurring(flow, passed)
    if len(steps) < _STEPS:
        return []
    alive = [each for each in steps if each.arrived > _LEAST]
    if not alive:
        return []
    most = max(map(_arrived, steps))
    heard = max(n for n, each in enumerate(steps, 1) if each.arrived > _ROUNDING * most)
    if heard < len(steps) / 2 and _takes_in(flow, passed, steps):
        return [_case(flow, call, kinds.fading_steps, passed, alive, heard=heard, of=len(steps))]
    if alive[-1].arrived > _MILLION * alive[0].arrived:
        return [_case(flow, call, kinds.exploding_steps, passed, alive, of=len(steps))]
    return []


def _takes_in(flow: Flow, passed: Sequence[Passed], steps: Sequence[Passed]) -> bool:
    """Whether the steps are given something new each time. A solver is not: that it forgets where it began is what it is for."""
    own = {output.id for each in passed for output in each.op.outputs}
    given = {
        _likeness(flow, value)
        for each in passed
        for value in (given.value for given in each.op.inputs)
        if value not in own and not _is_of(flow, value, own)
    }
    return len(given) >= len(steps) / 2


def _is_of(flow: Flow, value: int, own: set[int], far: int = 3) -> bool:
    """Whether a value beside the way was computed from one on it, a few ops before."""
    op = flow.op_behind(value)
    if op is None or far == 0:
        return False
    before = [given.value for given in op.inputs]
    return any(each in own or _is_of(flow, each, own, far - 1) for each in before)


def _likeness(flow: Flow, value: int) -> object:
    """The same for what has the same numbers, such as the 0.5 of each step."""
    numbers = flow.numbers.get(value)
    return numbers and (numbers.min, numbers.max, numbers.mean, numbers.l2)


def _recurring(flow: Flow, passed: Sequence[Passed]) -> list[Passed]:
    """The op that comes again most often: with the same weights, or at the same place of the program."""
    same: dict[object, list[Passed]] = {}
    for each in passed:
        for weight in weights_of(flow, each.op)[:1]:
            same.setdefault(weight, []).append(each)
        same.setdefault((each.op.name, *each.op.stack), []).append(each)
    return max(same.values(), key=len, default=[])


def _case(
    flow: Flow,
    call: Call,
    kind: Kind,
    passed: Sequence[Passed],
    marks: Sequence[Passed],
    **facts: Any,
) -> Noted:
    """The ops between the first and the last mark, and which of them is to blame."""
    first, last = marks[0], marks[-1]
    factors = factors_between(passed, first.place, last.place)
    shrinks = last.arrived < first.arrived
    blamed = to_blame(factors, shrinks=shrinks)
    between = passed[first.place : last.place + 1]
    guilty = [each.op for each in between if each.op.name == blamed]
    at, lines = made_at(flow, guilty, is_recurrence="of" in facts)
    facts |= {
        "ratio": last.arrived / first.arrived,
        "layers": len(marks),
        "begins": _beginning(marks),
        "names": _names(flow, call, marks),
        "factors": factors,
        "weights": [weight for op in guilty for weight in weights_of(flow, op)],
    }
    return Noted(
        kind,
        call,
        guilty[-1].i,
        at=at,
        lines=lines,
        visits=(call.event.visit,),
        factors=told(between, factors, blamed),
        facts=facts | {"op": blamed},
    )


def _beginning(marks: Sequence[Passed]) -> int:
    """How many layers or steps from the target it is a thousandth, or a thousand times as much."""
    far = (count for count, each in enumerate(marks) if not _is_level(marks[0], each))
    return next(far, len(marks))


def _names(flow: Flow, call: Call, marks: Sequence[Passed]) -> list[str]:
    """The layers, each by the weight that was asked for; none if they are not all told from each other so."""
    asked = {source.value: source.name for source in call.event.sources}
    weights = (weights_of(flow, each.op)[:1] for each in marks)
    names = [asked.get(weight, "") for found in weights for weight in found]
    return names if all(names) and len(set(names)) == len(marks) else []

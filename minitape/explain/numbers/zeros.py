"""Zeros: the first step of the walk back that sent nothing.

A cotangent that is all zeros on arrival came from a step that was given something and sent nothing: that op is flat there.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from minitape.explain.causes import cuts, zeros
from minitape.explain.causes.cause import Break, Cause, Facts, Untyped
from minitape.explain.flow.calls import Call, Sent, Step
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.magnitudes import TINY, is_broken, is_zero, largest
from minitape.explain.flow.program.text import only_line_that_says
from minitape.trace import events
from minitape.trace.events import Numbers

_FLATTENED = 1e-3  # a step that passes on a smaller share than this is flat
_ROUNDING = 1e-5  # what float32 leaves of a sum that is 0 on paper, as a share of its largest part
# Ops that are flat somewhere, and the cause of zeros there.
_FLAT = {
    "ClipByValue": zeros.clipped,
    "EagerPyFunc": cuts.host_callback,
    "Erf": zeros.saturated,
    "Exp": zeros.saturated,
    "LogSoftmax": zeros.saturated,
    "Maximum": zeros.clipped,
    "Minimum": zeros.clipped,
    "Relu": zeros.dead_relu,
    "Relu6": zeros.dead_relu,
    "SelectV2": zeros.where_unselected,
    "Sigmoid": zeros.saturated,
    "Sign": zeros.step_function,
    "Softmax": zeros.saturated,
    "Softplus": zeros.saturated,
    "Tanh": zeros.saturated,
}
# Flatness that leaves nothing at all; where a little comes through, little was sent.
_HARD = {zeros.clipped, zeros.dead_relu, zeros.step_function, zeros.where_unselected}
# The slopes of functions that are made of straight pieces: they read on which side of the bend a value lies, and nothing more.
_STRAIGHT = {"LeakyReluGrad", "Relu6Grad", "ReluGrad"}
# Ops whose rules multiply by the other input.
_PRODUCTS = {
    "BatchMatMulV2", "Conv2D", "DivNoNan", "Einsum", "MatMul", "Mul", "MulNoNan", "RealDiv", "Xlogy",
}  # fmt: skip


def _is_all_zeros(numbers: Numbers | None) -> bool:
    """Whether each number is 0 itself: a small factor is none that takes all."""
    return is_zero(numbers) and not largest(numbers)


def why_zero(flow: Flow, call: Call, source: int) -> Break[Facts] | None:
    """The op that was owed something and passed nothing on towards the source."""
    empty = flow.once(_emptied, call)
    if empty is not None:
        return empty
    nearest = _nearest(call, source, flow.once(_flat_steps, call))
    if nearest is None:
        return flow.once(_dwindled, call)
    if nearest.cancels:
        op = nearest.sent.step.op
        facts = {"alone" if _is_mean_of_one(flow, call, op) else "shares": True}
        return Break(zeros.sums_to_constant, op.i, facts=Untyped(facts))
    return _of_either(flow, source, _flat(flow, nearest.sent))


def _of_either(flow: Flow, source: int, found: Break[Facts] | None) -> Break[Facts] | None:
    """Two variables that are multiplied, both all zeros: each holds the other back, and one of them is to change."""
    if found is None or found.cause is not zeros.zero_init or source not in flow.variables:
        return found
    if not is_zero(flow.numbers.get(source)) or source == found.facts["factor"]:
        return found
    first, other = sorted([source, found.facts["factor"]])
    facts = found.facts | {"factor": first, "other": other}
    return Break(zeros.zero_init, flow.variables[first].i, found.also, Untyped(facts))


class _FlatStep(NamedTuple):
    """A step that was owed something and sent zeros, so many ops from a value; or the last of several shares that cancel."""

    distance: int
    sent: Sent
    cancels: bool = False


def _flat_steps(_: Flow, call: Call) -> dict[int, _FlatStep | None]:
    """For each value on the walk the nearest flat step that its zeros come from; found in the order of the walk."""
    found: dict[int, _FlatStep | None] = {}
    for step in call.steps:
        for output in step.op.outputs:
            found[output.id] = _nearest(call, output.id, found)
    return found


def _nearest(call: Call, value: int, found: dict[int, _FlatStep | None]) -> _FlatStep | None:
    shares = call.sent_to.get(value, [])
    zeros = [sent for sent in shares if is_zero(sent.share.numbers)]
    if not zeros:
        return _FlatStep(0, shares[0], cancels=True) if _cancel(shares) else None
    for sent in zeros:
        arrived = sent.step.back.arrived
        if largest(arrived) > TINY or is_broken(arrived):
            return _FlatStep(0, sent)
    further = [found.get(output.id) for sent in zeros for output in sent.step.op.outputs]
    nearest = min((each for each in further if each), key=lambda each: each.distance, default=None)
    return None if nearest is None else nearest._replace(distance=nearest.distance + 1)


def _cancel(shares: list[Sent]) -> bool:
    """Whether several shares leave a mere rounding of themselves; a sum that is more than that is small by itself."""
    if len(shares) < 2:
        return False
    total = shares[-1].share.total
    most = max(largest(sent.share.numbers) for sent in shares)
    return is_zero(total) and largest(total) <= _ROUNDING * most


def _is_mean_of_one(flow: Flow, call: Call, op: events.Op) -> bool:
    """Whether the same expression takes a mean over a single element: it takes a value away from itself."""
    here = flow.innermost(op)
    return here is not None and any(
        step.op.name == "Mean"
        and flow.innermost(step.op) is here
        and step.op.outputs[0].size == flow.numbers[step.op.inputs[0].value].size
        for step in call.steps
    )


def _emptied(flow: Flow, call: Call) -> Break[Facts] | None:
    """The op that chose no element at all."""
    for step in reversed(call.steps):
        op = step.op
        if op.outputs[0].size:
            continue
        given = [flow.numbers.get(each.value) for each in op.inputs if flow.is_smooth(each.value)]
        if all(each is None or each.size for each in given):
            return Break(zeros.masked_out, op.i, (step.back.i,), Untyped({"empty": True}))
    return None


def _flat(flow: Flow, sent: Sent) -> Break[Facts] | None:
    """What kind of flatness it is: the op's own, or a factor that is all zeros."""
    step, share = sent.step, sent.share
    back, op = step.back, step.op
    cause = _flatness(flow, op, share.value)
    facts: dict[str, Any] = {"op": op.i, "sent": share.value}
    if op.name in _STRAIGHT or (op.name == "Sign" and op.number in flow.call_of_op):
        return _of_straight_pieces(flow, sent)
    if cause in _HARD and largest(share.numbers):
        return None
    if cause is zeros.saturated and not _is_flat_here(sent):
        return None
    if op.name in ("Softmax", "LogSoftmax"):
        return _of_softmax(flow, step, facts)
    if cause is not None:
        return Break(cause, op.i, (back.i,), Untyped(facts))
    for value in [*share.reads, *_others(op, share.value)]:
        if _is_all_zeros(flow.numbers.get(value)):
            return _zero_factor(flow, step, value, facts)
    return None


def _flatness(flow: Flow, op: events.Op, value: int) -> Cause[Any] | None:
    """What an op does to a value where it is flat."""
    if op.name == "Maximum" and any(
        is_zero(flow.numbers.get(other)) for other in _others(op, value)
    ):
        return zeros.dead_relu  # a relu written by hand
    return _FLAT.get(op.name)


def _others(op: events.Op, value: int) -> list[int]:
    """The other inputs of an op; a plain number among them is on no tape, so no rule is said to read it."""
    return [given.value for given in op.inputs if given.value != value]


def _of_softmax(flow: Flow, step: Step, facts: dict[str, Any]) -> Break[Facts]:
    back, op = step.back, step.op
    shape = op.outputs[0].shape
    one_unit = bool(shape) and shape[-1] == 1
    arrived = back.arrived
    same = arrived.max is not None and arrived.max == arrived.min
    cause = zeros.sums_to_constant if one_unit or same else zeros.saturated
    facts |= {"one_unit": one_unit}
    return Break(cause, op.i, (back.i,), Untyped(facts), at=_asked_for(flow, op, "softmax"))


def _of_straight_pieces(flow: Flow, sent: Sent) -> Break[Facts]:
    """The slope of relu, or of the absolute value, does not move with what it was taken at: the second order is lost there."""
    back, op, value = sent.step.back, sent.step.op, sent.share.value
    born = flow.born.get(value, op)
    if op.name == "Sign":
        users = (flow.event(edge.event) for edge in flow.out_of.get(value, ()))
        born = next((e for e in users if isinstance(e, events.Op) and e.name == "Abs"), op)
    return Break(zeros.piecewise_linear, born.i, (op.i, back.i), Untyped({"op": born.i}))


def _in_a_walk(flow: Flow, op: events.Op) -> Break[Facts] | None:
    """Why the gradient call in which an op ran gave zeros."""
    number = flow.call_of_op.get(op.number)
    if number is None:
        return None
    inner = flow.calls[number]
    for result in inner.results:
        source = inner.event.sources[result.source].value
        if source is not None and is_zero(result.numbers):
            found = why_zero(flow, inner, source)
            if found is not None:
                return replace(found, facts=found.facts | {"asked": inner.event.i})
    return None


def _zero_factor(flow: Flow, step: Step, value: int, facts: dict[str, Any]) -> Break[Facts] | None:
    """The rule multiplied by something that is all zeros: where do these come from?"""
    back, op = step.back, step.op
    if op.name not in _PRODUCTS or _is_own_square(op):
        return _cut_off_before(flow, value) or Break(
            zeros.stationary_point, op.i, (back.i,), Untyped(facts)
        )
    value = _origin_of_zeros(flow, value)
    facts |= {"factor": value}
    born = flow.born.get(value, op)
    if value in flow.variables:
        moves_by_itself = value in flow.once_for_all(_with_slope)
        return None if moves_by_itself else Break(zeros.zero_init, born.i, (op.i,), Untyped(facts))
    if isinstance(born, events.Op):
        if _FLAT.get(born.name) == zeros.dead_relu:
            return Break(zeros.dead_relu, born.i, (op.i,), Untyped(facts | {"op": born.i}))
        inner = _in_a_walk(flow, born)
        if inner is not None:
            return inner
    return Break(zeros.masked_out, op.i, (born.i,), Untyped(facts))


def _with_slope(flow: Flow) -> set[int]:
    """The sources that were given a gradient other than 0 at some time: a factor among them moves off 0 by itself."""
    return {
        value
        for call in flow.calls.values()
        for result in call.results
        if result.numbers is not None
        and not is_zero(result.numbers)
        and (value := call.event.sources[result.source].value) is not None
    }


def _cut_off_before(flow: Flow, value: int) -> Break[Facts] | None:
    """The op that made 0 of all that came in: what is squared afterwards is no lowest point of what came in."""
    while (op := flow.op_behind(value)) is not None:
        are_zero = {each.value: _is_all_zeros(flow.numbers.get(each.value)) for each in op.inputs}
        smooth = [each for each in are_zero if flow.is_smooth(each)]
        for given in smooth:
            cause = _flatness(flow, op, given)
            if cause in (zeros.dead_relu, zeros.where_unselected) and not are_zero[given]:
                return Break(cause, op.i, facts=Untyped({"op": op.i, "sent": given}))
        passed = [each for each in smooth if are_zero[each]]
        if not passed:
            return None
        value = passed[0]
    return None


def _origin_of_zeros(flow: Flow, value: int) -> int:
    """The value that these zeros were computed from, as far back as all are zeros."""
    known, passed = flow.once_for_all(_origins), []
    while value not in known:
        before = [edge.start for edge in flow.into.get(value, ()) if edge.kind in ("op", "read")]
        zeros = [
            each
            for each in before
            if flow.is_smooth(each) and _is_all_zeros(flow.numbers.get(each))
        ]
        if not zeros:
            break
        passed.append(value)
        value = zeros[0]
    origin = known.get(value, value)
    known.update(dict.fromkeys(passed, origin))
    return origin


def _origins(_: Flow) -> dict[int, int]:
    return {}


def _is_own_square(op: events.Op) -> bool:
    return op.name == "Mul" and len({each.value for each in op.inputs}) == 1


def _is_flat_here(sent: Sent) -> bool:
    """Whether this step alone takes nearly all; of many that each take a little, none is flat."""
    return largest(sent.share.numbers) < _FLATTENED * largest(sent.step.back.arrived)


def _dwindled(_: Flow, call: Call) -> Break[Facts] | None:
    """Each step passed a little less on until nothing was left."""
    for step in call.steps:
        back, op = step.back, step.op
        if _FLAT.get(op.name) == zeros.saturated and any(
            _is_flat_here(Sent(step, share)) for share in back.sent
        ):
            return Break(zeros.saturated, op.i, (back.i,), Untyped({"op": op.i}))
    return None


def _asked_for(flow: Flow, op: events.Op, word: str) -> tuple[str, int] | None:
    """The one line of the user's file that asks a layer for `word`, where the op ran inside a layer."""
    site = flow.innermost(op)
    if site is None or word in site.expression or site.at.file not in flow.texts:
        return None
    line = only_line_that_says(flow.texts[site.at.file], word)
    return None if line is None else (site.at.file, line)

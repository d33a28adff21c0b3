"""Zero gradients: the first step of the backward pass whose contribution is 0.

If a cotangent is 0 when it arrives at an op, then a step nearer to the target received a nonzero cotangent and passed on 0. The
op of that step has the derivative 0 at this point.
"""

from dataclasses import replace
from typing import NamedTuple

from minitape.explain.causes import cuts, zeros
from minitape.explain.causes.cause import BrokenEdge, Cause, Facts
from minitape.explain.flow.calls import BackwardStep, FlowContribution, GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import TINY, is_broken, is_zero, largest
from minitape.explain.flow.program.text import only_line_that_says
from minitape.trace import events
from minitape.trace.events import Numbers

_FLATTENED = (
    1e-3  # a step that passes on a smaller fraction than this has a derivative of practically 0
)
_ROUNDING = (
    1e-5  # the rounding error of a float32 sum that is 0 on paper, relative to its largest term
)
# Ops whose derivative is 0 somewhere, and the cause of zeros there.
_FLAT: dict[str, Cause[zeros.FlatOp]] = {
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
# In the flat part their derivative is exactly 0, so a gradient that does come through was passed on by the other part.
_HARD = {zeros.clipped, zeros.dead_relu, zeros.step_function, zeros.where_unselected}
# The derivatives of piecewise linear functions, which depend only on the side of the kink on which a value is.
_STRAIGHT = {"LeakyReluGrad", "Relu6Grad", "ReluGrad"}
# Ops whose gradient rules multiply by their other input.
_PRODUCTS = {
    "BatchMatMulV2", "Conv2D", "DivNoNan", "Einsum", "MatMul", "Mul", "MulNoNan", "RealDiv", "Xlogy",
}  # fmt: skip


def _is_all_zeros(numbers: Numbers | None) -> bool:
    """Whether each element is exactly 0, because a small factor does not make the gradient 0."""
    return is_zero(numbers) and not largest(numbers)


def why_zero(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the op that received a cotangent and passed 0 on towards the source."""
    empty = flow.once(_emptied, call)
    if empty is not None:
        return empty
    nearest = _nearest(call, source, flow.once(_flat_steps, call))
    if nearest is None:
        return flow.once(_dwindled, call)
    if nearest.cancels:
        op = nearest.sent.step.op
        why = zeros.Sum.MEAN_OF_ONE if _is_mean_of_one(flow, call, op) else zeros.Sum.OF_USES
        return BrokenEdge(zeros.sums_to_constant, op.i, facts=zeros.SumsToConstant(sum=why))
    return _of_either(flow, source, _flat(flow, nearest.sent))


def _of_either(
    flow: FlowGraph, source: int, found: BrokenEdge[Facts] | None
) -> BrokenEdge[Facts] | None:
    """Return the break for two variables that are all zeros and are multiplied: the gradient of each is 0, and one of them has to
    be changed.
    """
    if found is None or source not in flow.variables:
        return found
    facts = found.facts
    if not isinstance(facts, zeros.ZeroInit) or source == facts.factor:
        return found
    if not is_zero(flow.numbers.get(source)):
        return found
    first, other = sorted([source, facts.factor])
    both = replace(facts, factor=first, other=other)
    return BrokenEdge(zeros.zero_init, flow.variables[first].i, found.also, both)


class _FlatStep(NamedTuple):
    """A step that received a cotangent and passed on zeros, with its distance in ops from a value; or the last of several
    contributions that cancel.
    """

    distance: int
    sent: FlowContribution
    cancels: bool = False


def _flat_steps(_: FlowGraph, call: GradientCall) -> dict[int, _FlatStep | None]:
    """Return, for each value of the backward pass the nearest flat step that its zeros come from, in the order of the backward
    pass.
    """
    found: dict[int, _FlatStep | None] = {}
    for step in call.steps:
        for output in step.op.outputs:
            found[output.id] = _nearest(call, output.id, found)
    return found


def _nearest(
    call: GradientCall, value: int, found: dict[int, _FlatStep | None]
) -> _FlatStep | None:
    shares = call.sent_to.get(value, [])
    zero = [sent for sent in shares if is_zero(sent.share.numbers)]
    if not zero:
        return _FlatStep(0, shares[0], cancels=True) if _cancel(shares) else None
    for sent in zero:
        arrived = sent.step.back.arrived
        if largest(arrived) > TINY or is_broken(arrived):
            return _FlatStep(0, sent)
    further = [found.get(output.id) for sent in zero for output in sent.step.op.outputs]
    nearest = min((each for each in further if each), key=lambda each: each.distance, default=None)
    return None if nearest is None else nearest._replace(distance=nearest.distance + 1)


def _cancel(shares: list[FlowContribution]) -> bool:
    """Whether the sum of several contributions is no more than their rounding error."""
    if len(shares) < 2:
        return False
    total = shares[-1].share.total
    most = max(largest(sent.share.numbers) for sent in shares)
    return is_zero(total) and largest(total) <= _ROUNDING * most


def _is_mean_of_one(flow: FlowGraph, call: GradientCall, op: events.OpEvent) -> bool:
    """Whether the same expression takes a mean over a single element, so that it subtracts a value from itself."""
    here = flow.innermost(op)
    return here is not None and any(
        step.op.name == "Mean"
        and flow.innermost(step.op) is here
        and step.op.outputs[0].size == flow.numbers[step.op.inputs[0].value].size
        for step in call.steps
    )


def _emptied(flow: FlowGraph, call: GradientCall) -> BrokenEdge[Facts] | None:
    """Return the op that selected no element at all."""
    for step in reversed(call.steps):
        op = step.op
        if op.outputs[0].size:
            continue
        given = [flow.numbers.get(each.value) for each in op.inputs if flow.is_smooth(each.value)]
        if all(each is None or each.size for each in given):
            return BrokenEdge(zeros.masked_out, op.i, (step.back.i,), zeros.MaskedOut())
    return None


def _flat(flow: FlowGraph, sent: FlowContribution) -> BrokenEdge[Facts] | None:
    """Return why the derivative of a step is 0: because of the op itself, or because of a factor that is all zeros."""
    step, share = sent.step, sent.share
    back, op = step.back, step.op
    cause = _flatness(flow, op, share.value)
    facts = zeros.FlatOp(op=op.i, sent=share.value)
    if op.name in _STRAIGHT or (op.name == "Sign" and op.number in flow.call_of_op):
        return _of_straight_pieces(flow, sent)
    if cause in _HARD and largest(share.numbers):
        return None
    if cause is zeros.saturated and not _is_flat_here(sent):
        return None
    if op.name in ("Softmax", "LogSoftmax"):
        return _of_softmax(flow, step, facts)
    if cause is not None:
        return BrokenEdge(cause, op.i, (back.i,), facts)
    for value in [*share.reads, *_others(op, share.value)]:
        if _is_all_zeros(flow.numbers.get(value)):
            return _zero_factor(flow, step, value, facts)
    return None


def _flatness(flow: FlowGraph, op: events.OpEvent, value: int) -> Cause[zeros.FlatOp] | None:
    """Return the cause of zeros where the derivative of an op with respect to a value is 0."""
    if op.name == "Maximum" and any(
        is_zero(flow.numbers.get(other)) for other in _others(op, value)
    ):
        return zeros.dead_relu  # a relu as `tf.maximum(x, 0)`
    return _FLAT.get(op.name)


def _others(op: events.OpEvent, value: int) -> list[int]:
    """Return the other inputs of an op. The trace does not list a plain number as read by a gradient rule, because it is not on
    any tape.
    """
    return [given.value for given in op.inputs if given.value != value]


def _of_softmax(flow: FlowGraph, step: BackwardStep, facts: zeros.FlatOp) -> BrokenEdge[Facts]:
    back, op = step.back, step.op
    shape, at = op.outputs[0].shape, _requested_for(flow, op, "softmax")
    if shape and shape[-1] == 1:
        one_unit = zeros.SumsToConstant(sum=zeros.Sum.OF_ONE_UNIT)
        return BrokenEdge(zeros.sums_to_constant, op.i, (back.i,), one_unit, at=at)
    if back.arrived.max is not None and back.arrived.max == back.arrived.min:
        return BrokenEdge(zeros.sums_to_constant, op.i, (back.i,), zeros.SumsToConstant(), at=at)
    return BrokenEdge(zeros.saturated, op.i, (back.i,), facts, at=at)


def _of_straight_pieces(flow: FlowGraph, sent: FlowContribution) -> BrokenEdge[Facts]:
    """Return the cause of a zero second derivative of relu or the absolute value, whose first derivative is piecewise
    constant.
    """
    back, op, value = sent.step.back, sent.step.op, sent.share.value
    born = flow.born.get(value, op)
    if op.name == "Sign":
        users = (flow.event(edge.event) for edge in flow.out_of.get(value, ()))
        born = next((e for e in users if isinstance(e, events.OpEvent) and e.name == "Abs"), op)
    return BrokenEdge(
        zeros.piecewise_linear, born.i, (op.i, back.i), zeros.PiecewiseLinear(op=born.i)
    )


def _in_a_backward_pass(flow: FlowGraph, op: events.OpEvent) -> BrokenEdge[Facts] | None:
    """Return why the gradient call in which an op ran returned zeros."""
    number = flow.call_of_op.get(op.number)
    if number is None:
        return None
    inner = flow.calls[number]
    for result in inner.results:
        source = inner.event.sources[result.source].value
        if source is not None and is_zero(result.numbers):
            found = why_zero(flow, inner, source)
            if found is not None and isinstance(found.facts, zeros.PiecewiseLinear):
                return replace(found, facts=replace(found.facts, requested=inner.event.i))
            if found is not None:
                return found
    return None


def _zero_factor(
    flow: FlowGraph, step: BackwardStep, value: int, facts: zeros.FlatOp
) -> BrokenEdge[Facts] | None:
    """Return the cause of the zeros that a gradient rule multiplied by."""
    back, op = step.back, step.op
    if op.name not in _PRODUCTS or _is_own_square(op):
        before = _cut_off_before(flow, value)
        if before is not None:
            return before
        return BrokenEdge(zeros.stationary_point, op.i, (back.i,), facts)
    value = _origin_of_zeros(flow, value)
    born = flow.born.get(value, op)
    if value in flow.variables:
        if value in flow.once_for_all(_with_derivative):
            return None  # it is trained
        return BrokenEdge(zeros.zero_init, born.i, (op.i,), zeros.ZeroInit(factor=value))
    if isinstance(born, events.OpEvent):
        if _FLAT.get(born.name) == zeros.dead_relu:
            return BrokenEdge(zeros.dead_relu, born.i, (op.i,), replace(facts, op=born.i))
        inner = _in_a_backward_pass(flow, born)
        if inner is not None:
            return inner
    return BrokenEdge(zeros.masked_out, op.i, (born.i,), zeros.MaskedOut(factor=value))


def _with_derivative(flow: FlowGraph) -> set[int]:
    """Return the sources whose gradient is not 0 in some call. Updates change such a source, so a factor among them does not stay
    0.
    """
    return {
        value
        for call in flow.calls.values()
        for result in call.results
        if result.numbers is not None
        and not is_zero(result.numbers)
        and (value := call.event.sources[result.source].value) is not None
    }


def _cut_off_before(flow: FlowGraph, value: int) -> BrokenEdge[Facts] | None:
    """Return the op that maps all its inputs to 0, so that a later square of 0 is not a minimum with respect to these inputs."""
    while (op := flow.op_behind(value)) is not None:
        are_zero = {each.value: _is_all_zeros(flow.numbers.get(each.value)) for each in op.inputs}
        smooth = [each for each in are_zero if flow.is_smooth(each)]
        for given in smooth:
            cause = _flatness(flow, op, given)
            if cause in (zeros.dead_relu, zeros.where_unselected) and not are_zero[given]:
                return BrokenEdge(cause, op.i, facts=zeros.FlatOp(op=op.i, sent=given))
        passed = [each for each in smooth if are_zero[each]]
        if not passed:
            return None
        value = passed[0]
    return None


def _origin_of_zeros(flow: FlowGraph, value: int) -> int:
    """Return the earliest value that is all zeros on the path along which these zeros were computed."""
    known, passed = flow.once_for_all(_origins), []
    while value not in known:
        before = [edge.start for edge in flow.into.get(value, ()) if edge.kind in ("op", "read")]
        zero = [
            each
            for each in before
            if flow.is_smooth(each) and _is_all_zeros(flow.numbers.get(each))
        ]
        if not zero:
            break
        passed.append(value)
        value = zero[0]
    origin = known.get(value, value)
    known.update(dict.fromkeys(passed, origin))
    return origin


def _origins(_: FlowGraph) -> dict[int, int]:
    return {}


def _is_own_square(op: events.OpEvent) -> bool:
    return op.name == "Mul" and len({each.value for each in op.inputs}) == 1


def _is_flat_here(sent: FlowContribution) -> bool:
    """Whether this step alone makes the gradient almost 0. If many steps each reduce the gradient a little, none of
    them is flat.
    """
    return largest(sent.share.numbers) < _FLATTENED * largest(sent.step.back.arrived)


def _dwindled(_: FlowGraph, call: GradientCall) -> BrokenEdge[Facts] | None:
    """Return the cause of a gradient that each step reduces a little, until it is 0."""
    for step in call.steps:
        back, op = step.back, step.op
        if _FLAT.get(op.name) == zeros.saturated and any(
            _is_flat_here(FlowContribution(step, share)) for share in back.sent
        ):
            return BrokenEdge(zeros.saturated, op.i, (back.i,), zeros.FlatOp(op=op.i))
    return None


def _requested_for(flow: FlowGraph, op: events.OpEvent, word: str) -> tuple[str, int] | None:
    """Return the one line of the user's file that passes `word` to a layer, where the op ran inside a layer."""
    site = flow.innermost(op)
    if site is None or word in site.expression or site.at.file not in flow.texts:
        return None
    line = only_line_that_says(flow.texts[site.at.file], word)
    return None if line is None else (site.at.file, line)

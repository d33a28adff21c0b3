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
from minitape.explain.flow.inside import is_inside_function
from minitape.explain.flow.magnitudes import TINY, is_broken, is_zero, largest
from minitape.explain.flow.program.text import only_line_that_says
from minitape.explain.numbers.nans import broken_value
from minitape.trace import events
from minitape.trace.elements import elements
from minitape.trace.events import Numbers

# A step that passes on a smaller fraction than this has a derivative of practically 0.
_FLATTENED = 1e-3
# The rounding error of a float32 sum whose exact value is 0, relative to its largest term.
_ROUNDING = 1e-5
_SEARCHED = 64  # the maximum number of values between a mask and the op that uses it
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
# The ops that multiply a gradient by their other factor, or only change its dtype.
_SCALING = {"BatchMatMulV2", "Cast", "MatMul", "Mul"}
# Half of the smallest number of each dtype; a smaller product is rounded to 0.
_TINIEST = {
    "float16": 2.0**-25,
    "bfloat16": 2.0**-134,
    "float32": 2.0**-150,
    "float64": 2.0**-1074,
}
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
        facts = zeros.SumsToConstant(sum=why, harmless=why is zeros.Sum.OF_USES)
        return BrokenEdge(zeros.sums_to_constant, op.i, facts=facts)
    found = _flat(flow, nearest.sent) or flow.once(_first_underflow, call)
    if found is not None and isinstance(found.facts, zeros.Stationary):
        return _at_a_point(flow, call, source, found, found.facts)
    return _of_either(flow, source, found)


def _at_a_point(
    flow: FlowGraph,
    call: GradientCall,
    source: int,
    found: BrokenEdge[Facts],
    facts: zeros.Stationary,
) -> BrokenEdge[Facts]:
    """Return the break for a derivative of 0 at a single point. The zero is a mistake if a training loop never leaves that point,
    or if the function is 0 everywhere, because it subtracts a value from itself.
    """
    updates = [each for each in flow.assigns[source] if each.i > call.event.i]
    are_zero = all(is_zero(flow.numbers.get(each)) for each in call.event.targets)
    stays = bool(updates) and not are_zero
    same = _difference_from_itself(flow, facts.zero)
    if same is not None:
        uses = zeros.SumsToConstant(sum=zeros.Sum.OF_USES, harmless=True)
        return BrokenEdge(zeros.sums_to_constant, same.i, facts=uses)
    return replace(found, facts=replace(facts, never_leaves=stays, harmless_alone=not stays))


def _difference_from_itself(flow: FlowGraph, value: int) -> events.OpEvent | None:
    """Return the op that subtracts something from itself, if a value is 0 because of that."""
    while (op := flow.op_behind(value)) is not None:
        if len({_owner(flow, each.value) for each in op.inputs}) == 1 < len(op.inputs):
            return op
        zero = [each.value for each in op.inputs if _is_all_zeros(flow.numbers.get(each.value))]
        if not zero:
            return None
        value = zero[0]
    return None


def _owner(flow: FlowGraph, value: int) -> int:
    """Return the variable that a value was read from, or the value itself."""
    return flow.variable_read(value) or value


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
    contributions = call.sent_to.get(value, [])
    zero = [sent for sent in contributions if is_zero(sent.contribution.numbers)]
    if not zero:
        return _FlatStep(0, contributions[0], cancels=True) if _cancel(contributions) else None
    for sent in zero:
        arrived = sent.step.back.arrived
        if largest(arrived) > TINY or is_broken(arrived):
            return _FlatStep(0, sent)
    further = [found.get(output.id) for sent in zero for output in sent.step.op.outputs]
    nearest = min((each for each in further if each), key=lambda each: each.distance, default=None)
    return None if nearest is None else nearest._replace(distance=nearest.distance + 1)


def _cancel(contributions: list[FlowContribution]) -> bool:
    """Whether the sum of several contributions is no more than their rounding error."""
    if len(contributions) < 2:
        return False
    total = contributions[-1].contribution.total
    most = max(largest(sent.contribution.numbers) for sent in contributions)
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
        if _is_inside_a_call(flow, op):
            continue  # for the user, a library function such as `ctc_loss` is one op
        if all(each is None or each.size for each in given):
            return BrokenEdge(zeros.masked_out, op.i, (step.back.i,), zeros.MaskedOut())
    return None


def _is_inside_a_call(flow: FlowGraph, op: events.OpEvent) -> bool:
    """Whether only the same call of a library function uses the result of an op."""
    uses = [
        flow.event(edge.event) for output in op.outputs for edge in flow.out_of.get(output.id, ())
    ]
    return bool(uses) and all(
        isinstance(use, events.OpEvent) and use.stack == op.stack for use in uses
    )


def _all_masked(flow: FlowGraph, select: events.OpEvent) -> BrokenEdge[Facts] | None:
    """Return the layer whose mask excludes every id, if a later layer skips the excluded steps."""
    site = flow.innermost(select)
    if (
        site is None
        or "where" in site.expression
        or not _is_all_zeros_of(flow, select.inputs[0].value)
    ):
        return None
    waiting = [select.inputs[0].value]
    for value in waiting:
        if len(waiting) > _SEARCHED:
            break
        op = flow.op_behind(value)
        if op is None:
            continue
        if op.name == "NotEqual":
            ids = op.inputs[0].value
            if not _is_all_zeros_of(flow, ids):
                return None
            facts = zeros.AllMasked(factor=ids, skipped=select.i)
            return BrokenEdge(zeros.masked_out, op.i, (select.i,), facts)
        waiting.extend(each.value for each in op.inputs if flow.dtype(each.value) == "bool")
    return None


def _is_all_zeros_of(flow: FlowGraph, value: int) -> bool:
    numbers = flow.numbers.get(value)
    return numbers is not None and 0 < numbers.size == numbers.zeros


def _masked_before(flow: FlowGraph, value: int) -> BrokenEdge[Facts] | None:
    """Return the layer that masks every id, if a value is all zeros because another layer skipped every step."""
    waiting = [value]
    for each in waiting:
        if len(waiting) > _SEARCHED:
            break
        op = flow.op_behind(each)
        if op is None:
            continue
        masked = _all_masked(flow, op) if op.name == "SelectV2" else None
        if masked is not None:
            return masked
        waiting.extend(one.value for one in op.inputs if _is_all_zeros(flow.numbers.get(one.value)))
    return None


def _flat(flow: FlowGraph, sent: FlowContribution) -> BrokenEdge[Facts] | None:
    """Return why the derivative of a step is 0: because of the op itself, or because of a factor that is all zeros."""
    step, contribution = sent.step, sent.contribution
    back, op = step.back, step.op
    cause = _flatness(flow, op, contribution.value)
    facts = zeros.FlatOp(op=op.i, sent=contribution.value)
    if op.name in _STRAIGHT or (op.name == "Sign" and op.number in flow.call_of_op):
        return _of_straight_pieces(flow, sent)
    is_own = cause is None and flow.primitives[op.name].rule == cuts.OWN_RULE
    if is_own and not largest(contribution.numbers):
        own = zeros.OwnRuleIsZero(op=op.i, sent=contribution.value)
        return BrokenEdge(zeros.custom_gradient_zero, op.i, (back.i,), own)
    if cause in _HARD and largest(contribution.numbers):
        return None
    given = flow.numbers.get(contribution.value)
    if cause in _HARD and given is not None and given.nan:
        return broken_value(flow, contribution.value)
    if cause is zeros.saturated and not _is_flat_here(sent):
        return None
    if op.name in ("Softmax", "LogSoftmax"):
        return _of_softmax(flow, step, facts)
    masked = _all_masked(flow, op) if cause is zeros.where_unselected else None
    if masked is not None:
        return masked
    if cause in _HARD and cause is not zeros.step_function and is_inside_function(flow, op):
        before = _saturated_before(flow, op, contribution.value)
        if before is not None:
            return BrokenEdge(zeros.saturated, before.i, (op.i,), zeros.FlatOp(op=before.i))
        return BrokenEdge(zeros.flat_call, op.i, (back.i,), facts)
    if cause is not None:
        return BrokenEdge(cause, op.i, (back.i,), facts)
    # The value itself last: a product multiplies its gradient by the other factor.
    for value in sorted(
        [*contribution.reads, *_others(op, contribution.value)], key=contribution.value.__eq__
    ):
        if _is_all_zeros(flow.numbers.get(value)):
            return _zero_factor(flow, step, value, facts)
    return None


def _underflow(flow: FlowGraph, sent: FlowContribution) -> BrokenEdge[Facts] | None:
    """Return the op whose product with the gradient is 0 only because it is too small for its dtype."""
    step, contribution = sent.step, sent.contribution
    dtype = contribution.numbers.dtype
    arrived = largest(step.back.arrived)
    if step.op.name not in _SCALING or not arrived or dtype not in _TINIEST:
        return None
    given = [each.value for each in step.op.inputs]
    others = [
        each
        for each in (*contribution.reads, *given)
        if contribution.value not in (each, flow.variable_read(each))
    ]
    factor = max([largest(flow.numbers.get(each)) for each in others], default=1.0)
    if not 0 < arrived * factor < _TINIEST[dtype] or largest(contribution.numbers):
        return None
    facts = zeros.Underflow(
        op=step.op.i, sent=contribution.value, arrived=arrived, factor=factor, dtype=dtype
    )
    return BrokenEdge(zeros.gradient_underflow, step.op.i, (step.back.i,), facts)


def _saturated_before(
    flow: FlowGraph, function: events.OpEvent, value: int
) -> events.OpEvent | None:
    """Return the saturated op outside a library function from which an input of the function was computed."""
    waiting = [value]
    for each in waiting:
        op = flow.op_behind(each)
        if op is None or len(waiting) > _SEARCHED:
            continue
        is_outside = op.stack != function.stack
        if is_outside and _FLAT.get(op.name) is zeros.saturated and _is_at_ends(op):
            return op
        waiting.extend(
            one.value for one in op.inputs if flow.is_smooth(one.value) and one.value not in waiting
        )
    return None


def _is_at_ends(op: events.OpEvent) -> bool:
    """Whether all results of a sigmoid, softmax or tanh are at an end of its range."""
    row = elements(op.outputs[0])
    return bool(row) and all(min(abs(abs(each) - 1), abs(each)) <= TINY for each in row or ())


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
    back, op, value = sent.step.back, sent.step.op, sent.contribution.value
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
        point = zeros.Stationary(op=facts.op, sent=facts.sent, zero=value, harmless=True)
        return BrokenEdge(zeros.stationary_point, op.i, (back.i,), point)
    masked = _masked_before(flow, value)
    if masked is not None:
        return masked
    value = _origin_of_zeros(flow, value)
    born = flow.born.get(value, op)
    if value in flow.variables:
        if value in flow.once_for_all(_with_derivative):
            return None  # the factor is trained, so it does not stay 0
        return BrokenEdge(zeros.zero_init, born.i, (op.i,), zeros.ZeroInit(factor=value))
    if isinstance(born, events.OpEvent):
        if _FLAT.get(born.name) == zeros.dead_relu or _is_dead_maximum(flow, value):
            below = next(
                (
                    each.value
                    for each in born.inputs
                    if not _is_all_zeros(flow.numbers.get(each.value))
                ),
                None,
            )
            dead = replace(facts, op=born.i, sent=below)
            return BrokenEdge(zeros.dead_relu, born.i, (op.i,), dead)
        inner = _in_a_backward_pass(flow, born)
        if inner is not None:
            return inner
    facts_of_mask = zeros.MaskedOut(factor=value, harmless=_is_first_state(flow, op, born))
    return BrokenEdge(zeros.masked_out, op.i, (born.i,), facts_of_mask)


def _is_first_state(flow: FlowGraph, op: events.OpEvent, born: events.Placed) -> bool:
    """Whether zeros that a layer created itself are multiplied inside of the layer, such as the first state of a recurrent
    layer.
    """
    is_constant = isinstance(born, events.ConstantEvent) or (
        isinstance(born, events.OpEvent)
        and not any(flow.op_behind(given.value) for given in born.inputs)
    )
    here, there = flow.innermost(op), flow.innermost(born)
    return is_constant and here is not None and here is there


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
    waiting = [value]
    for each in waiting:
        op = flow.op_behind(each)
        if op is None or len(waiting) > _SEARCHED:
            continue
        are_zero = {one.value: _is_all_zeros(flow.numbers.get(one.value)) for one in op.inputs}
        smooth = [one for one in are_zero if flow.is_smooth(one)]
        for given in smooth:
            cause = _flatness(flow, op, given)
            if cause in (zeros.dead_relu, zeros.where_unselected) and not are_zero[given]:
                return BrokenEdge(cause, op.i, facts=zeros.FlatOp(op=op.i, sent=given))
        waiting.extend(one for one in smooth if are_zero[one] and one not in waiting)
    return None


def _origin_of_zeros(flow: FlowGraph, value: int) -> int:
    """Return the earliest value that is all zeros on the path along which these zeros were computed."""
    known, passed = flow.once_for_all(_origins), []
    while value not in known and not _is_dead_maximum(flow, value):
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


def _is_dead_maximum(flow: FlowGraph, value: int) -> bool:
    """Whether a relu written as `tf.maximum(x, 0.0)` computed the zeros, and not its limit `0.0`."""
    op = flow.op_behind(value)
    return op is not None and any(
        op.name == "Maximum" and _flatness(flow, op, each.value) is zeros.dead_relu
        for each in op.inputs
    )


def _origins(_: FlowGraph) -> dict[int, int]:
    return {}


def _is_own_square(op: events.OpEvent) -> bool:
    return op.name == "Mul" and len({each.value for each in op.inputs}) == 1


def _is_flat_here(sent: FlowContribution) -> bool:
    """Whether this step alone makes the gradient almost 0. If many steps each reduce the gradient a little, none of
    them is flat.
    """
    return largest(sent.contribution.numbers) < _FLATTENED * largest(sent.step.back.arrived)


def _dwindled(flow: FlowGraph, call: GradientCall) -> BrokenEdge[Facts] | None:
    """Return the cause of a gradient that each step reduces a little, until it is 0."""
    for step in call.steps:
        back, op = step.back, step.op
        if _FLAT.get(op.name) == zeros.saturated and any(
            _is_flat_here(FlowContribution(step, contribution)) for contribution in back.sent
        ):
            return BrokenEdge(zeros.saturated, op.i, (back.i,), zeros.FlatOp(op=op.i))
    return flow.once(_first_underflow, call)


def _first_underflow(flow: FlowGraph, call: GradientCall) -> BrokenEdge[Facts] | None:
    """Return the first product of the backward pass that is too small for its dtype."""
    sent = (FlowContribution(step, each) for step in call.steps for each in step.back.sent)
    return next(filter(None, (_underflow(flow, each) for each in sent)), None)


def _requested_for(flow: FlowGraph, op: events.OpEvent, word: str) -> tuple[str, int] | None:
    """Return the one line of the user's file that passes `word` to a layer, where the op ran inside a layer."""
    site = flow.innermost(op)
    if site is None or word in site.expression or site.at.file not in flow.texts:
        return None
    line = only_line_that_says(flow.texts[site.at.file], word)
    return None if line is None else (site.at.file, line)

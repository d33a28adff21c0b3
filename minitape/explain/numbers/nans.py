"""NaN and infinity: the first step of the backward or forward pass that produced one from finite numbers.

If a cotangent is NaN, look for the step of the backward pass that received finite numbers and passed on NaN. If the result of its
op was already NaN or infinite in the forward pass, look for the op that first made it so. If that op is a part of a recorded
backward pass, the answer is the op of the forward pass whose derivative it computes.
"""

import heapq
from dataclasses import replace

from minitape.explain.causes import nans
from minitape.explain.causes.cause import BrokenEdge, Cause, Facts
from minitape.explain.causes.cuts import OWN_RULE
from minitape.explain.flow.calls import BackwardStep, GradientCall
from minitape.explain.flow.graph import FlowGraph, is_of_a_dataset
from minitape.explain.flow.magnitudes import is_broken, is_zero_inside, largest
from minitape.explain.flow.program.text import line_of_assignment, only_line_that_says
from minitape.explain.flow.updates import behind, is_by_optimizer
from minitape.explain.numbers.bad_elements import bad_element, bad_in
from minitape.explain.numbers.domains import DomainLimit, end_met
from minitape.trace import events

_ROOTS = {"EuclideanNorm", "Sqrt"}
# The product of two finite numbers of this size is infinite, and a sum of such products can be NaN (infinity minus infinity).
_HUGE = 1e19
# Ops that turn infinity into a finite number on purpose.
_LIMITING = {"ClipByValue", "Maximum", "Minimum", "SelectV2"}
# Ops whose result can be 0 only because a factor is 0, or because the product is too small for its dtype.
_MULTIPLYING = {"Cumprod", "Mul", "Prod", "Square"}
_SEARCHED = 64  # the maximum number of values between a 0 and the division that produced it


def why_nan(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the op that turned finite numbers into NaN or infinity."""
    for step, value in flow.once(_breaking_steps, call):
        if flow.leads(source, [value]):
            return _as_of_forward_op(flow, _broken_step(flow, call, step))
    return why_target_broken(flow, call)


def why_target_broken(flow: FlowGraph, call: GradientCall) -> BrokenEdge[Facts] | None:
    """Return the op that first made a target NaN or infinite; None if all targets are finite.

    If that op has a gradient rule of the program, the rule is there to keep the gradient finite, so nothing is reported.
    """
    broken = next((each for each in call.event.targets if is_broken(flow.numbers.get(each))), None)
    found = None if broken is None else broken_value(flow, broken)
    op = None if found is None else flow.event(found.event)
    if isinstance(op, events.OpEvent) and flow.primitives[op.name].rule == OWN_RULE:
        return None
    return found


def broken_value(flow: FlowGraph, value: int) -> BrokenEdge[Facts] | None:
    """Return the op that first made a value NaN or infinite."""
    return _as_of_forward_op(flow, _broken_forward(flow, value))


def _as_of_forward_op(flow: FlowGraph, found: BrokenEdge[Facts] | None) -> BrokenEdge[Facts] | None:
    """Return the break at the op of the forward pass, if a recorded backward pass computed the derivative of that op."""
    op = None if found is None else flow.event(found.event)
    if found is None or not isinstance(op, events.OpEvent):
        return found
    if not isinstance(found.facts, nans.NotFinite):
        return found
    requested = None
    while (number := flow.call_of_op.get(op.number)) is not None:
        inner = flow.calls[number]
        forward = _differentiated(flow, inner, op)
        if forward is None:
            break
        op, requested = forward, inner.event.i
    if requested is None:
        return found
    end = end_met(flow, op)
    cause = nans.zero_times_inf if end is None else end.cause
    facts = replace(_facts(flow, op, end), requested=requested)
    return BrokenEdge(cause, op.i, (requested,), facts)


def _differentiated(
    flow: FlowGraph, call: GradientCall, op: events.OpEvent
) -> events.OpEvent | None:
    """Return the op whose derivative an op of a backward pass computes: the two ops have an input or the output in common.

    If several have, prefer one of the same name (the derivative of a power contains a power), then one at the end of its domain.
    """
    waiting, seen = [op], {op.i}
    for each in waiting:
        given = {_owner(flow, one.value) for one in each.inputs}
        near = [
            step.op
            for step in call.steps
            if not given.isdisjoint(
                [*(_owner(flow, one.value) for one in step.op.inputs), step.op.outputs[0].id]
            )
        ]
        if near:
            alike = [one for one in near if one.name == op.name]
            at_end = [one for one in near if end_met(flow, one) is not None]
            return next(iter([*alike, *at_end, *near]))
        for one in each.inputs:
            before = flow.op_behind(one.value)
            is_inside = before is not None and flow.call_of_op.get(before.number) is not None
            if before is not None and is_inside and before.i not in seen:
                seen.add(before.i)
                waiting.append(before)
    return None


def _owner(flow: FlowGraph, value: int) -> int:
    """Return the variable that a value was read from, or the value itself."""
    return flow.variable_read(value) or value


def _breaking_steps(_: FlowGraph, call: GradientCall) -> list[tuple[BackwardStep, int]]:
    """Return the steps of the backward pass that made NaN or infinity from finite numbers, each with the value that receives
    them.
    """
    return [
        (step, contribution.value)
        for step in call.steps
        if not is_broken(step.back.arrived)
        for contribution in step.back.sent
        if is_broken(contribution.numbers)
    ]


def _broken_step(
    flow: FlowGraph, call: GradientCall, step: BackwardStep
) -> BrokenEdge[Facts] | None:
    back, op = step.back, step.op
    values = [op.outputs[0].id, *(given.value for given in op.inputs)]
    broken = next((value for value in values if is_broken(flow.numbers.get(value))), None)
    select = _hidden_by_where(flow, op, call.event.i)
    roots = _roots_at_zero(flow, call, op)
    end = end_met(flow, op)
    if select is not None and (broken is not None or end is not None):
        element = bad_element(flow.numbers, op, None if end is None else end.met)
        facts = nans.WhereNan(op=op.i, roots=tuple(roots), element=element)
        return BrokenEdge(nans.where_nan, select.i, (op.i, *roots), facts)
    if broken is not None:
        return _broken_forward(flow, broken)
    grown = _grown(flow, op)
    if grown is not None:
        return BrokenEdge(nans.diverged, grown.i, (op.i,))
    if end is not None:
        earlier = _overflow_before(flow, op) or _underflow_before(flow, op)
        if earlier is not None:
            return earlier
        return BrokenEdge(end.cause, op.i, (back.i,), _facts(flow, op, end))
    return BrokenEdge(nans.zero_times_inf, op.i, (back.i,), _facts(flow, op))


def _facts(flow: FlowGraph, op: events.OpEvent, end: DomainLimit | None = None) -> nans.NotFinite:
    """Return the facts of an op that is not finite, or whose derivative is not finite."""
    met = None if end is None else end.met
    return nans.NotFinite(met=met or 0.0, element=bad_element(flow.numbers, op, met))


def _roots_at_zero(flow: FlowGraph, call: GradientCall, op: events.OpEvent) -> list[int]:
    """Return the roots of 0 from which an op's inputs were computed: the derivative of each is infinite."""
    reached, roots = {given.value for given in op.inputs}, []
    # Backwards from the target, so that the op that uses a value comes before the op that computed it.
    for step in call.steps:
        each = step.op
        if each.outputs[0].id in reached:
            reached.update(given.value for given in each.inputs)
            if each.name in _ROOTS and is_zero_inside(flow.numbers.get(each.inputs[0].value)):
                roots.append(each.i)
    return roots


def _hidden_by_where(flow: FlowGraph, op: events.OpEvent, before: int) -> events.OpEvent | None:
    """Return the `tf.where` that does not select this op's NaN or infinite elements, if its own result is finite."""
    for value in sorted(flow.downstream([output.id for output in op.outputs], before)):
        each = flow.op_behind(value)
        if each is not None and each.name == "SelectV2":
            return None if is_broken(flow.numbers.get(value)) else each
    return None


def _broken_forward(flow: FlowGraph, value: int) -> BrokenEdge[Facts] | None:
    """Return the first value, among those from which `value` was computed, that is not finite while all its inputs are finite."""
    masked = _masked_row(flow, value)
    value = _first_broken(flow, value)
    born = flow.born[value]
    if isinstance(born, events.AssignEvent):
        return _of_its_gradient(flow, born) or BrokenEdge(nans.diverged, born.i)
    if isinstance(born, events.GradientEvent):
        return _of_that_gradient(flow, flow.calls[born.call], value)
    if not isinstance(born, events.OpEvent):
        return BrokenEdge(
            nans.nan_input,
            born.i,
            facts=nans.NanInput(
                value=value,
                element=bad_in(flow.numbers[value]),
                masked=None if masked is None else masked.i,
            ),
            at=_line_with_nan(flow, born),
        )
    grown = _grown(flow, born)
    if grown is not None:
        return BrokenEdge(nans.diverged, grown.i, (born.i,))
    end = end_met(flow, born)
    if end is not None:
        earlier = _overflow_before(flow, born) or _underflow_before(flow, born)
        if earlier is not None:
            return earlier
        return BrokenEdge(end.cause, born.i, facts=_facts(flow, born, end))
    return BrokenEdge(_without_end(flow, born), born.i, facts=_facts(flow, born))


def _masked_row(flow: FlowGraph, value: int) -> events.OpEvent | None:
    """Return the softmax that made a value NaN, because all elements of a row that it got are minus infinity."""
    waiting = [value]
    for each in waiting:
        op, numbers = flow.op_behind(each), flow.numbers.get(each)
        if op is None or numbers is None or not numbers.nan or len(waiting) > _SEARCHED:
            continue
        given = [flow.numbers.get(one.value) for one in op.inputs]
        broken = [one for one in given if is_broken(one)]
        if op.name in ("LogSoftmax", "Softmax") and broken:
            (logits, *_) = broken
            return op if logits is not None and not logits.nan and logits.inf else None
        waiting.extend(one.value for one in op.inputs if one.value not in waiting)
    return None


def _overflow_before(flow: FlowGraph, op: events.OpEvent) -> BrokenEdge[Facts] | None:
    """Return the op that overflowed, if the 0 that an op received is a finite number divided by that infinity.

    A value that is intentionally infinite, such as a mask of minus infinity, is a constant or a logarithm of 0, but not an
    overflow.
    """
    waiting = [each.value for each in op.inputs if is_zero_inside(flow.numbers.get(each.value))]
    seen = set(waiting)
    for value in waiting:
        if len(waiting) > _SEARCHED:
            break
        before = flow.op_behind(value)
        if before is None or before.name in _LIMITING:
            continue
        for each in before.inputs:
            numbers = flow.numbers.get(each.value)
            if is_broken(numbers):
                first = flow.op_behind(_first_broken(flow, each.value))
                if first is not None and end_met(flow, first) is None:
                    cause = _without_end(flow, first)
                    return BrokenEdge(cause, first.i, (op.i,), _facts(flow, first))
            elif is_zero_inside(numbers) and each.value not in seen:
                seen.add(each.value)
                waiting.append(each.value)
    return None


def _underflow_before(flow: FlowGraph, op: events.OpEvent) -> BrokenEdge[Facts] | None:
    """Return the product that became 0 although none of its factors is 0, if the 0 that an op received came from it."""
    waiting = [each.value for each in op.inputs if is_zero_inside(flow.numbers.get(each.value))]
    seen = set(waiting)
    for value in waiting:
        before = flow.op_behind(value)
        if before is None or before.name in _LIMITING or len(waiting) > _SEARCHED:
            continue
        zero = [
            each.value for each in before.inputs if is_zero_inside(flow.numbers.get(each.value))
        ]
        if not zero and before.name in _MULTIPLYING:
            facts = nans.Underflow(met=op.i)
            return BrokenEdge(nans.product_underflow, before.i, (op.i,), facts)
        waiting.extend(each for each in zero if each not in seen)
        seen.update(zero)
    return None


def _of_that_gradient(
    flow: FlowGraph, call: GradientCall, gradient: int
) -> BrokenEdge[Facts] | None:
    """Return why a gradient that was later used in a computation was not finite."""
    for result in call.results:
        source = call.event.sources[result.source].value
        if result.numbers is not None and result.numbers.id == gradient and source is not None:
            return why_nan(flow, call, source)
    return None


def _of_its_gradient(flow: FlowGraph, assign: events.AssignEvent) -> BrokenEdge[Facts] | None:
    """Return why the gradient that first made a variable NaN or infinite was not finite."""
    known = flow.once_for_all(_broken_gradients)
    variable = assign.variable
    if variable not in known:
        known[variable] = None
        first = next(each for each in flow.assigns[variable] if is_broken(each.numbers))
        known[variable] = _broken_gradient_before(flow, first)
    return known[variable]


def _broken_gradient_before(
    flow: FlowGraph, assign: events.AssignEvent
) -> BrokenEdge[Facts] | None:
    by_optimizer = is_by_optimizer(flow, assign)
    past = {assign.variable} if by_optimizer else behind(flow, assign)
    for call in flow.calls.values():
        if call.event.i > assign.i:
            break
        for result in call.results:
            gradient, source = result.numbers, call.event.sources[result.source].value
            if gradient is None or source is None or not is_broken(gradient):
                continue
            if (source if by_optimizer else gradient.id) in past:
                return why_nan(flow, call, source)
    return None


def _broken_gradients(_: FlowGraph) -> dict[int, BrokenEdge[Facts] | None]:
    return {}


def _first_broken(flow: FlowGraph, value: int) -> int:
    """Return the first value in the order of the run that is not finite, or the assignment, among those from which `value` was
    computed. Caches the values on the way for the next iteration.
    """
    known = flow.once_for_all(_first_of)
    waiting = [value]
    while waiting:
        now = waiting[-1]
        before = [] if now in known else _broken_before(flow, now)
        unknown = [each for each in before if each not in known]
        if unknown:
            waiting.extend(unknown)
            continue
        waiting.pop()
        if now not in known:
            origins = [known[each] for each in before]
            known[now] = min(origins, key=flow.age, default=now)
    return known[value]


def _broken_before(flow: FlowGraph, value: int) -> list[int]:
    """Return the values that are not finite and from which a value was computed. If some contain NaN, the others are not the
    reason for a NaN.
    """
    if isinstance(flow.born[value], events.AssignEvent):
        return []
    broken = [each for each in sorted(flow.came_from(value)) if is_broken(flow.numbers.get(each))]
    # The current value of a variable comes first: the variable itself represents its initial value.
    if broken and broken[0] < 0:
        return broken[:1]
    numbers = flow.numbers.get(value)
    nan = [each for each in broken if flow.numbers[each].nan]
    return nan if nan and numbers is not None and numbers.nan else broken


def _first_of(_: FlowGraph) -> dict[int, int]:
    return {}


def _without_end(flow: FlowGraph, op: events.OpEvent) -> Cause[nans.NotFinite]:
    """Return the cause of NaN or infinity that an op made from finite inputs inside its domain."""
    most = max((largest(flow.numbers.get(each.value)) for each in op.inputs), default=0.0)
    is_too_large = any(output.inf for output in op.outputs) or most > _HUGE
    return nans.overflow if is_too_large else nans.zero_times_inf


def _line_with_nan(flow: FlowGraph, born: events.Placed) -> tuple[str, int] | None:
    """Return the one line of the user's file that contains `nan`, for a constant with NaN in it."""
    if born.at is None or is_of_a_dataset(born):
        return None  # the program's text does not show which element of the dataset it is
    text = flow.texts.get(born.at.file, "")
    line = only_line_that_says(text, "nan")
    if line is None and isinstance(born, events.ConstantEvent) and (born.text or "").isidentifier():
        line = line_of_assignment(text, born.text or "", born.at.line)
    return None if line is None else (born.at.file, line)


def _grown(flow: FlowGraph, op: events.OpEvent) -> events.AssignEvent | None:
    """Return the last assignment before the op that made a variable far too large."""
    grown = flow.once_for_all(_all_grown)
    if not grown:
        return None
    first = min(assign.i for assign in grown.values())
    # Backward in time, the latest event first, and not beyond the first assignment that is far too large.
    outputs = {output.id for output in op.outputs}
    waiting = [(-flow.age(value), value) for value in outputs]
    seen = set(outputs)
    while waiting:
        _, value = heapq.heappop(waiting)
        if value in grown:
            return grown[value]
        for each in flow.came_from(value):
            if each not in seen and flow.age(each) >= first:
                seen.add(each)
                heapq.heappush(waiting, (-flow.age(each), each))
    return None


def _all_grown(flow: FlowGraph) -> dict[int, events.AssignEvent]:
    """Return the assignments that made a variable far larger than its initial value."""
    return {
        node: assign
        for node, assign in flow.contents.items()
        if largest(assign.numbers) > 1e6 * max(largest(flow.numbers.get(assign.variable)), 1.0)
    }

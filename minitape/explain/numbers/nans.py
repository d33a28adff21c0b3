"""NaN and infinity: the first step of the backward or forward pass that produced one from finite numbers.

If a cotangent is NaN, look for the step of the backward pass that received finite numbers and passed on NaN. If the result of its
op was already NaN or infinite in the forward pass, look for the op that first made it so.
"""

import heapq

from minitape.explain.causes import nans
from minitape.explain.causes.cause import BrokenEdge, Cause, Facts
from minitape.explain.flow.calls import BackwardStep, GradientCall
from minitape.explain.flow.graph import FlowGraph, is_of_a_dataset
from minitape.explain.flow.magnitudes import is_broken, is_zero_inside, largest
from minitape.explain.flow.program.text import line_of_assignment, only_line_that_says
from minitape.explain.flow.updates import behind, is_by_optimizer
from minitape.explain.numbers.domains import end_met
from minitape.trace import events

_ROOTS = {"EuclideanNorm", "Sqrt"}
# The product of two finite numbers of this size is infinite, and a sum of such products can be NaN (infinity minus infinity).
_HUGE = 1e19


def why_nan(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the op that turned finite numbers into NaN or infinity."""
    for step, value in flow.once(_breaking_steps, call):
        if flow.leads(source, [value]):
            return _broken_step(flow, call, step)
    target = call.event.targets[0]
    if is_broken(flow.numbers.get(target)):
        return _broken_forward(flow, target)
    return None


def _breaking_steps(_: FlowGraph, call: GradientCall) -> list[tuple[BackwardStep, int]]:
    """Return the steps of the backward pass that made NaN or infinity from finite numbers, each with the value that receives
    them.
    """
    return [
        (step, share.value)
        for step in call.steps
        if not is_broken(step.back.arrived)
        for share in step.back.sent
        if is_broken(share.numbers)
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
        return BrokenEdge(
            nans.where_nan, select.i, (op.i, *roots), nans.WhereNan(op=op.i, roots=tuple(roots))
        )
    if broken is not None:
        return _broken_forward(flow, broken)
    grown = _grown(flow, op)
    if grown is not None:
        return BrokenEdge(nans.diverged, grown.i, (op.i,))
    if end is not None:
        return BrokenEdge(end.cause, op.i, (back.i,), nans.NotFinite(met=end.met))
    return BrokenEdge(nans.zero_times_inf, op.i, (back.i,), nans.NotFinite())


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
            facts=nans.NanInput(value=value),
            at=_line_with_nan(flow, born),
        )
    grown = _grown(flow, born)
    if grown is not None:
        return BrokenEdge(nans.diverged, grown.i, (born.i,))
    end = end_met(flow, born)
    if end is not None:
        return BrokenEdge(end.cause, born.i, facts=nans.NotFinite(met=end.met))
    return BrokenEdge(_without_end(flow, born), born.i, facts=nans.NotFinite())


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
    """Return the first value that is not finite, or the assignment, on the path to `value`. Caches the path for the next
    iteration.
    """
    known, passed = flow.once_for_all(_first_of), []
    while value not in known and not isinstance(flow.born[value], events.AssignEvent):
        # The current value of a variable comes first: the variable itself represents its initial value.
        broken = [
            each for each in sorted(flow.came_from(value)) if is_broken(flow.numbers.get(each))
        ]
        if not broken:
            break
        passed.append(value)
        value = broken[0]
    first = known.get(value, value)
    known.update(dict.fromkeys(passed, first))
    return first


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
        return None  # the program's text does not say which element of the dataset it is
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

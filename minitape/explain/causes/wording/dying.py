"""Units that were alive until one update was too large: what that update changed, and by how much.

A ReLU that returns 0 from the start needs a different initialization, and so does a sigmoid that is saturated from the start.
But a unit that was alive in the previous iteration was killed by the update since then, and a different initialization does not
prevent the next such update.
"""

from bisect import bisect_left
from typing import NamedTuple

from minitape.explain.causes.cause import Facts, FindingContext
from minitape.explain.causes.texts import dying as texts
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import largest
from minitape.trace import events

_RELUS = {"Relu", "Relu6"}
_BENT = {"Sigmoid", "Softmax", "Tanh"}
_NEAR = 10.0  # the largest input for which such a function has a useful gradient
_LEAP = 10.0  # an update is too large if it multiplies the largest weight by more than this
_HIGH = 1.0  # an input this far above 0 does not fall below 0 gradually
_UNSCALED = 10.0  # data of this size have to be scaled for weights of about 1


class Death(NamedTuple):
    """What to add to the message, and the fix."""

    message: str
    fix: str


def death(context: FindingContext[Facts], op: events.OpEvent) -> Death | None:
    """Return the update that killed the units of a ReLU or saturated a sigmoid; None if the units were never alive, or died
    slowly.
    """
    alive = _last_alive(context.flow, op)
    if alive is None:
        return None
    behind = [v for v in context.flow.variables if context.flow.leads(v, [op.inputs[0].value])]
    numbers = context.flow.numbers[alive.inputs[0].value]
    high = numbers.max or 0.0
    given = _largest_given(context.flow, alive)
    leaps = [
        leap
        for variable in behind
        if (leap := _leap(context.flow, variable, alive.i, op.i)) is not None
    ]
    if not leaps:
        updates = [
            each for v in behind for each in context.flow.assigns[v] if alive.i < each.i < op.i
        ]
        is_sudden = op.name in _RELUS and high > _HIGH and max(given) > _UNSCALED
        return _sudden(context, high, updates[0], given) if updates and is_sudden else None
    before, update = max(leaps, key=lambda leap: largest(leap[1].numbers))
    line, variable = context.line_of(update), context.called(update.variable)
    was, now = f"{before:.4g}", f"{largest(update.numbers):.4g}"
    if op.name in _BENT:
        size = f"{largest(numbers):.4g}"
        message = texts.SIGMOID_DIED(line=line, size=size, variable=variable, before=was, after=now)
    else:
        message = texts.RELU_DIED(
            line=line, high=f"{high:.4g}", variable=variable, before=was, after=now
        )
    return Death(message, _smaller_steps(given))


def _sudden(
    context: FindingContext[Facts], high: float, update: events.AssignEvent, given: "_LargestInputs"
) -> Death:
    """Return a death caused by oscillating weights: no weight is large, but with data this large a small change is enough."""
    message = texts.RELU_SWUNG(line=context.line_of(update), high=f"{high:.4g}")
    return Death(message, _smaller_steps(given))


class _LargestInputs(NamedTuple):
    """The largest input of the weights in an iteration, and the largest other constant, which is usually a training target."""

    inputs: float
    others: float


def _smaller_steps(given: _LargestInputs) -> str:
    if max(given) <= _UNSCALED:
        return texts.SMALLER_STEPS
    sizes = [texts.INPUTS(size=f"{given.inputs:.4g}")] if given.inputs > _UNSCALED else []
    sizes += [texts.TARGETS(size=f"{given.others:.4g}")] if given.others > _UNSCALED else []
    return texts.SCALE_DATA(sizes=", ".join(sizes))


def _last_alive(flow: FlowGraph, op: events.OpEvent) -> events.OpEvent | None:
    """Return the last run of the same op with a nonzero gradient."""
    runs = flow.once_for_all(_alive).get(_spot(op), [])
    earlier = bisect_left(runs, op.i)
    return flow.op(runs[earlier - 1]) if earlier else None


def _alive(flow: FlowGraph) -> dict[tuple[object, ...], list[int]]:
    """Return the runs with a nonzero gradient of each ReLU, sigmoid and similar op of the program, in order."""
    runs: dict[tuple[object, ...], list[int]] = {}
    for op in flow.ops.values():
        numbers = flow.numbers.get(op.inputs[0].value) if op.name in _RELUS | _BENT else None
        if numbers is not None and _is_alive(op, numbers):
            runs.setdefault(_spot(op), []).append(op.i)
    return runs


def _is_alive(op: events.OpEvent, numbers: events.Numbers) -> bool:
    return (numbers.max or 0) > 0 if op.name in _RELUS else largest(numbers) <= _NEAR


def _spot(op: events.OpEvent) -> tuple[object, ...]:
    return (op.name, *op.stack)


def _leap(
    flow: FlowGraph, variable: int, since: int, before: int
) -> tuple[float, events.AssignEvent] | None:
    """Return the largest element of a variable before the first update between two events, and that update; None if it grew
    little.
    """
    updates = flow.assigns[variable]
    first = bisect_left(updates, since, key=lambda update: update.i)
    if first == len(updates) or updates[first].i > before:
        return None
    held = updates[first - 1] if first else flow.variables[variable]
    was, update = largest(held.numbers), updates[first]
    return (was, update) if largest(update.numbers) > _LEAP * max(was, 1.0) else None


def _largest_given(flow: FlowGraph, alive: events.OpEvent) -> _LargestInputs:
    """Return the sizes of the data in that iteration: of the data from which the ReLU was computed, and of all other data."""
    ops = flow.ops_on[alive.recorded[-1]] if alive.recorded else []
    given = {each.value for op in ops for each in op.inputs}
    constants = {each for each in given if isinstance(flow.born.get(each), events.ConstantEvent)}
    behind = {each.value for each in alive.inputs}
    # Look only at this iteration, because the weights depend on the targets of earlier iterations too.
    for op in reversed(ops):
        if any(output.id in behind for output in op.outputs):
            behind.update(each.value for each in op.inputs)
    sizes = [
        max((largest(flow.numbers.get(each)) for each in some), default=0.0)
        for some in (constants & behind, constants - behind)
    ]
    return _LargestInputs(*sizes)

"""The updates of a training loop: too small, too large, or without effect on the loss."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any, NamedTuple, TypeVar

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import largest
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Facts, NoteCase, NoteKind
from minitape.explain.notes.longest_path import largest_given
from minitape.explain.notes.units import loss_of
from minitape.trace import events
from minitape.trace.events import Numbers

_SMALL = 1e-6  # the norm of a small update relative to the weights; a thousandth is usual
# The norm of a small update relative to the gradient. With a larger ratio the gradient is small, not the learning rate.
_SMALL_RATE = 1e-5
_LEAP = 10.0  # the factor by which an update enlarges the weights and then the loss
_GROWN = 1e3  # a growing loss, relative to the loss at the start
_GROWING = 3  # the number of consecutive iterations in which the loss grows
_ITERATIONS = 5  # the minimum number of iterations that prove anything about a loop
_AT_REST = 10  # the minimum number of iterations with exactly the same loss
_OTHERS_UPDATED = 3  # the same, if the iterations update other variables than their sources


class Update(NamedTuple):
    """One change of a source between two iterations: the value before, and the event that changed it."""

    before: Numbers
    assign: events.AssignEvent


class Sizes(NamedTuple):
    """The norms of an update, of the weights and of the gradient."""

    moved: float
    weights: float
    gradient: float


def noticed(flow: FlowGraph, iterations: Sequence[GradientCall]) -> Iterator[NoteCase[Facts]]:
    """Yield at most one of the three notes for a loop."""
    if len(iterations) > 1:
        found = (
            _too_small(flow, iterations)
            or _too_large(flow, iterations)
            or _at_rest(flow, iterations)
        )
        if found is not None:
            yield found


def _iterations(iterations: Sequence[GradientCall]) -> Iterator[tuple[GradientCall, int]]:
    """Yield each iteration except the last, with the event at which the next iteration begins."""
    for now, later in pairwise(iterations):
        yield now, later.event.i


def updates_of(
    flow: FlowGraph, call: GradientCall, until: int, variable: int | None
) -> list[Update]:
    """Return the changes of a source after its gradient was requested."""
    made = None if variable is None else flow.variables.get(variable)
    if made is None:
        return []
    assigns = flow.assigns.get(made.variable, [])
    first = bisect_left(assigns, call.event.i, key=lambda assign: assign.i)
    last = bisect_left(assigns, until, key=lambda assign: assign.i)
    held = made.numbers if first == 0 else assigns[first - 1].numbers
    before = [held, *(assign.numbers for assign in assigns[first:last])]
    return [Update(*pair) for pair in zip(before, assigns[first:last])]


# --- too small ---


def _too_small(flow: FlowGraph, iterations: Sequence[GradientCall]) -> NoteCase[Facts] | None:
    """Return the note for a loop in which every update is at most a millionth of its source, although there is a gradient."""
    if len(iterations) < _ITERATIONS:
        return None
    most = Sizes(0.0, 0.0, 0.0)
    seen: list[Update] = []
    for call, until in _iterations(iterations):
        updates, sizes = _sizes(flow, call, until)
        if not sizes.weights or not sizes.gradient:
            continue
        if sizes.moved > _SMALL * sizes.weights or sizes.moved > _SMALL_RATE * sizes.gradient:
            return None
        most = max(most, sizes, key=lambda each: each.moved / (each.weights or 1.0))
        seen += updates
    if not seen:
        return None
    first = min(update.assign.i for update in seen)
    update = next(update for update in seen if update.assign.i == first)
    facts = kinds.SmallSteps(
        ratio=most.moved / (most.weights or 1.0),
        rate=most.moved / (most.gradient or 1.0),
        gradient=most.gradient,
        iterations=len(iterations),
    )
    return _case(kinds.steps_too_small, iterations, update.assign, facts)


def _sizes(flow: FlowGraph, call: GradientCall, until: int) -> tuple[list[Update], Sizes]:
    """Return the updates of an iteration, and the norms of the updates, the weights and the gradients of all sources together."""
    seen, parts = [], []
    for result in call.results:
        derivative = None if result.numbers is None else result.numbers.l2
        updates = updates_of(flow, call, until, call.event.sources[result.source].value)
        if derivative and updates:
            update = updates[-1]
            parts.append(Sizes(size_of(flow, *update), update.before.l2 or 0.0, derivative))
            seen.append(update)
    return seen, Sizes(
        *(math.hypot(*sizes) for sizes in zip(*parts, strict=True))
    ) if parts else Sizes(0, 0, 0)


def size_of(flow: FlowGraph, before: Numbers, assign: events.AssignEvent) -> float:
    """Return the norm of an update: the norm of the added value, or of the difference between the values before and after."""
    added = _added(flow, assign)
    if added is not None and added.l2 is not None:
        return added.l2
    after = assign.numbers
    if before.data is not None and after.data is not None:
        was, now = (list(_flat(numbers.data)) for numbers in (before, after))
        return math.dist(was, now)
    # The trace has means of segments of equal length. If the changes in a segment have no common sign, their mean is smaller by
    # the square root of their number.
    was, now = before.strip or [], after.strip or []
    return (
        math.dist(was, now) * before.size / max(len(was), 1) if len(was) == len(now) else math.inf
    )


def _added(flow: FlowGraph, assign: events.AssignEvent) -> Numbers | None:
    """Return the value that an update added to the variable; None if the update is not an addition."""
    if assign.origin is None:
        return None
    if assign.how in ("assign_add", "assign_sub"):
        return flow.numbers.get(assign.origin)
    op = flow.op_behind(assign.origin)
    if op is None or op.name not in ("AddV2", "Sub"):
        return None
    read = [flow.variable_read(given.value) for given in op.inputs]
    other = {0: 1, 1: 0}.get(read.index(assign.variable)) if assign.variable in read else None
    return None if other is None else flow.numbers.get(op.inputs[other].value)


def _flat(data: Any) -> Iterator[float]:
    if isinstance(data, list):
        yield from chain.from_iterable(map(_flat, data))
    else:
        yield data


# --- too large ---


def _too_large(flow: FlowGraph, iterations: Sequence[GradientCall]) -> NoteCase[Facts] | None:
    """Return the note for an update that makes the weights and then the loss ten times as large, or for a loss that keeps
    growing.
    """
    losses = [loss_of(flow, call) for call in iterations]
    for location, (call, until) in enumerate(_iterations(iterations)):
        before, after = losses[location : location + 2]
        if before is None or after is None or after <= _LEAP * abs(before):
            continue
        if (
            losses[0] is None or after <= losses[0]
        ):  # near the minimum, momentum makes the loss swing like this
            continue
        for source in call.event.sources:
            for update in updates_of(flow, call, until, source.value)[-1:]:
                held, assign = update
                is_leap = held.l2 and (assign.numbers.l2 or 0.0) > _LEAP * held.l2
                if is_leap and not _climbs(call, update):
                    facts = kinds.LargeSteps(
                        before=before,
                        after=after,
                        data=largest_given(flow, call),
                        was=held.l2 or 0.0,
                        now=assign.numbers.l2 or 0.0,
                    )
                    return _case(
                        kinds.steps_too_large, [call] if facts.now else iterations, assign, facts
                    )
    return _grown(flow, iterations, losses)


def _grown(
    flow: FlowGraph, iterations: Sequence[GradientCall], losses: Sequence[float | None]
) -> NoteCase[Facts] | None:
    """Return the note for a loss that is a thousand times the first loss, and grew in each of the last iterations."""
    known = [loss for loss in losses if loss is not None]
    if len(known) != len(losses) or len(known) <= _GROWING or known[0] <= 0:
        return None
    last = known[-_GROWING - 1 :]
    if known[-1] < _GROWN * known[0] or any(b <= a for a, b in pairwise(last)):
        return None
    call = iterations[0]
    for source in call.event.sources:
        for update in updates_of(flow, call, iterations[1].event.i, source.value)[-1:]:
            if _climbs(call, update):
                return None
            facts = kinds.LargeSteps(
                before=known[0], after=known[-1], data=largest_given(flow, call)
            )
            return _case(kinds.steps_too_large, iterations, update.assign, facts)
    return None


def _climbs(call: GradientCall, update: Update) -> bool:
    """Whether an update is gradient ascent, in which the target is meant to grow."""
    for result in call.results:
        derivative = result.numbers
        is_of_it = call.event.sources[result.source].value == update.assign.variable
        if is_of_it and derivative is not None and derivative.mean is not None:
            before, after = update.before.mean or 0.0, update.assign.numbers.mean or 0.0
            return (after - before) * derivative.mean > 0
    return False


# --- at rest ---


def _at_rest(flow: FlowGraph, iterations: Sequence[GradientCall]) -> NoteCase[Facts] | None:
    """Return the note for a loss that is the same in all iterations, to the last digit, while variables change."""
    (loss, *others) = {loss_of(flow, call) for call in iterations}
    if len(iterations) < _OTHERS_UPDATED or others or loss is None:
        return None
    if not any(largest(result.numbers) for result in iterations[0].results):
        return None
    sources = [source for source in iterations[0].event.sources if source.value in flow.variables]
    facts = kinds.LossAtRest(loss=loss, iterations=len(iterations))
    updates = [
        update
        for source in sources
        for update in updates_of(flow, iterations[0], iterations[1].event.i, source.value)
    ]
    if updates:
        held, back = updates[0].before, updates[-1].assign
        is_update = _added(flow, updates[0].assign) is not None
        is_reset = is_update and len(updates) > len(sources) and _is_same(held, back.numbers)
        is_long = len(iterations) >= _AT_REST
        return _case(kinds.loss_at_rest, iterations, back, facts) if is_reset and is_long else None
    updated = _updated_instead(flow, iterations, [source.value for source in sources])
    if not updated:
        return None
    facts = replace(facts, others=tuple(each.variable for each in updated))
    return _case(kinds.loss_at_rest, iterations, updated[0], facts)


def _is_same(one: Numbers, other: Numbers) -> bool:
    return (one.min, one.max, one.mean, one.l2) == (other.min, other.max, other.mean, other.l2)


def _updated_instead(
    flow: FlowGraph, iterations: Sequence[GradientCall], sources: Sequence[int | None]
) -> list[events.AssignEvent]:
    """Return the first update of each trainable variable that is not a source, but has the shape of one."""
    shapes = [flow.variables[each].numbers.shape for each in sources if each is not None]
    start, end = iterations[0].event.i, iterations[1].event.i
    found = []
    for variable, assigns in flow.assigns.items():
        made = flow.variables.get(variable)
        if (
            made is None
            or variable in sources
            or not made.trainable
            or made.numbers.shape not in shapes
        ):
            continue
        first = bisect_left(assigns, start, key=lambda assign: assign.i)
        # `assign_add` to another variable accumulates the gradients, and is not an update.
        found += [a for a in assigns[first : first + 1] if a.i < end and a.how != "assign_add"]
    return sorted(found, key=lambda assign: assign.i)


_AnyFacts = TypeVar("_AnyFacts", bound=Facts)


def _case(
    kind: NoteKind[_AnyFacts],
    iterations: Sequence[GradientCall],
    assign: events.AssignEvent,
    facts: _AnyFacts,
) -> NoteCase[Facts]:
    visits = tuple(call.event.visit for call in iterations)
    return NoteCase(kind, iterations[0], assign.i, facts, visits=visits)

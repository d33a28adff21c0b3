"""What the updates of a loop do: too little, too much, or nothing that the loss knows of."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.magnitudes import largest
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Kind, Noted
from minitape.explain.notes.spine import largest_given
from minitape.explain.notes.units import loss_of
from minitape.trace import events
from minitape.trace.events import Numbers

_SMALL = 1e-6  # of the weight, where a thousandth is usual
_SMALL_RATE = 1e-5  # of the gradient: else the gradient is small, and not the step
_LEAP = 10.0  # times the weights, and times the loss before
_GROWN = 1e3  # times the loss at the start
_GROWING = 3  # rounds in a row
_ROUNDS = 5  # fewer prove nothing about a loop
_AT_REST = 10  # rounds with the same loss, to the last digit


class Update(NamedTuple):
    """One change of a source between two rounds: what the variable held, and the event that changed it."""

    before: Numbers
    assign: events.Assign


class Sizes(NamedTuple):
    """Of an update, of what is updated, and of the gradient that led to it."""

    moved: float
    weights: float
    gradient: float


def noticed(flow: Flow, rounds: Sequence[Call]) -> Iterator[Noted]:
    """At most one of the three for a loop."""
    if len(rounds) > 1:
        found = _too_small(flow, rounds) or _too_large(flow, rounds) or _at_rest(flow, rounds)
        if found is not None:
            yield found


def _turns(rounds: Sequence[Call]) -> Iterator[tuple[Call, int]]:
    """Each round that has a next one, and the event at which that begins."""
    for now, later in pairwise(rounds):
        yield now, later.event.i


def updates_of(flow: Flow, call: Call, until: int, variable: int | None) -> list[Update]:
    """The changes of a source after its gradient was asked for."""
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


def _too_small(flow: Flow, rounds: Sequence[Call]) -> Noted | None:
    """Where each update of each source is a millionth of it and less, though there is a gradient."""
    if len(rounds) < _ROUNDS:
        return None
    most = Sizes(0.0, 0.0, 0.0)
    seen: list[Update] = []
    for call, until in _turns(rounds):
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
    facts = {
        "ratio": most.moved / (most.weights or 1.0),
        "rate": most.moved / (most.gradient or 1.0),
        "gradient": most.gradient,
        "rounds": len(rounds),
    }
    return _case(kinds.steps_too_small, rounds, update.assign, facts)


def _sizes(flow: Flow, call: Call, until: int) -> tuple[list[Update], Sizes]:
    """The updates of a round, and how large they, the weights and the gradient are, all sources together."""
    seen, parts = [], []
    for result in call.results:
        slope = None if result.numbers is None else result.numbers.l2
        updates = updates_of(flow, call, until, call.event.sources[result.source].value)
        if slope and updates:
            update = updates[-1]
            parts.append(Sizes(size_of(flow, *update), update.before.l2 or 0.0, slope))
            seen.append(update)
    return seen, Sizes(
        *(math.hypot(*sizes) for sizes in zip(*parts, strict=True))
    ) if parts else Sizes(0, 0, 0)


def size_of(flow: Flow, before: Numbers, assign: events.Assign) -> float:
    """The size of an update: what was added, else the difference of what was there before and after."""
    added = _added(flow, assign)
    if added is not None and added.l2 is not None:
        return added.l2
    after = assign.numbers
    if before.data is not None and after.data is not None:
        was, now = (list(_flat(numbers.data)) for numbers in (before, after))
        return math.dist(was, now)
    # Means of equal stretches: of changes without a common sign, the mean is smaller by the root of their number.
    was, now = before.strip or [], after.strip or []
    return (
        math.dist(was, now) * before.size / max(len(was), 1) if len(was) == len(now) else math.inf
    )


def _added(flow: Flow, assign: events.Assign) -> Numbers | None:
    """What an update added to the variable; None where the program does not say so."""
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


def _too_large(flow: Flow, rounds: Sequence[Call]) -> Noted | None:
    """A leap to weights ten times as large, after which the loss is so too; or a loss that grows and grows."""
    losses = [loss_of(flow, call) for call in rounds]
    for place, (call, until) in enumerate(_turns(rounds)):
        before, after = losses[place : place + 2]
        if before is None or after is None or after <= _LEAP * abs(before):
            continue
        if losses[0] is None or after <= losses[0]:  # near the goal momentum swings like this
            continue
        for source in call.event.sources:
            for update in updates_of(flow, call, until, source.value)[-1:]:
                held, assign = update
                is_leap = held.l2 and (assign.numbers.l2 or 0.0) > _LEAP * held.l2
                if is_leap and not _climbs(call, update):
                    sizes = {"was": held.l2 or 0.0, "now": assign.numbers.l2 or 0.0}
                    return _large(flow, rounds, call, assign, (before, after), sizes)
    return _grown(flow, rounds, losses)


def _grown(flow: Flow, rounds: Sequence[Call], losses: Sequence[float | None]) -> Noted | None:
    """A loss that has become a thousandfold, and grew in each of the last rounds."""
    known = [loss for loss in losses if loss is not None]
    if len(known) != len(losses) or len(known) <= _GROWING or known[0] <= 0:
        return None
    last = known[-_GROWING - 1 :]
    if known[-1] < _GROWN * known[0] or any(b <= a for a, b in pairwise(last)):
        return None
    call = rounds[0]
    for source in call.event.sources:
        for update in updates_of(flow, call, rounds[1].event.i, source.value)[-1:]:
            if _climbs(call, update):
                return None
            ends = known[0], known[-1]
            return _large(flow, rounds, call, update.assign, ends, {"was": 0.0, "now": 0.0})
    return None


def _climbs(call: Call, update: Update) -> bool:
    """Whether an update goes up the gradient: then the target is meant to grow."""
    for result in call.results:
        slope = result.numbers
        is_of_it = call.event.sources[result.source].value == update.assign.variable
        if is_of_it and slope is not None and slope.mean is not None:
            before, after = update.before.mean or 0.0, update.assign.numbers.mean or 0.0
            return (after - before) * slope.mean > 0
    return False


def _large(
    flow: Flow,
    rounds: Sequence[Call],
    call: Call,
    assign: events.Assign,
    losses: tuple[float, float],
    sizes: dict[str, float],
) -> Noted:
    facts = {"before": losses[0], "after": losses[1], "data": largest_given(flow, call), **sizes}
    is_leap = bool(sizes["now"])
    return _case(kinds.steps_too_large, [call] if is_leap else rounds, assign, facts)


# --- at rest ---


def _at_rest(flow: Flow, rounds: Sequence[Call]) -> Noted | None:
    """A loss that is the same in all rounds, to the last digit, while variables change."""
    losses = {loss_of(flow, call) for call in rounds}
    if len(rounds) < _AT_REST or len(losses) != 1 or None in losses:
        return None
    if not any(largest(result.numbers) for result in rounds[0].results):
        return None
    sources = [source for source in rounds[0].event.sources if source.value in flow.variables]
    (loss,) = losses
    facts: dict[str, Any] = {"loss": loss, "rounds": len(rounds)}
    updates = [
        update
        for source in sources
        for update in updates_of(flow, rounds[0], rounds[1].event.i, source.value)
    ]
    if updates:
        held, back = updates[0].before, updates[-1].assign
        is_update = _added(flow, updates[0].assign) is not None
        is_reset = is_update and len(updates) > len(sources) and _is_same(held, back.numbers)
        return (
            _case(kinds.loss_at_rest, rounds, back, facts | {"is_reset": True})
            if is_reset
            else None
        )
    others = _updated_instead(flow, rounds, [source.value for source in sources])
    if not others:
        return None
    facts |= {"is_reset": False, "others": [each.variable for each in others]}
    return _case(kinds.loss_at_rest, rounds, others[0], facts)


def _is_same(one: Numbers, other: Numbers) -> bool:
    return (one.min, one.max, one.mean, one.l2) == (other.min, other.max, other.mean, other.l2)


def _updated_instead(
    flow: Flow, rounds: Sequence[Call], sources: Sequence[int | None]
) -> list[events.Assign]:
    """The first update of each trainable variable that is none of the sources, and has the shape of one."""
    shapes = [flow.variables[each].numbers.shape for each in sources if each is not None]
    start, end = rounds[0].event.i, rounds[1].event.i
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
        # What is added up in another variable is an account of the gradients, and no update.
        found += [a for a in assigns[first : first + 1] if a.i < end and a.how != "assign_add"]
    return sorted(found, key=lambda assign: assign.i)


def _case(
    kind: Kind, rounds: Sequence[Call], assign: events.Assign, facts: dict[str, Any]
) -> Noted:
    visits = tuple(call.event.visit for call in rounds)
    return Noted(kind, rounds[0], assign.i, visits=visits, facts=facts)

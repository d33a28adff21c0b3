"""Units that were alive until one update was too large: what it moved, and by how much.

A relu that gives nothing from the start wants another start, and so does a sigmoid that is flat from the start. One that gave
something in the turn before was killed by the update in between, and no other start helps against the next one.
"""

from bisect import bisect_left
from typing import Any, NamedTuple

from minitape.explain.causes.cause import Scene
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.magnitudes import largest
from minitape.trace import events

_RELUS = {"Relu", "Relu6"}
_BENT = {"Sigmoid", "Softmax", "Tanh"}
_NEAR = 10.0  # up to there such a function has a slope that an update can do something with
_LEAP = 10.0  # an update that makes the largest weight so many times as large
_HIGH = 1.0  # what is so far above 0 does not die by itself
_UNSCALED = 10.0  # numbers that large are no good company for weights of about 1


class Death(NamedTuple):
    """What to add to the message, and what to do about it."""

    message: str
    fix: str


def death(scene: Scene[Any], op: events.Op) -> Death | None:
    """The update that killed the units of a relu or flattened a sigmoid; None where they never lived, or went slowly."""
    alive = _last_alive(scene.flow, op)
    if alive is None:
        return None
    behind = [v for v in scene.flow.variables if scene.flow.leads(v, [op.inputs[0].value])]
    numbers = scene.flow.numbers[alive.inputs[0].value]
    high = numbers.max or 0.0
    given = _largest_given(scene.flow, alive)
    leaps = [
        leap
        for variable in behind
        if (leap := _leap(scene.flow, variable, alive.i, op.i)) is not None
    ]
    if not leaps:
        updates = [
            each for v in behind for each in scene.flow.assigns[v] if alive.i < each.i < op.i
        ]
        is_sudden = op.name in _RELUS and high > _HIGH and max(given) > _UNSCALED
        return _sudden(scene, high, updates[0], given) if updates and is_sudden else None
    before, update = max(leaps, key=lambda leap: largest(leap[1].numbers))
    were = f"some were above 0 (up to {high:.4g})"
    if op.name in _BENT:
        were = f"they were no larger than {largest(numbers):.4g}"
    return Death(
        f"Before the update in line {scene.line_of(update)} {were}: that one step took "
        f"{scene.name_of(update.variable)} from {before:.4g} at most to {largest(update.numbers):.4g}, and it never comes back.",
        _smaller_steps(given),
    )


def _sudden(scene: Scene[Any], high: float, update: events.Assign, given: "_Given") -> Death:
    """Weights that swing: none is large, and with data this large a small change is enough."""
    return Death(
        f"Before the update in line {scene.line_of(update)} some were above 0 (up to {high:.4g}): that one step took all of "
        "them below, and none comes back.",
        _smaller_steps(given),
    )


class _Given(NamedTuple):
    """The largest of the numbers that met the weights in a turn, and of all others that came in: targets, mostly."""

    inputs: float
    others: float


def _smaller_steps(given: _Given) -> str:
    if max(given) <= _UNSCALED:
        return "a smaller learning rate, a hundredth of this one; or tf.keras.optimizers.Adam, whose steps stay small"
    sizes = [f"inputs up to {given.inputs:.4g}"] if given.inputs > _UNSCALED else []
    sizes += [f"targets up to {given.others:.4g}"] if given.others > _UNSCALED else []
    return (
        f"scale what comes in, here {', '.join(sizes)}, each column by itself, x = (x - x.mean(axis=0)) / x.std(axis=0) for an "
        "array x, the targets too, and predictions back; then a rate of about 0.01 to 0.1, for the old one may be too small now"
    )


def _last_alive(flow: Flow, op: events.Op) -> events.Op | None:
    """The last run of the same op in which it had a slope."""
    runs = flow.once_for_all(_alive).get(_spot(op), [])
    earlier = bisect_left(runs, op.i)
    return flow.op(runs[earlier - 1]) if earlier else None


def _alive(flow: Flow) -> dict[tuple[object, ...], list[int]]:
    """For each relu, sigmoid and the like of the program its runs in which it had a slope, in order."""
    runs: dict[tuple[object, ...], list[int]] = {}
    for op in flow.ops.values():
        numbers = flow.numbers.get(op.inputs[0].value) if op.name in _RELUS | _BENT else None
        if numbers is not None and _is_alive(op, numbers):
            runs.setdefault(_spot(op), []).append(op.i)
    return runs


def _is_alive(op: events.Op, numbers: events.Numbers) -> bool:
    return (numbers.max or 0) > 0 if op.name in _RELUS else largest(numbers) <= _NEAR


def _spot(op: events.Op) -> tuple[object, ...]:
    return (op.name, *op.stack)


def _leap(flow: Flow, variable: int, since: int, before: int) -> tuple[float, events.Assign] | None:
    """What a variable was at most before the first update between two events, and that update, if it made it much larger."""
    updates = flow.assigns[variable]
    first = bisect_left(updates, since, key=lambda update: update.i)
    if first == len(updates) or updates[first].i > before:
        return None
    held = updates[first - 1] if first else flow.variables[variable]
    was, update = largest(held.numbers), updates[first]
    return (was, update) if largest(update.numbers) > _LEAP * max(was, 1.0) else None


def _largest_given(flow: Flow, alive: events.Op) -> _Given:
    """How large the data were in that iteration: those that the relu was computed from, and the others."""
    ops = flow.ops_on[alive.recorded[-1]] if alive.recorded else []
    given = {each.value for op in ops for each in op.inputs}
    constants = {each for each in given if isinstance(flow.born.get(each), events.Constant)}
    behind = {each.value for each in alive.inputs}
    # Of this iteration alone: the weights came from the targets of earlier ones.
    for op in reversed(ops):
        if any(output.id in behind for output in op.outputs):
            behind.update(each.value for each in op.inputs)
    sizes = [
        max((largest(flow.numbers.get(each)) for each in some), default=0.0)
        for some in (constants & behind, constants - behind)
    ]
    return _Given(*sizes)

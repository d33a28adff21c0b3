"""Units that were alive until one update was too large: what it moved, and by how much.

A relu that gives nothing from the start wants another start. One that gave something in the turn before was killed by the update
in between, and no other start helps against the next one.
"""

from bisect import bisect_left
from typing import NamedTuple

from minitape.debug.causes.scene import Scene
from minitape.debug.flow import Flow
from minitape.debug.numbers import RELUS, largest
from minitape.debug.trace import Event

_LEAP = 10.0  # an update that makes the largest weight so many times as large
_UNSCALED = 10.0  # numbers that large are no good company for weights of about 1


class Death(NamedTuple):
    """What to add to the message, and what to do about it."""

    message: str
    fix: str


def death(scene: Scene, op: Event) -> Death | None:
    """The update that killed the units of a relu; None where they never lived, or went slowly."""
    alive = _last_alive(scene.flow, op)
    if alive is None:
        return None
    leaps = [
        leap
        for variable in scene.flow.variables
        if scene.flow.leads(variable, [op["inputs"][0]["t"]])
        if (leap := _leap(scene.flow, variable, alive["i"], op["i"])) is not None
    ]
    if not leaps:
        return None
    before, update = max(leaps, key=lambda leap: largest(leap[1]["T"]))
    high = scene.flow.numbers[alive["inputs"][0]["t"]]["max"]
    return Death(
        f"Before the update in line {scene.line_of(update)} some were above 0 (up to {high:.4g}): that one step took "
        f"{scene.name_of(update['var'])} from {before:.4g} at most to {largest(update['T']):.4g}, and it never comes back.",
        _smaller_steps(_largest_given(scene.flow, alive)),
    )


def _smaller_steps(given: float) -> str:
    if given <= _UNSCALED:
        return "a smaller learning rate, a hundredth of this one; or tf.keras.optimizers.Adam, whose steps stay small"
    return (
        f"scale what comes in, here up to {given:.4g}, to about -1 to 1: inputs (x - mean) / deviation, targets too, and "
        "predictions back; or, without scaling, a rate smaller by a factor of hundreds, or tf.keras.optimizers.Adam"
    )


def _last_alive(flow: Flow, op: Event) -> Event | None:
    """The last run of the same relu in which something above 0 came in."""
    runs = flow.once_for_all(_alive).get(_spot(op), [])
    earlier = bisect_left(runs, op["i"])
    return flow.event(runs[earlier - 1]) if earlier else None


def _alive(flow: Flow) -> dict[tuple[object, ...], list[int]]:
    """For each relu of the program its runs in which something above 0 came in, in order."""
    runs: dict[tuple[object, ...], list[int]] = {}
    for op in flow.op_events.values():
        if op["name"] in RELUS and (flow.numbers[op["inputs"][0]["t"]]["max"] or 0) > 0:
            runs.setdefault(_spot(op), []).append(op["i"])
    return runs


def _spot(op: Event) -> tuple[object, ...]:
    return (op["name"], *op["stack"])


def _leap(flow: Flow, variable: int, since: int, before: int) -> tuple[float, Event] | None:
    """What a variable was at most before the first update between two events, and that update, if it made it much larger."""
    updates = flow.assigns[variable]
    first = bisect_left(updates, since, key=lambda update: update["i"])
    if first == len(updates) or updates[first]["i"] > before:
        return None
    held = updates[first - 1] if first else flow.variables[variable]
    was, update = largest(held["T"]), updates[first]
    return (was, update) if largest(update["T"]) > _LEAP * max(was, 1.0) else None


def _largest_given(flow: Flow, alive: Event) -> float:
    """The largest of the data that met the weights in that turn."""
    ops = flow.ops_on[alive["recorded"][-1]] if alive["recorded"] else []
    given = {each["t"] for op in ops for each in op["inputs"]}
    constants = (each for each in given if flow.born.get(each, {}).get("k") == "constant")
    return max((largest(flow.numbers.get(each)) for each in constants), default=0.0)

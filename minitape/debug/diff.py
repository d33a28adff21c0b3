"""Two runs side by side: where they part in what they did, in numbers, in gradients.

diff          two traces → Difference
Difference    the partings, in the order of the run
Parting       steps of the one and steps of the other that stand in each other's place

Steps are put beside each other by what they are (the same op, the same move of a tape), not by their lines: a line that was
added above moves nothing apart. It reads traces and nothing else.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from minitape.debug.trace import Event, Trace, as_number

_KINDS = frozenset(
    (
        *("variable", "op", "assign", "export", "reentry", "rebind", "note", "error", "gradient"),
        *("tape_enter", "tape_exit", "stop_recording", "reset"),
    )
)
_WINDOW = (
    2000  # behind the first difference; putting all of a long loop beside each other takes minutes
)
_NUMBERS = ("min", "max", "mean", "std", "l2", "nan", "inf", "zeros")


@dataclass(frozen=True)
class Parting:
    """Steps of the first run and of the second in each other's place; `what` differs: `steps`, or something about one step.

    `times` counts the rounds of a loop that part in the same way.
    """

    what: str
    first: tuple[Event, ...]
    second: tuple[Event, ...]
    times: int = 1


@dataclass(frozen=True)
class Gradient:
    """A gradient that differs: the call and the result in each run; a result is None where there was no answer."""

    calls: tuple[Event, Event]
    index: int
    results: tuple[Event | None, Event | None]


@dataclass(frozen=True)
class Difference:
    """All that differs between two runs.

    `pairs` is how many steps both have, `unseen` how many came too long after the first parting to be compared.
    """

    steps: tuple[Parting, ...]
    values: tuple[Parting, ...]
    gradients: tuple[Gradient, ...]
    pairs: int
    unseen: int

    @property
    def is_none(self) -> bool:
        return not (self.steps or self.values or self.gradients)


def diff(first: Trace, second: Trace, *, tolerance: float = 0.0) -> Difference:
    """Compare two runs.

    Args:
        tolerance: Numbers are equal if they differ by no more, absolutely or relatively. 0: as they stand in the trace.
    """
    left, right = _steps(first), _steps(second)
    partings: list[Parting] = []
    values: list[Parting] = []
    gradients: list[Gradient] = []
    answers = _answers(first), _answers(second)
    pairs = 0
    same = _in_step(left, right)
    for parting, pair in _beside(left, right, same):
        if parting is not None:
            partings.append(parting)
            continue
        a, b = pair
        pairs += 1
        for what in _told_apart(a, b):
            partings.append(Parting(what, (a,), (b,)))
        if not _same_numbers(a, b, tolerance):
            values.append(Parting("value", (a,), (b,)))
        if a["k"] == "gradient":
            gradients += _gradients(a, b, answers, tolerance)
    unseen = max(len(left), len(right)) - same - _WINDOW
    return Difference(_counted(partings), _counted(values), tuple(gradients), pairs, max(unseen, 0))


# --- steps beside each other ---


def _steps(trace: Trace) -> list[Event]:
    """What the program did, without what the trace says besides to explain it."""
    steps: list[Event] = []
    for event in trace:
        if event["k"] in _KINDS or event.get("how") in ("explicit", "tf.constant"):
            if (
                steps
                and event["k"] == steps[-1]["k"] == "export"
                and _is_one_exit(steps[-1], event)
            ):
                steps.pop()  # NumPy first asked for the array, then worked on it
            steps.append(event)
    return steps


def _is_one_exit(before: Event, event: Event) -> bool:
    return bool(before["via"] == "__array__" and before["stack"] == event["stack"])


def _key(event: Event) -> tuple[Any, ...]:
    kind = event["k"]
    field = {"op": "name", "assign": "how", "export": "via", "gradient": "api", "error": "type"}
    about = event[field[kind]] if kind in field else event.get("on")
    return kind, about


_Pair = tuple[Event, Event]


def _in_step(left: list[Event], right: list[Event]) -> int:
    """How many steps both runs begin with."""
    for count, pair in enumerate(zip(left, right)):
        if _key(pair[0]) != _key(pair[1]):
            return count
    return min(len(left), len(right))


def _beside(
    left: list[Event], right: list[Event], same: int
) -> Iterator[tuple[Parting | None, _Pair]]:
    """The steps of both runs in order: a parting, or a pair of equal kind."""
    nothing: _Pair = {}, {}
    for pair in zip(left[:same], right[:same], strict=True):
        yield None, pair
    left, right = left[same : same + _WINDOW], right[same : same + _WINDOW]
    matcher = SequenceMatcher(None, [*map(_key, left)], [*map(_key, right)], autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            for pair in zip(left[i:i_end], right[j:j_end], strict=True):
                yield None, pair
        else:
            yield Parting("steps", tuple(left[i:i_end]), tuple(right[j:j_end])), nothing


def _counted(partings: list[Parting]) -> tuple[Parting, ...]:
    """Each parting once, with the number of times that it came: a loop parts in every round."""
    times: dict[tuple[Any, ...], Parting] = {}
    for each in partings:
        places = tuple(
            tuple((_key(event), *event.get("stack", ())) for event in side)
            for side in (each.first, each.second)
        )
        known = times.get((each.what, places))
        times[each.what, places] = each if known is None else replace(known, times=known.times + 1)
    return tuple(times.values())


# --- two steps of a kind ---


def _told_apart(a: Event, b: Event) -> Iterator[str]:
    """What differs between two steps of the same kind, numbers aside."""
    if a["k"] == "op":
        if [_form(each) for each in a["outputs"]] != [_form(each) for each in b["outputs"]]:
            yield "shape"
        elif a["attrs"] != b["attrs"]:
            yield "attrs"
        if _record(a) != _record(b):
            yield "recorded"
    elif a["k"] == "variable":
        if _form(a["T"]) != _form(b["T"]):
            yield "shape"
        if a["trainable"] != b["trainable"]:
            yield "trainable"
    elif a["k"] == "tape_enter":
        yield from (each for each in ("persistent", "watch_vars") if a[each] != b[each])
    elif a["k"] in ("note", "error"):
        yield from (each for each in ("text", "message") if a.get(each) != b.get(each))


def _form(tensor: Event) -> tuple[Any, ...]:
    return tensor["shape"], tensor["dtype"]


def _record(op: Event) -> tuple[bool, list[str]]:
    return bool(op["recorded"]), sorted(set(op["why_not"].values()))


def _same_numbers(a: Event, b: Event, tolerance: float) -> bool:
    tensors = [
        (event["outputs"] if event["k"] == "op" else [event["T"]] if "T" in event else [])
        for event in (a, b)
    ]
    return all(
        _form(x) != _form(y) or _close(x, y, tolerance)  # then it is the shape that differs
        for x, y in zip(*tensors)
    )


def _close(x: Event, y: Event, tolerance: float) -> bool:
    if "data" in x and "data" in y:
        return _all_close(x["data"], y["data"], tolerance)
    left, right = (
        [tensor[name] for name in _NUMBERS] + tensor.get("strip", []) for tensor in (x, y)
    )
    return _all_close(left, right, tolerance)


def _all_close(x: Any, y: Any, tolerance: float) -> bool:
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(_all_close(a, b, tolerance) for a, b in zip(x, y))
    if x == y:
        return True
    try:
        a, b = as_number(x), as_number(y)
    except (TypeError, ValueError):  # text, or no number at all
        return False
    both_nan = math.isnan(a) and math.isnan(b)
    return both_nan or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


# --- gradients ---

_Answers = dict[int, dict[int, Event]]


def _answers(trace: Trace) -> _Answers:
    """The results of each gradient call, by the number of the source."""
    answers: _Answers = {}
    for event in trace.of("result"):
        answers.setdefault(event["call"], {})[event["source"]] = event
    return answers


def _gradients(
    a: Event, b: Event, answers: tuple[_Answers, _Answers], tolerance: float
) -> Iterator[Gradient]:
    """The sources of two calls, one by one, whose gradients differ."""
    here, there = answers[0].get(a["call"], {}), answers[1].get(b["call"], {})
    for index in range(min(len(a["sources"]), len(b["sources"]))):
        x, y = here.get(index), there.get(index)
        if not _same_gradient(x, y, tolerance):
            yield Gradient((a, b), index, (x, y))


def _same_gradient(x: Event | None, y: Event | None, tolerance: float) -> bool:
    if x is None or y is None:
        return x is y
    if x["T"] is None or y["T"] is None:
        return x["T"] is y["T"]
    return _form(x["T"]) == _form(y["T"]) and _close(x["T"], y["T"], tolerance)

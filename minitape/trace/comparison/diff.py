"""Compares two runs: where they differ in steps, values and gradients.

diff          two traces → Difference
Difference    the differences, in the order of the run
Parting       steps of one run and steps of the other at the same position
in_step       two traces → Pair by Pair, including equal steps

Steps are aligned by kind (the same op, the same action of a tape), not by line, so an added line does not
affect the lines below. This module depends only on traces.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, NamedTuple

from minitape.trace import events
from minitape.trace.comparison.closeness import close, form
from minitape.trace.events import Numbers, OpEvent, Placed, ResultEvent
from minitape.trace.trace import Trace
from minitape.trace.writing import encode

_KINDS = (
    *(
        events.VariableEvent,
        OpEvent,
        events.AssignEvent,
        events.ExportEvent,
        events.ReentryEvent,
        events.RebindEvent,
    ),
    *(events.NoteEvent, events.ErrorEvent, events.GradientEvent),
    *(events.TapeEnterEvent, events.TapeExitEvent, events.StopRecordingEvent, events.ResetEvent),
)
_WINDOW = 2000  # steps after the first difference; aligning all steps of a long loop takes minutes

# The texts for what differs.
CHANGED = {
    "steps": "different steps",
    "shape": "different shape or dtype",
    "attrs": "different attributes",
    "recorded": "recorded in only one run, or not for the same reason",
    "trainable": "trainable in only one run",
    "persistent": "persistent in only one run",
    "watch_vars": "watches variables in only one run",
    "text": "different note",
    "message": "different message",
    "value": "different values",
    "gradient": "different gradients",
}


@dataclass(frozen=True)
class Parting:
    """Steps of the first and of the second run at the same position; `what` names the difference: `steps`, or a property of a
    step.

    `times` counts the iterations of a loop with the same difference.
    """

    what: str
    first: tuple[Placed, ...]
    second: tuple[Placed, ...]
    times: int = 1


@dataclass(frozen=True)
class GradientDifference:
    """A gradient that differs: the call and the result in each run; a result is None if there was none."""

    calls: tuple[events.GradientEvent, events.GradientEvent]
    index: int
    results: tuple[ResultEvent | None, ResultEvent | None]


@dataclass(frozen=True)
class Difference:
    """All differences between two runs.

    `pairs` is the number of steps that both runs have; `unseen` is the number of steps that were not compared, because they
    come too long after the first difference.
    """

    steps: tuple[Parting, ...]
    values: tuple[Parting, ...]
    gradients: tuple[GradientDifference, ...]
    pairs: int
    unseen: int

    @property
    def is_none(self) -> bool:
        return not (self.steps or self.values or self.gradients)


def diff(first: Trace, second: Trace, *, tolerance: float = 0.0) -> Difference:
    """Compare two runs.

    Args:
        first: The trace of one run.
        second: The trace of the other run.
        tolerance: Values are equal if they differ by no more than this, absolute or relative; 0 means exactly as in the trace.
    """
    left, right = _steps(first), _steps(second)
    partings: list[Parting] = []
    values: list[Parting] = []
    gradients: list[GradientDifference] = []
    answers = _answers(first), _answers(second)
    pairs = 0
    same = _in_step(left, right)
    for found in _beside(left, right, same):
        if isinstance(found, Parting):
            partings.append(found)
            continue
        a, b = found
        pairs += 1
        for what in _reported_apart(a, b):
            partings.append(Parting(what, (a,), (b,)))
        if not _same_numbers(a, b, tolerance):
            values.append(Parting("value", (a,), (b,)))
        if isinstance(a, events.GradientEvent) and isinstance(b, events.GradientEvent):
            gradients += _gradients(a, b, answers, tolerance)
    unseen = max(len(left), len(right)) - same - _WINDOW
    return Difference(_counted(partings), _counted(values), tuple(gradients), pairs, max(unseen, 0))


class Pair(NamedTuple):
    """A step of each run at the same position, or a step of one run alone; `what` lists what differs."""

    first: Placed | None
    second: Placed | None
    what: tuple[str, ...] = ()


def in_step(first: Trace, second: Trace, *, tolerance: float = 0.0) -> Iterator[Pair]:
    """Yield all steps of both runs in order, as far as `diff` compares them. For `tolerance`, see `diff`."""
    answers = _answers(first), _answers(second)
    left, right = _steps(first), _steps(second)
    for found in _beside(left, right, _in_step(left, right)):
        if isinstance(found, Parting):
            # Steps of both runs are paired as far as possible, so that they are easy to compare.
            for a, b in zip_longest(found.first, found.second):
                yield Pair(a, b, ("steps",))
            continue
        a, b = found
        what = [*_reported_apart(a, b)]
        what += [] if _same_numbers(a, b, tolerance) else ["value"]
        if isinstance(a, events.GradientEvent) and isinstance(b, events.GradientEvent):
            what += ["gradient"] if any(_gradients(a, b, answers, tolerance)) else []
        yield Pair(a, b, tuple(what))


# --- alignment ---


def _steps(trace: Trace) -> list[Placed]:
    """Return the steps of the program, without events that only describe it."""
    steps: list[Placed] = []
    for event in trace:
        if isinstance(event, Placed) and _is_step(event):
            if steps and _is_one_exit(steps[-1], event):
                steps.pop()  # NumPy first requested the array, then computed with it
            steps.append(event)
    return steps


def _is_step(event: Placed) -> bool:
    match event:
        case events.WatchEvent(how="explicit") | events.ConstantEvent(how="tf.constant"):
            return True
    return isinstance(event, _KINDS)


def _is_one_exit(before: Placed, event: Placed) -> bool:
    match before, event:
        case events.ExportEvent(via="__array__"), events.ExportEvent():
            return before.stack == event.stack
    return False


def _key(step: Placed) -> tuple[type[Placed], object]:
    """Return a key that is equal for steps of the same kind, regardless of their location and values."""
    about: object = None
    match step:
        case OpEvent():
            about = step.name
        case events.AssignEvent():
            about = step.how
        case events.ExportEvent():
            about = step.via
        case events.GradientEvent():
            about = step.api
        case events.ErrorEvent():
            about = step.type
        case events.StopRecordingEvent():
            about = step.on
    return type(step), about


_Pair = tuple[Placed, Placed]


def _in_step(left: list[Placed], right: list[Placed]) -> int:
    """Return the number of equal steps at the start of both runs."""
    for count, pair in enumerate(zip(left, right)):
        if _key(pair[0]) != _key(pair[1]):
            return count
    return min(len(left), len(right))


def _beside(left: list[Placed], right: list[Placed], same: int) -> Iterator[Parting | _Pair]:
    """Yield the steps of both runs in order: a difference, or a pair of the same kind."""
    yield from zip(left[:same], right[:same], strict=True)
    left, right = left[same : same + _WINDOW], right[same : same + _WINDOW]
    matcher = SequenceMatcher(None, [*map(_key, left)], [*map(_key, right)], autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(left[i:i_end], right[j:j_end], strict=True)
        else:
            yield Parting("steps", tuple(left[i:i_end]), tuple(right[j:j_end]))


def _counted(partings: list[Parting]) -> tuple[Parting, ...]:
    """Return each difference once, with its number of occurrences, because a loop repeats it in every iteration."""
    times: dict[tuple[Any, ...], Parting] = {}
    for each in partings:
        locations = tuple(
            tuple((_key(step), *step.stack) for step in side) for side in (each.first, each.second)
        )
        known = times.get((each.what, locations))
        times[each.what, locations] = (
            each if known is None else replace(known, times=known.times + 1)
        )
    return tuple(times.values())


# --- two steps of the same kind ---


def _reported_apart(a: Placed, b: Placed) -> Iterator[str]:
    """Yield what differs between two steps of the same kind, except values."""
    match a, b:
        case OpEvent(), OpEvent():
            if [*map(form, a.outputs)] != [*map(form, b.outputs)]:
                yield "shape"
            elif not _same_settings(a, b):
                yield "attrs"
            if _record(a) != _record(b):
                yield "recorded"
        case events.VariableEvent(), events.VariableEvent():
            if form(a.numbers) != form(b.numbers):
                yield "shape"
            if a.trainable != b.trainable:
                yield "trainable"
        case events.TapeEnterEvent(), events.TapeEnterEvent():
            if a.persistent != b.persistent:
                yield "persistent"
            if a.watch_accessed_variables != b.watch_accessed_variables:
                yield "watch_vars"
        case events.NoteEvent(), events.NoteEvent():
            if a.text != b.text:
                yield "text"
        case events.ErrorEvent(), events.ErrorEvent():
            if a.message != b.message:
                yield "message"


def _same_settings(a: OpEvent, b: OpEvent) -> bool:
    """Whether the settings are equal as written in a trace file, where NaN is a string, which equals itself."""
    return a.attrs == b.attrs or encode(a.attrs) == encode(b.attrs)


def _record(op: OpEvent) -> tuple[bool, list[str]]:
    return bool(op.recorded), sorted(set(op.why_not.values()))


def _same_numbers(a: Placed, b: Placed, tolerance: float) -> bool:
    return all(
        form(x) != form(y) or close(x, y, tolerance)  # the shape differs then, and is reported
        for x, y in zip(_tensors(a), _tensors(b))
    )


def _tensors(step: Placed) -> list[Numbers]:
    """Return the results of a step."""
    if isinstance(step, OpEvent):
        return step.outputs
    if isinstance(step, events.ConstantEvent | events.VariableEvent | events.AssignEvent):
        return [step.numbers]
    return []


# --- gradients ---

_Answers = dict[int, dict[int, ResultEvent]]


def _answers(trace: Trace) -> _Answers:
    """Return the results of each gradient call, by the number of the source."""
    answers: _Answers = {}
    for result in trace.of(ResultEvent):
        answers.setdefault(result.call, {})[result.source] = result
    return answers


def _gradients(
    a: events.GradientEvent,
    b: events.GradientEvent,
    answers: tuple[_Answers, _Answers],
    tolerance: float,
) -> Iterator[GradientDifference]:
    """Yield the sources of two calls whose gradients differ."""
    here, there = answers[0].get(a.call, {}), answers[1].get(b.call, {})
    for index in range(min(len(a.sources), len(b.sources))):
        x, y = here.get(index), there.get(index)
        if not _same_gradient(x, y, tolerance):
            yield GradientDifference((a, b), index, (x, y))


def _same_gradient(x: ResultEvent | None, y: ResultEvent | None, tolerance: float) -> bool:
    if x is None or y is None:
        return x is y
    if x.numbers is None or y.numbers is None:
        return x.numbers is y.numbers
    return form(x.numbers) == form(y.numbers) and close(x.numbers, y.numbers, tolerance)

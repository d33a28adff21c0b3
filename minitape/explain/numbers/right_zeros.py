"""Correct zero gradients: a derivative of 0 at a single point is a property of that point, not a mistake.

    without_right_zeros    the reports of all calls, without findings for such zeros

The evidence is the gradient of the same source in the other executions of the same call. If all are 0, the finding stays.
Otherwise it depends on the source.

    point     of a sweep, a simulation or a table: the op with the derivative 0 has a nonzero derivative at another point
    weight    that a loop updates: a later gradient is not 0, or an earlier one was not 0 and the training has converged

For a weight that dies, the finding stays: it has a gradient first, then none until the end, and the loss is not 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from minitape.explain.causes import CAUSES
from minitape.explain.flow.calls import BackwardStep, GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import is_zero, largest
from minitape.explain.flow.updates import first_moved
from minitape.explain.report import CallReport, Finding, Location, Outcome, SourceReport
from minitape.trace import events

_WITH_DERIVATIVE = {Outcome.OK, Outcome.PARTIAL}
# The location of an op in the program: its name and the innermost call that led to it.
_OpAndLocation = tuple[str, events.SourceRange | None]


@dataclass(frozen=True)
class _Iteration:
    """One source of one gradient call."""

    call: GradientCall
    source: SourceReport

    @property
    def has_derivative(self) -> bool:
        return self.source.outcome in _WITH_DERIVATIVE

    @property
    def targets(self) -> list[int]:
        return self.call.event.targets


@dataclass
class _Life:
    """The executions of one gradient call for one source, in order. `moved` is true if a gradient changed the source between
    them.
    """

    iterations: list[_Iteration] = field(default_factory=list)
    moved: bool = False


def without_right_zeros(
    flow: FlowGraph, requested: Sequence[GradientCall], reports: Sequence[CallReport]
) -> Iterator[CallReport]:
    """Yield the reports of the calls, without findings for zeros that are right."""
    lives = _lives(flow, requested, reports)
    for call, report in zip(requested, reports, strict=True):
        sources = []
        for source in report.sources:
            if source.outcome is Outcome.ZERO and source.findings:
                life = lives[_key(lives, report, source)]
                here = _Iteration(call, source)
                if _is_right(flow, life, here) or _is_one_of_several_points(flow, here, report):
                    source = replace(source, findings=())
            sources.append(source)
        yield replace(report, sources=tuple(sources))


# --- the executions of each source ---

_Key = tuple[Location, int, int | None]


def _lives(
    flow: FlowGraph, requested: Sequence[GradientCall], reports: Sequence[CallReport]
) -> dict[_Key, _Life]:
    """Return the executions for each source, identified by its value if that is a source repeatedly, otherwise by its position
    among the sources.
    """
    times: dict[_Key, int] = {}
    for report in reports:
        for source in report.sources:
            key = report.location, source.index, source.value
            times[key] = times.get(key, 0) + 1
    lives: dict[_Key, _Life] = {key: _Life() for key, count in times.items() if count > 1}
    for call, report in zip(requested, reports, strict=True):
        for source in report.sources:
            life = lives.setdefault(_key(lives, report, source), _Life())
            life.iterations.append(_Iteration(call, source))
            life.moved = life.moved or _is_moved(flow, source.value, call.event.i)
    return lives


def _key(lives: dict[_Key, _Life], report: CallReport, source: SourceReport) -> _Key:
    key = report.location, source.index, source.value
    return key if key in lives else (report.location, source.index, None)


def _is_moved(flow: FlowGraph, value: int, before: int) -> bool:
    """Whether the value of a source at that event was computed from a gradient."""
    moved = flow.once_for_all(first_moved)
    return moved.get(value, before) < before


# --- whether a zero is correct ---


def _is_right(flow: FlowGraph, life: _Life, here: _Iteration) -> bool:
    with_derivative = [each for each in life.iterations if each.has_derivative]
    if not with_derivative:
        return False
    if not life.moved:
        return any(_lets_through(flow, each, here) for each in with_derivative)
    if with_derivative[-1].call.event.i > here.call.event.i or _has_come_back(life):
        return True
    is_at_rest = any(CAUSES[finding.slug].at_rest for finding in here.source.findings)
    return is_at_rest or _is_done(flow, here, with_derivative[-1]) or _is_left_out(flow, here)


def _has_come_back(life: _Life) -> bool:
    """Whether the gradient was 0 before, for at least as many iterations as at the end, and then became nonzero again."""
    stretches = [
        len(list(zeros))
        for derivative, zeros in groupby(r.has_derivative for r in life.iterations)
        if not derivative
    ]
    return len(stretches) > 1 and max(stretches[:-1]) >= stretches[-1]


def _is_done(flow: FlowGraph, here: _Iteration, before: _Iteration) -> bool:
    """Whether the target has decreased to 0, as when all margins are satisfied, so that there is nothing left to train."""
    was = [flow.numbers[each].mean for each in before.targets]
    is_above = all(each is not None and each > 0 for each in was)
    return is_above and all(is_zero(flow.numbers[each]) for each in here.targets)


def _is_left_out(flow: FlowGraph, here: _Iteration) -> bool:
    """Whether the data selected another branch this time, and not the source or another trained value."""
    flat = _flat_op(flow, here.source.findings[0])
    if flat is None or flat.name != "SelectV2":
        return False
    condition = flat.inputs[0].value
    is_learned = condition in flow.once_for_all(first_moved)
    return not is_learned and not flow.leads(here.source.value, [condition])


def _lets_through(flow: FlowGraph, there: _Iteration, here: _Iteration) -> bool:
    """Whether the op with the derivative 0 passed on a gradient in another execution. On the same tape it must be the same op."""
    flat = _flat_op(flow, here.source.findings[0])
    if flat is None:
        return True
    if there.call.tape == here.call.tape:
        return _sends(there.call.step_of.get(flat.number))
    return any(map(_sends, flow.once(_steps_at, there.call).get(_op_and_location(flow, flat), ())))


def _is_one_of_several_points(flow: FlowGraph, here: _Iteration, report: CallReport) -> bool:
    """Whether the same line computed with another source of the call, whose gradient is not 0."""
    finding = here.source.findings[0]
    flat = _flat_op(flow, finding)
    if flat is None or not CAUSES[finding.slug].at_point:
        return False
    steps_there = flow.once(_steps_at, here.call).get(_op_and_location(flow, flat), ())
    ours = flat.outputs[0].id
    others = [
        each.value
        for each in report.sources
        if each.outcome in _WITH_DERIVATIVE and not flow.leads(each.value, [ours])
    ]
    theirs = [step.op.outputs[0].id for step in steps_there if _sends(step)]
    apart = [each for each in theirs if not flow.leads(here.source.value, [each])]
    return bool(apart) and any(flow.leads(other, apart) for other in others)


def _flat_op(flow: FlowGraph, finding: Finding) -> events.OpEvent | None:
    reported = (flow.event(number) for number in finding.events)
    return next((each for each in reported if isinstance(each, events.OpEvent)), None)


def _sends(step: BackwardStep | None) -> bool:
    return step is not None and any(
        largest(contribution.numbers) for contribution in step.back.sent
    )


def _steps_at(flow: FlowGraph, call: GradientCall) -> dict[_OpAndLocation, list[BackwardStep]]:
    """Return the steps of a backward pass, by the location of their ops in the program."""
    steps: dict[_OpAndLocation, list[BackwardStep]] = {}
    for step in call.steps:
        steps.setdefault(_op_and_location(flow, step.op), []).append(step)
    return steps


def _op_and_location(flow: FlowGraph, op: events.OpEvent) -> _OpAndLocation:
    site = flow.innermost(op)
    return op.name, None if site is None else site.at

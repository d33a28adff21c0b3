"""Zeros that are right: a slope of 0 at one point is a property of the point, and no mistake of the program.

    without_right_zeros    the reports of all calls, such zeros without a finding

The evidence is what the same question gave at other times, in the other rounds of its life. All of them 0: the finding stays.
Else it depends on what the source is.

    point     of a sweep, a simulation, a table: the op that is flat here let something through elsewhere
    weight    that a loop moves by its gradients: a slope came back later, or there was one and now nothing is left to learn

A weight that dies has a slope, then none to the end, and its loss is not 0: that is found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from minitape.explain.causes import CAUSES
from minitape.explain.flow.calls import Call, Step
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.magnitudes import is_zero, largest
from minitape.explain.flow.updates import first_moved
from minitape.explain.report import CallReport, Finding, Outcome, Place, SourceReport
from minitape.trace import events

_WITH_SLOPE = {Outcome.OK, Outcome.PARTIAL}
# Where an op stands in the program: its name and the innermost call that it came from.
_Spot = tuple[str, events.Place | None]


@dataclass(frozen=True)
class _Round:
    """One source of one gradient call."""

    call: Call
    source: SourceReport

    @property
    def has_slope(self) -> bool:
        return self.source.outcome in _WITH_SLOPE

    @property
    def targets(self) -> list[int]:
        return self.call.event.targets


@dataclass
class _Life:
    """The rounds of one question, in order; `moved` if a gradient moved the source between them."""

    rounds: list[_Round] = field(default_factory=list)
    moved: bool = False


def without_right_zeros(
    flow: Flow, asked: Sequence[Call], reports: Sequence[CallReport]
) -> Iterator[CallReport]:
    """The reports of the calls asked, without findings for zeros that are right."""
    lives = _lives(flow, asked, reports)
    for call, report in zip(asked, reports, strict=True):
        sources = []
        for source in report.sources:
            if source.outcome is Outcome.ZERO and source.findings:
                life = lives[_key(lives, report, source)]
                here = _Round(call, source)
                if _is_right(flow, life, here) or _is_one_of_several_points(flow, here, report):
                    source = replace(source, findings=())
            sources.append(source)
        yield replace(report, sources=tuple(sources))


# --- what is one question ---

_Key = tuple[Place, int, int | None]


def _lives(flow: Flow, asked: Sequence[Call], reports: Sequence[CallReport]) -> dict[_Key, _Life]:
    """The rounds of each question: of a value that is asked about again and again, else of a place among the sources."""
    times: dict[_Key, int] = {}
    for report in reports:
        for source in report.sources:
            key = report.place, source.index, source.value
            times[key] = times.get(key, 0) + 1
    lives: dict[_Key, _Life] = {key: _Life() for key, count in times.items() if count > 1}
    for call, report in zip(asked, reports, strict=True):
        for source in report.sources:
            life = lives.setdefault(_key(lives, report, source), _Life())
            life.rounds.append(_Round(call, source))
            life.moved = life.moved or _is_moved(flow, source.value, call.event.i)
    return lives


def _key(lives: dict[_Key, _Life], report: CallReport, source: SourceReport) -> _Key:
    key = report.place, source.index, source.value
    return key if key in lives else (report.place, source.index, None)


def _is_moved(flow: Flow, value: int, before: int) -> bool:
    """Whether what a source held at that time came from a gradient."""
    moved = flow.once_for_all(first_moved)
    return moved.get(value, before) < before


# --- whether a zero is right ---


def _is_right(flow: Flow, life: _Life, here: _Round) -> bool:
    with_slope = [each for each in life.rounds if each.has_slope]
    if not with_slope:
        return False
    if not life.moved:
        return any(_lets_through(flow, each, here) for each in with_slope)
    if with_slope[-1].call.event.i > here.call.event.i or _has_come_back(life):
        return True
    is_at_rest = any(CAUSES[finding.slug].at_rest for finding in here.source.findings)
    return is_at_rest or _is_done(flow, here, with_slope[-1]) or _is_left_out(flow, here)


def _has_come_back(life: _Life) -> bool:
    """Whether there was a stretch without slope before, no shorter than the one at the end, and then a slope again."""
    stretches = [
        len(list(zeros)) for slope, zeros in groupby(r.has_slope for r in life.rounds) if not slope
    ]
    return len(stretches) > 1 and max(stretches[:-1]) >= stretches[-1]


def _is_done(flow: Flow, here: _Round, before: _Round) -> bool:
    """Whether what is differentiated has come down to 0: all margins are kept, and there is nothing left to learn."""
    was = [flow.numbers[each].mean for each in before.targets]
    is_above = all(each is not None and each > 0 for each in was)
    return is_above and all(is_zero(flow.numbers[each]) for each in here.targets)


def _is_left_out(flow: Flow, here: _Round) -> bool:
    """Whether the data chose another branch this time: neither the source nor anything that was learned decides."""
    flat = _flat_op(flow, here.source.findings[0])
    if flat is None or flat.name != "SelectV2":
        return False
    condition = flat.inputs[0].value
    is_learned = condition in flow.once_for_all(first_moved)
    return not is_learned and not flow.leads(here.source.value, [condition])


def _lets_through(flow: Flow, there: _Round, here: _Round) -> bool:
    """Whether the op that is flat here sent something on in another round; of one tape it has to be the same op."""
    flat = _flat_op(flow, here.source.findings[0])
    if flat is None:
        return True
    if there.call.tape == here.call.tape:
        return _sends(there.call.step_of.get(flat.number))
    return any(map(_sends, flow.once(_steps_at, there.call).get(_spot(flow, flat), ())))


def _is_one_of_several_points(flow: Flow, here: _Round, report: CallReport) -> bool:
    """Whether the same line computed with another source of the call, and gave that one a slope."""
    finding = here.source.findings[0]
    flat = _flat_op(flow, finding)
    if flat is None or not CAUSES[finding.slug].at_point:
        return False
    at_spot = flow.once(_steps_at, here.call).get(_spot(flow, flat), ())
    ours = flat.outputs[0].id
    others = [
        each.value
        for each in report.sources
        if each.outcome in _WITH_SLOPE and not flow.leads(each.value, [ours])
    ]
    theirs = [step.op.outputs[0].id for step in at_spot if _sends(step)]
    apart = [each for each in theirs if not flow.leads(here.source.value, [each])]
    return bool(apart) and any(flow.leads(other, apart) for other in others)


def _flat_op(flow: Flow, finding: Finding) -> events.Op | None:
    told = (flow.event(number) for number in finding.events)
    return next((each for each in told if isinstance(each, events.Op)), None)


def _sends(step: Step | None) -> bool:
    return step is not None and any(largest(share.numbers) for share in step.back.sent)


def _steps_at(flow: Flow, call: Call) -> dict[_Spot, list[Step]]:
    """The steps of a walk by where their ops stand in the program."""
    steps: dict[_Spot, list[Step]] = {}
    for step in call.steps:
        steps.setdefault(_spot(flow, step.op), []).append(step)
    return steps


def _spot(flow: Flow, op: events.Op) -> _Spot:
    site = flow.innermost(op)
    return op.name, None if site is None else site.at

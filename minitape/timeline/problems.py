"""The steps with a problem: the findings, the first values that are NaN or infinite, and vanishing or exploding gradients."""

from collections.abc import Iterator

from minitape.explain.report import Report
from minitape.timeline import words
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

# Relative to the norm of the seed. Beyond these factors, a float32 update with a usual learning rate has no effect or is far
# too large.
VANISHED = 1e-7
EXPLODED = 1e7


def problems(trace: Trace, report: Report) -> dict[int, str]:
    """Return a short text about each problem, by the number of its event."""
    found: dict[int, str] = {}
    concerned = _calls_with_findings(trace, report)
    for number, what in (
        *_of_findings(trace, report),
        *_of_errors(trace),
        *_of_numbers(trace, concerned),
    ):
        found.setdefault(number, what)
    return found


def _of_findings(trace: Trace, report: Report) -> Iterator[tuple[int, str]]:
    """Yield the event that causes each finding, and the result that it affects."""
    answers = {(event.call, event.source): event.i for event in trace.of(events.ResultEvent)}
    numbers = {event.i: event.call for event in trace.of(events.GradientEvent)}
    for call in report.calls:
        for source in call.sources:
            for finding in source.findings:
                if finding.events:
                    yield finding.events[0], f"{finding.label} ({finding.code})"
                answer = answers.get((numbers[call.event], source.index))
                if answer is not None:
                    yield answer, f"{source.name}: {finding.label} ({finding.code})"


def _of_errors(trace: Trace) -> Iterator[tuple[int, str]]:
    for event in trace.of(events.ErrorEvent):
        yield event.i, words.IS_RAISED.format(error=event.type)


def _calls_with_findings(trace: Trace, report: Report) -> set[int]:
    """Return the gradient calls with a finding or a note. In the other calls, it is normal that a part of a gradient is zero."""
    numbers = {event.i: event.call for event in trace.of(events.GradientEvent)}
    return {
        numbers[call.event]
        for call in report.calls
        if report.notes_on(call) or any(source.findings for source in call.sources)
    }


def _of_numbers(trace: Trace, concerned: set[int]) -> Iterator[tuple[int, str]]:
    """Yield the first op, and the first step of each backward pass, whose values are bad although its inputs were good.

    Args:
        trace: The run.
        concerned: The gradient calls in which a gradient that becomes zero is a problem.
    """
    spoilt: set[int] = set()  # values that are not finite
    no_numbers: set[int] = set()  # those among them that contain NaN
    sizes: dict[int, float] = {}
    said: set[tuple[int, str]] = set()
    locations: dict[int | None, object] = {}
    fine: dict[object, int] = {}  # the first call with a good gradient at a location
    for event in trace:
        if isinstance(event, events.OpEvent):
            locations[event.number] = tuple(event.stack)
            bad = [output for output in event.outputs if output.nan or output.inf]
            if not bad:
                continue
            # Any input that is not finite explains an infinity, but only a NaN explains a NaN.
            causes = no_numbers if bad[0].nan else spoilt
            if not any(each.value in causes for each in event.inputs):
                yield event.i, words.FIRST_OF_PATH.format(kind=_kind(bad[0]))
            spoilt.update(output.id for output in bad)
            no_numbers.update(output.id for output in bad if output.nan)
        elif isinstance(event, events.SeedEvent):
            sizes[event.call] = event.numbers.l2 or 0.0
        elif isinstance(event, events.BackEvent):
            call, location = event.call, locations.get(event.op)
            was_fine = fine.get(location, call) < call
            found = list(_of_step(event, sizes.get(call, 0.0), was_fine=was_fine))
            if call not in concerned:
                found = [what for what in found if what != words.IS_ZERO]
            if not found:
                fine.setdefault(location, call)
            for what in found:
                if (call, what) not in said:
                    said.add((call, what))
                    yield event.i, what


def _of_step(event: events.BackEvent, seed: float, *, was_fine: bool) -> Iterator[str]:
    """Yield the problems of the gradients that a step sends.

    Args:
        event: The step.
        seed: The norm of the seed.
        was_fine: Whether an earlier call had a good gradient here. If so, a small gradient is not a problem, because the training
            has converged.
    """
    arrived = event.arrived
    if arrived.nan or arrived.inf:
        return
    for contribution in event.sent:
        sent = contribution.numbers
        if sent.nan or sent.inf:
            yield words.FIRST_OF_BACKWARD.format(kind=_kind(sent))
        elif sent.l2 and seed and sent.l2 > EXPLODED * seed:
            yield words.EXPLODES
        elif was_fine:
            continue
        elif arrived.l2 and not sent.l2:
            if not contribution.total.l2:  # otherwise other steps have contributed
                yield words.IS_ZERO
        elif sent.l2 and seed and sent.l2 < VANISHED * seed:
            yield words.VANISHES


def _kind(numbers: Numbers) -> str:
    return words.NAN if numbers.nan else words.INFINITY

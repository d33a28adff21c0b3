"""Where in a run something goes wrong: what the report found, and the first numbers that are not finite, vanish or explode."""

from collections.abc import Iterator

from minitape.explain.report import Report
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

# Against the seed's size; beyond these a float32 step of a usual learning rate does nothing, or far too much.
VANISHED = 1e-7
EXPLODED = 1e7


def problems(trace: Trace, report: Report) -> dict[int, str]:
    """What is wrong, in a few words, by the number of the event where it is."""
    found: dict[int, str] = {}
    for number, what in (*_of_findings(trace, report), *_of_errors(trace), *_of_numbers(trace)):
        found.setdefault(number, what)
    return found


def _of_findings(trace: Trace, report: Report) -> Iterator[tuple[int, str]]:
    """The decisive event of each finding, and the answer that it spoilt."""
    answers = {(event.call, event.source): event.i for event in trace.of(events.Result)}
    numbers = {event.i: event.call for event in trace.of(events.Gradient)}
    for call in report.calls:
        for source in call.sources:
            for finding in source.findings:
                if finding.events:
                    yield finding.events[0], f"{finding.label} ({finding.code})"
                answer = answers.get((numbers[call.event], source.index))
                if answer is not None:
                    yield answer, f"{source.name}: {finding.label} ({finding.code})"


def _of_errors(trace: Trace) -> Iterator[tuple[int, str]]:
    for event in trace.of(events.Error):
        yield event.i, f"{event.type} is raised"


def _of_numbers(trace: Trace) -> Iterator[tuple[int, str]]:
    """The first op, and the first step of each walk, whose numbers are bad though those it was given were not."""
    spoilt: set[int] = set()  # values that are not finite
    no_numbers: set[int] = set()  # and those that hold a nan, which an infinity may have become
    sizes: dict[int, float] = {}
    said: set[tuple[int, str]] = set()
    places: dict[int | None, object] = {}
    fine: dict[object, int] = {}  # the first call that had a gradient at a place
    for event in trace:
        if isinstance(event, events.Op):
            places[event.number] = tuple(event.stack)
            bad = [output for output in event.outputs if output.nan or output.inf]
            if not bad:
                continue
            # What is not finite explains an infinity, and only a nan a nan.
            causes = no_numbers if bad[0].nan else spoilt
            if not any(each.value in causes for each in event.inputs):
                yield event.i, f"the first {_kind(bad[0])} of this path"
            spoilt.update(output.id for output in bad)
            no_numbers.update(output.id for output in bad if output.nan)
        elif isinstance(event, events.Seed):
            sizes[event.call] = event.numbers.l2 or 0.0
        elif isinstance(event, events.Back):
            call, place = event.call, places.get(event.op)
            was_fine = fine.get(place, call) < call
            found = list(_of_step(event, sizes.get(call, 0.0), was_fine=was_fine))
            if not found:
                fine.setdefault(place, call)
            for what in found:
                if (call, what) not in said:
                    said.add((call, what))
                    yield event.i, what


def _of_step(event: events.Back, seed: float, *, was_fine: bool) -> Iterator[str]:
    """What is wrong with what is sent; where an earlier call `was_fine`, smallness is no fault: training came to rest."""
    arrived = event.arrived
    if arrived.nan or arrived.inf:
        return
    for share in event.sent:
        sent = share.numbers
        if sent.nan or sent.inf:
            yield f"the first {_kind(sent)} on the way back"
        elif sent.l2 and seed and sent.l2 > EXPLODED * seed:
            yield "the gradient has exploded"
        elif was_fine:
            continue
        elif arrived.l2 and not sent.l2:
            if not share.total.l2:  # else others have sent something
                yield "the gradient is zero from here back"
        elif sent.l2 and seed and sent.l2 < VANISHED * seed:
            yield "the gradient has all but vanished"


def _kind(numbers: Numbers) -> str:
    return "nan" if numbers.nan else "inf"

"""Turns a trace and its report into a timeline: the steps of a run."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict

from msgspec.structs import replace

from minitape.draw.rollup.iterations import iterations_of
from minitape.explain.path import stops
from minitape.explain.report import CallReport, Finding, Report, SourceReport
from minitape.timeline.model import (
    AddedTerm,
    CallResult,
    Phase,
    Timeline,
    TimelineCall,
    TimelineStep,
    TimelineStop,
)
from minitape.timeline.problems import problems
from minitape.timeline.reader import EventReader
from minitape.timeline.words import short
from minitape.trace import events
from minitape.trace.events import Event
from minitape.trace.trace import Trace

_OF_A_CALL = (
    events.GradientEvent,
    events.SeedEvent,
    events.BackEvent,
    events.ResultEvent,
    events.ErrorEvent,
)


def build_timeline(trace: Trace, report: Report) -> Timeline:
    """Return the run as steps, each with its values, rules and problems.

    Args:
        trace: The events of the run.
        report: The findings about the run. The steps that they point to have a problem.

    Returns:
        The timeline as plain data. The same trace always results in the same timeline.
    """
    reader = EventReader()
    wrong = problems(trace, report)
    leads_to = _Leads(trace)
    steps: list[TimelineStep] = []
    terms: dict[tuple[int, str], list[AddedTerm]] = defaultdict(list)
    visits: Counter[object] = Counter()
    visit: list[int] = []
    for event in trace:
        step = step_of(
            event, reader, index=len(steps), call=leads_to(event), problem=wrong.get(event.i, "")
        )
        if step is None:
            continue
        if _repeats(steps, step):
            # NumPy first requested the array and then computed with it. This is one exit, which the second event shows.
            before = steps.pop()
            visits[before.key] -= 1
            visit.pop()
            step = replace(step, index=before.index, problem=step.problem or before.problem)
        key = step.key
        visits[key] += 1
        visit.append(visits[key])
        steps.append(step)
        expansion = step.what if step.kind == "seed" else f"{step.number} {step.what}".strip()
        for node, name, amount, total in reader.added:
            terms[step.call, node].append(AddedTerm(name, step.index, expansion, amount, total))
    iterations = _iterations(trace)
    return Timeline(
        script=trace.script,
        texts=reader.texts,
        steps=tuple(
            replace(step, visit=nth, visits=visits[step.key], iteration=iterations.get(step.op, ""))
            for step, nth in zip(steps, visit, strict=True)
        ),
        calls=tuple(_calls(trace, report, steps, reader)),
        terms={key: tuple(each) for key, each in terms.items()},
        tapes=reader.tapes,
        names=reader.known_names,
        ran_on=trace.ran_on.heading,
    )


class _Leads:
    """The gradient call to which an event belongs: the next call if its tape is already open, otherwise the previous call."""

    def __init__(self, trace: Trace) -> None:
        self._requests = trace.of(events.GradientEvent)
        self._at = [event.i for event in self._requests]
        opened: dict[int, int] = {}
        self._opened: list[int] = []
        for event in trace.of(events.TapeEnterEvent, events.GradientEvent):
            if isinstance(event, events.TapeEnterEvent):
                opened[event.tapes[0]] = event.i
            else:
                self._opened.append(opened.get(event.tapes[0], 0))

    def __call__(self, event: Event) -> int:
        after = bisect_right(self._at, event.i)
        is_after_one, is_last = after > 0, after == len(self._at)
        if is_after_one and (is_last or event.i < self._opened[after]):
            after -= 1
        return self._requests[after].call if self._requests else 0


def _iterations(trace: Trace) -> dict[int | None, str]:
    """Return the iterations in which each op ran, keyed by the number of the op; the outermost loop is first."""
    found = trace.once(iterations_of)
    names = {
        iterations: ", ".join(iteration.name for iteration in iterations)
        for iterations in found.values()
    }
    return {op.number: names[found[op.i]] for op in trace.of(events.OpEvent) if op.i in found}


def step_of(
    event: Event, reader: EventReader, *, index: int = 0, call: int = 0, problem: str = ""
) -> TimelineStep | None:
    """Return the next event as a step; None for an event that is not shown.

    Args:
        event: The event; `reader` has read all events before it.
        reader: The reader of the events.
        index: The index of the step in its timeline.
        call: The gradient call under which the step is listed, unless the event itself belongs to a call.
        problem: What is wrong at this step.
    """
    reported = reader.emit(event)
    if reported is None:
        return None
    own = event.call if isinstance(event, _OF_A_CALL) else None
    written = reader.written(event)
    stack = () if written is None else tuple(written.stack)
    around = reader.around(stack)
    return TimelineStep(
        index=index,
        event=event.i,
        kind=event.kind,
        call=own or call,
        code=around.code,
        location=None if written is None else reader.location(written.at),
        callers=around.callers,
        stack=stack,
        loop=around.loop,
        problem=problem,
        **reported,
    )


def _repeats(steps: list[TimelineStep], step: TimelineStep) -> bool:
    return (
        step.kind == "export"
        and bool(steps)
        and steps[-1].key == step.key
        and steps[-1].inputs == step.inputs
    )


# --- calls ---

_Results = dict[int, events.ResultEvent]  # keyed by the index of the source


def _calls(
    trace: Trace, report: Report, steps: list[TimelineStep], reader: EventReader
) -> list[TimelineCall]:
    said = {call.event: call for call in report.calls}
    its: dict[int, list[TimelineStep]] = defaultdict(list)
    for step in steps:
        its[step.call].append(step)
    results: dict[int, _Results] = defaultdict(dict)
    for event in trace.of(events.ResultEvent):
        results[event.call][event.source] = event
    fix_sets = _FixSets(trace, steps, reader)
    return [
        TimelineCall(
            number=event.call,
            text=event.text,
            location=reader.location(event.at),
            tape=event.tapes[0],
            visit=event.visit,
            target=event.target_name or "target",
            first=its[event.call][0].index,
            requested=next(s.index for s in its[event.call] if s.event == event.i),
            last=max(s.index for s in its[event.call] if s.phase is Phase.BACKWARD),
            answers=tuple(_answers(event, said.get(event.i), results[event.call], fix_sets)),
            notes=report.notes_on(said[event.i]) if event.i in said else (),
        )
        for event in trace.of(events.GradientEvent)
    ]


class _FixSets:
    """Finds the steps for sources and paths."""

    def __init__(self, trace: Trace, steps: list[TimelineStep], reader: EventReader) -> None:
        self._trace = trace
        self._nodes = reader.nodes
        self._events = [step.event for step in steps]
        self._first: dict[str, int] = {}
        for step in steps:
            for shown in step.shown:
                self._first.setdefault(shown.node, step.index)

    def source(self, value: int | None) -> int | None:
        """Return the step that made a value."""
        return None if value is None else self._first.get(self._nodes.get(value, ""))

    def path(self, finding: Finding) -> tuple[TimelineStop, ...]:
        """Return the path of a finding with its steps; for an event without a step, the next step."""
        return tuple(
            TimelineStop(stop.word, self._step(stop.event) if stop.word else None, stop.is_cut)
            for stop in stops(finding.path, self._trace)
        )

    def step_of(self, event: events.Event) -> int:
        return self._step(event.i)

    def _step(self, event: int) -> int:
        return min(bisect_left(self._events, event), len(self._events) - 1)


def _answers(
    event: events.GradientEvent, said: CallReport | None, results: _Results, fix_sets: _FixSets
) -> list[CallResult]:
    reports = {} if said is None else {source.index: source for source in said.sources}
    return [
        _answer(source, results.get(index), reports.get(index), fix_sets)
        for index, source in enumerate(event.sources)
    ]


def _answer(
    source: events.GradientSource,
    result: events.ResultEvent | None,
    said: SourceReport | None,
    fix_sets: _FixSets,
) -> CallResult:
    numbers = None if result is None else result.numbers
    # A name such as `grads[2]` does not show to which source it belongs.
    is_named = numbers is not None and numbers.name is not None and numbers.name.isidentifier()
    goal = numbers.name if numbers is not None and is_named else source.name
    value = "" if result is None else "None" if numbers is None else short(numbers)
    came = None if result is None else fix_sets.step_of(result)
    answer = CallResult(
        source.name, goal or source.name, value, step=fix_sets.source(source.value), came=came
    )
    finding = said.findings[0] if said is not None and said.findings else None
    if finding is None:
        return answer
    return replace(
        answer,
        code=finding.code,
        file=finding.location.file,
        line=finding.location.line,
        label=finding.label,
        message=finding.message,
        fix=finding.fix,
        mistake=finding.mistake,
        outcome=said.outcome.value if said is not None else "",
        path=fix_sets.path(finding),
    )

"""The story of one gradient call: the sentence about what happened, and the scenes that lead to it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath

from minitape.draw.build import choose
from minitape.draw.diagram import Diagram, wording
from minitape.draw.diagram.model import StationKind
from minitape.draw.words import count, shape, short, short_name, short_names, trouble, value_text
from minitape.explain.mistakes import mistakes_of
from minitape.explain.report import (
    ADJECTIVES,
    CallReport,
    Finding,
    FixedFile,
    GradientNote,
    Location,
    Outcome,
    Report,
    SourceReport,
)
from minitape.html.story import texts
from minitape.source_text import lines_of
from minitape.templates import Template, all_of, code, joined
from minitape.timeline import Timeline, TimelineCall, TimelineStep
from minitape.trace import events
from minitape.trace.trace import Trace

_MOST_NAMES = 3
_MOST_VALUES = 3
_SHORT_VALUE = 8
_LONGEST_LINE = 1_000  # the maximum number of characters of a new line that is shown
_NAME_WIDTH = 24
_VALUE_WIDTH = 28
_MOST_LETTERS = 190
_WORST_FIRST = (Outcome.NONE, Outcome.NAN, Outcome.ZERO, Outcome.PARTIAL)
_INDEXED = re.compile(r"\[\d+\]$")


@dataclass(frozen=True)
class FixedRun:
    """A run of the program after a verified fix: its trace, its findings, and the files that the fix changed."""

    trace: Trace
    report: Report
    files: tuple[FixedFile, ...]


class SceneKind(StrEnum):
    """The subject of a scene; its value is the class in the page.

    Attributes:
        REQUESTED: The gradient call.
        FORWARD: The values.
        BACKWARD: The gradients.
        STOPS: The point at which the gradient is lost, or becomes useless.
        ARRIVES: All gradients arrive.
        TRIED: A fix that was verified.
        TRY: A fix that was not run.
    """

    REQUESTED = "requested"
    FORWARD = "forward"
    BACKWARD = "backward"
    STOPS = "stops"
    ARRIVES = "arrives"
    TRIED = "tried"
    TRY = "try"


@dataclass(frozen=True)
class Scene:
    """One scene.

    Attributes:
        kind: The subject of the scene.
        title: Its title.
        text: Its text, with code in backticks.
        number: The relevant number or value; usually short.
        lines: The lines of the source where it happens.
        stations: The cards of the picture where it happens; the first card gets the number of the scene.
        step: The step where it happens.
    """

    kind: SceneKind
    title: str
    text: str
    number: str = ""
    lines: tuple[Location, ...] = ()
    stations: tuple[str, ...] = ()
    step: int = 0


@dataclass(frozen=True)
class Story:
    """The sentence (its last part names the culprit), the line below it, the scenes, the new lines of a verified or suggested
    fix, and the name of the target.
    """

    headline: str
    culprit: str
    lede: str
    scenes: tuple[Scene, ...]
    call: int | None = None
    finding: Finding | None = None
    changed: tuple[tuple[str, int, str], ...] = field(default=())
    target: str = "the target"


def chosen_call(trace: Trace, report: Report) -> int | None:
    """Return the gradient call of the story: the first call with a problem, else the first with a note, else the last."""
    event, said = choose(trace, report, None)
    if event is None or (said is not None and said.has_problem):
        return None if event is None else event.call
    numbers = {each.i: each.call for each in trace.of(events.GradientEvent)}
    noted = [one for note in report.notes for one in report.calls if note in report.notes_on(one)]
    return next((numbers[one.event] for one in noted if one.event in numbers), event.call)


def story_of(
    trace: Trace,
    report: Report,
    timeline: Timeline,
    picture: Diagram | None,
    fixed: FixedRun | None = None,
    *,
    is_checked: bool = False,
) -> Story:
    """Return the story of a run.

    Args:
        trace: The run.
        report: The findings about the run; after a check, with their proofs.
        timeline: The run as steps.
        picture: The picture of the chosen call, if any.
        fixed: The run after a verified fix.
        is_checked: Whether the fixes were tried.
    """
    number = chosen_call(trace, report)
    call = next((each for each in timeline.calls if each.number == number), None)
    if call is None:
        return _without_call(trace, timeline)
    return _StoryBuilder(trace, report, timeline, call, picture, fixed, is_checked).story()


def _without_call(trace: Trace, timeline: Timeline) -> Story:
    ops = [step for step in timeline.steps if step.kind == "op"]
    forward = Scene(
        SceneKind.FORWARD,
        texts.FORWARD,
        texts.RAN(count=len(ops)),
        lines=_locations(ops[-1:]),
        step=ops[0].index if ops else 0,
    )
    ended = _ended(trace, timeline)
    if ended is None:
        return Story(texts.NO_CALL, "", texts.NO_CALL_WHY, (forward,))
    message = _first_line(ended)
    raised = Scene(
        SceneKind.STOPS,
        texts.EXCEPTION,
        message,
        _where(ended.location, trace).replace("`", "") if ended.location else "",
        lines=_locations([ended]),
        step=ended.index,
    )
    return Story(texts.ENDS_EARLY, _raises(ended, trace), message, (forward, raised))


def _ended(trace: Trace, timeline: Timeline) -> TimelineStep | None:
    """Return the step with the exception that ended the script, unless a gradient call had raised it."""
    errors = trace.of(events.ErrorEvent)
    of_calls = {(each.type, each.message) for each in errors if each.call is not None}
    uncaught = [
        each.i for each in errors if each.call is None and (each.type, each.message) not in of_calls
    ]
    return next((step for step in timeline.steps if step.event in uncaught), None)


def _raises(ended: TimelineStep, trace: Trace) -> str:
    error = code(ended.what)
    if ended.location is None:
        return texts.RAISES_SOMEWHERE(error=error)
    return texts.RAISES(where=_where(ended.location, trace), error=error)


def _first_line(ended: TimelineStep) -> str:
    return short(ended.inputs, _MOST_LETTERS)


class _StoryBuilder:
    """Builds the story of one call."""

    def __init__(
        self,
        trace: Trace,
        report: Report,
        timeline: Timeline,
        call: TimelineCall,
        picture: Diagram | None,
        fixed: FixedRun | None,
        is_checked: bool,
    ) -> None:
        self._trace, self._report, self._timeline, self._call = trace, report, timeline, call
        self._picture, self._fixed, self._is_checked = picture, fixed, is_checked
        self._event = next(e for e in trace.of(events.GradientEvent) if e.call == call.number)
        self._call_report = next((one for one in report.calls if one.event == self._event.i), None)
        # If a run is stopped in a backward pass, the call has no result.
        self._has_result = any(e.call == call.number for e in trace.of(events.ResultEvent))
        self._error = next(
            (error for error in trace.of(events.ErrorEvent) if error.call == call.number), None
        )
        self._ended = _ended(trace, timeline)
        self._steps = [step for step in timeline.steps if step.call == call.number]
        self._alike = [
            one
            for one in report.calls
            if self._call_report is not None
            and (one.location, one.text) == (self._call_report.location, self._call_report.text)
        ]
        self._worst = _worst(self._call_report)
        self._finding = self._worst[0].findings[0] if self._worst else None
        self._note = self._chosen_note()
        self._target = code(short_name(call.target or "the target", _NAME_WIDTH))
        self._outputs = {
            output.id: (op, output) for op in trace.of(events.OpEvent) for output in op.outputs
        }

    def _chosen_note(self) -> GradientNote | None:
        notes = (
            ()
            if self._call_report is None or self._worst
            else self._report.notes_on(self._call_report)
        )
        return notes[0] if notes else None

    def story(self) -> Story:
        headline, culprit = self._headline()
        scenes = [self._requested(), self._forward(), self._backward()]
        if self._finding is not None or self._note is not None:
            scenes += [self._stops(), *self._fix()]
        elif self._has_result:
            scenes.append(self._arrives())
        return Story(
            headline,
            culprit,
            self._lede(),
            tuple(scenes),
            self._call.number,
            self._finding,
            self._changed_lines(),
            self._target.strip("`"),
        )

    # --- the sentence ---

    def _headline(self) -> tuple[str, str]:
        if self._finding is not None:
            source, is_one = self._worst[0], len(self._worst) == 1
            tiny = texts.ONE_TINY if is_one else texts.MANY_TINY
            start = tiny if source.is_tiny else _start(source.outcome, is_one=is_one)
            names = self._lost_names("or" if start is texts.NOT_ONE[Outcome.NONE] else "and")
            value = self._value(self._event.targets) or texts.WRONG
            known = {"names": names, "target": self._target, "value": value}
            given = {name: known[name] for name in start.placeholders}
            return start(**given), _culprit(self._finding, self._trace)
        arrive = self._all_arrive()
        if self._note is not None:
            but = texts.NOTED(headline=self._note.headline)
        elif self._ended is not None:
            but = _raises(self._ended, self._trace)
        else:
            return arrive, ""
        return texts.BUT(arrive=arrive.rstrip(".")), but

    def _lost_names(self, word: str) -> str:
        """Return the names of the sources that the finding is about; a long list with indices as the name of the list."""
        names = [each.name for each in self._worst]
        lists = {_INDEXED.sub("", name) for name in names}
        if len(names) <= _MOST_NAMES or len(lists) > 1 or not _INDEXED.search(names[0]):
            return _some(names, word)
        total = sum(_INDEXED.sub("", each.name) in lists for each in self._call.answers)
        whole = {"total": total, "names": code(short_name(lists.pop(), 2 * _NAME_WIDTH))}
        if len(names) < total:
            return texts.SOME_OF_LIST(count=len(names), **whole)
        return texts.NONE_OF_LIST(**whole) if word == "or" else texts.ALL_OF_LIST(**whole)

    def _all_arrive(self) -> str:
        calls = self._timeline.calls
        if not self._has_result:
            return texts.NO_RESULT
        if len(self._alike) > 1 and len(self._alike) == len(calls):
            return texts.ALL_OF_ITERATIONS(iterations=len(self._alike))
        many = sum(len(each.answers) for each in calls)
        if len(calls) > 1:
            return texts.ALL_OF_CALLS(gradients=all_of(many, "gradients"), calls=len(calls))
        names = _some([each.name for each in self._call.answers], "and")
        if self._event.api != "gradient":
            return texts.JACOBIAN_ARRIVES(target=self._target, names=names)
        if many == 1:
            return texts.ONE_ARRIVES(name=names)
        return texts.ALL_ARRIVE(gradients=all_of(many, "gradients"))

    def _lede(self) -> str:
        return " ".join(filter(None, self._lede_parts()))

    def _lede_parts(self) -> Iterator[str]:
        if self._finding is not None:
            yield _first_sentences(self._finding.message)
        elif self._note is not None:
            yield _first_sentences(self._note.message)
        else:
            yield texts.HEALTHY(
                target=self._target,
                value=self._target_in_words(),
                ops=self._steps_in_words("op", texts.ONE_OP, texts.OPS),
                steps=self._steps_in_words("back", texts.ONE_STEP, texts.STEPS),
            )
        yield self._more_mistakes()
        is_problem = self._finding is not None or self._note is not None
        if self._ended is not None:
            named = f"{code(self._ended.what)}: {_first_line(self._ended)}"
            yield texts.ENDED(raises=_raises(self._ended, self._trace)) if is_problem else named
        calls, location = self._timeline.calls, self._call.location
        line = "" if location is None else _where(location, self._trace)
        if not is_problem and _has_nested_tapes(self._trace):
            yield texts.NESTED
        if len(self._alike) > 1:
            many = len(self._alike)
            yield texts.WHICH_ITERATION(number=self._call.visit, count=f"{many:,}", line=line)
        elif len(calls) > 1:
            yield texts.WHICH_CALL(number=self._call.number, count=len(calls), line=line)

    def _more_mistakes(self) -> str:
        """Return how many more mistakes the run has, and where the next one is."""
        if self._finding is None:
            return ""
        others = [
            each.finding
            for each in mistakes_of(self._report)
            if each.finding.mistake != self._finding.mistake
        ]
        if not others:
            return ""
        more, location = f"{len(others):,}", others[0].location
        if not location.line:
            return texts.ONE_MORE_SOMEWHERE if len(others) == 1 else texts.MORE_SOMEWHERE(more=more)
        line = _where(location, self._trace)
        if len(others) == 1:
            return texts.ONE_MORE(line=line)
        return texts.MORE_MISTAKES(more=more, line=line)

    def _steps_in_words(self, kind: str, one: str, many: Template) -> str:
        number = sum(step.kind == kind for step in self._timeline.steps)
        return one if number == 1 else many(count=f"{number:,}")

    # --- the scenes ---

    def _requested(self) -> Scene:
        return Scene(
            SceneKind.REQUESTED,
            texts.REQUESTED,
            code(self._call.text),
            self._returned(),
            _given(self._call.location),
            self._of_sources() + self._of_target(),
            self._call.requested,
        )

    def _returned(self) -> str:
        """Return what the call returned, in a few words."""
        if self._error is not None:
            return texts.RAISED(error=self._error.type)
        values = [each.value or "?" for each in self._call.answers]
        count = f"{len(values):,}"
        if values and len(values) <= _MOST_VALUES and max(map(len, values)) <= _SHORT_VALUE:
            return texts.RETURNED(values=", ".join(values))
        if len(values) < 2:
            return ""
        bad = [
            each.outcome
            for each in (() if self._call_report is None else self._call_report.sources)
            if each.outcome in _WORST_FIRST
        ]
        if not bad:
            return texts.RETURNED_MANY(count=count)
        worst = min(bad, key=_WORST_FIRST.index)
        outcome, some = ADJECTIVES[worst], bad.count(worst)
        if some < len(values):
            return texts.RETURNED_SOME(count=count, some=f"{some:,}", outcome=outcome)
        if worst is Outcome.NONE:
            return texts.RETURNED_ALL(count=count, value=outcome)
        return texts.RETURNED_BAD(count=count, outcome=outcome)

    def _forward(self) -> Scene:
        bad = next(self._bad_steps(), None)
        names = [each.name for each in self._call.answers]
        sources = _some(names, "and")
        title = texts.FORWARD if bad is None else texts.FORWARD_BAD(what=bad[1])
        number = self._value(self._event.targets)
        text = texts.FORWARD_PATH(sources=sources, target=self._target)
        if len(self._alike) > 1:
            text = texts.FORWARD_ITERATIONS(
                sources=sources, target=self._target, count=f"{len(self._alike):,}"
            )
            ends = self._first_and_last()
            number = texts.FIRST_AND_LAST(first=ends[0], last=ends[1]) if ends else number
        at = bad[0] if bad is not None else self._target_step() or self._steps[0]
        cards = () if self._picture is None else self._picture.stations
        on_way = [card.id for card in cards if card.kind is not StationKind.INPUT] or [
            card.id for card in cards
        ]
        first = [each for each in on_way if each in self._of_sources()]
        return Scene(
            SceneKind.FORWARD,
            title,
            text,
            number and texts.VALUE_OF(target=self._call.target or "target", value=number),
            _locations([at]),
            tuple(dict.fromkeys([*first, *on_way])),
            self._forward_step(),
        )

    def _backward(self) -> Scene:
        back = [step for step in self._steps if step.kind == "back"]
        if back:
            steps = texts.ONE_STEP if len(back) == 1 else texts.STEPS(count=f"{len(back):,}")
            text = texts.BACKWARD_STEPS(target=self._target, steps=steps)
        elif self._error is not None:
            text = texts.NEVER_BEGAN
        else:
            sources = _some([each.name for each in self._call.answers], "or")
            text = texts.NO_STEPS(target=self._target, sources=sources)
        seed = next((step for step in self._steps if step.kind == "seed"), None)
        at = self._target_step()
        return Scene(
            SceneKind.BACKWARD,
            texts.BACKWARD,
            text,
            self._seed() if seed is not None and seed.value in ("1.0", "1") else "",
            _locations([at] if at is not None else []),
            self._of_target() + (self._reached() if back else ()),
            seed.index if seed is not None else self._call.requested,
        )

    def _seed(self) -> str:
        target = self._target.strip("`")
        is_short_name = target.isidentifier() and len(target) <= _SHORT_VALUE
        return texts.SEED(target=target) if is_short_name else texts.PLAIN_SEED

    def _stops(self) -> Scene:
        diagnosis = self._finding or self._note
        assert diagnosis is not None
        title = texts.NOTES.get(diagnosis.code, texts.NOTE)
        if self._finding is not None:
            title = texts.STOPS[self._worst[0].outcome]
        return Scene(
            SceneKind.STOPS,
            title,
            diagnosis.label[:1].upper() + diagnosis.label[1:],
            _where(diagnosis.location, self._trace).replace("`", "")
            if diagnosis.location.line
            else "",
            _given(diagnosis.location),
            self._of_break(),
            self._step_on(diagnosis.location),
        )

    def _fix(self) -> Iterator[Scene]:
        finding, diagnosis = self._finding, self._finding or self._note
        assert diagnosis is not None
        if not diagnosis.fix:
            return
        lines = self._lines_to_change() or _given(diagnosis.location)
        if finding is not None and finding.proof is not None:
            yield Scene(
                SceneKind.TRIED,
                texts.TRIED,
                _brief(diagnosis.fix),
                self._what_came(),
                lines,
                step=self._step_on(diagnosis.location),
            )
            return
        number = texts.NOT_TRIED if finding is not None else texts.NOT_AUTOMATIC
        if self._is_checked and finding is not None:
            number = (
                texts.NOT_PROVED(why=finding.unproved) if finding.unproved else texts.NOT_AUTOMATIC
            )
        yield Scene(
            SceneKind.TRY,
            texts.TRY,
            _brief(diagnosis.fix),
            number,
            lines,
            step=self._step_on(diagnosis.location),
        )

    def _changed_lines(self) -> tuple[tuple[str, int, str], ...]:
        """Return the new lines of a verified fix, or else of a suggested one, each with the line of the old text."""
        suggested = () if self._finding is None else self._finding.fixed
        files = suggested if self._fixed is None else self._fixed.files
        changed = _changed(files, self._timeline.texts)
        return tuple(line for line in changed if len(line[-1]) <= _LONGEST_LINE)

    def _lines_to_change(self) -> tuple[Location, ...]:
        lines = ((file, line) for file, line, _ in self._changed_lines())
        return tuple(Location(file, line) for file, line in dict.fromkeys(lines))

    def _arrives(self) -> Scene:
        norms = [norm for _, norm in self._picture.arrived] if self._picture is not None else []
        names = [each.name for each in self._call.answers]
        many = len(names) > _MOST_NAMES
        if len(names) == 1:
            text = texts.ARRIVED_ONE(name=_some(names))
        else:
            text = (
                texts.ARRIVED_MANY(sources=all_of(len(names), "sources"))
                if many
                else texts.ARRIVED(names=_some(names))
            )
        number = ""
        if len(norms) == 1:
            one = texts.ONE_NORM if self._event.api == "gradient" else texts.JACOBIAN_NORM
            number = one(norm=wording.number(norms[0]))
        elif norms:
            low, high = wording.number(min(norms)), wording.number(max(norms))
            number = texts.ALL_NORMS(low=low, high=high)
        results = [step for step in self._steps if step.kind == "result"]
        return Scene(
            SceneKind.ARRIVES,
            texts.COMPLETE,
            text,
            number,
            _given(self._call.location),
            self._of_sources(),
            results[0].index if results else self._call.last,
        )

    # --- locations ---

    def _cards(self) -> Iterator[tuple[str, set[str], StationKind]]:
        for each in () if self._picture is None else self._picture.stations:
            yield each.id, {parameter.name for parameter in each.parameters}, each.kind

    def _of_sources(self) -> tuple[str, ...]:
        names = {each.name for each in self._call.answers}
        return tuple(id_ for id_, owned, _ in self._cards() if owned & names) or tuple(
            each.id
            for each in (() if self._picture is None else self._picture.stations)
            if each.title in names
        )

    def _of_target(self) -> tuple[str, ...]:
        return tuple(id_ for id_, _, kind in self._cards() if kind is StationKind.TARGET)

    def _of_break(self) -> tuple[str, ...]:
        cards = () if self._picture is None else self._picture.stations
        return tuple(each.id for each in cards if each.mark) or self._of_sources()

    def _reached(self) -> tuple[str, ...]:
        if self._picture is None:
            return ()
        came = ("gradient", "zero", "bad")
        ends = [(x.tail, x.head) for x in self._picture.links if x.flow.value in came]
        return tuple(dict.fromkeys(end for pair in ends for end in pair))

    def _step_on(self, location: Location) -> int:
        """Return the step of a line: a step with a problem, or else the last step of the call."""
        on_line = [
            step
            for step in self._timeline.steps[: self._call.last + 1]
            if step.location is not None
            and (step.location.file, step.location.line) == (location.file, location.line)
        ]
        bad = [step for step in on_line if step.problem and step.call == self._call.number]
        own = [step for step in on_line if step.call == self._call.number]
        found = (bad or own or on_line or [self._timeline.steps[self._call.requested]])[0]
        return found.index

    def _forward_step(self) -> int:
        ops = [step for step in self._steps if step.kind == "op"]
        return (ops or self._steps)[0].index

    def _target_step(self) -> TimelineStep | None:
        made = {
            self._outputs[value][0].number
            for value in self._event.targets
            if value in self._outputs
        }
        return next((s for s in self._timeline.steps if s.kind == "op" and s.op in made), None)

    def _bad_steps(self) -> Iterator[tuple[TimelineStep, str]]:
        """Yield the steps of the call that compute NaN or infinity, and which of the two."""
        ops = {op.number: op for op in self._trace.of(events.OpEvent)}
        for step in self._steps:
            if step.kind == "op" and step.op in ops and step.index < self._call.requested:
                found = [trouble(output) for output in ops[step.op].outputs]
                what = next(filter(None, found), "")
                if what:
                    yield step, "NaN" if what == "nan" else "infinity"

    # --- values ---

    def _value(self, targets: Sequence[int]) -> str:
        found = [self._outputs[each][1] for each in targets if each in self._outputs]
        text = value_text(found[0]) if len(found) == 1 and found[0].size == 1 else ""
        return text if len(text) <= _VALUE_WIDTH else ""

    def _target_in_words(self) -> str:
        value = self._value(self._event.targets)
        if value:
            return texts.IS(value=value)
        shapes = [
            self._outputs[each][1].shape for each in self._event.targets if each in self._outputs
        ]
        return texts.HAS_SHAPE(shape=shape(shapes[0])) if len(shapes) == 1 else texts.WAS_COMPUTED

    def _first_and_last(self) -> tuple[str, str] | None:
        requested = {each.i: each for each in self._trace.of(events.GradientEvent)}
        ends = [requested[one.event] for one in (self._alike[0], self._alike[-1])]
        first, last = (self._value(each.targets) for each in ends)
        return (first, last) if first and last else None

    def _what_came(self) -> str:
        """Return the gradients that came back after the fix."""
        names = [each.name for each in self._worst]
        proofs = [each.findings[0].proof for each in self._worst]
        if len(names) > 1 or proofs[0] is None:
            return texts.CAME_MANY(names=_plain(names))
        shown = proofs[0].gradient.get("data")
        value = str(shown) if shown is not None and len(str(shown)) <= _VALUE_WIDTH else ""
        if not value:
            return texts.CAME_MANY(names=_plain(names))
        return texts.CAME(names=_plain(names), value=value)


def _has_nested_tapes(trace: Trace) -> bool:
    """Return whether a gradient was requested while another tape recorded."""
    marks: list[events.TapeEnterEvent | events.TapeExitEvent | events.GradientEvent] = [
        *trace.of(events.TapeEnterEvent),
        *trace.of(events.TapeExitEvent),
        *trace.of(events.GradientEvent),
    ]
    open_tapes: set[int] = set()
    for each in sorted(marks, key=lambda event: event.i):
        if isinstance(each, events.TapeEnterEvent):
            open_tapes.update(each.tapes)
        elif isinstance(each, events.TapeExitEvent):
            open_tapes.difference_update(each.tapes)
        elif open_tapes - {*each.tapes}:
            return True
    return False


def _worst(said: CallReport | None) -> list[SourceReport]:
    """Return the sources with the most important finding of the call; a gradient that is None takes precedence."""
    lost = [source for source in (said.sources if said is not None else ()) if source.findings]
    if not lost:
        return []
    first = min(lost, key=lambda source: source.outcome is not Outcome.NONE)
    return [
        source
        for source in lost
        if source.outcome is first.outcome
        and source.findings[0].mistake == first.findings[0].mistake
    ]


def _start(outcome: Outcome, *, is_one: bool) -> Template:
    return texts.NOT_ONE[outcome] if is_one else texts.NOT_MANY.get(outcome, texts.NOT_ONE[outcome])


def _where(location: Location, trace: Trace) -> str:
    """Return the line, with its file if that is not the script."""
    script = next(iter(trace.of(events.HeaderEvent))).script
    if location.file == script:
        return texts.LINE(line=location.line)
    return texts.LINE_OF_FILE(line=location.line, file=code(PurePath(location.file).name))


def _culprit(finding: Finding, trace: Trace) -> str:
    label = finding.label.partition(":")[0].rstrip(".")
    if not finding.location.line:
        return texts.CULPRIT_WITHOUT_LINE(label=label)
    where = _where(finding.location, trace)
    if finding.code in texts.CULPRITS:
        return texts.CULPRITS[finding.code](where=where)
    if label in texts.CULPRITS_BY_LABEL:
        return texts.CULPRITS_BY_LABEL[label](where=where)
    return texts.CULPRIT(where=where, label=label)


def _changed(
    files: Sequence[FixedFile], shown: Mapping[str, str]
) -> tuple[tuple[str, int, str], ...]:
    """Return the new lines of a fix: the file, the line of the old text that each new line replaces or follows, and its text.

    A fix names files by their path, and a timeline by the name in the trace, so files are matched by their text.
    """
    found = []
    for each in files:
        before = lines_of(each.before)
        name = next((name for name, text in shown.items() if lines_of(text) == before), None)
        if name is None:
            continue
        old = 0
        for line in each.diff_lines[2:]:
            if line.startswith("@@"):
                old = int(line.split()[1].lstrip("-").split(",")[0]) - 1
            elif line.startswith("+"):
                found.append((name, max(old, 1), line[1:]))
            else:
                old += 1
    return tuple(found)


def _some(names: Sequence[str], word: str = "and") -> str:
    """Return the names for a sentence, each as code; if there are many, only some of them and the number of the others."""
    shown = [code(name) for name in short_names(names, _NAME_WIDTH)]
    if len(shown) > _MOST_NAMES:
        return f"{', '.join(shown[: _MOST_NAMES - 1])} {word} {len(names) - _MOST_NAMES + 1} more"
    if word == "and":
        return joined(shown) if shown else count(0, "source")
    return f"{', '.join(shown[:-1])} {word} {shown[-1]}" if len(shown) > 1 else "".join(shown)


def _plain(names: Sequence[str]) -> str:
    return _some(names).replace("`", "")


def _first_sentences(text: str) -> str:
    """Return the first sentence, and also the second if both are short."""
    parts = text.split(". ")
    many = 2 if len(". ".join(parts[:2])) <= _MOST_LETTERS else 1
    return ". ".join(parts[:many]) + ("." if len(parts) > many else "")


def _brief(fix: str) -> str:
    """Return the first alternative of a fix as a sentence."""
    first = fix.partition("; or ")[0].partition("; until then ")[0]
    return first[:1].upper() + first[1:]


def _locations(steps: Sequence[TimelineStep]) -> tuple[Location, ...]:
    return tuple(step.location for step in steps if step.location is not None)


def _given(location: Location | None) -> tuple[Location, ...]:
    return () if location is None or not location.line else (location,)

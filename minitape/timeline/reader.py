"""Reads a trace event by event, keeps track of the names of values, and describes each event as a step.

The reader never looks ahead in the trace. A step contains only what was known when it happened, so it can be shown while the
script runs.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

from minitape.draw.words import count
from minitape.explain.report import Location
from minitape.timeline import words
from minitape.timeline.backward import CallProgress
from minitape.timeline.model import Detail, Phase, Severity, Shown
from minitape.trace import events
from minitape.trace.events import Event, Numbers


class StepFields(TypedDict, total=False):
    """The fields of a `TimelineStep` that its event determines."""

    number: str
    phase: Phase
    what: str
    inputs: str
    value: str
    nth: int
    given: str
    rule: str
    note: str
    tone: Severity
    op: int | None
    facts: tuple[Detail, ...]
    shown: tuple[Shown, ...]


class ShownValue(NamedTuple):
    """The numbers of a value, and a short text for them."""

    numbers: Numbers
    text: str

    @classmethod
    def of(cls, numbers: Numbers) -> "ShownValue":
        return cls(numbers, words.short(numbers))


class Around(NamedTuple):
    """The source around a step: its expression, the calls that led to it, and the loop."""

    code: str = ""
    callers: tuple[Location, ...] = ()
    loop: str = ""

    @classmethod
    def of(cls, sites: Sequence[events.SiteEvent]) -> "Around":
        """Return the source around a step, given the call sites of its stack, the outermost first."""
        if not sites:
            return cls()
        *callers, last = sites
        loop = "" if last.loop is None else last.loop.text
        return cls(last.code, tuple(Location(*site.at) for site in callers), loop)


class EventReader:
    """Turns events into the fields of steps. Events that are not shown (a read, a site) only update its state."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.tapes: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.nodes: dict[int, str] = {}
        # The contributions of the last event, each with the node, the name of the gradient, and the sum after it.
        self.added: list[tuple[str, str, str, str]] = []
        self._sites: dict[int, events.SiteEvent] = {}
        self._around: dict[tuple[int, ...], Around] = {}
        self._locations: dict[events.SourceRange, Location] = {}
        self._values: dict[int, ShownValue] = {}
        self._literals: dict[int, str] = {}  # constants without a name
        self._rules: dict[str, str] = {}
        self._ops: dict[int, events.OpEvent] = {}
        self._read_values: dict[
            tuple[int | None, int], ShownValue
        ] = {}  # variables, with the values that an op read
        self._backward_passes: dict[int, CallProgress] = {}
        self._requesting: events.GradientEvent | None = None
        self._returned: set[int] = set()  # values that re-entered from NumPy or Python
        self._reporters: dict[type[Event], Callable[[Any], StepFields | None]] = {
            events.SourceEvent: self._source,
            events.SiteEvent: self._site,
            events.PrimitiveEvent: self._primitive,
            events.ReadEvent: self._read,
            events.ConstantEvent: self._constant,
            events.VariableEvent: self._variable,
            events.AssignEvent: self._assign,
            events.RebindEvent: self._rebind,
            events.ExportEvent: self._export,
            events.ReentryEvent: self._reentry,
            events.TapeEnterEvent: self._tape_enter,
            events.TapeExitEvent: self._tape_exit,
            events.WatchEvent: self._watch,
            events.StopRecordingEvent: self._stop_recording,
            events.ResetEvent: self._reset,
            events.OpEvent: self._op,
            events.GradientEvent: self._gradient,
            events.SeedEvent: self._seed,
            events.BackEvent: self._back,
            events.ResultEvent: self._result,
            events.NoteEvent: self._note,
            events.ErrorEvent: self._error,
        }

    def name(self, identity: int) -> str:
        return self.names.get(identity) or self._literals.get(identity, "?")

    def _numbers(self, identity: int) -> Numbers | None:
        held = self._values.get(identity)
        return None if held is None else held.numbers

    @property
    def known_names(self) -> dict[int, str]:
        """The names of all values, by their ids; for constants without a name, their values."""
        return {**self._literals, **{each: name for each, name in self.names.items() if name}}

    def emit(self, event: Event) -> StepFields | None:
        """Return the fields of the step for this event; None if it is not shown."""
        self.added = []
        reporter = self._reporters.get(type(event))
        return None if reporter is None else reporter(event)

    def written(self, event: Event) -> events.Placed | None:
        """Return the event that has the location of `event`: the op of a backward step, or the call of a seed or result."""
        match event:
            case events.Placed():
                return event
            case events.BackEvent(op=number) if number is not None:
                return self._ops.get(number)
            case events.SeedEvent() | events.ResultEvent():
                return self._backward_passes[event.call].requested
        return None

    def around(self, stack: tuple[int, ...]) -> Around:
        """Return the source around the steps of a stack. The result is cached, because the same stacks recur in a loop."""
        if stack not in self._around:
            sites = [self._sites[site] for site in stack if site in self._sites]
            self._around[stack] = Around.of(sites)
        return self._around[stack]

    def location(self, at: events.SourceRange | None) -> Location | None:
        """Return a location of the trace as the `Location` of reports and timelines."""
        if at is None:
            return None
        return self._locations.get(at) or self._locations.setdefault(at, Location(*at))

    # --- events that are not shown ---

    def _source(self, event: events.SourceEvent) -> None:
        self.texts[event.file] = event.text

    def _site(self, event: events.SiteEvent) -> None:
        self._sites[event.number] = event

    def _primitive(self, event: events.PrimitiveEvent) -> None:
        self._rules[event.name] = event.rule

    def _read(self, event: events.ReadEvent) -> None:
        variable, value = event.variable, event.value
        self.names[value] = self.name(variable)
        self.nodes[value] = f"var-{variable}"
        if variable in self._values:
            self._values[value] = self._values[variable]

    # --- values ---

    def _constant(self, event: events.ConstantEvent) -> StepFields | None:
        numbers, identity = event.numbers, event.numbers.id
        held = self._values[identity] = ShownValue.of(numbers)
        self._literals[identity] = held.text
        self.nodes[identity] = f"value-{identity}"
        name = numbers.name or event.text
        if name and not self._is_in_backward_pass(event):
            self.names[identity] = name
        if event.how != "tf.constant":
            return None
        return self._made("constant", held, f"value-{identity}", "")

    def _variable(self, event: events.VariableEvent) -> StepFields:
        numbers, identity = event.numbers, event.variable
        self.names[identity] = numbers.name or event.name
        held = self._values[identity] = ShownValue.of(numbers)
        self.nodes[identity] = f"var-{identity}"
        note = "" if event.trainable else "not trainable"
        return self._made("variable", held, f"var-{identity}", note)

    def _made(self, what: str, held: ShownValue, node: str, note: str) -> StepFields:
        name = self.name(held.numbers.id)
        facts = [Detail(name, held.text, Severity.OP, held.numbers)]
        if note:
            facts.append(Detail("", words.NOT_TRAINABLE, Severity.MUTED))
        return {
            "what": what,
            "value": held.text,
            "note": note,
            "tone": Severity.EVENT,
            "facts": tuple(facts),
            "shown": (Shown(node, "value", held.numbers, name),),
        }

    def _assign(self, event: events.AssignEvent) -> StepFields:
        variable, after = event.variable, ShownValue.of(event.numbers)
        before, self._values[variable] = self._values.get(variable), after
        name = self.name(variable)
        facts = (
            []
            if before is None
            else [Detail(f"{name} was", before.text, Severity.MUTED, before.numbers)]
        )
        facts += [
            Detail(f"{name} is", after.text, Severity.OP, after.numbers),
            Detail("", words.STATE_CHANGES, Severity.MUTED),
        ]
        return {
            "what": event.how,
            "inputs": name,
            "value": after.text,
            "tone": Severity.EVENT,
            "facts": tuple(facts),
            "shown": (Shown(f"var-{variable}", "value", after.numbers, name),),
        }

    def _rebind(self, event: events.RebindEvent) -> StepFields:
        values = {"was": self._described(event.was), "now": self._described(event.now)}
        return {
            "number": "!",
            "what": "name reused",
            "inputs": event.name,
            "note": "now another value",
            "tone": Severity.LOST,
            "facts": (
                Detail("", words.NAME_REUSED.format(name=event.name, **values), Severity.LOST),
            ),
        }

    def _described(self, identity: int) -> str:
        node = self.nodes.get(identity, "")
        if node.startswith("var-"):
            return "a variable"
        return f"the result of op #{node[3:]}" if node.startswith("op-") else "another tensor"

    def _export(self, event: events.ExportEvent) -> StepFields:
        left = ", ".join(self.name(each) for each in event.values)
        numbers = self._numbers(event.values[0]) if event.values else None
        facts = (
            Detail("left", left, Severity.OP, numbers),
            Detail("through", event.via),
            Detail("", words.LEAVES, Severity.MUTED),
        )
        return {
            "what": "left the engine",
            "inputs": left,
            "note": f"via {event.via}",
            "tone": Severity.MUTED,
            "facts": facts,
        }

    def _reentry(self, event: events.ReentryEvent) -> StepFields:
        came, identity = ", ".join(self.name(each) for each in event.value_of), event.value
        self._returned.add(identity)
        numbers = self._numbers(identity)
        sure = "the same array" if event.sure else "probably"
        facts = (
            Detail("was", f"{came} ({sure})"),
            Detail("now", words.IS_CONSTANT, Severity.LOST, numbers),
        )
        node = self.nodes.get(identity) or f"value-{identity}"
        return {
            "number": "!",
            "what": "re-entered",
            "inputs": came,
            "value": self._literals.get(identity, ""),
            "note": "as a constant",
            "tone": Severity.LOST,
            "facts": facts,
            "shown": () if numbers is None else (Shown(node, "value", numbers, came),),
        }

    # --- tapes ---

    def _tape_enter(self, event: events.TapeEnterEvent) -> StepFields:
        tape = event.tapes[0]
        self.tapes[tape] = event.name or f"tape {tape}"
        note = "persistent" if event.persistent else ""
        facts = [Detail("", words.RECORDS)]
        if event.persistent:
            facts.append(Detail("", words.IS_PERSISTENT, Severity.MUTED))
        if not event.watch_accessed_variables:
            facts.append(Detail("", words.WATCHES_EXPLICITLY, Severity.MUTED))
        return _event(words.TAPE_OPENS.format(tape=self.tapes[tape]), note, *facts)

    def _tape_exit(self, event: events.TapeExitEvent) -> StepFields:
        ops = count(event.ops, "op")
        title = words.TAPE_CLOSES.format(tape=self._tape(event.tapes))
        return _event(title, ops, Detail("", words.HOLDS.format(ops=ops)))

    def _watch(self, event: events.WatchEvent) -> StepFields | None:
        if event.how == "read" or event.value is None:
            return None
        name, numbers = self.name(event.value), self._numbers(event.value)
        said = words.IS_WATCHED.format(tape=self._tape(event.tapes))
        return {**_event("watch", "", Detail(name, said, Severity.OP, numbers)), "inputs": name}

    def _stop_recording(self, event: events.StopRecordingEvent) -> StepFields:
        what = words.PAUSES if event.on else words.RESUMES
        return _event(what, "", Detail("", f"on {self._tape(event.tapes)}"))

    def _reset(self, event: events.ResetEvent) -> StepFields:
        said = words.DISCARDS.format(ops=count(event.dropped, "op"))
        reported = _event(
            "reset", said, Detail("", f"{self._tape(event.tapes)} {said}", Severity.LOST)
        )
        return {**reported, "number": "!", "tone": Severity.LOST}

    def _tape(self, tapes: Sequence[int]) -> str:
        return self.tapes.get(tapes[0], "the tape")

    # --- ops ---

    def _op(self, event: events.OpEvent) -> StepFields:
        number, node = event.number, f"op-{event.number}"
        self._ops[number] = event
        in_backward_pass = self._is_in_backward_pass(event)
        texts = [self._label(given, in_backward_pass) for given in event.inputs]
        values = [self._values.get(given.value) for given in event.inputs]
        for position, output in enumerate(event.outputs):
            part = f"[{position}]" if len(event.outputs) > 1 else ""
            # In a backward pass, only the arguments and results of the call have names in the program.
            self.names[output.id] = (
                None if in_backward_pass else output.name
            ) or f"#{number}{part}"
            self._values[output.id] = ShownValue.of(output)
            self.nodes[output.id] = node
        for each in event.saved:
            if self.nodes.get(each, "").startswith("var-"):
                self._read_values[number, each] = self._values[each]
        made = [self._values[output.id].text for output in event.outputs]
        saved = self._saved_names(event)
        facts = self._facts_of_inputs(event, texts, values)
        for output, said in zip(event.outputs, made, strict=True):
            facts.append(Detail(f"{self.names[output.id]} =", said, Severity.OP, output))
        facts += self._facts_of_recording(event, saved)
        if in_backward_pass:
            facts.append(Detail("", words.IN_BACKWARD_PASS, Severity.MUTED))
        shown = [
            Shown(node, "value", output, self.names[output.id]) for output in event.outputs[:1]
        ]
        return {
            "number": f"#{number}",
            "what": event.name,
            "inputs": ", ".join(texts),
            "value": ", ".join(made),
            "note": self._note_on_op(event, saved),
            "tone": Severity.OP if event.recorded else Severity.MUTED,
            "op": number,
            "facts": tuple(facts),
            "shown": tuple(shown),
        }

    def _facts_of_inputs(
        self, event: events.OpEvent, texts: list[str], values: list[ShownValue | None]
    ) -> list[Detail]:
        facts = []
        for given, text, held in zip(event.inputs, texts, values, strict=True):
            numbers, shown = held or (None, "")
            watched = "" if given.watched or not event.tapes else "not watched"
            said = "  ".join(filter(None, ("" if shown == text else shown, watched)))
            facts.append(
                Detail(text, said, Severity.OP if given.watched else Severity.MUTED, numbers)
            )
        return facts

    def _facts_of_recording(self, event: events.OpEvent, saved: str) -> list[Detail]:
        if not event.recorded:
            return [Detail("recorded", words.WHY_NOT[_reason(event)][1], Severity.MUTED)]
        on = ", ".join([self.tapes.get(each, f"tape {each}") for each in event.recorded])
        facts = [
            Detail("recorded", f"on {on}"),
            Detail("keeps", saved or "nothing", Severity.OP if saved else Severity.MUTED),
        ]
        rule = self._rules.get(event.name)
        return [*facts, Detail("rule", rule)] if rule else facts

    def _note_on_op(self, event: events.OpEvent, saved: str) -> str:
        if not event.recorded:
            return words.WHY_NOT[_reason(event)][0]
        bare = [
            self._label(given, False)
            for given in event.inputs
            if given.value in self._returned and not given.watched
        ]
        said = (
            words.NO_HISTORY.format(inputs=", ".join(bare)) if bare else "",
            words.KEEPS.format(values=saved) if saved else "",
        )
        return "; ".join(filter(None, said))

    def _saved_names(self, event: events.OpEvent) -> str:
        return ", ".join(dict.fromkeys(map(self.name, event.saved)))

    def _label(self, given: events.Input, in_backward_pass: bool) -> str:
        text = None if in_backward_pass else given.text
        return self.names.get(given.value) or text or self._literals.get(given.value, "?")

    def _is_in_backward_pass(self, event: events.Placed) -> bool:
        """Whether an op ran at the location of a gradient call in progress, and so is part of its backward pass."""
        return self._requesting is not None and event.stack == self._requesting.stack

    # --- gradient calls ---

    def _gradient(self, event: events.GradientEvent) -> StepFields:
        self._requesting = event
        self._backward_passes[event.call] = CallProgress(event)
        sources = ", ".join(source.name for source in event.sources)
        reported = _event(
            words.REQUESTED.format(api=event.api),
            "",
            Detail("target", event.target_name or "?"),
            Detail("sources", sources or "none"),
            Detail("tape", self._tape(event.tapes)),
        )
        return {**reported, "phase": Phase.BACKWARD, "inputs": sources}

    def _seed(self, event: events.SeedEvent) -> StepFields:
        backward_pass, name, numbers = (
            self._backward_passes[event.call],
            self.name(event.value),
            event.numbers,
        )
        said = words.short(numbers)
        backward_pass.seed(event.value, said)
        node, goal = self.nodes.get(event.value, ""), f"∂{backward_pass.of}/∂{name}"
        if node:
            self.added.append((node, goal, said, said))
        return {
            "number": "0",
            "phase": Phase.BACKWARD,
            "what": "seed",
            "inputs": name,
            "value": said,
            "tone": Severity.EVENT,
            "facts": (
                Detail(f"{goal} =", said, Severity.GRADIENT, numbers),
                Detail("", words.STARTS_BACKWARD, Severity.MUTED),
            ),
            "shown": (Shown(node, "grad", numbers, goal),) if node else (),
        }

    def _back(self, event: events.BackEvent) -> StepFields:
        backward_pass, number, arrived = self._backward_passes[event.call], event.op, event.arrived
        op = None if number is None else self._ops.get(number)
        name = "?" if op is None else op.name
        rule, came = self._rules.get(name, ""), words.short(arrived)
        goal = f"∂{backward_pass.of}/∂{self.name(arrived.id)}"
        facts = [
            Detail(goal, words.ARRIVES.format(gradient=came), Severity.GRADIENT, arrived),
            Detail("rule", rule),
            *self._facts_of_reads(event),
        ]
        shown, amounts = [], []
        for contribution in event.sent:
            sent = backward_pass.send(contribution, self.name(contribution.value))
            facts += sent.facts(arrived, came)
            amounts.append(sent.in_a_row())
            node = self.nodes.get(contribution.value)
            if node is not None:
                self.added.append((node, sent.goal, sent.text, sent.total))
                shown.append(Shown(node, "grad", contribution.total, sent.goal))
        facts += self._facts_of_silence(event, op)
        if event.rows:
            rows = words.ROWS_AT_ONCE.format(rows=count(event.rows, "row"))
            facts.append(Detail("", rows, Severity.MUTED))
        return {
            "number": "" if number is None else f"#{number}",
            "phase": Phase.BACKWARD,
            "what": words.BACKWARD_OF.format(op=name),
            "inputs": ", ".join([self.name(contribution.value) for contribution in event.sent]),
            "value": ", ".join(amounts),
            "nth": event.step,
            "given": came,
            "rule": rule,
            "note": words.STEP_OF.format(step=event.step, steps=event.steps),
            "tone": Severity.GRADIENT,
            "op": number,
            "facts": tuple(facts),
            "shown": tuple(shown),
        }

    def _facts_of_silence(self, event: events.BackEvent, op: events.OpEvent | None) -> list[Detail]:
        """Return a line for each input to which nothing is sent, with the reason."""
        inputs = () if op is None else op.inputs
        labels = {given.value: self._label(given, False) for given in inputs}
        reasons = {
            labels.get(each.value) or self.name(each.value): words.SKIPPED[each.why]
            for each in event.skipped
        }
        for given in inputs:
            if not given.watched:
                reasons[labels[given.value]] = words.SKIPPED["constant"]
        return [Detail(name, said, Severity.MUTED) for name, said in reasons.items()]

    def _facts_of_reads(self, event: events.BackEvent) -> list[Detail]:
        reads = dict.fromkeys(each for contribution in event.sent for each in contribution.reads)
        facts = []
        for each in reads:
            held = self._read_values.get((event.op, each)) or self._values.get(each)
            if held is not None:
                name = self.name(each)
                said = name if held.text == name else f"{name} = {held.text}"
                facts.append(Detail("reads", said, Severity.OP, held.numbers))
        return facts

    def _result(self, event: events.ResultEvent) -> StepFields:
        backward_pass, numbers, index = (
            self._backward_passes[event.call],
            event.numbers,
            event.source,
        )
        requested = backward_pass.requested.sources
        source = requested[index].name if index < len(requested) else "?"
        if index + 1 >= len(requested):
            self._requesting = None
        node = self.nodes.get(event.value, "")
        name = f"∂{backward_pass.of}/∂{source}"
        reported: StepFields = {
            "phase": Phase.BACKWARD,
            "what": name,
            "inputs": source,
            "value": "None",
            "tone": Severity.LOST,
        }
        if numbers is None:
            shown = (Shown(node, "grad", None, name),) if node else ()
            return {
                **reported,
                "facts": (Detail(f"{name} =", "None", Severity.LOST),),
                "shown": shown,
            }
        self.names[numbers.id] = numbers.name or name
        held = self._values[numbers.id] = ShownValue.of(numbers)
        self.nodes.setdefault(numbers.id, f"value-{numbers.id}")
        facts = [Detail(f"{name} =", held.text, Severity.GRADIENT, numbers, event.value)]
        if event.recorded:
            facts.append(Detail("", words.IS_RECORDED_AGAIN, Severity.MUTED))
        return {
            **reported,
            "value": held.text,
            "tone": Severity.EVENT,
            "facts": tuple(facts),
            "shown": (Shown(node, "grad", numbers, name),) if node else (),
        }

    # --- other events ---

    def _note(self, event: events.NoteEvent) -> StepFields:
        return {**_event("note", "", Detail("", event.text)), "inputs": event.text}

    def _error(self, event: events.ErrorEvent) -> StepFields:
        if event.call is not None:
            self._requesting = None
        return {
            "number": "!",
            "phase": Phase.FORWARD if event.call is None else Phase.BACKWARD,
            "what": event.type,
            "inputs": event.message.partition("\n")[0],
            "tone": Severity.LOST,
            "facts": (Detail("", event.message, Severity.LOST),),
        }


def _event(what: str, note: str, *facts: Detail) -> StepFields:
    return {"what": what, "note": note, "tone": Severity.EVENT, "facts": facts}


def _reason(event: events.OpEvent) -> str:
    return next(iter(event.why_not.values()), "no_tape")

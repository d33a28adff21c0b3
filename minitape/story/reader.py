"""Reads a trace event by event, keeps track of the names of values, and describes each event as a step.

The reader never looks ahead in the trace: a step shows only what was known when it happened, so it can be shown while the
script runs.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

from minitape.draw.words import count
from minitape.explain.report import Place
from minitape.story import words
from minitape.story.model import Fact, Phase, Shown, Tone
from minitape.story.walk import Walk
from minitape.trace import events
from minitape.trace.events import Event, Numbers


class Told(TypedDict, total=False):
    """The fields of a `Step` that its event determines."""

    number: str
    phase: Phase
    what: str
    inputs: str
    value: str
    nth: int
    given: str
    rule: str
    remark: str
    tone: Tone
    op: int | None
    facts: tuple[Fact, ...]
    shown: tuple[Shown, ...]


class Held(NamedTuple):
    """The numbers of a value, and a short text for them."""

    numbers: Numbers
    said: str

    @classmethod
    def of(cls, numbers: Numbers) -> "Held":
        return cls(numbers, words.short(numbers))


class Around(NamedTuple):
    """The source around a step: its expression, the calls that led to it, and the loop."""

    code: str = ""
    callers: tuple[Place, ...] = ()
    loop: str = ""

    @classmethod
    def of(cls, sites: Sequence[events.Site]) -> "Around":
        """Read it from the call sites of a stack, the outermost first."""
        if not sites:
            return cls()
        *callers, last = sites
        loop = "" if last.loop is None else last.loop.text
        return cls(last.code, tuple(Place(*site.at) for site in callers), loop)


class Reader:
    """Turns events into the fields of steps. Events that are not shown (a read, a site) only update its state."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.tapes: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.nodes: dict[int, str] = {}
        # The contributions of the last event: node, name of the gradient, contribution, sum after it.
        self.added: list[tuple[str, str, str, str]] = []
        self._sites: dict[int, events.Site] = {}
        self._around: dict[tuple[int, ...], Around] = {}
        self._places: dict[events.Place, Place] = {}
        self._values: dict[int, Held] = {}
        self._literals: dict[int, str] = {}  # constants without a name
        self._rules: dict[str, str] = {}
        self._ops: dict[int, events.Op] = {}
        self._kept: dict[tuple[int | None, int], Held] = {}  # variables as an op read them
        self._walks: dict[int, Walk] = {}
        self._asking: events.Gradient | None = None
        self._returned: set[int] = set()  # values that re-entered from NumPy or Python
        self._tellers: dict[type[Event], Callable[[Any], Told | None]] = {
            events.Source: self._source,
            events.Site: self._site,
            events.Primitive: self._primitive,
            events.Read: self._read,
            events.Constant: self._constant,
            events.Variable: self._variable,
            events.Assign: self._assign,
            events.Rebind: self._rebind,
            events.Export: self._export,
            events.Reentry: self._reentry,
            events.TapeEnter: self._tape_enter,
            events.TapeExit: self._tape_exit,
            events.Watch: self._watch,
            events.StopRecording: self._stop_recording,
            events.Reset: self._reset,
            events.Op: self._op,
            events.Gradient: self._gradient,
            events.Seed: self._seed,
            events.Back: self._back,
            events.Result: self._result,
            events.Note: self._note,
            events.Error: self._error,
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

    def tell(self, event: Event) -> Told | None:
        """The fields of the step for this event; None if it is not shown."""
        self.added = []
        teller = self._tellers.get(type(event))
        return None if teller is None else teller(event)

    def written(self, event: Event) -> events.Placed | None:
        """The event that has the place of `event` in the source: for a backward step its op, for a seed or result its call."""
        match event:
            case events.Placed():
                return event
            case events.Back(op=number) if number is not None:
                return self._ops.get(number)
            case events.Seed() | events.Result():
                return self._walks[event.call].asked
        return None

    def around(self, stack: tuple[int, ...]) -> Around:
        """The source around the steps of a stack; it is cached because a loop repeats its stacks."""
        if stack not in self._around:
            sites = [self._sites[site] for site in stack if site in self._sites]
            self._around[stack] = Around.of(sites)
        return self._around[stack]

    def place(self, at: events.Place | None) -> Place | None:
        """A place of the trace as a `Place` of reports and stories."""
        if at is None:
            return None
        return self._places.get(at) or self._places.setdefault(at, Place(*at))

    # --- events that are not shown ---

    def _source(self, event: events.Source) -> None:
        self.texts[event.file] = event.text

    def _site(self, event: events.Site) -> None:
        self._sites[event.number] = event

    def _primitive(self, event: events.Primitive) -> None:
        self._rules[event.name] = event.rule

    def _read(self, event: events.Read) -> None:
        variable, value = event.variable, event.value
        self.names[value] = self.name(variable)
        self.nodes[value] = f"var-{variable}"
        if variable in self._values:
            self._values[value] = self._values[variable]

    # --- values ---

    def _constant(self, event: events.Constant) -> Told | None:
        numbers, identity = event.numbers, event.numbers.id
        held = self._values[identity] = Held.of(numbers)
        self._literals[identity] = held.said
        self.nodes[identity] = f"value-{identity}"
        name = numbers.name or event.text
        if name and not self._is_in_walk(event):
            self.names[identity] = name
        if event.how != "tf.constant":
            return None
        return self._made("constant", held, f"value-{identity}", "")

    def _variable(self, event: events.Variable) -> Told:
        numbers, identity = event.numbers, event.variable
        self.names[identity] = numbers.name or event.name
        held = self._values[identity] = Held.of(numbers)
        self.nodes[identity] = f"var-{identity}"
        remark = "" if event.trainable else "not trainable"
        return self._made("variable", held, f"var-{identity}", remark)

    def _made(self, what: str, held: Held, node: str, remark: str) -> Told:
        name = self.name(held.numbers.id)
        facts = [Fact(name, held.said, Tone.OP, held.numbers)]
        if remark:
            facts.append(Fact("", words.NOT_TRAINABLE, Tone.MUTED))
        return {
            "what": what,
            "value": held.said,
            "remark": remark,
            "tone": Tone.EVENT,
            "facts": tuple(facts),
            "shown": (Shown(node, "value", held.numbers, name),),
        }

    def _assign(self, event: events.Assign) -> Told:
        variable, after = event.variable, Held.of(event.numbers)
        before, self._values[variable] = self._values.get(variable), after
        name = self.name(variable)
        facts = (
            [] if before is None else [Fact(f"{name} was", before.said, Tone.MUTED, before.numbers)]
        )
        facts += [
            Fact(f"{name} is", after.said, Tone.OP, after.numbers),
            Fact("", words.STATE_CHANGES, Tone.MUTED),
        ]
        return {
            "what": event.how,
            "inputs": name,
            "value": after.said,
            "tone": Tone.EVENT,
            "facts": tuple(facts),
            "shown": (Shown(f"var-{variable}", "value", after.numbers, name),),
        }

    def _rebind(self, event: events.Rebind) -> Told:
        values = {"was": self._described(event.was), "now": self._described(event.now)}
        return {
            "number": "!",
            "what": "name reused",
            "inputs": event.name,
            "remark": "now another value",
            "tone": Tone.LOST,
            "facts": (Fact("", words.NAME_REUSED.format(name=event.name, **values), Tone.LOST),),
        }

    def _described(self, identity: int) -> str:
        node = self.nodes.get(identity, "")
        if node.startswith("var-"):
            return "a variable"
        return f"the result of op #{node[3:]}" if node.startswith("op-") else "another tensor"

    def _export(self, event: events.Export) -> Told:
        left = ", ".join(self.name(each) for each in event.values)
        numbers = self._numbers(event.values[0]) if event.values else None
        facts = (
            Fact("left", left, Tone.OP, numbers),
            Fact("through", event.via),
            Fact("", words.LEAVES, Tone.MUTED),
        )
        return {
            "what": "left the engine",
            "inputs": left,
            "remark": f"via {event.via}",
            "tone": Tone.MUTED,
            "facts": facts,
        }

    def _reentry(self, event: events.Reentry) -> Told:
        came, identity = ", ".join(self.name(each) for each in event.value_of), event.value
        self._returned.add(identity)
        numbers = self._numbers(identity)
        sure = "the same array" if event.sure else "probably"
        facts = (
            Fact("was", f"{came} ({sure})"),
            Fact("now", words.IS_CONSTANT, Tone.LOST, numbers),
        )
        node = self.nodes.get(identity) or f"value-{identity}"
        return {
            "number": "!",
            "what": "re-entered",
            "inputs": came,
            "value": self._literals.get(identity, ""),
            "remark": "as a constant",
            "tone": Tone.LOST,
            "facts": facts,
            "shown": () if numbers is None else (Shown(node, "value", numbers, came),),
        }

    # --- tapes ---

    def _tape_enter(self, event: events.TapeEnter) -> Told:
        tape = event.tapes[0]
        self.tapes[tape] = event.name or f"tape {tape}"
        remark = "persistent" if event.persistent else ""
        facts = [Fact("", words.RECORDS)]
        if event.persistent:
            facts.append(Fact("", words.IS_PERSISTENT, Tone.MUTED))
        if not event.watch_accessed_variables:
            facts.append(Fact("", words.WATCHES_EXPLICITLY, Tone.MUTED))
        return _event(words.TAPE_OPENS.format(tape=self.tapes[tape]), remark, *facts)

    def _tape_exit(self, event: events.TapeExit) -> Told:
        ops = count(event.ops, "op")
        title = words.TAPE_CLOSES.format(tape=self._tape(event.tapes))
        return _event(title, ops, Fact("", words.HOLDS.format(ops=ops)))

    def _watch(self, event: events.Watch) -> Told | None:
        if event.how == "read" or event.value is None:
            return None
        name, numbers = self.name(event.value), self._numbers(event.value)
        said = words.IS_WATCHED.format(tape=self._tape(event.tapes))
        return {**_event("watch", "", Fact(name, said, Tone.OP, numbers)), "inputs": name}

    def _stop_recording(self, event: events.StopRecording) -> Told:
        what = words.PAUSES if event.on else words.RESUMES
        return _event(what, "", Fact("", f"on {self._tape(event.tapes)}"))

    def _reset(self, event: events.Reset) -> Told:
        said = words.DISCARDS.format(ops=count(event.dropped, "op"))
        told = _event("reset", said, Fact("", f"{self._tape(event.tapes)} {said}", Tone.LOST))
        return {**told, "number": "!", "tone": Tone.LOST}

    def _tape(self, tapes: Sequence[int]) -> str:
        return self.tapes.get(tapes[0], "the tape")

    # --- ops ---

    def _op(self, event: events.Op) -> Told:
        number, node = event.number, f"op-{event.number}"
        self._ops[number] = event
        in_walk = self._is_in_walk(event)
        texts = [self._label(given, in_walk) for given in event.inputs]
        values = [self._values.get(given.value) for given in event.inputs]
        for position, output in enumerate(event.outputs):
            part = f"[{position}]" if len(event.outputs) > 1 else ""
            # In a backward pass, the program's names are those of the call's arguments and results.
            self.names[output.id] = (None if in_walk else output.name) or f"#{number}{part}"
            self._values[output.id] = Held.of(output)
            self.nodes[output.id] = node
        for each in event.saved:
            if self.nodes.get(each, "").startswith("var-"):
                self._kept[number, each] = self._values[each]
        made = [self._values[output.id].said for output in event.outputs]
        kept = self._names_kept(event)
        facts = self._facts_of_inputs(event, texts, values)
        for output, said in zip(event.outputs, made, strict=True):
            facts.append(Fact(f"{self.names[output.id]} =", said, Tone.OP, output))
        facts += self._facts_of_recording(event, kept)
        if in_walk:
            facts.append(Fact("", words.IN_BACKWARD_PASS, Tone.MUTED))
        shown = [
            Shown(node, "value", output, self.names[output.id]) for output in event.outputs[:1]
        ]
        return {
            "number": f"#{number}",
            "what": event.name,
            "inputs": ", ".join(texts),
            "value": ", ".join(made),
            "remark": self._remark(event, kept),
            "tone": Tone.OP if event.recorded else Tone.MUTED,
            "op": number,
            "facts": tuple(facts),
            "shown": tuple(shown),
        }

    def _facts_of_inputs(
        self, event: events.Op, texts: list[str], values: list[Held | None]
    ) -> list[Fact]:
        facts = []
        for given, text, held in zip(event.inputs, texts, values, strict=True):
            numbers, shown = held or (None, "")
            watched = "" if given.watched or not event.tapes else "not watched"
            said = "  ".join(filter(None, ("" if shown == text else shown, watched)))
            facts.append(Fact(text, said, Tone.OP if given.watched else Tone.MUTED, numbers))
        return facts

    def _facts_of_recording(self, event: events.Op, kept: str) -> list[Fact]:
        if not event.recorded:
            return [Fact("recorded", words.WHY_NOT[_reason(event)][1], Tone.MUTED)]
        on = ", ".join([self.tapes.get(each, f"tape {each}") for each in event.recorded])
        facts = [
            Fact("recorded", f"on {on}"),
            Fact("keeps", kept or "nothing", Tone.OP if kept else Tone.MUTED),
        ]
        rule = self._rules.get(event.name)
        return [*facts, Fact("rule", rule)] if rule else facts

    def _remark(self, event: events.Op, kept: str) -> str:
        if not event.recorded:
            return words.WHY_NOT[_reason(event)][0]
        bare = [
            self._label(given, False)
            for given in event.inputs
            if given.value in self._returned and not given.watched
        ]
        said = (
            words.NO_HISTORY.format(inputs=", ".join(bare)) if bare else "",
            words.KEEPS.format(values=kept) if kept else "",
        )
        return "; ".join(filter(None, said))

    def _names_kept(self, event: events.Op) -> str:
        return ", ".join(dict.fromkeys(map(self.name, event.saved)))

    def _label(self, given: events.Input, in_walk: bool) -> str:
        text = None if in_walk else given.text
        return self.names.get(given.value) or text or self._literals.get(given.value, "?")

    def _is_in_walk(self, event: events.Placed) -> bool:
        """Whether it ran at the place of a gradient call in progress, and so is part of its backward pass."""
        return self._asking is not None and event.stack == self._asking.stack

    # --- gradient calls ---

    def _gradient(self, event: events.Gradient) -> Told:
        self._asking = event
        self._walks[event.call] = Walk(event)
        sources = ", ".join(source.name for source in event.sources)
        told = _event(
            words.REQUESTED.format(api=event.api),
            "",
            Fact("target", event.target_name or "?"),
            Fact("sources", sources or "none"),
            Fact("tape", self._tape(event.tapes)),
        )
        return {**told, "phase": Phase.BACKWARD, "inputs": sources}

    def _seed(self, event: events.Seed) -> Told:
        walk, name, numbers = self._walks[event.call], self.name(event.value), event.numbers
        said = words.short(numbers)
        walk.seed(event.value, said)
        node, goal = self.nodes.get(event.value, ""), f"∂{walk.of}/∂{name}"
        if node:
            self.added.append((node, goal, said, said))
        return {
            "number": "0",
            "phase": Phase.BACKWARD,
            "what": "seed",
            "inputs": name,
            "value": said,
            "tone": Tone.EVENT,
            "facts": (
                Fact(f"{goal} =", said, Tone.GRADIENT, numbers),
                Fact("", words.STARTS_BACKWARD, Tone.MUTED),
            ),
            "shown": (Shown(node, "grad", numbers, goal),) if node else (),
        }

    def _back(self, event: events.Back) -> Told:
        walk, number, arrived = self._walks[event.call], event.op, event.arrived
        op = None if number is None else self._ops.get(number)
        name = "?" if op is None else op.name
        rule, came = self._rules.get(name, ""), words.short(arrived)
        goal = f"∂{walk.of}/∂{self.name(arrived.id)}"
        facts = [
            Fact(goal, words.ARRIVES.format(gradient=came), Tone.GRADIENT, arrived),
            Fact("rule", rule),
            *self._facts_of_reads(event),
        ]
        shown, amounts = [], []
        for share in event.sent:
            sent = walk.send(share, self.name(share.value))
            facts += sent.facts(arrived, came)
            amounts.append(sent.in_a_row())
            node = self.nodes.get(share.value)
            if node is not None:
                self.added.append((node, sent.goal, sent.amount, sent.total))
                shown.append(Shown(node, "grad", share.total, sent.goal))
        facts += self._facts_of_silence(event, op)
        if event.rows:
            rows = words.ROWS_AT_ONCE.format(rows=count(event.rows, "row"))
            facts.append(Fact("", rows, Tone.MUTED))
        return {
            "number": "" if number is None else f"#{number}",
            "phase": Phase.BACKWARD,
            "what": words.BACKWARD_OF.format(op=name),
            "inputs": ", ".join([self.name(share.value) for share in event.sent]),
            "value": ", ".join(amounts),
            "nth": event.step,
            "given": came,
            "rule": rule,
            "remark": words.STEP_OF.format(step=event.step, steps=event.steps),
            "tone": Tone.GRADIENT,
            "op": number,
            "facts": tuple(facts),
            "shown": tuple(shown),
        }

    def _facts_of_silence(self, event: events.Back, op: events.Op | None) -> list[Fact]:
        """A line for each input to which nothing is sent, with the reason."""
        inputs = () if op is None else op.inputs
        labels = {given.value: self._label(given, False) for given in inputs}
        reasons = {
            labels.get(each.value) or self.name(each.value): words.SKIPPED[each.why]
            for each in event.skipped
        }
        for given in inputs:
            if not given.watched:
                reasons[labels[given.value]] = words.SKIPPED["constant"]
        return [Fact(name, said, Tone.MUTED) for name, said in reasons.items()]

    def _facts_of_reads(self, event: events.Back) -> list[Fact]:
        reads = dict.fromkeys(each for share in event.sent for each in share.reads)
        facts = []
        for each in reads:
            held = self._kept.get((event.op, each)) or self._values.get(each)
            if held is not None:
                name = self.name(each)
                said = name if held.said == name else f"{name} = {held.said}"
                facts.append(Fact("reads", said, Tone.OP, held.numbers))
        return facts

    def _result(self, event: events.Result) -> Told:
        walk, numbers, index = self._walks[event.call], event.numbers, event.source
        asked = walk.asked.sources
        source = asked[index].name if index < len(asked) else "?"
        if index + 1 >= len(asked):
            self._asking = None
        node = self.nodes.get(event.value, "")
        name = f"∂{walk.of}/∂{source}"
        told: Told = {
            "phase": Phase.BACKWARD,
            "what": name,
            "inputs": source,
            "value": "None",
            "tone": Tone.LOST,
        }
        if numbers is None:
            shown = (Shown(node, "grad", None, name),) if node else ()
            return {**told, "facts": (Fact(f"{name} =", "None", Tone.LOST),), "shown": shown}
        self.names[numbers.id] = numbers.name or name
        held = self._values[numbers.id] = Held.of(numbers)
        self.nodes.setdefault(numbers.id, f"value-{numbers.id}")
        facts = [Fact(f"{name} =", held.said, Tone.GRADIENT, numbers, event.value)]
        if event.recorded:
            facts.append(Fact("", words.IS_RECORDED_AGAIN, Tone.MUTED))
        return {
            **told,
            "value": held.said,
            "tone": Tone.EVENT,
            "facts": tuple(facts),
            "shown": (Shown(node, "grad", numbers, name),) if node else (),
        }

    # --- the rest ---

    def _note(self, event: events.Note) -> Told:
        return {**_event("note", "", Fact("", event.text)), "inputs": event.text}

    def _error(self, event: events.Error) -> Told:
        if event.call is not None:
            self._asking = None
        return {
            "number": "!",
            "phase": Phase.FORWARD if event.call is None else Phase.BACKWARD,
            "what": event.type,
            "inputs": event.message.partition("\n")[0],
            "tone": Tone.LOST,
            "facts": (Fact("", event.message, Tone.LOST),),
        }


def _event(what: str, remark: str, *facts: Fact) -> Told:
    return {"what": what, "remark": remark, "tone": Tone.EVENT, "facts": facts}


def _reason(event: events.Op) -> str:
    return next(iter(event.why_not.values()), "no_tape")

"""Reads a trace event by event, knows what each value is called by then, and says what happened.

Nothing is looked up later in the trace: what a step says is what was known when it happened, so a run can be told while
it goes on.
"""

from dataclasses import dataclass
from typing import Any

from minitape.debug.draw.words import count, gradient_row, value_row
from minitape.debug.story import words
from minitape.debug.story.model import Fact, Phase, Shown, Tensor, Tone
from minitape.debug.trace import Event

Told = dict[str, Any]  # some of the fields of a Step


@dataclass
class _Walk:
    """A gradient call under way: what it was asked, and what has arrived so far."""

    asked: Event
    of: str
    sums: dict[int, Tensor]
    rows: int | None = None


class Reader:
    """Turns events into the fields of steps; silent ones (a read, a site) are learnt from and give None."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.tapes: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.nodes: dict[int, str] = {}
        self.sites: dict[int, Event] = {}
        self._values: dict[int, Tensor] = {}
        self._literals: dict[int, str] = {}  # constants that no one named
        self._rules: dict[str, str] = {}
        self._ops: dict[int, Event] = {}
        self._kept: dict[tuple[int, int], Tensor] = {}  # variables as an op read them
        self._walks: dict[int, _Walk] = {}
        self._asking: Event | None = None
        self._returned: set[int] = set()  # what came back from NumPy or Python

    def name(self, identity: int) -> str:
        return self.names.get(identity) or self._literals.get(identity, "?")

    def tell(self, event: Event) -> Told | None:
        """The fields of the step that this event is; None for those that no one needs to see."""
        teller = getattr(self, f"_{event['k']}", None)
        told: Told | None = teller(event) if teller is not None else None
        return told

    @property
    def is_walking(self) -> bool:
        """Whether a gradient call has not given all its answers yet."""
        return self._asking is not None

    # --- what is only learnt ---

    def _source(self, event: Event) -> None:
        self.texts[event["file"]] = event["text"]

    def _site(self, event: Event) -> None:
        self.sites[event["site"]] = event

    def _primitive(self, event: Event) -> None:
        self._rules[event["name"]] = event["rule"]

    def _read(self, event: Event) -> None:
        variable, out = event["var"], event["out"]
        self.names[out] = self.name(variable)
        self.nodes[out] = f"var-{variable}"
        self._values[out] = self._values.get(variable, {})

    # --- values ---

    def _constant(self, event: Event) -> Told | None:
        value = event["T"]
        identity = value["id"]
        self._values[identity] = value
        self._literals[identity] = words.short(value)
        self.nodes[identity] = f"value-{identity}"
        name = value["name"] or event["text"]
        if name and not self._is_in_walk(event):
            self.names[identity] = name
        if event["how"] != "tf.constant":
            return None
        return self._made("constant", value, f"value-{identity}", "")

    def _variable(self, event: Event) -> Told:
        value, identity = event["T"], event["var"]
        self.names[identity] = value["name"] or event["name"]
        self._values[identity] = value
        self.nodes[identity] = f"var-{identity}"
        remark = "" if event["trainable"] else "not trainable"
        return self._made("variable", value, f"var-{identity}", remark)

    def _made(self, what: str, value: Tensor, node: str, remark: str) -> Told:
        facts = [Fact(self.name(value["id"]), words.short(value), Tone.OP, value)]
        if remark:
            facts.append(Fact("", f"{remark}: no tape watches it by itself", Tone.MUTED))
        return {
            "what": what,
            "value": words.short(value),
            "remark": remark,
            "tone": Tone.EVENT,
            "facts": tuple(facts),
            "shown": (_value(node, value, self.name(value["id"])),),
        }

    def _assign(self, event: Event) -> Told:
        variable, value = event["var"], event["T"]
        before, self._values[variable] = self._values.get(variable), value
        name = self.name(variable)
        facts = (
            [] if before is None else [Fact(f"{name} was", words.short(before), Tone.MUTED, before)]
        )
        facts += [
            Fact(f"{name} is", words.short(value), Tone.OP, value),
            Fact("", "a change of state: no tape records it", Tone.MUTED),
        ]
        return {
            "what": event["how"],
            "inputs": name,
            "value": words.short(value),
            "tone": Tone.EVENT,
            "facts": tuple(facts),
            "shown": (_value(f"var-{variable}", value, name),),
        }

    def _rebind(self, event: Event) -> Told:
        name = event["name"]
        text = f"{name} held {self._described(event['was'])} and now holds {self._described(event['now'])}"
        return {
            "number": "!",
            "what": "name reused",
            "inputs": name,
            "remark": "now another value",
            "tone": Tone.LOST,
            "facts": (Fact("", text, Tone.LOST),),
        }

    def _described(self, identity: int) -> str:
        node = self.nodes.get(identity, "")
        if node.startswith("var-"):
            return "a variable"
        return f"what op #{node[3:]} made" if node.startswith("op-") else "another tensor"

    def _export(self, event: Event) -> Told:
        left = ", ".join(self.name(each) for each in event["t"])
        facts = (
            Fact("left", left, Tone.OP, self._values.get(event["t"][0]) if event["t"] else None),
            Fact("through", event["via"]),
            Fact("", "what Python and NumPy make of it, no tape sees", Tone.MUTED),
        )
        return {
            "what": "left the engine",
            "inputs": left,
            "remark": f"via {event['via']}",
            "tone": Tone.MUTED,
            "facts": facts,
        }

    def _reentry(self, event: Event) -> Told:
        came, identity = ", ".join(self.name(each) for each in event["value_of"]), event["t"]
        self._returned.add(identity)
        value = self._values.get(identity)
        sure = "the same numbers" if event["sure"] else "probably"
        facts = (
            Fact("was", f"{came} ({sure})"),
            Fact("now", "a constant: it has no history", Tone.LOST, value),
        )
        node = self.nodes.get(identity) or f"value-{identity}"
        return {
            "number": "!",
            "what": "came back",
            "inputs": came,
            "value": self._literals.get(identity, ""),
            "remark": "as a constant",
            "tone": Tone.LOST,
            "facts": facts,
            "shown": () if value is None else (_value(node, value, came),),
        }

    # --- tapes ---

    def _tape_enter(self, event: Event) -> Told:
        tape = event["tape"][0]
        self.tapes[tape] = event["name"] or f"tape {tape}"
        remark = "persistent" if event["persistent"] else ""
        facts = [Fact("", "from here on, ops with a watched input are written down")]
        if event["persistent"]:
            facts.append(
                Fact("", "persistent: gradient may be asked for more than once", Tone.MUTED)
            )
        if not event["watch_vars"]:
            facts.append(Fact("", "it watches only what watch() names", Tone.MUTED))
        return _event(f"{self.tapes[tape]} opens", remark, *facts)

    def _tape_exit(self, event: Event) -> Told:
        said = count(event["n_ops"], "op")
        return _event(f"{self._tape(event)} closes", said, Fact("", f"it holds {said}"))

    def _watch(self, event: Event) -> Told | None:
        if event["how"] == "read" or event["t"] is None:
            return None
        name = self.name(event["t"])
        value = self._values.get(event["t"])
        fact = Fact(name, f"is watched by {self._tape(event)} from here on", Tone.OP, value)
        return {**_event("watch", "", fact), "inputs": name}

    def _stop_recording(self, event: Event) -> Told:
        what = "recording pauses" if event["on"] else "recording goes on"
        return _event(what, "", Fact("", f"on {self._tape(event)}"))

    def _reset(self, event: Event) -> Told:
        said = f"forgets {count(event['dropped'], 'op')}"
        told = _event("reset", said, Fact("", f"{self._tape(event)} {said}", Tone.LOST))
        return {**told, "number": "!", "tone": Tone.LOST}

    def _tape(self, event: Event) -> str:
        return self.tapes.get(event["tape"][0] if event["tape"] else 0, "the tape")

    # --- ops ---

    def _op(self, event: Event) -> Told:
        number, name = event["op"], event["name"]
        self._ops[number] = event
        in_walk = self._is_in_walk(event)
        texts = [self._label(each, in_walk) for each in event["inputs"]]
        values = [self._values.get(each["t"]) for each in event["inputs"]]
        for position, output in enumerate(event["outputs"]):
            part = f"[{position}]" if len(event["outputs"]) > 1 else ""
            # In a walk the user's names are those of the call's arguments and of its answer.
            self.names[output["id"]] = (None if in_walk else output["name"]) or f"#{number}{part}"
            self._values[output["id"]] = output
            self.nodes[output["id"]] = f"op-{number}"
        for kept in event["saved"]:
            if self.nodes.get(kept, "").startswith("var-"):
                self._kept[number, kept] = self._values[kept]
        is_recorded = bool(event["recorded"])
        return {
            "number": f"#{number}",
            "what": name,
            "inputs": ", ".join(texts),
            "value": ", ".join(words.short(output) for output in event["outputs"]),
            "remark": self._remark(event),
            "tone": Tone.OP if is_recorded else Tone.MUTED,
            "op": number,
            "facts": (*self._facts_of_op(event, texts, values), *_in_a_walk(in_walk)),
            "shown": tuple(
                _value(f"op-{number}", output, self.names[output["id"]])
                for output in event["outputs"][:1]
            ),
        }

    def _facts_of_op(
        self, event: Event, texts: list[str], values: list[Tensor | None]
    ) -> list[Fact]:
        facts = []
        for given, text, value in zip(event["inputs"], texts, values, strict=True):
            shown = "" if value is None else words.short(value)
            watched = "" if given["watched"] or not event["tape"] else "not watched"
            said = "  ".join(part for part in ("" if shown == text else shown, watched) if part)
            facts.append(Fact(text, said, Tone.OP if given["watched"] else Tone.MUTED, value))
        for output in event["outputs"]:
            facts.append(
                Fact(f"{self.names[output['id']]} =", words.short(output), Tone.OP, output)
            )
        if event["recorded"]:
            on = ", ".join(self.tapes.get(each, f"tape {each}") for each in event["recorded"])
            facts.append(Fact("recorded", f"on {on}"))
            kept = self._names_kept(event)
            facts.append(Fact("keeps", kept or "nothing", Tone.OP if kept else Tone.MUTED))
        else:
            facts.append(
                Fact("recorded", words.WHY_NOT.get(_reason(event), ("", "no"))[1], Tone.MUTED)
            )
        rule = self._rules.get(event["name"])
        return [*facts, Fact("rule", rule)] if rule and event["recorded"] else facts

    def _remark(self, event: Event) -> str:
        if event["recorded"]:
            kept = self._names_kept(event)
            bare = [
                self._label(each, False)
                for each in event["inputs"]
                if each["t"] in self._returned and not each["watched"]
            ]
            said = (
                f"keeps {kept}" if kept else "",
                f"{', '.join(bare)}: no history" if bare else "",
            )
            return "; ".join(filter(None, reversed(said)))
        return words.WHY_NOT.get(_reason(event), (_reason(event), ""))[0]

    def _names_kept(self, event: Event) -> str:
        return ", ".join(dict.fromkeys(self.name(each) for each in event["saved"]))

    def _label(self, given: Event, in_walk: bool) -> str:
        text = None if in_walk else given["text"]
        return self.names.get(given["t"]) or text or self._literals.get(given["t"], "?")

    def _is_in_walk(self, event: Event) -> bool:
        """Whether it ran in the place of a gradient call that is under way: then it is part of its walk."""
        return self._asking is not None and event.get("stack") == self._asking["stack"]

    # --- gradient calls ---

    def _gradient(self, event: Event) -> Told:
        self._asking = event
        self._walks[event["call"]] = _Walk(event, event["target_name"] or "target", {})
        sources = ", ".join(source["name"] for source in event["sources"])
        facts = [Fact("target", event["target_name"] or "?"), Fact("sources", sources or "none")]
        if event["tape"]:
            facts.append(Fact("tape", self._tape(event)))
        return {
            **_event(f"{event['api']} asked", "", *facts),
            "phase": Phase.BACKWARD,
            "inputs": sources,
        }

    def _seed(self, event: Event) -> Told:
        of, name, value = self._of(event), self.name(event["t"]), event["T"]
        self._walks[event["call"]].sums[event["t"]] = value
        node = self.nodes.get(event["t"], "")
        return {
            "number": "0",
            "phase": Phase.BACKWARD,
            "what": "seed",
            "inputs": name,
            "value": words.short(value),
            "tone": Tone.EVENT,
            "facts": (
                Fact(f"∂{of}/∂{name} =", words.short(value), Tone.GRADIENT, value),
                Fact("", "the walk back starts here", Tone.MUTED),
            ),
            "shown": (_gradient_of(node, value, f"∂{of}/∂{name}"),) if node else (),
            "place_of": self._walks[event["call"]].asked,
        }

    def _back(self, event: Event) -> Told:
        walk, number = self._walks[event["call"]], event["op"]
        op = self._ops.get(number, {})
        name, arrived = str(op.get("name", "?")), event["grad_in"]
        facts = [
            Fact(
                f"∂{walk.of}/∂{self.name(arrived['id'])}",
                f"= {words.short(arrived)}  arrives",
                Tone.GRADIENT,
                arrived,
            ),
            Fact("rule", self._rules.get(name, "")),
            *self._facts_of_reads(event),
        ]
        shown = []
        for out in event["out"]:
            facts += self._facts_of_sending(walk, arrived, out)
            walk.sums[out["t"]] = out["sum"]
            if out["t"] in self.nodes:
                goal = f"∂{walk.of}/∂{self.name(out['t'])}"
                shown.append(_gradient_of(self.nodes[out["t"]], out["sum"], goal))
        facts += self._facts_of_silence(event, op)
        if event.get("rows"):
            facts.append(
                Fact("", f"{count(event['rows'], 'row')} of the Jacobian at once", Tone.MUTED)
            )
        return {
            "number": f"#{number}",
            "phase": Phase.BACKWARD,
            "what": f"{name}, backward",
            "inputs": ", ".join(self.name(out["t"]) for out in event["out"]),
            "value": ", ".join(_sum(out) for out in event["out"]),
            "nth": event["step"],
            "given": words.short(arrived),
            "rule": self._rules.get(name, ""),
            "remark": f"step {event['step']} of {event['of']}",
            "tone": Tone.GRADIENT,
            "op": number,
            "facts": tuple(facts),
            "shown": tuple(shown),
            "place_of": op,
        }

    def _facts_of_silence(self, event: Event, op: Event) -> list[Fact]:
        """The inputs to which nothing is sent, each once, and why."""
        reasons = {
            self.name(skipped["t"]): words.SKIPPED.get(skipped["why"], skipped["why"])
            for skipped in event["skipped"]
        }
        for given in op.get("inputs", ()):
            if not given["watched"]:
                reasons[self._label(given, False)] = words.SKIPPED["constant"]
        return [Fact(name, said, Tone.MUTED) for name, said in reasons.items()]

    def _facts_of_reads(self, event: Event) -> list[Fact]:
        reads = dict.fromkeys(each for out in event["out"] for each in out["reads"])
        facts = []
        for each in reads:
            value = self._kept.get((event["op"], each)) or self._values.get(each)
            if value is not None:
                shown, name = words.short(value), self.name(each)
                facts.append(
                    Fact("reads", shown if shown == name else f"{name} = {shown}", Tone.OP, value)
                )
        return facts

    def _facts_of_sending(self, walk: _Walk, arrived: Tensor, out: Event) -> list[Fact]:
        name, amount = f"∂{walk.of}/∂{self.name(out['t'])}", out["T"]
        text = words.short(amount)
        if words.is_scalar(arrived) and words.is_scalar(amount) and arrived["data"]:
            # What the op multiplied by is not in the trace; between two numbers it is their ratio.
            slope = words.plain(amount["data"] / arrived["data"])
            text = f"{words.short(arrived)} × {slope} = {text}"
        before = walk.sums.get(out["t"])
        sign = "=" if out["uses"] == 1 and before is None else "+="
        facts = [Fact(name, f"{sign} {text}", Tone.GRADIENT, amount)]
        if out["uses"] > 1 or before is not None:
            part = f"({out['use']} of {out['uses']})"
            adding = "" if before is None else f"{words.short(before)} + {words.short(amount)} = "
            facts.append(
                Fact(
                    "sum", f"{adding}{words.short(out['sum'])}   {part}", Tone.GRADIENT, out["sum"]
                )
            )
        return facts

    def _result(self, event: Event) -> Told:
        walk, value, index = self._walks[event["call"]], event["T"], event["source"]
        asked = walk.asked["sources"]
        source = asked[index]["name"] if index < len(asked) else "?"
        if index + 1 >= len(asked):
            self._asking = None
        node = self.nodes.get(event["t"], "") if event["t"] is not None else ""
        name = f"∂{walk.of}/∂{source}"
        told: Told = {
            "place_of": walk.asked,
            "phase": Phase.BACKWARD,
            "what": name,
            "inputs": source,
            "value": "None" if value is None else words.short(value),
            "tone": Tone.EVENT if value is not None else Tone.LOST,
        }
        if value is None:
            shown = (Shown(node, "grad", "None", (), name),) if node else ()
            return {**told, "facts": (Fact(f"{name} =", "None", Tone.LOST),), "shown": shown}
        self.names[value["id"]] = value["name"] or name
        self._values[value["id"]] = value
        self.nodes.setdefault(value["id"], f"value-{value['id']}")
        facts = [Fact(f"{name} =", words.short(value), Tone.GRADIENT, value)]
        if event["recorded"]:
            facts.append(
                Fact("", "the walk itself was recorded: it can be differentiated again", Tone.MUTED)
            )
        return {
            **told,
            "facts": tuple(facts),
            "shown": (_gradient_of(node, value, name),) if node else (),
        }

    def _of(self, event: Event) -> str:
        return self._walks[event["call"]].of

    # --- the rest ---

    def _note(self, event: Event) -> Told:
        return {**_event("note", "", Fact("", event["text"])), "inputs": event["text"]}

    def _error(self, event: Event) -> Told:
        first = event["message"].partition("\n")[0]
        if event["call"] is not None:
            self._asking = None
        return {
            "number": "!",
            "phase": Phase.FORWARD if event["call"] is None else Phase.BACKWARD,
            "what": event["type"],
            "inputs": first,
            "tone": Tone.LOST,
            "facts": (Fact("", event["message"], Tone.LOST),),
        }


def _event(what: str, remark: str, *facts: Fact) -> Told:
    return {"what": what, "remark": remark, "tone": Tone.EVENT, "facts": facts}


def _in_a_walk(in_walk: bool) -> tuple[Fact, ...]:
    return (Fact("", "part of a walk back that is recorded itself", Tone.MUTED),) if in_walk else ()


def _reason(event: Event) -> str:
    return str(next(iter(event["why_not"].values()), "no_tape"))


def _sum(out: Event) -> str:
    uses = f" ({out['use']} of {out['uses']})" if out["uses"] > 1 else ""
    return words.short(out["sum"]) + uses


def _value(node: str, value: Tensor, name: str) -> Shown:
    row = value_row(value)
    return Shown(node, "value", row.text, row.strip.cells if row.strip else (), name)


def _gradient_of(node: str, value: Tensor, name: str) -> Shown:
    row = gradient_row(value)
    return Shown(node, "grad", row.text, row.strip.cells if row.strip else (), name)

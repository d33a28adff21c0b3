"""What a trace says about each value up to one gradient call: who made it, from what, what came back for it.

Everything after the call is left aside: a training loop calls `gradient` again and again, and each picture is of one call.
Walks are loops, never recursions: a tape may be a hundred thousand ops long.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from minitape.debug.draw.model import Row
from minitape.debug.draw.words import gradient_row, shape, short
from minitape.debug.trace import Event, Trace

Tensor = dict[str, Any]


@dataclass(frozen=True)
class Maker:
    """The event that made a value, and the values it was made from."""

    event: Event
    inputs: tuple[int, ...]

    @property
    def kind(self) -> str:
        return str(self.event["k"])


class Facts:
    """The trace, turned round: asked by value, by op and by variable instead of by time.

    `pointed` are the values that the report speaks of: their ops are drawn in any case.
    """

    def __init__(self, trace: Trace, call: Event | None, pointed: Iterable[int] = ()) -> None:
        self.call = call
        self.script = _base(trace.script)
        self.tape = _tape(call) if call else None
        self.makers: dict[int, Maker] = {}
        self.tensors: dict[int, Tensor] = {}
        self.variables: dict[int, Event] = {}
        self.ops: dict[int, Event] = {}
        self.watched: set[int] = set()
        self.gradients: dict[int, Tensor] = {}
        self.seeds: set[int] = set()
        self.results: dict[int, Event] = {}
        self.back: dict[int, Event] = {}
        self.rules: dict[str, str] = {}
        self.has_error = False
        self._opened = 0
        self._sites: dict[int, Event] = {}
        self._texts: dict[str, list[str]] = {}
        self._end = call["i"] if call else len(trace)
        for event in trace:
            self._take(event)
        self._name_after_uses()
        self.sources = {s["t"]: str(s.get("name") or "") for s in (call or {}).get("sources", [])}
        self.targets: list[int] = list((call or {}).get("target", []))
        self._pointed = set(pointed)
        self.drawn = self._all_drawn()
        self.connected, self.path = self._way_of_the_gradient()

    # --- reading the events ---

    def _take(self, event: Event) -> None:
        kind = event["k"]
        if kind == "source":
            self._texts[str(event.get("file"))] = str(event.get("text", "")).split("\n")
        elif kind == "site":
            self._sites[event["site"]] = event
        elif kind == "primitive":
            self.rules[event["name"]] = str(event.get("rule") or "")
        elif self.call is not None and event.get("call") == self.call["call"]:
            self._take_of_call(kind, event)
        elif event["i"] < self._end:
            self._take_before(kind, event)

    def _take_before(self, kind: str, event: Event) -> None:
        if kind == "op":
            self.ops[event["op"]] = event
            inputs = tuple(item["t"] for item in event.get("inputs", []))
            for tensor in event.get("outputs", []):
                self._made(tensor["id"], event, inputs, tensor)
        elif kind == "constant":
            self._made(event["T"]["id"], event, (), event["T"])
        elif kind == "variable":
            self.variables[event["var"]] = event
            # Not from its first value: how that was made is another story, and often a long one.
            self._made(event["var"], event, (), event.get("T"))
        elif kind == "read":
            self._made(event["out"], event, (event["var"],), self.tensors.get(event["var"]))
            tapes = event.get("watched", [])
            if self.tape in tapes or (self.tape is None and tapes):
                self.watched.update((event["var"], event["out"]))
        elif kind == "assign" and event.get("T"):
            self.tensors[event["var"]] = event["T"]
        elif kind == "reentry":
            self.makers[event["t"]] = Maker(event, _ids(event, "value_of"))
            self.tensors.setdefault(event["t"], {})
        elif kind == "watch" and event.get("t") is not None and self.tape in (None, _tape(event)):
            self.watched.add(event["t"])
        elif kind == "tape_enter" and self.tape is not None and _tape(event) == self.tape:
            self._opened = event["i"]
        elif kind == "result" and event.get("T"):
            self._made(event["T"]["id"], event, (event["t"],), event["T"])

    def _take_of_call(self, kind: str, event: Event) -> None:
        if kind == "seed":
            self.seeds.add(event["t"])
            self.gradients[event["t"]] = event["T"]
        elif kind == "back":
            self.back[event["op"]] = event
            arrived = event.get("grad_in") or {}
            if "id" in arrived:
                self.gradients.setdefault(arrived["id"], arrived)
            for out in event.get("out", []):
                self.gradients[out["t"]] = out.get("sum") or out["T"]
        elif kind == "result":
            self.results[event["t"]] = event
        elif kind == "error":
            self.has_error = True

    def _made(
        self, value: int, event: Event, inputs: tuple[int, ...], tensor: Tensor | None
    ) -> None:
        self.makers.setdefault(value, Maker(event, inputs))
        self.tensors.setdefault(value, tensor or {})

    def _name_after_uses(self) -> None:
        """A value without a name of its own is called what the user called it where it was used."""
        for op in self.ops.values():
            for item in op.get("inputs", []):
                tensor, text = self.tensors.get(item["t"]), str(item.get("text") or "")
                if tensor is not None and not tensor.get("name") and text.isidentifier():
                    self.tensors[item["t"]] = {**tensor, "name": text}

    # --- what the picture is about ---

    def _upstream(self, values: list[int]) -> set[int]:
        found: set[int] = set()
        while values:
            value = values.pop()
            if value not in found:
                found.add(value)
                maker = self.makers.get(value)
                values.extend(maker.inputs if maker is not None else ())
        return found

    def _all_drawn(self) -> dict[int, Event]:
        """The ops that lead to the target, and those that the sources lead to under the tape."""
        if self.call is None:
            return self.ops
        downstream = set(self.sources)
        for value, maker in self.makers.items():
            if not downstream.isdisjoint(maker.inputs):
                downstream.add(value)
        always = self._pointed | set(self.targets)
        upstream = self._upstream([*self.targets, *(self._pointed & self.makers.keys())])
        drawn = {}
        for number, op in self.ops.items():
            outputs = {tensor["id"] for tensor in op["outputs"]}
            is_inside, is_downstream = op["i"] >= self._opened, not outputs.isdisjoint(downstream)
            leads_on = not outputs.isdisjoint(upstream)
            # What was ready before the tape and comes from no source is a constant to it.
            if (is_inside and (leads_on or is_downstream)) or (
                leads_on and (is_downstream or not outputs.isdisjoint(always))
            ):
                drawn[number] = op
        return drawn

    def _way_of_the_gradient(self) -> tuple[set[int], set[int]]:
        """The values and ops that the walk came by, or would have, had the path not been broken."""
        values, path = {*self.sources, *self._pointed}, set(self.back)
        for step in self.back.values():
            values.update(out["t"] for out in step.get("out", []))
        recorded = [op for op in self.drawn.values() if self.is_recorded(op)]
        needed = set(self._pointed)
        for op in reversed(recorded):
            if any(tensor["id"] in needed for tensor in op["outputs"]):
                needed.update(item["t"] for item in op.get("inputs", []))
        for op in recorded:
            outputs = {tensor["id"] for tensor in op["outputs"]}
            from_source = any(
                not values.isdisjoint((item["t"], self.variable_of(item["t"])))
                for item in op.get("inputs", [])
            )
            if (from_source or outputs & self._pointed) and outputs & needed:
                values |= outputs
                path.add(op["op"])
        return values, path

    def returned(self) -> list[int]:
        """Values that came back from outside and are needed, in the order of the run."""
        needed = {item["t"] for op in self.drawn.values() for item in op.get("inputs", [])}
        needed |= {*self.targets, *self.sources, *self._pointed}
        found = []
        for value, maker in reversed(self.makers.items()):
            if value in needed and maker.kind in ("reentry", "result"):
                needed.update(maker.inputs)
                found.append(value)
        return found[::-1]

    # --- answers ---

    def is_recorded(self, op: Event) -> bool:
        """Whether the tape of the call recorded it; without a call, whether any tape did."""
        recorded = op.get("recorded") or []
        return bool(recorded) if self.tape is None else self.tape in recorded

    def is_before_tape(self, event: Event) -> bool:
        return int(event["i"]) < self._opened

    def recorded_count(self) -> int:
        """How many ops were recorded between the opening of the tape and the call."""
        return sum(self.is_recorded(op) for op in self.ops.values() if op["i"] >= self._opened)

    def why_not(self, op: Event) -> str:
        reasons: dict[str, str] = op.get("why_not") or {}
        if not reasons and op.get("recorded"):
            return "another_tape"
        by_tape = reasons.get(str(self.tape)) or reasons.get("0")
        return str(by_tape or next(iter(reasons.values()), "no_tape"))

    def result_row(self, result: Tensor) -> Row:
        """The `grad` row of what the call returned for a source; a Jacobian has a shape of its own."""
        row = gradient_row(result)
        if "jacobian" not in str((self.call or {}).get("api")) or not row.text.startswith("|g|"):
            return row
        return replace(row, text=f"{shape(result['shape'])}  |J|{row.text.removeprefix('|g|')}")

    def variable_of(self, value: int) -> int | None:
        """The variable that this value is, or was read from."""
        if value in self.variables:
            return value
        maker = self.makers.get(value)
        return maker.event["var"] if maker is not None and maker.kind == "read" else None

    def name(self, value: int) -> str:
        return str(self.tensors.get(value, {}).get("name") or "")

    def place(self, event: Event | None) -> str:
        """`line 7`, with the file's name where it is not the script's."""
        at = (event or {}).get("at")
        return self.line_in(str(at[0]), int(at[1])) if at else ""

    def line_in(self, file: str, line: int) -> str:
        base = _base(file)
        is_only_one = not self.script and len(self._texts) < 2
        return f"line {line}" if is_only_one or base == self.script else f"{base}:{line}"

    def code(self, event: Event, width: int) -> str:
        """The user's expression, with the name the statement gives to it."""
        sites = self.sites(event)
        site = sites[-1] if sites else {}
        target = event.get("target_name") or site.get("target")
        text = site.get("expr") or site.get("code") or ""
        return short(f"{target} = {text}" if target and text else text, width)

    def statement(self, file: str, line: int, width: int) -> str:
        """The user's statement on this line."""
        for site in self._sites.values():
            at = site.get("at")
            if at and at[0] == file and at[1] == line and site.get("code"):
                return short(site["code"], width)
        lines = self._texts.get(file, [])
        return short(lines[line - 1], width) if 0 < line <= len(lines) else ""

    def sites_of(self, values: Sequence[int]) -> list[Event]:
        """The call sites that led to the first of these values."""
        maker = self.makers.get(values[0]) if values else None
        return self.sites(maker.event) if maker is not None else []

    def text(self, file: str) -> str:
        """The source text of a file, as far as the trace has it."""
        return "\n".join(self._texts.get(file, []))

    def sites(self, event: Event) -> list[Event]:
        """The call sites that led here, outermost first."""
        return [self._sites[site] for site in event.get("stack") or [] if site in self._sites]


def _tape(event: Event) -> int | None:
    tape = event.get("tape")
    return (tape[-1] if tape else None) if isinstance(tape, list) else tape


def _ids(event: Event, field: str) -> tuple[int, ...]:
    ids = event.get(field)
    return tuple(ids) if isinstance(ids, list) else () if ids is None else (ids,)


@lru_cache(maxsize=256)
def _base(path: str) -> str:
    return PureWindowsPath(PurePosixPath(path).name).name

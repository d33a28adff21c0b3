"""What a trace says about each value up to one gradient call: who made it, from what, and what came back for it.

Everything after the call is left aside: a training loop calls `gradient` again and again, and each picture is of one call.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from minitape.debug.draw.words import short
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
    """The trace, turned round: asked by value, by op and by variable instead of by time."""

    def __init__(self, trace: Trace, call: Event | None) -> None:
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
        self.walked: set[int] = set()
        self.skipped: set[int] = set()
        self.back: list[Event] = []
        self.reentries: dict[int, Event] = {}
        self.opened = 0
        self.has_error = False
        self.sites: dict[int, Event] = {}
        self._texts: dict[str, list[str]] = {}
        self.end = call["i"] if call else len(trace)
        for event in trace:
            self._take(event)
        for t, text in self._input_texts():
            if t in self.tensors and not self.tensors[t].get("name") and text.isidentifier():
                self.tensors[t] = {**self.tensors[t], "name": text}

    # --- reading the events ---

    def _take(self, event: Event) -> None:
        kind, at_all = event["k"], event["i"] < self.end
        if kind == "source":
            self._texts[str(event.get("file"))] = str(event.get("text", "")).split("\n")
        elif kind == "site":
            self.sites[event["site"]] = event
        elif self.call is not None and event.get("call") == self.call["call"]:
            self._take_of_call(kind, event)
        elif at_all:
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
            self._made(event["var"], event, (), event.get("T"))
        elif kind == "read":
            tensor = self.tensors.get(event["var"])
            self._made(event["out"], event, (event["var"],), tensor)
            if self.tape in event.get("watched", []):
                self.watched.update((event["var"], event["out"]))
        elif kind == "assign" and event.get("T"):
            self.tensors[event["var"]] = event["T"]
        elif kind == "reentry":
            self.reentries[event["t"]] = event
            constant = self.makers.get(event["t"])
            tensor = self.tensors.get(event["t"])
            origin = constant.event if constant else event
            self.makers[event["t"]] = Maker(event | {"how": origin.get("how")}, _ids(event, "value_of"))
            self.tensors.setdefault(event["t"], tensor or {})
        elif kind == "watch" and event.get("t") is not None and _tape(event) == self.tape:
            self.watched.add(event["t"])
        elif kind == "tape_enter" and self.tape is not None and _tape(event) == self.tape:
            self.opened = event["i"]
        elif kind == "result" and event.get("T") and event["T"].get("id") not in self.tensors:
            self._made(event["T"]["id"], event, (event["t"],), event["T"])

    def _take_of_call(self, kind: str, event: Event) -> None:
        if kind == "seed":
            self.seeds.add(event["t"])
            self.gradients[event["t"]] = event["T"]
        elif kind == "back":
            self.back.append(event)
            self.walked.add(event["op"])
            grad_in = event.get("grad_in") or {}
            if "id" in grad_in and grad_in["id"] not in self.gradients:
                self.gradients[grad_in["id"]] = grad_in
            for out in event.get("out", []):
                self.gradients[out["t"]] = out.get("sum") or out["T"]
            self.skipped.update(item["t"] for item in event.get("skipped", []))
        elif kind == "result":
            self.results[event["source"]] = event
        elif kind == "error":
            self.has_error = True

    def _made(self, value: int, event: Event, inputs: tuple[int, ...], tensor: Tensor | None) -> None:
        self.makers.setdefault(value, Maker(event, inputs))
        self.tensors.setdefault(value, tensor or {})

    def _input_texts(self) -> list[tuple[int, str]]:
        return [
            (item["t"], item["text"])
            for event in self.ops.values()
            for item in event.get("inputs", [])
            if item.get("text")
        ]

    # --- answers ---

    def is_recorded(self, op: Event) -> bool:
        """Whether the tape of the call recorded it; without a call, whether any tape did."""
        recorded = op.get("recorded") or []
        return bool(recorded) if self.tape is None else self.tape in recorded

    def why_not(self, op: Event) -> str:
        reasons: dict[str, str] = op.get("why_not") or {}
        by_tape = reasons.get(str(self.tape)) or reasons.get("0")
        return str(by_tape or next(iter(reasons.values()), "no_tape"))

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
        return f"line {line}" if not self.script or base == self.script else f"{base}:{line}"

    def code(self, event: Event, width: int) -> str:
        """The user's expression, with the name the statement gives to it."""
        stack = event.get("stack") or []
        site = self.sites.get(stack[-1], {}) if stack else {}
        target = event.get("target_name") or site.get("target")
        text = site.get("expr") or site.get("code") or ""
        return short(f"{target} = {text}" if target and text else text, width)

    def statement(self, file: str, line: int, width: int) -> str:
        """The user's statement on this line."""
        for site in self.sites.values():
            at = site.get("at")
            if at and at[0] == file and at[1] == line and site.get("code"):
                return short(site["code"], width)
        lines = self._texts.get(file, [])
        return short(lines[line - 1], width) if 0 < line <= len(lines) else ""


def _tape(event: Event) -> int | None:
    tape = event.get("tape")
    return (tape[-1] if tape else None) if isinstance(tape, list) else tape


def _ids(event: Event, field: str) -> tuple[int, ...]:
    ids = event.get(field)
    return tuple(ids) if isinstance(ids, list) else () if ids is None else (ids,)


def _base(path: str) -> str:
    return PureWindowsPath(PurePosixPath(path).name).name

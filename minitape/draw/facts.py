"""The contents of a trace up to one gradient call, indexed by value: the event that created a value, the inputs of that event,
and the gradient.

Everything after the call is ignored, because a training loop calls `gradient` repeatedly, and each picture shows one call.
Traversals are loops, not recursions, because a tape may have a hundred thousand ops.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath
from typing import NamedTuple

from msgspec.structs import replace

from minitape.draw.model import CardRow
from minitape.draw.words import gradient_row, shape, short, written
from minitape.source_text import lines_of
from minitape.trace import events
from minitape.trace.events import Event, Numbers
from minitape.trace.trace import Trace

Made = (
    events.OpEvent
    | events.ConstantEvent
    | events.VariableEvent
    | events.ReadEvent
    | events.ReentryEvent
    | events.ResultEvent
)

_OF_A_CALL = events.SeedEvent | events.BackEvent | events.ResultEvent | events.ErrorEvent

NO_TENSOR = 0  # used for a source that is not a tensor and therefore has no id


class Maker(NamedTuple):
    """The event that created a value, and the values from which it was created."""

    event: Made
    inputs: tuple[int, ...]


class Facts:
    """The trace, indexed by value, by op and by variable instead of by time.

    `pointed` are the values on the paths of findings, whose ops are always drawn.
    """

    def __init__(
        self, trace: Trace, call: events.GradientEvent | None, pointed: Iterable[int] = ()
    ) -> None:
        self.call = call
        self.script = _base(trace.script)
        self.ran_on = trace.ran_on.heading
        self.tape = call.tapes[0] if call is not None else None
        self.makers: dict[int, Maker] = {}
        self.tensors: dict[int, Numbers] = {}
        self.variables: dict[int, events.VariableEvent] = {}
        self._variable_of: dict[int, int] = {}
        self.ops: dict[int, events.OpEvent] = {}
        self.watched: set[int] = set()
        self.gradients: dict[int, Numbers] = {}
        self.seeds: set[int] = set()
        self.results: dict[int, events.ResultEvent] = {}
        self.back: dict[int | None, events.BackEvent] = {}
        self.rules: dict[str, str] = {}
        for each in trace.of(events.PrimitiveEvent):
            if each.name not in self.rules or each.gradient == "rule":
                self.rules[each.name] = each.rule
        self.has_error = False
        self._opened = 0
        self._sites = trace.sites
        self._texts = {each.file: lines_of(each.text) for each in trace.of(events.SourceEvent)}
        end = len(trace) if call is None else call.i
        for event in trace:
            if isinstance(event, _OF_A_CALL) and call is not None and event.call == call.call:
                self._take_of_call(event)
            elif event.i < end:
                self._take_before(event)
        self._name_after_uses()
        self.sources: dict[int, str] = {}
        self.targets: list[int] = []
        if call is not None:
            self.sources = {source.value or NO_TENSOR: source.name for source in call.sources}
            self.targets = list(call.targets)
        self.pointed = set(pointed)
        self.drawn = self._all_drawn()
        self.connected, self.path = self._way_of_the_gradient()

    # --- reading the events ---

    def _take_before(self, event: Event) -> None:
        match event:
            case events.OpEvent():
                self.ops[event.number] = event
                inputs = tuple([given.value for given in event.inputs])
                for output in event.outputs:
                    self._made(output.id, event, inputs, output)
            case events.ConstantEvent():
                self._made(event.numbers.id, event, (), event.numbers)
            case events.VariableEvent():
                self.variables[event.variable] = event
                self._variable_of[event.variable] = event.variable
                # This does not start at the first value of the variable, because the computation of that value is usually long
                # and not part of this call.
                self._made(event.variable, event, (), event.numbers)
            case events.ReadEvent():
                held = self.tensors.get(event.variable)
                if event.value not in self.makers:
                    self._variable_of[event.value] = event.variable
                self._made(event.value, event, (event.variable,), held)
                if self.tape in event.watched or (self.tape is None and event.watched):
                    self.watched.update((event.variable, event.value))
            case events.AssignEvent():
                self.tensors[event.variable] = event.numbers
            case events.ReentryEvent():
                self.makers[event.value] = Maker(event, tuple(event.value_of))
            case events.WatchEvent() if event.value is not None and self.tape in (
                None,
                event.tapes[0],
            ):
                self.watched.add(event.value)
            case events.TapeEnterEvent() if event.tapes[0] == self.tape:
                self._opened = event.i
            case events.ResultEvent() if event.numbers is not None:
                self._made(event.numbers.id, event, (event.value,), event.numbers)

    def _take_of_call(self, event: Event) -> None:
        match event:
            case events.SeedEvent():
                self.seeds.add(event.value)
                self.gradients[event.value] = event.numbers
            case events.BackEvent():
                self.back[event.op] = event
                self.gradients.setdefault(event.arrived.id, event.arrived)
                for contribution in event.sent:
                    self.gradients[contribution.value] = contribution.total
            case events.ResultEvent():
                self.results[event.value] = event
            case events.ErrorEvent():
                self.has_error = True

    def _made(
        self, value: int, event: Made, inputs: tuple[int, ...], numbers: Numbers | None
    ) -> None:
        self.makers.setdefault(value, Maker(event, inputs))
        if numbers is not None:
            self.tensors.setdefault(value, numbers)

    def _name_after_uses(self) -> None:
        """Name each used value that has no name after the variable to which it was assigned."""
        for op in self.ops.values():
            for given in op.inputs:
                numbers, text = self.tensors.get(given.value), given.text
                if numbers is not None and not numbers.name and text and text.isidentifier():
                    self.tensors[given.value] = replace(numbers, name=text)

    # --- the content of the picture ---

    def _upstream(self, values: list[int]) -> set[int]:
        found: set[int] = set()
        while values:
            value = values.pop()
            if value not in found:
                found.add(value)
                maker = self.makers.get(value)
                values.extend(maker.inputs if maker is not None else ())
        return found

    def _all_drawn(self) -> dict[int, events.OpEvent]:
        """Return the ops that lead to the target, and the ops to which the sources lead while the tape records."""
        if self.call is None:
            return self.ops
        downstream = set(self.sources)
        for value, maker in self.makers.items():
            if not downstream.isdisjoint(maker.inputs):
                downstream.add(value)
        always = self.pointed | set(self.targets)
        upstream = self._upstream([*self.targets, *(self.pointed & self.makers.keys())])
        drawn = {}
        for number, op in self.ops.items():
            outputs = {output.id for output in op.outputs}
            is_inside, is_downstream = op.i >= self._opened, not outputs.isdisjoint(downstream)
            leads_on = not outputs.isdisjoint(upstream)
            # A value that was computed before the tape and does not depend on a source is a constant for it.
            if (is_inside and (leads_on or is_downstream)) or (
                leads_on and (is_downstream or not outputs.isdisjoint(always))
            ):
                drawn[number] = op
        return drawn

    def _way_of_the_gradient(self) -> tuple[set[int], set[int | None]]:
        """Return the values and ops on the path of the gradient, including the part beyond a break."""
        values, path = {*self.sources, *self.pointed}, set(self.back)
        for step in self.back.values():
            values.update(contribution.value for contribution in step.sent)
        recorded = [op for op in self.drawn.values() if self.is_recorded(op)]
        needed = set(self.pointed)
        for op in reversed(recorded):
            if any(output.id in needed for output in op.outputs):
                needed.update(given.value for given in op.inputs)
        for op in recorded:
            outputs = {output.id for output in op.outputs}
            from_source = any(
                given.value in values or self.variable_of(given.value) in values
                for given in op.inputs
            )
            if (from_source or outputs & self.pointed) and outputs & needed:
                values |= outputs
                path.add(op.number)
        return values, path

    def returned(self) -> list[int]:
        """Return the values that re-entered and are used, in the order of the run."""
        needed = {given.value for op in self.drawn.values() for given in op.inputs}
        needed |= {*self.targets, *self.sources, *self.pointed}
        found = []
        for value, maker in reversed(self.makers.items()):
            if value in needed and isinstance(
                maker.event, events.ReentryEvent | events.ResultEvent
            ):
                needed.update(maker.inputs)
                found.append(value)
        return found[::-1]

    # --- queries ---

    def made_by(self, value: int) -> Made | None:
        """Return the event that created a value."""
        maker = self.makers.get(value)
        return None if maker is None else maker.event

    def is_recorded(self, op: events.OpEvent) -> bool:
        """Whether the tape of the call recorded the op; without a call, whether any tape did."""
        return bool(op.recorded) if self.tape is None else self.tape in op.recorded

    def is_before_tape(self, event: Event) -> bool:
        return event.i < self._opened

    def recorded_count(self) -> int:
        """Return the number of ops that were recorded between the opening of the tape and the call."""
        return sum(self.is_recorded(op) for op in self.ops.values() if op.i >= self._opened)

    def why_not(self, op: events.OpEvent) -> str:
        reasons = op.why_not
        if not reasons and op.recorded:
            return "another_tape"
        by_tape = reasons.get(self.tape or 0) or reasons.get(0)
        return by_tape or next(iter(reasons.values()), "no_tape")

    def result_row(self, result: Numbers) -> CardRow:
        """Return the `grad` row of the result for a source; a Jacobian has its own shape."""
        row = gradient_row(result)
        is_jacobian = self.call is not None and self.call.api != "gradient"
        if not is_jacobian or not row.text.startswith("|g|"):
            return row
        return replace(row, text=f"{shape(result.shape)}  |J|{row.text.removeprefix('|g|')}")

    def variable_of(self, value: int) -> int | None:
        """Return the variable that this value is, or was read from."""
        return self._variable_of.get(value)

    def name(self, value: int) -> str:
        numbers = self.tensors.get(value)
        return numbers.name or "" if numbers is not None else ""

    def shape_of(self, value: int) -> list[int] | None:
        """Return the shape of a value, if it is known."""
        numbers = self.tensors.get(value)
        return None if numbers is None else numbers.shape

    def location(self, event: Event | None) -> str:
        """Return a location such as `line 7`, with the file name unless it is the script."""
        at = event.at if isinstance(event, events.Placed | events.SiteEvent) else None
        return self.line_in(at.file, at.line) if at is not None else ""

    def line_in(self, file: str, line: int) -> str:
        base = _base(file)
        is_only_one = not self.script and len(self._texts) < 2
        return f"line {line}" if is_only_one or base == self.script else f"{base}:{line}"

    def code(self, op: events.OpEvent, width: int) -> str:
        """Return the user's expression, with the name to which the statement assigns it."""
        sites = self.sites(op)
        if not sites:
            return ""
        site = sites[-1]
        return _statement(op.target_name or site.target, site.expression or site.code, width)

    def text_of(self, file: str) -> str:
        """Return the text of a user's file; empty if the trace does not contain it."""
        return "\n".join(self._texts.get(file, ()))

    def statement(self, file: str, line: int, width: int) -> str:
        """Return the user's statement on this line."""
        for site in self._sites.values():
            if site.code and (site.at.file, site.at.line) == (file, line):
                return short(site.code, width)
        lines = self._texts.get(file, ())
        return short(lines[line - 1], width) if 0 < line <= len(lines) else ""

    def sites_of(self, values: Sequence[int]) -> list[events.SiteEvent]:
        """Return the call sites of the event that created the first of these values."""
        event = self.made_by(values[0]) if values else None
        return [] if event is None else self.sites(event)

    def sites(self, event: Event) -> list[events.SiteEvent]:
        """Return the call sites of an event, the outermost first."""
        stack = event.stack if isinstance(event, events.Placed) else ()
        return [self._sites[site] for site in stack if site in self._sites]


@lru_cache(maxsize=256)
def _statement(target: str | None, text: str, width: int) -> str:
    return short(written(target, text), width)


@lru_cache(maxsize=256)
def _base(path: str) -> str:
    return PureWindowsPath(PurePosixPath(path).name).name

"""The flow graph: every value of a run, and the values from which it was computed, whether or not a tape recorded the
computation.

Nodes are the ids of a trace. A variable has one node for itself, which a tape watches, and one more for each of its contents
(numbered downwards from -1), because an assigned value has a different origin from that of the variable.

    op         an input of an op → its output
    read       a variable → the value that was read
    contents   the contents of a variable → the value that was read
    assign     a value → the new contents of a variable
    kept       the contents of a variable → its next contents, if only a part was changed or something was added
    becomes    a value → the variable, or the variable → the constant, that copies it
    reentry    a value that left for NumPy or Python → the constant as which it came back
    walk       a value that a backward pass read → the gradient call, which has a node of its own (numbered with the contents)
    gradient   a gradient call → each gradient that it returned, if no tape recorded the backward pass

The graph is built from the trace alone.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from msgspec.structs import replace

from minitape.explain.flow.calls import EngineExit, GradientCall, TapeLife
from minitape.explain.flow.edges import FlowEdge
from minitape.explain.flow.reachability import Reachability
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape.trace.writing import seldom_searched

_T = TypeVar("_T")
_when = attrgetter("event")
STORING = ("assign", "kept")  # the kinds of edges to the contents of a variable


class FlowGraph:
    """The graph of one trace, and what happened to its tapes."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.edges: list[FlowEdge] = []
        self.born: dict[int, events.Placed] = {}
        self.numbers: dict[int, events.Numbers] = {}
        self.primitives: dict[str, events.PrimitiveEvent] = {}
        self.variables: dict[int, events.VariableEvent] = {}
        self.tapes: dict[int, TapeLife] = defaultdict(TapeLife)
        self.calls: dict[int, GradientCall] = {}
        self.sites: dict[int, events.SiteEvent] = {}
        self.exits: dict[int, EngineExit] = {}
        self.reentries: list[events.ReentryEvent] = []
        self.texts: dict[str, str] = {}
        self.ops: dict[int, events.OpEvent] = {}
        self.ops_on: dict[int, list[events.OpEvent]] = defaultdict(list)
        self.assigns: dict[int, list[events.AssignEvent]] = defaultdict(list)
        self.rebinds: dict[int, list[events.RebindEvent]] = defaultdict(list)
        self.contents: dict[int, events.AssignEvent] = {}  # the nodes of the contents of variables
        self._found: dict[Any, Any] = {}
        self._contents: dict[int, int] = {}
        self._last_numbered = 0
        self._same_as: dict[int, int] = {}
        self._inside: int | None = None
        self.call_of_op: dict[int, int] = {}
        adders: dict[type[events.Event], Callable[[Any], None]] = {
            events.SourceEvent: self._add_source,
            events.SiteEvent: self._add_site,
            events.PrimitiveEvent: self._add_primitive,
            events.ConstantEvent: self._add_constant,
            events.VariableEvent: self._add_variable,
            events.ReadEvent: self._add_read,
            events.OpEvent: self._add_op,
            events.AssignEvent: self._add_assign,
            events.RebindEvent: self._add_rebind,
            events.ExportEvent: self._add_export,
            events.ReentryEvent: self._add_reentry,
            events.TapeEnterEvent: self._add_tape_enter,
            events.TapeExitEvent: self._add_tape_exit,
            events.WatchEvent: self._add_watch,
            events.StopRecordingEvent: self._add_stop,
            events.ResetEvent: self._add_reset,
            events.GradientEvent: self._add_gradient,
            events.BackEvent: self._add_back,
            events.ResultEvent: self._add_result,
            events.ErrorEvent: self._add_error,
        }
        with seldom_searched():
            for event in trace:
                add = adders.get(type(event))
                if add is not None:
                    add(event)

    # --- queries ---

    @cached_property
    def into(self) -> dict[int, list[FlowEdge]]:
        """The edges that lead to each node, in the order of the trace."""
        into: dict[int, list[FlowEdge]] = {}
        for edge in self.edges:
            into.setdefault(edge.end, []).append(edge)
        return into

    @cached_property
    def out_of(self) -> dict[int, list[FlowEdge]]:
        """The edges that leave each node, in the order of their events.

        A trace lists the values that a backward pass reads only after that pass.
        """
        out_of: dict[int, list[FlowEdge]] = {}
        for edge in sorted(self.edges, key=_when):
            out_of.setdefault(edge.start, []).append(edge)
        return out_of

    def event(self, number: int) -> events.Event:
        return self.trace.events[number]

    def placed(self, number: int) -> events.Placed:
        """Return an event that has a location in the program."""
        event = self.trace.events[number]
        assert isinstance(event, events.Placed)
        return event

    def op(self, number: int) -> events.OpEvent:
        """Return an event that is an op."""
        event = self.trace.events[number]
        assert isinstance(event, events.OpEvent)
        return event

    def op_behind(self, value: int) -> events.OpEvent | None:
        """Return the op that computed a value; None if no op did."""
        born = self.born.get(value)
        return born if isinstance(born, events.OpEvent) else None

    def name(self, value: int) -> str | None:
        """Return the user's name of a value, if it has one."""
        numbers = self.numbers.get(value)
        return None if numbers is None else numbers.name

    def variable_read(self, value: int) -> int | None:
        """Return the variable from which `value` was read; None if it is not a read."""
        born = self.born.get(value)
        return born.variable if isinstance(born, events.ReadEvent) else None

    def opened_at(self, tape: int) -> events.SourceRange | None:
        """Return the location of the `with` that opened a tape; None if the tape was open before the trace began."""
        entered = self.tapes[tape].entered
        return self.placed(entered[0]).at if entered else None

    def innermost(self, event: events.Placed) -> events.SiteEvent | None:
        """Return the call site of an event: the innermost one in the user's files."""
        return self.sites[event.stack[-1]] if event.stack else None

    def outer_line(self, event: events.Placed) -> int:
        """Return the line of the outermost user's call that led to an event; 0 if none is known."""
        outermost = self.trace.outermost(event)
        return 0 if outermost is None else self.sites[outermost].at.line

    def dtype(self, value: int) -> str:
        numbers = self.numbers.get(value)
        return "float32" if numbers is None else numbers.dtype

    def is_smooth(self, value: int) -> bool:
        """Whether a value can carry a gradient."""
        return self.dtype(value).startswith(("float", "complex", "bfloat"))

    def once(self, find: Callable[["FlowGraph", GradientCall], _T], call: GradientCall) -> _T:
        """Return the result of `find` for a call, computed once for all its sources."""
        if find not in call.found:
            call.found[find] = find(self, call)
        found: _T = call.found[find]
        return found

    def once_for_all(self, find: Callable[["FlowGraph"], _T]) -> _T:
        """Return the result of `find` for the graph, computed once for all calls."""
        if find not in self._found:
            self._found[find] = find(self)
        found: _T = self._found[find]
        return found

    def age(self, value: int) -> int:
        """Return the number of the event that created a value; -1 if the trace has none."""
        born = self.born.get(value)
        return -1 if born is None else born.i

    def leads(self, source: int, values: Iterable[int]) -> bool:
        """Whether any of `values` is `source` or was computed from it. The query is fast for variables and for the sources of a
        call.
        """
        if source not in self.reachability:
            return not self.downstream([source]).isdisjoint(values)
        return any(self.reachability.leads(source, value) for value in values)

    @cached_property
    def reachability(self) -> Reachability:
        """The values computed from each source of a call, and from each variable."""
        requested = (
            source.value
            for call in self.calls.values()
            for source in call.event.sources
            if source.value is not None
        )
        return Reachability((*requested, *self.variables), self.edges)

    @cached_property
    def first_requested(self) -> dict[tuple[events.SourceRange | None, int, int | None], int]:
        """The first event in which a value was a source on a line, by line, position among the sources, and value."""
        first: dict[tuple[events.SourceRange | None, int, int | None], int] = {}
        for call in self.calls.values():
            for index, source in enumerate(call.event.sources):
                first.setdefault((call.event.at, index, source.value), call.event.i)
        return first

    def came_from(self, value: int) -> Iterator[int]:
        """Yield the values from which `value` was computed; for a gradient, those that its backward pass read."""
        for edge in self.into.get(value, ()):
            if edge.kind == "gradient":
                yield from self.came_from(edge.start)
            else:
                yield edge.start

    def downstream(self, starts: Iterable[int], before: int | None = None) -> set[int]:
        """Return all values computed from `starts`, including these."""
        return self._reached(starts, self.out_of, lambda edge: edge.end, before)

    def upstream(self, ends: Iterable[int], before: int | None = None) -> set[int]:
        """Return all values from which `ends` were computed, including these."""
        return self._reached(ends, self.into, lambda edge: edge.start, before)

    def own_past(self, call: GradientCall) -> set[int]:
        """Return the values from which the targets of a call were computed, without those assigned or recorded in earlier
        iterations of the loop.
        """
        opened = self.opened_at(call.tape)
        past = set(call.ends)
        waiting = list(past)
        while waiting:
            for edge in self.into.get(waiting.pop(), ()):
                if edge.start in past or edge.event >= call.event.i:
                    continue
                if edge.kind in STORING:
                    continue
                past.add(edge.start)
                if not self._is_of_earlier_iteration(edge.start, call.tape, opened):
                    waiting.append(edge.start)
        return past

    def _is_of_earlier_iteration(
        self, value: int, tape: int, opened: events.SourceRange | None
    ) -> bool:
        """Whether the tape that recorded a value was opened with the same `with` statement as `tape`, but in a different
        execution of that statement.
        """
        op = self.op_behind(value)
        if op is None or not op.recorded or tape in op.recorded:
            return False
        return self.opened_at(op.recorded[-1]) == opened

    @staticmethod
    def _reached(
        starts: Iterable[int],
        edges: dict[int, list[FlowEdge]],
        far_end: Callable[[FlowEdge], int],
        before: int | None,
    ) -> set[int]:
        reached = set(starts)
        waiting = list(reached)
        while waiting:
            for edge in edges.get(waiting.pop(), ()):
                if (before is None or edge.event < before) and far_end(edge) not in reached:
                    reached.add(far_end(edge))
                    waiting.append(far_end(edge))
        return reached

    # --- building ---

    def _connect(self, start: int, end: int, kind: str, event: events.Event) -> None:
        self.edges.append(FlowEdge(start, end, kind, event.i))

    def _make(self, numbers: events.Numbers, event: events.Placed) -> None:
        self.numbers[numbers.id] = numbers
        self.born[numbers.id] = event

    def _numbered(self) -> int:
        """Return a new node that does not represent a value of the program."""
        self._last_numbered -= 1
        return self._last_numbered

    def _refill(self, variable: int, numbers: events.Numbers, event: events.Placed) -> int:
        """Create and return a new node for the contents of a variable."""
        node = self._contents[variable] = self._numbered()
        self.numbers[node] = numbers
        self.born[node] = event
        return node

    def _add_source(self, source: events.SourceEvent) -> None:
        self.texts[source.file] = source.text

    def _add_site(self, site: events.SiteEvent) -> None:
        self.sites[site.number] = site

    def _add_primitive(self, primitive: events.PrimitiveEvent) -> None:
        self.primitives[primitive.name] = primitive

    def _add_constant(self, constant: events.ConstantEvent) -> None:
        self._make(constant.numbers, constant)
        if constant.origin is not None:
            for start in (constant.origin, self._contents.get(constant.origin)):
                if start is not None:
                    self._connect(start, constant.numbers.id, "becomes", constant)

    def _add_variable(self, made: events.VariableEvent) -> None:
        self.variables[made.variable] = made
        self._make(made.numbers, made)
        if is_another_name(made) and made.origin is not None:
            self._same_as[made.variable] = made.origin
            return
        node = self._refill(made.variable, made.numbers, made)
        if made.origin is not None:
            self._connect(made.origin, node, "becomes", made)

    def _add_read(self, read: events.ReadEvent) -> None:
        owner = self._same_as.get(read.variable, read.variable)
        contents = self._contents.get(owner)
        held = self.numbers.get(read.variable if contents is None else contents)
        if held is not None:
            self.numbers[read.value] = replace(held, id=read.value)
        self.born[read.value] = read
        for each in dict.fromkeys((read.variable, owner)):
            self._connect(each, read.value, "read", read)
        if contents is not None:
            self._connect(contents, read.value, "contents", read)

    def _add_op(self, op: events.OpEvent) -> None:
        self.ops[op.number] = op
        for tape in op.recorded:
            self.ops_on[tape].append(op)
        if self._inside is not None:
            self.call_of_op[op.number] = self._inside
        for output in op.outputs:
            self._make(output, op)
            for given in op.inputs:
                self._connect(given.value, output.id, "op", op)

    def _add_assign(self, assign: events.AssignEvent) -> None:
        self.assigns[assign.variable].append(assign)
        before = self._contents.get(assign.variable)
        node = self._refill(assign.variable, assign.numbers, assign)
        self.contents[node] = assign
        if assign.origin is not None:
            self._connect(assign.origin, node, "assign", assign)
        if before is not None and (assign.is_part or assign.how != "assign"):
            self._connect(before, node, "kept", assign)

    def _add_rebind(self, rebind: events.RebindEvent) -> None:
        self.rebinds[rebind.now].append(rebind)

    def _add_export(self, export: events.ExportEvent) -> None:
        contents = [self._contents[value] for value in export.values if value in self._contents]
        self.exits[export.number] = EngineExit(export, [*export.values, *contents])

    def _add_reentry(self, reentry: events.ReentryEvent) -> None:
        if not reentry.sure and self._is_of_a_rule(reentry):
            return
        self.reentries.append(reentry)
        end = self._contents.get(reentry.value, reentry.value)
        nodes = [node for number in reentry.exports for node in self.exits[number].nodes]
        for start in dict.fromkeys(nodes):
            self._connect(start, end, "reentry", reentry)

    def _is_of_a_rule(self, reentry: events.ReentryEvent) -> bool:
        """Whether a constant was made by a gradient rule in a backward pass, on the line of the gradient call."""
        return self._inside is not None and reentry.stack == self.calls[self._inside].event.stack

    def _add_tape_enter(self, enter: events.TapeEnterEvent) -> None:
        life = self.tapes[enter.tapes[0]]
        life.entered.append(enter.i)
        life.watches_variables = enter.watch_accessed_variables

    def _add_tape_exit(self, exit: events.TapeExitEvent) -> None:
        self.tapes[exit.tapes[0]].exited.append(exit.i)

    def _add_watch(self, watch: events.WatchEvent) -> None:
        self.tapes[watch.tapes[0]].add_watch(watch)

    def _add_stop(self, stop: events.StopRecordingEvent) -> None:
        if stop.on:
            self.tapes[stop.tapes[0]].pauses.append(stop.i)

    def _add_reset(self, reset: events.ResetEvent) -> None:
        self.tapes[reset.tapes[0]].resets.append(reset.i)

    def _add_gradient(self, gradient: events.GradientEvent) -> None:
        owners = [self._same_as.get(each, each) for each in gradient.targets]
        held = [self._contents.get(owner, owner) for owner in owners]
        self.calls[gradient.call] = GradientCall(gradient, self.ops, held)
        self._inside = self._inside or gradient.call

    def _add_back(self, back: events.BackEvent) -> None:
        self.calls[back.call].backs.append(back)

    def _add_result(self, result: events.ResultEvent) -> None:
        call = self.calls[result.call]
        call.results.append(result)
        if self._inside == result.call:
            self._inside = None
        gradient = result.numbers
        if gradient is None:
            return
        if gradient.id not in self.born:
            self._make(gradient, call.event)
        if not result.recorded:
            self._connect(self._node_of(call), gradient.id, "gradient", call.event)

    def _node_of(self, call: GradientCall) -> int:
        """Return the node of a gradient call; the values that its backward pass reads lead to it."""
        if call.node is None:
            call.node = self._numbered()
            self.born[call.node] = call.event
            for value in sorted(call.read()):
                self._connect(value, call.node, "walk", call.event)
        return call.node

    def _add_error(self, error: events.ErrorEvent) -> None:
        if error.call is not None and error.call in self.calls:
            self.calls[error.call].error = error
            self._inside = None


def is_of_a_dataset(made: events.Placed) -> bool:
    """Whether a constant is an element of a dataset that a loop iterates over.

    In TensorFlow, the `__next__` method of the iterator returns that constant.
    """
    return isinstance(made, events.ConstantEvent) and made.how.startswith(
        ("tf.data.", "tf.__next__")
    )


def is_another_name(made: events.VariableEvent) -> bool:
    """Whether this is the result of `assign`: another name for the same contents."""
    return made.name == "UnreadVariable:0"

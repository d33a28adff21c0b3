"""The flow graph: every value of a run, and from which values it came, whether a tape saw it or not.

Nodes are the ids of a trace. A variable has one node for itself, which is what a tape watches, and one more for each of its
contents (numbered downwards from -1), for what was assigned to it comes from somewhere else than it does.

    op         an input of an op → its output
    read       a variable → the value that was read
    contents   what was assigned to a variable → the value that was read
    assign     a value → what a variable holds from then on
    becomes    a value → the variable, or the variable → the constant, that was made from its numbers
    reentry    a value that left for NumPy or Python → the constant it came back as
    walk       what a gradient call read on its way → the call, which has a node of its own (numbered with the contents)
    gradient   a gradient call → each gradient that it gave, where no tape recorded the walk

It reads a trace and nothing else.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from minitape.debug.edges import Edge
from minitape.debug.reach import Reach
from minitape.debug.trace import Event, Trace, seldom_searched

__all__ = ["Call", "Edge", "Flow", "TapeLife"]

_T = TypeVar("_T")
_when = attrgetter("event")


@dataclass
class TapeLife:
    """What happened to one tape; all are numbers of events."""

    entered: list[int] = field(default_factory=list)
    exited: list[int] = field(default_factory=list)
    resets: list[int] = field(default_factory=list)
    pauses: list[int] = field(default_factory=list)
    watches: list[Event] = field(default_factory=list)
    watches_of: dict[int, list[Event]] = field(default_factory=lambda: defaultdict(list))
    watches_variables: bool = True

    def add_watch(self, event: Event) -> None:
        self.watches.append(event)
        if event["t"] is not None:
            self.watches_of[event["t"]].append(event)

    def watch_of(self, value: int, before: int) -> Event | None:
        """The first event, not forgotten by a reset, that made the tape watch `value`."""
        last_reset = self.last_reset(before)
        for event in self.watches_of.get(value, ()):
            if last_reset < event["i"] < before:
                return event
        return None

    def last_reset(self, before: int) -> int:
        """The last reset before an event, or -1."""
        earlier = bisect_left(self.resets, before)
        return self.resets[earlier - 1] if earlier else -1


@dataclass
class Call:
    """One call of gradient, jacobian or batch_jacobian, with all that followed from it."""

    event: Event
    steps: list[Event] = field(default_factory=list)
    seeds: list[Event] = field(default_factory=list)
    results: list[Event] = field(default_factory=list)
    error: Event | None = None
    node: int | None = None
    read: set[int] = field(default_factory=set)
    found: dict[Any, Any] = field(default_factory=dict)  # see Flow.once
    lost: dict[Edge, Any] = field(default_factory=dict)  # what breaks each edge, by on_edge
    step_of: dict[int, Event] = field(default_factory=dict)
    sent_to: dict[int, list[tuple[Event, dict[str, Any]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = self.event["output_gradients"] or ()
        self.read.update(each for each in given if each is not None)

    @property
    def tape(self) -> int:
        return int(self.event["tape"][0])

    def add_step(self, step: Event) -> None:
        """One step of the walk back, found again by its op and by each value that it sent something to."""
        self.steps.append(step)
        self.step_of[step["op"]] = step
        for sent in step["out"]:
            self.read.update(sent["reads"])
            self.sent_to.setdefault(sent["t"], []).append((step, sent))


class Flow:
    """The graph of one trace, and the lives of its tapes."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.edges: list[Edge] = []
        self.copies: dict[int, list[Edge]] = defaultdict(list)  # constants made from a value
        self.into: dict[int, list[Edge]] = defaultdict(list)
        self.out_of: dict[int, list[Edge]] = defaultdict(list)  # in the order of their events
        self.born: dict[int, Event] = {}
        self.numbers: dict[int, dict[str, Any]] = {}
        self.primitives: dict[str, Event] = {}
        self.variables: dict[int, Event] = {}
        self.tapes: dict[int, TapeLife] = defaultdict(TapeLife)
        self.calls: dict[int, Call] = {}
        self.sites: dict[int, Event] = {}
        self.exports: dict[int, Event] = {}
        self.reentries: list[Event] = []
        self.texts: dict[str, str] = {}
        self.op_events: dict[int, Event] = {}
        self.ops_on: dict[int, list[Event]] = defaultdict(list)
        self.assigns: dict[int, list[Event]] = defaultdict(list)
        self.rebinds: dict[int, list[Event]] = defaultdict(list)
        self.contents: list[int] = []  # the nodes of what variables were assigned
        self._found: dict[Any, Any] = {}
        self._contents: dict[int, int] = {}
        self._last_numbered = 0
        self._same_as: dict[int, int] = {}
        self._inside: int | None = None
        self.call_of_op: dict[int, int] = {}
        adders = {
            "source": self._add_source,
            "site": self._add_site,
            "primitive": self._add_primitive,
            "constant": self._add_constant,
            "variable": self._add_variable,
            "read": self._add_read,
            "op": self._add_op,
            "assign": self._add_assign,
            "rebind": self._add_rebind,
            "export": self._add_export,
            "reentry": self._add_reentry,
            "tape_enter": self._add_tape_enter,
            "tape_exit": self._add_tape_exit,
            "watch": self._add_watch,
            "stop_recording": self._add_stop,
            "reset": self._add_reset,
            "gradient": self._add_gradient,
            "seed": self._add_seed,
            "back": self._add_back,
            "result": self._add_result,
            "error": self._add_error,
        }
        with seldom_searched():
            for event in trace:
                add = adders.get(event["k"])
                if add is not None:
                    add(event)

    # --- asking ---

    def event(self, number: int) -> Event:
        return self.trace.events[number]

    def name(self, value: int) -> str | None:
        """What the user calls a value, if it has a name."""
        numbers = self.numbers.get(value)
        return None if numbers is None else numbers["name"]

    def variable_read(self, value: int) -> int | None:
        """The variable that `value` was read from; None if it came about otherwise."""
        born = self.born.get(value)
        return born["var"] if born is not None and born["k"] == "read" else None

    def opened_at(self, tape: int) -> list[Any] | None:
        """The place of the `with` that opened a tape; None if it was open before anyone listened."""
        entered = self.tapes[tape].entered
        at: list[Any] | None = self.event(entered[0])["at"] if entered else None
        return at

    def dtype(self, value: int) -> str:
        numbers = self.numbers.get(value)
        return "float32" if numbers is None else str(numbers["dtype"])

    def is_smooth(self, value: int) -> bool:
        """Whether a value can carry a gradient."""
        return self.dtype(value).startswith(("float", "complex", "bfloat"))

    def once(self, find: Callable[["Flow", Call], _T], call: Call) -> _T:
        """What `find` finds for a call, looked for once for all its sources."""
        if find not in call.found:
            call.found[find] = find(self, call)
        found: _T = call.found[find]
        return found

    def once_for_all(self, find: Callable[["Flow"], _T]) -> _T:
        """What `find` finds in the graph, looked for once for all calls."""
        if find not in self._found:
            self._found[find] = find(self)
        found: _T = self._found[find]
        return found

    def age(self, value: int) -> int:
        """The number of the event that made a value; -1 if the trace has none."""
        born = self.born.get(value)
        return -1 if born is None else int(born["i"])

    def leads(self, source: int, values: Iterable[int]) -> bool:
        """Whether any of `values` is `source` or came from it; fast for a variable and for the source of a call."""
        if source not in self.reach:
            return not self.downstream([source]).isdisjoint(values)
        return any(self.reach.leads(source, value) for value in values)

    @cached_property
    def reach(self) -> Reach:
        """What came from each source that was asked for, and from each variable."""
        asked = (
            source["t"]
            for call in self.calls.values()
            for source in call.event["sources"]
            if source["t"] is not None
        )
        return Reach((*asked, *self.variables), self.edges)

    @cached_property
    def first_asked(self) -> dict[tuple[Any, ...], int]:
        """The first event in which a line asked for a value, by line, place among the sources, and value."""
        first: dict[tuple[Any, ...], int] = {}
        for call in self.calls.values():
            at = call.event["at"]
            for index, source in enumerate(call.event["sources"]):
                key = (None if at is None else tuple(at), index, source["t"])
                first.setdefault(key, call.event["i"])
        return first

    def came_from(self, value: int) -> Iterator[int]:
        """The values that `value` was made from; of a gradient, what its walk read."""
        for edge in self.into.get(value, ()):
            if edge.kind == "gradient":
                yield from self.came_from(edge.start)
            else:
                yield edge.start

    def downstream(self, starts: Iterable[int], before: int | None = None) -> set[int]:
        """Everything that came from `starts`, themselves included."""
        return self._reached(starts, self.out_of, lambda edge: edge.end, before)

    def upstream(self, ends: Iterable[int], before: int | None = None) -> set[int]:
        """Everything that `ends` came from, themselves included."""
        return self._reached(ends, self.into, lambda edge: edge.start, before)

    def own_past(self, call: Call) -> set[int]:
        """What the targets of a call came from, without what was assigned or recorded in earlier turns of the same loop."""
        opened = self.opened_at(call.tape)
        past = set(call.event["target"])
        waiting = list(past)
        while waiting:
            for edge in self.into.get(waiting.pop(), ()):
                if edge.start in past or edge.event >= call.event["i"] or edge.kind == "assign":
                    continue
                past.add(edge.start)
                if not self._is_of_earlier_turn(edge.start, call.tape, opened):
                    waiting.append(edge.start)
        return past

    def _is_of_earlier_turn(self, value: int, tape: int, opened: Any) -> bool:
        """Whether the tape that recorded a value was opened by the same `with` as `tape`, at another time."""
        recorded: list[int] = self.born.get(value, {}).get("recorded") or []
        return bool(recorded) and tape not in recorded and self.opened_at(recorded[-1]) == opened

    @staticmethod
    def _reached(
        starts: Iterable[int], edges: dict[int, list[Edge]], far_end: Any, before: int | None
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

    def _connect(self, start: int, end: int, kind: str, event: Event) -> Edge:
        edge = Edge(start, end, kind, event["i"])
        self.edges.append(edge)
        self.into[end].append(edge)
        leaving = self.out_of[start]
        if leaving and leaving[-1].event > edge.event:  # a walk read it and was told of afterwards
            insort(leaving, edge, key=_when)
        else:
            leaving.append(edge)
        return edge

    def _make(self, numbers: dict[str, Any], event: Event) -> None:
        self.numbers[numbers["id"]] = numbers
        self.born[numbers["id"]] = event

    def _numbered(self) -> int:
        """A new node that is no value of the program."""
        self._last_numbered -= 1
        return self._last_numbered

    def _refill(self, variable: int, numbers: dict[str, Any], event: Event) -> int:
        """A new node for what a variable holds from now on."""
        node = self._contents[variable] = self._numbered()
        self.numbers[node] = numbers
        self.born[node] = event
        return node

    def _add_source(self, event: Event) -> None:
        self.texts[event["file"]] = event["text"]

    def _add_site(self, event: Event) -> None:
        self.sites[event["site"]] = event

    def _add_primitive(self, event: Event) -> None:
        self.primitives[event["name"]] = event

    def _add_constant(self, event: Event) -> None:
        self._make(event["T"], event)
        if event["from"] is not None:
            for start in (event["from"], self._contents.get(event["from"])):
                if start is not None:
                    edge = self._connect(start, event["T"]["id"], "becomes", event)
                    self.copies[start].append(edge)

    def _add_variable(self, event: Event) -> None:
        variable = event["var"]
        self.variables[variable] = event
        self._make(event["T"], event)
        if event["name"] == "UnreadVariable:0":
            # What `assign` returned: another name for the same contents.
            self._same_as[variable] = event["from"]
            return
        node = self._refill(variable, event["T"], event)
        if event["from"] is not None:
            self._connect(event["from"], node, "becomes", event)

    def _add_read(self, event: Event) -> None:
        variable, out = int(event["var"]), int(event["out"])
        owner: int = self._same_as.get(variable, variable)
        contents = self._contents.get(owner)
        held = self.numbers.get(variable if contents is None else contents)
        if held is not None:
            self.numbers[out] = held | {"id": out}
        self.born[out] = event
        for each in dict.fromkeys((variable, owner)):
            self._connect(each, out, "read", event)
        if contents is not None:
            self._connect(contents, out, "contents", event)

    def _add_op(self, event: Event) -> None:
        self.op_events[event["op"]] = event
        for tape in event["recorded"]:
            self.ops_on[tape].append(event)
        if self._inside is not None:
            self.call_of_op[event["op"]] = self._inside
        for output in event["outputs"]:
            self._make(output, event)
            for given in event["inputs"]:
                self._connect(given["t"], output["id"], "op", event)

    def _add_assign(self, event: Event) -> None:
        variable = event["var"]
        self.assigns[variable].append(event)
        before = self._contents.get(variable)
        node = self._refill(variable, event["T"], event)
        self.contents.append(node)
        if event["from"] is not None:
            self._connect(event["from"], node, "assign", event)
        if event["how"] != "assign" and before is not None:
            self._connect(before, node, "assign", event)

    def _add_rebind(self, event: Event) -> None:
        self.rebinds[event["now"]].append(event)

    def _add_export(self, event: Event) -> None:
        contents = [self._contents[t] for t in event["t"] if t in self._contents]
        self.exports[event["export"]] = event | {"nodes": [*event["t"], *contents]}

    def _add_reentry(self, event: Event) -> None:
        self.reentries.append(event)
        end = self._contents.get(event["t"], int(event["t"]))
        nodes = [node for number in event["exports"] for node in self.exports[number]["nodes"]]
        for start in dict.fromkeys(nodes):
            self._connect(start, end, "reentry", event)

    def _add_tape_enter(self, event: Event) -> None:
        life = self.tapes[event["tape"][0]]
        life.entered.append(event["i"])
        life.watches_variables = event["watch_vars"]

    def _add_tape_exit(self, event: Event) -> None:
        self.tapes[event["tape"][0]].exited.append(event["i"])

    def _add_watch(self, event: Event) -> None:
        self.tapes[event["tape"][0]].add_watch(event)

    def _add_stop(self, event: Event) -> None:
        if event["on"]:
            self.tapes[event["tape"][0]].pauses.append(event["i"])

    def _add_reset(self, event: Event) -> None:
        self.tapes[event["tape"][0]].resets.append(event["i"])

    def _add_gradient(self, event: Event) -> None:
        self.calls[event["call"]] = Call(event)
        self._inside = self._inside or event["call"]

    def _add_seed(self, event: Event) -> None:
        self.calls[event["call"]].seeds.append(event)

    def _add_back(self, event: Event) -> None:
        self.calls[event["call"]].add_step(event)

    def _add_result(self, event: Event) -> None:
        call = self.calls[event["call"]]
        call.results.append(event)
        if self._inside == event["call"]:
            self._inside = None
        if event["T"] is None:
            return
        result = event["T"]["id"]
        if result not in self.born:
            self._make(event["T"], call.event)
        if not event["recorded"]:
            self._connect(self._node_of(call), result, "gradient", call.event)

    def _node_of(self, call: Call) -> int:
        """The node of a gradient call: what it read on its way leads to it."""
        if call.node is None:
            call.node = self._numbered()
            self.born[call.node] = call.event
            for value in sorted(call.read):
                self._connect(value, call.node, "walk", call.event)
        return call.node

    def _add_error(self, event: Event) -> None:
        if event["call"] is not None and event["call"] in self.calls:
            self.calls[event["call"]].error = event
            self._inside = None

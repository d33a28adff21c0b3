"""Where a path breaks: which steps of the flow graph are not on a tape, and the path that breaks the fewest.

A gradient is None when every path from the source to the target has a step that the tape does not have. Such a step is a
*break*, and it has one cause. A step that carries nothing only because an earlier one broke is a consequence, and no break.

Source: the search is Dijkstra's, "A note on two problems in connexion with graphs" (1959).
"""

import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from minitape.explain.flow.graph import Call, Edge, Flow, TapeLife, is_another_name
from minitape.explain.program_text import line_of_own_none
from minitape.trace import events

# Ways out of the engine that give a plain Python number.
SCALARS = {"float", "int", "complex", "index", "item", "bool", "tolist", "format"}
# A connection that is only guessed from names is believed when nothing better leads to the target.
_COST_OF_A_GUESS = 3
# Ops whose output is the input in another arrangement.
_COPIES = {
    "Cast", "ConcatV2", "ExpandDims", "GatherV2", "Identity", "Pack", "ReadVariableOp", "Reshape",
    "Split", "SplitV", "Squeeze", "StridedSlice", "Transpose", "Unpack",
}  # fmt: skip
# Ops that look at the shape of a value and not at its numbers.
_SHAPE_ONLY = {"OnesLike", "Rank", "Shape", "Size", "ZerosLike"}
# Breaks that come from where an op ran.
_PLACES = {"computed-before-tape", "computed-after-tape", "other-tape", "stop-recording"}


@dataclass(frozen=True)
class Break:
    """One lost connection: the slug of its cause, and the number of the event to point at.

    `also` are other events of the same cause, `facts` what the sentence about it needs. `site` is a place to point at
    instead of the event's own, and `at` one that no event has.
    """

    slug: str
    event: int
    also: tuple[int, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict, compare=False)
    site: int | None = None
    at: tuple[str, int] | None = None

    @property
    def is_last_resort(self) -> bool:
        """Whether to believe in it only when nothing better explains the loss: a guess, or a cut that is right by design."""
        return bool(self.facts.get("guess") or self.facts.get("by_design"))


@dataclass(frozen=True)
class Path:
    """The steps from a source to a target, and for each the slug of its break or None."""

    edges: tuple[Edge, ...]
    lost: tuple[Break | None, ...]

    @property
    def breaks(self) -> list[Break]:
        """The breaks in order, neighbours of one cause as one."""
        found: list[Break] = []
        for each in self.lost:
            if each is None:
                continue
            if found and found[-1].slug == each.slug:
                last = found[-1]
                found[-1] = replace(last, also=(*last.also, each.event))
            else:
                found.append(each)
        return found


def shortest(flow: Flow, call: Call, source: int, targets: set[int]) -> Path | None:
    """The path from `source` to one of `targets` that breaks least often, and of those the shortest.

    Of paths alike in both, the one whose first step ran first; then the one whose second step did, and so on.
    `source` is a variable or the source of a call.
    """
    if source in targets or not flow.leads(source, targets):
        return None
    searches = flow.once(_searches, call)
    key = frozenset(targets), flow.reachability.block(source)
    if key not in searches:
        searches[key] = Search(flow, call, targets)
    return searches[key].path_from(source)


def _searches(_: Flow, __: Call) -> dict[tuple[frozenset[int], int], "Search"]:
    return {}


# What must not change while a path goes on: the slug of its last break, and whether that is a guess.
_Cause = tuple[str, bool]
_State = tuple[int, _Cause]
_UNBROKEN: _Cause = ("", False)


class Search:
    """The best paths to some targets, found from there backwards, as far as the sources ask.

    From the targets, for in a long training loop what was computed from a source is much, and what leads from this iteration's
    target back to it is little. All sources of a call share the search: what lies near the targets is looked at once.
    """

    def __init__(self, flow: Flow, call: Call, targets: set[int]) -> None:
        self._flow = flow
        self._call = call
        self._before = call.event.i
        self.looked_at = 0
        self._reached: dict[int, _State] = {}
        # Breaks, steps and the event of the first step, of the best path from a state so far.
        self._best: dict[_State, tuple[int, int, int]] = {}
        self._next: dict[_State, tuple[Edge, Break | None, _State]] = {}
        self._waiting: list[tuple[tuple[int, int, int], _State]] = []
        for target in sorted(targets):
            self._best[target, _UNBROKEN] = (0, 0, 0)
            heapq.heappush(self._waiting, ((0, 0, 0), (target, _UNBROKEN)))

    def path_from(self, source: int) -> Path | None:
        """The best path from a source; None if there is none."""
        while source not in self._reached:
            if not self._waiting:
                return None
            self._step_back()
        edges, lost = [], []
        state = self._reached[source]
        while state in self._next:
            edge, found, state = self._next[state]
            edges.append(edge)
            lost.append(found)
        return Path(tuple(edges), tuple(lost))

    def _step_back(self) -> None:
        """Settle the best state that waits, and look at all that leads to it."""
        reach, state = heapq.heappop(self._waiting)
        if self._best[state] != reach:
            return  # a better way was found since
        (broken, steps, _), (node, after) = reach, state
        self._reached.setdefault(node, state)
        for edge in self._flow.into.get(node, ()):
            if edge.event >= self._before or not self._flow.reachability.is_followed(edge.start):
                continue  # only what came from a source can lie on its path
            self.looked_at += 1
            found = on_edge(self._flow, self._call, edge)
            cause = after if found is None else (found.slug, found.is_last_resort)
            longer = (broken + _cost(cause, after), steps + 1, edge.event)
            earlier = (edge.start, cause)
            if earlier not in self._best or longer < self._best[earlier]:
                self._best[earlier] = longer
                self._next[earlier] = edge, found, state
                heapq.heappush(self._waiting, (longer, earlier))


def _cost(cause: _Cause, after: _Cause) -> int:
    """A cause that goes on counts once: each of three ops after the tape is late for one reason."""
    if cause == after:
        return 0
    return _COST_OF_A_GUESS if cause[1] else 1


def on_edge(flow: Flow, call: Call, edge: Edge) -> Break | None:
    """Why this step is not on the tape of `call`; None if it is, or if it only suffers from an earlier break."""
    if edge not in call.lost:
        call.lost[edge] = _cause_on(flow, call, edge)
    known: Break | None = call.lost[edge]
    return known


def _cause_on(flow: Flow, call: Call, edge: Edge) -> Break | None:
    match flow.event(edge.event):
        case events.Op() as op:
            return _on_op(flow, call, edge, op)
        case events.Assign() as assign:
            return Break("state-assign", assign.i, facts={"variable": assign.variable})
        case events.Constant() | events.Variable() as made:
            return Break("new-variable", made.i)
        case events.Reentry() as reentry:
            return _on_reentry(flow, edge, reentry)
        case events.Gradient() as inner if edge.kind == "gradient":
            return _first_order_elsewhere(flow, call, inner)
        case _:
            return None


def _on_op(flow: Flow, call: Call, edge: Edge, op: events.Op) -> Break | None:
    if not flow.is_smooth(edge.start):
        return None
    by_nature = _by_nature(flow, edge, op)
    if by_nature is not None:
        return by_nature
    tape = call.tape
    life = flow.tapes[tape]
    if tape in op.recorded:
        forgotten = life.last_reset(call.event.i)
        if forgotten > op.i:
            return Break("tape-reset", forgotten, (op.i,), {"op": op.i})
        return _silent_rule(flow, call, edge, op)
    found = _off_tape(flow, life, call, edge, op)
    inner = flow.call_of_op.get(op.number)
    if found is not None and found.slug in _PLACES and inner is not None:
        # The ops of a walk have no line of their own: the gradient call has.
        return _first_order_elsewhere(flow, call, flow.calls[inner].event)
    return found


def _first_order_elsewhere(flow: Flow, call: Call, inner: events.Gradient) -> Break:
    site = beside_the_tape(flow, flow.tapes[call.tape], inner)
    return Break("second-order-not-recorded", inner.i, site=site)


def _by_nature(flow: Flow, edge: Edge, op: events.Op) -> Break | None:
    """Breaks that do not depend on any tape: the op itself ends the path."""
    primitive = flow.primitives[op.name]
    kind = flow.dtype(edge.end)
    if op.name == "StopGradient":
        return Break("stop-gradient", op.i, facts={"by_design": _is_straight_through(flow, op)})
    if op.name in ("NumpyFunction", "PyFunc"):
        return Break("host-callback", op.i)
    if op.name == "Cast":
        if flow.is_smooth(edge.end):
            return None
        return Break("bool-dtype" if kind == "bool" else "integer-dtype", op.i)
    if kind == "string":
        return Break("string-dtype", op.i)
    if not flow.is_smooth(edge.end) and primitive.gradient == "rule":
        reason = "its result here is made of whole numbers"
        return Break("non-differentiable-op", op.i, facts={"reason": reason})
    if op.name in _SHAPE_ONLY:
        return Break("unconnected", op.i, facts={"shape_only": True})
    if primitive.gradient == "none":
        return Break("non-differentiable-op", op.i, facts={"reason": primitive.reason})
    if primitive.gradient == "missing":
        return Break("no-gradient-registered", op.i)
    return None


def _is_straight_through(flow: Flow, stop: events.Op) -> bool:
    """Whether this is the stop of `z + stop_gradient(q - z)`, which is q with the slope of z."""
    difference = flow.op_behind(stop.inputs[0].value)
    if difference is None or difference.name != "Sub":
        return False
    taken = _as_read(flow, difference.inputs[1].value)
    sums = (flow.event(edge.event) for edge in flow.out_of.get(stop.outputs[0].id, ()))
    return any(
        _as_read(flow, given.value) == taken
        for each in sums
        if isinstance(each, events.Op) and each.name == "AddV2"
        for given in each.inputs
    )


def _as_read(flow: Flow, value: int) -> int:
    """The variable that a value was read from, or else the value."""
    return flow.variable_read(value) or value


def _silent_rule(flow: Flow, call: Call, edge: Edge, op: events.Op) -> Break | None:
    """A recorded op whose rule answered None for this input."""
    step = call.step_of.get(op.number)
    value = _as_read(flow, edge.start)
    for skipped in () if step is None else step.back.skipped:
        if skipped.value == value and skipped.why == "no_gradient":
            return Break("custom-gradient-none", op.i, at=_own_rule(flow, op))
    return None


def _own_rule(flow: Flow, op: events.Op) -> tuple[str, int] | None:
    """The line of the user's own gradient function that gives None."""
    if op.at is None:
        return None
    line = line_of_own_none(flow.texts.get(op.at.file, ""), op.name)
    return None if line is None else (op.at.file, line)


def _off_tape(flow: Flow, life: TapeLife, call: Call, edge: Edge, op: events.Op) -> Break | None:
    """Breaks of an op that the tape of `call` did not record."""
    tape = call.tape
    if tape not in op.tapes:
        is_before = bool(life.entered) and op.i < life.entered[0]
        if op.recorded:
            wrong = _wrong_tape(flow, life, call, edge, op)
            calls = opened_again(flow, call, op) if wrong == op.i else None
            site = None if calls is None else calls[1]
            return Break("other-tape", wrong, (op.i,), {"op": op.i}, site=site)
        slug = "computed-before-tape" if is_before else "computed-after-tape"
        return Break(slug, op.i, site=beside_the_tape(flow, life, op))
    if op.why_not.get(tape) == "recording_stopped":
        pause = max((each for each in life.pauses if each < op.i), default=op.i)
        return Break("stop-recording", pause, (op.i,), {"op": op.i})
    late = life.watch_of(edge.start, call.event.i)
    if late is not None and late.i > op.i:
        return Break("watched-too-late", late.i, (op.i,), {"op": op.i})
    return None


def opened_again(flow: Flow, call: Call, op: events.Op) -> tuple[int, int] | None:
    """The sites of two different calls that opened a tape by the same `with`: the second put its own in place of the first."""
    first, second = flow.tapes[op.recorded[-1]], flow.tapes[call.tape]
    if not first.entered or not second.entered:
        return None
    stacks = [flow.placed(life.entered[0]).stack for life in (first, second)]
    if stacks[0][-1:] != stacks[1][-1:]:
        return None
    return next(((one, other) for one, other in zip(*stacks, strict=False) if one != other), None)


def _wrong_tape(flow: Flow, life: TapeLife, call: Call, edge: Edge, op: events.Op) -> int:
    """A tape that opened too late is the mistake, or an op too late for it, or the call that asks a tape it never was on."""
    if life.entered and op.i < life.entered[0]:
        # The `with` of a loop is not to blame for what an earlier iteration has kept.
        is_same_with = flow.opened_at(call.tape) == flow.opened_at(op.recorded[-1])
        return op.i if is_same_with else life.entered[0]
    before = flow.op_behind(edge.start)
    is_continued = before is not None and call.tape in before.recorded
    return op.i if is_continued else call.event.i


def beside_the_tape(flow: Flow, life: TapeLife, event: events.Placed) -> int | None:
    """Of the calls that led to an event, the one in the function that has the `with`: that line can be moved into it.

    What an object computes when it is made stays there: the line inside `__init__` is the one to move.
    """
    sites = [flow.sites[site] for site in reversed(event.stack)]
    for site in sites:
        if site.function.rpartition(".")[2] in ("__init__", "build"):
            return site.number
    opened = flow.placed(life.entered[0]).stack if life.entered else []
    if opened:
        function = flow.sites[opened[-1]].function
        for site in sites:
            if site.function == function:
                return site.number
    return None


def _on_reentry(flow: Flow, edge: Edge, reentry: events.Reentry) -> Break:
    """The value left through one of these exits and came back as a plain constant."""
    exits = [flow.exits[number] for number in reentry.exports]
    exit = next((each for each in exits if edge.start in each.nodes), exits[0]).event
    slug = way_out(flow, exit)
    return Break(slug, exit.i, (edge.event,), {"via": exit.via, "guess": not reentry.sure})


def way_out(flow: Flow, exit: events.Export) -> str:
    """Whether a value left for NumPy or for plain Python: NumPy asks a tensor for its `float` too."""
    site = flow.innermost(exit)
    code, expression = ("", "") if site is None else (site.code, site.expression)
    if re.search(r"(= |\()(float|int|round)\(|\.item\(\)", code):
        return "python-scalar"
    is_stored_in_an_array = re.match(r"[\w.]+\[.*\] = ", code)
    is_numpys = expression.startswith(("np.", "numpy.")) or is_stored_in_an_array
    return "python-scalar" if exit.via in SCALARS and not is_numpys else "numpy-roundtrip"


# --- at the source ---


def at_source(flow: Flow, call: Call, source: int) -> Break | None:
    """Why the tape of `call` does not follow the source itself; None if it does, or if it would."""
    born = flow.born.get(source)
    place = born.i if born is not None else call.event.i
    if not flow.is_smooth(source):
        slug = "string-dtype" if flow.dtype(source) == "string" else "integer-dtype"
        return Break(slug, place, facts={"source": source}, site=_written_number(flow, born))
    life = flow.tapes[call.tape]
    before = call.event.i
    if life.watch_of(source, before) is not None:
        return None
    watched_once = [each for each in life.watches_of.get(source, ()) if each.i < before]
    if watched_once and life.resets:
        return Break("tape-reset", life.resets[-1], (watched_once[-1].i,))
    if source in flow.variables:
        made = flow.variables[source]
        after = _assign_that_gave(flow, made, call)
        if after is not None:
            return Break("variable-replaced", after.i, facts={"variable": made.origin})
        return _at_variable(life, made)
    if isinstance(born, events.Op) and call.tape in born.recorded:
        return None
    replaced = _replaced_variable(flow, call, source, born)
    if replaced is not None:
        return Break("variable-replaced", place, facts={"variable": replaced})
    copy = flow.once(_watched_copies, call).get(source)
    if copy is not None:
        return Break("source-is-copy", copy.i, (place,), {"original": source, "watched": True})
    return Break("not-watched", place)


def _watched_copies(flow: Flow, call: Call) -> dict[int, events.Watch]:
    """The values of which the tape was given a copy to watch, before the call, each with the first such `watch`."""
    found: dict[int, events.Watch] = {}
    for watch in flow.tapes[call.tape].watches:
        if watch.how == "explicit" and watch.value is not None and watch.i < call.event.i:
            for value in (watch.value, *originals(flow, watch.value)):
                found.setdefault(value, watch)
    return found


def is_copy_of(flow: Flow, value: int, original: int) -> bool:
    """Whether `value` holds numbers of `original` in another arrangement."""
    return value == original or original in originals(flow, value)


def originals(flow: Flow, value: int) -> Iterator[int]:
    """The values that `value` is a copy of, in another arrangement perhaps, the nearest first."""
    while True:
        edges = [edge for edge in flow.into.get(value, ()) if _is_copying(flow, edge)]
        if not edges:
            return
        value = edges[0].start
        yield value


def _is_copying(flow: Flow, edge: Edge) -> bool:
    """Whether a step only reads a variable or rearranges a value."""
    return edge.kind == "read" or (edge.kind == "op" and flow.op(edge.event).name in _COPIES)


def _assign_that_gave(flow: Flow, made: events.Variable, call: Call) -> events.Assign | None:
    """The assignment whose result the user took for the variable: `v = v.assign(...)`."""
    if not is_another_name(made) or made.origin is None:
        return None
    assigns = [each for each in flow.assigns[made.origin] if each.i < call.event.i]
    named = [each for each in assigns if each.stack and flow.sites[each.stack[-1]].target]
    found = named or assigns
    return found[-1] if found else None


def _written_number(flow: Flow, born: events.Placed | None) -> int | None:
    """Of the calls that led to a value, the innermost with a number in it: there the decimal point is missing."""
    for number in () if born is None else reversed(born.stack):
        if re.search(r"(?<![\w.])\d", flow.sites[number].expression):
            return number
    return None


def _at_variable(life: TapeLife, made: events.Variable) -> Break | None:
    if not made.trainable:
        return Break("not-trainable", made.i)
    if life.watches_variables:
        return None
    empty = [each.i for each in life.watches if each.value is None and each.i < made.i]
    if empty:
        return Break("watched-before-build", empty[-1], (made.i,))
    return Break("auto-watch-off", life.entered[0] if life.entered else made.i, (made.i,))


def _replaced_variable(
    flow: Flow, call: Call, source: int, born: events.Placed | None
) -> int | None:
    """The variable that had the source's name, or its place in this very call, before this tensor took it."""
    if not isinstance(born, events.Op):
        return None
    name = born.target_name or flow.name(source)
    for value in sorted(flow.variables):
        is_replaced = _was_asked_here(flow, call, source, value) or (
            name and flow.name(value) == name
        )
        if (
            is_replaced
            and flow.leads(value, [source])
            and not _is_within(flow.variables[value].at, born.at)
        ):
            return value
    rebound = [each.was for each in flow.rebinds[source] if each.was in flow.variables]
    return rebound[-1] if rebound else None


def _is_within(inner: events.Place | None, outer: events.Place | None) -> bool:
    """Whether one place is a part of another: in `x = tf.Variable(2.0, name="x") + 1.0` the variable was never called x."""
    if inner is None or outer is None or inner.file != outer.file:
        return False
    return outer[1:3] <= inner[1:3] and inner[3:] <= outer[3:]


def _was_asked_here(flow: Flow, call: Call, source: int, value: int) -> bool:
    """Whether `value` stood in the source's place when this line of the program ran before."""
    index = [each.value for each in call.event.sources].index(source)
    first = flow.first_asked.get((call.event.at, index, value))
    return first is not None and first < call.event.i

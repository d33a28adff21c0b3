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

from minitape.debug.flow import Call, Edge, Flow, TapeLife
from minitape.debug.reading import line_of_own_none
from minitape.debug.trace import Event

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
    """The path from `source` to one of `targets` that breaks least often, and of those the shortest."""
    before = call.event["i"]
    useful = _between(flow, call, source, targets) if source not in targets else set()
    if source not in useful:
        return None
    # A state is a node and the slug of the break before it ("" at the start).
    best: dict[tuple[int, str], tuple[int, int]] = {(source, ""): (0, 0)}
    came: dict[tuple[int, str], tuple[tuple[int, str], Edge, Break | None]] = {}
    waiting: list[tuple[int, int, int, str]] = [(0, 0, source, "")]
    while waiting:
        broken, hops, node, last = heapq.heappop(waiting)
        if node in targets:
            return _traced(came, (node, last))
        if best[node, last] < (broken, hops):
            continue
        for edge in flow.out_of.get(node, ()):
            if edge.end not in useful or edge.event >= before:
                continue
            found = on_edge(flow, call, edge)
            state = (edge.end, last if found is None else found.slug)
            reach = (broken + _cost(found, last), hops + 1)
            if reach < best.get(state, (1 << 60, 0)):
                best[state] = reach
                came[state] = ((node, last), edge, found)
                heapq.heappush(waiting, (*reach, *state))
    return None


def _between(flow: Flow, call: Call, source: int, targets: set[int]) -> set[int]:
    """What lies no further from the targets than the source does.

    Searched from the targets, for in a long training loop what was computed from the source is much, and what leads from
    this turn's target back to the source is little.
    """
    before = call.event["i"]
    best = {(target, ""): (0, 0) for target in targets}
    waiting = [(0, 0, target, "") for target in targets]
    heapq.heapify(waiting)
    near: set[int] = set()
    limit: tuple[int, int] | None = None
    while waiting:
        broken, hops, node, after = heapq.heappop(waiting)
        if limit is not None and (broken, hops) > limit:
            break
        if best[node, after] < (broken, hops):
            continue
        near.add(node)
        if node == source:
            limit = limit or (broken, hops)
        for edge in flow.into.get(node, ()):
            if edge.event >= before:
                continue
            found = on_edge(flow, call, edge)
            state = (edge.start, "" if found is None else found.slug)
            reach = (broken + _cost(found, after), hops + 1)
            if reach < best.get(state, (1 << 60, 0)):
                best[state] = reach
                heapq.heappush(waiting, (*reach, *state))
    return near


def _cost(found: Break | None, last: str) -> int:
    """A cause that goes on counts once: each of three ops after the tape is late for one reason."""
    if found is None or found.slug == last:
        return 0
    return _COST_OF_A_GUESS if found.facts.get("guess") else 1


def _traced(came: dict[Any, Any], state: Any) -> Path:
    edges, lost = [], []
    while state in came:
        state, edge, found = came[state]
        edges.append(edge)
        lost.append(found)
    return Path(tuple(reversed(edges)), tuple(reversed(lost)))


def on_edge(flow: Flow, call: Call, edge: Edge) -> Break | None:
    """Why this step is not on the tape of `call`; None if it is, or if it only suffers from an earlier break."""
    event = flow.event(edge.event)
    match edge.kind:
        case "op":
            return _on_op(flow, call, edge, event)
        case "assign":
            return Break("state-assign", edge.event, facts={"variable": event["var"]})
        case "becomes":
            return Break("new-variable", edge.event)
        case "reentry":
            return _on_reentry(flow, edge, event)
        case "gradient":
            return _first_order_elsewhere(flow, call, event)
        case _:
            return None


def _on_op(flow: Flow, call: Call, edge: Edge, op: Event) -> Break | None:
    if not flow.is_smooth(edge.start):
        return None
    by_nature = _by_nature(flow, edge, op)
    if by_nature is not None:
        return by_nature
    tape = call.tape
    life = flow.tapes[tape]
    if tape in op["recorded"]:
        forgotten = [reset for reset in life.resets if op["i"] < reset < call.event["i"]]
        if forgotten:
            return Break("tape-reset", forgotten[-1], (op["i"],), {"op": op["i"]})
        return _silent_rule(flow, call, edge, op)
    found = _off_tape(flow, life, call, edge, op)
    inner = flow.call_of_op.get(op["op"])
    if found is not None and found.slug in _PLACES and inner is not None:
        # The ops of a walk have no line of their own: the gradient call has.
        return _first_order_elsewhere(flow, call, flow.calls[inner].event)
    return found


def _first_order_elsewhere(flow: Flow, call: Call, inner: Event) -> Break:
    site = beside_the_tape(flow, flow.tapes[call.tape], inner)
    return Break("second-order-not-recorded", inner["i"], site=site)


def _by_nature(flow: Flow, edge: Edge, op: Event) -> Break | None:
    """Breaks that do not depend on any tape: the op itself ends the path."""
    primitive = flow.primitives[op["name"]]
    kind = flow.dtype(edge.end)
    if op["name"] == "StopGradient":
        return Break("stop-gradient", op["i"])
    if op["name"] in ("NumpyFunction", "PyFunc"):
        return Break("host-callback", op["i"])
    if op["name"] == "Cast":
        if flow.is_smooth(edge.end):
            return None
        return Break("bool-dtype" if kind == "bool" else "integer-dtype", op["i"])
    if kind == "string":
        return Break("string-dtype", op["i"])
    if not flow.is_smooth(edge.end) and primitive["gradient"] == "rule":
        reason = "its result here is made of whole numbers"
        return Break("non-differentiable-op", op["i"], facts={"reason": reason})
    if op["name"] in _SHAPE_ONLY:
        return Break("unconnected", op["i"], facts={"shape_only": True})
    if primitive["gradient"] == "none":
        return Break("non-differentiable-op", op["i"], facts={"reason": primitive["reason"]})
    if primitive["gradient"] == "missing":
        return Break("no-gradient-registered", op["i"])
    return None


def _silent_rule(flow: Flow, call: Call, edge: Edge, op: Event) -> Break | None:
    """A recorded op whose rule answered None for this input."""
    variable = flow.variable_read(edge.start)
    value = edge.start if variable is None else variable
    step = call.step_of.get(op["op"])
    for skipped in () if step is None else step["skipped"]:
        if skipped["t"] == value and skipped["why"] == "no_gradient":
            return Break("custom-gradient-none", op["i"], at=_own_rule(flow, op))
    return None


def _own_rule(flow: Flow, op: Event) -> tuple[str, int] | None:
    """The line of the user's own gradient function that gives None."""
    if op["at"] is None:
        return None
    file = op["at"][0]
    line = line_of_own_none(flow.texts.get(file, ""), op["name"])
    return None if line is None else (file, line)


def _off_tape(flow: Flow, life: TapeLife, call: Call, edge: Edge, op: Event) -> Break | None:
    """Breaks of an op that the tape of `call` did not record."""
    tape = call.tape
    if tape not in op["tape"]:
        is_before = bool(life.entered) and op["i"] < life.entered[0]
        if op["recorded"]:
            return Break(
                "other-tape", _wrong_tape(flow, life, call, edge, op), (op["i"],), {"op": op["i"]}
            )
        slug = "computed-before-tape" if is_before else "computed-after-tape"
        return Break(slug, op["i"], site=beside_the_tape(flow, life, op))
    if op["why_not"].get(str(tape)) == "recording_stopped":
        pause = max((each for each in life.pauses if each < op["i"]), default=op["i"])
        return Break("stop-recording", pause, (op["i"],), {"op": op["i"]})
    late = life.watch_of(edge.start, call.event["i"])
    if late is not None and late["i"] > op["i"]:
        return Break("watched-too-late", late["i"], (op["i"],), {"op": op["i"]})
    return None


def _wrong_tape(flow: Flow, life: TapeLife, call: Call, edge: Edge, op: Event) -> int:
    """A tape that opened too late is the mistake, or an op too late for it, or the call that asks a tape it never was on."""
    if life.entered and op["i"] < life.entered[0]:
        # The `with` of a loop is not to blame for what an earlier turn has kept.
        is_same_with = flow.opened_at(call.tape) == flow.opened_at(op["recorded"][-1])
        return int(op["i"]) if is_same_with else life.entered[0]
    born = flow.born.get(edge.start)
    is_continued = born is not None and born["k"] == "op" and call.tape in born["recorded"]
    return int(op["i"] if is_continued else call.event["i"])


def beside_the_tape(flow: Flow, life: TapeLife, op: Event) -> int | None:
    """Of the calls that led to an op, the one in the function that has the `with`: that line can be moved into it.

    What an object computes when it is made stays there: the line inside `__init__` is the one to move.
    """
    sites = [flow.sites[site] for site in op["stack"]]
    for site in reversed(sites):
        if site["func"].rpartition(".")[2] in ("__init__", "build"):
            return int(site["site"])
    opened = flow.event(life.entered[0])["stack"] if life.entered else []
    if opened:
        function = flow.sites[opened[-1]]["func"]
        for site in reversed(sites):
            if site["func"] == function:
                return int(site["site"])
    return None


def _on_reentry(flow: Flow, edge: Edge, event: Event) -> Break:
    """The value left through one of these exits and came back as a plain constant."""
    exits = [flow.exports[number] for number in event["exports"]]
    exit = next((each for each in exits if edge.start in each["nodes"]), exits[0])
    slug = way_out(flow, exit)
    return Break(slug, exit["i"], (edge.event,), {"via": exit["via"], "guess": not event["sure"]})


def way_out(flow: Flow, export: Event) -> str:
    """Whether a value left for NumPy or for plain Python: NumPy asks a tensor for its `float` too."""
    site = flow.sites[export["stack"][-1]] if export["stack"] else None
    code, expr = ("", "") if site is None else (site["code"], site["expr"])
    if re.search(r"(= |\()(float|int|round)\(|\.item\(\)", code):
        return "python-scalar"
    is_stored_in_an_array = re.match(r"[\w.]+\[.*\] = ", code)
    is_numpys = expr.startswith(("np.", "numpy.")) or is_stored_in_an_array
    return "python-scalar" if export["via"] in SCALARS and not is_numpys else "numpy-roundtrip"


# --- at the source ---


def at_source(flow: Flow, call: Call, source: int) -> Break | None:
    """Why the tape of `call` does not follow the source itself; None if it does, or if it would."""
    born = flow.born.get(source)
    place = born["i"] if born is not None else call.event["i"]
    if not flow.is_smooth(source):
        slug = "string-dtype" if flow.dtype(source) == "string" else "integer-dtype"
        return Break(slug, place, facts={"source": source}, site=_written_number(flow, born))
    life = flow.tapes[call.tape]
    before = call.event["i"]
    if life.watch_of(source, before) is not None:
        return None
    watched_once = [each for each in life.watches if each["t"] == source and each["i"] < before]
    if watched_once and life.resets:
        return Break("tape-reset", life.resets[-1], (watched_once[-1]["i"],))
    if source in flow.variables:
        made = flow.variables[source]
        after = _assign_that_gave(flow, made, call)
        if after is not None:
            return Break("variable-replaced", after["i"], facts={"variable": made["from"]})
        return _at_variable(flow, life, made)
    if born is not None and born["k"] == "op" and call.tape in born["recorded"]:
        return None
    replaced = _replaced_variable(flow, call, source, born)
    if replaced is not None:
        return Break("variable-replaced", place, facts={"variable": replaced})
    copy = _watched_copy(flow, life, source)
    if copy is not None:
        return Break("source-is-copy", copy["i"], (place,), {"original": source, "watched": True})
    return Break("not-watched", place)


def _watched_copy(flow: Flow, life: TapeLife, source: int) -> Event | None:
    """A `watch` that was given a copy of the source instead of the source."""
    for watch in life.watches:
        if (
            watch["how"] == "explicit"
            and watch["t"] is not None
            and is_copy_of(flow, watch["t"], source)
        ):
            return watch
    return None


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
    event = flow.event(edge.event)
    return edge.kind == "read" or (edge.kind == "op" and event["name"] in _COPIES)


def _assign_that_gave(flow: Flow, made: Event, call: Call) -> Event | None:
    """The assignment whose result the user took for the variable: `v = v.assign(...)`."""
    if made["name"] != "UnreadVariable:0":
        return None
    assigns = [
        event
        for event in flow.trace.of("assign")
        if event["var"] == made["from"] and event["i"] < call.event["i"]
    ]
    named = [each for each in assigns if each["stack"] and flow.sites[each["stack"][-1]]["target"]]
    found = named or assigns
    return found[-1] if found else None


def _written_number(flow: Flow, born: Event | None) -> int | None:
    """Of the calls that led to a value, the innermost with a number in it: there the decimal point is missing."""
    sites = [flow.sites[site] for site in (born or {}).get("stack", ())]
    for site in reversed(sites):
        if re.search(r"(?<![\w.])\d", site["expr"]):
            return int(site["site"])
    return None


def _at_variable(flow: Flow, life: Any, made: Event) -> Break | None:
    if not made["trainable"]:
        return Break("not-trainable", made["i"])
    if life.watches_variables:
        return None
    empty = [each["i"] for each in life.watches if each["t"] is None and each["i"] < made["i"]]
    if empty:
        return Break("watched-before-build", empty[-1], (made["i"],))
    return Break("auto-watch-off", life.entered[0] if life.entered else made["i"], (made["i"],))


def _replaced_variable(flow: Flow, call: Call, source: int, born: Event | None) -> int | None:
    """The variable that had the source's name, or its place in this very call, before this tensor took it."""
    if born is None or born["k"] != "op":
        return None
    name = born["target_name"] or flow.name(source)
    earlier = _asked_here_before(flow, call, source)
    for value in sorted(flow.upstream([source])):
        if value in flow.variables and (value in earlier or (name and flow.name(value) == name)):
            return value
    rebound = [
        e for e in flow.trace.of("rebind") if e["now"] == source and e["was"] in flow.variables
    ]
    return rebound[-1]["was"] if rebound else None


def _asked_here_before(flow: Flow, call: Call, source: int) -> set[int]:
    """What stood in the source's place when this line of the program ran before."""
    index = [each["t"] for each in call.event["sources"]].index(source)
    found = set()
    for other in flow.calls.values():
        is_earlier = other.event["i"] < call.event["i"] and other.event["at"] == call.event["at"]
        if is_earlier and index < len(other.event["sources"]):
            found.add(other.event["sources"][index]["t"])
    return found

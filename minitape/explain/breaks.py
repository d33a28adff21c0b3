"""Where a path breaks: which steps of the flow graph are not on a tape, and the path with the fewest such steps.

A gradient is None when every path from the source to the target has a step that the tape did not record. Such a step is called a
*break*, and it has one cause. A step that passes no gradient only because an earlier one broke is a consequence, not a break.

Source: E. W. Dijkstra, "A note on two problems in connection with graphs" (1959).
"""

import heapq
import re
from dataclasses import dataclass, replace
from functools import cached_property

from minitape.explain.causes import absent, cuts, keras, sources, tapes
from minitape.explain.causes.cause import BrokenEdge, Cause, Facts
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.causes.wording.stopping import Stopped
from minitape.explain.causes.wording.storing import StoredInVariable
from minitape.explain.flow.calls import GradientCall, TapeLife
from minitape.explain.flow.edges import FlowEdge
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.leaving import end_in_library, is_of_keras
from minitape.explain.flow.program.numpy_names import numpy_names, standard_name
from minitape.trace import events

# Conversions of a tensor to a Python number.
_SCALARS = {"float", "int", "complex", "index", "item", "bool", "tolist", "format"}
# Of two paths with the same number of breaks, a path that is broken by mistake explains more than a path that is cut on purpose.
# A connection that is only guessed from names counts only if nothing better leads to the target.
_COST, _COST_ON_PURPOSE, _COST_OF_A_GUESS = 4, 5, 12
# Ops that read the shape of a value and not its elements.
_SHAPE_ONLY = {"OnesLike", "Rank", "Shape", "Size", "ZerosLike"}
# Ops that return an index, and ops that pass the elements on unchanged.
_INDICES = {"ArgMax", "ArgMin"}
_SAME_ELEMENTS = {"ExpandDims", "Identity", "Reshape", "Squeeze", "StridedSlice", "Transpose"}
_NEAR = 8  # ops


@dataclass(frozen=True)
class Path:
    """The steps from a source to a target, and for each its break or None."""

    edges: tuple[FlowEdge, ...]
    lost: tuple[BrokenEdge[Facts] | None, ...]

    @cached_property
    def breaks(self) -> list[BrokenEdge[Facts]]:
        """The breaks in order, with successive breaks of the same cause merged."""
        found: list[BrokenEdge[Facts]] = []
        for each in self.lost:
            if each is None:
                continue
            if found and found[-1].cause is each.cause:
                last = found[-1]
                found[-1] = replace(last, also=(*last.also, each.event))
            else:
                found.append(each)
        return found


_NOWHERE = Path((), ())


def shortest(flow: FlowGraph, call: GradientCall, source: int, targets: set[int]) -> Path | None:
    """Return the path from `source` to one of `targets` that breaks least often, or the shortest of several such paths.

    Of several such paths, return the one whose first step ran first, then the one whose second step ran first, and so on.
    `source` is a variable or the source of a call.
    """
    if source in targets or not flow.leads(source, targets):
        return None
    searches = flow.once(_searches, call)
    key = frozenset(targets), flow.reachability.block(source)
    if key not in searches:
        searches[key] = Search(flow, call, targets)
    return searches[key].path_from(source)


def _searches(_: FlowGraph, __: GradientCall) -> dict[tuple[frozenset[int], int], "Search"]:
    return {}


# The state of a path in addition to its node: the slug of its last break, and whether that break is a guess.
_Last = tuple[str, bool]
_State = tuple[int, _Last]
_UNBROKEN: _Last = ("", False)


class Search:
    """The best paths to some targets, searched backwards from them, only as far as needed.

    The search begins at the targets, because in a long training loop much is computed from a source, but little leads back to it
    from the target of this iteration. All sources of a call share the search, so that the part near the targets is searched once.
    """

    def __init__(self, flow: FlowGraph, call: GradientCall, targets: set[int]) -> None:
        self._flow = flow
        self._call = call
        self._before = call.event.i
        entered = flow.tapes[call.tape].entered
        self._opened = entered[0] if entered else 0
        self._updates = flow.once_for_all(updates)
        self.looked_at = 0
        self._reached: dict[int, _State] = {}
        # For each state, the best path so far: the cost of its breaks, the number of its steps, and the event of its first step.
        self._best: dict[_State, tuple[int, int, int]] = {}
        self._next: dict[_State, tuple[FlowEdge, BrokenEdge[Facts] | None, _State]] = {}
        # For each state on a path that was found before: the path, and the position on it.
        self._lies_on: dict[_State, tuple[Path, int]] = {}
        self._waiting: list[tuple[tuple[int, int, int], _State]] = []
        for target in sorted(targets):
            self._best[target, _UNBROKEN] = (0, 0, 0)
            heapq.heappush(self._waiting, ((0, 0, 0), (target, _UNBROKEN)))

    def path_from(self, source: int) -> Path | None:
        """Return the best path from a source; None if there is none."""
        while source not in self._reached:
            if not self._waiting:
                return None
            self._step_back()
        edges, lost, passed = [], [], []
        state = self._reached[source]
        while state in self._next and state not in self._lies_on:
            passed.append(state)
            edge, found, state = self._next[state]
            edges.append(edge)
            lost.append(found)
        rest, at = self._lies_on.get(state, (_NOWHERE, 0))
        path = Path((*edges, *rest.edges[at:]), (*lost, *rest.lost[at:]))
        self._lies_on.update((each, (path, i)) for i, each in enumerate(passed))
        return path

    def _step_back(self) -> None:
        """Finish the best waiting state, and examine all edges that lead to it."""
        reach, state = heapq.heappop(self._waiting)
        if self._best[state] != reach:
            return  # a better path was found in the meantime
        (broken, steps, _), (node, after) = reach, state
        self._reached.setdefault(node, state)
        for edge in self._flow.into.get(node, ()):
            if edge.event >= self._before or not self._flow.reachability.is_followed(edge.start):
                continue  # only values computed from a source can be on its path
            if edge.event < self._opened and edge.event in self._updates:
                continue  # each weight depends on all others through earlier updates, which no tape should record
            self.looked_at += 1
            found = on_edge(self._flow, self._call, edge)
            last = after if found is None else (found.cause.slug, found.is_last_resort)
            # The part of a variable that a store to another part leaves unchanged is not a step.
            longer = (broken + _cost(last, after), steps + (edge.kind != "kept"), edge.event)
            earlier = (edge.start, last)
            if earlier not in self._best or longer < self._best[earlier]:
                self._best[earlier] = longer
                self._next[earlier] = edge, found, state
                heapq.heappush(self._waiting, (longer, earlier))


def updates(flow: FlowGraph) -> set[int]:
    """Return the events that stored what was computed from a gradient into a variable."""
    learnt = {
        result.numbers.id
        for call in flow.calls.values()
        for result in call.results
        if result.numbers is not None
    }
    stored = set()
    for edge in flow.edges:
        if edge.start in learnt:
            if edge.kind == "op":
                learnt.add(edge.end)
            elif edge.kind == "assign":
                stored.add(edge.event)
    return stored


def _cost(last: _Last, after: _Last) -> int:
    """Return the cost of a break. Successive breaks with the same cause count once, as for three ops after the tape closed."""
    if last == after:
        return 0
    slug, is_guess = last
    if is_guess:
        return _COST_OF_A_GUESS
    return _COST_ON_PURPOSE if slug == cuts.stop_gradient.slug else _COST


def on_edge(flow: FlowGraph, call: GradientCall, edge: FlowEdge) -> BrokenEdge[Facts] | None:
    """Return why this step is not on the tape of `call`; None if it is on the tape, or if its loss is a consequence of an
    earlier break.
    """
    if edge not in call.lost:
        call.lost[edge] = _as_part_of_library(flow, edge, _cause_on(flow, call, edge))
    known: BrokenEdge[Facts] | None = call.lost[edge]
    return known


def _as_part_of_library(
    flow: FlowGraph, edge: FlowEdge, found: BrokenEdge[Facts] | None
) -> BrokenEdge[Facts] | None:
    """Return the break as one of the whole call if it is inside `model.predict`, a metric or a dataset, which return plain
    values.
    """
    event = flow.event(edge.event)
    if found is None or not isinstance(event, events.OpEvent | events.AssignEvent):
        return found
    end = end_in_library(flow, event)
    if isinstance(end, events.AssignEvent):
        return BrokenEdge(
            keras.metric_as_loss, end.i, facts=StoredInVariable(variable=end.variable)
        )
    if end is None:
        return found
    return BrokenEdge(way_out(flow, end), end.i, facts=cuts.LeftTape(via=end.via))


def _cause_on(flow: FlowGraph, call: GradientCall, edge: FlowEdge) -> BrokenEdge[Facts] | None:
    match flow.event(edge.event):
        case events.OpEvent() as op:
            return _on_op(flow, call, edge, op)
        case events.AssignEvent() as assign:
            return BrokenEdge(
                cuts.state_assign, assign.i, facts=StoredInVariable(variable=assign.variable)
            )
        case events.ConstantEvent() | events.VariableEvent() as made:
            return BrokenEdge(cuts.new_variable, made.i, facts=cuts.Copied())
        case events.ReentryEvent() as reentry:
            return _on_reentry(flow, edge, reentry)
        case events.GradientEvent() as inner if edge.kind == "gradient":
            return _first_order_elsewhere(flow, call, inner)
        case _:
            return None


def _on_op(
    flow: FlowGraph, call: GradientCall, edge: FlowEdge, op: events.OpEvent
) -> BrokenEdge[Facts] | None:
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
            return BrokenEdge(tapes.tape_reset, forgotten, (op.i,))
        return _silent_rule(flow, call, edge, op)
    found = _off_tape(flow, life, call, edge, op)
    inner = flow.call_of_op.get(op.number)
    if found is None or inner is None or found.cause is sources.watched_too_late:
        return found
    # The op ran outside the block. Ops of a backward pass have no line of their own, so point at the gradient call.
    return _first_order_elsewhere(flow, call, flow.calls[inner].event)


def _first_order_elsewhere(
    flow: FlowGraph, call: GradientCall, inner: events.GradientEvent
) -> BrokenEdge[Facts]:
    site = beside_the_tape(flow, flow.tapes[call.tape], inner)
    return BrokenEdge(tapes.second_order_not_recorded, inner.i, site=site)


def _by_nature(flow: FlowGraph, edge: FlowEdge, op: events.OpEvent) -> BrokenEdge[Facts] | None:
    """Return the break at an op that ends the path itself, whatever a tape records."""
    primitive = flow.primitives[op.name]
    kind = flow.dtype(edge.end)
    if op.name == "StopGradient":
        return BrokenEdge(
            cuts.stop_gradient, op.i, facts=Stopped(by_design=_is_straight_through(flow, op))
        )
    if op.name in ("NumpyFunction", "PyFunc"):
        return BrokenEdge(cuts.host_callback, op.i)
    if op.name == "Cast":
        if flow.is_smooth(edge.end):
            return None
        index = _index_of(flow, op)
        if index is not None:
            reason = flow.primitives[index.name].reason
            facts = cuts.NotDifferentiable(reason=reason)
            return BrokenEdge(cuts.non_differentiable_op, index.i, facts=facts)
        cause = sources.bool_dtype if kind == "bool" else sources.integer_dtype
        return BrokenEdge(cause, op.i, facts=sources.OfDtype())
    if kind == "string":
        return BrokenEdge(sources.string_dtype, op.i, facts=sources.OfDtype())
    if not flow.is_smooth(edge.end) and primitive.gradient in ("rule", "missing"):
        reason = texts.INTEGER_RESULT
        return BrokenEdge(
            cuts.non_differentiable_op, op.i, facts=cuts.NotDifferentiable(reason=reason)
        )
    if op.name in _SHAPE_ONLY:
        return BrokenEdge(absent.unconnected, op.i, facts=absent.Unconnected(shape_only=True))
    if primitive.gradient == "none":
        return BrokenEdge(
            cuts.non_differentiable_op, op.i, facts=cuts.NotDifferentiable(reason=primitive.reason)
        )
    if primitive.gradient == "missing":
        return BrokenEdge(cuts.no_gradient_registered, op.i)
    return None


def _index_of(flow: FlowGraph, cast: events.OpEvent) -> events.OpEvent | None:
    """Return the op that computes an index from the result of a conversion to integers.

    In that case the conversion does not matter, because without it the index is not differentiable either.
    """
    waiting = [cast]
    for op in waiting:
        if len(waiting) > _NEAR:
            break
        for edge in flow.out_of.get(op.outputs[0].id, ()):
            use = flow.event(edge.event)
            if not isinstance(use, events.OpEvent):
                continue
            if use.name in _INDICES:
                return use
            if use.name in _SAME_ELEMENTS:
                waiting.append(use)
    return None


def _is_straight_through(flow: FlowGraph, stop: events.OpEvent) -> bool:
    """Whether this is the `stop_gradient` in `z + stop_gradient(q - z)`, which has the value of `q` and the gradient of `z`."""
    difference = flow.op_behind(stop.inputs[0].value)
    if difference is None or difference.name != "Sub":
        return False
    taken = _as_read(flow, difference.inputs[1].value)
    sums = (flow.event(edge.event) for edge in flow.out_of.get(stop.outputs[0].id, ()))
    return any(
        _as_read(flow, given.value) == taken
        for each in sums
        if isinstance(each, events.OpEvent) and each.name == "AddV2"
        for given in each.inputs
    )


def _as_read(flow: FlowGraph, value: int) -> int:
    """Return the variable that a value was read from, or the value itself."""
    return flow.variable_read(value) or value


def _silent_rule(
    flow: FlowGraph, call: GradientCall, edge: FlowEdge, op: events.OpEvent
) -> BrokenEdge[Facts] | None:
    """Return the break at a recorded op whose rule returned None for this input."""
    step = call.step_of.get(op.number)
    value = _as_read(flow, edge.start)
    for skipped in () if step is None else step.back.skipped:
        if skipped.value == value and skipped.why == "no_gradient":
            return BrokenEdge(cuts.custom_gradient_none, op.i, facts=cuts.OfGradientFunction())
    return None


def _off_tape(
    flow: FlowGraph, life: TapeLife, call: GradientCall, edge: FlowEdge, op: events.OpEvent
) -> BrokenEdge[Facts] | None:
    """Return the break at an op that the tape of `call` did not record."""
    tape = call.tape
    if tape not in op.tapes:
        is_before = bool(life.entered) and op.i < life.entered[0]
        if op.recorded:
            if _has_been_requested_there(flow, call, op):
                site = beside_the_tape(flow, life, op)
                known = tapes.OnOtherTape(op=op.i, for_other=True)
                return BrokenEdge(tapes.other_tape, op.i, (life.entered[0],), known, site=site)
            wrong = _wrong_tape(flow, life, call, edge, op)
            again = _opened_again(flow, call, op)
            site = again[1] if again is not None and wrong == op.i else None
            known = tapes.OnOtherTape(op=op.i, again=again)
            return BrokenEdge(tapes.other_tape, wrong, (op.i,), known, site=site)
        site = beside_the_tape(flow, life, op)
        if is_before:
            return BrokenEdge(tapes.computed_before_tape, op.i, facts=tapes.OffTape(), site=site)
        return BrokenEdge(tapes.computed_after_tape, op.i, site=site)
    if op.why_not.get(tape) == "recording_stopped":
        pause = max((each for each in life.pauses if each < op.i), default=op.i)
        return BrokenEdge(tapes.stop_recording, pause, (op.i,), tapes.WhilePaused(op=op.i))
    late = life.watch_of(edge.start, call.event.i)
    if late is not None and late.i > op.i:
        return BrokenEdge(
            sources.watched_too_late, late.i, (op.i,), sources.WatchedTooLate(op=op.i)
        )
    return None


def _has_been_requested_there(flow: FlowGraph, call: GradientCall, op: events.OpEvent) -> bool:
    """Whether an op ran for a gradient of another tape, opened by another `with`, so that both tapes need the op."""
    opened, location = flow.tapes[call.tape].entered, flow.opened_at(call.tape)
    if not opened or op.i > opened[0] or flow.opened_at(op.recorded[-1]) == location:
        return False
    requested = flow.once_for_all(_targets_by_tape).get(op.recorded[-1], set())
    past = flow.once(_past_of_other_targets, call)
    if op.recorded[-1] not in past:
        past[op.recorded[-1]] = flow.upstream(requested)
    return not past[op.recorded[-1]].isdisjoint(output.id for output in op.outputs)


def _targets_by_tape(flow: FlowGraph) -> dict[int, set[int]]:
    targets: dict[int, set[int]] = {}
    for call in flow.calls.values():
        targets.setdefault(call.tape, set()).update(call.event.targets)
    return targets


def _past_of_other_targets(_: FlowGraph, __: GradientCall) -> dict[int, set[int]]:
    return {}


def _opened_again(
    flow: FlowGraph, call: GradientCall, op: events.OpEvent
) -> tuple[int, int] | None:
    """Return the sites of two different calls that opened a tape with the same `with` statement, so that the second tape replaced
    the first.
    """
    first, second = flow.tapes[op.recorded[-1]], flow.tapes[call.tape]
    if not first.entered or not second.entered:
        return None
    stacks = [flow.placed(life.entered[0]).stack for life in (first, second)]
    if stacks[0][-1:] != stacks[1][-1:]:
        return None
    return next(((one, other) for one, other in zip(*stacks, strict=False) if one != other), None)


def _wrong_tape(
    flow: FlowGraph, life: TapeLife, call: GradientCall, edge: FlowEdge, op: events.OpEvent
) -> int:
    """Return the event to blame: a tape that opened too late, an op that ran too late, or a call that uses the wrong tape."""
    if life.entered and op.i < life.entered[0]:
        # The `with` in a loop is not to blame for a value that an earlier iteration kept.
        is_same_with = flow.opened_at(call.tape) == flow.opened_at(op.recorded[-1])
        return op.i if is_same_with else life.entered[0]
    before = flow.op_behind(edge.start)
    is_continued = before is not None and call.tape in before.recorded
    return op.i if is_continued else call.event.i


def beside_the_tape(flow: FlowGraph, life: TapeLife, event: events.Placed) -> int | None:
    """Return the call that led to an event and is in the same function as the `with`, because that line can be moved into the
    block.

    For a value that an object computes in `__init__`, this is the line inside `__init__`.
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


def _on_reentry(flow: FlowGraph, edge: FlowEdge, reentry: events.ReentryEvent) -> BrokenEdge[Facts]:
    """Return the break at a value that left through one of these exits and came back as a constant."""
    exits = [flow.exits[number] for number in reentry.exports]
    exit = next((each for each in exits if edge.start in each.nodes), exits[0]).event
    stored = flow.contents.get(edge.end)
    if stored is not None:  # the store alone would cut the path as well
        known = StoredInVariable(variable=stored.variable, guess=not reentry.sure)
        return BrokenEdge(cuts.state_assign, stored.i, (exit.i,), known)
    facts = cuts.LeftTape(via=exit.via, guess=not reentry.sure)
    return BrokenEdge(way_out(flow, exit), exit.i, (edge.event,), facts)


def way_out(flow: FlowGraph, exit: events.ExportEvent) -> Cause[cuts.LeftTape]:
    """Return the cause of an exit: a dataset, Keras, NumPy or Python. NumPy may convert a tensor by calling `float` on it."""
    if exit.via.startswith("tf.data."):
        return cuts.dataset
    if is_of_keras(exit):
        return keras.keras_predict if "predict" in exit.via else keras.keras_evaluate
    site = flow.innermost(exit)
    code, expression = ("", "") if site is None else (site.code, site.expression)
    if re.search(r"(= |\()(float|int|round)\(|\.item\(\)", code):
        return cuts.python_scalar
    is_stored_in_an_array = re.match(r"[\w.]+\[.*\] = ", code)
    names = numpy_names("" if site is None else flow.texts.get(site.at.file, ""))
    is_call = standard_name(expression.partition("(")[0], names).startswith("np.")
    is_numpys = is_call or is_stored_in_an_array
    return cuts.python_scalar if exit.via in _SCALARS and not is_numpys else cuts.numpy_roundtrip

"""Incomplete gradients: besides the recorded path there is another path, whose contribution to the gradient is missing.

outside the engine   a value left TensorFlow and came back while the tape was open
copied               `tf.constant(variable)`
kept in a variable   `state.assign(new)`, and the target reads `state`
late                 the source was used before it was watched
a summand            a part of the target was computed without the tape
regularization       only the terms of the target that contain no data contribute
"""

import re
from bisect import bisect, bisect_left
from dataclasses import replace
from typing import NamedTuple

from minitape.explain.breaks import on_edge, shortest, way_out
from minitape.explain.causes import cuts, keras, sources, tapes
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.wording.storing import StoredInVariable
from minitape.explain.flow.calls import EngineExit, GradientCall, TapeLife
from minitape.explain.flow.edges import FlowEdge
from minitape.explain.flow.graph import STORING, FlowGraph
from minitape.explain.flow.leaving import is_metrics, is_of_keras, is_whole
from minitape.trace import events

_COMPARING = frozenset({"Sub", "SquaredDifference"})
_CONVERTING = {"Cast", "ExpandDims", "Identity", "Reshape"}
# Ops whose derivative does not depend on the values of their inputs.
_SUMMING = _CONVERTING | {"AddN", "AddV2", "Mean", "Neg", "Squeeze", "Sub", "Sum"}
# A random draw in NumPy.
_DRAW = re.compile(r"\b(random|rng)\.\w+\(")
# Causes of ops that this tape did not record although their result is a term of the target.
_ELSEWHERE = (tapes.computed_before_tape, tapes.other_tape, tapes.stop_recording)


def why_partial(
    flow: FlowGraph, call: GradientCall, source: int, targets: set[int]
) -> BrokenEdge[Facts] | None:
    """Return the first unrecorded path whose contribution is missing; None if there is none."""
    life = flow.tapes[call.tape]
    if not life.entered:
        return None
    came_back = flow.once(_came_back, call)
    copied = _copied(flow, call, source)
    late = _late_watch(flow, call, source)
    summands = flow.once(_untaped, call)
    stored = _stored_in_state(flow, call, source) or _made_of_it(flow, call, source)
    if not came_back and copied is None and late is None and not summands:
        return stored or _only_regularized(flow, call, source)
    bit = bit_of(flow, call, source)
    known = flow.once(followed, call)
    for reentry, (exit, nodes) in came_back:
        if any(known.get(node, 0) & bit for node in nodes):
            facts = cuts.LeftTape(via=exit.via, partial=True, guess=not reentry.sure)
            return BrokenEdge(way_out(flow, exit), exit.i, (reentry.i,), facts)
    for found in (copied, late):
        used = None if found is None else found.facts.value
        if used is not None and _leads_to(flow, call, used, targets):
            return found
    lost = sorted(value for value in summands if not known.get(value, 0) & bit)
    return (
        stored or _lost_summand(flow, call, source, lost) or _only_regularized(flow, call, source)
    )


def _opened_and_closed(call: GradientCall, life: TapeLife) -> tuple[int, int]:
    """Return the events at which the tape of a call opened and closed; the call itself, if the tape was still open."""
    opened = life.entered[0]
    return opened, next((each for each in life.exited if each > opened), call.event.i)


def _came_back(flow: FlowGraph, call: GradientCall) -> list[tuple[events.ReentryEvent, EngineExit]]:
    """Return the return and exit of each value that left TensorFlow and came back while the tape was open, on a path to the
    targets.
    """
    opened, closed = _opened_and_closed(call, flow.tapes[call.tape])
    first = bisect(flow.reentries, opened, key=_number)
    last = bisect_left(flow.reentries, closed, key=_number)
    return [
        (reentry, exit)
        for reentry in flow.reentries[first:last]
        if flow.is_smooth(reentry.value) and not reentry.flat
        for exit in (flow.exits[number] for number in reentry.exports)
        if opened < exit.event.i
        and not is_whole(flow, exit.event)
        and not _is_compared_with_itself(flow, reentry.value, exit)
        and not _is_compared(flow, call, reentry, exit)
        and not (is_of_keras(exit.event) and _is_a_goal(flow, call, reentry.value))
        and reentry.value in flow.once(_owed, call)
    ]


def _number(event: events.Event) -> int:
    return event.i


def _when(edge: FlowEdge) -> int:
    return edge.event


def _owed(flow: FlowGraph, call: GradientCall) -> set[int]:
    """Return the values that receive a gradient. Comparisons and casts to integers do not pass a gradient on."""
    owed = set(call.event.targets)
    waiting = list(owed)
    while waiting:
        for edge in flow.into.get(waiting.pop(), ()):
            if edge.start not in owed and on_edge(flow, call, edge) is None:
                owed.add(edge.start)
                waiting.append(edge.start)
    return owed


def _leads_to(flow: FlowGraph, call: GradientCall, value: int, targets: set[int]) -> bool:
    return not flow.downstream([value], call.event.i).isdisjoint(targets)


def _is_compared_with_itself(flow: FlowGraph, constant: int, exit: EngineExit) -> bool:
    """Whether a copy is only compared with its original. For example, `x - x.numpy()` has a gradient only because the copy is
    constant.
    """
    uses = [flow.event(edge.event) for edge in flow.out_of.get(constant, ())]
    return bool(uses) and all(
        isinstance(use, events.OpEvent)
        and use.name in ("Sub", "RealDiv")
        and any(given.value in exit.nodes for given in use.inputs)
        for use in uses
    )


def _is_compared(
    flow: FlowGraph, call: GradientCall, reentry: events.ReentryEvent, exit: EngineExit
) -> bool:
    """Whether a constant is only compared with values that the sources of the call lead to, as the target of a prediction is.

    The target comes from a random draw, or from another forward pass, whose values intentionally get no gradient. The score of
    a draw may multiply such a value too, as a reward multiplies the logarithm of a probability.
    """
    site = flow.innermost(exit.event)
    is_drawn = not reentry.sure and site is not None and bool(_DRAW.search(site.code))
    if not is_drawn and not flow.once(_owed, call).isdisjoint(exit.nodes):
        return False
    names = _COMPARING | {"Mul"} if is_drawn else _COMPARING
    known = flow.once(followed, call)
    waiting, compared = [reentry.value], False
    while waiting:
        value = waiting.pop()
        for edge in flow.out_of.get(value, ()):
            use = flow.event(edge.event)
            if not isinstance(use, events.OpEvent):
                return False
            if use.name in _CONVERTING:
                waiting.append(edge.end)
                continue
            others = [given.value for given in use.inputs if given.value != value]
            if use.name not in names or not any(known.get(other) for other in others):
                return False
            compared = True
    return compared and (is_drawn or not _is_a_term(flow, call, reentry.value))


def _is_a_term(flow: FlowGraph, call: GradientCall, value: int) -> bool:
    """Whether a value is only added to the targets or subtracted from them.

    In the difference of two terms, such as a divergence minus a likelihood, a constant does not influence the gradient. After a
    comparison, something else follows: the difference from a training target is squared, for example.
    """
    waiting, seen = [value], {value}
    while waiting:
        each = waiting.pop()
        for edge in flow.out_of.get(each, ()):
            use = flow.event(edge.event)
            if edge.end in seen or not isinstance(use, events.OpEvent):
                continue
            if call.tape not in use.recorded and use.name not in _CONVERTING:
                continue
            if use.name not in _SUMMING and not _is_scaled(flow, call, use, each):
                return False
            seen.add(edge.end)
            waiting.append(edge.end)
    return not seen.isdisjoint(call.event.targets)


def _is_scaled(flow: FlowGraph, call: GradientCall, op: events.OpEvent, value: int) -> bool:
    """Whether an op multiplies a value by a single number, or divides it by one."""
    if op.name not in ("Mul", "RealDiv") or (op.name == "RealDiv" and op.inputs[1].value == value):
        return False
    known = flow.once(followed, call)
    others = [given.value for given in op.inputs if given.value != value]
    return bool(others) and all(
        each in flow.numbers and flow.numbers[each].size == 1 and not known.get(each)
        for each in others
    )


def _is_a_goal(flow: FlowGraph, call: GradientCall, constant: int) -> bool:
    """Whether a constant computed from a model's predictions is only compared with values on the tape, or multiplies them.

    In that case the constant is a training target, and no gradient should flow through `predict`. A term of a sum is not a
    training target.
    """
    waiting, seen = [constant], {constant}
    while waiting:
        for edge in flow.out_of.get(waiting.pop(), ()):
            event = flow.event(edge.event)
            if not isinstance(event, events.OpEvent) or edge.end in seen:
                continue
            if call.tape in event.recorded:
                is_a_term = event.name == "Sub" and _is_a_term(flow, call, edge.end)
                if event.name in ("AddV2", "AddN") or is_a_term:
                    return False
                continue
            seen.add(edge.end)
            waiting.append(edge.end)
    return True


def _copied(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[cuts.Copied] | None:
    """Return the break at a `tf.constant(variable)` that ran while the tape was open."""
    opened, closed = _opened_and_closed(call, flow.tapes[call.tape])
    edges = flow.once_for_all(_copies).get(source, [])
    first = bisect(edges, opened, key=_when)
    for edge in edges[first : first + 1]:
        if edge.event < closed:
            facts = cuts.Copied(partial=True, value=edge.end)
            return BrokenEdge(cuts.new_variable, edge.event, facts=facts)
    return None


def _copies(flow: FlowGraph) -> dict[int, list[FlowEdge]]:
    """Return the constants that copy each value."""
    copies: dict[int, list[FlowEdge]] = {}
    for edge in flow.edges:
        if edge.kind == "becomes" and isinstance(flow.event(edge.event), events.ConstantEvent):
            copies.setdefault(edge.start, []).append(edge)
    return copies


def _stored_in_state(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the break at a `state.assign(new)` that ran while the tape was open, if `new` was computed from the source and the
    target reads `state` later.

    A source that the program clips by an assignment does not count, because its gradient at the current value was requested.
    """
    stores = ((each.value, each.event) for each in flow.once(_stored_values, call))
    stored = [
        (value, event)
        for value, event in stores
        if isinstance(event, events.AssignEvent) and event.variable != source
    ]
    behind = _behind_in_block(flow, call, source) if stored else set()
    assigns = {assign.i: assign for value, assign in stored if value in behind}
    first_at = {
        assign.at or number: number for number, assign in sorted(assigns.items(), reverse=True)
    }
    if not first_at:
        return None
    first, *others = sorted(first_at.values())
    facts = StoredInVariable(variable=assigns[first].variable, partial=True)
    cause = keras.metric_as_loss if is_metrics(flow, assigns[first]) else cuts.state_assign
    return BrokenEdge(cause, first, tuple(others), facts)


def _made_of_it(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the break at a `tf.Variable(new)` that ran while the tape was open, if `new` was computed from the source and the
    target reads the variable.

    A variable that is only compared with its original is a copy on purpose.
    """
    requested = {each.value for each in call.event.sources}
    made = [
        each
        for each in flow.once(_stored_values, call)
        if isinstance(each.event, events.VariableEvent)
        and each.event.variable not in requested
        and not _is_anchor(flow, each.event)
    ]
    behind = _behind_in_block(flow, call, source) if made else set()
    lost = sorted(each.event.i for each in made if each.value in behind)
    if not lost:
        return None
    return BrokenEdge(cuts.new_variable, lost[0], tuple(lost[1:]), cuts.Copied(partial=True))


def _is_anchor(flow: FlowGraph, made: events.VariableEvent) -> bool:
    """Whether a variable is only compared with its original: `w - anchor` is how far `w` has moved."""
    nodes = {made.origin, flow.variable_read(made.origin or 0)} - {None}
    reads = [edge.end for edge in flow.out_of.get(made.variable, ())]
    uses = [flow.event(edge.event) for read in reads for edge in flow.out_of.get(read, ())]
    return bool(uses) and all(
        isinstance(use, events.OpEvent)
        and use.name in ("Sub", "RealDiv", "SquaredDifference")
        and any(
            given.value in nodes or flow.variable_read(given.value) in nodes for given in use.inputs
        )
        for use in uses
    )


class _StoredValue(NamedTuple):
    """A value that a variable was created with, or that was assigned to it."""

    value: int
    event: events.AssignEvent | events.VariableEvent


def _stored_values(flow: FlowGraph, call: GradientCall) -> list[_StoredValue]:
    """Return the values that variables received while the tape was open, on a path to the targets."""
    if not _in_block(flow, call, flow.once_for_all(_given)):
        return []
    stored, seen, waiting = [], set(call.event.targets), list(call.event.targets)
    while waiting:
        for edge in _in_block(flow, call, flow.into.get(waiting.pop(), [])):
            event = flow.event(edge.event)
            if isinstance(event, events.AssignEvent | events.VariableEvent):
                stored.append(_StoredValue(edge.start, event))
            elif on_edge(flow, call, edge) is not None:
                continue
            if edge.start not in seen:
                seen.add(edge.start)
                waiting.append(edge.start)
    return stored


def _given(flow: FlowGraph) -> list[FlowEdge]:
    return sorted((edge for edge in flow.edges if edge.kind in ("assign", "becomes")), key=_when)


def _in_block(flow: FlowGraph, call: GradientCall, edges: list[FlowEdge]) -> list[FlowEdge]:
    """Return the edges whose event happened while the tape of the call was open; `edges` are in the order of their events."""
    opened, closed = _opened_and_closed(call, flow.tapes[call.tape])
    return edges[bisect(edges, opened, key=_when) : bisect(edges, closed, key=_when)]


def _behind_in_block(flow: FlowGraph, call: GradientCall, source: int) -> set[int]:
    """Return the values computed from a source while the tape was open, along differentiable edges and through variables."""
    behind, waiting = {source}, [source]
    while waiting:
        for edge in _in_block(flow, call, flow.out_of.get(waiting.pop(), [])):
            goes_on = edge.kind in STORING or on_edge(flow, call, edge) is None
            if edge.end not in behind and goes_on:
                behind.add(edge.end)
                waiting.append(edge.end)
    return behind


def _untaped(flow: FlowGraph, call: GradientCall) -> set[int]:
    """Return the values that contribute to the target of a call without being on its tape."""
    used = flow.once_for_all(_uses_of_other_tapes)
    if call.tape not in used:
        used[call.tape] = _from_another_with(flow, call)
    return _summands_off_tape(flow, call) | used[call.tape]


def _uses_of_other_tapes(_: FlowGraph) -> dict[int, set[int]]:
    return {}  # filled in by tape, because several calls may use a persistent tape


def _summands_off_tape(flow: FlowGraph, call: GradientCall) -> set[int]:
    """Yield the computed values that are added to the target, but that the tape of the call did not record."""
    found, seen, waiting = set(), set(), list(call.event.targets)
    while waiting:
        value = waiting.pop()
        op = flow.op_behind(value)
        if value in seen or op is None:
            continue
        seen.add(value)
        if call.tape not in op.recorded:
            found.add(value)
        elif op.name in ("AddV2", "AddN", "Neg", "Sub"):
            waiting.extend(given.value for given in op.inputs)
        elif op.name in ("Mul", "RealDiv"):
            waiting.extend(
                given.value for given in op.inputs if _is_scaled(flow, call, op, given.value)
            )
    return found


def _from_another_with(flow: FlowGraph, call: GradientCall) -> set[int]:
    """Return values that another tape recorded, opened with another `with` statement, and that an op on this tape uses.

    In a loop over one `with`, the values of earlier iterations are mostly excluded on purpose.
    """
    location = flow.opened_at(call.tape)
    found = set()
    for op in flow.ops_on[call.tape]:
        if op.number in flow.call_of_op:
            continue
        for given in op.inputs:
            before = flow.op_behind(given.value)
            if before is None or not before.recorded or call.tape in before.tapes:
                continue
            if flow.opened_at(before.recorded[-1]) != location:
                found.add(given.value)
    return found


def _lost_summand(
    flow: FlowGraph, call: GradientCall, source: int, summands: list[int]
) -> BrokenEdge[Facts] | None:
    for value in summands:
        path = shortest(flow, call, source, {value})
        lost = path.breaks if path is not None else []
        if lost and lost[-1].cause in _ELSEWHERE:
            found = replace(lost[-1], facts=replace(lost[-1].facts, partial=True))
            return _at_its_tape(flow, call, found)
    return None


def _at_its_tape(
    flow: FlowGraph, call: GradientCall, found: BrokenEdge[Facts]
) -> BrokenEdge[Facts]:
    """For a sum over several tapes, point at the line that opens a tape for each term, because that line has to be moved."""
    if not isinstance(found.facts, tapes.OnOtherTape):
        return found
    opened = flow.tapes[call.tape].entered[0]
    return replace(found, event=opened, also=(found.facts.op, *found.also))


# --- regularization ---


class _Terms(NamedTuple):
    """The terms of a sum: those computed from variables alone, as a weight decay is, and those computed from data."""

    of_variables: list[int]
    of_data: list[int]


def _terms(flow: FlowGraph, call: GradientCall) -> _Terms:
    """Return the terms that are added to the targets of a call."""
    terms: list[int] = []
    waiting, seen = list(call.event.targets), set(call.event.targets)
    while waiting:
        value = waiting.pop()
        op = flow.op_behind(value)
        if op is None or call.tape not in op.recorded:
            continue
        if op.name in ("AddV2", "AddN", "Neg", "Sub"):
            fresh = [each.value for each in op.inputs if each.value not in seen]
            seen.update(fresh)
            waiting.extend(fresh)
        else:
            terms.append(value)
    found = _Terms([], [])
    for value in terms if len(terms) > 1 else ():
        (found.of_data if _contains_data(flow, value) else found.of_variables).append(value)
    return found


def _contains_data(flow: FlowGraph, value: int) -> bool:
    """Whether a value was computed from anything besides variables and single numbers."""
    waiting, seen = [value], {value}
    while waiting:
        each = waiting.pop()
        born = flow.born.get(each)
        if isinstance(born, events.ReadEvent) or each in flow.variables:
            continue
        if not isinstance(born, events.OpEvent):
            numbers = flow.numbers.get(each)
            if numbers is None or (numbers.size > 1 and numbers.dtype.startswith("float")):
                return True
            continue
        if not born.inputs:
            return True  # random numbers
        fresh = [given.value for given in born.inputs if given.value not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return False


def _only_regularized(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the break on the path to the terms with data, if only the other terms contribute to the gradient."""
    terms = flow.once(_terms, call)
    if not terms.of_variables or not terms.of_data:
        return None
    bit = bit_of(flow, call, source)
    known = flow.once(followed, call)
    if any(known.get(each, 0) & bit for each in terms.of_data):
        return None
    if not any(known.get(each, 0) & bit for each in terms.of_variables):
        return None
    path = shortest(flow, call, source, set(terms.of_data))
    lost = path.breaks if path is not None else []
    opened, _ = _opened_and_closed(call, flow.tapes[call.tape])
    if not lost or any(each.is_last_resort or each.event < opened for each in lost):
        return None
    return replace(lost[0], facts=replace(lost[0].facts, partial=True, regularized=True))


def bit_of(flow: FlowGraph, call: GradientCall, source: int) -> int:
    """Return the bit of a source in `followed`."""
    return 1 << flow.once(_bits, call)[source]


def _bits(_: FlowGraph, call: GradientCall) -> dict[int | None, int]:
    """Return a bit number for each source of the call."""
    requested = dict.fromkeys(each.value for each in call.event.sources)
    return {source: i for i, source in enumerate(requested)}


def followed(flow: FlowGraph, call: GradientCall) -> dict[int, int]:
    """Return the sources from which each value was computed, according to the tape of the call: one bit for each source."""
    bits = flow.once(_bits, call).items()
    behind = {source: 1 << i for source, i in bits if source is not None}
    for op in flow.ops_on[call.tape]:
        come = 0
        for given in op.inputs:
            come |= behind.get(given.value, 0)
            variable = flow.variable_read(given.value)
            if variable is not None:
                come |= behind.get(variable, 0)
        if come:
            for output in op.outputs:
                behind[output.id] = behind.get(output.id, 0) | come
    return behind


def _late_watch(
    flow: FlowGraph, call: GradientCall, source: int
) -> BrokenEdge[sources.WatchedTooLate] | None:
    life = flow.tapes[call.tape]
    watch = life.watch_of(source, call.event.i)
    if watch is None or watch.how != "explicit":
        return None
    edges = flow.out_of.get(source, [])
    first, last = (bisect(edges, each, key=_when) for each in (life.entered[0], watch.i))
    for edge in edges[first:last]:
        op = flow.event(edge.event)
        if (
            isinstance(op, events.OpEvent)
            and call.tape in op.tapes
            and call.tape not in op.recorded
        ):
            facts = sources.WatchedTooLate(op=op.i, partial=True, value=edge.end)
            return BrokenEdge(sources.watched_too_late, watch.i, (op.i,), facts)
    return None

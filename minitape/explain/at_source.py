"""A gradient that is lost at the source itself: why the tape does not watch the source.

at_source    the break at the source of a call
originals    the values that a value is a copy of, because the program may request the gradient of a copy
"""

import ast
import re
from collections.abc import Iterator

from minitape.explain.causes import empty, sources, tapes
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.edges import FlowEdge
from minitape.explain.flow.graph import FlowGraph, is_another_name
from minitape.explain.flow.program.sources import (
    line_of_watch,
    sources_given,
    typed_source,
    value_of,
)
from minitape.explain.never_ran import unwatched
from minitape.trace import events

# Ops whose output has the values of the input, possibly in a different order.
_COPIES = {
    "Cast", "ConcatV2", "ExpandDims", "GatherV2", "Identity", "Pack", "ReadVariableOp", "Reshape",
    "Split", "SplitV", "Squeeze", "StridedSlice", "Transpose", "Unpack",
}  # fmt: skip


def at_source(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return why the tape of `call` does not watch the source itself; None if the tape watches it, or would watch it when it
    is read.
    """
    born = flow.born.get(source)
    origin = born.i if born is not None else call.event.i
    if not flow.is_smooth(source):
        cause = sources.string_dtype if flow.dtype(source) == "string" else sources.integer_dtype
        watched = _watch_of_indices(flow, call, source)
        facts = sources.OfDtype(is_source=True, holds_indices=watched is not None)
        if watched is not None and not _is_written_out(flow, born):
            return BrokenEdge(cause, origin, facts=facts, at=watched)
        return BrokenEdge(cause, origin, facts=facts, site=_written_number(flow, born))
    life = flow.tapes[call.tape]
    before = call.event.i
    if life.watch_of(source, before) is not None:
        return None
    watched_once = [each for each in life.watches_of.get(source, ()) if each.i < before]
    if watched_once and life.resets:
        return BrokenEdge(tapes.tape_reset, life.resets[-1], (watched_once[-1].i,))
    if source in flow.variables:
        made = flow.variables[source]
        after = _assign_that_gave(flow, made, call)
        if after is not None:
            return BrokenEdge(sources.variable_replaced, after.i)
        return _at_variable(flow, call, made)
    if isinstance(born, events.OpEvent) and call.tape in born.recorded:
        return None
    replaced = _replaced_variable(flow, call, source, born)
    if replaced is not None and _is_followed_from_outside(flow, call, born):
        opened = life.entered[0] if life.entered else call.event.i
        return BrokenEdge(sources.not_watched, opened, (origin,), sources.NotWatched(since=origin))
    if replaced is not None:
        return BrokenEdge(sources.variable_replaced, origin)
    copy = flow.once(_watched_copies, call).get(source)
    if copy is not None:
        return BrokenEdge(
            sources.source_is_copy,
            copy.i,
            (origin,),
            sources.OfCopy(original=source, is_watched=True),
        )
    idle = flow.once(_idle_watch, call)
    if idle is not None and idle.i > origin:
        again = idle.value in (each.value for each in life.watches if each.i < idle.i)
        return BrokenEdge(
            sources.not_watched, idle.i, (origin,), sources.NotWatched(instead=True, again=again)
        )
    # The call of `watch` belongs inside the block.
    return BrokenEdge(sources.not_watched, origin, tuple(life.entered[:1]), sources.NotWatched())


def _watch_of_indices(flow: FlowGraph, call: GradientCall, source: int) -> tuple[str, int] | None:
    """Return the line that watches the integers, if they are used as indices and so do not lack a decimal point."""
    opened = flow.opened_at(call.tape)
    if opened is None or not sources.are_places(flow, [source]):
        return None
    index = [each.value for each in call.event.sources].index(source)
    written = typed_source(call.event.text, index, len(call.event.sources))
    line = line_of_watch(flow.texts.get(opened.file, ""), opened.line, written or "")
    return None if line is None else (opened.file, line)


def _is_written_out(flow: FlowGraph, born: events.Placed | None) -> bool:
    """Whether the statement that names the values also lists them: `words = tf.constant([3, 1])`."""
    site = None if born is None else flow.innermost(born)
    is_typed = isinstance(born, events.ConstantEvent) and born.how == "tf.constant"
    return is_typed and site is not None and site.target is not None


def _idle_watch(flow: FlowGraph, call: GradientCall) -> events.WatchEvent | None:
    """Return the `watch` of a tensor whose gradient no call requests, or that the tape already watches, which shows that a
    different tensor was meant.
    """
    requested = {
        each.value
        for other in flow.calls.values()
        if other.tape == call.tape
        for each in other.event.sources
    }
    seen = set[int]()
    for watch in flow.tapes[call.tape].watches:
        if watch.how != "explicit" or watch.value is None or watch.i > call.event.i:
            continue
        if watch.value in seen or (
            watch.value not in requested and watch.value not in flow.variables
        ):
            return watch
        seen.add(watch.value)
    return None


def _watched_copies(flow: FlowGraph, call: GradientCall) -> dict[int, events.WatchEvent]:
    """Return the values of which the tape watches a copy, each with the first such `watch` before the call."""
    found: dict[int, events.WatchEvent] = {}
    for watch in flow.tapes[call.tape].watches:
        if watch.how == "explicit" and watch.value is not None and watch.i < call.event.i:
            for value in (watch.value, *originals(flow, watch.value)):
                found.setdefault(value, watch)
    return found


def originals(flow: FlowGraph, value: int) -> Iterator[int]:
    """Yield the values that `value` is a copy of, possibly in a different order, the nearest first."""
    while True:
        edges = [edge for edge in flow.into.get(value, ()) if _is_copying(flow, edge)]
        if not edges:
            return
        value = edges[0].start
        yield value


def _is_copying(flow: FlowGraph, edge: FlowEdge) -> bool:
    """Whether a step only reads a variable or rearranges a value."""
    return edge.kind == "read" or (edge.kind == "op" and flow.op(edge.event).name in _COPIES)


def _assign_that_gave(
    flow: FlowGraph, made: events.VariableEvent, call: GradientCall
) -> events.AssignEvent | None:
    """Return the assignment whose result the user took for the variable: `v = v.assign(...)`."""
    if not is_another_name(made) or made.origin is None:
        return None
    assigns = [each for each in flow.assigns[made.origin] if each.i < call.event.i]
    named = [each for each in assigns if each.stack and flow.sites[each.stack[-1]].target]
    found = named or assigns
    return found[-1] if found else None


def _written_number(flow: FlowGraph, born: events.Placed | None) -> int | None:
    """Return the innermost call that led to a value and contains a number, whose decimal point may be missing."""
    for number in () if born is None else reversed(born.stack):
        if re.search(r"(?<![\w.])\d", flow.sites[number].expression):
            return number
    return None


def untrainable(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the break at a variable that is not trainable; for a variable with state of a layer, point at the list that contains
    it.
    """
    made = flow.variables.get(source)
    if made is None or made.trainable:
        return None
    site, at = flow.innermost(made), call.event.at
    if at is None or site is None or re.search(r"Variable|trainable|add_weight", site.expression):
        return BrokenEdge(sources.not_trainable, made.i, facts=sources.NotTrainable())
    given = sources_given(call.event.text)
    name = "" if given is None else ast.unparse(given)
    listed = value_of(flow.texts.get(at.file, ""), name, at.line)
    if listed is None:
        line, statement = at.line, call.event.text
    else:
        line, statement = listed.line, f"{name} = {ast.unparse(listed.value)}"
    return BrokenEdge(
        sources.not_trainable,
        made.i,
        facts=sources.NotTrainable(listed=statement),
        at=(at.file, line),
    )


def _at_variable(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    life = flow.tapes[call.tape]
    fixed = untrainable(flow, call, made.variable)
    if fixed is not None:
        return fixed
    if life.watches_variables:
        return None
    given_none = [each.i for each in life.watches if each.value is None and each.i < made.i]
    if given_none:
        return BrokenEdge(
            empty.watched_before_build, given_none[-1], (made.i,), empty.WatchedBeforeBuild()
        )
    idle = unwatched(flow, call, made)
    if idle is not None:
        return idle
    return BrokenEdge(
        sources.auto_watch_off, life.entered[0] if life.entered else made.i, (made.i,)
    )


def _replaced_variable(
    flow: FlowGraph, call: GradientCall, source: int, born: events.Placed | None
) -> int | None:
    """Return the variable that had the source's name, or its position in the same call, before this tensor."""
    if not isinstance(born, events.OpEvent):
        return None
    name = born.target_name or flow.name(source)
    for value in sorted(flow.variables):
        is_replaced = _was_requested_here(flow, call, source, value) or (
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


def _is_followed_from_outside(
    flow: FlowGraph, call: GradientCall, born: events.Placed | None
) -> bool:
    """Whether a tape that is still open recorded how the source was computed, as for a step of an inner loop that an outer loop
    learns from.
    """
    if not isinstance(born, events.OpEvent):
        return False
    lives = (flow.tapes[each] for each in born.recorded if each != call.tape)
    return any(not any(born.i < end < call.event.i for end in life.exited) for life in lives)


def _is_within(inner: events.SourceRange | None, outer: events.SourceRange | None) -> bool:
    """Whether one location is part of another.

    In `x = tf.Variable(2.0, name="x") + 1.0`, for example, the variable was never called x.
    """
    if inner is None or outer is None or inner.file != outer.file:
        return False
    return outer[1:3] <= inner[1:3] and inner[3:] <= outer[3:]


def _was_requested_here(flow: FlowGraph, call: GradientCall, source: int, value: int) -> bool:
    """Whether `value` was at the source's position when this line of the program ran before."""
    index = [each.value for each in call.event.sources].index(source)
    first = flow.first_requested.get((call.event.at, index, value))
    return first is not None and first < call.event.i

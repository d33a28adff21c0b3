"""Loops that ran zero times, and lists that were empty.

unwatched     the loop that should have watched the source
unused        the loop that should have computed the target from the source (perhaps_unused: with weaker evidence)
nothing_requested a gradient call with an empty list of sources

The trace shows that a loop ran zero times if its function ran while the tape recorded, but no event is in the loop's body.
"""

import ast
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from minitape.explain.causes import empty
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.rewriting import parsed
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.branches import Branch
from minitape.explain.flow.program.functions import Override
from minitape.explain.flow.program.loops import ProgramLoop, dotted_names, gives_once, loops_of
from minitape.explain.flow.program.sources import Assignment, sources_given, value_of, weights_of
from minitape.source_text import lines_of
from minitape.trace import events


def unwatched(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    """Return the loop around a `tape.watch` that ran zero times, in the block of a tape that does not watch automatically."""
    for file, loop in _that_never_ran(flow, call):
        if ".watch(" not in loop.body:
            continue
        entered = flow.tapes[call.tape].entered
        event, at = (entered[0] if entered else made.i), (file, loop.line)
        if entered and made.i > entered[0]:
            early = empty.WatchedBeforeBuild(loop=loop)
            return BrokenEdge(empty.watched_before_build, event, (made.i,), early, at=at)
        return BrokenEdge(
            empty.loop_never_ran, event, (made.i,), empty.LoopNeverRan(loop=loop), at=at
        )
    return None


def unused(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the loop that ran zero times, contains the name of the source, and should have computed the target from it."""
    wanted = _names_of(flow, call, source) if source in flow.born else set()
    for file, loop in _that_never_ran(flow, call):
        if loop.names & wanted and ".watch(" not in loop.body:
            return _at_loop(flow, call, source, file, loop)
    return None


def perhaps_unused(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return a loop that ran zero times, with weaker evidence: only the names that it assigns, or its class, connect it with the
    source.
    """
    given = flow.once(_names_behind, call)
    made = flow.born.get(source)
    if made is None:
        return None
    for file, loop in _that_never_ran(flow, call):
        is_near = loop.assigned & given or _is_of_its_class(made, file, loop)
        if is_near and ".watch(" not in loop.body:
            found = _at_loop(flow, call, source, file, loop)
            return replace(found, facts=replace(found.facts, possible=True))
    return None


def _at_loop(
    flow: FlowGraph, call: GradientCall, source: int, file: str, loop: ProgramLoop
) -> BrokenEdge[Facts]:
    opened, once = flow.tapes[call.tape].entered[0], None
    if loop.iterated is not None and ran(flow, file, loop, -1, opened):
        once = gives_once(flow.texts[file], loop.iterated, loop.line)
    made, facts = flow.born[source], empty.LoopNeverRan(loop=loop, once=once)
    return BrokenEdge(empty.loop_never_ran, call.event.i, (made.i,), facts, at=(file, loop.line))


def _is_of_its_class(made: events.Placed, file: str, loop: ProgramLoop) -> bool:
    """Whether the loop is in a method of the class that created a variable."""
    at, lines = made.at, loop.of_class
    return (
        at is not None and lines is not None and at.file == file and lines[0] < at.line <= lines[1]
    )


def nothing_requested(flow: FlowGraph, call: GradientCall) -> BrokenEdge[empty.NoSources] | None:
    """Return the line that made the list of sources of a gradient call, if that list was empty."""
    at = call.event.at
    given = sources_given(call.event.text)
    if at is None or given is None or (isinstance(given, ast.List | ast.Tuple) and not given.elts):
        return None
    text = flow.texts.get(at.file, "")
    written = ast.unparse(given)
    made = value_of(text, written, at.line)
    value = given if made is None else made.value
    line = at.line if made is None else made.line
    taken = ast.unparse(value)
    facts = empty.NoSources(given=written, taken=taken)
    if isinstance(value, ast.ListComp) and value.generators[0].ifs:
        condition, whole = map(ast.unparse, (value.generators[0].ifs[0], value.generators[0].iter))
        facts = empty.Filtered(given=written, taken=taken, condition=condition, whole=whole)
        return BrokenEdge(empty.no_sources, call.event.i, facts=facts, at=(at.file, line))
    owners = list(weights_of(value))
    frozen = _line_that_freezes(text, owners)
    late = _made_after(flow, call, made)
    if made is not None and owners and late is not None:
        facts = empty.TakenTooEarly(given=written, taken=taken, made=late)
    elif frozen is not None:
        facts, line = empty.Frozen(given=written, taken=taken, call_line=line), frozen
    return BrokenEdge(empty.no_sources, call.event.i, facts=facts, at=(at.file, line))


def _made_after(flow: FlowGraph, call: GradientCall, taken: Assignment | None) -> int | None:
    """Return the first variable of the targets that was created after the list. The order of the lines of methods is not
    known.
    """
    if taken is None:
        return None
    past = flow.once(FlowGraph.own_past, call)
    for variable, made in flow.variables.items():
        is_behind = variable in past and made.stack
        if is_behind and (taken.is_own or flow.outer_line(made) > taken.line):
            return made.i
    return None


def _line_that_freezes(program: str, owners: list[str]) -> int | None:
    """Return the line `model.trainable = False` that freezes the sources."""
    for number, line in enumerate(lines_of(program), start=1):
        if line.strip() in [f"{owner}.trainable = False" for owner in owners]:
            return number
    return None


def _that_never_ran(flow: FlowGraph, call: GradientCall) -> list[tuple[str, ProgramLoop]]:
    return flow.once(_idle_loops, call)


def _idle_loops(flow: FlowGraph, call: GradientCall) -> list[tuple[str, ProgramLoop]]:
    """Return the loops, with their files, that the program reached while the tape of a call recorded and whose bodies have no
    events.
    """
    entered = flow.tapes[call.tape].entered
    if not entered:
        return []
    return [
        (file, loop)
        for file, text in flow.texts.items()
        for loop in loops_of(text)
        if loop.is_plain
        and passed_by(flow, call, file, loop)
        and not ran(flow, file, loop, entered[0], call.event.i)
    ]


def passed_by(flow: FlowGraph, call: GradientCall, file: str, loop: ProgramLoop | Branch) -> bool:
    """Whether the program reached a loop or a branch between the opening of the tape and the call."""
    opened = flow.opened_at(call.tape)
    if opened is None:
        return False
    first, last = loop.lines
    if opened.file == file and first <= opened.line <= last:
        return opened.line < loop.line <= opened.end_line
    if loop.function is None:
        return False
    start = flow.tapes[call.tape].entered[0]
    if _is_between(_times_in(flow, file, first, last), start, call.event.i):
        return True
    block = lines_of(flow.texts.get(opened.file, ""))[opened.line : opened.end_line]
    return any(f"{loop.function}(" in line for line in block)


def _times_in(flow: FlowGraph, file: str, first: int, last: int) -> Iterator[list[int]]:
    times = flow.once_for_all(_times)
    for number, site in flow.sites.items():
        if site.at.file == file and first < site.at.line <= last:
            yield times[number]


def ran(
    flow: FlowGraph, file: str, part: ProgramLoop | Branch | Override, start: int, end: int
) -> bool:
    """Whether an event happened in a part of the program, such as the body of a loop, between two events."""
    times = flow.once_for_all(_times)
    inside = (
        times[number]
        for number, site in flow.sites.items()
        if site.at.file == file and part.holds(site.at.line, site.at.column)
    )
    return _is_between(inside, start, end)


def _is_between(times: Iterator[list[int]], start: int, end: int) -> bool:
    for each in times:
        after = bisect_right(each, start)
        if after < len(each) and each[after] < end:
            return True
    return False


def _times(flow: FlowGraph) -> dict[int, list[int]]:
    """Return the events that happened at each call site."""
    times: dict[int, list[int]] = defaultdict(list)
    for event in flow.trace:
        if isinstance(event, events.Placed):
            for site in event.stack:
                times[site].append(event.i)
    return times


def _names_of(flow: FlowGraph, call: GradientCall, source: int) -> set[str]:
    """Return the names of a source, both on the line that created it and in the gradient call."""
    made = flow.born[source]
    index = [each.value for each in call.event.sources].index(source)
    texts = [flow.name(source), call.event.sources[index].name]
    site = flow.innermost(made)
    if site is not None:
        texts.append(site.code.partition("=")[0])
    given = sources_given(call.event.text)
    if isinstance(given, ast.List | ast.Tuple) and index < len(given.elts):
        given = given.elts[index]
    nodes = [given, *map(parsed, filter(None, texts))]
    return {name for node in nodes if node is not None for name in dotted_names(node)}


def _names_behind(flow: FlowGraph, call: GradientCall) -> set[str]:
    """Return the names of the values from which the targets were computed, and of the target."""
    names = {call.event.target_name or ""}
    for value in flow.once(FlowGraph.own_past, call):
        op = flow.op_behind(value)
        names.add((op.target_name if op is not None else flow.name(value)) or "")
    return names - {""}

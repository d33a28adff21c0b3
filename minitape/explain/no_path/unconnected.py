"""There is no path, because the target does not depend on the source. This module finds what the user probably meant.

All causes that fit are weighed against each other (`weighing.py`). Of two causes with the same support, the first in this list
wins, and the last one is reported only if no other cause fits:

    swapped                the source was computed from the target
    second-order-linear    the target is a gradient that does not depend on the source
    source-is-copy         the source is a slice or copy, and the target was computed from the original
    another object         a twin of the source was used, or another model (`twins.py`)
    loop-never-ran         the loop that would have used it ran zero times (`never_ran.py`)
    overwritten-value      another value replaced the value computed from the source, under the same name
    control-flow           the source only selected a branch or set the number of iterations
    unconnected            the target was computed from other values
"""

import ast
import re
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from msgspec import structs

from minitape.explain.at_source import originals, untrainable
from minitape.explain.breaks import beside_the_tape
from minitape.explain.causes import absent, cuts, sources, tapes
from minitape.explain.causes.cause import BrokenEdge, Cause, Facts
from minitape.explain.causes.rewriting import makes_tensor, parsed
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.leaving import is_shown
from minitape.explain.flow.program.functions import line_without
from minitape.explain.flow.program.text import (
    line_of_own_return,
    line_of_renaming,
    line_of_return_without,
)
from minitape.explain.never_ran import perhaps_unused, unused
from minitape.explain.no_path.arrays import array_used
from minitape.explain.no_path.left_out import not_taken, overridden
from minitape.explain.no_path.twins import (
    another_object,
    never_called,
    read_on_tape,
    where_they_part,
)
from minitape.explain.no_path.weighing import best_supported
from minitape.explain.pointing.calls import arguments_given, function_around, names_read
from minitape.explain.report import Evidence
from minitape.trace import events

_CHOICES = {"bool", "int", "index"}


def no_path(
    flow: FlowGraph, call: GradientCall, source: int, targets: set[int]
) -> BrokenEdge[Facts]:
    """Return the most likely reason why no path leads from `source` to the targets."""
    useful = flow.once(FlowGraph.own_past, call)
    fitting = (
        _swapped(flow, call, source, targets),
        _linear(flow, call, source, useful),
        _copy(flow, source, useful),
        untrainable(flow, call, source),
        another_object(flow, call, source),
        unused(flow, call, source),
        not_taken(flow, call, source),
        _overwritten(flow, call, source, useful),
        _choice(flow, call, source),
    )
    best = best_supported(flow, call, source, fitting)
    return best or _unconnected(flow, call, source, targets, useful)


def _swapped(
    flow: FlowGraph, call: GradientCall, source: int, targets: set[int]
) -> BrokenEdge[Facts] | None:
    if targets & (flow.upstream([source], call.event.i) - {source}):
        return BrokenEdge(absent.swapped, call.event.i, facts=absent.Unconnected())
    return None


def _linear(
    flow: FlowGraph, call: GradientCall, source: int, useful: set[int]
) -> BrokenEdge[Facts] | None:
    for inner in flow.calls.values():
        if inner.event.i >= call.event.i:
            break
        given = {each.numbers.id for each in inner.results if each.numbers is not None}
        if not given & useful:
            continue
        if flow.leads(source, inner.event.targets):
            own = _own_rule_without_history(flow, inner, source)
            if own is not None:
                return own
            target = inner.event.targets[0]
            born = flow.born.get(target, inner.event)
            return BrokenEdge(
                tapes.second_order_linear, born.i, (inner.event.i,), tapes.Linear(value=target)
            )
    return None


def _own_rule_without_history(
    flow: FlowGraph, inner: GradientCall, source: int
) -> BrokenEdge[Facts] | None:
    """Return a user's gradient function on the path of the first derivative, whose result no tape recorded."""
    for step in inner.steps:
        op = step.op
        is_own = flow.primitives[op.name].rule == cuts.OWN_RULE
        if (
            is_own
            and flow.leads(source, [output.id for output in op.outputs])
            and op.at is not None
        ):
            line = line_of_own_return(flow.texts.get(op.at.file, ""), op.name)
            at = None if line is None else (op.at.file, line)
            facts = cuts.OfGradientFunction()
            return BrokenEdge(cuts.own_rule_without_history, op.i, (inner.event.i,), facts, at=at)
    return None


def _copy(flow: FlowGraph, source: int, useful: set[int]) -> BrokenEdge[Facts] | None:
    born = flow.born.get(source)
    if not isinstance(born, events.OpEvent | events.ReadEvent):
        return None
    for value in originals(flow, source):
        if value in useful:
            return BrokenEdge(sources.source_is_copy, born.i, facts=sources.OfCopy(original=value))
    for other in sorted(useful):
        original = flow.op_behind(other)
        if original is not None and other != source and _made_again(flow, source, other):
            again = sources.ComputedAgain(original=other, made=born.i)
            by = Evidence.NUMBERS
            return BrokenEdge(sources.source_is_copy, original.i, (born.i,), again, by=by)
        if original is not None and other != source and _made_alike(flow, source, other):
            facts = sources.OfCopy(original=other)
            site = where_they_part(original.stack, born.stack)
            by = Evidence.NUMBERS  # equal values are the only evidence
            return BrokenEdge(
                sources.source_is_copy, born.i, (original.i,), facts, site=site, by=by
            )
    return None


def _made_alike(flow: FlowGraph, one: int, other: int) -> bool:
    """Whether two ops computed the same result from the same inputs, or the same line ran twice with the same result."""
    mine, theirs = flow.op_behind(one), flow.op_behind(other)
    if mine is None or theirs is None:
        return False
    if mine.name != theirs.name or mine.attrs != theirs.attrs:
        return False
    if _givens(flow, mine) == _givens(flow, theirs):
        return True
    return mine.at == theirs.at and _facts(flow, one) == _facts(flow, other)


def _made_again(flow: FlowGraph, one: int, other: int) -> bool:
    """Whether a later call of a model, on another line, computed the same values with the same op as an earlier call."""
    mine, theirs = flow.op_behind(one), flow.op_behind(other)
    if mine is None or theirs is None or mine.i > theirs.i or mine.at == theirs.at:
        return False
    sites, numbers = (flow.innermost(mine), flow.innermost(theirs)), flow.numbers[one]
    if numbers.min == numbers.max or mine.name != theirs.name or mine.attrs != theirs.attrs:
        return False
    if any(each is None or not _is_model_call(each.expression) for each in sites):
        return False
    return _facts(flow, one) == _facts(flow, other)


def _is_model_call(expression: str) -> bool:
    """Whether an expression calls an object of the program, and not a function of TensorFlow."""
    return re.match(r"(?!tf\.|np\.|keras\.)[\w.]+\(", expression) is not None


def _facts(flow: FlowGraph, value: int) -> events.Numbers:
    """Return the summary of a value without its id and its name."""
    return structs.replace(flow.numbers[value], id=0, name=None)


def _givens(flow: FlowGraph, op: events.OpEvent) -> list[object]:
    """Return the inputs of an op, with the variable in place of a read and the value in place of a constant."""
    givens: list[object] = []
    for given in op.inputs:
        born = flow.born.get(given.value)
        if isinstance(born, events.ReadEvent):
            givens.append(born.variable)
        elif isinstance(born, events.ConstantEvent) and born.how == "operand":
            givens.append(str(flow.numbers[given.value].data))
        else:
            givens.append(given.value)
    return givens


def _overwritten(
    flow: FlowGraph, call: GradientCall, source: int, useful: set[int]
) -> BrokenEdge[Facts] | None:
    for end, dead in _dead_ends(flow, call, source):
        name = dead.target_name
        if name is None or end in flow.once_for_all(_all_targets):
            continue  # a target is not discarded
        for other in sorted(useful):
            op = flow.op_behind(other)
            if op is None or op.i < dead.i:
                continue
            if op.target_name == name and _function(flow, op) == _function(flow, dead):
                is_layers = _is_made_by_a_layer(flow, source)
                cause: Cause[absent.Overwritten] = (
                    absent.unused_layer if is_layers else absent.overwritten_value
                )
                facts = absent.Overwritten(name=name)
                site = _naming_site(flow, op)
                return BrokenEdge(cause, op.i, (dead.i,), facts, site=site, by=Evidence.NAME)
    return None


def _dead_ends(
    flow: FlowGraph, call: GradientCall, source: int
) -> list[tuple[int, events.OpEvent]]:
    """Return the last values that were computed from the source and not used, with their ops, the latest first."""
    reached = sorted(flow.downstream([source], call.event.i), reverse=True)
    return [
        (value, op)
        for value in reached
        if not flow.out_of.get(value) and (op := flow.op_behind(value)) is not None
    ]


def _all_targets(flow: FlowGraph) -> set[int]:
    return {target for call in flow.calls.values() for target in call.event.targets}


def _function(flow: FlowGraph, event: events.Placed) -> str | None:
    """Return the function whose statement gives the value of an event its name."""
    site = _naming_site(flow, event)
    return None if site is None else flow.sites[site].function


def _naming_site(flow: FlowGraph, event: events.Placed) -> int | None:
    """Return the call that led to an event and whose statement names its value."""
    return next((site for site in reversed(event.stack) if flow.sites[site].target), None)


def _belongs_to_a_layer(flow: FlowGraph, variable: int) -> bool:
    """Whether a variable belongs to an object, or was created by one."""
    name = flow.name(variable) or ""
    return name.startswith("self.") or _is_made_by_a_layer(flow, variable)


def _is_made_by_a_layer(flow: FlowGraph, value: int) -> bool:
    """Whether a value is a variable that a library created, in a user's call that does not contain `Variable`."""
    made = flow.variables.get(value)
    site = None if made is None else flow.innermost(made)
    return site is not None and "Variable" not in site.expression


def _choice(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    life = flow.tapes[call.tape]
    start = life.entered[0] if life.entered else 0
    reached = flow.downstream([source], call.event.i)
    for exit, nodes in flow.exits.values():
        if not start < exit.i < call.event.i or reached.isdisjoint(nodes):
            continue
        site = flow.innermost(exit)
        statement = "" if site is None else site.code
        if is_shown(flow, exit):
            continue  # the condition only decides what is shown
        steers = (
            statement.startswith(("if ", "elif ", "while ", "for ", "assert "))
            or " if " in statement
        )
        if exit.via in _CHOICES or steers:
            return BrokenEdge(absent.control_flow, exit.i, facts=absent.ControlFlow())
    return None


def _left(flow: FlowGraph) -> dict[int, events.ExportEvent]:
    """Return, for each value that left TensorFlow, the event at which it first left."""
    left: dict[int, events.ExportEvent] = {}
    for exit, _ in flow.exits.values():
        for value in exit.values:
            left.setdefault(value, exit)
    return left


def _unconnected(
    flow: FlowGraph, call: GradientCall, source: int, targets: set[int], useful: set[int]
) -> BrokenEdge[Facts]:
    """Point at the line that computes the target, or, if the source was never used, at the line that creates it."""
    made = flow.born.get(source, call.event)
    is_read = source in flow.once(read_on_tape, call)
    shown = flow.once_for_all(_left).get(source)
    facts = absent.Unconnected(
        leaves=tuple(flow.once(_leaves, call)[:6]),
        used=source in flow.out_of,
        uncalled=() if is_read else tuple(flow.once(never_called, call)),
        left=None if shown is None or shown.i >= call.event.i else shown.i,
    )
    # A gradient call may have no target at all.
    target = flow.born.get(min(targets), call.event) if targets else call.event
    number = _number_of_keras(flow, target)
    if number is not None and len(facts.uncalled) == 1:
        facts = replace(facts, number=number)
        return BrokenEdge(absent.unused_layer, target.i, (made.i,), facts)
    variable = None if is_read else flow.variables.get(source)
    replaced = None if variable is None else overridden(flow, call, variable)
    if replaced is not None:
        method, file = replaced
        facts = replace(facts, method=method)
        cause = _cause(_belongs_to_a_layer(flow, source))
        return BrokenEdge(cause, made.i, (target.i,), facts, at=(file, method.line))
    beside = None if facts.used else array_used(flow, call, source, useful)
    if beside is not None:
        where_used, array = beside
        facts = replace(facts, array=array)
        return BrokenEdge(absent.unconnected, target.i, (made.i,), facts, site=where_used)
    if not facts.used and source in flow.variables:
        cause = _cause(_belongs_to_a_layer(flow, source))
        left_out = _left_out(flow, made)
        if left_out is not None:
            attribute, location = left_out
            return BrokenEdge(
                cause, made.i, (target.i,), replace(facts, own=attribute), at=location
            )
        idle = perhaps_unused(flow, call, source)
        if idle is not None:
            return idle
        site = _where_its_object_is_made(flow, made, useful)
        return BrokenEdge(cause, made.i, (target.i,), facts, site=site)
    renamed = _renamed(flow, call)
    ends = [end for _, end in _dead_ends(flow, call, source)]
    thrown_away = [end for end in ends if _is_statement(flow, end)]
    cause = _cause(_is_made_by_a_layer(flow, source))
    if thrown_away:
        end = thrown_away[0].i
        return BrokenEdge(cause, end, (target.i,), replace(facts, end=end))
    if renamed is None and ends:
        facts = replace(facts, end=ends[0].i)
        ignoring = _ignoring(flow, ends[0], useful)
        if ignoring is not None:
            site, ignored = ignoring
            facts = replace(facts, ignored=ignored)
            return BrokenEdge(cause, ends[0].i, (target.i,), facts, site=site)
        event, site, at = _after_the_dead_end(flow, call, ends[0], useful)
        return BrokenEdge(cause, event, (ends[0].i, target.i), facts, site=site, at=at)
    return BrokenEdge(absent.unconnected, target.i, (made.i,), facts, at=renamed)


def _number_of_keras(flow: FlowGraph, target: events.Placed) -> str | None:
    """Return the number in `tf.constant(logs["loss"])`, which Keras passed to a callback or keeps in a history; else None."""
    site = flow.innermost(target)
    call = None if site is None else parsed(site.expression)
    if (
        site is None
        or not isinstance(target, events.ConstantEvent)
        or not isinstance(call, ast.Call)
    ):
        return None
    given = call.args[:1] if makes_tensor(call) else []
    written = "".join(ast.get_source_segment(site.expression, each) or "" for each in given)
    is_kept = re.match(r"logs(\[|\.get\()|[\w.]*\bhistory\[", written)
    return written if is_kept else None


def _cause(is_of_a_layer: bool) -> Cause[absent.Unconnected]:
    return absent.unused_layer if is_of_a_layer else absent.unconnected


def _leaves(flow: FlowGraph, call: GradientCall) -> list[int]:
    """Return the variables and named constants from which the targets were computed.

    What left TensorFlow and came back as data, as the actions in a replay buffer do, is a leaf itself.
    """
    past = flow.once(FlowGraph.own_past, call)
    computed = set(call.ends)
    waiting = list(computed)
    while waiting:
        for edge in flow.into.get(waiting.pop(), ()):
            if edge.kind != "reentry" and edge.start in past and edge.start not in computed:
                computed.add(edge.start)
                waiting.append(edge.start)
    return [
        value
        for value in sorted(computed)
        if value in flow.variables or _is_named_leaf(flow, value)
    ]


def _where_its_object_is_made(flow: FlowGraph, made: events.Placed, useful: set[int]) -> int | None:
    """Return the call that created the object, if the line of the variable created other objects too that are used."""
    is_shared = any(flow.variables[each].at == made.at for each in useful & set(flow.variables))
    return made.stack[-2] if is_shared and len(made.stack) > 1 else None


def _left_out(flow: FlowGraph, made: events.Placed) -> tuple[str, tuple[str, int]] | None:
    """Return a weight or layer of an object that its `call` does not use: the attribute, and the line that should use it."""
    site = flow.innermost(made)
    own = re.match(r"self\.(\w+)", (site.target or site.expression) if site is not None else "")
    if site is None or own is None:
        return None
    file = site.at.file
    line = line_without(flow.texts.get(file, ""), own[1], site.at.line)
    return None if line is None else (own[0], (file, line))


def _ignoring(
    flow: FlowGraph, end: events.OpEvent, useful: set[int]
) -> tuple[int, absent.IgnoredParameter] | None:
    """Return the call that passes the dead end to a function that ran and does not read this parameter."""
    sites = [flow.sites[number] for number in end.stack]
    names = {each for site in sites if site.target for each in re.findall(r"\w+", site.target)}
    later = [op for value in sorted(useful) if (op := flow.op_behind(value)) and op.i > end.i]
    for outer, inner in dict.fromkeys(pair for op in later for pair in pairwise(op.stack)):
        site, inside = flow.sites[outer], flow.sites[inner].at
        callee = function_around(flow.texts.get(inside.file, ""), inside.line)
        for parameter, argument in (
            arguments_given(site.expression, callee).items() if callee else ()
        ):
            if argument in names and callee and parameter not in names_read(callee):
                name = callee.name
                found = absent.IgnoredParameter(name, callee.lineno, parameter, argument)
                return outer, found
    return None


class _Pointer(NamedTuple):
    """What to point at: an event, or a site or a line instead of those of the event."""

    event: int
    site: int | None = None
    at: tuple[str, int] | None = None


def _after_the_dead_end(
    flow: FlowGraph, call: GradientCall, end: events.OpEvent, useful: set[int]
) -> _Pointer:
    """Return the location where the dead end should have been used: the return that does not use it, or the next line that
    could.

    If the dead end is one of several results of a call, the location is that call, which assigns the results to their names.
    """
    site = flow.innermost(end)
    if site is not None:
        file, line = site.at.file, site.at.line
        left_out = line_of_return_without(flow.texts.get(file, ""), end.target_name or "", line)
        if left_out is not None:
            return _Pointer(end.i, at=(file, left_out))
    life = flow.tapes[call.tape]
    beside = beside_the_tape(flow, life, end)
    if beside is not None and "," in (flow.sites[beside].target or ""):
        return _use_of_other_result(flow, flow.sites[beside], end, useful) or _Pointer(
            end.i, beside
        )
    for value in sorted(useful):
        op = flow.op_behind(value)
        if op is not None and op.i > end.i:
            return _Pointer(op.i, beside_the_tape(flow, life, op))
    return _Pointer(end.i, beside)


def _use_of_other_result(
    flow: FlowGraph, call: events.SiteEvent, end: events.OpEvent, useful: set[int]
) -> _Pointer | None:
    """Return the op that uses another result of the same call: in `h, out = cell(x, h)`, the loss that uses `h`.

    The call itself may be wrong, if it assigns its results to the names in the wrong order. So the function has to use the name
    `out` too, or the call has to pass `h` on.
    """
    names = {each.strip(" ()") for each in (call.target or "").split(",")}
    if end.target_name not in names:
        names &= set(re.findall(r"\w+", call.expression.partition("(")[2]))
    names -= {end.target_name}
    for value in sorted(useful):
        op = flow.op_behind(value)
        site = None if op is None else flow.innermost(op)
        if op is None or site is None or op.i < end.i or site.function != call.function:
            continue
        if site.at.line != call.at.line and any(given.text in names for given in op.inputs):
            return _Pointer(op.i)
    return None


def _is_statement(flow: FlowGraph, op: events.OpEvent) -> bool:
    """Whether the op is a statement of its own, so that nothing can use its value."""
    site = flow.innermost(op)
    return site is not None and bool(site.expression) and site.code == site.expression


def _is_named_leaf(flow: FlowGraph, value: int) -> bool:
    return isinstance(flow.born.get(value), events.ConstantEvent) and flow.name(value) is not None


def _renamed(flow: FlowGraph, call: GradientCall) -> tuple[str, int] | None:
    """Return the line `loss = other` that gave the target its name, if there is one. No op runs on that line."""
    name, at = call.event.target_name, call.event.at
    if name is None or at is None or at.file not in flow.texts:
        return None
    line = line_of_renaming(flow.texts[at.file], name, at.line)
    return None if line is None else (at.file, line)

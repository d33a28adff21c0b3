"""The program used an object other than the source: which one, and where it was created or called.

a copy          `copy.deepcopy(line)`, `clone_model(model)`: the copy has its own variables
another model   for example, the teacher was called where the student was meant
looked up late  a function created in a loop, which finds the last value of the loop variable when it is called
a twin          a variable with the same name, or from the same line
created again   the model was built a second time, and the list of sources has the old variables
"""

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from minitape.explain.breaks import Path
from minitape.explain.causes import cuts, twins
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.rewriting import operands, parsed, renamed
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.functions import (
    Late,
    is_function,
    line_of_default,
    looked_up_late,
)
from minitape.explain.flow.program.loops import dotted_names
from minitape.explain.flow.program.sources import (
    Assignment,
    names_listed,
    sources_given,
    value_of,
    weights_of,
)
from minitape.explain.flow.program.text import line_of_assignment
from minitape.explain.pointing.calls import function_around
from minitape.trace import events

_when = attrgetter("event")
# The expressions that list the weights of a model.
_WEIGHTS = re.compile(r"(?P<model>[\w.]+)\.(get_weights\(\)|(trainable_)?(weights|variables)\b)")
_COPYING = re.compile(r"(^|\.)(deepcopy|clone_model|copy)\(")


def another_object(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the object that was used instead of a source that was not read while the tape recorded."""
    made = flow.variables.get(source)
    if made is None or source in flow.once(read_on_tape, call):
        return None
    return (
        copied(flow, call, made)
        or _copied_weights(flow, call, made)
        or called_instead(flow, call, made)
        or _called_twice(flow, call, made)
        or _looked_up_late(flow, call, made)
        or _twin(flow, call, made)
        or _taken_too_early(flow, call, made)
    )


def recreated(
    flow: FlowGraph, call: GradientCall, source: int, path: Path
) -> BrokenEdge[Facts] | None:
    """Return the variable that was created from the value of the source before the tape opened, and replaced it."""
    made, opened = flow.variables.get(source), flow.tapes[call.tape].entered
    if made is None or not opened or source in flow.once(read_on_tape, call):
        return None
    if not path.breaks or any(each.event > opened[0] for each in path.breaks):
        return None
    for edge in reversed(path.edges):
        twin = flow.born.get(edge.end)
        if isinstance(twin, events.AssignEvent):
            twin = flow.variables[twin.variable]
        if (
            isinstance(twin, events.VariableEvent)
            and twin.i > made.i
            and _has_its_name(flow, made, twin)
        ):
            facts = twins.Replaced(kept=_old_list(flow, call))
            site = where_they_part(made.stack, twin.stack)
            return BrokenEdge(twins.recreated_variable, twin.i, (made.i,), facts, site=site)
    return None


def _old_list(flow: FlowGraph, call: GradientCall) -> tuple[str, Assignment] | None:
    """Return the name that a call passes as its sources, and the statement that assigned it."""
    at, given = call.event.at, sources_given(call.event.text)
    if at is None or given is None:
        return None
    name = ast.unparse(given)
    taken = value_of(flow.texts.get(at.file, ""), name, at.line)
    return None if taken is None else (name, taken)


def _taken_too_early(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    """Return the statement that took the list of sources before a later line of its function replaced the source.

    The new variable has another shape, as the head of a network for other classes has, so the source was not copied.
    """
    at, kept = call.event.at, _old_list(flow, call)
    if at is None or kept is None:
        return None
    requested = {each.value for each in call.event.sources}
    taken = kept[1].line
    around = function_around(flow.texts.get(at.file, ""), taken)
    for twin in _used(flow, call):
        if twin.variable in requested or twin.i < made.i or not _is_same_part(flow, made, twin):
            continue
        for number in twin.stack:
            site = flow.sites[number]
            inside = function_around(flow.texts.get(at.file, ""), site.at.line)
            if site.at.file == at.file and inside is around and site.at.line > taken:
                facts = twins.TakenTooEarly(kept=kept, later=site.at.line, twin=twin.variable)
                where = at.file, taken
                return BrokenEdge(twins.recreated_variable, twin.i, (made.i,), facts, at=where)
    return None


def _is_same_part(flow: FlowGraph, one: events.VariableEvent, other: events.VariableEvent) -> bool:
    """Whether the same line created two variables with the same last name, such as `head/kernel` and `new_head/kernel`."""
    names = {(flow.name(each.variable) or "").rpartition("/")[2] for each in (one, other)}
    return one.at is not None and one.at == other.at and len(names) == 1 and "" not in names


def _has_its_name(flow: FlowGraph, one: events.VariableEvent, other: events.VariableEvent) -> bool:
    """Whether two variables have the same name, the same target or the same line."""
    sites = [flow.innermost(each) for each in (one, other)]
    locations = [None if site is None else site.target for site in sites]
    is_named = _plain_name(one) == _plain_name(other) != "Variable"
    return is_named or one.at == other.at or locations[0] == locations[1] is not None


def read_on_tape(flow: FlowGraph, call: GradientCall) -> dict[int, list[events.ReadEvent]]:
    """Return the variables that were read between the opening of the tape and the call, with their reads."""
    entered = flow.tapes[call.tape].entered
    found: dict[int, list[events.ReadEvent]] = {}
    for variable in flow.variables if entered else ():
        edges = flow.out_of.get(variable, [])
        first = bisect_right(edges, entered[0], key=_when)
        for edge in edges[first : bisect_left(edges, call.event.i, key=_when)]:
            event = flow.event(edge.event)
            if isinstance(event, events.ReadEvent) and event.variable == variable:
                found.setdefault(variable, []).append(event)
    return found


def _used(flow: FlowGraph, call: GradientCall) -> list[events.VariableEvent]:
    """Return the variables from which the targets were computed, in the order in which they were created."""
    useful = flow.once(FlowGraph.own_past, call)
    return [made for variable, made in flow.variables.items() if variable in useful]


def _names(flow: FlowGraph, call: GradientCall, made: events.VariableEvent) -> set[str]:
    """Return the names of a source of a call in the program, and of the objects that hold it."""
    index = [each.value for each in call.event.sources].index(made.variable)
    requested = parsed(call.event.sources[index].name)
    names = set() if requested is None else set(dotted_names(requested))
    given = sources_given(call.event.text)
    return names if given is None else names | set(dotted_names(given))


# --- a copy ---


def copied(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    """Return the copy that was used, if the call passes variables of the original."""
    copies = flow.once_for_all(_copies)
    if not copies:
        return None
    names = _names(flow, call, made)
    for twin in _used(flow, call):
        if twin.numbers.shape != made.numbers.shape or twin is made:
            continue
        for number in twin.stack:
            original = copies.get(number)
            if original is not None and original in names:
                copied = flow.sites[number].expression
                facts = twins.Copied(copied=copied, original=original)
                return BrokenEdge(twins.recreated_variable, twin.i, (made.i,), facts, site=number)
    return None


def _copies(flow: FlowGraph) -> dict[int, str]:
    """Return the calls that copy, each with the object that it copies."""
    return {
        number: (operands(site.expression) or [""])[0]
        for number, site in flow.sites.items()
        if _COPYING.search(site.expression)
    }


def _copied_weights(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    """Return the statement that copied the weights of a model into the sources, if the target was computed from that model."""
    site, given = flow.innermost(made), sources_given(call.event.text)
    listed = _WEIGHTS.search(site.code) if site is not None and "Variable(" in site.code else None
    if site is None or listed is None or given is None:
        return None
    original = listed["model"]
    for twin in _used(flow, call):
        if twin is made or twin.numbers.shape != made.numbers.shape:
            continue
        reads = flow.once(read_on_tape, call).get(twin.variable, ())
        stacks = [number for each in (*reads, twin) for number in each.stack]
        if any(
            original in (s.target, s.expression.partition("(")[0])
            for s in map(flow.sites.__getitem__, stacks)
        ):
            better = renamed(call.event.text, ast.unparse(given), f"{original}.trainable_variables")
            facts = twins.CopiedWeights(original=original, better=better)
            return BrokenEdge(twins.recreated_variable, made.i, (twin.i,), facts)
    return None


# --- another model ---


def called_instead(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    """Return the call of another model, if the model whose weights are the sources was not called while the tape recorded."""
    found = flow.once(_instead, call)
    if found is None or made.variable in flow.once(read_on_tape, call):
        return None
    return _as_called(flow, call, made, found, flow.once(never_called, call)[0])


class _Called(NamedTuple):
    """A call of a model: its first read of a weight, its location, the model, and whether the model was called elsewhere too."""

    read: events.ReadEvent
    number: int
    model: str
    is_twice: bool


def _called_twice(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    """Return the second call of a layer, if the layer of the source, created beside it with equal shapes, was not called.

    A layer may be shared on purpose. So the two calls must have the same arguments, or the result of one of them must be named
    after the layer that was not called.
    """
    layers = {
        number: target
        for number in made.stack
        if re.fullmatch(r"(\w+\.)?\w+", target := flow.sites[number].target or "")
    }
    for model, locations in flow.once(_calls_of_models, call).items():
        for number, meant in layers.items() if len(locations) > 1 else ():
            mine = [each for each in flow.variables.values() if number in each.stack]
            used = {each.variable for reads in locations.values() for each in reads}
            others = [flow.variables[each] for each in sorted(used)]
            if not _is_beside(model, meant) or not _is_alike(mine, others, is_called_twice=False):
                continue
            second = _call_meant(flow, list(locations), meant)
            if second is not None:
                called = _Called(locations[second][0], second, model, is_twice=True)
                return _as_called(flow, call, made, called, meant)
    return None


def _is_beside(one: str, other: str) -> bool:
    """Whether two names are different attributes of the same object, or different plain names."""
    return one != other and one.rpartition(".")[0] == other.rpartition(".")[0]


def _call_meant(flow: FlowGraph, numbers: list[int], meant: str) -> int | None:
    """Return the call of a layer that should probably call another one: by the name of its result, or by equal arguments."""
    last = meant.rpartition(".")[2]
    sites = [flow.sites[each] for each in numbers]
    named = [
        number
        for number, site in zip(numbers, sites, strict=True)
        if site.target and last.startswith(site.target)
    ]
    if len(named) == 1:
        return named[0]
    is_repeated = len({site.expression for site in sites}) < len(sites)
    return numbers[-1] if is_repeated else None


def _instead(flow: FlowGraph, call: GradientCall) -> _Called | None:
    """Return the last call of a model that could be confused with the one that was not called."""
    if len(flow.once(never_called, call)) != 1:
        return None
    read = flow.once(read_on_tape, call)
    requested = {each.value for each in call.event.sources}
    wanted = {
        each.value
        for each in call.event.sources
        if each.value in flow.variables and each.value not in read
    }
    # In the order in which they were created, as the others are, because `tf.Module` lists its variables by name.
    group = [flow.variables[each] for each in sorted(wanted)]
    found: list[_Called] = []
    flowing = flow.once(_flowing, call)
    for model, locations in flow.once(_calls_of_models, call).items():
        for number, reads in locations.items():
            used = {each.variable for each in reads}
            others = [flow.variables[each] for each in sorted(used)]
            # A compiled function reads its variables itself.
            if flowing.isdisjoint((reads[0].value, reads[0].variable)):
                continue
            if _is_recreated(flow, call, group, others):
                return None
            is_twice = len(locations) > 1
            if (is_twice or requested.isdisjoint(used)) and _is_alike(group, others, is_twice):
                found.append(_Called(reads[0], number, model, is_twice))
    return max(found, key=lambda each: each.read.i, default=None)


def _is_recreated(
    flow: FlowGraph,
    call: GradientCall,
    group: list[events.VariableEvent],
    others: list[events.VariableEvent],
) -> bool:
    """Whether the called model is the same model, created again while the tape recorded."""
    start = flow.tapes[call.tape].entered[0]
    locations = {each.at for each in group}
    return any(each.i > start and each.at in locations for each in others)


def _as_called(
    flow: FlowGraph,
    call: GradientCall,
    made: events.VariableEvent,
    found: _Called,
    meant: str,
) -> BrokenEdge[Facts]:
    read, number, called, _ = found
    site = flow.sites[number]
    twin = flow.variables[read.variable]
    line = flow.outer_line(twin)
    text = flow.texts.get(site.at.file, "")
    here = f"self.{meant.rpartition('.')[2]}" if called.startswith("self.") else meant
    facts = twins.OtherModel(
        called=called,
        meant=here,
        called_made=_line_of_creation(text, called, site.at.line) or line,
        meant_made=_line_of_creation(text, here, site.at.line),
    )
    return BrokenEdge(twins.other_model, read.i, (made.i,), facts, site=number)


def _line_of_creation(program: str, name: str, before: int) -> int | None:
    """Return the line that assigns a model to a name, or to an attribute of the object: `self.target = ...`."""
    if "." not in name:
        return line_of_assignment(program, name, before)
    assigned = value_of(program, name, before)
    return None if assigned is None else assigned.line


def weights_of_copy(
    flow: FlowGraph, call: GradientCall, source: int, path: Path
) -> BrokenEdge[Facts] | None:
    """Return the list of the weights of a copy, if its original was called on the tape, and the copy only before it opened."""
    made, opened = flow.variables.get(source), flow.tapes[call.tape].entered
    at, given = call.event.at, sources_given(call.event.text)
    if made is None or not opened or at is None or given is None:
        return None
    if any(each.event > opened[0] for each in path.breaks):
        return None
    found = called_instead(flow, call, made)
    if found is None or not isinstance(found.facts, twins.OtherModel):
        return None
    program, (original, copy) = flow.texts.get(at.file, ""), (found.facts.called, found.facts.meant)
    if not _is_copy(program, original, copy):
        return None
    name = ast.unparse(given)
    listed = value_of(program, name, at.line)
    weights = given if listed is None else listed.value
    statement = renamed(ast.unparse(weights), copy, original)
    if listed is not None:
        statement = f"{name} = {statement}"
    facts = replace(found.facts, better=statement)
    line = at.line if listed is None else listed.line
    return replace(found, site=None, at=(at.file, line), facts=facts)


def _is_copy(program: str, original: str, copy: str) -> bool:
    """Whether a program creates a model as the copy of another, or sets its weights to those of the other."""
    original, copy = re.escape(original), re.escape(copy)
    is_made = rf"\b{copy} = .*\b(deepcopy|clone_model|copy)\({original}\b"
    is_set = rf"\b{copy}\.set_weights\({original}\."
    return re.search(f"{is_made}|{is_set}", program) is not None


def _is_alike(
    group: list[events.VariableEvent], others: list[events.VariableEvent], is_called_twice: bool
) -> bool:
    """Whether two models could be confused: the same number and shapes of weights, or the same input and output sizes."""
    mine, theirs = ([each.numbers.shape for each in of] for of in (group, others))
    if mine == theirs:
        return True
    if not (is_called_twice and mine and theirs and mine[-1] and theirs[-1]):
        return False
    return mine[0][:1] == theirs[0][:1] and mine[-1][-1] == theirs[-1][-1]


def never_called(flow: FlowGraph, call: GradientCall) -> list[str]:
    """Return the objects whose weights are the sources of a call, and which the program did not call while the tape recorded."""
    at, given = call.event.at, sources_given(call.event.text)
    if at is None or given is None:
        return []
    program = flow.texts.get(at.file, "")
    listed = [value_of(program, name, at.line) for name in names_listed(given)]
    values = [given, *(each.value for each in listed if each is not None)]
    known = value_of(program, ast.unparse(given), at.line)
    if known is not None:
        values = [known.value]
    owners = dict.fromkeys(owner for value in values for owner in weights_of(value))
    written = [each if each in call.event.text else each.replace("'", '"') for each in owners]
    return [each for each in written if not _is_called(flow, call, each)]


def _is_called(flow: FlowGraph, call: GradientCall, owner: str) -> bool:
    last = owner.rpartition(".")[2]
    for read in (each for reads in flow.once(read_on_tape, call).values() for each in reads):
        for number in read.stack:
            called = flow.sites[number].expression.partition("(")[0]
            for each in (called, called.rpartition(".")[0]):  # `model(x)` and `model.encode(x)`
                if each == owner or ("." in owner and each == f"self.{last}"):
                    return True
    return False


def _calls_of_models(
    flow: FlowGraph, call: GradientCall
) -> dict[str, dict[int, list[events.ReadEvent]]]:
    """Return the calls of objects while the tape recorded, by object and location, each with the variables that it read."""
    found: dict[str, dict[int, list[events.ReadEvent]]] = {}
    reads = [each for reads in flow.once(read_on_tape, call).values() for each in reads]
    for read in sorted(reads, key=lambda each: each.i):
        # The call site inside of each call; the function around it shows whether a function or a method was called.
        inner = [flow.sites[each].function.rpartition(".")[2] for each in read.stack[1:]] + [""]
        for number, function in zip(read.stack, inner, strict=False):
            site = flow.sites[number]
            called, opening, _ = site.expression.partition("(")
            is_object = bool(opening) and not called.startswith(("tf.", "np.", "with ", "[", "("))
            text, name = flow.texts.get(site.at.file, ""), called.rpartition(".")[2]
            if is_object and function != name and not is_function(text, name):
                found.setdefault(called, {}).setdefault(number, []).append(read)
                break
        else:
            for number, model in _methods_called(flow, call, read):
                found.setdefault(model, {}).setdefault(number, []).append(read)
    return found


def _methods_called(
    flow: FlowGraph, call: GradientCall, read: events.ReadEvent
) -> Iterator[tuple[int, str]]:
    """Yield the calls of methods that led to a read, such as `policy.log_prob(x)`, each with its object."""
    for number, inner in pairwise(read.stack):
        called, opening, _ = flow.sites[number].expression.partition("(")
        model, _, name = called.rpartition(".")
        function = flow.sites[inner].function
        is_method = function.endswith(f".{name}") and "<locals>" not in function
        if (
            opening
            and is_method
            and model not in ("", "self", "cls")
            and number not in call.event.stack
        ):
            yield number, model


def called_again(
    flow: FlowGraph, call: GradientCall, source: int, path: Path
) -> BrokenEdge[Facts] | None:
    """Return the call of another model, if the source was used only before the tape opened, for the arguments of that call.

    The weights of a policy determine its actions, and the probability of these actions may be computed with an older copy of it.
    No gradient is expected along that path, nor along one that passes a choice such as `argmax`.
    """
    made, opened = flow.variables.get(source), flow.tapes[call.tape].entered
    if made is None or not opened or any(each.event > opened[0] for each in path.breaks):
        return None
    found, other = flow.once(_instead, call), called_instead(flow, call, made)
    if found is None or other is None:
        return None
    entering = flow.once(_given_to_models, call)
    is_given = any(edge.end in entering for edge in path.edges)
    is_choice = any(each.cause is cuts.non_differentiable_op for each in path.breaks)
    return other if found.is_twice or is_given or is_choice else None


def _given_to_models(flow: FlowGraph, call: GradientCall) -> set[int]:
    """Return the values that the ops inside the confused call use, except the weights of the model."""
    found = flow.once(_instead, call)
    read = flow.once(read_on_tape, call)
    weights = {*read, *(each.value for reads in read.values() for each in reads)}
    return {
        given.value
        for op in flow.ops_on[call.tape]
        if found is not None and found.number in op.stack
        for given in op.inputs
        if given.value not in weights
    }


def _flowing(flow: FlowGraph, call: GradientCall) -> set[int]:
    """Return the values from which the targets were computed along a path without `stop_gradient`."""
    useful = flow.once(FlowGraph.own_past, call)
    reached = set(call.event.targets)
    waiting = list(reached)
    while waiting:
        for edge in flow.into.get(waiting.pop(), ()):
            op = flow.event(edge.event)
            is_stopped = isinstance(op, events.OpEvent) and op.name == "StopGradient"
            if edge.start in useful and not is_stopped and edge.start not in reached:
                reached.add(edge.start)
                waiting.append(edge.start)
    return reached


# --- looked up late ---


def _looked_up_late(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    found = flow.once(_late_reads, call)
    names = _tails(_names(flow, call, made)) if found else set()
    for twin, read, late in found:
        through = parsed(late.iterated)
        listed = set() if through is None else set(dotted_names(through))
        if _tails(listed) & names or _made_side_by_side(made, twin):
            facts = twins.LateBinding(late=late, twin=twin.variable)
            return BrokenEdge(twins.late_binding, read.i, (made.i,), facts)
    return None


def _late_reads(
    flow: FlowGraph, call: GradientCall
) -> list[tuple[events.VariableEvent, events.ReadEvent, Late]]:
    """Return the variables that functions created in a loop used, with their reads."""
    found = []
    reads = flow.once(read_on_tape, call)
    for twin in _used(flow, call):
        for read in reads.get(twin.variable, ()):
            at = read.at
            late = None if at is None else looked_up_late(flow.texts.get(at.file, ""), *at[1:3])
            if late is not None:
                found.append((twin, read, late))
    return found


def _tails(names: set[str]) -> set[str]:
    """Return the last parts of some names, because `model.kernel` on one line may be `self.kernel` on another."""
    return {name.rpartition(".")[2] for name in names}


def _made_side_by_side(one: events.VariableEvent, other: events.VariableEvent) -> bool:
    return one.at is not None and other.at is not None and one.at[:2] == other.at[:2]


# --- a twin ---


def _twin(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    requested = {each.value for each in call.event.sources}
    for twin in _used(flow, call):
        if twin.variable in requested or _are_siblings(flow, made, twin):
            continue
        is_same_shape = twin.numbers.shape == made.numbers.shape
        same_name = _plain_name(twin) == _plain_name(made) != "Variable"
        is_same_location = twin.at is not None and twin.at == made.at
        if (is_same_shape and (same_name or is_same_location)) or _is_shadowed(flow, made, twin):
            return _as_twin(flow, call, made, twin)
    return None


def _is_shadowed(flow: FlowGraph, one: events.VariableEvent, other: events.VariableEvent) -> bool:
    """Whether two statements assigned the two variables to the same plain name."""
    names = {flow.name(each.variable) for each in (one, other)}
    name = names.pop()
    return not names and name is not None and name.isidentifier() and one.at != other.at


def _as_twin(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent, twin: events.VariableEvent
) -> BrokenEdge[Facts]:
    """Point at the line that creates the superfluous variable."""
    each_access = _made_by_property(flow, made, twin)
    if each_access is not None:
        return each_access
    reads = flow.once(read_on_tape, call).get(twin.variable, [])
    head = _default_with_old_variable(flow, twin, reads)
    if head is not None or _is_one_too_many(made, twin, reads):
        later = twins.CreatedLater(used=twin.i, default=head is not None)
        site = where_they_part(twin.stack, made.stack)
        return BrokenEdge(twins.recreated_variable, made.i, (twin.i,), later, site=site, at=head)
    clone = _clone_used(flow, twin)
    if clone is not None:
        number, used = clone
        return BrokenEdge(twins.recreated_variable, twin.i, (made.i,), used, site=number)
    facts = twins.Recreated()
    at = _where_the_layer_is_made(flow, twin)
    site = where_they_part(made.stack, twin.stack)
    if site is None:
        site = next((each for each in twin.stack if flow.sites[each].loop is not None), None)
        loop = None if site is None else flow.sites[site].loop
        facts = twins.Recreated() if loop is None else twins.EachIteration(loop=loop.line)
    inner = twin.stack[twin.stack.index(site) + 1 :] if site is not None else []
    shared = next((read for read in reads if site in read.stack), None)
    if at is None and inner and shared is not None:
        site = _where_only_it_is_made(twin, shared)
        facts = twins.EachCall(name=flow.sites[site].target)
    return BrokenEdge(twins.recreated_variable, twin.i, (made.i,), facts, site=site, at=at)


def _clone_used(flow: FlowGraph, twin: events.VariableEvent) -> tuple[int, twins.UsedClone] | None:
    """Return the call that creates a copy of a model in the place where the model itself should be used: `clone_model(m)(x)`."""
    for number in twin.stack:
        site = flow.sites[number]
        node = parsed(site.expression)
        copy = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) else node
        called = "" if copy is None else ast.unparse(copy)
        if not isinstance(copy, ast.Call) or not re.match(r"([\w.]+\.)?clone_model\(", called):
            continue
        original = ast.unparse(copy.args[0]) if copy.args else ""
        if called in site.code and original:
            return number, twins.UsedClone(
                copied=called, statement=" ".join(site.code.replace(called, original).split())
            )
    return None


def _where_only_it_is_made(made: events.VariableEvent, read: events.ReadEvent) -> int:
    """Return the outermost call that led to the creation of a variable, but not to its use."""
    pairs = zip(made.stack, [*read.stack, None], strict=False)
    return next((mine for mine, theirs in pairs if mine != theirs), made.stack[-1])


def _made_by_property(
    flow: FlowGraph, made: events.VariableEvent, twin: events.VariableEvent
) -> BrokenEdge[Facts] | None:
    """Return the property that creates the two variables, because it creates a new one each time it is read."""
    for number in twin.stack:
        at = flow.sites[number].at
        function = function_around(flow.texts.get(at.file, ""), at.line)
        if function is None or number not in made.stack:
            continue
        if any(ast.unparse(each) == "property" for each in function.decorator_list):
            is_here = number == twin.stack[-1] and "Variable" in flow.sites[number].expression
            facts = twins.OfProperty(name=function.name)
            head = None if is_here else (at.file, function.lineno)
            site = number if is_here else None
            return BrokenEdge(
                twins.recreated_variable, twin.i, (made.i,), facts, site=site, at=head
            )
    return None


def _is_one_too_many(
    made: events.VariableEvent, twin: events.VariableEvent, reads: list[events.ReadEvent]
) -> bool:
    """Whether the source was created when the other variable already existed: after the use of that variable, or in a
    function.
    """
    if made.i < twin.i:
        return False
    is_after_use = bool(reads) and made.i > reads[-1].i
    return is_after_use or len(made.stack) > 1 == len(twin.stack)


def _default_with_old_variable(
    flow: FlowGraph, twin: events.VariableEvent, reads: list[events.ReadEvent]
) -> tuple[str, int] | None:
    """Return the head of the function whose default argument is the twin."""
    name = flow.name(twin.variable)
    for read in reads:
        if read.at is not None and name is not None:
            text = flow.texts.get(read.at.file, "")
            line = line_of_default(text, name, read.at.line, read.at.column)
            if line is not None:
                return read.at.file, line
    return None


def _are_siblings(flow: FlowGraph, one: events.VariableEvent, other: events.VariableEvent) -> bool:
    """Whether two variables were created side by side, in one loop, and not in a loop that records."""
    if one.stack != other.stack:
        return False
    first, last = sorted((one.i, other.i))
    return not any(first < start < last for life in flow.tapes.values() for start in life.entered)


def _plain_name(variable: events.VariableEvent) -> str:
    """Return the user's name for a variable, such as `dense/kernel` for `dense_1/kernel:0`."""
    return re.sub(r"_\d+(?=/)|:0$", "", variable.name)


def _where_the_layer_is_made(
    flow: FlowGraph, variable: events.VariableEvent
) -> tuple[str, int] | None:
    """Return the line that created the layer of a variable. The variable itself is created on the first call of the layer,
    `layer(x)`.
    """
    site = flow.innermost(variable)
    called = re.match(r"(\w+)\(", site.expression) if site is not None else None
    if site is None or called is None or called[1][:1].isupper():
        return None
    made = line_of_assignment(flow.texts.get(site.at.file, ""), called[1], site.at.line)
    return None if made is None else (site.at.file, made)


def where_they_part(one: list[int], other: list[int]) -> int | None:
    """Return the innermost call of the second of two call stacks that is not in the first; both end with the same call."""
    inward = list(zip(reversed(one), reversed(other), strict=False))
    for mine, theirs in inward:
        if mine != theirs:
            return theirs
    return other[-len(inward) - 1] if len(other) > len(inward) else None

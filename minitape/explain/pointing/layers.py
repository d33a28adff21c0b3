"""A layer: the line that created it, with its activation or its initializer.

made_with         the line that passed an activation to its layer
initialized_with  the line that created the layer of a weight that is all zeros
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.zeros import FlatOp, SumsToConstant, ZeroInit
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.pointing.calls import (
    all_calls,
    are_in_one_function,
    assignments_of,
    calls_of,
    calls_that_say,
    node_position,
    says,
    strings_that_say,
)
from minitape.explain.texts import report as report_texts
from minitape.source_text import walk
from minitape.trace import events

# The argument by which a layer requests each op, and the layer class that consists of this op alone.
ASKED = {
    "Elu": ("elu", "ELU"),
    "LeakyRelu": ("leaky_relu", "LeakyReLU"),
    "Relu": ("relu", "ReLU"),
    "Relu6": ("relu6", "ReLU"),
    "Sigmoid": ("sigmoid", ""),
    "Softmax": ("softmax", "Softmax"),
    "Softplus": ("softplus", ""),
    "Tanh": ("tanh", ""),
}
_Maker = tuple[str, ast.Call]  # a file, and the call in it that creates a layer


def made_with(flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Point at the line that created the layer of an activation; if that is not clear, at the call of the layer."""
    facts = found.facts
    op = flow.event(facts.op if isinstance(facts, FlatOp) else found.event)
    site = flow.innermost(op) if isinstance(op, events.OpEvent) else None
    if (
        not isinstance(facts, FlatOp | SumsToConstant)
        or not isinstance(op, events.OpEvent)
        or op.name not in ASKED
        or site is None
        or ASKED[op.name][0] in site.expression
    ):
        return found
    shown = _made_as_called(flow, site, op.name)
    if shown is not None:
        file, maker = shown
        program = flow.texts.get(file, "")
        if file == site.at.file and are_in_one_function(program, maker.lineno, site.at.line):
            beside = {_line_that_asks(maker, op.name): report_texts.LAYER_CREATED}
            return replace(found, beside=beside)
    made = shown or _made_for(flow, op)
    if made is None:
        return found
    file, maker = made
    line = _line_that_asks(maker, op.name)
    beside = {site.at.line: report_texts.RUNS} if file == site.at.file else {}
    if isinstance(facts, FlatOp):
        facts = replace(facts, layer=True)
    return replace(found, at=(file, line), beside=beside, facts=facts)


def initialized_with(
    flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]
) -> BrokenEdge[Facts]:
    """Point at the line that created the layer of a weight. The weight itself is created when the model is called for the first
    time, so the layer is known from the call that uses the weight.
    """
    facts = found.facts
    use = _first_use(flow, facts.factor) if isinstance(facts, ZeroInit) else None
    site = None if use is None else flow.innermost(use)
    if not isinstance(facts, ZeroInit) or site is None:
        return found
    program = flow.texts.get(site.at.file, "")
    statements = assignments_of(program, site.expression.partition("(")[0])
    made = [each.value for each in statements if isinstance(each.value, ast.Call)]
    initialized = [call for call in made if _initializer(call)]
    if len(initialized) != 1:
        return found
    beside = {site.at.line: report_texts.RUNS}
    return replace(
        found,
        at=(site.at.file, initialized[0].lineno),
        beside=beside,
        facts=replace(facts, initializer=_initializer(initialized[0])),
    )


def _first_use(flow: FlowGraph, variable: int) -> events.OpEvent | None:
    """Return the first op that uses the value of a variable."""
    edges = list(flow.out_of.get(variable, ()))
    for edge in edges:
        event = flow.event(edge.event)
        if isinstance(event, events.OpEvent):
            return event
        if isinstance(event, events.ReadEvent):
            edges.extend(flow.out_of.get(event.value, ()))
    return None


def _initializer(layer: ast.Call) -> str | None:
    """Return the argument that initializes the weights of a layer."""
    names = [each.arg for each in layer.keywords if each.arg]
    return next((each for each in names if each.endswith("kernel_initializer")), None)


def _made_as_called(flow: FlowGraph, site: events.SiteEvent, name: str) -> _Maker | None:
    """Return the call that created the layer that is called here by its name: `self.gate` of `self.gate(x)`."""
    called = site.expression.partition("(")[0]
    statements = assignments_of(flow.texts.get(site.at.file, ""), called)
    made = [each.value for each in statements if isinstance(each.value, ast.Call)]
    if len(statements) != 1 or not made:
        return None
    requesting = map(node_position, _requesting(flow, site.at.file, name))
    return (site.at.file, made[0]) if node_position(made[0]) in requesting else None


def _made_for(flow: FlowGraph, op: events.OpEvent) -> _Maker | None:
    """Return the only call that requests the activation among those that created the op's weights, or else in the whole
    program.
    """
    candidates = [
        (file, call) for file in sorted(flow.texts) for call in _requesting(flow, file, op.name)
    ]
    weight = _weight_behind(flow, op)
    if weight is not None:
        spans = [flow.sites[number].at for number in weight.stack]
        near = [
            (file, call)
            for file, call in candidates
            if any(at.file == file and _overlaps(at, call) for at in spans)
        ]
        layer = weight.name.split("/")[-2]
        named = [each for each in near or candidates if _is_named(each[1], layer)]
        counted = _counted(flow, weight, near) if len(near) > 1 else []
        candidates = named or counted or near or candidates
    return candidates[0] if len(candidates) == 1 else None


def _counted(flow: FlowGraph, weight: events.VariableEvent, near: list[_Maker]) -> list[_Maker]:
    """Return the call that created the weight's layer, identified by its position among the calls that create layers of that
    class.
    """
    layers = [
        made.name.split("/")[-2]
        for made in flow.variables.values()
        if made.stack == weight.stack and "/" in made.name
    ]
    mine = weight.name.split("/")[-2]
    kind = _kind(mine)
    names = list(dict.fromkeys(each for each in layers if _kind(each) == kind))
    file, span = near[0][0], flow.sites[weight.stack[-1]].at
    calls = [
        call
        for call in all_calls(flow.texts.get(file, ""))
        if _kind(ast.unparse(call.func).rpartition(".")[2]) == kind and _overlaps(span, call)
    ]
    if file != span.file or len(calls) != len(names):
        return []
    chosen = calls[names.index(mine)]
    return (
        [(file, chosen)]
        if any(node_position(chosen) == node_position(call) for _, call in near)
        else []
    )


def _kind(layer: str) -> str:
    """Return the class of a layer with a default name, such as SimpleRNN for `simple_rnn_1`."""
    return re.sub(r"_\d+$", "", layer).replace("_", "").lower()


def _overlaps(at: events.SourceRange, call: ast.Call) -> bool:
    """Whether a call is a part of the expression at a location, or that expression a part of the call."""
    return at.line <= (call.end_lineno or call.lineno) and call.lineno <= at.end_line


def _requesting(flow: FlowGraph, file: str, name: str) -> list[ast.Call]:
    word, layer = ASKED[name]
    text = flow.texts.get(file, "")
    calls = [*calls_that_say(text, word), *(calls_of(text, layer) if layer else ())]
    return calls or _in_a_table(text, word)


def _in_a_table(program: str, word: str) -> list[ast.Call]:
    """Return the lines of a dictionary of settings that name the activation, each as a call with this argument alone."""
    lines = {node.lineno: node for node in strings_that_say(program, word)}
    return [
        ast.copy_location(ast.Call(ast.Name("settings"), [node], []), node)
        for node in lines.values()
    ]


def _line_that_asks(maker: ast.Call, name: str) -> int:
    """Return the line that names the activation, in a call over several lines."""
    word, _ = ASKED[name]
    saying = (node for node in walk(maker) if isinstance(node, ast.expr) and says(node, word))
    return next((node.lineno for node in saying), maker.lineno)


def _is_named(call: ast.Call, layer: str) -> bool:
    """Whether a call passes this name to its layer."""
    names = [each.value for each in call.keywords if each.arg == "name"]
    return any(isinstance(each, ast.Constant) and each.value == layer for each in names)


def _weight_behind(flow: FlowGraph, op: events.OpEvent) -> events.VariableEvent | None:
    """Return the nearest weight from which the op's input was computed, in the same call."""
    waiting, seen = [op], {op.i}
    for each in waiting:
        for value in _weights(flow, each):
            return flow.variables[value]
        for given in each.inputs:
            before = flow.op_behind(given.value)
            if before is not None and before.i not in seen and before.stack == op.stack:
                seen.add(before.i)
                waiting.append(before)
    return None


def _weights(flow: FlowGraph, op: events.OpEvent) -> Iterator[int]:
    for given in op.inputs:
        value = flow.variable_read(given.value) or given.value
        if value in flow.variables and "/" in flow.variables[value].name:
            yield value

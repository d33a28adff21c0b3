"""The arguments of a function: the user's call that passed them.

outermost   the call from which an argument came, through functions that only pass it on
exchanged   a helper stops the gradient of one of two arguments: the call that has them in the wrong order
"""

import ast
from dataclasses import replace
from typing import NamedTuple

from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.rewriting import operands
from minitape.explain.causes.wording.stopping import Exchanged, Stopped
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.pointing.calls import (
    are_in_one_function,
    arguments_given,
    function_around,
    parameter_behind,
    parameters_of,
    with_exchanged,
)
from minitape.trace import events


class Handed(NamedTuple):
    """A call, and the arguments that it passes for some parameters of the function."""

    site: int
    function: str
    parameters: tuple[str, ...]
    texts: tuple[str, ...]


def outermost(flow: FlowGraph, stack: list[int], texts: tuple[str, ...]) -> Handed | None:
    """Return the outermost call that passed some expressions of the innermost site of a stack, if all these expressions are
    arguments.
    """
    handed = None
    for number, caller in zip(reversed(stack[1:]), reversed(stack[:-1]), strict=True):
        at = flow.sites[number].at
        function = function_around(flow.texts.get(at.file, ""), at.line)
        if function is None:
            return handed
        around = flow.sites[caller].at
        text = flow.texts.get(at.file, "")
        if around.file == at.file and are_in_one_function(text, around.line, at.line):
            continue  # a comprehension runs as a function of its own
        names = [parameter_behind(function, text) for text in texts]
        bound = arguments_given(flow.sites[caller].expression, function)
        parameters = tuple(name for name in names if name is not None and name in bound)
        if len(parameters) != len(texts):
            return handed
        texts = tuple(bound[name] for name in parameters)
        called = flow.sites[caller].expression.partition("(")[0]
        handed = Handed(caller, called, parameters, texts)
    return handed


def exchanged(flow: FlowGraph, call: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Return the call that passed two arguments of a helper in the wrong order, so that the gradient of the trained argument is
    stopped.
    """
    op = flow.op(found.event)
    if any(result.numbers is not None for result in call.results) or len(op.stack) < 2:
        return found
    site = flow.sites[op.stack[-1]]
    function = function_around(flow.texts.get(site.at.file, ""), site.at.line)
    stopped = operands(" ".join(site.expression.split()))
    if function is None or len(stopped) != 1 or stopped[0] not in parameters_of(function):
        return found
    others = [each for each in _needed(function) if each != stopped[0]]
    if len(others) != 1 or not _meets_another(flow, op):
        return found
    handed = outermost(flow, op.stack, (stopped[0], others[0]))
    if handed is None or _is_called_the_same(handed.texts[0], handed.parameters[0]):
        return found
    better = with_exchanged(flow.sites[handed.site].expression, *handed.texts)
    if better is None:
        return found
    swap = Exchanged(
        function=handed.function,
        parameter=handed.parameters[0],
        stopped=stopped[0],
        value=handed.texts[0],
        better=better,
    )
    assert isinstance(found.facts, Stopped)
    return replace(found, site=handed.site, facts=replace(found.facts, exchanged=swap))


def _meets_another(flow: FlowGraph, stop: events.OpEvent) -> bool:
    """Whether the same call computes something from the stopped value and from another one."""
    held = flow.downstream(output.id for output in stop.outputs)
    together = (
        op
        for value in held
        if (op := flow.op_behind(value)) is not None and op.stack[:-1] == stop.stack[:-1]
    )
    return any(
        given.value not in held
        and flow.is_smooth(given.value)
        and not _is_written(flow, given.value)
        for op in together
        if op is not stop
        for given in op.inputs
    )


def _is_written(flow: FlowGraph, value: int) -> bool:
    """Whether a value is a number in the program's text: `2` in `error ** 2`."""
    born = flow.born.get(value)
    return isinstance(born, events.ConstantEvent) and born.how == "operand"


def _needed(function: ast.FunctionDef) -> list[str]:
    """Return the parameters that have no default."""
    names = parameters_of(function)
    return names[: len(names) - len(function.args.defaults)]


def _is_called_the_same(text: str, parameter: str) -> bool:
    """Whether an argument has the name of its parameter, so that it is in the right position."""
    return text.rpartition(".")[2] == parameter

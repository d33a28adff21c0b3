"""A user's gradient function: the line on which it returns None or zeros, or too few or too many gradients."""

import re
from dataclasses import replace

from minitape.explain.causes import cuts, refusals, zeros
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.functions import factor_of_own_rule
from minitape.explain.flow.program.text import line_of_own_return, own_none, parameters


def answered_none(flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Point at the `return` with None, or at the last line of a function that may end without a `return`."""
    op = flow.op(found.event)
    given = None if op.at is None else own_none(flow.texts.get(op.at.file, ""), op.name)
    if op.at is None or given is None:
        return found
    assert isinstance(found.facts, cuts.OfGradientFunction)
    facts = replace(found.facts, forgotten=given.forgotten, has_no_return=given.ends)
    return replace(found, at=(op.at.file, given.line), facts=facts)


def answered_zero(flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Point at the line that computes the factor that is 0, or at the `return`."""
    op = flow.op(found.event)
    if op.at is None:
        return found
    assert isinstance(found.facts, zeros.OwnRuleIsZero)
    for file in dict.fromkeys((op.at.file, *flow.texts)):
        program = flow.texts.get(file, "")
        factor = factor_of_own_rule(program, op.name)
        line = factor.line if factor is not None else line_of_own_return(program, op.name)
        if line is not None:
            facts = replace(found.facts, factor=factor)
            return replace(found, at=(file, line), facts=facts)
    return found


_COUNTED = re.compile(r"expected to return (\d+) gradients, but returned (\d+)")


def miscounted(flow: FlowGraph, call: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Point at the `return` with too few or too many gradients, if the target is computed by a single function with a gradient
    function.
    """
    assert isinstance(found.facts, refusals.Refused)
    counts = _COUNTED.search(found.facts.message)
    if counts is None:
        return found
    own = {
        op.name: op
        for each in flow.upstream(call.event.targets)
        if (op := flow.op_behind(each)) and flow.primitives[op.name].rule == cuts.OWN_RULE
    }
    (op, *others) = own.values() or [None]
    if op is None or op.at is None or others:
        return found
    program = flow.texts.get(op.at.file, "")
    line = line_of_own_return(program, op.name)
    if line is None:
        return found
    expected, returned = map(int, counts.groups())
    facts = refusals.WrongCount(
        message=found.facts.message,
        function=op.name,
        inputs=tuple(parameters(program, op.name)),
        expected=expected,
        returned=returned,
    )
    return replace(found, also=(*found.also, op.i), at=(op.at.file, line), facts=facts)

"""A user's gradient function: the line on which it returns None."""

from dataclasses import replace

from minitape.explain.causes import cuts
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.text import own_none


def answered_none(flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Point at the `return` with None, or at the last line of a function that may end without a `return`."""
    op = flow.op(found.event)
    given = None if op.at is None else own_none(flow.texts.get(op.at.file, ""), op.name)
    if op.at is None or given is None:
        return found
    assert isinstance(found.facts, cuts.OfGradientFunction)
    facts = replace(found.facts, forgotten=given.forgotten, has_no_return=given.ends)
    return replace(found, at=(op.at.file, given.line), facts=facts)

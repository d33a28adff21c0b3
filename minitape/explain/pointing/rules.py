"""A gradient function of the user's: the line in which it gives None."""

from dataclasses import replace

from minitape.explain.causes import cuts
from minitape.explain.causes.cause import Break, Facts
from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.program.text import own_none


def answered_none(flow: Flow, _: Call, found: Break[Facts]) -> Break[Facts]:
    """The return that has None in it, or the last line of a function that may end without one."""
    op = flow.op(found.event)
    given = None if op.at is None else own_none(flow.texts.get(op.at.file, ""), op.name)
    if op.at is None or given is None:
        return found
    assert isinstance(found.facts, cuts.OfGradientFunction)
    facts = replace(found.facts, forgotten=given.forgotten, has_no_return=given.ends)
    return replace(found, at=(op.at.file, given.line), facts=facts)

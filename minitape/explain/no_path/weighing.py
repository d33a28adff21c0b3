"""Weigh the causes that fit a gradient against each other, and choose the best supported one.

Several causes may fit the same gradient. Each case has evidence of one kind, and its cause declares clues: facts about the run
that speak for it or against it. The order in which cases are found decides only between equals.

support         how strongly a run supports a case
best_supported  the best supported case, with the runner-up
"""

from collections.abc import Iterable
from dataclasses import replace

from minitape.explain.causes.cause import BrokenEdge, Case, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.report import Evidence

# An observed exit and return of a value proves more than the order of the ops, and both prove more than a name.
_SUPPORT = {
    Evidence.RERUN: 5,
    Evidence.COMPILED: 5,
    Evidence.MARK: 4,
    Evidence.ORDER: 3,
    Evidence.NUMBERS: 3,
    Evidence.NAME: 2,
}


def support(flow: FlowGraph, call: GradientCall, source: int, found: BrokenEdge[Facts]) -> int:
    """Return how strongly the run supports a case: the strength of its evidence, plus the weights of the clues that hold.

    Args:
        flow: The graph of all values of the run.
        call: The gradient call.
        source: The id of the source.
        found: The case.

    Returns:
        A number that is meaningful only in comparison with another case of the same source.
    """
    case = Case(flow, call, source, found)
    clues = sum(clue.weight for clue in found.cause.clues if clue.holds(case))
    return _SUPPORT[found.evidence] + clues


def best_supported(
    flow: FlowGraph, call: GradientCall, source: int, found: Iterable[BrokenEdge[Facts] | None]
) -> BrokenEdge[Facts] | None:
    """Return the best supported case, whose confidence is not `certain` if another cause fits too.

    Args:
        flow: The graph of all values of the run.
        call: The gradient call.
        source: The id of the source.
        found: The cases, None for a cause that does not fit. Of two cases with the same support, the first one wins.

    Returns:
        The case, with the runner-up in `runner_up`; None if no cause fits.
    """
    cases = [each for each in found if each is not None]
    if len(cases) < 2:
        return cases[0] if cases else None
    cases.sort(key=lambda each: support(flow, call, source, each), reverse=True)
    best = cases[0]
    rivals = (each for each in cases[1:] if each.cause is not best.cause)
    return replace(best, runner_up=next(rivals, None))

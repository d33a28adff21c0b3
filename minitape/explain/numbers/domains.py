"""The domains of functions: an input at which an op is undefined, or its derivative is infinite.

end_met    the cause, from the op's inputs
"""

from typing import NamedTuple

from minitape.explain.causes import nans
from minitape.explain.causes.cause import Cause
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import is_broken, is_zero_inside
from minitape.trace import events

_FAR = float("inf")


class _Domain(NamedTuple):
    """The domain of a function. At its ends the derivative is infinite, for which `edge` is the cause."""

    low: float
    high: float
    edge: Cause[nans.NotFinite]


_DOMAINS = {
    "Acos": _Domain(-1, 1, nans.edge_of_domain),
    "Acosh": _Domain(1, _FAR, nans.edge_of_domain),
    "Asin": _Domain(-1, 1, nans.edge_of_domain),
    "Atanh": _Domain(-1, 1, nans.edge_of_domain),
    "Digamma": _Domain(0, _FAR, nans.edge_of_domain),
    "Erfinv": _Domain(-1, 1, nans.edge_of_domain),
    "Lgamma": _Domain(0, _FAR, nans.edge_of_domain),
    "Log": _Domain(0, _FAR, nans.log_of_zero),
    "Log1p": _Domain(-1, _FAR, nans.edge_of_domain),
    "Ndtri": _Domain(0, 1, nans.edge_of_domain),
    "Pow": _Domain(0, _FAR, nans.pow_at_zero),
    "Rsqrt": _Domain(0, _FAR, nans.sqrt_at_zero),
    "Sqrt": _Domain(0, _FAR, nans.sqrt_at_zero),
}


class DomainLimit(NamedTuple):
    """An end of a domain that an op's input has reached or passed: the cause, and the input."""

    cause: Cause[nans.NotFinite]
    met: float = 0.0


def end_met(flow: FlowGraph, op: events.OpEvent) -> DomainLimit | None:
    """Return the end of its domain that an op's input is at or beyond; None if all inputs are inside."""
    given = [flow.numbers.get(each.value) for each in op.inputs]
    match op.name:
        case "FloorMod" | "RealDiv" | "Reciprocal" | "TruncateMod" | "Xdivy":
            return DomainLimit(nans.division_by_zero) if is_zero_inside(given[-1]) else None
        case "Xlogy":
            return DomainLimit(nans.log_of_zero) if is_zero_inside(given[-1]) else None
        case "EuclideanNorm":
            lengths = flow.numbers.get(op.outputs[0].id)
            return DomainLimit(nans.sqrt_at_zero) if is_zero_inside(lengths) else None
        case "Atan2":
            return DomainLimit(nans.edge_of_domain) if all(map(is_zero_inside, given)) else None
    domain = _DOMAINS.get(op.name)
    if domain is None:
        return None
    extremes = [] if given[0] is None else [given[0].min, given[0].max]
    for each in extremes:
        if each is not None and not domain.low <= each <= domain.high:
            # A negative number has integer powers, and lgamma has poles only at integers.
            return DomainLimit(nans.outside_domain, each) if is_broken(op.outputs[0]) else None
    edges = [each for each in extremes if each in (domain.low, domain.high)]
    return DomainLimit(domain.edge, edges[0]) if edges and edges[0] is not None else None

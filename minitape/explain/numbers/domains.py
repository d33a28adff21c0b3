"""The domains of functions: an input at which an op is undefined, or its derivative is infinite.

end_met    the cause, from the op's inputs
"""

import math
from typing import NamedTuple

from minitape.explain.causes import nans
from minitape.explain.causes.cause import Cause
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import is_zero_inside
from minitape.explain.numbers.bad_elements import input_at
from minitape.trace import events
from minitape.trace.events import Numbers

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
    if domain is None or given[0] is None:
        return None
    blamed = input_at(given[0], op)
    if blamed is not None and math.isfinite(blamed):
        # The element of the input whose result is not finite, which need not be the smallest or largest one.
        if not domain.low <= blamed <= domain.high:
            if _is_defined_power(op):
                return None
            return DomainLimit(nans.outside_domain, _as_in_summary(given[0], blamed))
        return DomainLimit(domain.edge, blamed) if blamed in (domain.low, domain.high) else None
    return _end_in_summary(given[0], domain, op)


def _is_defined_power(op: events.OpEvent) -> bool:
    """Whether an op is a power that is defined for all its inputs, although it may be too large. An undefined power is NaN."""
    return op.name == "Pow" and not op.outputs[0].nan


def _as_in_summary(given: Numbers, blamed: float) -> float:
    """Return the smallest or largest element if the element is one of them: in a summary it has no rounding error."""
    extremes = [each for each in (given.min, given.max) if each is not None]
    return next((each for each in extremes if math.isclose(each, blamed, rel_tol=1e-6)), blamed)


def _end_in_summary(given: Numbers, domain: _Domain, op: events.OpEvent) -> DomainLimit | None:
    """Return the end that an input is at or beyond, from its smallest and largest element.

    lgamma has poles only at integers, so an input outside the domain counts only if the result has NaN, or if it is infinite and
    no element of the input is at the end of the domain.
    """
    result = op.outputs[0]
    extremes = [each for each in (given.min, given.max) if each is not None]
    outside = [each for each in extremes if not domain.low <= each <= domain.high]
    edges = [each for each in extremes if each in (domain.low, domain.high)]
    if not edges and is_zero_inside(given) and 0 in (domain.low, domain.high):
        edges = [0.0]
    if outside and not _is_defined_power(op) and (result.nan or (result.inf and not edges)):
        return DomainLimit(nans.outside_domain, outside[0])
    return DomainLimit(domain.edge, edges[0]) if edges else None

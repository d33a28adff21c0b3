"""Terms of the target that give no gradient to any variable, because of a `tf.stop_gradient`.

    stopped_term    the `tf.stop_gradient` through which a term depends on a source

In a distillation loss, for example, the stop belongs on the logits of the teacher; on those of the student it cuts the whole term
off. Most stops are right: the other side of the term carries the gradient, or the stopped value weights another term. So the
term has to be cut off completely, the stopped value must have no other use, and it must not be the term itself, as it is in
`loss - tf.stop_gradient(loss)`.
"""

from typing import NamedTuple

from minitape.explain.causes import cuts
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.wording.stopping import Stopped
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import is_zero
from minitape.explain.numbers.partial import bit_of, followed
from minitape.trace import events

_SEARCHED = 256  # the maximum number of terms of a target
_SCALING = {"Cast", "Identity", "Mean", "Mul", "Neg", "RealDiv", "Sum"}


class _StoppedTerm(NamedTuple):
    """A break, with the sources of the stopped value: one bit for each source."""

    sources: int
    lost: BrokenEdge[Stopped]


def stopped_term(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the stop that cuts off a term of the target that depends on a source; None if there is none."""
    found = flow.once(_stopped_terms, call)
    bit = bit_of(flow, call, source) if found else 0
    return next((each.lost for each in found if each.sources & bit), None)


def _stopped_terms(flow: FlowGraph, call: GradientCall) -> list[_StoppedTerm]:
    entered = flow.tapes[call.tape].entered
    terms = _terms(flow, call) if entered else []
    found = []
    for term in terms if len(terms) > 1 else ():
        stop = _stop_inside(flow, term, entered[0])
        if stop is None or is_zero(flow.numbers.get(term)) or _trains_something(flow, term):
            continue
        sources = flow.once(followed, call).get(stop.inputs[0].value, 0)
        if sources and not _is_used_elsewhere(flow, stop, term, {*terms, *call.event.targets}):
            facts = Stopped(term=term, partial=True)
            found.append(_StoppedTerm(sources, BrokenEdge(cuts.stop_gradient, stop.i, facts=facts)))
    return found


def _terms(flow: FlowGraph, call: GradientCall) -> list[int]:
    """Return the values that are added to the targets of a call."""
    terms: list[int] = []
    waiting = list(call.event.targets)
    for value in waiting:
        op = flow.op_behind(value)
        if op is None or len(waiting) > _SEARCHED:
            continue
        if op.name in ("AddV2", "AddN", "Sub"):
            waiting.extend(each.value for each in op.inputs)
        else:
            terms.append(value)
    return terms


def _trains_something(flow: FlowGraph, term: int) -> bool:
    """Whether a gradient of the term would reach any value whose gradient the program requests."""
    requested = flow.once_for_all(_requested)
    waiting, seen = [term], {term}
    for value in waiting:
        if value in requested or flow.variable_read(value) in requested:
            return True
        op = flow.op_behind(value)
        if op is None or flow.primitives[op.name].gradient != "rule":
            continue
        fresh = [each.value for each in op.inputs if flow.is_smooth(each.value)]
        waiting.extend(each for each in dict.fromkeys(fresh) if each not in seen)
        seen.update(fresh)
    return False


def _requested(flow: FlowGraph) -> set[int | None]:
    return {source.value for call in flow.calls.values() for source in call.event.sources}


def _stop_inside(flow: FlowGraph, term: int, since: int) -> events.OpEvent | None:
    """Return the stop from which a term was computed, unless the term is only a multiple of the stopped value."""
    waiting, seen = [(term, False)], {term}
    for value, is_function in waiting:
        op = flow.op_behind(value)
        if op is None or op.i < since:
            continue
        if op.name == "StopGradient":
            if is_function:
                return op
            continue
        if flow.primitives[op.name].gradient != "rule":
            continue
        goes_on = is_function or op.name not in _SCALING
        for each in op.inputs:
            if flow.is_smooth(each.value) and each.value not in seen:
                seen.add(each.value)
                waiting.append((each.value, goes_on))
    return None


def _is_used_elsewhere(flow: FlowGraph, stop: events.OpEvent, term: int, others: set[int]) -> bool:
    """Whether another term, or the target without this term, was computed from the stopped value too."""
    waiting = [stop.outputs[0].id]
    seen = {*waiting, term}
    for value in waiting:
        for edge in flow.out_of.get(value, ()):
            if edge.kind != "op":
                continue
            if edge.end in others and edge.end != term:
                return True
            if edge.end not in seen:
                seen.add(edge.end)
                waiting.append(edge.end)
    return False

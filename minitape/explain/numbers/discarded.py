"""Incomplete gradients: a contribution was computed, and then discarded.

overwritten in a loop  `loss = f(x)`, where `loss += f(x)` was meant, so that only the last iteration reaches the target
left out of the loss   a layer passed a loss to `add_loss`, and the target was computed without `model.losses`

Both are values from which nothing was computed. A program may have such values for other reasons. Therefore, an overwritten
value counts only if it is a single number whose name starts at 0 before the loop, because that has no purpose unless the loop
adds to it. A loss that was left out counts only if no op reads it.
"""

from typing import NamedTuple

from minitape.explain.causes import absent, keras
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.sources import owner_of_weights
from minitape.explain.flow.program.text import starts_at_zero
from minitape.explain.numbers.partial import bit_of, followed
from minitape.trace import events


class _Discarded(NamedTuple):
    """A break, with the sources from which the discarded value was computed: one bit for each source."""

    sources: int
    lost: BrokenEdge[Facts]


def why_discarded(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the contribution of a variable that was computed and then discarded; None if there is none."""
    if source not in flow.variables:
        return None
    found = flow.once(_discarded, call)
    bit = bit_of(flow, call, source) if found else 0
    return next((each.lost for each in found if each.sources & bit), None)


def _discarded(flow: FlowGraph, call: GradientCall) -> list[_Discarded]:
    """Return the discarded contributions to the gradients of a call."""
    found = []
    for op in _dead_ends(flow, call):
        known = flow.once(followed, call)
        lost = _left_out(flow, call, op) or _overwritten(flow, call, op)
        if lost is not None:
            found.append(_Discarded(known[op.outputs[0].id], lost))
    return found


def _dead_ends(flow: FlowGraph, call: GradientCall) -> list[events.OpEvent]:
    """Return the recorded ops whose results were computed from a source of the call, and from which nothing was computed."""
    unused = flow.once_for_all(_unused).get(call.tape, [])
    known = flow.once(followed, call) if unused else {}
    return [
        op
        for op in unused
        if op.i < call.event.i and any(known.get(output.id) for output in op.outputs)
    ]


def _unused(flow: FlowGraph) -> dict[int, list[events.OpEvent]]:
    """Return, by tape, the recorded ops whose results no op uses, and no gradient call differentiates."""
    targets = _targets(flow)
    return {
        tape: [
            op
            for op in ops
            if op.number not in flow.call_of_op
            and not any(flow.out_of.get(output.id) or output.id in targets for output in op.outputs)
        ]
        for tape, ops in flow.ops_on.items()
    }


def _targets(flow: FlowGraph) -> set[int]:
    return {target for call in flow.calls.values() for target in call.event.targets}


def _left_out(flow: FlowGraph, call: GradientCall, op: events.OpEvent) -> BrokenEdge[Facts] | None:
    """Return the break at the target, if a layer passed the result of an op to `add_loss`."""
    site, at = flow.innermost(op), call.event.at
    target = flow.op_behind(call.event.targets[0]) if call.event.targets else None
    if site is None or ".add_loss(" not in site.code or target is None:
        return None
    program = "" if at is None else flow.texts.get(at.file, "")
    owner = None if at is None else owner_of_weights(program, call.event.text, at.line)
    facts = keras.LeftOut(added=op.i, owner=owner, partial=True)
    return BrokenEdge(keras.losses_left_out, target.i, (op.i,), facts)


def _overwritten(
    flow: FlowGraph, call: GradientCall, op: events.OpEvent
) -> BrokenEdge[Facts] | None:
    """Return the break at a statement in a loop that replaces a sum in each iteration."""
    last = flow.once(_last_on_path, call).get((op.name, *op.stack), -1)
    if last < op.i or op.outputs[0].shape:
        return None
    for number in op.stack:
        site = flow.sites[number]
        name, loop = site.target or "", site.loop
        if loop is None or not name.isidentifier():
            continue
        if starts_at_zero(flow.texts.get(site.at.file, ""), name, loop.line):
            facts = absent.Overwritten(name=name, partial=True)
            return BrokenEdge(absent.overwritten_value, op.i, (last,), facts, site=number)
    return None


def _last_on_path(flow: FlowGraph, call: GradientCall) -> dict[tuple[str | int, ...], int]:
    """Return the last op on a path to the targets for each location in the program: the name of the op, and its call sites."""
    useful = flow.once(FlowGraph.own_past, call)
    return {
        (op.name, *op.stack): op.i
        for op in flow.ops_on[call.tape]
        if any(output.id in useful for output in op.outputs)
    }

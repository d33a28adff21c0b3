"""The line to point at, if it is not the line on which the gradient is lost.

pointed     a break with the location to point at
layers      an activation or a weight of a layer: the line that created the layer
settings    a variable that is not trainable: the line that sets this
memory      a cached value: the cache
arguments   an argument of a function: the call that passed it
rules       a user's gradient function: the line in it that returns None, zeros or too few gradients
data        an element of a dataset: the line that put it in
calls       the calls in the program's text

If the two lines are in the same function, the user sees the second one without help. So the location changes only to a line of
another function, and the report then marks the original line too (`BrokenEdge.beside`).
"""

from collections.abc import Callable
from typing import Any

from minitape.explain.causes import cuts, nans, refusals, sources, tapes, zeros
from minitape.explain.causes.cause import BrokenEdge, Cause, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.pointing import arguments, data, layers, memory, rules, settings

_MOVES: dict[
    Cause[Any], Callable[[FlowGraph, GradientCall, BrokenEdge[Facts]], BrokenEdge[Facts]]
] = {
    cuts.custom_gradient_none: rules.answered_none,
    cuts.dataset: data.mapped,
    cuts.stop_gradient: arguments.exchanged,
    nans.nan_input: data.put_in,
    refusals.refused_call: rules.miscounted,
    sources.not_trainable: settings.set_to_false,
    tapes.computed_before_tape: memory.remembered,
    tapes.other_tape: memory.remembered,
    zeros.custom_gradient_zero: rules.answered_zero,
    zeros.dead_relu: layers.made_with,
    zeros.piecewise_linear: layers.made_with,
    zeros.saturated: layers.made_with,
    zeros.sums_to_constant: layers.made_with,
    zeros.zero_init: layers.initialized_with,
}


def pointed(flow: FlowGraph, call: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Return the break, pointing at the line to change."""
    move = _MOVES.get(found.cause)
    return found if move is None or found.at is not None else move(flow, call, found)

"""Where to point: the line to change, where that is another one than the line at which a gradient is lost.

pointed     a break with its place
layers      a function that a layer was asked for: where it was made
settings    a variable that is not to be trained: where that is said
memory      what was kept from before: what keeps it
arguments   what a function was given: the call that gave it
rules       a gradient function of the user's: what in it gives None
data        what came out of a dataset: what went in
calls       what the program's text says of its calls

Whoever reads a line that shows the mistake finds what made it in the same function by himself; what was made elsewhere he
has to be shown. So the place moves only to another function, and the other line is told beside it.
"""

from collections.abc import Callable
from typing import Any

from minitape.explain.causes import cuts, nans, sources, tapes, zeros
from minitape.explain.causes.cause import Break, Cause, Facts
from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.pointing import arguments, data, layers, memory, rules, settings

_MOVES: dict[Cause[Any], Callable[[Flow, Call, Break[Facts]], Break[Facts]]] = {
    cuts.custom_gradient_none: rules.answered_none,
    cuts.dataset: data.mapped,
    cuts.stop_gradient: arguments.exchanged,
    nans.nan_input: data.put_in,
    sources.not_trainable: settings.set_to_false,
    tapes.computed_before_tape: memory.remembered,
    tapes.other_tape: memory.remembered,
    zeros.dead_relu: layers.made_with,
    zeros.piecewise_linear: layers.made_with,
    zeros.saturated: layers.made_with,
}


def pointed(flow: Flow, call: Call, found: Break[Facts]) -> Break[Facts]:
    """A break that points at the line to change."""
    move = _MOVES.get(found.cause)
    return found if move is None or found.at is not None else move(flow, call, found)

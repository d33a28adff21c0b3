"""Whether a program is better drawn by its layers, functions and loops (a slide) or by its ops (a graph).

is_model    whether a gradient call belongs to a model
"""

from minitape.draw.breaks import pointed_values
from minitape.draw.build import choose
from minitape.draw.facts import Facts
from minitape.draw.rollup.iterations import iterations_of
from minitape.explain.report import Report
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape.trace.writing import seldom_searched

_FEW_OPS, _MANY_OPS = 8, 20


@seldom_searched()
def is_model(trace: Trace, report: Report | None = None, call: int | None = None) -> bool:
    """Return whether the ops of a gradient call are easier to read as blocks.

    This is the case if a Keras layer runs; if there are more than 8 ops, in several functions or in several iterations of a
    loop; or if there are more than 20 ops.

    Args:
        trace: The run.
        report: The findings about the run.
        call: The `call` id of a `gradient` event. None selects the call that `diagram` selects.

    Raises:
        DrawError: the trace has no such call.
    """
    event, said = choose(trace, report, call)
    ops = Facts(trace, event, pointed_values(said)).drawn.values()
    layers = {scope.number for scope in trace.of(events.ScopeEvent) if scope.role != "loss"}
    if any(op.scope in layers for op in ops):
        return True
    if len(ops) <= _FEW_OPS:
        return False
    iterations = trace.once(iterations_of)
    places = {(tuple(op.stack[:-1]), iterations.get(op.i, ())) for op in ops}
    return len(places) > 1 or len(ops) > _MANY_OPS

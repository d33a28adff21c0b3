"""Which gradients changed which values: values computed from a gradient, and variables to which such a value was assigned.

first_moved    the first event at which a value, or the contents of a variable, was computed from a gradient
behind         the values from which a variable's new contents were computed
"""

import re

from minitape.explain.flow.graph import FlowGraph
from minitape.trace import events

# The trace does not show the ops inside an optimizer, so no edge leads from the gradient through it.
_BY_OPTIMIZER = re.compile(r"\b(apply|apply_gradients|fit|minimize|train_on_batch|train_step)\(")


def first_moved(flow: FlowGraph) -> dict[int, int]:
    """Return each value computed from a gradient, and each variable to which one was assigned, with the first such event."""
    gradients = (
        result.numbers.id
        for call in flow.calls.values()
        for result in call.results
        if result.numbers is not None
    )
    later = flow.downstream(gradients)
    first = {value: flow.age(value) for value in later}
    for node, assign in flow.contents.items():
        if node in later or is_by_optimizer(flow, assign):
            first[assign.variable] = min(assign.i, first.get(assign.variable, assign.i))
    return first


def is_by_optimizer(flow: FlowGraph, assign: events.AssignEvent) -> bool:
    """Whether an optimizer assigned the value. The trace shows that the optimizer received the gradient, but not how it
    used it.
    """
    site = flow.innermost(assign)
    # A value that was computed from others has edges; a change that the optimizer itself prepares has none.
    if site is None or (assign.origin is not None and assign.origin in flow.into):
        return False
    return _BY_OPTIMIZER.search(site.expression or site.code) is not None


def behind(flow: FlowGraph, assign: events.AssignEvent) -> set[int]:
    """Return all values from which the new contents of a variable were computed."""
    return flow.upstream([flow.once_for_all(_nodes)[assign.i]])


def _nodes(flow: FlowGraph) -> dict[int, int]:
    return {assign.i: node for node, assign in flow.contents.items()}

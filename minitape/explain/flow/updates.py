"""Which values were computed from a gradient, and which variables were assigned such a value.

first_moved    the event since which a value, or the contents of a variable, depend on a gradient
behind         the values that the new contents of a variable were computed from
"""

import re

from minitape.explain.flow.graph import Flow
from minitape.trace import events

# An optimizer updates variables directly, so no edge leads from the gradient through it.
_BY_OPTIMIZER = re.compile(r"\b(apply|apply_gradients|fit|minimize|train_on_batch|train_step)\(")


def first_moved(flow: Flow) -> dict[int, int]:
    """Each value computed from a gradient, and each variable that was assigned one, with the first such event."""
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


def is_by_optimizer(flow: Flow, assign: events.Assign) -> bool:
    """Whether an optimizer assigned this: the trace does not show how it used the gradient."""
    site = flow.innermost(assign)
    if assign.origin is not None or site is None:
        return False
    return _BY_OPTIMIZER.search(site.expression or site.code) is not None


def behind(flow: Flow, assign: events.Assign) -> set[int]:
    """All values that the new contents of a variable were computed from."""
    return flow.upstream([flow.once_for_all(_nodes)[assign.i]])


def _nodes(flow: Flow) -> dict[int, int]:
    return {assign.i: node for node, assign in flow.contents.items()}

"""The contributions along the edges of a picture, as terms: `∂loss/∂y·x = 2·3 = 6`."""

from collections.abc import Callable

from minitape.explain.report import Report
from minitape.terms.expansions import Expansions
from minitape.terms.formatting import line, summed
from minitape.terms.model import Element
from minitape.timeline import build_timeline
from minitape.trace import events
from minitape.trace.trace import Trace

_MOST = 3  # the maximum number of terms on an edge


def labels(trace: Trace, report: Report) -> Callable[[events.BackEvent, int], str]:
    """Return a function for the terms of a backward step's contribution to an input; empty for several elements."""
    expansions = Expansions(trace, build_timeline(trace, report))

    def label(step: events.BackEvent, position: int) -> str:
        numbers = step.sent[position].numbers
        if numbers.size != 1:
            return ""
        expansion = expansions.of(Element(step.i, 1 + 2 * position, (0,) * len(numbers.shape)))
        lines = [line(each) for each in expansion.terms]
        if expansion.function or not 0 < len(lines) <= _MOST:
            return ""
        reported = [
            summed([each.names for each in lines]),
            summed([each.numbers for each in lines]),
        ]
        amount = "" if len(lines) > 1 or not lines[0].value else lines[0].value
        return " = ".join(dict.fromkeys(filter(None, [*reported, amount])))

    return label

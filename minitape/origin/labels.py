"""The contributions along the edges of a picture, as terms: `∂loss/∂y·x = 2·3 = 6`."""

from collections.abc import Callable

from minitape.explain.report import Report
from minitape.origin.model import Element
from minitape.origin.origins import Origins
from minitape.origin.written import line, summed
from minitape.story import tell
from minitape.trace import events
from minitape.trace.trace import Trace

_MOST = 3  # terms that fit on an edge


def labels(trace: Trace, report: Report) -> Callable[[events.Back, int], str]:
    """A function that returns the terms of what a backward step sends to an input; empty for tensors of several elements."""
    origins = Origins(trace, tell(trace, report))

    def label(step: events.Back, position: int) -> str:
        numbers = step.sent[position].numbers
        if numbers.size != 1:
            return ""
        origin = origins.of(Element(step.i, 1 + 2 * position, (0,) * len(numbers.shape)))
        lines = [line(each) for each in origin.terms]
        if origin.function or not 0 < len(lines) <= _MOST:
            return ""
        told = [summed([each.names for each in lines]), summed([each.numbers for each in lines])]
        amount = "" if len(lines) > 1 or not lines[0].amount else lines[0].amount
        return " = ".join(dict.fromkeys(filter(None, [*told, amount])))

    return label

"""Finds out how the numbers of a run were computed."""

from minitape.replay.reason import Reason
from minitape.terms import cotangents, values
from minitape.terms.model import Element, Expansion
from minitape.terms.run import RunValues, no_warnings
from minitape.timeline import Timeline
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace


class Expansions:
    """Finds the terms of any number of a run.

    Args:
        trace: The run.
        timeline: The same run as steps, with the names of the values.
    """

    def __init__(self, trace: Trace, timeline: Timeline) -> None:
        self.run = RunValues(trace, timeline)

    def find(self, numbers: Numbers, index: tuple[int, ...]) -> Element | str:
        """Return an element of a tensor, or why it does not exist. The tensor must itself be in the trace."""
        shape = tuple(numbers.shape)
        if len(index) != len(shape):
            return f"its shape is {list(shape)}: {_example(shape)}"
        if any(not -size <= at < size for at, size in zip(index, shape, strict=True)):
            return f"its shape is {list(shape)}, so {list(index)} is out of range"
        positive = tuple(at % size for at, size in zip(index, shape, strict=True))
        element = self.run.trace_index.element(numbers, positive)
        return "the trace does not contain it" if element is None else element

    def missing(self, numbers: Numbers) -> str:
        """Return why the trace does not contain the values of a tensor; empty if it does."""
        array = self.run.trace_index.array(numbers)
        return array.value if isinstance(array, Reason) else ""

    def of(self, element: Element) -> Expansion:
        """Return how a number was computed."""
        with no_warnings():
            return self._of(element)

    def _of(self, element: Element) -> Expansion:
        run = self.run
        match event := run.trace_index.events[element.event]:
            case events.OpEvent():
                return values.of_op(run, event, element)
            case events.VariableEvent() | events.AssignEvent():
                return values.of_variable(run, event, element)
            case events.ConstantEvent():
                return values.of_constant(run, event, element)
            case events.SeedEvent():
                return cotangents.of_seed(run, event, element)
            case events.ResultEvent():
                return cotangents.of_result(run, event, element)
            case events.BackEvent() if element.slot == 0:
                return cotangents.of_arrived(run, event, element)
            case events.BackEvent() if element.slot % 2:
                return cotangents.of_contribution(run, element)
            case events.BackEvent():
                return cotangents.of_total(run, event, element)
        raise AssertionError(f"a {event.kind} has no tensors")


def _example(shape: tuple[int, ...]) -> str:
    if not shape:
        return "it has no index"
    return f"write an index as {','.join('0' * len(shape))}"

"""An index of a trace, with the event of each tensor and the contributions to each value.

tensors         the tensors of an event, by slot
TraceIndex      a whole run
  Taken         an op, with its inputs when it ran
  BackwardPass  a backward pass, and the contributions to each value in it
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from minitape.core.values import Array, Ints
from minitape.replay.numbers import array_of
from minitape.replay.reason import Reason
from minitape.terms.model import Element
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

ARRIVED = 0  # the slot of the cotangent that arrives at a backward step


def tensors(event: events.Event) -> Sequence[Numbers | None]:
    """Return the tensors of an event by slot. Those of a backward step are its cotangent, contributions and running sums."""
    match event:
        case events.OpEvent():
            return event.outputs
        case events.BackEvent():
            contributions = [
                each
                for contribution in event.sent
                for each in (contribution.numbers, contribution.total)
            ]
            return [event.arrived, *contributions]
        case (
            events.SeedEvent()
            | events.ResultEvent()
            | events.ConstantEvent()
            | events.VariableEvent()
            | events.AssignEvent()
        ):
            return [event.numbers]
    return ()


@dataclass(frozen=True, slots=True)
class Taken:
    """An op, its inputs when it ran, and which of them were plain numbers next to tensors."""

    op: events.OpEvent
    inputs: tuple[Numbers | None, ...]
    operands: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class RecordedContribution:
    """A contribution of a step or a seed to a value: the event, and the slots of the contribution and of the running sum."""

    event: int
    slot: int
    total: Numbers


@dataclass(eq=False)
class BackwardPass:
    """A backward pass with the contributions to each value in order; `rows` is their number for a Jacobian, otherwise None."""

    requested: events.GradientEvent
    rows: int | None = None
    sent: defaultdict[int, list[RecordedContribution]] = field(
        default_factory=lambda: defaultdict(list)
    )


class TraceIndex:
    """An index of a run, with everything that is needed to find the terms of its numbers."""

    def __init__(self, trace: Trace) -> None:
        self.events = trace.events
        self.is_minitape = trace.ran_on.is_minitape
        self.taken: dict[int, Taken] = {}  # keyed by the number of the op
        self.backward_passes: defaultdict[int, list[BackwardPass]] = defaultdict(
            list
        )  # keyed by the call
        self.backward_pass_of: dict[int, BackwardPass] = {}  # by the event of a seed or step
        self.variable_of: dict[int, int] = {}  # keyed by the value that was read
        self.before: dict[int, Numbers] = {}  # of each assignment, keyed by its event
        self.values: dict[int, Numbers] = {}  # keyed by their ids; for a variable, the latest
        self.rules: dict[str, str] = {}
        self._slots: dict[int, tuple[int, int]] = {}
        self._operands: set[int] = set()
        self.requested: dict[int, events.GradientEvent] = {}
        self._arrays: dict[int, Array | Reason] = {}
        for event in trace.events:
            self._receive(event)

    def _receive(self, event: events.Event) -> None:
        for slot, numbers in enumerate(tensors(event)):
            if numbers is not None:
                self._slots[id(numbers)] = event.i, slot
        match event:
            case events.PrimitiveEvent():
                self.rules[event.name] = event.rule
            case events.ConstantEvent():
                self._learn(event.numbers)
                if event.how == "operand":
                    self._operands.add(event.numbers.id)
            case events.VariableEvent():
                self._learn(event.numbers)
            case events.AssignEvent():
                if event.variable in self.values:
                    self.before[event.i] = self.values[event.variable]
                self._learn(event.numbers, event.variable)
            case events.ReadEvent():
                self.variable_of[event.value] = event.variable
                if event.variable in self.values:
                    self._learn(self.values[event.variable], event.value)
            case events.OpEvent():
                inputs = [each.value for each in event.inputs]
                self.taken[event.number] = Taken(
                    event,
                    tuple(map(self.values.get, inputs)),
                    tuple(each in self._operands for each in inputs),
                )
                for out in event.outputs:
                    self._learn(out)
            case events.GradientEvent():
                self.requested[event.call] = event
            case events.SeedEvent() | events.BackEvent():
                self._receive_backward(event)
            case events.ResultEvent() if event.numbers is not None:
                self._learn(event.numbers)

    def _learn(self, numbers: Numbers, value: int | None = None) -> None:
        value = numbers.id if value is None else value
        self.values[value] = numbers

    def _receive_backward(self, event: events.SeedEvent | events.BackEvent) -> None:
        backward_passes, requested = self.backward_passes[event.call], self.requested[event.call]
        # A gradient has one backward pass for all its targets. In a Jacobian, each seed belongs to one row, or to all rows.
        if not backward_passes or (
            isinstance(event, events.SeedEvent) and requested.api != "gradient"
        ):
            backward_passes.append(BackwardPass(requested, self._rows(event, requested)))
        backward_pass = self.backward_pass_of[event.i] = backward_passes[-1]
        if isinstance(event, events.SeedEvent):
            backward_pass.sent[self.named(event.value)].append(
                RecordedContribution(event.i, 0, event.numbers)
            )
            return
        for position, contribution in enumerate(event.sent):
            sent = RecordedContribution(event.i, 1 + 2 * position, contribution.total)
            backward_pass.sent[self.named(contribution.value)].append(sent)

    def _rows(
        self, event: events.SeedEvent | events.BackEvent, requested: events.GradientEvent
    ) -> int | None:
        if not isinstance(event, events.SeedEvent) or requested.api == "gradient":
            return None
        target = self.values.get(event.value)
        is_one = (
            target is None
            or not event.numbers.shape
            or len(event.numbers.shape) == len(target.shape)
        )
        return None if is_one else event.numbers.shape[0]

    def named(self, value: int) -> int:
        """Return the id of a value in backward passes; a value that was read from a variable has the id of the variable."""
        return self.variable_of.get(value, value)

    def slot(self, numbers: Numbers) -> tuple[int, int] | None:
        """Return the event and the slot of exactly this tensor; a tensor elsewhere with equal numbers does not count."""
        return self._slots.get(id(numbers))

    def numbers(self, element: Element) -> Numbers:
        """Return the tensor of an element."""
        found = tensors(self.events[element.event])[element.slot]
        assert found is not None
        return found

    def array(self, numbers: Numbers) -> Array | Reason:
        """Return the values of a tensor, or the reason why the trace does not contain them."""
        if id(numbers) not in self._arrays:
            self._arrays[id(numbers)] = array_of(numbers)
        return self._arrays[id(numbers)]

    def element(self, numbers: Numbers | None, index: Ints) -> Element | None:
        """Return the `Element` for an index into these numbers."""
        slot = None if numbers is None else self.slot(numbers)
        return None if slot is None else Element(*slot, index)

"""Describes, as patterns for a page, how all numbers of a run were computed. A pattern contains not the terms, but the data
from which the page's script finds them.
"""

from bisect import bisect_right
from functools import partial

import numpy as np

from minitape.core.values import Ints
from minitape.html.data import term_data as page
from minitape.html.data.term_data import (
    Described,
    ExpandedElement,
    Made,
    OpData,
    TensorData,
    TensorSlot,
)
from minitape.terms.cotangents import position_of, total_slot
from minitape.terms.expansions import Expansions
from minitape.terms.model import Element, Factor
from minitape.terms.patterns import NOT_HERE, OpPattern, Patterns
from minitape.terms.run import is_index, no_warnings, raveled
from minitape.terms.small_tapes import small_tape
from minitape.terms.trace_index import RecordedContribution, Taken, tensors
from minitape.timeline import Timeline
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

_REPORTED = 16  # the maximum number of contributions in a running sum
_LARGEST = 4096  # the maximum size of a tensor whose elements can be selected
_EACH = 64  # the maximum size of a tensor whose terms are listed one by one
# the maximum number of listed terms; each takes about 100 bytes and 100 µs
_TERM_LIMIT = 12_000
_TEXTS = ("string", "object", "variant", "resource")
_BEGUN = {
    "constant": "It came from Python or NumPy, so its history begins here.",
    "variable": "The program set it.",
    "assign": "The program assigned it.",
    "seed": "The backward pass starts here.",
}


def described(trace: Trace, timeline: Timeline) -> Described:
    """Return the data with which a page shows how each number was computed.

    Args:
        trace: The run.
        timeline: The steps of the run.
    """
    with no_warnings():
        describing = _Describing(Expansions(trace, timeline))
        for event in trace:
            describing.receive(event)
        return Described(
            describing.patterns.all,
            describing.ops,
            describing.tensors,
            partial(small_tape, describing.run),
        )


class _Describing:
    """The state of a description in progress."""

    def __init__(self, expansions: Expansions) -> None:
        self._expansions = expansions
        self.run = self._run = expansions.run
        self._left = _TERM_LIMIT
        # the ops whose terms are listed element by element
        self._complex: set[int | None] = set()
        self.patterns = Patterns(self._run)
        self.ops: dict[int, OpData] = {}
        self.tensors: dict[TensorSlot, TensorData] = {}
        self._found: dict[int, OpPattern] = {}

    def receive(self, event: events.Event) -> None:
        match event:
            case events.OpEvent():
                self._receive_op(event)
            case (
                events.ConstantEvent()
                | events.VariableEvent()
                | events.AssignEvent()
                | events.SeedEvent()
            ):
                begun = _end(_BEGUN[event.kind])
                self._add((event.i, 0), event.numbers, self._name(event), begun)
            case events.BackEvent():
                self._receive_step(event)
            case events.ResultEvent() if event.numbers is not None:
                self._receive_result(event, event.numbers)

    def _name(self, event: events.Event) -> str:
        if isinstance(event, events.SeedEvent):
            return self._run.goal(self._run.trace_index.backward_pass_of[event.i], event.value)
        numbers = tensors(event)[0]
        identity = (
            event.variable if isinstance(event, events.AssignEvent) else numbers and numbers.id
        )
        return self._run.name(identity or 0)

    def _add(self, slot: TensorSlot, numbers: Numbers, name: str, made: Made) -> None:
        is_there = numbers.data is not None or numbers.packed is not None
        if is_there and 0 < numbers.size <= _LARGEST and numbers.dtype not in _TEXTS:
            self.tensors[slot] = TensorData(numbers, name, made)

    def _add_made(
        self, slot: TensorSlot, numbers: Numbers, name: str, made: Made, op: int | None = None
    ) -> None:
        """Add the numbers of an op or a backward step; complex ones without a pattern are listed individually."""
        is_reported = op in self._complex or numbers.dtype.startswith("complex")
        self._add(
            slot, numbers, name, self._reported(slot, numbers, op or 0) if is_reported else made
        )

    # --- element by element ---

    def _reported(self, slot: TensorSlot, numbers: Numbers, op: int) -> Made:
        if self._left <= 0 or not 0 < numbers.size <= _EACH:
            return _end(NOT_HERE)
        first, *others = (Element(*slot, at) for at in np.ndindex(*numbers.shape))
        reported = self._reported_of_one(first)
        if len(reported.terms) * len(others) > self._left:
            return _end(NOT_HERE)
        return Made("listed", op, reported=(reported, *map(self._reported_of_one, others)))

    def _reported_of_one(self, element: Element) -> ExpandedElement:
        expansion = self._expansions.of(element)
        terms = tuple(
            (term.value, tuple(map(self._factor, term.factors))) for term in expansion.terms
        )
        self._left -= len(terms)
        return ExpandedElement(
            expansion.text, expansion.rule, expansion.function, expansion.word, terms
        )

    def _factor(self, factor: Factor) -> page.FactorData:
        leads = factor.leads
        if leads is None:
            return page.FactorData(factor.text, factor.number, None, 0)
        slot = leads.event, leads.slot
        shape = tuple(self._run.trace_index.numbers(leads).shape)
        if not is_index(leads.at, shape):  # the shapes in the trace contradict each other
            return page.FactorData(factor.text, factor.number, None, 0)
        return page.FactorData(factor.text, factor.number, slot, raveled(leads.at, shape))

    # --- ops ---

    def _receive_op(self, op: events.OpEvent) -> None:
        taken = self._run.trace_index.taken[op.number]
        found = self.patterns.of(taken)
        if found.is_complex:
            self._complex.add(op.number)
        if found.pattern is not None:
            self._found[op.number] = found
            self.ops[op.number] = OpData(
                found.pattern,
                f"#{op.number} {op.name}",
                self._run.trace_index.rules.get(op.name, ""),
                tuple(map(self._slot, taken.inputs)),
                tuple((op.i, slot) for slot in range(len(op.outputs))),
                found.derivatives,
            )
        for slot, numbers in enumerate(op.outputs):
            made = _end(found.word) if found.pattern is None else Made("op", op.number, slot)
            name = self._run.name(numbers.id)
            self._add_made((op.i, slot), numbers, name, made, op.number)

    def _slot(self, numbers: Numbers | None) -> TensorSlot | None:
        return None if numbers is None else self._run.trace_index.slot(numbers)

    # --- backward passes ---

    def _receive_step(self, event: events.BackEvent) -> None:
        backward_pass = self._run.trace_index.backward_pass_of[event.i]
        taken = None if event.op is None else self._run.trace_index.taken.get(event.op)
        arrived = backward_pass.sent[event.arrived.id]
        goal = self._run.goal(backward_pass, event.arrived.id)
        self._add_made((event.i, 0), event.arrived, goal, self._sum(event.arrived, arrived))
        for which, contribution in enumerate(event.sent):
            slot = 1 + 2 * which
            goal, made = (
                self._run.goal(backward_pass, contribution.value),
                self._contribution(event, which, taken),
            )
            self._add_made((event.i, slot), contribution.numbers, goal, made, event.op)
            sent = backward_pass.sent[self._run.trace_index.named(contribution.value)]
            many = bisect_right(sent, (event.i, slot), key=lambda each: (each.event, each.slot))
            made = self._so_far(contribution.total, sent, many)
            self._add_made((event.i, slot + 1), contribution.total, goal, made)

    def _so_far(self, total: Numbers, sent: list[RecordedContribution], many: int) -> Made:
        """Return the sum of the first contributions. If there are many, return the previous sum and the last contribution,
        because a value that is used a thousand times would otherwise have half a million terms.
        """
        made = self._sum(total, sent[max(0, many - _REPORTED) : many])
        if many <= _REPORTED or made.how != "sum":
            return made
        before, last = sent[many - 2 : many]
        slots = (before.event, total_slot(self._run, before)), (last.event, last.slot)
        is_known = slots[0] in self.tensors
        return (
            Made("sum", slots=slots, texts=("the previous sum", made.texts[-1]))
            if is_known
            else _end(NOT_HERE)
        )

    def _contribution(self, event: events.BackEvent, which: int, taken: Taken | None) -> Made:
        found = None if event.op is None else self._found.get(event.op)
        if taken is None or event.op is None or found is None:
            return _end(NOT_HERE)
        backward_pass = self._run.trace_index.backward_pass_of[event.i]
        position = position_of(self._run, taken, event, which)
        if position is None:
            return _end(NOT_HERE)
        given, contribution = taken.inputs[position], event.sent[which].numbers
        assert given is not None  # otherwise the op could not be run again
        shape: Ints = tuple(given.shape)
        slices = None if event.rows is not None else found.slices.get(position)
        if slices is not None and slices.size == contribution.size:
            return Made("rows", event.op, slots=((event.i, 0),), indices=tuple(slices.tolist()))
        row = 1 if event.rows is not None and len(contribution.shape) == len(shape) + 1 else 0
        if tuple(contribution.shape[row:]) != shape:
            return _end(NOT_HERE)
        slots: list[TensorSlot | None] = []
        for out in taken.op.outputs:
            sent = backward_pass.sent[out.id]
            if out.id == event.arrived.id:
                slots.append((event.i, 0))
            else:
                last = sent[-1] if sent else None
                slots.append(None if last is None else (last.event, total_slot(self._run, last)))
        return Made("share", event.op, position, tuple(slots), rows=bool(row))

    def _sum(self, numbers: Numbers, sent: list[RecordedContribution]) -> Made:
        """Return the sum of contributions of the same shape; if there is only one, return that contribution."""
        shape: Ints = tuple(numbers.shape)
        slots = [(each.event, each.slot) for each in sent]
        known = [self.tensors.get(each) for each in slots]
        if not sent or any(each is None or tuple(each.numbers.shape) != shape for each in known):
            return _end(NOT_HERE)
        if len(sent) == 1:
            return Made("same", slots=(slots[0],))
        if any(each is not None and each.made.how == "rows" for each in known):
            return _end(NOT_HERE)
        return Made("sum", slots=tuple(slots), texts=tuple(self._sender(each) for each in sent))

    def _sender(self, sent: RecordedContribution) -> str:
        event = self._run.trace_index.events[sent.event]
        number = event.op if isinstance(event, events.BackEvent) else None
        if number is None:
            return "the seed"
        return f"contribution of #{number} {self._run.trace_index.taken[number].op.name}"

    def _receive_result(self, event: events.ResultEvent, numbers: Numbers) -> None:
        trace_index = self._run.trace_index
        backward_passes, source = (
            trace_index.backward_passes[event.call],
            trace_index.requested[event.call].sources[event.source],
        )
        sent = (
            backward_passes[0].sent[trace_index.named(source.value)]
            if backward_passes and source.value
            else []
        )
        made = self._sum(numbers, sent)
        if (
            backward_passes
            and backward_passes[0].requested.api == "jacobian"
            and len(backward_passes) == 1
            and sent
        ):
            # The elements are in the order of the rows, whatever the shape of the target.
            last = (sent[-1].event, total_slot(self._run, sent[-1]))
            is_all = last in self.tensors and self.tensors[last].numbers.size == numbers.size
            made = Made("same", slots=(last,)) if is_all else _end(NOT_HERE)
        elif backward_passes and backward_passes[0].requested.api != "gradient":
            made = _end(NOT_HERE)
        elif not sent:
            made = _end(
                "No contribution was sent to it; the call requested zeros for unconnected sources."
            )
        self._add_made((event.i, 0), numbers, self._run.name(numbers.id), made)


def _end(word: str) -> Made:
    return Made("end", texts=(word,))

"""Finds the terms of an element of a cotangent. The cotangent may be a seed, a contribution, a running sum or a result.

The cotangent that arrives at an op and the result for a source are sums of contributions. According to the gradient rule of the
op, a contribution is a sum over the elements of the cotangent that arrived.
"""

import operator
from collections.abc import Sequence

import numpy as np

from minitape.core.values import Array, Ints
from minitape.replay.reason import Reason
from minitape.terms.formula import formula
from minitape.terms.local import Family, Local, Pairing, Slices
from minitape.terms.model import Element, Expansion, Factor, Number, Term
from minitape.terms.run import RunValues, adds_up, indexed, raveled, unraveled
from minitape.terms.trace_index import BackwardPass, RecordedContribution, Taken
from minitape.terms.values import conjugated, derivative, product
from minitape.trace import events
from minitape.trace.events import Numbers


def of_arrived(run: RunValues, event: events.BackEvent, element: Element) -> Expansion:
    """Return the terms of the cotangent that arrives at a step: the contributions to the op's output so far."""
    backward_pass = run.trace_index.backward_pass_of[event.i]
    return _of_sum(
        run, backward_pass, event.arrived.id, element, backward_pass.sent[event.arrived.id]
    )


def of_total(run: RunValues, event: events.BackEvent, element: Element) -> Expansion:
    """Return the terms of the running sum after a contribution."""
    backward_pass = run.trace_index.backward_pass_of[event.i]
    value = run.trace_index.named(event.sent[(element.slot - 1) // 2].value)
    so_far = [
        each
        for each in backward_pass.sent[value]
        if (each.event, each.slot) < (element.event, element.slot)
    ]
    return _of_sum(run, backward_pass, value, element, so_far)


def of_result(run: RunValues, event: events.ResultEvent, element: Element) -> Expansion:
    """Return the terms of the result for a source: all contributions to it."""
    value = run.trace_index.named(event.value)
    source = run.trace_index.requested[event.call].sources[event.source].value
    backward_passes = run.trace_index.backward_passes[event.call]
    value = run.trace_index.named(source) if source is not None else 0
    if backward_passes and backward_passes[0].requested.api != "gradient":
        return _of_jacobian(run, backward_passes, value, element)
    if not backward_passes or not backward_passes[0].sent[value]:
        name = _named(run, event.numbers, element.at)
        word = "No contribution was sent to it; the call requested zeros for unconnected sources."
        return Expansion(name, run.number(element), "unconnected", word=word)
    expansion = _of_sum(run, backward_passes[0], value, element, backward_passes[0].sent[value])
    return _as_returned(run, backward_passes[0], value, element, expansion)


def _as_returned(
    run: RunValues, backward_pass: BackwardPass, value: int, element: Element, expansion: Expansion
) -> Expansion:
    """Return a complex result in TensorFlow's convention, which is the conjugate of the value in minitape's backward passes."""
    number = run.number(element)
    if not isinstance(number, complex) or not run.trace_index.is_minitape:
        return expansion
    last = backward_pass.sent[value][-1]
    name = indexed(run.goal(backward_pass, value), element.at)
    carried = Element(last.event, total_slot(run, last), element.at)
    factor = conjugated(Factor(name, run.number(carried), carried))
    return Expansion(
        name, number, "the result, conjugated as in TensorFlow", (Term((factor,), factor.number),)
    )


def _named(run: RunValues, numbers: Numbers | None, index: Ints) -> str:
    return indexed("?" if numbers is None else run.name(numbers.id), index)


def _of_jacobian(
    run: RunValues, backward_passes: Sequence[BackwardPass], value: int, element: Element
) -> Expansion:
    """Return the terms of an element of a Jacobian. There is one backward pass for all rows, or one for each row."""
    requested = backward_passes[0].requested
    target = run.trace_index.values[requested.targets[0]]
    shape = tuple(target.shape)
    index = element.at
    name = _named(run, run.trace_index.numbers(element), index)
    of_target, of_source = index[: len(shape)], index[len(shape) :]
    if requested.api == "batch_jacobian":
        of_source = (index[0], *of_source)
        row = raveled(of_target[1:], shape[1:])
    else:
        row = raveled(of_target, shape)
    for backward_pass in backward_passes:
        if row < (backward_pass.rows or 1):
            break
        row -= backward_pass.rows or 1
    if not backward_pass.sent[value]:
        word = "Nothing was sent to it, because it is not connected to this element."
        return Expansion(name, run.number(element), "a row of a Jacobian", word=word)
    last = backward_pass.sent[value][-1]
    at = of_source if backward_pass.rows is None else (row, *of_source)
    expansion = _of_sum(
        run,
        backward_pass,
        value,
        Element(last.event, total_slot(run, last), at),
        backward_pass.sent[value],
    )
    return Expansion(
        name,
        run.number(element),
        expansion.text,
        expansion.terms,
        rule=expansion.rule,
        word=expansion.word,
    )


def total_slot(run: RunValues, sent: RecordedContribution) -> int:
    return (
        sent.slot + 1
        if isinstance(run.trace_index.events[sent.event], events.BackEvent)
        else sent.slot
    )


# --- sums ---


def _of_sum(
    run: RunValues,
    backward_pass: BackwardPass,
    value: int,
    element: Element,
    sent: Sequence[RecordedContribution],
) -> Expansion:
    """Return the expansion of a sum of contributions; if there is only one, return the terms of that contribution."""
    numbers = run.trace_index.numbers(element)
    indices = _elements(run, numbers, element.at, sent)
    if indices is None:
        name = indexed(run.goal(backward_pass, value), element.at)
        word = f"Its terms are not known: {Reason.SLICES.value}."
        return Expansion(name, run.number(element), "a sum", word=word)
    if len(indices) == 1:
        return of_contribution(run, indices[0])
    terms = []
    for each in indices:
        factor = Factor(_sender(run, each), run.number(each), each)
        terms.append(Term((factor,), factor.number))
    name = indexed(run.goal(backward_pass, value), element.at)
    said = f"the sum of the contributions of {len(sent)} steps"
    word = "" if terms else "Nothing was sent to this element."
    return Expansion(name, run.number(element), said, tuple(terms), word=word)


def _sender(run: RunValues, element: Element) -> str:
    event = run.trace_index.events[element.event]
    if isinstance(event, events.SeedEvent):
        return "the seed"
    assert isinstance(event, events.BackEvent)
    taken = None if event.op is None else run.trace_index.taken.get(event.op)
    return "an op" if taken is None else f"contribution of #{event.op} {taken.op.name}"


def _elements(
    run: RunValues, numbers: Numbers, index: Ints, sent: Sequence[RecordedContribution]
) -> list[Element] | None:
    """Return the elements of the contributions that are summed in an element of their sum; None if they are unknown."""
    contributions = [
        (each, run.trace_index.numbers(Element(each.event, each.slot, ()))) for each in sent
    ]
    rows = [_slices_of(run, each) for each in sent]
    if contributions and all(each is not None for each in rows):
        return _end_to_end(contributions, index)
    found = []
    for (each, contribution), slices in zip(contributions, rows, strict=True):
        if slices is not None:
            at = np.flatnonzero(slices.indices == index[0])
            found += [Element(each.event, each.slot, (int(row), *index[1:])) for row in at]
        elif contribution.shape == numbers.shape:
            found.append(Element(each.event, each.slot, index))
        else:
            return None
    return found


def _end_to_end(
    contributions: Sequence[tuple[RecordedContribution, Numbers]], index: Ints
) -> list[Element]:
    """Return the position of an element in concatenated rows of IndexedSlices."""
    row = index[0]
    for each, contribution in contributions:
        if row < contribution.shape[0]:
            return [Element(each.event, each.slot, (row, *index[1:]))]
        row -= contribution.shape[0]
    return []


def _slices_of(run: RunValues, sent: RecordedContribution) -> Slices | None:
    """Return the rows of the table that a contribution belongs to; None if it is not an IndexedSlices."""
    event = run.trace_index.events[sent.event]
    if not isinstance(event, events.BackEvent) or event.op is None or event.rows is not None:
        return None
    taken = run.trace_index.taken[event.op]
    local = run.local(taken)
    if isinstance(local, Reason):
        return None
    position = position_of(run, taken, event, (sent.slot - 1) // 2)
    return None if position is None else local.slices(position)


# --- the contributions of one step ---


def of_seed(run: RunValues, event: events.SeedEvent, element: Element) -> Expansion:
    """Return the terms of a seed."""
    backward_pass = run.trace_index.backward_pass_of[event.i]
    name = indexed(run.goal(backward_pass, event.value), element.at)
    number = run.number(element)
    requested = backward_pass.requested
    given = dict(zip(requested.targets, requested.output_gradients or [], strict=False)).get(
        event.value
    )
    came = None if given is None else run.trace_index.values.get(given)
    if given is not None and came is not None and tuple(came.shape) == tuple(event.numbers.shape):
        factor = run.factor(run.name(given), came, element.at)
        factor = conjugated(factor) if run.trace_index.is_minitape else factor
        return Expansion(
            name, number, "the seed from output_gradients", (Term((factor,), factor.number),)
        )
    if requested.api == "gradient":
        word = "The backward pass starts here with the seed ∂y/∂y = 1."
    else:
        word = "The backward pass starts here: in each row, one element of the seed is 1 and the others are 0."
    return Expansion(name, number, "the seed", word=word)


def of_contribution(run: RunValues, element: Element) -> Expansion:
    """Return the terms of the contribution of a step to an input of its op; for a seed event, the terms of the seed."""
    event = run.trace_index.events[element.event]
    if isinstance(event, events.SeedEvent):
        return of_seed(run, event, element)
    assert isinstance(event, events.BackEvent)
    backward_pass = run.trace_index.backward_pass_of[event.i]
    which = (element.slot - 1) // 2
    name = indexed(run.goal(backward_pass, event.sent[which].value), element.at)
    number = run.number(element)
    taken = None if event.op is None else run.trace_index.taken.get(event.op)
    if taken is None:
        word = f"Its terms are not known: {Reason.EARLIER.value}."
        return Expansion(name, number, "contribution of an op", word=word)
    said = f"contribution of #{event.op} {taken.op.name}"
    local = run.local(taken)
    terms = (
        local
        if isinstance(local, Reason)
        else _RecordedStep(run, event, taken, local).terms(which, element)
    )
    rule = run.trace_index.rules.get(taken.op.name, "")
    if isinstance(terms, Reason):
        word = f"Its terms are not known: {terms.value}."
        return Expansion(name, number, said, rule=rule, word=word)
    word = (
        ""
        if terms
        else "No part of the gradient that arrived reaches it, because the derivative is 0."
    )
    if not adds_up([each.value for each in terms], number, event.arrived.dtype):
        word = "The terms do not add up to the recorded value."
    return Expansion(name, number, said, terms, rule=rule, word=word)


def position_of(run: RunValues, taken: Taken, event: events.BackEvent, which: int) -> int | None:
    """Return the position of the input to which a contribution goes; None if the value is not an input. If a value is used
    several times, its uses are taken in order.
    """
    named = run.trace_index.named
    value = named(event.sent[which].value)
    earlier = sum(named(contribution.value) == value for contribution in event.sent[:which])
    own = [at for at, each in enumerate(taken.op.inputs) if named(each.value) == value]
    return own[min(earlier, len(own) - 1)] if own else None


class _RecordedStep:
    """A step of the backward pass, with the cotangent that arrived and the contributions that the gradient rule computes from
    it."""

    def __init__(self, run: RunValues, event: events.BackEvent, taken: Taken, local: Local) -> None:
        self._run = run
        self._event = event
        self._taken = taken
        self._local = local
        self._walk = run.trace_index.backward_pass_of[event.i]

    def terms(self, which: int, element: Element) -> tuple[Term, ...] | Reason:
        """Return the terms of an element of a contribution."""
        contribution = self._event.sent[which].numbers
        position = position_of(self._run, self._taken, self._event, which)
        if position is None:
            return Reason.UNSURE
        given = self._taken.inputs[position]
        assert given is not None  # otherwise, the op could not have been run again
        shape, index = tuple(given.shape), element.at
        row: Ints = ()
        if len(index) == len(shape) + 1 and self._event.rows is not None:
            row, index = index[:1], index[1:]
        reported = [self._arrived(out) for out in range(len(self._taken.op.outputs))]
        arrays = [
            None if each is None else self._array(each, row, tuple(out.shape))
            for each, out in zip(reported, self._taken.op.outputs, strict=True)
        ]
        for each in arrays:
            if isinstance(each, Reason):
                return each
        cotangents = [each for each in arrays if not isinstance(each, Reason)]
        slices = None if self._event.rows is not None else self._local.slices(position)
        met: list[Pairing] | Reason
        if slices is not None and slices.copied_from.shape == tuple(contribution.shape):
            met = [Pairing(0, int(slices.copied_from[index]), 1.0)]
        elif tuple(contribution.shape[len(row) :]) != shape:
            met = Reason.SLICES
        else:
            met = self._met(position, raveled(index, shape), cotangents, element)
        if isinstance(met, Reason):
            return met
        return tuple(self._term(position, each, reported[each.position], row) for each in met)

    def _arrived(self, out: int) -> Element | None:
        """Return the whole cotangent of an output; None for an unused one."""
        numbers = self._taken.op.outputs[out]
        if numbers.id == self._event.arrived.id:
            return Element(self._event.i, 0, ())
        sent = self._walk.sent[numbers.id]
        return Element(sent[-1].event, total_slot(self._run, sent[-1]), ()) if sent else None

    def _array(self, element: Element, row: Ints, shape: Ints) -> Array | Reason:
        """Return the cotangent of an output of this shape; a damaged trace may contain a cotangent of another shape."""
        array = self._run.trace_index.array(self._run.trace_index.numbers(element))
        if isinstance(array, Reason):
            return array
        cotangent = np.asarray(array)
        rows = cotangent.shape[: len(row)]
        is_whole = cotangent.shape[len(row) :] == shape and all(map(operator.lt, row, rows))
        return cotangent[row] if is_whole else Reason.UNSURE

    def _met(
        self, position: int, offset: int, cotangents: Sequence[Array | None], element: Element
    ) -> list[Pairing] | Reason:
        """Return the elements that depend on each other. If their terms do not add up, apply the rule to each element."""
        met = self._local.column(position, offset, cotangents)
        if isinstance(met, Reason):
            return met
        amounts = [_amount(each, cotangents) for each in met]
        number = self._run.number(element)
        if adds_up(amounts, number, self._event.arrived.dtype):
            return met
        return self._local.column(position, offset, cotangents, by_rule=True)

    def _term(self, position: int, met: Pairing, reported: Element | None, row: Ints) -> Term:
        out = self._taken.op.outputs[met.position]
        index = (*row, *unraveled(met.element, tuple(out.shape)))
        assert reported is not None
        leads = Element(reported.event, reported.slot, index)
        goal = indexed(self._run.goal(self._walk, out.id), index)
        cotangent = Factor(goal, self._run.number(leads), leads)
        if met.contribution is not None:
            return Term((Factor(f"part of {goal}", met.contribution, leads),), met.contribution)
        factors = (*self._derivative(position, met), cotangent)
        return Term(factors, product(factors))

    def _derivative(self, position: int, met: Pairing) -> tuple[Factor, ...]:
        op = self._local.primitive
        if self._local.family is not Family.ELEMENTWISE or op is None:
            return derivative(self._run, self._taken, self._local, met)
        named: dict[str, Factor] = {}

        def name(letter: str) -> str:
            if letter == "y":
                found = self._run.output(self._taken, 0, met.element)
            else:
                offset = self._local.beside(int(letter), met.element)
                found = self._run.input(self._taken, int(letter), offset)
            named[found.text] = found
            return found.text

        count = len(self._taken.op.inputs)
        text = formula(op.name, op.rule, position, count, name)
        if text in ("", "1", "-1"):
            return derivative(self._run, self._taken, self._local, met)
        return (named.get(text) or Factor(_bracketed(text), met.number),)


def _amount(met: Pairing, cotangents: Sequence[Array | None]) -> Number | None:
    if met.contribution is not None or met.number is None:
        return met.contribution
    cotangent = cotangents[met.position]
    assert cotangent is not None
    found: Number = (np.ravel(cotangent)[met.element] * met.number).item()
    return found


def _bracketed(text: str) -> str:
    """Return a sum in brackets, for a product."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if not depth and at and letter in "+-" and text[at - 1] == " ":
            return f"({text})"
    return text

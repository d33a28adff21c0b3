"""The terms of an element of a cotangent: of a seed, a contribution, a running sum or a result.

The cotangent that arrives at an op, and the result for a source, are sums of contributions. A contribution is, by the op's
gradient rule, a sum over the elements of the cotangent that arrived.
"""

import operator
from collections.abc import Sequence

import numpy as np

from minitape.again.reason import Reason
from minitape.core.values import Array, Ints
from minitape.origin.formula import formula
from minitape.origin.heard import Sent, Taken, Walk
from minitape.origin.local import Family, Local, Meeting, Slices
from minitape.origin.model import Element, Factor, Number, Origin, Term
from minitape.origin.run import Run, adds_up, indexed, raveled, unraveled
from minitape.origin.values import conjugated, product, slope
from minitape.trace import events
from minitape.trace.events import Numbers


def of_arrived(run: Run, event: events.Back, element: Element) -> Origin:
    """The terms of the cotangent that arrives at a step: the contributions to the op's output so far."""
    walk = run.heard.walk_of[event.i]
    return _of_sum(run, walk, event.arrived.id, element, walk.sent[event.arrived.id])


def of_total(run: Run, event: events.Back, element: Element) -> Origin:
    """The terms of the running sum after a contribution."""
    walk = run.heard.walk_of[event.i]
    value = run.heard.named(event.sent[(element.slot - 1) // 2].value)
    so_far = [
        each for each in walk.sent[value] if (each.event, each.slot) < (element.event, element.slot)
    ]
    return _of_sum(run, walk, value, element, so_far)


def of_result(run: Run, event: events.Result, element: Element) -> Origin:
    """The terms of the result for a source: all contributions to it."""
    value = run.heard.named(event.value)
    source = run.heard.asked[event.call].sources[event.source].value
    walks = run.heard.walks[event.call]
    value = run.heard.named(source) if source is not None else 0
    if walks and walks[0].asked.api != "gradient":
        return _of_jacobian(run, walks, value, element)
    if not walks or not walks[0].sent[value]:
        name = _named(run, event.numbers, element.at)
        word = "Nothing was sent there; the call requested zeros for unconnected sources."
        return Origin(name, run.number(element), "unconnected", word=word)
    origin = _of_sum(run, walks[0], value, element, walks[0].sent[value])
    return _as_returned(run, walks[0], value, element, origin)


def _as_returned(run: Run, walk: Walk, value: int, element: Element, origin: Origin) -> Origin:
    """A complex result in TensorFlow's convention; minitape's backward passes carry its conjugate."""
    number = run.number(element)
    if not isinstance(number, complex) or not run.heard.is_minitape:
        return origin
    last = walk.sent[value][-1]
    name = indexed(run.goal(walk, value), element.at)
    carried = Element(last.event, total_slot(run, last), element.at)
    factor = conjugated(Factor(name, run.number(carried), carried))
    return Origin(
        name, number, "the result, conjugated as in TensorFlow", (Term((factor,), factor.number),)
    )


def _named(run: Run, numbers: Numbers | None, index: Ints) -> str:
    return indexed("?" if numbers is None else run.name(numbers.id), index)


def _of_jacobian(run: Run, walks: Sequence[Walk], value: int, element: Element) -> Origin:
    """The terms of an element of a Jacobian. Each element of the target has a row: one of a single pass, or of a pass of its
    own."""
    asked = walks[0].asked
    target = run.heard.values[asked.targets[0]]
    shape = tuple(target.shape)
    index = element.at
    name = _named(run, run.heard.numbers(element), index)
    of_target, of_source = index[: len(shape)], index[len(shape) :]
    if asked.api == "batch_jacobian":
        of_source = (index[0], *of_source)
        row = raveled(of_target[1:], shape[1:])
    else:
        row = raveled(of_target, shape)
    for walk in walks:
        if row < (walk.rows or 1):
            break
        row -= walk.rows or 1
    if not walk.sent[value]:
        word = "Nothing was sent there: it is not connected to this element."
        return Origin(name, run.number(element), "a row of a Jacobian", word=word)
    last = walk.sent[value][-1]
    at = of_source if walk.rows is None else (row, *of_source)
    origin = _of_sum(
        run, walk, value, Element(last.event, total_slot(run, last), at), walk.sent[value]
    )
    return Origin(
        name, run.number(element), origin.said, origin.terms, rule=origin.rule, word=origin.word
    )


def total_slot(run: Run, sent: Sent) -> int:
    return sent.slot + 1 if isinstance(run.heard.events[sent.event], events.Back) else sent.slot


# --- sums ---


def _of_sum(run: Run, walk: Walk, value: int, element: Element, sent: Sequence[Sent]) -> Origin:
    """A number that is the sum of contributions; if there is only one, the terms of that contribution."""
    numbers = run.heard.numbers(element)
    places = _places(run, numbers, element.at, sent)
    if places is None:
        name = indexed(run.goal(walk, value), element.at)
        word = f"Its terms are not known: {Reason.SLICES.value}."
        return Origin(name, run.number(element), "a sum", word=word)
    if len(places) == 1:
        return of_share(run, places[0])
    terms = []
    for each in places:
        factor = Factor(_sender(run, each), run.number(each), each)
        terms.append(Term((factor,), factor.number))
    name = indexed(run.goal(walk, value), element.at)
    said = f"the sum of the contributions of {len(sent)} steps"
    word = "" if terms else "Nothing was sent to this element."
    return Origin(name, run.number(element), said, tuple(terms), word=word)


def _sender(run: Run, element: Element) -> str:
    event = run.heard.events[element.event]
    if isinstance(event, events.Seed):
        return "the seed"
    assert isinstance(event, events.Back)
    taken = None if event.op is None else run.heard.taken.get(event.op)
    return "an op" if taken is None else f"contribution of #{event.op} {taken.op.name}"


def _places(run: Run, numbers: Numbers, index: Ints, sent: Sequence[Sent]) -> list[Element] | None:
    """The elements of the contributions that are added up in an element of their sum; None if they are not known."""
    shares = [(each, run.heard.numbers(Element(each.event, each.slot, ()))) for each in sent]
    rows = [_slices_of(run, each) for each in sent]
    if shares and all(each is not None for each in rows):
        return _end_to_end(shares, index)
    found = []
    for (each, share), slices in zip(shares, rows, strict=True):
        if slices is not None:
            at = np.flatnonzero(slices.indices == index[0])
            found += [Element(each.event, each.slot, (int(row), *index[1:])) for row in at]
        elif share.shape == numbers.shape:
            found.append(Element(each.event, each.slot, index))
        else:
            return None
    return found


def _end_to_end(shares: Sequence[tuple[Sent, Numbers]], index: Ints) -> list[Element]:
    """The position of an element in rows of IndexedSlices that were concatenated."""
    row = index[0]
    for each, share in shares:
        if row < share.shape[0]:
            return [Element(each.event, each.slot, (row, *index[1:]))]
        row -= share.shape[0]
    return []


def _slices_of(run: Run, sent: Sent) -> Slices | None:
    """The rows of the table that a contribution belongs to; None if it is not an IndexedSlices."""
    event = run.heard.events[sent.event]
    if not isinstance(event, events.Back) or event.op is None or event.rows is not None:
        return None
    taken = run.heard.taken[event.op]
    local = run.local(taken)
    if isinstance(local, Reason):
        return None
    position = position_of(run, taken, event, (sent.slot - 1) // 2)
    return None if position is None else local.slices(position)


# --- what one step sends ---


def of_seed(run: Run, event: events.Seed, element: Element) -> Origin:
    """The terms of a seed."""
    walk = run.heard.walk_of[event.i]
    name = indexed(run.goal(walk, event.value), element.at)
    number = run.number(element)
    asked = walk.asked
    given = dict(zip(asked.targets, asked.output_gradients or [], strict=False)).get(event.value)
    came = None if given is None else run.heard.values.get(given)
    if given is not None and came is not None and tuple(came.shape) == tuple(event.numbers.shape):
        factor = run.factor(run.name(given), came, element.at)
        factor = conjugated(factor) if run.heard.is_minitape else factor
        return Origin(
            name, number, "the seed from output_gradients", (Term((factor,), factor.number),)
        )
    if asked.api == "gradient":
        word = "The backward pass starts here with the seed ∂y/∂y = 1."
    else:
        word = "The backward pass starts here: in each row, one element of the seed is 1 and the others are 0."
    return Origin(name, number, "the seed", word=word)


def of_share(run: Run, element: Element) -> Origin:
    """The terms of the contribution of a step to an input of its op; for a seed, the seed."""
    event = run.heard.events[element.event]
    if isinstance(event, events.Seed):
        return of_seed(run, event, element)
    assert isinstance(event, events.Back)
    walk = run.heard.walk_of[event.i]
    which = (element.slot - 1) // 2
    name = indexed(run.goal(walk, event.sent[which].value), element.at)
    number = run.number(element)
    taken = None if event.op is None else run.heard.taken.get(event.op)
    if taken is None:
        word = f"Its terms are not known: {Reason.EARLIER.value}."
        return Origin(name, number, "contribution of an op", word=word)
    said = f"contribution of #{event.op} {taken.op.name}"
    local = run.local(taken)
    terms = (
        local
        if isinstance(local, Reason)
        else _Step(run, event, taken, local).terms(which, element)
    )
    rule = run.heard.rules.get(taken.op.name, "")
    if isinstance(terms, Reason):
        word = f"Its terms are not known: {terms.value}."
        return Origin(name, number, said, rule=rule, word=word)
    word = "" if terms else "No part of the gradient that arrived reaches it: the derivative is 0."
    if not adds_up([each.amount for each in terms], number, event.arrived.dtype):
        word = "The terms do not add up to the recorded value."
    return Origin(name, number, said, terms, rule=rule, word=word)


def position_of(run: Run, taken: Taken, event: events.Back, which: int) -> int | None:
    """The input of the op that a contribution goes to; the uses of the same value are taken in order. None if it is not an
    input."""
    named = run.heard.named
    value = named(event.sent[which].value)
    earlier = sum(named(share.value) == value for share in event.sent[:which])
    own = [at for at, each in enumerate(taken.op.inputs) if named(each.value) == value]
    return own[min(earlier, len(own) - 1)] if own else None


class _Step:
    """A step of the backward pass: the cotangent that arrived, and what the gradient rule computes from it."""

    def __init__(self, run: Run, event: events.Back, taken: Taken, local: Local) -> None:
        self._run = run
        self._event = event
        self._taken = taken
        self._local = local
        self._walk = run.heard.walk_of[event.i]

    def terms(self, which: int, element: Element) -> tuple[Term, ...] | Reason:
        """The terms of an element of a contribution."""
        share = self._event.sent[which].numbers
        position = position_of(self._run, self._taken, self._event, which)
        if position is None:
            return Reason.UNSURE
        given = self._taken.inputs[position]
        assert given is not None  # else the op could not be run again
        shape, index = tuple(given.shape), element.at
        row: Ints = ()
        if len(index) == len(shape) + 1 and self._event.rows is not None:
            row, index = index[:1], index[1:]
        told = [self._arrived(out) for out in range(len(self._taken.op.outputs))]
        arrays = [
            None if each is None else self._array(each, row, tuple(out.shape))
            for each, out in zip(told, self._taken.op.outputs, strict=True)
        ]
        for each in arrays:
            if isinstance(each, Reason):
                return each
        cotangents = [each for each in arrays if not isinstance(each, Reason)]
        slices = None if self._event.rows is not None else self._local.slices(position)
        met: list[Meeting] | Reason
        if slices is not None and slices.places.shape == tuple(share.shape):
            met = [Meeting(0, int(slices.places[index]), 1.0)]
        elif tuple(share.shape[len(row) :]) != shape:
            met = Reason.SLICES
        else:
            met = self._met(position, raveled(index, shape), cotangents, element)
        if isinstance(met, Reason):
            return met
        return tuple(self._term(position, each, told[each.position], row) for each in met)

    def _arrived(self, out: int) -> Element | None:
        """The whole cotangent of an output; None for an unused one."""
        numbers = self._taken.op.outputs[out]
        if numbers.id == self._event.arrived.id:
            return Element(self._event.i, 0, ())
        sent = self._walk.sent[numbers.id]
        return Element(sent[-1].event, total_slot(self._run, sent[-1]), ()) if sent else None

    def _array(self, element: Element, row: Ints, shape: Ints) -> Array | Reason:
        """The cotangent of an output of this shape; a damaged trace may hold one of another shape."""
        array = self._run.heard.array(self._run.heard.numbers(element))
        if isinstance(array, Reason):
            return array
        cotangent = np.asarray(array)
        rows = cotangent.shape[: len(row)]
        is_whole = cotangent.shape[len(row) :] == shape and all(map(operator.lt, row, rows))
        return cotangent[row] if is_whole else Reason.UNSURE

    def _met(
        self, position: int, place: int, cotangents: Sequence[Array | None], element: Element
    ) -> list[Meeting] | Reason:
        """The elements that depend on each other; if their terms do not add up, the rule is applied to each element."""
        met = self._local.column(position, place, cotangents)
        if isinstance(met, Reason):
            return met
        amounts = [_amount(each, cotangents) for each in met]
        number = self._run.number(element)
        if adds_up(amounts, number, self._event.arrived.dtype):
            return met
        return self._local.column(position, place, cotangents, by_rule=True)

    def _term(self, position: int, met: Meeting, told: Element | None, row: Ints) -> Term:
        out = self._taken.op.outputs[met.position]
        index = (*row, *unraveled(met.element, tuple(out.shape)))
        assert told is not None
        leads = Element(told.event, told.slot, index)
        goal = indexed(self._run.goal(self._walk, out.id), index)
        cotangent = Factor(goal, self._run.number(leads), leads)
        if met.amount is not None:
            return Term((Factor(f"part of {goal}", met.amount, leads),), met.amount)
        factors = (*self._slope(position, met), cotangent)
        return Term(factors, product(factors))

    def _slope(self, position: int, met: Meeting) -> tuple[Factor, ...]:
        op = self._local.primitive
        if self._local.family is not Family.ELEMENTWISE or op is None:
            return slope(self._run, self._taken, self._local, met)
        named: dict[str, Factor] = {}

        def name(letter: str) -> str:
            if letter == "y":
                found = self._run.output(self._taken, 0, met.element)
            else:
                place = self._local.beside(int(letter), met.element)
                found = self._run.input(self._taken, int(letter), place)
            named[found.text] = found
            return found.text

        count = len(self._taken.op.inputs)
        text = formula(op.name, op.rule, position, count, name)
        if text in ("", "1", "-1"):
            return slope(self._run, self._taken, self._local, met)
        return (named.get(text) or Factor(_bracketed(text), met.number),)


def _amount(met: Meeting, cotangents: Sequence[Array | None]) -> Number | None:
    if met.amount is not None or met.number is None:
        return met.amount
    cotangent = cotangents[met.position]
    assert cotangent is not None
    found: Number = (np.ravel(cotangent)[met.element] * met.number).item()
    return found


def _bracketed(text: str) -> str:
    """A sum in brackets, for a product."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if not depth and at and letter in "+-" and text[at - 1] == " ":
            return f"({text})"
    return text

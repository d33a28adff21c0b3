"""Finds the terms of an element of a value. The value may be an output of an op, a variable or a constant."""

from minitape.replay.reason import Reason
from minitape.terms.local import MEANS, Family, Local, Pairing
from minitape.terms.model import Element, Expansion, Factor, Number, Term
from minitape.terms.run import RunValues, adds_up, indexed, raveled
from minitape.terms.trace_index import Taken
from minitape.timeline import words
from minitape.trace import events


def of_op(run: RunValues, op: events.OpEvent, element: Element) -> Expansion:
    """Return the terms of an element of an op's output."""
    taken = run.trace_index.taken[op.number]
    numbers = op.outputs[element.slot]
    name = indexed(run.name(numbers.id), element.at)
    number, said = run.number(element), f"result of #{op.number} {op.name}"
    local = run.local(taken)
    if isinstance(local, Reason):
        return Expansion(name, number, said, word=f"Its terms are not known: {local.value}.")
    met = local.row(element.slot, raveled(element.at, tuple(numbers.shape)))
    if isinstance(met, Reason):
        word = f"Its terms are not known: {met.value}."
        if met is Reason.NO_RULE:
            word = "The op is not differentiable, so its terms are not known."
        return Expansion(name, number, said, word=word)
    if local.family in (Family.LINEAR, Family.PRODUCT):
        terms = tuple(_term(run, taken, local, each) for each in met)
        if adds_up([each.value for each in terms], number, numbers.dtype):
            word = "" if terms else "It does not contain any element of the inputs."
            return Expansion(name, number, said, terms, word=word)
    inputs = [run.input(taken, each.position, each.element) for each in met]
    terms = tuple(Term((each,), each.number) for each in inputs)
    is_part = local.family is not Family.ELEMENTWISE
    word = "It depends on these elements of the inputs." if is_part else ""
    word = (
        word
        if terms
        else "It does not depend on any element of the inputs here, because its derivatives are 0."
    )
    return Expansion(name, number, said, terms, function=op.name, word=word)


def _term(run: RunValues, taken: Taken, local: Local, met: Pairing) -> Term:
    own = run.input(taken, met.position, met.element)
    factors = (*derivative(run, taken, local, met, values=True), own)
    return Term(factors[::-1] if met.others else factors, product(factors))


def derivative(
    run: RunValues, taken: Taken, local: Local, met: Pairing, *, values: bool = False
) -> tuple[Factor, ...]:
    """Return the factor between two elements: elements of other inputs, or a constant; empty for a factor of 1.

    Args:
        run: The run.
        taken: The op.
        local: Its derivative.
        met: The two elements.
        values: Whether the factor is part of a value; in a TensorFlow cotangent, complex factors are conjugated.
    """
    if met.others:
        found = list(_constant(met.sign))
        for position, index in met.others:
            each = run.input(taken, position, index)
            is_turned = not values and not run.trace_index.is_minitape
            found.append(conjugated(each) if is_turned else each)
        return tuple(found)
    op = local.primitive
    if op is not None and op.name in MEANS and met.number:
        count = round(1 / abs(met.number))
        return () if count == 1 else (Factor(f"1/{count}", met.number),)
    return _constant(met.number)


def conjugated(factor: Factor) -> Factor:
    """Return the complex conjugate of a factor; a real factor is returned unchanged."""
    number = factor.number
    if not isinstance(number, complex):
        return factor
    return Factor(f"conj({factor.text})", number.conjugate(), factor.leads)


def _constant(number: Number | None) -> tuple[Factor, ...]:
    if number is None:
        return (Factor("several elements", None),)
    return () if number == 1 else (Factor(plain(number), number),)


def plain(number: Number) -> str:
    """Return a number with four digits."""
    if isinstance(number, complex):
        return f"({number:.4g})"
    return str(int(number)) if number == -1 else words.plain(number)


def product(factors: tuple[Factor, ...]) -> Number | None:
    """Return the product of factors; None if a factor is unknown."""
    found: Number = 1
    for each in factors:
        if each.number is None:
            return None
        found = found * each.number
    return found


_PUT = "The program assigned it from Python or NumPy values."


def of_variable(
    run: RunValues, event: events.VariableEvent | events.AssignEvent, element: Element
) -> Expansion:
    """Return the terms of a variable: of its initial value, or of the value that was assigned."""
    name = indexed(run.name(event.variable), element.at)
    number = run.number(element)
    made = events.VariableEvent
    said = "the initial value of the variable" if isinstance(event, made) else f"after {event.how}"
    expansion = event.origin
    came = None if expansion is None else run.trace_index.values.get(expansion)
    if expansion is None or came is None or came.shape != event.numbers.shape:
        word = "The program set it." if isinstance(event, made) else _PUT
        return Expansion(name, number, said, word=word)
    taken = run.factor(run.name(expansion), came, element.at)
    terms = [Term((taken,), taken.number)]
    before = run.trace_index.before.get(element.event)
    sign = {"assign_add": 1, "assign_sub": -1}.get(getattr(event, "how", ""))
    if sign is not None and before is not None:
        was = run.factor(run.name(event.variable), before, element.at)
        change = (Factor("-1", -1), taken) if sign < 0 else (taken,)
        terms = [Term((was,), was.number), Term(change, product(change))]
    if not adds_up([each.value for each in terms], number, event.numbers.dtype):
        return Expansion(name, number, said, word=f"It was computed from {taken.text}.")
    return Expansion(name, number, said, tuple(terms))


def of_constant(run: RunValues, event: events.ConstantEvent, element: Element) -> Expansion:
    """Return the terms of a constant: its history begins here, unless it is a copy."""
    name = indexed(run.name(event.numbers.id), element.at)
    number = run.number(element)
    came = None if event.origin is None else run.trace_index.values.get(event.origin)
    if came is not None and came.shape == event.numbers.shape:
        taken = run.factor(run.name(event.numbers.id), came, element.at)
        return Expansion(name, number, "a copy", (Term((taken,), taken.number),))
    line = "" if event.at is None else f" on line {event.at.line}"
    word = f"It came from Python or NumPy{line}, so its history begins here."
    return Expansion(name, number, "a constant", word=word)

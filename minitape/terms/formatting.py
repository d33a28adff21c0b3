"""Formats an `Expansion` as lines of text, as a teacher would write it on the board.

largest     separates the largest terms from the others
written     the lines: the number, its terms as names, its terms as numbers
TermLine    a term in a line
"""

from dataclasses import dataclass

from minitape.terms.model import Expansion, Number, Term
from minitape.terms.values import plain

MOST = 10


@dataclass(frozen=True, slots=True)
class TermLine:
    """A term, written with names and with numbers, and its value."""

    names: str
    numbers: str
    value: str
    term: Term


def largest(expansion: Expansion, most: int = MOST) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Return the largest terms in their original order, and all other terms."""
    if len(expansion.terms) <= most:
        return expansion.terms, ()
    ranked = sorted(range(len(expansion.terms)), key=lambda at: -_size(expansion.terms[at]))
    kept = set(ranked[:most])
    shown = tuple(each for at, each in enumerate(expansion.terms) if at in kept)
    return shown, tuple(each for at, each in enumerate(expansion.terms) if at not in kept)


def _size(term: Term) -> float:
    size = 0.0 if term.value is None else abs(term.value)
    return float("inf") if size != size else size


def rest(terms: tuple[Term, ...]) -> str:
    """Return the text for the terms that are not shown: `and 22 more = 0.013`."""
    amounts = [each.value for each in terms]
    known = [each for each in amounts if each is not None]
    total = f" = {plain(sum(known))}" if len(known) == len(amounts) else ""
    return f"and {len(terms)} more{total}"


def line(term: Term) -> TermLine:
    """Return a term, written with names and with numbers, and its value."""
    names, numbers = "", ""
    for at, each in enumerate(term.factors):
        if each.text == "-1" and at + 1 < len(term.factors):
            names, numbers = names + "-", numbers + "-"
            continue
        between = "·" if names.rstrip("-") else ""
        names += between + each.text
        numbers += between + ("?" if each.number is None else _in_brackets(each.number, numbers))
    amount = "" if term.value is None else plain(term.value)
    return TermLine(names, numbers, amount, term)


def _in_brackets(number: Number, before: str) -> str:
    text = plain(number)
    return f"({text})" if text.startswith("-") and before else text


def written(expansion: Expansion, most: int = MOST) -> list[str]:
    """Return the expansion as lines of text."""
    number = "" if expansion.number is None else f" = {plain(expansion.number)}"
    head = f"{expansion.name}{number}"
    shown, others = largest(expansion, most)
    lines = [line(each) for each in shown]
    if not lines:
        return [head, expansion.word] if expansion.word else [head]
    more = [rest(others)] if others else []
    if expansion.function:
        names = ", ".join(each.names for each in lines)
        numbers = ", ".join(each.numbers for each in lines)
        said = [f"  = {expansion.function}({names})", f"  = {expansion.function}({numbers})", *more]
    else:
        names = summed([each.names for each in lines])
        said = [f"  = {names}", f"  = {summed([each.numbers for each in lines])}", *more]
    return [head, *said, expansion.word] if expansion.word else [head, *said]


def summed(parts: list[str]) -> str:
    """Return terms written as a sum, such as `a·b - c`."""
    said = parts[0]
    for each in parts[1:]:
        said += f" - {each[1:]}" if each.startswith("-") else f" + {each}"
    return said

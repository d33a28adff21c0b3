"""Where a number is from, followed from one to the next; nothing here knows of a terminal.

Following   the number that is looked at, and those that led to it
chosen      the tensor and the index that a reader typed
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from minitape.story import Fact, Step, Tone

if TYPE_CHECKING:  # it brings the engine along, which most sessions never need
    from minitape.origin import Element, Origin, Origins, Term
    from minitape.trace.events import Numbers

ONWARD = "1234567890"  # a key for each term: the number that the factor is multiplied with
ASIDE = "abcdefghij"  # a key for each term: its first factor


@dataclass
class Following:
    """A number, and the way that led to it: `trail` ends with the one that is looked at."""

    origins: "Origins"
    trail: "list[Element]" = field(default_factory=list)

    @property
    def origin(self) -> "Origin":
        return self.origins.of(self.trail[-1])

    @property
    def terms(self) -> "tuple[Term, ...]":
        """The terms that are shown."""
        from minitape.origin import largest

        return largest(self.origin)[0]

    def press(self, key: str) -> str:
        """Go on to what a key leads to, or back; returns what is to be said where it leads nowhere."""
        if key in ("left", "backspace"):
            if len(self.trail) == 1:
                return "this is the number that was asked for"
            self.trail.pop()
            return ""
        goal = self._goal(key)
        if goal is None:
            return "nothing is known behind that"
        self.trail.append(goal)
        return ""

    def _goal(self, key: str) -> "Element | None":
        terms, at = self.terms, (ONWARD if key in ONWARD else ASIDE).index(key)
        if at >= len(terms):
            return None
        return terms[at].leads if key in ONWARD else aside(terms[at])


def aside(term: "Term") -> "Element | None":
    """Where the first factor leads that stands somewhere, if the term goes on elsewhere."""
    first = next((each.leads for each in term.factors if each.leads is not None), None)
    return None if first == term.leads else first


def tensors(step: Step) -> dict[str, "Numbers"]:
    """The tensors of a step by what they are called, first the one that the step made."""
    found: dict[str, Numbers] = {}
    for fact in (*_made(step), *step.facts):
        if fact.tensor is not None and fact.label:
            found.setdefault(fact.label.removesuffix("=").strip(), fact.tensor)
    return found


def _made(step: Step) -> tuple[Fact, ...]:
    """What came of the step: of an op its output, of a step back what it sends and not what arrived."""
    if step.kind == "back":
        return tuple(each for each in step.facts[1:] if each.tone is Tone.GRADIENT)
    return tuple(each for each in step.facts if each.label.endswith("="))


def chosen(step: Step, typed: str) -> "tuple[Numbers, tuple[int, ...]] | str":
    """The tensor and the index that were typed, or what is wrong with them.

    Args:
        step: Where the reader stands.
        typed: `2,1` for the tensor that the step made, `w 2,1` or `w[2,1]` for another one; nothing for a single number.
    """
    have = tensors(step)
    name, index = "", typed.strip()
    if not re.fullmatch(r"[-\d,\s]*", index):
        found = re.fullmatch(r"([^\[\s]+)[\[\s]*([-\d,\s]*)\]?", index)
        if found is None:
            return f"{index}: an element is written 2,1 or w 2,1"
        name, index = found.groups()
    if name:
        known = [each for each in have if name in (each, each.rpartition("∂")[2])]
        if not known:
            return f"{name}: here are {', '.join(have)}"
        numbers = have[known[0]]
    else:
        numbers = next(iter(have.values()))
    return numbers, tuple(int(each) for each in re.findall(r"-?\d+", index))

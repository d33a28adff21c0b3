"""Follows a number back to the numbers that it was computed from; independent of the terminal.

Following   the number that is shown, and the numbers that led to it
chosen      the tensor and the index that the user typed
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from minitape.timeline import Detail, Severity, TimelineStep

if TYPE_CHECKING:  # imports the engine, which most sessions never need
    from minitape.terms import Element, Expansion, Expansions, Term
    from minitape.trace.events import Numbers

ONWARD = "1234567890"  # a key for each term: goes to the factor that the term came from
ASIDE = "abcdefghij"  # a key for each term: goes to its first factor


@dataclass
class Following:
    """A number and the path of numbers that led to it; `trail` ends with the number that is shown."""

    expansions: "Expansions"
    trail: "list[Element]" = field(default_factory=list)

    @property
    def expansion(self) -> "Expansion":
        return self.expansions.of(self.trail[-1])

    @property
    def terms(self) -> "tuple[Term, ...]":
        """The terms that are shown."""
        from minitape.terms import largest

        return largest(self.expansion)[0]

    def press(self, key: str) -> str:
        """Go to the number that a key leads to, or back; returns a message if there is none."""
        if key in ("left", "backspace"):
            if len(self.trail) == 1:
                return "this is the first number"
            self.trail.pop()
            return ""
        goal = self._goal(key)
        if goal is None:
            return "the trace does not contain that number"
        self.trail.append(goal)
        return ""

    def _goal(self, key: str) -> "Element | None":
        terms, at = self.terms, (ONWARD if key in ONWARD else ASIDE).index(key)
        if at >= len(terms):
            return None
        return terms[at].leads if key in ONWARD else aside(terms[at])


def aside(term: "Term") -> "Element | None":
    """Return the number of the first factor that has a number, unless the term itself leads to that number."""
    first = next((each.leads for each in term.factors if each.leads is not None), None)
    return None if first == term.leads else first


def tensors(step: TimelineStep) -> dict[str, "Numbers"]:
    """Return the tensors of a step by their names, the result of the step first."""
    found: dict[str, Numbers] = {}
    for fact in (*_made(step), *step.facts):
        if fact.tensor is not None and fact.label:
            found.setdefault(fact.label.removesuffix("=").strip(), fact.tensor)
    return found


def _made(step: TimelineStep) -> tuple[Detail, ...]:
    """Return the results of a step: the output of an op, or the gradients that a backward step sends."""
    if step.kind == "back":
        return tuple(each for each in step.facts[1:] if each.tone is Severity.GRADIENT)
    return tuple(each for each in step.facts if each.label.endswith("="))


def chosen(step: TimelineStep, typed: str) -> "tuple[Numbers, tuple[int, ...]] | str":
    """Return the tensor and the index that the user typed, or an error message.

    Args:
        step: The current step.
        typed: `2,1` for the result of the step, `w 2,1` or `w[2,1]` for another tensor; empty for a single number.
    """
    have = tensors(step)
    name, index = "", typed.strip()
    if not re.fullmatch(r"[-\d,\s]*", index):
        found = re.fullmatch(r"([^\[\s]+)[\[\s]*([-\d,\s]*)\]?", index)
        if found is None:
            return f"{index}: write an element as 2,1 or w 2,1"
        name, index = found.groups()
    if name:
        known = [each for each in have if name in (each, each.rpartition("∂")[2])]
        if not known:
            return f"{name}: this step has only {', '.join(have)}"
        numbers = have[known[0]]
    else:
        numbers = next(iter(have.values()))
    return numbers, tuple(int(each) for each in re.findall(r"-?\d+", index))

"""One number of a run, and what it is made of: plain data.

Element   where a number stands in a trace
Origin    what it is made of
  Term      one of the amounts that it is the sum of
    Factor    one of the numbers that are multiplied
"""

from dataclasses import dataclass
from typing import NamedTuple

from minitape.core.values import Ints

Number = float | complex | int


class Element(NamedTuple):
    """A number of the tensor in `slot` of the event `event` (see `heard.tensors`), at the index `at`."""

    event: int
    slot: int
    at: Ints


@dataclass(frozen=True, slots=True)
class Factor:
    """A number with its name; `leads` is where it stands itself, None for one that stands nowhere, such as a slope."""

    text: str
    number: Number | None
    leads: Element | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A product, and what it comes to: the factors in order, the last one first to be followed."""

    factors: tuple[Factor, ...]
    amount: Number | None

    @property
    def leads(self) -> Element | None:
        """Where this term goes on: to the number before it on its way, else to the first that stands somewhere."""
        return next((each.leads for each in reversed(self.factors) if each.leads), None)


@dataclass(frozen=True, slots=True)
class Origin:
    """What a number is made of.

    Args:
        name: Of the number: `∂loss/∂w[2,1]`.
        number: As the trace has it; None where it does not.
        said: Who made it, in a few words.
        terms: What it is the sum of; of a `function`, what it is computed from.
        function: The op, where the number is no sum.
        rule: The calculus of the op, where it is the rule that sends it.
        word: What is to be said beyond: why there are no terms, or that here everything began.
    """

    name: str
    number: Number | None
    said: str
    terms: tuple[Term, ...] = ()
    function: str = ""
    rule: str = ""
    word: str = ""

"""Plain data that describe a number of a run and the terms from which it was computed.

Element     the location of a number in a trace
Expansion   how the number was computed
  Term      one of the terms whose sum it is
    Factor  one of the numbers that are multiplied
"""

from dataclasses import dataclass
from typing import NamedTuple

from minitape.core.values import Ints

Number = float | complex | int


class Element(NamedTuple):
    """A number of the tensor in `slot` of the event `event` (see `trace_index.tensors`), at the index `at`."""

    event: int
    slot: int
    at: Ints


@dataclass(frozen=True, slots=True)
class Factor:
    """A number with its name; `leads` is its location in the trace, None for a number that is not there, such as a derivative."""

    text: str
    number: Number | None
    leads: Element | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A product and its value. The factors are in order; the last one is followed first."""

    factors: tuple[Factor, ...]
    value: Number | None

    @property
    def leads(self) -> Element | None:
        """The location to which this term leads: the location of the last factor that has one."""
        return next((each.leads for each in reversed(self.factors) if each.leads), None)


@dataclass(frozen=True, slots=True)
class Expansion:
    """How a number was computed.

    Args:
        name: The name of the number: `∂loss/∂w[2,1]`.
        number: Its value in the trace; None if the trace does not contain it.
        text: A short text about the number, such as the op that computed it.
        terms: The terms whose sum it is; for a `function`, its arguments.
        function: The op, if the number is not a sum.
        rule: The gradient rule, if a rule computed the number.
        word: An additional sentence, such as why it has no terms, or that its history begins here.
    """

    name: str
    number: Number | None
    text: str
    terms: tuple[Term, ...] = ()
    function: str = ""
    rule: str = ""
    word: str = ""

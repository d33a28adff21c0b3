"""A gradient call under way: what has been sent to each value so far, and what a step adds to it."""

from typing import NamedTuple

from minitape.story import words
from minitape.story.model import Fact, Tone
from minitape.trace import events
from minitape.trace.events import Numbers


class Sent(NamedTuple):
    """What a step sends to a value: the gradient's name, the amount in words, and the sum before and after it."""

    share: events.Share
    goal: str
    amount: str
    before: str | None
    total: str

    @property
    def is_alone(self) -> bool:
        """Whether nothing else is sent there, not even by the seed."""
        return self.share.uses == 1 and self.before is None

    def facts(self, arrived: Numbers, came: str) -> list[Fact]:
        """The amount, and the sum if there are several; `came` is what arrived, in words."""
        share, text = self.share, self.amount
        given, amount = words.scalar(arrived), words.scalar(share.numbers)
        if given and amount is not None:
            # What the op multiplied by is not in the trace; between two numbers it is their ratio.
            text = f"{came} × {words.plain(amount / given)} = {text}"
        if self.is_alone:
            return [Fact(self.goal, f"= {text}", Tone.GRADIENT, share.numbers)]
        adding = "" if self.before is None else f"{self.before} + {self.amount} = "
        said = f"{adding}{self.total}   ({share.use} of {share.uses})"
        return [
            Fact(self.goal, f"+= {text}", Tone.GRADIENT, share.numbers),
            Fact("sum", said, Tone.GRADIENT, share.total),
        ]

    def in_a_row(self) -> str:
        """The amount; of one among several which one it is, and with the last one what all come to."""
        if self.is_alone:
            return self.amount
        sign = "" if self.amount.startswith("-") else "+"
        total = f" = {self.total}" if self.share.use == self.share.uses else ""
        return f"{sign}{self.amount} ({self.share.use} of {self.share.uses}){total}"


class Walk:
    """What a call was asked, and the sums that have come together so far, in words."""

    def __init__(self, asked: events.Gradient) -> None:
        self.asked = asked
        self.of = asked.target_name or "target"
        self._sums: dict[int, str] = {}

    def seed(self, value: int, said: str) -> None:
        """The walk begins at a value; each row of a Jacobian begins anew."""
        if self.asked.api != "gradient":
            self._sums.clear()
        self._sums[value] = said

    def send(self, share: events.Share, name: str) -> Sent:
        """What a step sends to the value of this name, from now on part of its sum."""
        before, amount = self._sums.get(share.value), words.short(share.numbers)
        is_all = share.uses == 1 and before is None
        total = self._sums[share.value] = amount if is_all else words.short(share.total)
        return Sent(share, f"∂{self.of}/∂{name}", amount, before, total)

"""A gradient call in progress: the gradient that each value has received so far, and the contribution of a step to it."""

from typing import NamedTuple

from minitape.timeline import words
from minitape.timeline.model import Detail, Severity
from minitape.trace import events
from minitape.trace.events import Numbers


class ShownContribution(NamedTuple):
    """The contribution of one step to the gradient of one value.

    Attributes:
        event: The contribution in the trace.
        goal: The name of the gradient, such as `∂loss/∂w`.
        text: The contribution, as text.
        before: The sum before it, as text; None if this is the first contribution.
        total: The sum after it, as text.
    """

    event: events.Contribution
    goal: str
    text: str
    before: str | None
    total: str

    @property
    def is_alone(self) -> bool:
        """Whether this is the only contribution, because no other step and no seed adds to the gradient."""
        return self.event.uses == 1 and self.before is None

    def facts(self, arrived: Numbers, came: str) -> list[Detail]:
        """Return the lines about the contribution, and about the sum if there are several.

        Args:
            arrived: The gradient that arrived at the op.
            came: The arrived gradient, as text.
        """
        contribution, text = self.event, self.text
        given, amount = words.scalar(arrived), words.scalar(contribution.numbers)
        if given and amount is not None:
            # The trace does not contain the factor of the op; for two scalars, the factor is their ratio.
            text = f"{came} × {words.plain(amount / given)} = {text}"
        if self.is_alone:
            return [Detail(self.goal, f"= {text}", Severity.GRADIENT, contribution.numbers)]
        adding = "" if self.before is None else f"{self.before} + {self.text} = "
        said = f"{adding}{self.total}   ({contribution.use} of {contribution.uses})"
        return [
            Detail(self.goal, f"+= {text}", Severity.GRADIENT, contribution.numbers),
            Detail("sum", said, Severity.GRADIENT, contribution.total),
        ]

    def in_a_row(self) -> str:
        """Return the contribution for a row of a table, with its position among several, and after the last one their sum."""
        if self.is_alone:
            return self.text
        sign = "" if self.text.startswith("-") else "+"
        total = f" = {self.total}" if self.event.use == self.event.uses else ""
        return f"{sign}{self.text} ({self.event.use} of {self.event.uses}){total}"


class CallProgress:
    """The event of a gradient call, and the sums of the contributions so far, as text."""

    def __init__(self, requested: events.GradientEvent) -> None:
        self.requested = requested
        self.of = requested.target_name or "target"
        self._sums: dict[int, str] = {}

    def seed(self, value: int, said: str) -> None:
        """Start the backward pass at a value; each row of a Jacobian starts again."""
        if self.requested.api != "gradient":
            self._sums.clear()
        self._sums[value] = said

    def send(self, contribution: events.Contribution, name: str) -> ShownContribution:
        """Add a contribution to the value of this name, and describe it."""
        before, amount = self._sums.get(contribution.value), words.short(contribution.numbers)
        is_all = contribution.uses == 1 and before is None
        total = self._sums[contribution.value] = (
            amount if is_all else words.short(contribution.total)
        )
        return ShownContribution(contribution, f"∂{self.of}/∂{name}", amount, before, total)

"""Where the inputs of each op come from, and the gradients that came back along the path.

Origins    the op, variable or constant from which each value comes
Came       the gradients of several values as one: its norm, and whether it is zero, bad, or missing
"""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from minitape.draw.diagram import wording
from minitape.draw.diagram.model import Flow
from minitape.draw.facts import Facts, Maker
from minitape.draw.words import trouble
from minitape.trace import events
from minitape.trace.elements import elements
from minitape.trace.events import Numbers


class Origin(NamedTuple):
    """Where a value comes from: an op, a variable or a constant (its value).

    `left` is the value that came back, if it left the tape along the path.
    """

    op: int | None
    variable: int | None
    constant: int | None
    left: int | None = None


class Came(NamedTuple):
    """The gradient that came back for some values."""

    flow: Flow
    norm: float | None
    text: str


class Origins:
    """The origins of all values, and which ops depend on a source of the gradient call."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._sources = {*facts.sources}
        self._senders: dict[int, list[tuple[int | None, events.Contribution]]] = {}
        for number, step in facts.back.items():
            for part in step.sent:
                self._senders.setdefault(part.value, []).append((number, part))
        self._depends: dict[int, bool] = {}

    def of(self, value: int) -> list[Origin]:
        """Return the origins of a value; there are several if it was computed outside the engine from several values."""
        found: list[Origin] = []
        waiting: list[tuple[int, int | None]] = [(value, None)]
        seen: set[int] = set()
        while waiting:
            at, left = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            variable = self._facts.variable_of(at)
            maker = self._facts.makers.get(at)
            if variable is not None:
                found.append(Origin(None, variable, None, left))
            elif maker is None:
                found.append(Origin(None, None, at, left))
            elif isinstance(maker.event, events.OpEvent):
                found.append(Origin(maker.event.number, None, None, left))
            elif self._is_followed(maker, at):
                is_exit = isinstance(maker.event, events.ReentryEvent)
                back = at if is_exit and left is None else left
                waiting += [(given, back) for given in maker.inputs]
            else:
                found.append(Origin(None, None, at, left))
        return found

    def _is_followed(self, maker: Maker, value: int) -> bool:
        """Whether to follow a value that no op computed to the values from which it was made. If only its name indicates that a
        value came back, it is followed if it is on the path of a finding.
        """
        event = maker.event
        if isinstance(event, events.ReentryEvent) and not event.sure:
            return bool(maker.inputs) and value in self._facts.pointed
        return isinstance(event, events.ReentryEvent | events.ResultEvent) and bool(maker.inputs)

    def is_source(self, value: int) -> bool:
        """Whether a value, or the variable from which it was read, is a source of the call."""
        variable = self._facts.variable_of(value)
        return value in self._sources or (variable is not None and variable in self._sources)

    def depends(self, op: int) -> bool:
        """Whether an op depends on a source, on the tape or outside it."""
        if not self._depends:
            self._learn_dependence()
        return self._depends.get(op, False)

    def _learn_dependence(self) -> None:
        for number, op in self._facts.ops.items():
            self._depends[number] = any(
                self.is_source(given.value)
                or any(
                    (each.op is not None and self._depends.get(each.op, False))
                    or (each.variable is not None and each.variable in self._sources)
                    for each in self.of(given.value)
                )
                for given in op.inputs
            )

    def came(self, values: Iterable[int], users: Collection[int], *, is_needed: bool) -> Came:
        """Return the gradients that came back for values from the ops that use them.

        Args:
            values: The values.
            users: The numbers of the ops from which the gradients came.
            is_needed: Whether a source is on the other side of the values.
        """
        parts: list[Numbers] = []
        norms: list[float | None] = []
        for value in dict.fromkeys(values):
            sent = self._senders.get(value, [])
            mine = [part for number, part in sent if number in users]
            if not mine:
                continue
            if len(mine) == len(sent):
                parts.append(mine[-1].total)
                norms.append(mine[-1].total.l2)
            else:
                parts += [part.numbers for part in mine]
                norms.append(_norm_of_sum([part.numbers for part in mine]))
        if not parts:
            return (
                Came(Flow.NEVER, None, wording.NEVER)
                if is_needed
                else Came(Flow.NOT_NEEDED, None, wording.NOT_NEEDED)
            )
        came = together(parts)
        known = [norm for norm in norms if norm is not None]
        if came.flow is not Flow.GRADIENT:
            return came
        if len(known) < len(norms):
            return came._replace(text=wording.ABOUT.format(number=came.text))
        norm = math.sqrt(math.fsum(norm**2 for norm in known))
        return Came(Flow.GRADIENT, norm, wording.number(norm)) if norm else _ZERO


_ZERO = Came(Flow.ZERO, 0.0, wording.ZERO)


def _norm_of_sum(parts: Sequence[Numbers]) -> float | None:
    """Return the norm of a sum of gradients; None if the trace does not contain all of their elements."""
    if len(parts) == 1:
        return parts[0].l2
    flats = [elements(part) for part in parts]
    if any(flat is None or len(flat) != parts[0].size for flat in flats):
        return None
    sums = [sum(items) for items in zip(*(flat or () for flat in flats), strict=True)]
    return math.hypot(*map(abs, sums))


def together(parts: Iterable[Numbers]) -> Came:
    """Return several gradients as one."""
    parts = list(parts)
    bad = next(filter(None, map(trouble, parts)), "")
    if bad:
        return Came(Flow.BAD, None, bad)
    norm = math.sqrt(math.fsum((part.l2 or 0.0) ** 2 for part in parts))
    if all(part.zeros == part.size for part in parts):
        return _ZERO
    return Came(Flow.GRADIENT, norm, wording.number(norm))


def came_of(numbers: Numbers | None) -> Came:
    """Return a gradient as `Came`, or that there is none."""
    return Came(Flow.NEVER, None, wording.NONE) if numbers is None else together([numbers])

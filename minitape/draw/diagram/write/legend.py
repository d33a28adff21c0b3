"""The parts of a slide below the cards.

Legend    the meanings of the symbols in use
axis      the norms of all gradients on one scale
strips    the states of a recurrent card over its steps, on one x axis: the norm of each state, and that of its gradient
"""

import math
from collections.abc import Iterator, Sequence

from minitape.draw.diagram import wording
from minitape.draw.diagram.model import Diagram, Flow, StationKind, Steps
from minitape.draw.diagram.write.brush import (
    HEAD,
    JOIN,
    TEXT,
    VALUE_WIDTH,
    Brush,
    Scale,
    width_of,
)
from minitape.draw.diagram.write.places import LEFT, WIDTH, Layout

_Y = 862.0
_LEVELS = 3
_MOST_NAMED, _NAMED_AT_ENDS = 24, 4
_NAMES, _NOTES = 150.0, 210.0  # the space left and right of the bars
_TITLE, _LABELS, _GAP = 22.0, 20.0, 18.0
_LEAST_LABEL = 44.0  # the space between two numbers on the axis
_BATCH = "batch axis ({size}) not shown"
_ARRIVED = "The {count} gradients that arrived: |g| on a log scale"


class Legend:
    """Explains the symbols of one slide, from left to right."""

    def __init__(self, diagram: Diagram, brush: Brush, scale: Scale, layout: Layout) -> None:
        self._brush, self._scale, self._enlarged = brush, scale, layout.scale
        self._batch = diagram.batch
        self._is_halved = layout.river > 1 and any(
            route.river is not None for route in layout.routes
        )
        self._flows = {link.flow for link in diagram.links}
        self._has_parameters = any(station.parameters for station in diagram.stations)
        self._has_sums = any(station.kind is StationKind.JOIN for station in diagram.stations)
        self._x = LEFT

    def lines(self) -> Iterator[str]:
        brush, y = self._brush, _Y
        yield brush.stroke([(self._x, y), (self._x + 34, y)], "value", VALUE_WIDTH)
        yield brush.head((self._x, y), (self._x + 44, y), HEAD, 7.0, "value")
        yield self._words(54, "values, forward")
        if Flow.GRADIENT in self._flows:
            yield from self._gradient()
        if Flow.BAD in self._flows:
            yield brush.stroke([(self._x + 44, y), (self._x + 12, y)], "break", 8)
            yield brush.head((self._x + 44, y), (self._x, y), 14, 9, "break")
            yield self._words(54, "gradient with nan or inf")
        if Flow.NOT_NEEDED in self._flows:
            yield brush.bed([(self._x, y), (self._x + 38, y)])
            yield self._words(46, "no gradient needed")
        if Flow.STOPPED in self._flows:
            yield brush.bed([(self._x, y), (self._x + 38, y)])
            yield brush.stop(self._x + 19, y)
            yield self._words(46, "stop_gradient")
        if Flow.NEVER in self._flows or Flow.CUT in self._flows:
            yield brush.bed([(self._x, y), (self._x + 38, y)], "break")
            yield brush.text(self._x + 46, y + 4, wording.NONE, tone="break", is_bold=True)
            yield self._words(88, "no gradient arrives")
        if Flow.CUT in self._flows:
            yield brush.scissors(self._x + 11, y, 11.0)
            yield self._words(28, "cut here")
        if self._has_parameters:
            yield brush.rectangle(self._x, y - 9, 22, 18, fill="panel", line="line", round_=4)
            yield self._words(30, "parameters, |g|")
        if self._has_sums:
            yield brush.join(self._x + JOIN / 2, y)
            yield self._words(48, "sum")
        if self._batch is not None:
            text = _BATCH.format(size=self._batch)
            if self._x + width_of(text, TEXT) <= WIDTH - LEFT:
                yield brush.text(WIDTH - LEFT, y + 4, text, tone="mute", anchor="end")

    def _gradient(self) -> Iterator[str]:
        brush, y = self._brush, _Y
        yield brush.stroke([(self._x + 44, y), (self._x + 12, y)], "gradient", 12)
        yield brush.head((self._x + 44, y), (self._x, y), 14, 12, "gradient")
        yield self._words(54, "gradient, backward; width = log of its norm:", gap=16)
        for power in (self._scale.high, self._scale.high - 1, self._scale.high - 2):
            width = self._scale.width(10.0**power) * self._enlarged
            yield brush.rectangle(self._x, y - width / 2, 22, width, fill="gradient")
            yield self._words(28, f"{10.0**power:g}", gap=16)
        if self._is_halved:
            yield self._words(0, "(drawn at half size)")
        self._x += 12

    def _words(self, after: float, text: str, gap: float = 26) -> str:
        """Write a text after a symbol, and move past it."""
        x = self._x + after
        self._x = x + width_of(text, TEXT) + gap
        return self._brush.text(x, _Y + 4, text)


def axis(arrived: Sequence[tuple[str, float]], top: float, brush: Brush) -> Iterator[str]:
    """The norms of all gradients on one logarithmic scale; names that would overlap are placed higher, or omitted."""
    arrived = sorted(arrived, key=lambda each: each[1])
    low = math.floor(math.log10(arrived[0][1]) * 2 - 0.01) / 2
    high = math.ceil(math.log10(arrived[-1][1]) * 2 + 0.01) / 2
    left, right, y = LEFT + 80, WIDTH - LEFT - 80, top + 70
    yield brush.text(LEFT, top, _ARRIVED.format(count=len(arrived)), 14)
    yield brush.stroke([(left, y), (right, y)], "line", 1.2)

    def position(norm: float) -> float:
        return left + (right - left) * (math.log10(norm) - low) / (high - low)

    for tick in _ticks(10**low, 10**high):
        x = position(tick)
        yield brush.stroke([(x, y - 4), (x, y + 4)], "line", 1.2)
        yield brush.text(x, y + 22, f"{tick:g}", tone="mute", anchor="middle")
    ends = [-math.inf] * _LEVELS
    for i, (name, norm) in enumerate(arrived):
        x, half = position(norm), width_of(name, TEXT, is_bold=True) / 2
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{brush.colors["gradient"]}"/>'
        is_named = len(arrived) <= _MOST_NAMED or min(i, len(arrived) - 1 - i) < _NAMED_AT_ENDS
        level = next((i for i, end in enumerate(ends) if x - half > end + 6), None)
        if level is None or not is_named:
            continue
        ends[level] = x + half
        above = y - 13 - 16 * level
        if level:
            yield brush.stroke([(x, y - 6), (x, above + 4)], "line", 1)
        yield brush.text(x, above, name, tone="gradient", is_bold=True, anchor="middle")


def _ticks(low: float, high: float) -> list[float]:
    """Return the round numbers of a logarithmic scale: 1, 2 and 5 of each decade, or powers of ten if there are many."""
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= 6 else (1,)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= tick <= high]


# --- states over steps ---


def strips(
    steps: Steps, left: float, right: float, top: float, height: float, brush: Brush, scale: Scale
) -> Iterator[str]:
    """Draw the strips of all states within these bounds."""
    rows = 2 * len(steps.states)
    bar = (height - _TITLE - _LABELS) / rows - _GAP
    x, end = left + _NAMES, right - _NOTES
    yield brush.text(left, top + 14, wording.OVER_STEPS.format(over=steps.over), 14, is_bold=True)
    base = top + _TITLE
    for state in steps.states:
        high = max((norm for norm in state.values if norm), default=0.0) or 1.0
        base += bar + _GAP
        fractions = [(norm or 0.0) / high for norm in state.values]
        yield from _strip(brush, fractions, state.values, "value", (x, end, base, bar))
        yield brush.text(left, base - bar / 2 + 4, f"|{state.name}|", 16, is_bold=True)
        base += bar + _GAP
        fractions = [scale.fraction(norm) if norm else 0.0 for norm in state.gradients]
        yield from _strip(brush, fractions, state.gradients, "gradient", (x, end, base, bar))
        name = wording.DERIVATIVE.format(name=state.name)
        yield brush.text(left, base - bar / 2 + 4, name, 16, is_bold=True)
        # In a low row, the text next to its name would touch that of the next row.
        beside = left + width_of(name, 16, is_bold=True) + 6
        yield brush.text(beside, base - bar / 2 + 4, wording.LOG_SCALE, tone="mute")
        note = _per_step(steps, state.gradients)
        if note:
            yield brush.text(end + 16, base - bar / 2 + 4, note, tone="gradient", is_bold=True)
    width = (end - x) / len(steps.shown)
    every = max(1, -(-int(_LEAST_LABEL) // max(1, int(width))))
    for i in range(0, len(steps.shown), every):
        at = x + (i + 0.5) * width
        yield brush.text(at, base + 18, f"{steps.shown[i]:,}", tone="mute", anchor="middle")


def _strip(
    brush: Brush,
    fractions: Sequence[float],
    norms: Sequence[float | None],
    tone: str,
    place: tuple[float, float, float, float],
) -> Iterator[str]:
    """Draw one strip, with the numbers of its first and its last bar."""
    x, end, base, bar = place
    width = (end - x) / len(norms)
    for i, fraction in enumerate(fractions):
        if norms[i]:
            height = max(1.0, bar * fraction)
            gap = min(4.0, width / 5)
            yield brush.rectangle(x + i * width, base - height, width - gap, height, fill=tone)
    yield brush.stroke([(x, base), (end, base)], "line", 1)
    for i in (0, len(norms) - 1):
        norm = norms[i]
        text = wording.NONE if norm is None else wording.number(norm)
        above = base - bar * fractions[i] - 4
        at, anchor = (x, "") if i == 0 else (end, "end")
        yield brush.text(
            at, above, text, tone=tone if norm else "mute", is_bold=True, anchor=anchor
        )


def _per_step(steps: Steps, norms: Sequence[float | None]) -> str:
    """Return the factor of a backward step, on average."""
    count = steps.shown[-1] - steps.shown[0]
    first, last = norms[0], norms[-1]
    if not first or not last or not count:
        return ""
    return wording.PER_STEP.format(factor=wording.number((first / last) ** (1 / count)))

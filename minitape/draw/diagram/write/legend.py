"""What is below the cards of a slide: all gradients on one scale, and the meaning of the signs in use."""

import math
from collections.abc import Iterator, Sequence

from minitape.draw.diagram import wording
from minitape.draw.diagram.model import Diagram, Flow, StationKind
from minitape.draw.diagram.write.brush import (
    HEAD,
    JOIN,
    TEXT,
    VALUE_WIDTH,
    Brush,
    Scale,
    width_of,
)
from minitape.draw.diagram.write.layout import LEFT, WIDTH

_Y = 862.0
_LEVELS = 3
_MOST_NAMED, _NAMED_AT_ENDS = 24, 4
_ARRIVED = "The {count} gradients that arrived: |g| on a log scale"


class Legend:
    """Explains the signs of one slide, from left to right."""

    def __init__(self, diagram: Diagram, brush: Brush, scale: Scale, enlarged: float) -> None:
        self._brush, self._scale, self._enlarged = brush, scale, enlarged
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

    def _gradient(self) -> Iterator[str]:
        brush, y = self._brush, _Y
        yield brush.stroke([(self._x + 44, y), (self._x + 12, y)], "gradient", 12)
        yield brush.head((self._x + 44, y), (self._x, y), 14, 12, "gradient")
        yield self._words(54, "gradient, backward; width = log of its norm:", gap=16)
        for power in (self._scale.high, self._scale.high - 1, self._scale.high - 2):
            width = self._scale.width(10.0**power) * self._enlarged
            yield brush.rectangle(self._x, y - width / 2, 22, width, fill="gradient")
            yield self._words(28, f"{10.0**power:g}", gap=16)
        self._x += 12

    def _words(self, after: float, text: str, gap: float = 26) -> str:
        """Write a text after a sign, and move past it."""
        x = self._x + after
        self._x = x + width_of(text, TEXT) + gap
        return self._brush.text(x, _Y + 4, text)


def axis(arrived: Sequence[tuple[str, float]], top: float, brush: Brush) -> Iterator[str]:
    """The norms of all gradients on one logarithmic scale; names that would overlap are placed higher, or left out."""
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
    """Return the round numbers of a logarithmic scale: 1, 2 and 5 of each decade, or powers of ten if they are many."""
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= 6 else (1,)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= tick <= high]

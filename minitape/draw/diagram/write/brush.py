"""The pieces of a slide as SVG: texts, lanes with arrowheads, empty bands, the symbols for breaks and sums.

Only plain shapes and attributes are used, so every program that reads SVG shows the same picture.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape

from minitape.draw.write.palette import palette_of
from minitape.draw.write.svg import code_width, text_width

SANS = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_MONO = "Courier, 'Courier New', 'Liberation Mono', monospace"
_LIGHT = {
    "ink": "#16181c",
    "mute": "#565e6b",
    "paper": "#ffffff",
    "panel": "#f5f6f8",
    "line": "#8b93a0",
    "value": "#0b69b3",
    "pale": "#7fb3dd",
    "gradient": "#86297a",
    "break": "#b53800",
    "alarm": "#fff0e8",
    "tint": "#f8edf6",
}
_DARK = {
    "ink": "#eef1f5",
    "mute": "#a9b3c0",
    "paper": "#13161a",
    "panel": "#1f242b",
    "line": "#6b7480",
    "value": "#62b5f7",
    "pale": "#3d6f96",
    "gradient": "#ea92dc",
    "break": "#ff915c",
    "alarm": "#33201a",
    "tint": "#2b1a28",
}
_THEMES = {"light": _LIGHT, "dark": _DARK}
_NAMED = ("value", "pale", "gradient", "break")
WIDEST, _NARROWEST, _HAIR = 26.0, 3.0, 1.2
BED = 12.0
_CORNER = 12.0
VALUE_WIDTH = 3.5
HEAD = 11.0
JOIN = 40.0  # the diameter of a sum
TEXT = 13  # the smallest text

Point = tuple[float, float]


def width_of(text: str, size: float, *, is_bold: bool = False, is_code: bool = False) -> float:
    """Return the width of a text on a slide, in points."""
    return code_width(text, size) if is_code else text_width(text, size, is_bold=is_bold)


@dataclass(frozen=True)
class Scale:
    """The logarithmic scale of a slide: the powers of ten of the narrowest and of the widest band."""

    low: int
    high: int

    def fraction(self, norm: float) -> float:
        """Return the position of a norm on the scale, from 0 to 1."""
        place = (math.log10(norm) - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, place))

    @property
    def widths(self) -> tuple[float, ...]:
        """The powers of ten at both ends, their widths, and the width for zeros, from which a script can compute `width`."""
        return self.low, self.high, _NARROWEST, WIDEST, _HAIR

    def width(self, norm: float | None) -> float:
        """Return the width of a band; a gradient of zeros is a hairline."""
        return _NARROWEST + (WIDEST - _NARROWEST) * self.fraction(norm) if norm else _HAIR


def scale_of(norms: Sequence[float]) -> Scale:
    """Return a scale from 0.001 to 1, extended if the norms require it."""
    if not norms:
        return Scale(-3, 0)
    return Scale(-5 if min(norms) < 1e-3 else -3, max(0, math.ceil(math.log10(max(norms)))))


class Brush:
    """Draws with the colors of a theme.

    With `is_named`, elements that show a value, a gradient or a break have their tone as their class, so that the page's script
    finds them.

    Raises:
        DrawError: the theme is unknown.
    """

    def __init__(self, theme: str, *, is_named: bool = False) -> None:
        self.colors = _THEMES[palette_of(theme).name]
        self._is_named = is_named

    def named(self, tone: str) -> str:
        """Return the attribute that names a tone, or nothing."""
        return f' class="{tone}"' if self._is_named and tone in _NAMED else ""

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int = TEXT,
        tone: str = "ink",
        *,
        is_bold: bool = False,
        is_code: bool = False,
        anchor: str = "",
        data: str = "",
    ) -> str:
        """Return a text; `data` is an attribute for the script of a page."""
        looks = ' font-weight="bold"' if is_bold else ""
        looks += f' font-family="{_MONO}"' if is_code else ""
        looks += f' text-anchor="{anchor}"' if anchor else ""
        width = width_of(text, size, is_bold=is_bold, is_code=is_code)
        # With an explicit length, the text fits its card with any font.
        looks += f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"' if text else ""
        return (
            f"<text{self.named(tone)}{f' {data}' if self._is_named and data else ''}"
            f' x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{self.colors[tone]}"{looks}'
            f' xml:space="preserve">{escape(text)}</text>'
        )

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str,
        line: str = "",
        thick: float = 1.2,
        round_: float = 0.0,
        dashes: str = "",
    ) -> str:
        looks = f' rx="{round_:g}"' if round_ else ""
        looks += f' stroke="{self.colors[line]}" stroke-width="{thick}"' if line else ""
        looks += f' stroke-dasharray="{dashes}"' if dashes else ""
        return (
            f'<rect{self.named(fill)} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
            f' fill="{self.colors[fill]}"{looks}/>'
        )

    def stroke(self, points: Sequence[Point], tone: str, width: float) -> str:
        return (
            f'<path{self.named(tone)} d="{path(points)}" fill="none" stroke="{self.colors[tone]}"'
            f' stroke-width="{width:.1f}"/>'
        )

    def head(self, before: Point, tip: Point, reach: float, half: float, tone: str) -> str:
        """Return an arrowhead from `before` to `tip`, with this length and half width."""
        back = towards(tip, before, reach)
        across = (tip[1] - back[1]) / reach * half, (back[0] - tip[0]) / reach * half
        corners = (
            tip,
            (back[0] + across[0], back[1] + across[1]),
            (back[0] - across[0], back[1] - across[1]),
        )
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        return f'<polygon{self.named(tone)} points="{points}" fill="{self.colors[tone]}"/>'

    def stream(
        self,
        y: float,
        xs: tuple[float, float, float, float],
        halves: tuple[float, float],
        tone: str,
    ) -> str:
        """Return a part of a river around a horizontal line, from right to left.

        Its width changes between the inner two of its `xs`. It is half a point longer at both ends, so that no seam is visible
        between two parts.
        """
        right, start, end, left = xs
        (one, other), middle = halves, (start + end) / 2
        way = (
            f"M{right + 0.5:.1f} {y - one:.1f}H{start:.1f}"
            f"C{middle:.1f} {y - one:.1f} {middle:.1f} {y - other:.1f} {end:.1f} {y - other:.1f}"
            f"H{left - 0.5:.1f}V{y + other:.1f}H{end:.1f}"
            f"C{middle:.1f} {y + other:.1f} {middle:.1f} {y + one:.1f} {start:.1f} {y + one:.1f}"
            f"H{right + 0.5:.1f}Z"
        )
        return f'<path d="{way}" fill="{self.colors[tone]}"/>'

    def bed(self, points: Sequence[Point], tone: str = "line") -> str:
        """Return an empty band: a dashed outline."""
        way = path(points)
        return (
            f'<path{self.named(tone)} d="{way}" fill="none" stroke="{self.colors[tone]}"'
            f' stroke-width="{BED}"'
            ' stroke-linejoin="round" stroke-dasharray="6 4"/>'
            f'<path d="{way}" fill="none" stroke="{self.colors["panel"]}"'
            f' stroke-width="{BED - 2.4}" stroke-linejoin="round"/>'
        )

    def scissors(self, x: float, y: float, radius: float) -> str:
        """Return the symbol for a cut, around its center: open scissors on a disk."""
        unit, ink, paper = radius / 10, self.colors["break"], self.colors["paper"]
        blades = "".join(
            f"M{x - 3 * unit:.1f} {y + side * 3 * unit:.1f}L{x + 6 * unit:.1f} {y - side * 4 * unit:.1f}"
            for side in (-1, 1)
        )
        rings = "".join(
            f'<circle cx="{x - 4.4 * unit:.1f}" cy="{y + side * 3.6 * unit:.1f}" r="{2.1 * unit:.1f}"'
            f' fill="none" stroke="{paper}" stroke-width="{1.3 * unit:.1f}"/>'
            for side in (-1, 1)
        )
        return (
            f'<circle{self.named("break")} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{ink}"/>'
            f'<path d="{blades}" stroke="{paper}" stroke-width="{1.5 * unit:.1f}" fill="none"/>{rings}'
        )

    def stop(self, x: float, y: float) -> str:
        """Return the symbol for a gradient that the user stops: two bars across its band."""
        return "".join(
            self.stroke([(x + shift, y - 11), (x + shift, y + 11)], "ink", 3) for shift in (-4, 4)
        )

    def join(self, x: float, y: float) -> str:
        """Return the symbol for a sum, around its center."""
        ink, reach = self.colors["ink"], 9
        return (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{JOIN / 2:.0f}" fill="{self.colors["paper"]}"'
            f' stroke="{ink}" stroke-width="2.4"/>'
            f'<path d="M{x - reach:.1f} {y:.1f}H{x + reach:.1f}'
            f'M{x:.1f} {y - reach:.1f}V{y + reach:.1f}"'
            f' stroke="{ink}" stroke-width="2.4" fill="none"/>'
        )


# --- geometry ---


def beside(points: Sequence[Point], shift: float) -> list[Point]:
    """Return a line parallel to another line: below it where that line leads to the right, on its left where it leads down."""
    found: list[Point] = []
    parts = list(pairwise(points))
    for i, (x, y) in enumerate(points):
        dx = dy = 0.0
        for start, end in parts[max(0, i - 1) : i + 1]:
            if abs(end[0] - start[0]) > abs(end[1] - start[1]):
                dy = shift if end[0] > start[0] else -shift
            else:
                dx = -shift if end[1] > start[1] else shift
        found.append((x + dx, y + dy))
    return found


def path(points: Sequence[Point]) -> str:
    """Return a path with rounded corners."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        reach = min(_CORNER, length(before, at) / 2, length(at, after) / 2)
        start, end = towards(at, before, reach), towards(at, after, reach)
        parts.append(
            f"L{start[0]:.1f} {start[1]:.1f}Q{at[0]:.1f} {at[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
        )
    parts.append(f"L{points[-1][0]:.1f} {points[-1][1]:.1f}")
    return "".join(parts)


def shortened(points: Sequence[Point], by: float) -> list[Point]:
    return [*points[:-1], towards(points[-1], points[-2], by)]


def towards(start: Point, end: Point, by: float) -> Point:
    whole = length(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * by / whole, start[1] + (end[1] - start[1]) * by / whole


def length(start: Point, end: Point) -> float:
    return math.hypot(end[0] - start[0], end[1] - start[1])


def longest_flat(points: Sequence[Point]) -> tuple[Point, Point] | None:
    """Return the longest horizontal part of a line."""
    flat = [part for part in pairwise(points) if abs(part[0][1] - part[1][1]) < 1]
    return max(flat, key=lambda part: length(*part), default=None)

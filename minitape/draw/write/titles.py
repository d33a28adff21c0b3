"""Moves the title of a frame to a position that no edge crosses.

Graphviz writes the title into the lower left corner of the frame, behind the edges. So the title is moved to a position with
enough space, in front of the edges.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

Point = tuple[float, float]

_SIDE = 8.0  # the distance between a title and an edge, or the border of its frame
_STEPS = 12  # straight pieces per curve

_FRAME = re.compile(r'<g id="([^"]*)" class="cluster loop">.*?</g>\n</g>\n', re.S)
_TITLE = re.compile(
    r'<text [^>]*?x="(?P<x>-?[\d.]+)" y="(?P<y>-?[\d.]+)"[^>]*?textLength="(?P<length>[\d.]+)"[^>]*>[^<]*</text>\n'
)
_EDGE = re.compile(r'<g id="[^"]*" class="edge [^"]*">.*? d="([^"]*)"', re.S)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_X = re.compile(r' x="(-?[\d.]+)"')
_END = "</g>\n</svg>\n"


def with_clear_titles(svg: str) -> str:
    """Return the SVG of Graphviz with readable frame titles; texts must have their lengths."""
    curves = [list(_points(found[1])) for found in _EDGE.finditer(svg)]
    moved: list[str] = []

    def without_title(frame: re.Match[str]) -> str:
        texts = list(_TITLE.finditer(frame[0]))
        outline = re.search(r'<path fill="([^"]*)"[^>]* d="([^"]*)"', frame[0])
        if not texts or outline is None:
            return frame[0]
        across = [x for x, _ in _corners(outline[2])]
        top, bottom = float(texts[0]["y"]) - 9, float(texts[0]["y"]) + 3
        crossings = [x for curve in curves for x in crossings_of(curve, top, bottom)]
        widths = [float(text["length"]) for text in texts]
        starts = clear_starts(min(across) + _SIDE, max(across) - _SIDE, widths, crossings)
        moved.append(f'<g class="title-of" data-loop="{frame[1]}">\n')
        for text, start, width in zip(texts, starts, widths, strict=True):
            moved.append(
                f'<rect x="{start - 2:.2f}" y="{top:.2f}" width="{width + 4:.2f}" height="{bottom - top:.2f}"'
                f' fill="{outline[1]}"/>\n{_moved(text[0], start)}'
            )
        moved.append("</g>\n")
        return _TITLE.sub("", frame[0])

    rest = _FRAME.sub(without_title, svg)
    body, end, _ = rest.rpartition(_END)
    return f"{body}{''.join(moved)}{end}" if moved else svg


def clear_starts(
    left: float, right: float, widths: Sequence[float], crossings: Sequence[float]
) -> list[float]:
    """Return the starts of texts of these widths, one after the other between `left` and `right`.

    The texts are as far left as possible, so that no edge crosses them. If there is not enough space, they are close together,
    and edges pass behind them.
    """
    starts: list[float] = []
    at = left
    for width in widths:
        wished = (at, *(x + _SIDE for x in sorted(crossings) if x + _SIDE > at))
        at = next(
            (
                start
                for start in wished
                if not any(start - _SIDE < x < start + width + _SIDE for x in crossings)
            ),
            right,
        )
        starts.append(at)
        at += width + _SIDE
    if at - _SIDE <= right:
        return starts
    return [left + width for width in accumulate((each + _SIDE for each in widths), initial=0.0)][
        :-1
    ]


def crossings_of(line: Sequence[Point], top: float, bottom: float) -> Iterator[float]:
    """Yield the left and right ends of the parts of a line of straight segments between two heights."""
    for (x, y), (to_x, to_y) in pairwise(line):
        low, high = sorted((y, to_y))
        if high < top or low > bottom:
            continue
        derivative = (to_x - x) / (to_y - y) if to_y != y else 0.0
        if not derivative:
            yield from {x, to_x}
        else:
            yield from (x + derivative * (min(max(at, low), high) - y) for at in (top, bottom))


def _moved(text: str, x: float) -> str:
    return _X.sub(f' x="{x:.2f}"', text, count=1)


def _corners(path: str) -> Iterator[Point]:
    numbers = map(float, _NUMBER.findall(path))
    yield from zip(numbers, numbers, strict=True)


def _points(path: str) -> Iterator[Point]:
    """Yield the curve of an edge (consecutive Bézier curves) as a dense sequence of points."""
    corners = list(_corners(path))
    yield corners[0]
    for k in range(0, len(corners) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners[k : k + 4]
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            yield a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy

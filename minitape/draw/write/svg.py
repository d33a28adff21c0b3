"""A picture as SVG with the built-in layout: no program is needed, and the bytes are the same on every machine."""

import math
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from minitape.draw.layout.frames import Framed, lay_out_framed
from minitape.draw.layout.labels import positions_of_labels
from minitape.draw.layout.layout import ROW_GAP, Point
from minitape.draw.model import (
    Card,
    Edge,
    LoopFrame,
    Picture,
    Pill,
    Strip,
    TextTone,
    edge_id,
)
from minitape.draw.write import legend as legends
from minitape.draw.write.palette import Palette, Stroke, cell_colors, palette_of
from minitape.draw.write.titles import clear_starts, crossings_of

_MARGIN = 28.0
_PAD = 7.0
_HEADER = 24.0
_LINE = 19.0
_CELL_WIDTH, _CELL_HEIGHT = 8.0, 12.0
_SANS = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_MONO = "Courier, 'Courier New', 'Liberation Mono', monospace"
_CODE_LETTER = 0.6
_BOLD = 1.08
_ARROW = 9.0
_CORNER = 10.0
_DASHES = {"dashed": ' stroke-dasharray="7 4"', "dotted": ' stroke-dasharray="2 4"'}

# The widths of Helvetica's characters in thousandths of the size, from the metrics published by Adobe; others count as 600.
_WIDTHS = {
    letter: width
    for width, letters in {
        191: "'",
        260: "|",
        222: "ijl",
        278: " !,./:;I[\\]ft·",
        333: '()-`r"',
        389: "*",
        500: "Jckvsxyz",
        556: "#$0123456789?L_abdeghnopqu",
        584: "+<=>~×−",
        667: "&ABEKPSVXY",
        722: "CDHNRUw",
        778: "GOQ",
        833: "Mm",
        889: "%",
        944: "W",
        1000: "…→",
        1015: "@",
    }.items()
    for letter in letters
}


def svg(
    picture: Picture,
    *,
    theme: str = "light",
    rankdir: str = "TB",
    legend: bool = True,
    two_heads: bool = False,
) -> str:
    """Return the picture as an SVG document.

    Args:
        picture: The picture.
        theme: `light` or `dark`.
        rankdir: `TB` (down) or `LR` (to the right).
        legend: Whether to add a legend of the symbols in the picture.
        two_heads: Whether to add a second, hidden arrowhead to edges on the path, so that a style sheet can reverse them.

    Raises:
        DrawError: the theme is unknown.
    """
    page = _Page(picture, palette_of(theme), rankdir, legend, two_heads)
    return "\n".join(page.lines()) + "\n"


def framed(picture: Picture, rankdir: str = "TB") -> Framed:
    """Return the positions of everything in a picture; the route of an edge that leads up the page runs from its head to its
    tail.

    Args:
        picture: The picture.
        rankdir: `TB` (down) or `LR` (to the right).
    """
    # Nodes that are side by side need space between them for the labels of the edges.
    labels = [width + 24 for label, width in label_widths(picture).items() if label]
    return lay_out_framed(
        {node.id: _size(node) for node in picture.nodes},
        [
            (edge.head, edge.tail) if i in picture.upward else (edge.tail, edge.head)
            for i, edge in enumerate(picture.edges)
        ],
        {id_: loop.id for loop in picture.loops for id_ in loop.members}
        | {loop.id: loop.inside for loop in picture.loops},
        titles={loop.id: title_width(loop) for loop in picture.loops},
        rankdir=rankdir,
        row_gap=max([ROW_GAP, *labels]) if rankdir == "LR" else ROW_GAP,
    )


def label_widths(picture: Picture) -> dict[str, float]:
    """Return the width of each edge label."""
    return {label: text_width(label, 11) for label in {edge.label for edge in picture.edges}}


def title_width(loop: LoopFrame) -> float:
    """Return the width of the line below the nodes of a loop."""
    return text_width(loop.title, 12, is_bold=True) + 8 + text_width(loop.note, 11)


class _Page:
    """The positions of everything; `lines` writes it from back to front."""

    def __init__(
        self, picture: Picture, palette: Palette, rankdir: str, legend: bool, two_heads: bool
    ) -> None:
        self._picture = picture
        self._has_two_heads = two_heads
        self._palette = palette
        self._is_down = rankdir != "LR"
        self._sizes = {node.id: _size(node) for node in picture.nodes}
        self._layout = framed(picture, rankdir)
        self._labels = positions_of_labels(
            picture, self._layout, label_widths(picture), is_down=self._is_down
        )
        self._legend = _Legend(picture, palette) if legend else None
        self._top = _MARGIN + 20.0 * len(picture.caption) + 24.0

    def lines(self) -> Iterator[str]:
        width = _MARGIN * 2 + max(
            self._layout.width,
            *(text_width(line.text, 12) for line in self._picture.caption[1:]),
            *(text_width(line.text, 18, is_bold=True) for line in self._picture.caption[:1]),
            self._legend.width if self._legend else 0.0,
        )
        bottom = self._top + self._layout.height + _MARGIN
        height = bottom + (self._legend.height + _MARGIN if self._legend else 0.0)
        title = self._picture.caption[0].text if self._picture.caption else self._picture.name
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
            f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{_SANS}">'
        )
        yield f"<title>{escape(title)}</title>"
        yield f'<rect width="100%" height="100%" fill="{self._palette.paper}"/>'
        yield from self._caption()
        yield f'<g transform="translate({_MARGIN:.0f} {self._top:.0f})">'
        for loop in self._picture.loops:
            yield from self._loop(loop)
        for position, edge in enumerate(self._picture.edges):
            yield from self._edge(edge, position)
        for node in self._picture.nodes:
            yield from self._card(node) if isinstance(node, Card) else self._pill(node)
        for position, edge in enumerate(self._picture.edges):
            yield from self._edge_label(edge, position)
        for loop in self._picture.loops:
            yield from self._loop_title(loop)
        yield "</g>"
        if self._legend:
            yield f'<g id="legend" transform="translate({_MARGIN:.0f} {bottom:.0f})">'
            yield from self._legend.lines()
            yield "</g>"
        yield "</svg>"

    def _caption(self) -> Iterator[str]:
        y = _MARGIN + 12.0
        for position, line in enumerate(self._picture.caption):
            color = self._palette.tones[line.tone]
            yield _text(_MARGIN, y, line.text, color, 12 if position else 18, is_bold=not position)
            y += 20.0

    def _box(self, id_: str) -> tuple[float, float, float, float]:
        (x, y), (width, height) = self._layout.centers[id_], self._sizes[id_]
        return x - width / 2, y - height / 2, width, height

    # --- nodes ---

    def _card(self, card: Card) -> Iterator[str]:
        palette, paint = self._palette, self._palette.roles[card.role]
        left, top, width, height = self._box(card.id)
        dash = ' stroke-dasharray="6 3"' if paint.dashed else ""
        yield from _group(card.id, str(card.role), card.hint)
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
            f' fill="{paint.fill}" stroke="{paint.line}" stroke-width="{paint.border + 0.5}"{dash}/>'
        )
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_HEADER}"'
            f' fill="{paint.line}"/>'
        )
        title, tag = (left + _PAD, top + 17, card.title), (left + width - _PAD, top + 17, card.tag)
        yield _text(*title, palette.on_header, 14, kind="title", is_bold=True)
        yield _text(*tag, palette.on_header, 11, kind="tag", is_end=True)
        y = top + _HEADER + 15
        if card.code:
            code = (left + _PAD, y, card.code)
            yield _text(*code, palette.tones[TextTone.PLAIN], 12, kind="code", is_code=True)
            y += _LINE
        muted = palette.tones[TextTone.MUTED]
        for row in card.rows:
            yield _text(left + _PAD, y, row.label, muted, 11, kind="label")
            x = left + _PAD + text_width(row.label or "why", 11) + 6
            yield _text(x, y, row.text, palette.tones[row.tone], 13, kind=row.kind)
            if row.strip is not None:
                end = left + width - _PAD - _CELL_WIDTH * len(row.strip.cells)
                yield from _strip(end, y - 11, row.strip, palette)
            y += _LINE
        if card.location:
            yield _text(left + _PAD, y, card.location, muted, 10, kind="place")
        yield "</g>"

    def _pill(self, pill: Pill) -> Iterator[str]:
        palette, paint = self._palette, self._palette.roles[pill.role]
        left, top, width, height = self._box(pill.id)
        dash = ' stroke-dasharray="6 3"' if paint.dashed else ""
        yield from _group(pill.id, str(pill.role), pill.hint)
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="12"'
            f' fill="{palette.paper}" stroke="{paint.line}" stroke-width="1.2"{dash}/>'
        )
        muted, x = palette.tones[TextTone.MUTED], left + _PAD + 3
        color = muted if paint.dashed else paint.line
        yield _text(x, top + 18, pill.title, color, 12, kind="title")
        if pill.note:
            yield _text(x, top + 34, pill.note, muted, 10, kind="note")
        yield "</g>"

    # --- edges ---

    def _edge(self, edge: Edge, position: int) -> Iterator[str]:
        stroke, route = self._palette.flows[edge.flow], self._layout.routes[position]
        along = (0.0, 1.0) if self._is_down else (1.0, 0.0)
        if position in self._picture.upward:
            route, along = route[::-1], (-along[0], -along[1])
        trimmed, back = _trimmed(route, stroke, along), (-along[0], -along[1])
        is_turned = self._has_two_heads and edge.flow.carries_gradient
        if is_turned:
            trimmed = _trimmed(trimmed[::-1], stroke, back)[::-1]
        is_bow = position in self._layout.bows
        curve = _rounded(trimmed) if is_bow else _curve(trimmed, self._is_down)
        yield from _group(edge_id(position), str(edge.flow), edge.label or str(edge.flow))
        yield from _line(curve, stroke)
        if is_turned:
            yield _head(route[0], stroke, back, ' class="tail" visibility="hidden"')
        yield _head(route[-1], stroke, along, ' class="head"')
        if is_turned:
            yield _stem_of("tail", route[0], stroke, back)
            yield _stem_of("head", route[-1], stroke, along)
        yield "</g>"

    def _edge_label(self, edge: Edge, position: int) -> Iterator[str]:
        """Yield the label, above all nodes and lines, with the id of its edge."""
        if position not in self._labels:
            return
        stroke, (x, y) = self._palette.flows[edge.flow], self._labels[position]
        y += 4
        yield f'<g class="label-of {edge.flow}" data-edge="{edge_id(position)}">'
        # The label may overlap another line, so a background patch keeps it legible.
        yield (
            f'<rect x="{x - 2:.1f}" y="{y - 10:.1f}" width="{text_width(edge.label, 11) + 4:.1f}"'
            f' height="13" fill="{self._palette.paper}" opacity="0.8"/>'
        )
        yield _text(x, y, edge.label, stroke.text, 11, kind="amount")
        yield "</g>"

    # --- loops ---

    def _loop(self, loop: LoopFrame) -> Iterator[str]:
        left, top, width, height = self._layout.boxes[loop.id]
        yield from _group(loop.id, "loop", loop.title)
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="10"'
            f' fill="{self._palette.loop}" fill-opacity="0.05" stroke="{self._palette.loop}"'
            f' stroke-width="1.5"/>'
        )
        yield "</g>"

    def _loop_title(self, loop: LoopFrame) -> Iterator[str]:
        """Yield the line at the bottom of a frame, above the edges that leave through it."""
        left, top, across, height = self._layout.boxes[loop.id]
        y, tones = top + height - 7, self._palette.tones
        crossings = [x for route in self._layout.routes for x in crossings_of(route, y - 12, y + 4)]
        widths = text_width(loop.title, 12, is_bold=True), text_width(loop.note, 11)
        starts = clear_starts(left + 10, left + across - 10, widths, crossings)
        for x, width in zip(starts, widths, strict=True):
            yield (
                f'<rect x="{x - 2:.1f}" y="{y - 12:.1f}" width="{width + 4:.1f}"'
                f' height="16" fill="{self._palette.paper}" opacity="0.8"/>'
            )
        yield _text(starts[0], y, loop.title, tones[TextTone.PLAIN], 12, is_bold=True)
        yield _text(starts[1], y, loop.note, tones[TextTone.MUTED], 11)


def legend_size(picture: Picture) -> Point:
    """Return the width and height of the legend of a picture."""
    signs = (legends.roles_in(picture), legends.flows_in(picture), legends.strips_in(picture))
    texts = [text for some in signs for _, text in some]
    return 60 + max((text_width(text, 11) for text in texts), default=0.0), 22.0 + 18.0 * len(texts)


class _Legend:
    """The symbols in a picture, one per line."""

    def __init__(self, picture: Picture, palette: Palette) -> None:
        self._palette = palette
        self._roles = list(legends.roles_in(picture))
        self._flows = list(legends.flows_in(picture))
        self._strips = list(legends.strips_in(picture))
        self.width, self.height = legend_size(picture)

    def lines(self) -> Iterator[str]:
        palette = self._palette
        muted, plain = palette.tones[TextTone.MUTED], palette.tones[TextTone.PLAIN]
        yield _text(0, 10, "legend", muted, 11, is_bold=True)
        y = 22.0
        for role, text in self._roles:
            paint = palette.roles[role]
            dash = ' stroke-dasharray="4 2"' if paint.dashed else ""
            yield (
                f'<rect x="1" y="{y:.0f}" width="38" height="11" fill="{paint.fill}"'
                f' stroke="{paint.line}" stroke-width="{min(paint.border, 2)}"{dash}/>'
            )
            yield _text(52, y + 10, text, plain, 11)
            y += 18.0
        for flow, text in self._flows:
            stroke = palette.flows[flow]
            route, along = [(1.0, y + 6), (40.0, y + 6)], (1.0, 0.0)
            yield from _line(_curve(_trimmed(route, stroke, along), is_down=False), stroke)
            yield _head(route[-1], stroke, along)
            yield _text(52, y + 10, text, plain, 11)
            y += 18.0
        for strip, text in self._strips:
            yield from _strip(0.5, y, strip, palette)
            yield _text(52, y + 10, text, plain, 11)
            y += 18.0


# --- sizes ---


def _size(node: Card | Pill) -> Point:
    if isinstance(node, Pill):
        width = max(text_width(node.title, 12), text_width(node.note, 10)) + 2 * _PAD + 6
        return width, 44.0 if node.note else 28.0
    title = text_width(node.title, 14, is_bold=True)
    widths = [title + 16 + text_width(node.tag, 11), text_width(node.location, 10)]
    widths.append(code_width(node.code, 12))
    for row in node.rows:
        cells = 12 + _CELL_WIDTH * len(row.strip.cells) if row.strip else 0.0
        widths.append(text_width(row.label or "why", 11) + 6 + text_width(row.text, 13) + cells)
    lines = len(node.rows) + bool(node.code) + bool(node.location)
    return max(widths) + 2 * _PAD, _HEADER + _LINE * lines + 4


@lru_cache(maxsize=8192)  # a picture contains `value` and `line 7` thousands of times
def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the approximate width of a text in Helvetica."""
    wide = (1000 if unicodedata.east_asian_width(c) in "WF" else _WIDTHS.get(c, 600) for c in text)
    return sum(wide) * size / 1000 * (_BOLD if is_bold else 1.0)


def code_width(text: str, size: float) -> float:
    """Return the width of a text in Courier."""
    return _CODE_LETTER * size * len(text)


# --- pieces of SVG ---


def _group(id_: str, kind: str, title: str) -> Iterator[str]:
    yield f"<g id={quoteattr(id_)} class={quoteattr(kind)}><title>{escape(title)}</title>"


def _text(
    x: float,
    y: float,
    text: str,
    color: str,
    size: int,
    *,
    kind: str = "",
    is_bold: bool = False,
    is_code: bool = False,
    is_end: bool = False,
) -> str:
    looks = f' class="{kind}"' if kind else ""
    looks += ' font-weight="bold"' if is_bold else ""
    looks += f' font-family="{_MONO}"' if is_code else ""
    looks += ' text-anchor="end"' if is_end else ""
    width = code_width(text, size) if is_code else text_width(text, size, is_bold=is_bold)
    # With an explicit length, the text fits its node with any font.
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}"{looks}'
        f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
        f' xml:space="preserve">{escape(text)}</text>'
    )


def _strip(x: float, y: float, strip: Strip, palette: Palette) -> Iterator[str]:
    for position, color in enumerate(cell_colors(strip, palette)):
        yield (
            f'<rect x="{x + position * _CELL_WIDTH:.1f}" y="{y:.1f}" width="{_CELL_WIDTH}"'
            f' height="{_CELL_HEIGHT}" fill="{color}" stroke="{palette.quiet}" stroke-width="0.5"/>'
        )


def _line(curve: str, stroke: Stroke) -> Iterator[str]:
    yield (
        f'<path d="{curve}" fill="none" stroke="{stroke.color}"'
        f' stroke-width="{stroke.width}"{_DASHES.get(stroke.style, "")}/>'
    )


def _curve(route: Sequence[Point], is_down: bool) -> str:
    """Return cubic curves that leave and reach each point in the direction of the edges."""
    parts = [f"M{route[0][0]:.1f} {route[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(route):
        middle = (y0 + y1) / 2 if is_down else (x0 + x1) / 2
        first, second = ((x0, middle), (x1, middle)) if is_down else ((middle, y0), (middle, y1))
        points = (*first, *second, x1, y1)
        parts.append("C" + " ".join(f"{number:.1f}" for number in points))
    return " ".join(parts)


def _rounded(route: Sequence[Point]) -> str:
    """Return straight lines with rounded corners."""
    parts = [f"M{route[0][0]:.1f} {route[0][1]:.1f}"]
    for before, corner, after in zip(route, route[1:], route[2:], strict=False):
        (x0, y0), (x1, y1) = (_towards(corner, other) for other in (before, after))
        parts.append(f"L{x0:.1f} {y0:.1f} Q{corner[0]:.1f} {corner[1]:.1f} {x1:.1f} {y1:.1f}")
    return " ".join([*parts, f"L{route[-1][0]:.1f} {route[-1][1]:.1f}"])


def _towards(corner: Point, other: Point) -> Point:
    fraction = min(0.5, _CORNER / max(math.dist(corner, other), 1.0))
    return corner[0] + (other[0] - corner[0]) * fraction, corner[1] + (
        other[1] - corner[1]
    ) * fraction


def _trimmed(route: Sequence[Point], stroke: Stroke, along: Point) -> list[Point]:
    """Return the route without the part that the arrowhead covers."""
    x, y = route[-1]
    back = 0.0 if stroke.head == "tee" else 0.8 * _ARROW
    end = (x - along[0] * back, y - along[1] * back)
    is_covered = len(route) > 2 and math.dist(route[-2], route[-1]) <= back
    return [*route[: -2 if is_covered else -1], end]


def _stem_of(end: str, tip: Point, stroke: Stroke, along: Point) -> str:
    base = tip[0] - _ARROW * along[0], tip[1] - _ARROW * along[1]
    return stem(end, base, tip, stroke.color, f"{stroke.width}")


def stem(end: str, base: Point, tip: Point, color: str, width: str) -> str:
    """Return the piece of line that replaces a hidden arrowhead. Initially, the arrowhead at the tail is hidden, so the piece
    there is visible.
    """
    hidden = ' visibility="hidden"' if end == "head" else ""
    (x, y), (to_x, to_y) = base, tip
    return (
        f'<path class="stem {end}"{hidden} d="M{x:.2f},{y:.2f}L{to_x:.2f},{to_y:.2f}" fill="none"'
        f' stroke="{color}" stroke-width="{width}"/>'
    )


def _head(tip: Point, stroke: Stroke, along: Point, looks: str = "") -> str:
    """Return the arrowhead: a triangle, a dart for gradients, or a bar where a gradient stops."""
    half = _ARROW / 2
    points = [(-_ARROW, half), (0.0, 0.0), (-_ARROW, -half)]
    if stroke.head == "vee":
        points = [(-_ARROW, half), (0.0, 0.0), (-_ARROW, -half), (-_ARROW / 2, 0.0)]
    if stroke.head == "tee":
        points = [(-4.0, 7.0), (0.0, 7.0), (0.0, -7.0), (-4.0, -7.0)]
    (x, y), (dx, dy) = tip, along
    turned = " ".join(f"{x + a * dx - b * dy:.1f},{y + a * dy + b * dx:.1f}" for a, b in points)
    return f'<polygon{looks} points="{turned}" fill="{stroke.color}"/>'

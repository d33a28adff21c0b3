"""A block diagram as SVG: values flow forward in thin lanes, gradients backward in bands; the width of a band is the logarithm of
its norm. Color is never the only distinction: a band without a gradient is a dashed outline, and a break has a symbol and a text.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from msgspec.structs import replace

from minitape.draw.diagram import wording
from minitape.draw.diagram.model import (
    Diagram,
    Flow,
    Frame,
    Parameter,
    Pixels,
    Series,
    Station,
    StationKind,
)
from minitape.draw.diagram.write.animation import Moment
from minitape.draw.diagram.write.brush import (
    BED,
    HEAD,
    SANS,
    TEXT,
    VALUE_WIDTH,
    WIDEST,
    Brush,
    Point,
    Scale,
    length,
    longest_flat,
    scale_of,
    shortened,
    width_of,
)
from minitape.draw.diagram.write.faces import PAD, Face, Image, Words
from minitape.draw.diagram.write.layout import laid_out
from minitape.draw.diagram.write.legend import Legend, axis, strips
from minitape.draw.diagram.write.places import (
    HEIGHT,
    LEFT,
    STEPS,
    WIDTH,
    Box,
    Drop,
    Layout,
    Route,
)
from minitape.draw.words import short

_CAME = (Flow.GRADIENT, Flow.ZERO, Flow.BAD)
_HEADLINE = 27
_SHADES = 8
_OF_BACKWARD = (
    "gradient",
    "break",
)  # the tones of texts that are known only after the backward pass
_SCISSORS = 14.0
_STEP = 6.0


def svg(
    diagram: Diagram,
    *,
    theme: str = "light",
    moment: Moment | None = None,
    layout: Layout | None = None,
) -> str:
    """Return the diagram as an SVG document of 1600 by 900 points.

    Args:
        diagram: The diagram.
        theme: `light` or `dark`.
        moment: The moment up to which the run is drawn; None draws everything.
        layout: The positions of all elements; None uses the layout of a slide.

    Raises:
        DrawError: the theme is unknown.
    """
    page = _Page(diagram, layout or laid_out(diagram), Brush(theme), moment)
    return "\n".join(page.lines()) + "\n"


def svg_of_cards(diagram: Diagram, layout: Layout, *, theme: str, prefix: str) -> str:
    """Return the frames, links and cards of a layout as elements of an SVG in a page.

    The page's script identifies the elements that it moves and changes. A link has its number in the diagram as `data-link`;
    the number on a card has `data-number`, and the gradient of a parameter has `data-parameter`. Elements that show a value, a
    gradient or a break have it as their class.

    Args:
        diagram: The diagram.
        layout: The positions of its cards and links, not enlarged.
        theme: `light` or `dark`.
        prefix: The start of the ids of its cards.

    Raises:
        DrawError: the theme is unknown.
    """
    shown = replace(diagram, steps=None)  # nothing is below the cards
    return "\n".join(_Page(shown, layout, Brush(theme, is_named=True), None, prefix).cards())


class _Page:
    """Writes everything, from back to front."""

    def __init__(
        self,
        diagram: Diagram,
        layout: Layout,
        brush: Brush,
        moment: Moment | None,
        prefix: str | None = None,
    ) -> None:
        self._diagram, self._layout, self._brush, self._moment = diagram, layout, brush, moment
        self._prefix = prefix
        self._scale = scale_of(diagram.norms)
        self._uprights = [*_uprights_of(layout, self._scale)]
        in_river = [route.link for route in layout.routes if route.river is not None]
        self._starts, self._ends = (
            {each.tail for each in in_river},
            {each.head for each in in_river},
        )
        came = [each for each in in_river if each.flow in _CAME]
        self._reached, self._reaching = {c.head for c in came}, {c.tail for c in came}
        self._targets = {s.id: s for s in diagram.stations if s.kind is StationKind.TARGET}
        self._seeds = {id_: each.text for id_, each in self._targets.items()}
        self._recurrent = {link.tail for link in diagram.links if link.tail == link.head}

    def _has_value(self, id_: str) -> bool:
        return self._moment is None or id_ in self._moment.values

    def _has_gradient(self, id_: str) -> bool:
        return self._moment is None or id_ in self._moment.gradients

    def lines(self) -> Iterator[str]:
        answer = escape(f"{self._diagram.headline}{self._diagram.culprit}")
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.0f}" height="{HEIGHT:.0f}"'
            f' viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" font-family="{SANS}">'
        )
        yield f"<title>{answer}</title>"
        yield self._brush.rectangle(0, 0, WIDTH, HEIGHT, fill="paper")
        yield from self._heading()
        yield f'<g transform="scale({self._layout.scale})">'
        yield from self.cards()
        yield "</g>"
        if self._moment is None:
            yield from self._below()
        yield from Legend(self._diagram, self._brush, self._scale, self._layout).lines()
        yield "</svg>"

    def cards(self) -> Iterator[str]:
        """Write the frames, the links and the cards, not enlarged."""
        for frame, box in reversed(self._layout.frames):
            yield from self._frame(frame, box)
        for drop in self._layout.drops:
            yield from self._drop(drop)
        for route in sorted(self._layout.routes, key=_layer):
            yield from self._link(route)
        for station in self._diagram.stations:
            yield from self._station(station)

    def _below(self) -> Iterator[str]:
        """Draw the part below the cards: the states over the steps, or the gradients that arrived."""
        steps = self._diagram.steps
        if self._layout.steps is not None and steps is not None:
            top, height = self._layout.steps, STEPS - 20
            yield from strips(steps, LEFT, WIDTH - LEFT, top, height, self._brush, self._scale)
        if self._layout.axis is not None:
            yield from axis(self._diagram.arrived, self._layout.axis, self._brush)

    def _heading(self) -> Iterator[str]:
        first, culprit = self._diagram.headline, self._diagram.culprit
        if self._moment is not None:  # the result is on the last frame
            first, culprit = wording.BACKWARD if self._moment.gradients else wording.FORWARD, ""
        whole = width_of(first + culprit, _HEADLINE, is_bold=True)
        size = min(_HEADLINE, int(_HEADLINE * (WIDTH - 2 * LEFT) / whole))
        yield self._brush.text(LEFT, 56, first, size, is_bold=True)
        if culprit:
            x = LEFT + width_of(first, size, is_bold=True)
            yield self._brush.text(x, 56, culprit, size, "break", is_bold=True)
        about = self._diagram.about
        fraction = (WIDTH - 2 * LEFT) / max(1.0, width_of(about, 16))
        size = max(TEXT, min(16, int(16 * fraction)))
        if width_of(about, size) > WIDTH - 2 * LEFT:
            about = short(about, int(len(about) * 16 * fraction / size) - 2)
        yield self._brush.text(LEFT, 84, about, size, "mute")

    def _frame(self, frame: Frame, box: Box) -> Iterator[str]:
        """Draw a tape; the innermost tape has the color of values, because it records the forward pass."""
        tone = "gradient" if frame.depth else "value"
        place = box.x, box.y, box.width, box.height
        yield f'<g class="frame"><title>{escape(frame.title)}</title>'
        yield self._brush.rectangle(*place, fill="paper", line=tone, thick=2.4, round_=12)
        bottom = box.y + box.height - 7
        yield self._brush.text(box.x + 12, bottom, frame.title, tone=tone, is_bold=True)
        yield "</g>"

    # --- cards ---

    def _station(self, station: Station) -> Iterator[str]:
        box, face = self._layout.boxes[station.id], self._layout.faces[station.id]
        hint = " ".join(filter(None, (station.title, station.shape, *station.notes, station.code)))
        id_ = quoteattr(f"{self._prefix or ''}{station.id}")
        yield f'<g id={id_} class="node {station.kind.value}" data-card="">'
        yield f"<title>{escape(hint)}</title>"
        if not self._has_value(station.id):
            yield self._outline(station, box)
        elif station.kind is StationKind.JOIN:
            yield self._brush.join(box.center, box.middle)
        else:
            is_known = self._has_gradient(station.id)
            yield from self._drawer(station.parameters, box, face, is_known=is_known)
            # The cards in the back are narrower, so that no arrow ends under them.
            is_stack = station.times > 1 and station.id not in self._recurrent
            for shift in (8.0, 4.0, 0.0) if is_stack else (0.0,):
                behind = Box(box.x + shift, box.y - shift, box.width - 2 * shift, box.height)
                yield self._card(behind, station if is_known else replace(station, mark=""))
            for left, top, width, height in face.panels:
                at = box.x + left, box.y + top
                yield self._brush.rectangle(*at, width, height, fill="panel", round_=6)
            yield from self._words(
                [each for each in face.words if is_known or each.tone not in _OF_BACKWARD],
                box.x,
                box.y,
            )
            for image in face.images:
                yield from self._image(image, box)
            if face.strip is not None and station.series is not None and is_known:
                yield from self._strip(station.series, box, face.strip)
        yield "</g>"

    def _outline(self, station: Station, box: Box) -> str:
        """Return the outline of a card whose value is not computed yet; nothing for a sum."""
        if station.kind is StationKind.JOIN:
            return ""
        place = box.x, box.y, box.width, box.height
        return self._brush.rectangle(*place, fill="paper", line="line", round_=8)

    def _card(self, box: Box, station: Station) -> str:
        fill, line, thick, dashes = "paper", "line", 1.5, ""
        if station.kind is StationKind.TARGET:
            line, thick = "ink", 2.6
        if station.kind is StationKind.INPUT and station.flow is Flow.NOT_NEEDED:
            dashes = "6 4"
        if station.mark:
            line, thick, dashes = "break", 2.6, "7 4"
        if station.kind is StationKind.BREAK:
            fill = "alarm"
        elif station.is_mirror:
            fill, line = "tint", "gradient"
        return self._brush.rectangle(
            box.x,
            box.y,
            box.width,
            box.height,
            fill=fill,
            line=line,
            thick=thick,
            round_=8,
            dashes=dashes,
        )

    def _words(self, words: Sequence[Words], x: float, y: float) -> Iterator[str]:
        for each in words:
            yield self._brush.text(
                x + each.x,
                y + each.y,
                each.text,
                each.size,
                each.tone,
                is_bold=each.is_bold,
                is_code=each.is_code,
                anchor="end" if each.is_end else "middle" if each.is_middle else "",
                data=each.data,
            )

    def _drawer(
        self, parameters: Sequence[Parameter], box: Box, face: Face, *, is_known: bool
    ) -> Iterator[str]:
        if parameters:
            x, y = box.x + 4, box.y + box.height - 6
            width, height = box.width - 8, face.drawer_height + 2
            yield self._brush.rectangle(x, y, width, height, fill="panel", line="line", round_=6)
            words = [each for each in face.drawer if is_known or not each.is_end]
            yield from self._words(words, x, y + 8)

    def _image(self, place: Image, box: Box) -> Iterator[str]:
        image, cell = place.pixels, place.cell
        x0, y0 = box.x + place.left, box.y + place.top
        if image.is_bars:
            yield from self._bars(image, x0, y0, cell, place.bar)
            return
        # Cells of the same shade are one path, and adjacent cells are one bar, which keeps the file small.
        shades: dict[int, list[str]] = {}
        for i, row in enumerate(image.cells):
            shade_before = None
            for j, fraction in enumerate(row):
                shade = None if fraction is None else round(_SHADES * fraction)
                if shade is not None and shade != shade_before:
                    run = _length_of_run(row, j, shade) * cell
                    at = f"M{x0 + j * cell:.1f} {y0 + i * cell:.1f}"
                    bar = f"{at}h{run:.2f}v{cell:.2f}h-{run:.2f}z"
                    shades.setdefault(shade, []).append(bar)
                shade_before = shade
        for shade, parts in sorted(shades.items()):
            opacity = 0.06 + 0.94 * shade / _SHADES
            yield (
                f'<path{self._brush.named("value")} d="{"".join(parts)}"'
                f' fill="{self._brush.colors["value"]}"'
                f' fill-opacity="{opacity:.2f}"/>'
            )

    def _bars(self, image: Pixels, x: float, y: float, cell: float, half: float) -> Iterator[str]:
        middle = y + half
        for i, fraction in enumerate(image.cells[0]):
            if fraction is not None and abs(fraction) >= 0.02:
                height = half * abs(fraction)
                top = middle - height if fraction > 0 else middle
                width = max(1.0, min(cell - 1, 10.0))
                tone = "value" if fraction > 0 else "pale"
                yield self._brush.rectangle(x + i * cell, top, width, height, fill=tone)
        end = x + len(image.cells[0]) * cell
        yield self._brush.stroke([(x, middle), (end, middle)], "line", 1)

    def _strip(self, series: Series, box: Box, place: tuple[float, float, float]) -> Iterator[str]:
        top, height, left = place
        width = (box.width - 2 * PAD) / len(series.norms)
        base = box.y + top + height
        for i, norm in enumerate(series.norms):
            if norm:
                part = max(1.0, height * self._scale.fraction(norm))
                x = box.x + left + i * width
                thick = max(1.0, width - 1)
                yield self._brush.rectangle(x, base - part, thick, part, fill="gradient")
        ends = [(box.x + left, base), (box.right - PAD, base)]
        yield self._brush.stroke(ends, "line", 1)

    # --- links ---

    def _link(self, route: Route) -> Iterator[str]:
        values, gradients = route.values, route.gradients
        has_gradient = self._has_gradient(route.link.tail)
        data = ""
        if self._prefix is not None:
            data = f' data-link="{self._diagram.links.index(route.link)}"'
        yield f'<g class="edge {route.link.flow.value}"{data}>'
        if has_gradient and route.river is not None:
            yield from self._river(route)
        elif has_gradient:
            yield from self._gradient_lane(route, gradients[::-1])
        if self._has_value(route.link.head):
            yield from self._lane(
                values, "value", VALUE_WIDTH, HEAD, 7.0, is_straight=route.is_straight
            )
        if has_gradient and route.river is None:
            yield from self._number(route, gradients)
        yield "</g>"

    def _lane(
        self,
        points: list[Point],
        tone: str,
        width: float,
        reach: float,
        half: float,
        *,
        is_straight: bool,
    ) -> Iterator[str]:
        stem = shortened(points, reach - 1)
        if not is_straight:  # a halo shows that a lane passes over another lane
            yield self._brush.stroke(stem, "paper", width + 5)
        yield self._brush.stroke(stem, tone, width)
        yield self._brush.head(points[-2], points[-1], reach, half, tone)

    def _gradient_lane(self, route: Route, points: list[Point]) -> Iterator[str]:
        link = route.link
        if link.flow in _CAME:
            is_bad = link.flow is Flow.BAD
            width = 8.0 if is_bad else self._scale.width(link.norm)
            reach = min(max(HEAD, width * 0.75), length(points[-2], points[-1]) * 0.6)
            tone = "break" if is_bad else "gradient"
            half = width / 2 + 5
            yield from self._lane(points, tone, width, reach, half, is_straight=route.is_straight)
            return
        is_cut = link.flow is Flow.CUT
        is_meant = link.flow in (Flow.NOT_NEEDED, Flow.STOPPED)
        yield self._brush.bed(points, "line" if is_meant else "break")
        part = longest_flat(points)
        if link.flow is Flow.STOPPED and part is not None:
            yield self._brush.stop((part[0][0] + part[1][0]) / 2, part[0][1])
        if is_cut:
            (x, y), (x2, y2) = points[0], points[1]
            yield self._brush.scissors((x + x2) / 2, (y + y2) / 2, _SCISSORS)

    def _river(self, route: Route) -> Iterator[str]:
        """Draw a part of the river: from the middle of a card back to the middle of the previous card, with its number below."""
        link, brush = route.link, self._brush
        tail, head = self._layout.boxes[link.tail], self._layout.boxes[link.head]
        y = route.gradients[0][1]
        below = y + WIDEST * self._layout.river / 2 + 17
        if link.flow in _CAME and route.river is not None:
            # The river ends at the edge of a card at which nothing arrives, and starts at the edge of the last card.
            left = tail.center if link.tail in self._reached else tail.x
            right = head.center if link.head in self._reaching else head.right
            start, end = self._half_widths(route)
            tone = "break" if link.flow is Flow.BAD else "gradient"
            ways = (right, head.center, tail.center, left), (start, end)
            yield brush.stream(y, *ways, tone)
            middle = (head.x + tail.right) / 2
            if min(start, end) > 6:
                chevron = [(middle + 3, y - 5), (middle - 3, y), (middle + 3, y + 5)]
                yield brush.stroke(chevron, "paper", 2.4)
        else:
            is_end = link.head in self._reaching or link.head in self._targets
            is_last, is_first = link.head not in self._starts, link.tail not in self._ends
            right = head.x if is_end else head.right if is_last else head.center
            left = tail.x if is_first else tail.center
            is_meant = link.flow in (Flow.NOT_NEEDED, Flow.STOPPED)
            yield brush.bed([(right, y), (left, y)], "line" if is_meant else "break")
            middle = (head.x + tail.right) / 2
            if link.flow is Flow.STOPPED:
                yield brush.stop(middle, y)
            if link.flow is Flow.CUT:
                yield brush.scissors(middle, y, _SCISSORS)
        text = wording.NONE if link.flow in (Flow.NEVER, Flow.CUT) else link.text
        if text and link.flow not in (Flow.NOT_NEEDED, Flow.STOPPED):
            tone = "gradient" if link.flow in (Flow.GRADIENT, Flow.ZERO) else "break"
            yield brush.text(tail.center, below, text, tone=tone, is_bold=True, anchor="middle")
        seed = self._seeds.get(link.head)
        if seed:
            text = wording.SEED.format(text=seed)
            yield brush.text(
                head.center, below, text, tone="gradient", is_bold=True, anchor="middle"
            )

    def _half_widths(self, route: Route) -> tuple[float, float]:
        """Return half of the width of a part of the river at its head and at its tail."""
        if route.link.flow is Flow.BAD or route.river is None:
            return 4.0, 4.0
        if route.link.flow is Flow.ZERO:
            return (self._scale.width(None) / 2,) * 2
        factor = self._layout.river / 2
        head, tail = route.river.head, route.river.tail
        return self._scale.width(head) * factor, self._scale.width(tail) * factor

    def _drop(self, drop: Drop) -> Iterator[str]:
        """Draw the gradients of a card's parameters, from the river up to their drawer."""
        station = next(s for s in self._diagram.stations if s.id == drop.station)
        flows = {each.flow for each in station.parameters}
        points = [(drop.x, drop.start), (drop.x, drop.end)]
        if not self._has_gradient(station.id):
            return
        yield '<g class="drop">'
        if Flow.BAD in flows:
            yield from self._lane(points, "break", 8.0, HEAD, 9.0, is_straight=True)
        elif flows & {Flow.GRADIENT, Flow.ZERO}:
            norms = [each.norm for each in station.parameters if each.norm]
            width = self._scale.width(math.hypot(*norms) if norms else None)
            yield from self._lane(points, "gradient", width, HEAD, width / 2 + 5, is_straight=True)
        elif flows & {Flow.NEVER, Flow.CUT}:
            yield self._brush.bed(points, "break")
        yield "</g>"

    def _number(self, route: Route, points: list[Point]) -> Iterator[str]:
        """Write the norm below the longest horizontal part of a band, if there is space."""
        link = route.link
        tone = "gradient" if link.flow in (Flow.GRADIENT, Flow.ZERO) else "break"
        text = wording.NONE if link.flow in (Flow.NEVER, Flow.CUT) else link.text
        part = longest_flat(points)
        if link.flow in (Flow.NOT_NEEDED, Flow.STOPPED) or not text or part is None:
            return
        (x, y), (x2, _) = part
        below = self._scale.width(link.norm) / 2 + 15 if link.flow is Flow.GRADIENT else 20.0
        if link.flow is Flow.CUT:
            below = _SCISSORS + 15
        width = width_of(text, TEXT, is_bold=True)
        if width <= abs(x2 - x) - 2:
            left, right = sorted((x, x2))
            middle = self._free(left + width / 2 + 1, right - width / 2 - 1, width, y + below)
            yield self._brush.text(
                middle, y + below, text, tone=tone, is_bold=True, anchor="middle"
            )

    def _free(self, first: float, last: float, width: float, y: float) -> float:
        """Return the position nearest to the center at which no lane crosses a text of this width."""
        center = (first + last) / 2
        count = int((last - first) / 2 / _STEP)
        tried = [center + side * _STEP * i for i in range(count + 1) for side in (1, -1)]
        for middle in tried:
            low, high = middle - width / 2 - 2, middle + width / 2 + 2
            if not any(
                low < right and left < high and top < y and y - TEXT < bottom
                for left, top, right, bottom in self._uprights
            ):
                return middle
        return center


def _uprights_of(layout: Layout, scale: Scale) -> Iterator[tuple[float, float, float, float]]:
    """Yield the vertical parts of all lanes: left, top, right, bottom."""
    for route in layout.routes:
        width = max(scale.width(route.link.norm), BED)
        for lane, half in ((route.values, VALUE_WIDTH / 2 + 2), (route.gradients, width / 2)):
            for (x, y), (x2, y2) in pairwise(lane):
                if abs(x - x2) < 1:
                    yield x - half, min(y, y2), x + half, max(y, y2)


def _length_of_run(row: Sequence[float | None], start: int, shade: int) -> int:
    """Return how many cells, starting with this cell, have this shade."""
    for i in range(start, len(row)):
        fraction = row[i]
        if fraction is None or round(_SHADES * fraction) != shade:
            return i - start
    return len(row) - start


def _layer(route: Route) -> tuple[bool, bool]:
    """Return the painting order: empty bands first, then links that turn, then straight links."""
    return route.link.flow in _CAME, route.is_straight

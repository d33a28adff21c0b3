"""A block diagram as SVG: values flow forward in thin lanes, gradients backward in bands; the width of a band is the logarithm of
its norm. Color is never the only distinction: a band without a gradient is a dashed outline, a break has a cross and words.
"""

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
    Brush,
    Point,
    Scale,
    beside,
    length,
    longest_flat,
    scale_of,
    shortened,
    width_of,
)
from minitape.draw.diagram.write.faces import PAD, Face, Image, Words
from minitape.draw.diagram.write.layout import (
    GRADIENT_LANE,
    HEIGHT,
    LEFT,
    STEPS,
    VALUE_LANE,
    WIDTH,
    Box,
    Layout,
    Route,
    laid_out,
)
from minitape.draw.diagram.write.legend import Legend, axis
from minitape.draw.diagram.write.strips import strips
from minitape.draw.words import short

_CAME = (Flow.GRADIENT, Flow.ZERO, Flow.BAD)
_HEADLINE = 27
_SHADES = 8
_OF_BACKWARD = (
    "gradient",
    "break",
)  # the tones of words that are known only after the backward pass
_SCISSORS = 14.0
_STEP = 6.0


def svg(diagram: Diagram, *, theme: str = "light", moment: Moment | None = None) -> str:
    """Return the diagram as an SVG document of 1600 by 900 points.

    Args:
        diagram: The diagram.
        theme: `light` or `dark`.
        moment: Draw only what has happened at this moment of the run; None: everything.

    Raises:
        DrawError: the theme is unknown.
    """
    page = _Page(diagram, laid_out(diagram), Brush(theme), moment)
    return "\n".join(page.lines()) + "\n"


class _Page:
    """Writes everything, from back to front."""

    def __init__(
        self, diagram: Diagram, layout: Layout, brush: Brush, moment: Moment | None
    ) -> None:
        self._diagram, self._layout, self._brush, self._moment = diagram, layout, brush, moment
        norms = [link.norm for link in diagram.links if link.norm]
        norms += [p.norm for station in diagram.stations for p in station.parameters if p.norm]
        if diagram.steps is not None:
            norms += [g for state in diagram.steps.states for g in state.gradients if g]
        self._scale = scale_of(norms)
        self._uprights = [*_uprights_of(layout, self._scale)]
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
        for frame, box in reversed(self._layout.frames):
            yield from self._frame(frame, box)
        for route in sorted(self._layout.routes, key=_layer):
            yield from self._link(route)
        for station in self._diagram.stations:
            yield from self._station(station)
        yield "</g>"
        if self._moment is None:
            yield from self._below()
        yield from Legend(self._diagram, self._brush, self._scale, self._layout.scale).lines()
        yield "</svg>"

    def _below(self) -> Iterator[str]:
        """Draw what is below the cards: the states over the steps, or the gradients that arrived."""
        steps = self._diagram.steps
        if self._layout.steps is not None and steps is not None:
            top, height = self._layout.steps, STEPS - 20
            yield from strips(steps, LEFT, WIDTH - LEFT, top, height, self._brush, self._scale)
        if self._layout.axis is not None:
            yield from axis(self._diagram.arrived, self._layout.axis, self._brush)

    def _heading(self) -> Iterator[str]:
        first, culprit = self._diagram.headline, self._diagram.culprit
        if self._moment is not None:  # the answer is on the last frame
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
        """Draw a tape: the innermost in the color of values, because it records the forward pass."""
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
        yield f'<g id={quoteattr(station.id)} class="node {station.kind.value}" data-card="">'
        yield f"<title>{escape(hint)}</title>"
        if not self._has_value(station.id):
            yield self._outline(station, box)
        elif station.kind is StationKind.JOIN:
            yield self._brush.join(box.center, box.middle)
        else:
            is_known = self._has_gradient(station.id)
            yield from self._drawer(station.parameters, box, face, is_known=is_known)
            # The cards behind are narrower, so that no arrow ends under them.
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
                anchor="end" if each.is_end else "",
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
            yield from self._bars(image, x0, y0, cell)
            return
        # Cells of one shade are one path, which keeps the picture small.
        shades: dict[int, list[str]] = {}
        for i, row in enumerate(image.cells):
            for j, fraction in enumerate(row):
                if fraction is not None:
                    at = f"M{x0 + j * cell:.1f} {y0 + i * cell:.1f}"
                    square = f"{at}h{cell:.2f}v{cell:.2f}h-{cell:.2f}z"
                    shades.setdefault(round(_SHADES * fraction), []).append(square)
        for shade, parts in sorted(shades.items()):
            opacity = 0.06 + 0.94 * shade / _SHADES
            yield (
                f'<path d="{"".join(parts)}" fill="{self._brush.colors["value"]}"'
                f' fill-opacity="{opacity:.2f}"/>'
            )

    def _bars(self, image: Pixels, x: float, y: float, cell: float) -> Iterator[str]:
        half = 17.0
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
        values = beside(route.points, VALUE_LANE)
        gradients = beside(route.points, GRADIENT_LANE)
        has_gradient = self._has_gradient(route.link.tail)
        yield f'<g class="edge {route.link.flow.value}">'
        if has_gradient:
            yield from self._gradient_lane(route, gradients[::-1])
        if self._has_value(route.link.head):
            yield from self._lane(
                values, "value", VALUE_WIDTH, HEAD, 7.0, is_straight=route.is_straight
            )
        if has_gradient:
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
        if not is_straight:  # a halo lets a lane pass over another one
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

    def _number(self, route: Route, points: list[Point]) -> Iterator[str]:
        """The norm below the longest horizontal part of a band, if it has space there."""
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
        """Return the position nearest to the center of these middles at which no lane crosses a text of this width."""
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
        for lane, half in ((VALUE_LANE, VALUE_WIDTH / 2 + 2), (GRADIENT_LANE, width / 2)):
            for (x, y), (x2, y2) in pairwise(beside(route.points, lane)):
                if abs(x - x2) < 1:
                    yield x - half, min(y, y2), x + half, max(y, y2)


def _layer(route: Route) -> tuple[bool, bool]:
    """Return the order of painting: empty bands first, then links that turn, then straight ones."""
    return route.link.flow in _CAME, route.is_straight

"""The picture of a story: the block diagram of its call, and below it that of the call after a verified fix.

The diagram is that of `minitape graph --slide`, without its headline and legend, and cut to what it shows. Cards carry the
numbers of the scenes.
"""

import html
import re
from collections.abc import Mapping, Sequence

from minitape.draw.diagram import Diagram, wording
from minitape.draw.diagram.model import Flow
from minitape.draw.diagram.write.brush import TEXT
from minitape.draw.diagram.write.layout import in_one_row
from minitape.draw.diagram.write.places import Box, Layout
from minitape.draw.diagram.write.svg import svg
from minitape.html.story import texts

_FEWEST_PIXELS = 12.0  # the smallest text on a screen
_MARGIN = 16.0  # beside the cards
_RADIUS = 11.0
_GROUP = re.compile(r"<(/?)g\b")
_ID = re.compile(r'(?<=\bid=")([^"]*)(?=")')
_CAME_BACK = {Flow.NOT_NEEDED: wording.NOT_NEEDED, Flow.NEVER: wording.NEVER}

Badges = Mapping[str, Sequence[tuple[int, str]]]  # for each card, the scenes: number and kind


def river(made: Diagram, prefix: str, badges: Badges, theme: str) -> str:
    """Return the diagram as the element `svg` of a page.

    Args:
        made: The diagram.
        prefix: The start of all its ids.
        badges: The numbers of the scenes on each card.
        theme: `light` or `dark`.
    """
    layout = in_one_row(made)
    left, top, right, bottom = _extent(layout)
    body = _scaled_group(svg(made, theme=theme, layout=layout))
    fewest = (right - left) * _FEWEST_PIXELS / (TEXT * layout.scale)
    marks = "".join(
        _badge(layout.boxes[card], layout.scale, place, number, kind)
        for card, scenes in badges.items()
        if card in layout.boxes
        for place, (number, kind) in enumerate(scenes)
    )
    answer = html.escape(f"{made.headline}{made.culprit}")
    named = _ID.sub(rf"{prefix}\1", body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{answer}" data-least="{fewest:.0f}"'
        f' viewBox="{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"'
        f' width="{right - left:.0f}" height="{bottom - top:.0f}">'
        f"{named}{marks}</svg>"
    )


def _scaled_group(text: str) -> str:
    """Return the group of all cards and links, without the headline above it and the legend below it."""
    start = text.index('<g transform="scale(')
    depth = 0
    for found in _GROUP.finditer(text, start):
        depth += -1 if found[1] else 1
        if depth == 0:
            return text[start : text.index(">", found.end()) + 1]
    raise AssertionError("a group is not closed")


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    """Return the bounds of the picture: those of its cards and links, with a margin."""
    left, top, right, bottom = layout.extent
    badges = min(box.y for box in layout.boxes.values()) - 2 * _RADIUS
    scale = layout.scale
    return (
        (left - _MARGIN) * scale,
        (min(top, badges) - 4) * scale,
        (right + _MARGIN) * scale,
        (bottom + 4) * scale,
    )


def _badge(box: Box, scale: float, place: int, number: int, kind: str) -> str:
    radius = _RADIUS * max(1.0, scale)
    x, y = box.right * scale - radius - place * (2 * radius + 4), box.y * scale
    return (
        f'<g class="badge {kind}" data-scene="{number}" aria-hidden="true">'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
        f'<text x="{x:.1f}" y="{y + 0.36 * 1.25 * radius:.1f}" font-size="{1.25 * radius:.1f}" text-anchor="middle">'
        f"{number}</text></g>"
    )


def as_table(made: Diagram) -> str:
    """Return the same content as a table of HTML."""
    names = {each.id: each.title for each in made.stations}
    heads: dict[str, list[str]] = {}
    for link in made.links:
        heads.setdefault(link.tail, []).append(names[link.head])
    rows = []
    for each in made.stations:
        value = " ".join(filter(None, (each.shape, each.number, each.code)))
        came = [
            f"{parameter.name}: {parameter.text or _CAME_BACK.get(parameter.flow, '')}"
            for parameter in each.parameters
        ]
        own = each.mark or each.text or _CAME_BACK.get(each.flow, "")
        cells = (value, "; ".join(filter(None, (own, *came))), ", ".join(heads.get(each.id, ())))
        rows.append(
            f"<tr><th scope=row>{html.escape(each.title)}"
            + "".join(f"<td>{html.escape(cell)}" for cell in cells)
        )
    columns = "".join(f"<th scope=col>{name}" for name in texts.COLUMNS)
    return f"<table><thead><tr>{columns}<tbody>{''.join(rows)}</table>"

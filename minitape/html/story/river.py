"""The picture of a story: the block diagram of its call, and below it the diagram of the call after a verified fix.

The diagram is that of a slide (`minitape graph`), but in one row, and with only its cards and links. Cards carry the numbers of
the scenes. The page's script breaks it into rows that fit the pane, animates it, and shows other iterations, so the picture
names its columns, and the elements that move or change have their own names (`svg_of_cards`).
"""

import html
from collections.abc import Mapping, Sequence

from minitape.draw.diagram import Diagram, wording
from minitape.draw.diagram.model import Flow, StationKind
from minitape.draw.diagram.write.brush import TEXT
from minitape.draw.diagram.write.layout import in_one_row
from minitape.draw.diagram.write.places import Box, Layout
from minitape.draw.diagram.write.svg import svg_of_cards
from minitape.html.story import texts

_MARGIN = 16.0  # the space next to the cards
_ABOVE, _BELOW = 4.0, 14.0  # the number of a wide band is below its lane
_RADIUS = 11.0
_CAME_BACK = {Flow.NOT_NEEDED: wording.NOT_NEEDED, Flow.NEVER: wording.NEVER}

Badges = Mapping[str, Sequence[tuple[int, str]]]  # for each card, its scenes: number and kind


def river(made: Diagram, prefix: str, badges: Badges, theme: str) -> str:
    """Return the diagram as the element `svg` of a page, in one row.

    Args:
        made: The diagram.
        prefix: The start of all its ids.
        badges: The numbers of the scenes on each card.
        theme: `light` or `dark`.
    """
    layout = in_one_row(made)
    left, top, right, bottom = _extent(layout)
    body = svg_of_cards(made, layout, theme=theme, prefix=prefix)
    marks = "".join(
        _badge(layout.boxes[card], place, number, kind)
        for card, scenes in badges.items()
        if card in layout.boxes
        for place, (number, kind) in enumerate(scenes)
    )
    answer = html.escape(f"{made.headline}{made.culprit}")
    columns = " ".join(f"{start:.0f},{end:.0f}" for start, end in _columns(layout))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{answer}"'
        f' data-text="{TEXT}" data-columns="{columns}" data-middle="{_middle(made, layout):.0f}"'
        f' viewBox="{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"'
        f' width="{right - left:.0f}" height="{bottom - top:.0f}">'
        f'<g class="all">{body}{marks}</g></svg>'
    )


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    """Return the bounds of the picture, with its cards, links, scene numbers, and a margin."""
    left, top, right, bottom = layout.extent
    badges = min(box.y for box in layout.boxes.values()) - 2 * _RADIUS
    return left - _MARGIN, min(top, badges) - _ABOVE, right + _MARGIN, bottom + _BELOW


def _columns(layout: Layout) -> list[tuple[float, float]]:
    """Return the columns of the cards and of the frames around them; the picture may be broken between two columns."""
    found: list[tuple[float, float]] = []
    for start, end in sorted((box.x, box.right) for box in layout.boxes.values()):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    found[0] = min([found[0][0], *(box.x for _, box in layout.frames)]), found[0][1]
    found[-1] = found[-1][0], max([found[-1][1], *(box.right for _, box in layout.frames)])
    return found


def _middle(made: Diagram, layout: Layout) -> float:
    """Return the middle of the row that leads to the target."""
    targets = [each.id for each in made.stations if each.kind is StationKind.TARGET]
    return layout.boxes[(targets or [made.stations[-1].id])[0]].middle


def _badge(box: Box, place: int, number: int, kind: str) -> str:
    x, y = box.right - _RADIUS - place * (2 * _RADIUS + 4), box.y
    return (
        f'<g class="badge {kind}" data-scene="{number}" aria-hidden="true">'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS:.1f}"/>'
        f'<text x="{x:.1f}" y="{y + 0.45 * _RADIUS:.1f}" font-size="14" text-anchor="middle">'
        f"{number}</text></g>"
    )


def as_table(made: Diagram) -> str:
    """Return the same content as an HTML table."""
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

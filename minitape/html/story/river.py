"""The picture of a story: the block diagram of its call, and below it that of the call after a verified fix.

The diagram is that of `minitape graph --slide`, without its headline and legend, and cut to what it shows. Cards carry the
numbers of the scenes. The page's script breaks it into rows that fit the pane, animates it, and shows other iterations, so the
picture names what these need: its columns, the link of each band, and the numbers that change from iteration to iteration.
"""

import html
import re
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from msgspec.structs import replace

from minitape.draw.diagram import Diagram, wording
from minitape.draw.diagram.model import Flow, StationKind
from minitape.draw.diagram.write.brush import HEAD, TEXT, Brush, beside, path, shortened
from minitape.draw.diagram.write.layout import VALUE_LANE, Box, Layout, laid_out
from minitape.draw.diagram.write.svg import svg
from minitape.html.story import texts

_MARGIN, _LANE = 16.0, 44.0  # around the cards, and around the middle of a link
_RADIUS = 11.0
_GROUP = re.compile(r"<(/?)g\b")
_ID = re.compile(r'(?<=\bid=")([^"]*)(?=")')
_AT_END = re.compile(r'<text(?= [^>]*text-anchor="end")')
_TONES = ("value", "pale", "gradient", "break")
_CAME_BACK = {Flow.NOT_NEEDED: wording.NOT_NEEDED, Flow.NEVER: wording.NEVER}

Badges = Mapping[str, Sequence[tuple[int, str]]]  # for each card, the scenes: number and kind


def river(made: Diagram, prefix: str, badges: Badges, theme: str) -> str:
    """Return the diagram as the element `svg` of a page, in one row.

    Args:
        made: The diagram.
        prefix: The start of all its ids.
        badges: The numbers of the scenes on each card.
        theme: `light` or `dark`.
    """
    # What is below the cards of a slide is not cut out, so the states over the steps are on their card.
    made = replace(made, steps=None)
    layout = laid_out(made)
    left, top, right, bottom = _extent(layout)
    body = _with_tones(_cards(svg(made, theme=theme)), theme)
    body = _with_numbers(_with_links(body, made, layout), made)
    marks = "".join(
        _badge(layout.boxes[card], place, number, kind)
        for card, scenes in badges.items()
        if card in layout.boxes
        for place, (number, kind) in enumerate(scenes)
    )
    answer = html.escape(f"{made.headline}{made.culprit}")
    named = _ID.sub(rf"{prefix}\1", body)
    columns = " ".join(f"{start:.0f},{end:.0f}" for start, end in _columns(layout))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{answer}"'
        f' data-text="{TEXT}" data-columns="{columns}" data-middle="{_middle(made, layout):.0f}"'
        f' viewBox="{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"'
        f' width="{right - left:.0f}" height="{bottom - top:.0f}">'
        f'<g class="all">{named}{marks}</g></svg>'
    )


def _cards(text: str) -> str:
    """Return all cards and links in the units of the layout, without the headline above them and the legend below them."""
    opening = text.index('<g transform="scale(')
    start = text.index(">", opening) + 1
    depth = 0
    for found in _GROUP.finditer(text, opening):
        depth += -1 if found[1] else 1
        if depth == 0:
            return text[start : found.start()]
    raise AssertionError("a group is not closed")


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    boxes = [
        (box.x, box.y, box.right, box.y + layout.faces[id_].total_height)
        for id_, box in layout.boxes.items()
    ]
    points = [point for route in layout.routes for point in route.points]
    left = min(box[0] for box in boxes) - _MARGIN
    top = min([box[1] - 2 * _RADIUS for box in boxes] + [y - _LANE for _, y in points]) - 4
    right = max(box[2] for box in boxes) + _MARGIN
    bottom = max([box[3] for box in boxes] + [y + _LANE for _, y in points]) + 4
    return left, top, right, bottom


def _columns(layout: Layout) -> list[tuple[float, float]]:
    """Return where cards are: the picture may be broken between two of these columns."""
    found: list[tuple[float, float]] = []
    for start, end in sorted((box.x, box.right) for box in layout.boxes.values()):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _middle(made: Diagram, layout: Layout) -> float:
    """Return the middle of the row that leads to the target."""
    targets = [each.id for each in made.stations if each.kind is StationKind.TARGET]
    return layout.boxes[(targets or [made.stations[-1].id])[0]].middle


# --- what the script of the page uses ---


def _with_tones(text: str, theme: str) -> str:
    """Add to each shape and text the class of what it shows, of which the animation uncovers one after the other."""
    colors = Brush(theme).colors
    for tone in _TONES:
        color = colors[tone]
        painted = rf'[^>]*(?:fill="{color}"|fill="none" stroke="{color}")'
        text = re.sub(
            rf"<(path|polygon|text|rect|circle)(?= {painted})", rf'<\1 class="{tone}"', text
        )
    return text


def _with_links(text: str, made: Diagram, layout: Layout) -> str:
    """Add to each band the number of its link."""
    for route in layout.routes:
        lane = path(shortened(beside(route.points, VALUE_LANE), HEAD - 1))
        start = text.rindex("<g ", 0, text.index(f'd="{lane}"'))
        number = made.links.index(route.link)
        text = f'{text[:start]}<g data-link="{number}"{text[start + 2 :]}'
    return text


def _with_numbers(text: str, made: Diagram) -> str:
    """Add to the texts of gradients in drawers their numbers, and mark the value of each card that has one."""
    for station in made.stations:
        if station.kind is StationKind.JOIN:
            continue
        start = text.index(f"<g id={quoteattr(station.id)}")
        end = text.index("</g>", start)
        card = text[start:end]
        # A drawer is drawn first, and its gradients are the texts at its right side.
        ends = [found.end() for found in _AT_END.finditer(card)][: len(station.parameters)]
        for number, at in reversed([*enumerate(ends)]):
            card = f'{card[:at]} data-parameter="{number}"{card[at:]}'
        if station.number:
            at = card.index(f">{escape(station.number)}</text>")
            at = card.rindex("<text", 0, at) + len("<text")
            card = f'{card[:at]} data-number=""{card[at:]}'
        text = text[:start] + card + text[end:]
    return text


def _badge(box: Box, place: int, number: int, kind: str) -> str:
    x, y = box.right - _RADIUS - place * (2 * _RADIUS + 4), box.y
    return (
        f'<g class="badge {kind}" data-scene="{number}" aria-hidden="true">'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS:.1f}"/>'
        f'<text x="{x:.1f}" y="{y + 0.45 * _RADIUS:.1f}" font-size="14" text-anchor="middle">'
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

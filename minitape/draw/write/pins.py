"""The positions of the built-in layout as attributes for Graphviz, which then only renders.

Graphviz takes minutes for some pictures, and the built-in layout cannot write PNG. With `neato -n2` Graphviz keeps given
positions of nodes, of the curves of edges and of frames.

Source: https://graphviz.org/docs/attr-types/splineType/ and https://graphviz.org/docs/attrs/n/
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from minitape.draw.layout.frames import Framed
from minitape.draw.layout.labels import positions_of_labels
from minitape.draw.layout.layout import Point
from minitape.draw.model import Picture, edge_id
from minitape.draw.write.dot import LEGEND, Attributes
from minitape.draw.write.svg import framed, label_widths, legend_size, title_width

KEEP_POSITIONS = ("-Kneato", "-n2")
_SCALE = 0.85  # points of Graphviz, whose font is smaller, for one unit of the built-in layout
_ARROW = 8.0
_LEGEND_GAP = 20.0


@dataclass(frozen=True)
class Pins:
    """Attributes, keyed by the id of a node, an edge or a frame, and the size of the picture in points."""

    of: Attributes
    width: float
    height: float


def pins_of(picture: Picture, rankdir: str = "TB") -> Pins:
    """Return the positions of everything in a picture.

    Args:
        picture: The picture.
        rankdir: `TB` (down) or `LR` (to the right).
    """
    layout = framed(picture, rankdir)
    widths = label_widths(picture)
    labels = positions_of_labels(picture, layout, widths, is_down=rankdir != "LR")
    found = {id_: {"pos": _point(at)} for id_, at in layout.centers.items()}
    for position, edge in enumerate(picture.edges):
        is_upward = position in picture.upward
        found[edge_id(position)] = _edge(position, layout, rankdir, is_upward=is_upward)
        if edge.label:
            x, y = labels.get(position, layout.labels[position])
            found[edge_id(position)]["lp"] = _point((x + widths[edge.label] / 2, y))
    for loop in picture.loops:
        left, top, width, height = layout.boxes[loop.id]
        # The font of this title is slightly larger than elsewhere.
        title = (left + 10 + title_width(loop) * 0.55, top + height - 12)
        found[loop.id] = {"bb": _box(left, top, width, height), "lp": _point(title)}
    wide, high = legend_size(picture)
    whole = (max(layout.width, wide), layout.height + 2 * _LEGEND_GAP + high)
    below = (wide / 2, layout.height + _LEGEND_GAP + high / 2)
    found[LEGEND] = {"bb": _box(0, 0, *whole), "lp": _point(below)}
    return Pins(found, whole[0] * _SCALE, whole[1] * _SCALE)


def _point(at: Point) -> str:
    return f"{at[0] * _SCALE:.1f},{-at[1] * _SCALE:.1f}"  # Graphviz counts upwards


def _box(left: float, top: float, width: float, height: float) -> str:
    return f"{_point((left, top + height))},{_point((left + width, top))}"


def _edge(position: int, layout: Framed, rankdir: str, *, is_upward: bool) -> dict[str, str]:
    route = list(layout.routes[position])
    along = (0.0, _ARROW) if rankdir != "LR" else (_ARROW, 0.0)
    # Graphviz places the arrowhead between the end of the curve and the point that is listed first.
    tip = route[0] if is_upward else route[-1]
    if is_upward:
        route[0] = (tip[0] + along[0], tip[1] + along[1])
    else:
        route[-1] = (tip[0] - along[0], tip[1] - along[1])
    is_straight = position in layout.bows
    curve = " ".join(_point(at) for at in _curve(route, rankdir, is_straight=is_straight))
    return {"pos": f"{'s' if is_upward else 'e'},{_point(tip)} {curve}"}


def _curve(route: list[Point], rankdir: str, *, is_straight: bool) -> Iterator[Point]:
    """Yield the control points of cubic curves in the direction of the edges, or of straight lines."""
    yield route[0]
    for (x0, y0), (x1, y1) in pairwise(route):
        if is_straight:
            yield from ((x0, y0), (x1, y1))
        elif rankdir == "LR":
            yield from (((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1))
        else:
            yield from ((x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2))
        yield (x1, y1)

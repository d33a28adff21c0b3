"""The positions of edge labels in the built-in layout: next to their edges, without overlaps.

Each label is placed at the first free position: to the right or left of the middle of its edge, or of points further up or down.
Of two parallel edges with the same label, only one shows it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from minitape.draw.layout.frames import Framed
from minitape.draw.layout.layout import Point
from minitape.draw.model import Picture

HEIGHT = 13.0
_ASIDE = 8.0
_CELL = 64.0
_LINES = (0.0, HEIGHT, -HEIGHT, 2 * HEIGHT, -2 * HEIGHT)

_Box = tuple[float, float, float, float]  # left, top, right, bottom


def positions_of_labels(
    picture: Picture, layout: Framed, widths: Mapping[str, float], *, is_down: bool
) -> dict[int, Point]:
    """Return the left end and the middle line of each label, by the position of its edge.

    Args:
        picture: The picture.
        layout: The routes of the edges.
        widths: The width of each label.
        is_down: Whether edges run down. If they run to the right, labels are above them.
    """
    taken = _Taken()
    found: dict[int, Point] = {}
    said = set[tuple[str, str, str]]()
    # Of two parallel edges, the last one is on the right.
    for position in reversed(range(len(picture.edges))):
        edge = picture.edges[position]
        key = (edge.tail, edge.head, edge.label)
        if not edge.label or key in said:
            continue
        said.add(key)
        width = widths[edge.label]
        boxes = list(_run_options(layout.labels[position], width, is_down=is_down))
        box = next((box for box in boxes if taken.is_free(box)), boxes[0])
        taken.add(box)
        found[position] = (box[0], (box[1] + box[3]) / 2)
    return found


def _run_options(middle: Point, width: float, *, is_down: bool) -> Iterator[_Box]:
    x, y = middle
    lefts = (x + _ASIDE, x - _ASIDE - width) if is_down else (x - width / 2,)
    for line in _LINES:
        for left in lefts:
            yield left, y + line - HEIGHT / 2, left + width, y + line + HEIGHT / 2


class _Taken:
    """Occupied boxes, indexed by the squares of a grid, so that thousands of labels need not all be compared."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[_Box]] = defaultdict(list)

    def is_free(self, box: _Box) -> bool:
        return not any(_overlap(box, other) for cell in _cells(box) for other in self._cells[cell])

    def add(self, box: _Box) -> None:
        for cell in _cells(box):
            self._cells[cell].append(box)


def _cells(box: _Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(side // _CELL) for side in box)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

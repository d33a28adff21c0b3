"""The built-in layout with frames: each is laid out by itself, and then stands as one box in what is around it.

So nothing but its own cards lies within a frame. An edge that crosses a frame runs to its border as the layout outside says, and
from there straight to its card.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from minitape.debug.draw.layout import ROW_GAP, Layout, Point, lay_out

Box = tuple[float, float, float, float]  # left, top, width, height

_SIDE, _TOP, _BOTTOM = 24.0, 18.0, 34.0
_PORT_GAP = 14.0


@dataclass(frozen=True)
class Framed:
    """As `Layout`, with the box of each frame, and a place for the label of each edge."""

    centres: Mapping[str, Point]
    routes: Sequence[Sequence[Point]]
    labels: Sequence[Point]
    bows: frozenset[int]
    boxes: Mapping[str, Box]
    width: float
    height: float


def lay_out_framed(
    sizes: Mapping[str, Point],
    edges: Sequence[tuple[str, str]],
    inside: Mapping[str, str],
    *,
    titles: Mapping[str, float],
    rankdir: str = "TB",
    row_gap: float = ROW_GAP,
) -> Framed:
    """Places for nodes of these sizes.

    Args:
        sizes: Width and height of each node.
        edges: From which node to which.
        inside: The frame that a node or a frame is in; what is in none is left out.
        titles: How wide the title of each frame is.
        rankdir: Whether edges run downwards (`TB`) or to the right (`LR`).
        row_gap: The room between two rows.
    """
    if rankdir != "LR":
        return _Frames(
            sizes, edges, inside, titles, (_SIDE, _TOP, _SIDE, _BOTTOM), row_gap
        ).placed()
    # Laid out downwards with all sides changed for each other, and then turned.
    turned = {id_: (height, width) for id_, (width, height) in sizes.items()}
    pads = (_TOP, _SIDE, _BOTTOM, _SIDE)
    found = _Frames(turned, edges, inside, titles, pads, row_gap, is_turned=True).placed()
    return Framed(
        {id_: (x, y) for id_, (y, x) in found.centres.items()},
        [[(x, y) for y, x in route] for route in found.routes],
        [(x, y) for y, x in found.labels],
        found.bows,
        {id_: (x, y, w, h) for id_, (y, x, h, w) in found.boxes.items()},
        found.height,
        found.width,
    )


class _Frames:
    """All frames of a picture; the one around everything has no name."""

    def __init__(
        self,
        sizes: Mapping[str, Point],
        edges: Sequence[tuple[str, str]],
        inside: Mapping[str, str],
        titles: Mapping[str, float],
        pads: Box,
        row_gap: float,
        *,
        is_turned: bool = False,
    ) -> None:
        self._edges = edges
        self._inside = inside
        self._pads = pads
        self._sizes = dict(sizes)
        self._numbers: dict[str, list[int]] = defaultdict(list)
        self._ends: dict[int, tuple[str, str]] = {}
        for number, (tail, head) in enumerate(edges):
            frame, ends = self._meeting(tail, head)
            self._numbers[frame].append(number)
            self._ends[number] = ends
        self._layouts: dict[str, Layout] = {}
        for frame in sorted(titles, key=lambda one: -len(self._around(one))):
            layout = self._lay_out(frame, row_gap)
            self._layouts[frame] = layout
            left, top, right, bottom = pads
            width, height = layout.width + left + right, layout.height + top + bottom
            title = titles[frame] + left + right
            least = (0.0, title) if is_turned else (title, 0.0)
            self._sizes[frame] = (max(width, least[0]), max(height, least[1]))
        self._layouts[""] = self._lay_out("", row_gap)

    def _around(self, id_: str) -> list[str]:
        """What a node is in, from itself to the whole picture."""
        chain = [id_]
        while chain[-1]:
            chain.append(self._inside.get(chain[-1], ""))
        return chain

    def _meeting(self, tail: str, head: str) -> tuple[str, tuple[str, str]]:
        """The innermost frame that both ends are in, and what holds each of them there."""
        if tail == head:
            return self._inside.get(tail, ""), (tail, head)
        above, below = self._around(tail), self._around(head)
        frame = next(one for one in above if one in below and one not in (tail, head))
        return frame, (above[above.index(frame) - 1], below[below.index(frame) - 1])

    def _lay_out(self, frame: str, row_gap: float) -> Layout:
        own = {id_: size for id_, size in self._sizes.items() if self._inside.get(id_, "") == frame}
        ends = [self._ends[number] for number in self._numbers[frame]]
        return lay_out(own, ends, row_gap=row_gap)

    def placed(self) -> Framed:
        """All as one, with the places that they have in the whole picture."""
        centres: dict[str, Point] = {}
        boxes: dict[str, Box] = {}
        routes: dict[int, list[Point]] = {}
        bows = set[int]()
        waiting = [("", (0.0, 0.0))]
        while waiting:
            frame, (dx, dy) = waiting.pop()
            layout = self._layouts[frame]
            for id_, (x, y) in layout.centres.items():
                centres[id_] = (x + dx, y + dy)
                if id_ in self._layouts:
                    width, height = self._sizes[id_]
                    left, top = x + dx - width / 2, y + dy - height / 2
                    boxes[id_] = (left, top, width, height)
                    spare = width - self._layouts[id_].width - self._pads[0] - self._pads[2]
                    waiting.append((id_, (left + self._pads[0] + spare / 2, top + self._pads[1])))
            for position, number in enumerate(self._numbers[frame]):
                routes[number] = [(x + dx, y + dy) for x, y in layout.routes[position]]
                bows |= {number} if position in layout.bows else set()
        labels = self._reach_in(routes, centres, bows)
        whole = self._layouts[""]
        numbers = range(len(self._edges))
        return Framed(
            {id_: place for id_, place in centres.items() if id_ not in boxes},
            [routes[number] for number in numbers],
            [labels[number] for number in numbers],
            frozenset(bows),
            boxes,
            whole.width,
            whole.height,
        )

    def _reach_in(
        self, routes: Mapping[int, list[Point]], centres: Mapping[str, Point], bows: set[int]
    ) -> dict[int, Point]:
        """Take edges from the border of a frame on to the card within; where the labels go is known before."""
        leaving: Counter[str] = Counter()
        arriving: Counter[str] = Counter()
        labels = {}
        for number in _by_place(routes):
            (tail, head), (start, end), route = (
                self._edges[number],
                self._ends[number],
                routes[number],
            )
            first = self._port(tail, centres[tail], leaving, 1) if start != tail else None
            last = self._port(head, centres[head], arriving, -1) if end != head else None
            if number not in bows:
                # Straight above the card, so that what is within the frame is a short way.
                route[:2] = [(first[0], y) for _, y in route[:2]] if first else route[:2]
                route[-2:] = [(last[0], y) for _, y in route[-2:]] if last else route[-2:]
            labels[number] = _middle(*(route[-3:-1] if len(route) > 2 else route))
            route[:0] = [first] if first else []
            route[len(route) :] = [last] if last else []
        return labels

    def _port(self, id_: str, centre: Point, used: Counter[str], side: int) -> Point:
        """A place at the bottom or the top of a card: the middle, then beside it."""
        count = used[id_]
        used[id_] += 1
        aside = (count + 1) // 2 * _PORT_GAP * (1 if count % 2 else -1)
        width, height = self._sizes[id_]
        return centre[0] + max(-width / 2, min(width / 2, aside)), centre[1] + side * height / 2


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _by_place(routes: Mapping[int, Sequence[Point]]) -> Iterable[int]:
    return sorted(routes, key=lambda number: (routes[number][0], number))

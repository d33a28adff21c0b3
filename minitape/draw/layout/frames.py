"""The built-in layout with frames: each frame is laid out separately, and is then a single box in the layout around it.

So a frame contains only its own nodes. An edge that crosses the border of a frame goes through a gate. Outside, the edge runs to
the frame as if it were a node. Inside, the gate is a node of the first or last row, so the edge passes between the other nodes.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from minitape.draw.layout.layout import ROW_GAP, Layout, Point, lay_out

Box = tuple[float, float, float, float]  # left, top, width, height

_SIDE, _TOP, _BOTTOM = 24.0, 18.0, 34.0
_GATE = (12.0, 0.0)


@dataclass(frozen=True)
class Framed:
    """A `Layout` with the box of each frame, and a position for the label of each edge."""

    centers: Mapping[str, Point]
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
    """Return positions for nodes of the given sizes.

    Args:
        sizes: The width and height of each node.
        edges: The pairs of nodes that are connected.
        inside: The frame that contains a node or a frame; nodes outside all frames have no entry.
        titles: The width of the title of each frame.
        rankdir: The direction of the edges: `TB` (down) or `LR` (to the right).
        row_gap: The space between two rows.
    """
    if rankdir != "LR":
        return _Frames(
            sizes, edges, inside, titles, (_SIDE, _TOP, _SIDE, _BOTTOM), row_gap
        ).placed()
    # The layout runs downwards with width and height exchanged, and is then rotated.
    turned = {id_: (height, width) for id_, (width, height) in sizes.items()}
    pads = (_TOP, _SIDE, _BOTTOM, _SIDE)
    found = _Frames(turned, edges, inside, titles, pads, row_gap, is_turned=True).placed()
    return Framed(
        {id_: (x, y) for id_, (y, x) in found.centers.items()},
        [[(x, y) for y, x in route] for route in found.routes],
        [(x, y) for y, x in found.labels],
        found.bows,
        {id_: (x, y, w, h) for id_, (y, x, h, w) in found.boxes.items()},
        found.height,
        found.width,
    )


@dataclass(frozen=True)
class _Gate:
    """The point where an edge crosses the border of a frame, on its path to or from `inner`."""

    number: int
    inner: str
    is_way_out: bool

    @property
    def id(self) -> str:
        return f"gate {self.number} {self.is_way_out}"  # ids of nodes contain no space

    @property
    def edge(self) -> tuple[str, str]:
        return (self.inner, self.id) if self.is_way_out else (self.id, self.inner)


class _Frames:
    """All frames of a picture; the outermost frame, around everything, has an empty name."""

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
        self._cards = sizes
        self._sizes = dict(sizes)
        self._numbers: dict[str, list[int]] = defaultdict(list)
        self._ends: dict[int, tuple[str, str]] = {}
        self._gates: dict[str, list[_Gate]] = defaultdict(list)
        for number, (tail, head) in enumerate(edges):
            frame, ends = self._meeting(tail, head)
            self._numbers[frame].append(number)
            self._ends[number] = ends
            for inner, frame in self._crossed(tail, ends[0]):
                self._gates[frame].append(_Gate(number, inner, is_way_out=True))
            for inner, frame in self._crossed(head, ends[1]):
                self._gates[frame].append(_Gate(number, inner, is_way_out=False))
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
        """Return the frames around a node, from itself to the whole picture."""
        chain = [id_]
        while chain[-1]:
            chain.append(self._inside.get(chain[-1], ""))
        return chain

    def _meeting(self, tail: str, head: str) -> tuple[str, tuple[str, str]]:
        """Return the innermost frame that contains both ends, and for each end its box in that frame."""
        if tail == head:
            return self._inside.get(tail, ""), (tail, head)
        above, below = self._around(tail), self._around(head)
        frame = next(one for one in above if one in below and one not in (tail, head))
        return frame, (above[above.index(frame) - 1], below[below.index(frame) - 1])

    def _crossed(self, id_: str, outermost: str) -> list[tuple[str, str]]:
        """Return the frames between a node and the box in which an edge ends, each with its content, the innermost first."""
        around = self._around(id_)
        return list(pairwise(around[: around.index(outermost) + 1]))

    def _lay_out(self, frame: str, row_gap: float) -> Layout:
        gates = self._gates[frame]
        own = {id_: size for id_, size in self._sizes.items() if self._inside.get(id_, "") == frame}
        ends = [self._ends[number] for number in self._numbers[frame]]
        return lay_out(
            own | {gate.id: _GATE for gate in gates},
            [*ends, *(gate.edge for gate in gates)],
            row_gap=row_gap,
            first=[gate.id for gate in gates if not gate.is_way_out],
            last=[gate.id for gate in gates if gate.is_way_out],
        )

    def placed(self) -> Framed:
        """Return all parts together, with their positions in the whole picture."""
        centers: dict[str, Point] = {}
        boxes: dict[str, Box] = {}
        routes: dict[int, list[Point]] = {}
        bows = set[int]()
        # From the outermost frame to the innermost.
        ways: dict[tuple[int, bool], list[list[Point]]] = defaultdict(list)
        waiting = [("", (0.0, 0.0))]
        while waiting:
            frame, (dx, dy) = waiting.pop()
            layout = self._layouts[frame]
            for id_, (x, y) in layout.centers.items():
                centers[id_] = (x + dx, y + dy)
                if id_ in self._layouts:
                    width, height = self._sizes[id_]
                    left, top = x + dx - width / 2, y + dy - height / 2
                    boxes[id_] = (left, top, width, height)
                    spare = width - self._layouts[id_].width - self._pads[0] - self._pads[2]
                    waiting.append((id_, (left + self._pads[0] + spare / 2, top + self._pads[1])))
            own, gates = self._numbers[frame], self._gates[frame]
            moved = [[(x + dx, y + dy) for x, y in route] for route in layout.routes]
            routes.update(zip(own, moved, strict=False))
            bows.update(own[position] for position in layout.bows)
            for gate, route in zip(gates, moved[len(own) :], strict=True):
                ways[gate.number, gate.is_way_out].append(route)
        labels = {number: self._joined(number, routes, ways, bows) for number in routes}
        whole = self._layouts[""]
        numbers = range(len(self._edges))
        return Framed(
            {id_: location for id_, location in centers.items() if id_ in self._cards},
            [routes[number] for number in numbers],
            [labels[number] for number in numbers],
            frozenset(bows),
            boxes,
            whole.width,
            whole.height,
        )

    def _joined(
        self,
        number: int,
        routes: Mapping[int, list[Point]],
        ways: Mapping[tuple[int, bool], list[list[Point]]],
        bows: set[int],
    ) -> Point:
        """Join the pieces of an edge, whose label already has a position."""
        route = routes[number]
        out, into = ways.get((number, True), []), ways.get((number, False), [])
        is_bow = number in bows
        for outer, inner in pairwise([route, *out]):
            if not (is_bow and outer is route):
                outer[:2] = [(inner[-1][0], y) for _, y in outer[:2]]
        for outer, inner in pairwise([route, *into]):
            if not (is_bow and outer is route):
                outer[-2:] = [(inner[0][0], y) for _, y in outer[-2:]]
        label = _middle(*(route[-3:-1] if len(route) > 2 else route))
        route[:0] = [point for way in reversed(out) for point in way]
        route += [point for way in into for point in way]
        return label


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2

"""The positions of cards in columns and rows, for any diagram.

The longest chain of values from an input to the target is a straight line, the backbone. Other cards are in rows below it, each
chain in one row. A link that passes cards of its own row is an arc above them. Vertical parts of links are in the gaps between
columns, each on its own track, so no link crosses a card.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from minitape.draw.diagram.model import Diagram, Flow, Frame, Link, StationKind
from minitape.draw.diagram.write.brush import TEXT, Point, width_of
from minitape.draw.diagram.write.faces import Face
from minitape.draw.diagram.write.places import (
    GRADIENT_LANE,
    VALUE_LANE,
    Box,
    Placed,
    Route,
)

_PORT = 58.0  # the space between two links that enter a card
_HALF_LANES = 40.0  # the space for a link above and below its middle
_GAP, _MOST_GAP = 58.0, 110.0
_JOIN_GAP = 46.0
_FIRST_TRACK, _TRACK = 42.0, 62.0
_ROW_GAP = 56.0
_ARC = 76.0
_ARC_PORT = 34.0  # the distance from the corner of a card
_FRAME_SIDE, _FRAME_STEP, _FRAME_TITLE = 12.0, 10.0, 22.0


@dataclass
class Plan:
    """The columns and rows of a diagram between two bounds; if a slide has two rows, each starts at the left.

    Attributes:
        spare: The remaining width; negative if the cards do not fit.
        height: The height of all rows.
    """

    diagram: Diagram
    faces: Mapping[str, Face]
    left: float
    right: float
    is_half: bool = False
    column: dict[str, int] = field(default_factory=dict)
    row: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stations = {each.id: each for each in self.diagram.stations}
        self.links = [
            each
            for each in self.diagram.links
            if each.tail in self.stations and each.head in self.stations and each.tail != each.head
        ]
        self.loops = [each for each in self.diagram.links if each.tail == each.head]
        self.tails: dict[str, list[Link]] = defaultdict(list)
        self.heads: dict[str, list[Link]] = defaultdict(list)
        for link in self.links:
            self.heads[link.tail].append(link)
            self.tails[link.head].append(link)
        self._assign_columns()
        self._assign_rows()

    # --- columns and rows ---

    def _order(self) -> list[str]:
        """Return the stations so that each comes after the stations that pass it a value."""
        order: list[str] = []
        missing = {id_: len({link.tail for link in self.tails[id_]}) for id_ in self.stations}
        ready = [id_ for id_, count in missing.items() if not count]
        while ready:
            id_ = ready.pop(0)
            order.append(id_)
            for head in dict.fromkeys(link.head for link in self.heads[id_]):
                missing[head] -= 1
                if not missing[head]:
                    ready.append(head)
        return order

    def _assign_columns(self) -> None:
        order = self._order()
        for id_ in order:
            before = [self.column[link.tail] for link in self.tails[id_]]
            self.column[id_] = 1 + max(before, default=-1)
        # A card without inputs comes directly before its first user.
        for id_ in reversed(order):
            after = [self.column[link.head] for link in self.heads[id_]]
            if not self.tails[id_] and after:
                self.column[id_] = min(after) - 1
        first = min(self.column.values(), default=0)
        self.column = {id_: at - first for id_, at in self.column.items()}

    def _backbone(self) -> list[str]:
        """Return the longest chain to the target; a link with a gradient counts more than a link without one."""
        best: dict[str, tuple[float, list[str]]] = {}
        for id_ in self._order():
            chains = [
                (best[link.tail][0] + self._weight(link), best[link.tail][1])
                for link in self.tails[id_]
            ]
            length, chain = max(chains, key=lambda each: each[0], default=(0.0, []))
            best[id_] = (length, [*chain, id_])
        ends = [id_ for id_, each in self.stations.items() if each.kind is StationKind.TARGET]
        ends = ends or list(self.stations)[-1:]
        return max((best[id_] for id_ in ends), key=lambda each: each[0])[1] if ends else []

    def _weight(self, link: Link) -> float:
        is_input = self.stations[link.tail].kind is StationKind.INPUT
        is_empty = link.flow in (Flow.NOT_NEEDED, Flow.STOPPED)
        return 1.0 if not is_empty else 0.6 if is_input else 0.3

    def _assign_rows(self) -> None:
        backbone = self._backbone()
        self.row = dict.fromkeys(backbone, 0)
        taken: dict[int, set[int]] = defaultdict(set)
        for id_ in self._order():
            if id_ in self.row:
                continue
            chain = [id_]
            while True:
                following = [
                    link.head
                    for link in self.heads[chain[-1]]
                    if link.head not in self.row
                    and len({t.tail for t in self.tails[link.head]}) == 1
                ]
                # A link to another row would pass through the rest of the chain.
                if len(following) != 1 or len({link.head for link in self.heads[chain[-1]]}) > 1:
                    break
                chain.append(following[0])
            columns = self._span(chain)
            row = 1
            while taken[row] & columns:
                row += 1
            taken[row] |= columns
            self.row |= dict.fromkeys(chain, row)

    def _span(self, chain: Sequence[str]) -> set[int]:
        """Return where a chain and the horizontal parts of its links need space: columns as even numbers, gaps as odd numbers."""
        before = [2 * self.column[link.tail] + 1 for link in self.tails[chain[0]]]
        after = [2 * self.column[link.head] - 1 for link in self.heads[chain[-1]]]
        first = min([2 * self.column[chain[0]], *before])
        last = max([2 * self.column[chain[-1]], *after])
        return set(range(first, last + 1))

    # --- positions ---

    def measure(self) -> None:
        """Compute the space that everything needs."""
        count = 1 + max(self.column.values(), default=0)
        self._arcs = self._all_arcs()
        self._ports = self._all_ports(self._arcs)
        self._make_space_for(self._ports, self._arcs)
        widths = [0.0] * count
        for id_, at in self.column.items():
            widths[at] = max(widths[at], self.faces[id_].width)
        self._leaving, self._arriving = self._tracks(self._arcs)
        gaps = [
            self._gap(at, len(self._leaving[at]) + len(self._arriving[at]))
            for at in range(count - 1)
        ]
        width = self.right - self.left
        self.spare = width - sum(widths) - sum(gaps)
        if gaps and self.spare > 0:
            wider = min(self.spare / len(gaps), _MOST_GAP - _GAP)
            gaps = [gap + wider for gap in gaps]
        used = sum(widths) + sum(gaps)
        starts = [self.left + (0.0 if self.is_half else max(0.0, (width - used) / 2))]
        for at in range(count - 1):
            starts.append(starts[-1] + widths[at] + gaps[at])
        self._edges = [(start, start + width) for start, width in zip(starts, widths, strict=True)]
        self._middles, self.height = self._all_middles(self._arcs)

    def placed_at(self, top: float) -> Placed:
        boxes = {}
        for id_, at in self.column.items():
            face, (start, end) = self.faces[id_], self._edges[at]
            y = top + self._middles[self.row[id_]] - face.height / 2
            boxes[id_] = Box((start + end - face.width) / 2, y, face.width, face.height)
        return Placed(boxes, dict(self.faces), self._routes(boxes), frames=[*self._frames(boxes)])

    def end_of(self, id_: str, placed: Placed) -> tuple[Point, Point]:
        """Return where the value leaves a card on its right, and where the gradient arrives there."""
        box = placed.boxes[id_]
        return (box.right, box.middle + VALUE_LANE), (box.right, box.middle + GRADIENT_LANE)

    def start_of(self, id_: str, placed: Placed) -> tuple[Point, Point]:
        """Return where the value enters a card on its left, and where the gradient leaves."""
        box = placed.boxes[id_]
        return (box.x, box.middle + VALUE_LANE), (box.x, box.middle + GRADIENT_LANE)

    def _frames(self, boxes: Mapping[str, Box]) -> Iterator[tuple[Frame, Box]]:
        """Yield the frames that enclose no other cards, with their positions."""
        for frame in self.diagram.frames:
            inside = [boxes[id_] for id_ in frame.stations]
            tall = [self.faces[id_].drawer_height for id_ in frame.stations]
            side = _FRAME_SIDE + _FRAME_STEP * frame.depth
            left, top = min(b.x for b in inside) - side, min(b.y for b in inside) - side
            right = max(b.right for b in inside) + side
            bottom = max(b.y + b.height + d for b, d in zip(inside, tall, strict=True))
            bottom += _FRAME_TITLE * (frame.depth + 1)
            others = [box for id_, box in boxes.items() if id_ not in frame.stations]
            if not any(
                left < o.right and o.x < right and top < o.y + o.height and o.y < bottom
                for o in others
            ):
                yield frame, Box(left, top, right - left, bottom - top)

    def _make_space_for(self, ports: Mapping[Link, float], arcs: Mapping[Link, int]) -> None:
        """Make cards large enough for the links that enter them, and for the arcs that enter and leave at the top."""
        for link in arcs:
            for id_ in (link.tail, link.head):
                if not self._is_join(id_):
                    ends = self._ends_of_arcs(id_, arcs)
                    self.faces[id_].widen((0.6 + 1.8 * ends) * _ARC_PORT)
        for frame in self.diagram.frames:
            for id_ in frame.stations[:1]:
                # The title of a frame is at most as wide as its first card.
                text = width_of(frame.title, TEXT, is_bold=True)
                self.faces[id_].widen(text + 2)
        for link in self.loops:
            if link in arcs:
                text = width_of(link.text, TEXT, is_bold=True)
                self.faces[link.tail].widen(text + 2 * _ARC_PORT)
        for link, port in ports.items():
            face = self.faces[link.head]
            if not self._is_join(link.head):
                face.height = max(face.height, 2 * (abs(port) + _HALF_LANES))

    def _ends_of_arcs(self, id_: str, arcs: Mapping[Link, int]) -> int:
        """Return at how many corners of a card arcs begin or end."""
        return any(link.tail == id_ for link in arcs) + any(link.head == id_ for link in arcs)

    def _gap(self, at: int, tracks: int) -> float:
        ids = [id_ for id_, column in self.column.items() if column in (at, at + 1)]
        is_narrow = any(self._is_join(id_) for id_ in ids if self.row[id_] == 0)
        texts = [
            width_of(link.text, TEXT, is_bold=True) + 4
            for link in self.links
            if self.column[link.tail] == at
            and self.column[link.head] == at + 1
            and link.flow in (Flow.GRADIENT, Flow.ZERO)
        ]
        return max(_JOIN_GAP if is_narrow else _GAP, *texts, 0.0) + _TRACK * tracks

    def _is_between(self, link: Link) -> bool:
        """Whether a card is between the two ends of a link within one row."""
        low, high = self.column[link.tail], self.column[link.head]
        row = self.row[link.tail]
        return any(self.row[id_] == row and low < at < high for id_, at in self.column.items())

    def _all_arcs(self) -> dict[Link, int]:
        """Return the level of each link that passes above the cards of its row, from 1."""
        found = [
            link
            for link in self.links
            if self.row[link.tail] == self.row[link.head] and self._is_between(link)
        ]
        levels: dict[Link, int] = {}
        # The route of the states of a recurrent card is an arc above it, unless other arcs end there.
        ends = {id_ for link in found for id_ in (link.tail, link.head)}
        levels |= {link: 1 for link in self.loops if link.tail not in ends}
        for link in sorted(found, key=lambda each: self.column[each.head] - self.column[each.tail]):
            low, high = self.column[link.tail], self.column[link.head]
            below = [
                level
                for other, level in levels.items()
                if self.row[other.tail] == self.row[link.tail]
                and (
                    (self.column[other.tail] < high and low < self.column[other.head])
                    or low < self.column[other.tail] == self.column[other.head] < high
                )
            ]
            levels[link] = 1 + max(below, default=0)
        return levels

    def _tracks(
        self, arcs: Mapping[Link, int]
    ) -> tuple[dict[int, list[object]], dict[int, list[object]]]:
        """Return the turns after a column (of a value that goes up or down) and before the next column (of a link that
        arrives).
        """
        leaving: dict[int, list[object]] = defaultdict(list)
        arriving: dict[int, list[object]] = defaultdict(list)
        for link in self.links:
            tail, head = self.row[link.tail], self.row[link.head]
            is_arc = link in arcs
            if tail < head or (is_arc and self._is_join(link.tail)):
                way = self._way_out(link, arcs)
                if way not in leaving[self.column[link.tail]]:
                    leaving[self.column[link.tail]].append(way)
            if tail > head and not is_arc and not self._is_join(link.head):
                arriving[self.column[link.head] - 1].append(link)
        return leaving, arriving

    def _way_out(self, link: Link, arcs: Mapping[Link, int]) -> object:
        return link.tail, link in arcs

    def _is_join(self, id_: str) -> bool:
        return self.stations[id_].kind is StationKind.JOIN

    def _depth(self, id_: str) -> int:
        """Return the number of frames whose edges need space at a card."""
        return max((f.depth + 1 for f in self.diagram.frames if id_ in f.stations), default=0)

    def _side(self, id_: str) -> float:
        """Return how far the frames around a card reach above it."""
        depth = self._depth(id_)
        return _FRAME_SIDE + _FRAME_STEP * (depth - 1) if depth else 0.0

    def _all_middles(self, arcs: Mapping[Link, int]) -> tuple[list[float], float]:
        """Return the middle of each row, and the height of all rows."""
        count = 1 + max(self.row.values(), default=0)
        above, below, arc = [0.0] * count, [0.0] * count, [0.0] * count
        for id_, row in self.row.items():
            face = self.faces[id_]
            depth = self._depth(id_)
            above[row] = max(above[row], face.height / 2 + self._side(id_))
            tall = face.height / 2 + face.drawer_height + _FRAME_TITLE * depth
            below[row] = max(below[row], tall)
        for link, level in arcs.items():
            row = self.row[link.tail]
            arc[row] = max(arc[row], _ARC * level + 8)
        middles, y = [], 0.0
        for row in range(count):
            middles.append(y + arc[row] + above[row])
            y += arc[row] + above[row] + below[row] + _ROW_GAP
        return middles, y - _ROW_GAP

    # --- routes ---

    def _routes(self, boxes: Mapping[str, Box]) -> list[Route]:
        edges, arcs, ports = self._edges, self._arcs, self._ports
        leaving, arriving = self._leaving, self._arriving
        tops = self._tops(boxes)
        routes = []
        for link in arcs:
            if link.tail == link.head:
                box = boxes[link.tail]
                y = box.y - _ARC + 22
                right, at_left = box.right - _ARC_PORT, box.x + _ARC_PORT
                ends = [(right, box.y), (right, y), (at_left, y), (at_left, box.y)]
                routes.append(Route(link, tuple(ends), False))
        for link in self.links:
            tail, head = boxes[link.tail], boxes[link.head]
            at, before = self.column[link.tail], self.column[link.head] - 1
            start, end = (tail.right, tail.middle), (head.x, head.middle + ports.get(link, 0.0))
            out_x = edges[at][1] + self._track(self._way_out(link, arcs), leaving.get(at, ()))
            in_x = edges[before + 1][0] - self._track(link, arriving.get(before, ()))
            if link in arcs:
                y = tops[self.row[link.tail]] - _ARC * arcs[link] + 22
                points = [*self._up(link, tail, out_x, y), *self._down(link, head, y)]
            elif self.row[link.tail] == self.row[link.head]:
                routes.append(Route(link, (start, end), True))
                continue
            elif self.row[link.tail] < self.row[link.head] and self._is_join(link.head):
                y = head.y - _ROW_GAP / 2
                points = [
                    start,
                    (out_x, start[1]),
                    (out_x, y),
                    (head.center, y),
                    (head.center, head.y),
                ]
            elif self.row[link.tail] > self.row[link.head] and self._is_join(link.head):
                points = [start, (head.center, start[1]), (head.center, head.y + head.height)]
            else:
                turn = in_x if self.row[link.tail] > self.row[link.head] else out_x
                points = [start, (turn, start[1]), (turn, end[1]), end]
            routes.append(Route(link, tuple(points), False))
        return routes

    def _up(self, link: Link, tail: Box, out_x: float, y: float) -> list[Point]:
        """Return the route from a card up to an arc: from its top, or from the lane behind a sum."""
        if self._is_join(link.tail):
            return [(tail.right, tail.middle), (out_x, tail.middle), (out_x, y)]
        x = tail.right - _ARC_PORT
        return [(x, tail.y), (x, y)]

    def _down(self, link: Link, head: Box, y: float) -> list[Point]:
        x = head.center if self._is_join(link.head) else head.x + _ARC_PORT
        return [(x, y), (x, head.y)]

    def _tops(self, boxes: Mapping[str, Box]) -> dict[int, float]:
        tops: dict[int, float] = {}
        for id_, box in boxes.items():
            row = self.row[id_]
            top = box.y - self._side(id_)
            tops[row] = min(tops.get(row, top), top)
        return tops

    def _all_ports(self, arcs: Mapping[Link, int]) -> dict[Link, float]:
        """Return where each link enters a card, relative to its middle; links from above enter higher, links from below lower."""
        ports: dict[Link, float] = {}
        for id_ in self.stations:
            sides: dict[int, list[Link]] = defaultdict(list)
            for link in self.tails[id_]:
                below = self.row[link.tail] - self.row[id_]
                if link not in arcs:
                    sides[(below > 0) - (below < 0)].append(link)
            if not sides[0] and (sides[-1] or sides[1]):
                sides[0].append(sides[-1].pop() if sides[-1] else sides[1].pop(0))
            ports |= dict.fromkeys(sides[0], 0.0)
            for side, links in ((-1, sides[-1][::-1]), (1, sides[1])):
                ports |= {link: side * _PORT * (i + 1) for i, link in enumerate(links)}
        return ports

    def _track(self, way: object, ways: Sequence[object]) -> float:
        """Return the distance from a column to the point at which a link turns."""
        return _FIRST_TRACK + _TRACK * list(ways).index(way) if way in ways else 0.0

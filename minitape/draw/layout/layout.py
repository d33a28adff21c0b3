"""A layered layout, for when no layout program is installed: rows, the order in a row, coordinates.

    1  rows        each node in the row just above the first one that needs it
    2  bends       an edge across several rows gets a point in each row that it crosses
    3  order       each node moves to the mean position of its neighbors, row by row, up and down
    4  positions   as close to the neighbors as the order and the widths allow

The method of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures" (1981);
step 4 pools overlapping neighbors, as in isotonic regression.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

Point = tuple[float, float]

_SWEEPS = 8
_GAP = 26.0
ROW_GAP = 46.0
_BEND_WIDTH = 12.0
_PORT_GAP = 22.0
_LONGEST = 40
_SIDE_WEIGHT = 1e-6  # a larger weight would shift each row of a long chain


@dataclass(frozen=True)
class Layout:
    """The center of each node, and the points that each edge runs through.

    `bows` are the indices of the edges that run against the direction, which bend at a right angle at each point.
    """

    centers: Mapping[str, Point]
    routes: Sequence[Sequence[Point]]
    bows: frozenset[int]
    width: float
    height: float


def lay_out(
    sizes: Mapping[str, Point],
    edges: Sequence[tuple[str, str]],
    *,
    rankdir: str = "TB",
    row_gap: float = ROW_GAP,
    first: Collection[str] = (),
    last: Collection[str] = (),
) -> Layout:
    """Return positions for nodes of the given sizes.

    Args:
        sizes: The width and height of each node.
        edges: The pairs of nodes that are connected.
        rankdir: The direction of the edges: `TB` (down) or `LR` (to the right).
        row_gap: The space between two rows.
        first: Nodes in a separate row above all other nodes.
        last: Nodes in a row below all other nodes.
    """
    if rankdir == "LR":
        turned = _lay_out_down(
            {i: (h, w) for i, (w, h) in sizes.items()}, edges, row_gap, first, last
        )
        return Layout(
            {id_: (x, y) for id_, (y, x) in turned.centers.items()},
            [[(x, y) for y, x in route] for route in turned.routes],
            turned.bows,
            turned.height,
            turned.width,
        )
    return _lay_out_down(sizes, edges, row_gap, first, last)


def _lay_out_down(
    sizes: Mapping[str, Point],
    edges: Sequence[tuple[str, str]],
    row_gap: float,
    first: Collection[str],
    last: Collection[str],
) -> Layout:
    grid = _Grid(sizes, edges, row_gap, first, last)
    grid.sort()
    xs = grid.x_positions()
    left = min((x - grid.width(i) / 2 for i, x in xs.items()), default=0.0)
    xs = {id_: x - left for id_, x in xs.items()}
    tops = [0.0]
    for row in grid.rows:
        tops.append(tops[-1] + max(grid.height(id_) for id_ in row) + row_gap)
    middles = [(top + bottom - row_gap) / 2 for top, bottom in pairwise(tops)]
    centers = {id_: (xs[id_], middles[grid.row_of[id_]]) for id_ in sizes}
    routes = _routes(grid, xs, tops, centers)
    rights = [x + grid.width(id_) / 2 for id_, x in xs.items()]
    rights += [x for number in grid.bows for x, _ in routes[number]]
    return Layout(
        centers,
        routes,
        frozenset(grid.bows),
        max(rights, default=0.0),
        max(0.0, tops[-1] - row_gap),
    )


@dataclass
class _Grid:
    """Rows of ids; bends have generated ids."""

    sizes: Mapping[str, Point]
    edges: Sequence[tuple[str, str]]
    row_gap: float
    first: Collection[str]
    last: Collection[str]
    rows: list[list[str]] = field(default_factory=list)
    row_of: dict[str, int] = field(default_factory=dict)
    chains: list[list[str]] = field(default_factory=list)
    bows: set[int] = field(default_factory=set)
    above: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    below: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.row_of = self._rows()
        self.rows = [[] for _ in range(max(self.row_of.values(), default=-1) + 1)]
        for id_, row in self.row_of.items():
            self.rows[row].append(id_)
        for number, (tail, head) in enumerate(self.edges):
            if self.row_of[tail] < self.row_of[head]:
                self.chains.append(self._with_bends(number, tail, head))
            else:
                self.chains.append([tail, head])
                self.bows.add(number)

    def _rows(self) -> dict[str, int]:
        apart = {*self.first, *self.last}
        ids = [id_ for id_ in self.sizes if id_ not in apart]
        found = _rows(ids, [edge for edge in self.edges if apart.isdisjoint(edge)])
        found = {id_: row + bool(self.first) for id_, row in found.items()}
        lowest = max(found.values(), default=0)
        return found | dict.fromkeys(self.first, 0) | dict.fromkeys(self.last, lowest + 1)

    def _with_bends(self, number: int, tail: str, head: str) -> list[str]:
        first, last = self.row_of[tail], self.row_of[head]
        chain = [tail]
        # Longer edges pass behind the nodes between their ends, because thousands of bends in a row would take minutes.
        for row in range(first + 1, last if last - first <= _LONGEST else first):
            bend = f"bend {number} {row}"  # ids of nodes contain no space
            self.row_of[bend] = row
            self.rows[row].append(bend)
            chain.append(bend)
        chain.append(head)
        for upper, lower in pairwise(chain):
            self.below[upper].append(lower)
            self.above[lower].append(upper)
        return chain

    def width(self, id_: str) -> float:
        return self.sizes[id_][0] if id_ in self.sizes else _BEND_WIDTH

    def height(self, id_: str) -> float:
        return self.sizes[id_][1] if id_ in self.sizes else 0.0

    def sort(self) -> None:
        """Order each row so that few edges cross."""
        columns = {id_: column for row in self.rows for column, id_ in enumerate(row)}
        for sweep in range(_SWEEPS):
            is_down = sweep % 2 == 0
            neighbours = self.above if is_down else self.below
            for row in self.rows if is_down else reversed(self.rows):
                barycenters = {
                    i: _mean([columns[n] for n in neighbours[i]], columns[i]) for i in row
                }
                row.sort(key=barycenters.__getitem__)
                columns.update((id_, column) for column, id_ in enumerate(row))

    def x_positions(self) -> dict[str, float]:
        """Return the x coordinate of each center."""
        xs = {id_: x for row in self.rows for id_, x in self._spread(row, dict.fromkeys(row, 0.0))}
        leading = self._leading(self.above), self._leading(self.below)
        for sweep in range(_SWEEPS):
            is_down = sweep % 2 == 0
            neighbours = leading[sweep % 2]
            for row in self.rows if is_down else reversed(self.rows):
                barycenters = {i: _mean([xs[n] for n in neighbours[i]], xs[i]) for i in row}
                xs.update(self._spread(row, barycenters))
        return xs

    @cached_property
    def _sides(self) -> set[str]:
        """Return the nodes that are connected to only one other node, such as constants."""
        return {id_ for id_ in self.row_of if len(self.above[id_]) + len(self.below[id_]) == 1}

    def _leading(self, neighbours: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
        """Return for each node the nodes that it should be near, without the constants next to them, which would make a chain
        drift to the side.
        """
        return {
            id_: [n for n in some if n not in self._sides] or some
            for id_ in self.row_of
            for some in [neighbours[id_]]
        }

    def _spread(
        self, row: Sequence[str], barycenters: Mapping[str, float]
    ) -> list[tuple[str, float]]:
        """Return positions as close to the desired positions as the widths allow; overlapping nodes are pooled and shifted
        together.
        """
        offsets = [0.0]
        for left, right in pairwise(row):
            offsets.append(offsets[-1] + (self.width(left) + self.width(right)) / 2 + _GAP)
        pools: list[tuple[float, float, int]] = []
        for id_, offset in zip(row, offsets, strict=True):
            shift, weight, size = barycenters[id_] - offset, self._weight(id_), 1
            while pools and pools[-1][0] >= shift:
                other, heft, count = pools.pop()
                shift = (other * heft + shift * weight) / (heft + weight)
                weight, size = heft + weight, count + size
            pools.append((shift, weight, size))
        shifts = [shift for shift, _, size in pools for _ in range(size)]
        return [(id_, a + b) for id_, a, b in zip(row, offsets, shifts, strict=True)]

    def _weight(self, id_: str) -> float:
        """Return the weight with which a node keeps its position in its row."""
        return _SIDE_WEIGHT if id_ in self._sides else 1.0


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _rows(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the lowest possible row for each node, or the first row if it has no edge; edges that close a cycle are ignored."""
    order = _in_flow_order(ids, edges)
    rank = {id_: position for position, id_ in enumerate(order)}
    below: dict[str, list[str]] = defaultdict(list)
    for tail, head in edges:
        if rank[tail] < rank[head]:
            below[tail].append(head)
    height: dict[str, int] = {}
    for id_ in reversed(order):
        height[id_] = 1 + max((height[head] for head in below[id_]), default=-1)
    tallest = max(height.values(), default=0)
    joined = {end for edge in edges for end in edge}
    return {id_: tallest - height[id_] if id_ in joined else 0 for id_ in ids}


def _in_flow_order(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[str]:
    """Return the nodes in an order in which each node follows its inputs; in a cycle, the first node in the given order comes
    first.
    """
    needs = dict.fromkeys(ids, 0)
    following: dict[str, list[str]] = defaultdict(list)
    for tail, head in edges:
        needs[head] += 1
        following[tail].append(head)
    ready = [id_ for id_ in ids if not needs[id_]]
    order: list[str] = []
    done = set[str]()
    for spare in [*ids, None]:
        while ready:
            id_ = ready.pop()
            if id_ in done:
                continue
            done.add(id_)
            order.append(id_)
            for head in following[id_]:
                needs[head] -= 1
                if not needs[head]:
                    ready.append(head)
        if spare is not None and spare not in done:
            ready.append(spare)
    return order


def _routes(
    grid: _Grid, xs: Mapping[str, float], tops: Sequence[float], centers: Mapping[str, Point]
) -> list[list[Point]]:
    """Return the points of each edge: down to the end of the tail's row, through its bends, into the head."""
    leaving = _ports(grid, xs, [(chain[0], chain[1]) for chain in grid.chains])
    arriving = _ports(grid, xs, [(chain[-1], chain[-2]) for chain in grid.chains])
    routes = []
    for number, (first, *bends, last) in enumerate(grid.chains):
        if number in grid.bows:
            routes.append(_bow(grid, tops, centers, first, last))
            continue
        start, end = leaving[number], arriving[number]
        route = [(start, centers[first][1] + grid.height(first) / 2)]
        route.append((start, tops[grid.row_of[first] + 1] - grid.row_gap))
        for bend in bends:
            row = grid.row_of[bend]
            route += [(xs[bend], tops[row]), (xs[bend], tops[row + 1] - grid.row_gap)]
        route.append((end, tops[grid.row_of[last]]))
        route.append((end, centers[last][1] - grid.height(last) / 2))
        routes.append(route)
    return routes


def _bow(
    grid: _Grid, tops: Sequence[float], centers: Mapping[str, Point], tail: str, head: str
) -> list[Point]:
    """Return the route of an edge against the direction. It leaves the tail at the bottom, runs up beside all nodes between, and
    enters the head from above.
    """
    (tail_x, tail_y), (head_x, head_y) = centers[tail], centers[head]
    start, end = tail_x + grid.width(tail) / 2 - _GAP / 2, head_x + grid.width(head) / 2 - _GAP / 2
    first, last = grid.row_of[head], grid.row_of[tail]
    rows = (id_ for row in grid.rows[first : last + 1] for id_ in row if id_ in centers)
    aside = max(centers[id_][0] + grid.width(id_) / 2 for id_ in rows) + _GAP
    above, below = tops[first] - _GAP / 2, tops[last + 1] - grid.row_gap + _GAP / 2
    return [
        (start, tail_y + grid.height(tail) / 2),
        (start, below),
        (aside, below),
        (aside, above),
        (end, above),
        (end, head_y - grid.height(head) / 2),
    ]


def _ports(
    grid: _Grid, xs: Mapping[str, float], ends: Sequence[tuple[str, str]]
) -> dict[int, float]:
    """Return where each edge ends on the side of its node, ordered by the start of the edges, so that they do not cross."""
    at: dict[str, list[int]] = defaultdict(list)
    for number, (id_, _) in enumerate(ends):
        if number not in grid.bows:
            at[id_].append(number)
    ports = {}
    for id_, numbers in at.items():
        gap = min(_PORT_GAP, grid.width(id_) / (len(numbers) + 1))
        for column, number in enumerate(sorted(numbers, key=lambda n: xs[ends[n][1]])):
            ports[number] = xs[id_] + (column - (len(numbers) - 1) / 2) * gap
    return ports

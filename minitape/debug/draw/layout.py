"""A layered layout, for when there is no layout program: which row, which place in the row, which coordinates.

    1  rows        each node in the row just above the first one that needs it
    2  bends       an edge across several rows gets a point in each row that it crosses
    3  order       each node goes to the mean place of its neighbours, row by row, up and down
    4  positions   as near to the neighbours as the order and the widths allow

The method of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures" (1981);
step 4 pools neighbours that push against each other, as isotonic regression does.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Point = tuple[float, float]

_SWEEPS = 8
_GAP = 26.0
_ROW_GAP = 46.0
_BEND_WIDTH = 12.0
_PORT_GAP = 22.0
_LONGEST = 40


@dataclass(frozen=True)
class Layout:
    """Where the centre of each node is, and through which points each edge runs."""

    centres: Mapping[str, Point]
    routes: Sequence[Sequence[Point]]
    width: float
    height: float


def lay_out(
    sizes: Mapping[str, Point], edges: Sequence[tuple[str, str]], *, rankdir: str = "TB"
) -> Layout:
    """Places for nodes of these sizes, so that edges run downwards (`TB`) or to the right (`LR`)."""
    if rankdir == "LR":
        flipped = _lay_out_down({i: (h, w) for i, (w, h) in sizes.items()}, edges)
        return Layout(
            {id_: (x, y) for id_, (y, x) in flipped.centres.items()},
            [[(x, y) for y, x in route] for route in flipped.routes],
            flipped.height,
            flipped.width,
        )
    return _lay_out_down(sizes, edges)


def _lay_out_down(sizes: Mapping[str, Point], edges: Sequence[tuple[str, str]]) -> Layout:
    grid = _Grid(sizes, edges)
    grid.sort()
    xs = grid.place()
    tops = [0.0]
    for row in grid.rows:
        tops.append(tops[-1] + max(grid.height(id_) for id_ in row) + _ROW_GAP)
    middles = [(top + bottom - _ROW_GAP) / 2 for top, bottom in pairwise(tops)]
    left = min((x - grid.width(i) / 2 for i, x in xs.items()), default=0.0)
    right = max((x + grid.width(i) / 2 for i, x in xs.items()), default=0.0)
    centres = {id_: (xs[id_] - left, middles[grid.row_of[id_]]) for id_ in sizes}
    routes = _routes(grid, {id_: x - left for id_, x in xs.items()}, tops, centres)
    return Layout(centres, routes, right - left, max(0.0, tops[-1] - _ROW_GAP))


@dataclass
class _Grid:
    """Rows of ids; the ids of bends are made up."""

    sizes: Mapping[str, Point]
    edges: Sequence[tuple[str, str]]
    rows: list[list[str]] = field(default_factory=list)
    row_of: dict[str, int] = field(default_factory=dict)
    chains: list[list[str]] = field(default_factory=list)
    above: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    below: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.row_of = _rows(list(self.sizes), self.edges)
        self.rows = [[] for _ in range(max(self.row_of.values(), default=-1) + 1)]
        for id_, row in self.row_of.items():
            self.rows[row].append(id_)
        for number, (tail, head) in enumerate(self.edges):
            self.chains.append(self._with_bends(number, tail, head))

    def _with_bends(self, number: int, tail: str, head: str) -> list[str]:
        first, last = self.row_of[tail], self.row_of[head]
        chain = [tail]
        # A longer edge passes behind what is between: with a bend in each row, thousands of them would take minutes.
        for row in range(first + 1, last if last - first <= _LONGEST else first):
            bend = f"bend {number} {row}"  # no id has a blank in it
            self.row_of[bend] = row
            self.rows[row].append(bend)
            chain.append(bend)
        chain.append(head)
        if first < last:  # an edge that closes a circle pulls at nobody
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
        places = {id_: place for row in self.rows for place, id_ in enumerate(row)}
        for sweep in range(_SWEEPS):
            is_down = sweep % 2 == 0
            neighbours = self.above if is_down else self.below
            for row in self.rows if is_down else reversed(self.rows):
                wishes = {i: _mean([places[n] for n in neighbours[i]], places[i]) for i in row}
                row.sort(key=wishes.__getitem__)
                places.update((id_, place) for place, id_ in enumerate(row))

    def place(self) -> dict[str, float]:
        """The x of each centre."""
        xs = {id_: x for row in self.rows for id_, x in self._spread(row, dict.fromkeys(row, 0.0))}
        for sweep in range(_SWEEPS):
            is_down = sweep % 2 == 0
            neighbours = self.above if is_down else self.below
            for row in self.rows if is_down else reversed(self.rows):
                wishes = {i: _mean([xs[n] for n in neighbours[i]], xs[i]) for i in row}
                xs.update(self._spread(row, wishes))
        return xs

    def _spread(self, row: Sequence[str], wishes: Mapping[str, float]) -> list[tuple[str, float]]:
        """As near to the wishes as widths allow: what would overlap is pooled and shares its shift."""
        offsets = [0.0]
        for left, right in pairwise(row):
            offsets.append(offsets[-1] + (self.width(left) + self.width(right)) / 2 + _GAP)
        pools: list[tuple[float, int]] = []
        for id_, offset in zip(row, offsets, strict=True):
            shift, size = wishes[id_] - offset, 1
            while pools and pools[-1][0] >= shift:
                other, count = pools.pop()
                shift, size = (other * count + shift * size) / (count + size), count + size
            pools.append((shift, size))
        shifts = [shift for shift, size in pools for _ in range(size)]
        return [(id_, a + b) for id_, a, b in zip(row, offsets, shifts, strict=True)]


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _rows(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The lowest row possible for each node; edges that close a circle are not asked."""
    order = _in_flow_order(ids, edges)
    rank = {id_: place for place, id_ in enumerate(order)}
    below: dict[str, list[str]] = defaultdict(list)
    for tail, head in edges:
        if rank[tail] < rank[head]:
            below[tail].append(head)
    height: dict[str, int] = {}
    for id_ in reversed(order):
        height[id_] = 1 + max((height[head] for head in below[id_]), default=-1)
    tallest = max(height.values(), default=0)
    return {id_: tallest - height[id_] for id_ in ids}


def _in_flow_order(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[str]:
    """Every node after those it needs; where a circle forbids that, the first of the given order goes first."""
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
    grid: _Grid, xs: Mapping[str, float], tops: Sequence[float], centres: Mapping[str, Point]
) -> list[list[Point]]:
    """The points of each edge: out of the tail, down to the end of its row, through its bends, into the head."""
    leaving = _ports(grid, xs, [chain[0] for chain in grid.chains], [c[1] for c in grid.chains])
    arriving = _ports(grid, xs, [chain[-1] for chain in grid.chains], [c[-2] for c in grid.chains])
    routes = []
    for chain, start, end in zip(grid.chains, leaving, arriving, strict=True):
        (tail_x, tail_y), (head_x, head_y) = centres[chain[0]], centres[chain[-1]]
        if grid.row_of[chain[0]] >= grid.row_of[chain[-1]]:
            side = grid.width(chain[0]) / 2, grid.width(chain[-1]) / 2
            routes.append([(tail_x - side[0], tail_y), (head_x - side[1], head_y)])
            continue
        route = [(start, tail_y + grid.height(chain[0]) / 2)]
        route.append((start, tops[grid.row_of[chain[0]] + 1] - _ROW_GAP))
        for bend in chain[1:-1]:
            row = grid.row_of[bend]
            route += [(xs[bend], tops[row]), (xs[bend], tops[row + 1] - _ROW_GAP)]
        route += [(end, tops[grid.row_of[chain[-1]]]), (end, head_y - grid.height(chain[-1]) / 2)]
        routes.append(route)
    return routes


def _ports(
    grid: _Grid, xs: Mapping[str, float], ends: Sequence[str], others: Sequence[str]
) -> list[float]:
    """Where along its card each edge begins or ends: in the order of where it goes, so that none cross."""
    at: dict[str, list[int]] = defaultdict(list)
    for number, id_ in enumerate(ends):
        at[id_].append(number)
    ports = [0.0] * len(ends)
    for id_, numbers in at.items():
        gap = min(_PORT_GAP, grid.width(id_) / (len(numbers) + 1))
        for place, number in enumerate(sorted(numbers, key=lambda n: xs[others[n]])):
            ports[number] = xs[id_] + (place - (len(numbers) - 1) / 2) * gap
    return ports

"""The result of a layout: the positions of the cards of a slide and the routes of its links, in points of a slide."""

from dataclasses import dataclass, field
from typing import NamedTuple

from minitape.draw.diagram.model import Frame, Link
from minitape.draw.diagram.write.brush import Point, beside
from minitape.draw.diagram.write.faces import Face

WIDTH, HEIGHT = 1600.0, 900.0
LEFT, TOP, BOTTOM = 40.0, 116.0, 824.0
VALUE_LANE, GRADIENT_LANE = -15.0, 17.0  # relative to the middle of a row
STEPS = 250.0  # the height of the states over the steps of a recurrent card
LANES = 44.0  # the space for the lanes of a link on each side of its middle


@dataclass(frozen=True)
class Box:
    """The position of a card, without its drawer and without the image above it."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    @property
    def center(self) -> float:
        return self.x + self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width


class Ends(NamedTuple):
    """The norms with which a band begins and ends, at its tail and at its head."""

    tail: float | None
    head: float | None


@dataclass(frozen=True)
class Route:
    """The route of a link: the points of its middle line, from tail to head.

    With `lanes`, the value and the gradient have separate routes. With `river`, the gradient is a part of the river below the
    cards.
    """

    link: Link
    points: tuple[Point, ...]
    is_straight: bool
    lanes: tuple[tuple[Point, ...], tuple[Point, ...]] | None = None
    river: Ends | None = None

    @property
    def values(self) -> list[Point]:
        """The route of the value, from tail to head."""
        return [*self.lanes[0]] if self.lanes else beside(self.points, VALUE_LANE)

    @property
    def gradients(self) -> list[Point]:
        """The route of the gradient, also from tail to head."""
        return [*self.lanes[1]] if self.lanes else beside(self.points, GRADIENT_LANE)


class Drop(NamedTuple):
    """The route from the river up to the drawer of a card: its center, its start and its end."""

    station: str
    x: float
    start: float
    end: float


@dataclass
class Placed:
    """The positions of the cards of one row of a slide, or of all rows."""

    boxes: dict[str, Box] = field(default_factory=dict)
    faces: dict[str, Face] = field(default_factory=dict)
    routes: list[Route] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)
    frames: list[tuple[Frame, Box]] = field(default_factory=list)

    def add(self, other: "Placed") -> None:
        self.boxes |= other.boxes
        self.faces |= other.faces
        self.routes += other.routes
        self.drops += other.drops
        self.frames += other.frames


@dataclass
class Layout(Placed):
    """The positions of all elements, to be enlarged by `scale`. `is_fitting` is whether they fit on the slide; `axis` and
    `steps` are the tops of the parts below the cards; `river` is the factor by which bands are wider in the river.
    """

    is_fitting: bool = True
    scale: float = 1.0
    axis: float | None = None
    steps: float | None = None
    river: float = 1.0

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The left, the top, the right and the bottom of all cards, links and frames, not enlarged."""
        boxes = [(box, self.faces[id_]) for id_, box in self.boxes.items()]
        frames = [box for _, box in self.frames]
        ways = [point for route in self.routes for point in (*route.values, *route.gradients)]
        return (
            min([box.x for box, _ in boxes] + [x for x, _ in ways] + [box.x for box in frames]),
            min(
                [box.y - face.above for box, face in boxes]
                + [y - LANES / 2 for _, y in ways]
                + [box.y for box in frames]
            ),
            max([box.right for box, _ in boxes] + [x for x, _ in ways] + [b.right for b in frames]),
            max(
                [box.y + face.total_height for box, face in boxes]
                + [y + LANES / 2 for _, y in ways]
                + [box.y + box.height for box in frames]
            ),
        )

"""The positions of cards in a plain chain, with values as large images above the cards and a river of gradients below them.

At each card, the river has the width of the gradient; from there, a band leads up to the drawer of each card with parameters.

    is_river    whether the cards of a diagram are a plain chain
    River       the positions of its cards
"""

from dataclasses import replace

from msgspec import structs

from minitape.draw.diagram.model import Diagram, Flow, Link, Pixels, Station, StationKind
from minitape.draw.diagram.write.brush import TEXT, WIDEST, Point
from minitape.draw.diagram.write.faces import (
    Detail,
    Face,
    Image,
    Words,
    face_of,
    width_needed,
)
from minitape.draw.diagram.write.places import (
    VALUE_LANE,
    Box,
    Drop,
    Ends,
    Placed,
    Route,
)

ALONE = 2.0  # the factor by which bands are wider in the river of a slide with one row
_GAP, _MOST_GAP = 24.0, 44.0
_WIDEST_CARD = 232.0
_VALUES = 30.0  # the distance from the top of a card to the lane of its value
_STALK = 12.0  # the space between a card and the image above it
_DROP = 30.0  # the distance from the lowest drawer to the river
_NUMBERS = 24.0  # the space below the river
_MOST_BAR = 40.0
_MOST_CELL = 22.0
_FEWEST = 3
_LEAST_WITH_CAPTION = 100.0


def is_river(diagram: Diagram) -> bool:
    """Return whether the cards of a diagram are a plain chain, which is drawn as a river."""
    tails, heads = [each.tail for each in diagram.links], [each.head for each in diagram.links]
    return (
        len(diagram.stations) >= _FEWEST
        and len(diagram.links) == len(diagram.stations) - 1
        and len({*tails}) == len(tails)
        and len({*heads}) == len(heads)
        and not diagram.frames
        and not any(tail == head for tail, head in zip(tails, heads, strict=True))
        and not any(station.branches for station in diagram.stations)
        and all(station.kind is not StationKind.JOIN for station in diagram.stations)
    )


class River:
    """The positions of a chain between two bounds.

    Attributes:
        spare: The width that is left; negative if the cards do not fit.
        height: The height from the tops of the images to the numbers below the river.
        map_cell: The size of an element of a feature map.
    """

    def __init__(
        self, diagram: Diagram, detail: Detail, left: float, right: float, *, is_half: bool
    ) -> None:
        self._detail, self._left, self._right, self._is_half = detail, left, right, is_half
        self._captions = detail.image >= _LEAST_WITH_CAPTION
        self._links = {link.tail: link for link in diagram.links}
        self._chain = self._ordered(diagram)

    def _ordered(self, diagram: Diagram) -> list[Station]:
        stations = {each.id: each for each in diagram.stations}
        (first,) = stations.keys() - {link.head for link in diagram.links}
        chain = [first]
        while chain[-1] in self._links:
            chain.append(self._links[chain[-1]].head)
        # The seed is written below the river, and the numbers of ops would only make all cards of the chain higher.
        return [structs.replace(stations[id_], ops=0, text="") for id_ in chain]

    def measure(self) -> None:
        """Find out how much space everything needs."""
        without = replace(self._detail, image=0.0)
        widths = [width_needed(each, without) for each in self._chain]
        gaps = len(widths) - 1
        width = self._right - self._left
        self.spare = width - sum(widths) - gaps * _GAP
        # The narrowest cards are widened first, until all cards are equal.
        level = min(_WIDEST_CARD, max(0.0, _level(widths, width - gaps * _GAP)))
        widths = [max(each, level) for each in widths]
        gap = min(_MOST_GAP, max(_GAP, (width - sum(widths)) / max(1, gaps)))
        self.faces = {
            each.id: face_of(each, without, wide)
            for each, wide in zip(self._chain, widths, strict=True)
        }
        rest = max(0.0, width - sum(widths) - gaps * gap)
        x = self._left + (0.0 if self._is_half else rest / 2)
        self._xs = []
        for wide in widths:
            self._xs.append(x)
            x += wide + gap
        maps = [(each.pixels, self.faces[each.id].width) for each in self._chain if each.pixels]
        self.map_cell = min(
            [self._detail.map_cell, *(self._cell(p, wide) for p, wide in maps if p.is_map)]
        )
        self._detail = replace(self._detail, map_cell=self.map_cell)
        tall = max(face.height for face in self.faces.values())
        self._above = 0.0
        for each in self._chain:
            face = self.faces[each.id]
            face.height = tall
            if self._detail.image and each.pixels is not None:
                self._above = max(self._above, self._height_of(each.pixels, face.width) + _STALK)
        drawers = max(face.drawer_height for face in self.faces.values())
        self._half = WIDEST * (1.0 if self._is_half else ALONE) / 2
        self.height = self._above + tall + drawers + _DROP + 2 * self._half + _NUMBERS

    def _cell(self, pixels: Pixels, width: float) -> float:
        columns = len(pixels.cells[0])
        if pixels.is_bars:
            return min(14.0, width / columns)
        most = self._detail.map_cell if pixels.is_map else _MOST_CELL
        return min(most, self._detail.image / len(pixels.cells), width / columns)

    def _bar(self) -> float:
        return min(_MOST_BAR, self._detail.image / 4)

    def _height_of(self, pixels: Pixels, width: float) -> float:
        caption = TEXT + 6 if pixels.caption and self._captions else 0
        if pixels.is_bars:
            return 2 * self._bar() + caption
        return self._cell(pixels, width) * len(pixels.cells) + caption

    def placed_at(self, top: float) -> Placed:
        card_top = top + self._above
        placed = Placed(faces=self.faces)
        for each, x in zip(self._chain, self._xs, strict=True):
            face = self.faces[each.id]
            placed.boxes[each.id] = Box(x, card_top, face.width, face.height)
            if self._detail.image and each.pixels is not None:
                self._hang(each.pixels, face)
        drawers = max(face.total_height for face in self.faces.values())
        self._river = card_top + drawers + _DROP + self._half
        self._lane = card_top + _VALUES
        for each in self._chain:
            if each.id in self._links:
                placed.routes.append(self._route(self._links[each.id], placed))
            if any(parameter.flow is not Flow.NOT_NEEDED for parameter in each.parameters):
                box = placed.boxes[each.id]
                bottom = box.y + self.faces[each.id].total_height
                placed.drops.append(Drop(each.id, box.center, self._river, bottom + 2))
        return placed

    def _hang(self, pixels: Pixels, face: Face) -> None:
        """Place an image above a card, in the middle of the available space."""
        height = self._height_of(pixels, face.width)
        cell = self._cell(pixels, face.width)
        left = (face.width - cell * len(pixels.cells[0])) / 2
        top = -_STALK - (self._above - _STALK + height) / 2
        face.images.append(Image(pixels, left, top, cell, self._bar()))
        face.above = -top
        if pixels.caption and self._captions:
            face.words.append(
                Words(
                    pixels.caption, top + height - 2, TEXT, "mute", x=face.width / 2, is_middle=True
                )
            )

    def _route(self, link: Link, placed: Placed) -> Route:
        tail, head = placed.boxes[link.tail], placed.boxes[link.head]
        after = self._links.get(link.head)
        at_head = after.norm if after is not None and after.flow is Flow.GRADIENT else None
        if after is None:
            at_head = self._chain[-1].norm
        middle = self._lane - VALUE_LANE
        values = (tail.right, self._lane), (head.x, self._lane)
        gradients = (tail.center, self._river), (head.center, self._river)
        points = (tail.right, middle), (head.x, middle)
        return Route(link, points, True, (values, gradients), Ends(link.norm, at_head or link.norm))

    def end_of(self, id_: str, placed: Placed) -> tuple[Point, Point]:
        """Return where the value leaves a card on its right, and where the gradient arrives in the river."""
        box = placed.boxes[id_]
        return (box.right, self._lane), (box.right, self._river)

    def start_of(self, id_: str, placed: Placed) -> tuple[Point, Point]:
        """Return where the value enters a card on its left, and where the gradient leaves the river."""
        box = placed.boxes[id_]
        return (box.x, self._lane), (box.x, self._river)


def _level(widths: list[float], available: float) -> float:
    """Return the width to which all narrower cards can be widened so that together they use the available width."""
    rest, level = sorted(widths), 0.0
    while rest and available / len(rest) < rest[-1]:
        available -= rest.pop()
    return available / len(rest) if rest else level

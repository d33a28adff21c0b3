"""The positions of the cards of a block diagram, and the routes of its links, on a slide of 1600 by 900 points.

A diagram with more than nine columns is divided into two rows where a single link leads from one half to the other. A row whose
cards are a plain chain is drawn as a river (river.py), any other row in columns and rows of its own (plan.py). Cards are as
large as possible.

    laid_out     on a slide
    in_one_row   for a page, which breaks the picture between its columns
"""

import dataclasses
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from minitape.draw.diagram.level import MOST_COLUMNS, is_even
from minitape.draw.diagram.model import Diagram, Link, Station
from minitape.draw.diagram.write.brush import Point
from minitape.draw.diagram.write.faces import Detail, face_of, on_one_scale
from minitape.draw.diagram.write.places import (
    BOTTOM,
    LEFT,
    STEPS,
    TOP,
    WIDTH,
    Layout,
    Placed,
    Route,
)
from minitape.draw.diagram.write.plan import Plan
from minitape.draw.diagram.write.river import ALONE, River, is_river

_AXIS = 160.0  # the height of the axis of the gradients that arrived
_FEWEST_ON_AXIS = 4
_TURN = 84.0  # between two rows, where the link between them returns to the left
_MARGIN = 84.0  # next to the rows, for the same link
_OUTER, _INNER = 14.0, 52.0  # from the edge of the slide: the two lanes of that link
_VALUE_TURN, _GRADIENT_TURN = 16.0, 50.0  # above the second row
_LARGE = (1.6, 1.45, 1.3, 1.2, 1.1, 1.0)
# The attempts, in order, until everything fits: the scale, and the detail of the cards.
_DETAILS = (
    *((scale, Detail(image=190.0)) for scale in _LARGE[:4]),
    *((scale, Detail()) for scale in _LARGE),
    *((scale, Detail(image=110.0)) for scale in (1.1, 1.0)),
    (1.0, Detail(image=110.0, is_narrow=True)),
    (1.0, Detail(image=84.0, is_narrow=True, has_shapes=False)),
    (1.0, Detail(image=84.0, is_narrow=True, has_shapes=False, code=92.0)),
    (1.0, Detail(image=0.0, has_shapes=False, code=92.0)),
)
_OF_RIVERS = (
    *((scale, Detail(image=200.0)) for scale in _LARGE[:4]),
    (1.1, Detail(image=260.0)),
    *(
        (1.0, Detail(image=image))
        for image in (300.0, 240.0, 180.0, 140.0, 100.0, 76.0, 60.0, 48.0)
    ),
    *((1.0, Detail(image=image, has_shapes=False)) for image in (60.0, 48.0, 0.0)),
)


class Halves(NamedTuple):
    """A diagram in two rows, and the link that leads from the first to the second."""

    first: Diagram
    second: Diagram
    between: Link


@lru_cache(maxsize=4)
def laid_out(diagram: Diagram) -> Layout:
    """Return the positions of all elements, with as much detail on the cards as fits.

    The module that chooses the cards and the module that draws them share this layout, so neither may change it.
    """
    layout = None
    for layout in _all_tried(diagram):
        if layout.is_fitting:
            break
    assert layout is not None
    return layout


def in_one_row(diagram: Diagram) -> Layout:
    """Return the positions of all elements, in any number of columns and rows, with short links between the columns.

    A page breaks this layout between its columns, so it does not have to fit. Cards are narrower if the row is longer than a
    slide, so that the page needs fewer rows. Nothing is below the cards.
    """
    plan = None
    for _, largest in (each for each in _DETAILS if each[0] == 1.0 and each[1].image):
        detail = on_one_scale(diagram.stations, largest)
        faces = {each.id: face_of(each, detail) for each in diagram.stations}
        plan = Plan(diagram, faces, 0.0, 0.0)
        plan.measure()
        if -plan.spare <= WIDTH - 2 * LEFT and plan.height <= BOTTOM - TOP:
            break
    assert plan is not None
    return Layout(**vars(plan.placed_at(0.0)))


def _all_tried(diagram: Diagram) -> Iterator[Layout]:
    columns = Plan(diagram, {}, 0.0, 0.0).column
    count = 1 + max(columns.values(), default=0)
    if count <= MOST_COLUMNS:
        for has_steps in (True, False) if diagram.steps is not None else (False,):
            shown = _without_strip(diagram) if has_steps else diagram
            for scale, detail in _OF_RIVERS if is_river(shown) else _DETAILS:
                yield _one_row_of_slide(shown, scale, detail, has_steps=has_steps)
    halves = _halves(diagram, columns)
    if halves is not None:
        parts = halves.first, halves.second
        for scale, detail in _OF_RIVERS[4:] if all(map(is_river, parts)) else _DETAILS[8:]:
            yield _in_two_rows(halves, scale, detail)
    elif count > MOST_COLUMNS:
        yield Layout(is_fitting=False)


def _without_strip(diagram: Diagram) -> Diagram:
    """Return a diagram without the strip on the card whose strips are drawn below all cards."""
    steps = diagram.steps
    stations = [
        replace(each, series=None) if steps is not None and each.id == steps.station else each
        for each in diagram.stations
    ]
    return replace(diagram, stations=tuple(stations))


def _row(
    diagram: Diagram, detail: Detail, left: float, right: float, *, is_half: bool = False
) -> River | Plan:
    if is_river(diagram):
        row: River | Plan = River(diagram, detail, left, right, is_half=is_half)
    else:
        faces = {each.id: face_of(each, detail) for each in diagram.stations}
        row = Plan(diagram, faces, left, right, is_half)
    row.measure()
    return row


def _one_row_of_slide(diagram: Diagram, scale: float, detail: Detail, *, has_steps: bool) -> Layout:
    detail = on_one_scale(diagram.stations, detail)
    row = _row(diagram, detail, LEFT / scale, (WIDTH - LEFT) / scale)
    available, axis = (BOTTOM - TOP) / scale, _AXIS / scale
    if has_steps:
        available -= STEPS / scale
    has_axis = row.height + axis <= available and len(diagram.arrived) >= _FEWEST_ON_AXIS
    has_axis = has_axis and not has_steps
    spare = available - row.height - (axis if has_axis else 0.0)
    placed = row.placed_at(TOP / scale + max(0.0, spare / 2))
    return Layout(
        **vars(placed),
        is_fitting=row.spare >= 0 and row.height <= available,
        scale=scale,
        axis=BOTTOM - _AXIS + 40 if has_axis else None,
        steps=BOTTOM - STEPS + 10 if has_steps else None,
        river=ALONE,
    )


# --- two rows ---


def _halves(diagram: Diagram, columns: dict[str, int]) -> Halves | None:
    """Return a diagram in two rows of about the same length; None if no single link leads from the first to the second."""
    count = 1 + max(columns.values(), default=0)
    if diagram.frames or any(link.tail == link.head for link in diagram.links):
        return None
    for first in sorted(range(1, count), key=lambda at: (abs(2 * at - count), -at)):
        over = [each for each in diagram.links if columns[each.tail] < first <= columns[each.head]]
        if len(over) == 1 and is_even(first, count):
            return Halves(
                _part(diagram, [s for s in diagram.stations if columns[s.id] < first]),
                _part(diagram, [s for s in diagram.stations if columns[s.id] >= first]),
                over[0],
            )
    return None


def _part(diagram: Diagram, stations: Sequence[Station]) -> Diagram:
    ids = {each.id for each in stations}
    links = tuple(each for each in diagram.links if each.tail in ids and each.head in ids)
    return replace(diagram, stations=tuple(stations), links=links, steps=None)


def _in_two_rows(halves: Halves, scale: float, detail: Detail) -> Layout:
    detail = on_one_scale((*halves.first.stations, *halves.second.stations), detail)
    left, right, margin = LEFT / scale, (WIDTH - LEFT) / scale, _MARGIN / scale
    first = _row(halves.first, detail, left, right - margin, is_half=True)
    second = _row(halves.second, detail, left + margin, right, is_half=True)
    cells = [row.map_cell for row in (first, second) if isinstance(row, River)]
    cell = min(cells, default=detail.map_cell)
    if cell < detail.map_cell:
        detail = dataclasses.replace(detail, map_cell=cell)
        first = _row(halves.first, detail, left, right - margin, is_half=True)
        second = _row(halves.second, detail, left + margin, right, is_half=True)
    available, gap = (BOTTOM - TOP) / scale, _TURN / scale
    height = first.height + gap + second.height
    top = TOP / scale + max(0.0, (available - height) / 2)
    below = top + first.height + gap
    layout = Layout(scale=scale)
    one, other = first.placed_at(top), second.placed_at(below)
    layout.add(one)
    layout.add(other)
    layout.routes.append(_between_rows(halves.between, first, one, second, other, below, scale))
    layout.is_fitting = min(first.spare, second.spare) >= 0 and height <= available
    return layout


def _between_rows(
    link: Link,
    first: River | Plan,
    one: Placed,
    second: River | Plan,
    other: Placed,
    below: float,
    scale: float,
) -> Route:
    """Return the route from the end of the first row to the start of the second; its two lanes never cross."""
    value, gradient = first.end_of(link.tail, one)
    to_value, to_gradient = second.start_of(link.head, other)
    left, right = LEFT / scale, (WIDTH - LEFT) / scale
    values = _around(value, right - _OUTER, below - _VALUE_TURN, left + _INNER, to_value)
    gradients = _around(
        gradient, right - _INNER, below - _GRADIENT_TURN, left + _OUTER, to_gradient
    )
    box, head = one.boxes[link.tail], other.boxes[link.head]
    middle = (box.right, box.middle), (head.x, head.middle)
    turned = _around(middle[0], right - _INNER, below - _GRADIENT_TURN, left + _OUTER, middle[1])
    return Route(link, turned, False, (values, gradients))


def _around(start: Point, right: float, y: float, left: float, end: Point) -> tuple[Point, ...]:
    return start, (right, start[1]), (right, y), (left, y), (left, end[1]), end

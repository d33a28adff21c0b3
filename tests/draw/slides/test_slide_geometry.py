"""The geometry of slides of real programs: cards do not overlap, no link crosses a card, and texts are large enough and inside
their cards.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from draw.slides.slide_programs import NAMES, program
from traced import run

from minitape.draw.diagram import Diagram, diagram
from minitape.draw.diagram.level import MOST_COLUMNS
from minitape.draw.diagram.model import Flow, StationKind
from minitape.draw.diagram.write.brush import TEXT, Point
from minitape.draw.diagram.write.layout import laid_out
from minitape.draw.diagram.write.places import BOTTOM, HEIGHT, STEPS, TOP, WIDTH, Box
from minitape.draw.diagram.write.svg import svg
from minitape.explain.explain import explain

ROOT = Path(__file__).parents[3]
PROGRAMS = [
    *NAMES,
    *sorted((ROOT / "docs" / "gallery" / "programs").glob("*.py")),
    *sorted((ROOT / "minitape" / "examples").glob("[a-z]*.py")),
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda each: Path(each).stem)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Diagram:
    path = request.param
    if isinstance(path, str):
        path = program(path, tmp_path_factory.mktemp("programs"))
    trace = run(path, stdout=None).trace
    return diagram(trace, explain(trace))


def with_drawers(made: Diagram) -> dict[str, Box]:
    layout = laid_out(made)
    return {
        id_: Box(box.x, box.y, box.width, layout.faces[id_].total_height)
        for id_, box in layout.boxes.items()
    }


def whole_cards(made: Diagram) -> dict[str, Box]:
    """The positions of cards with their drawers and the images above them."""
    faces = laid_out(made).faces
    return {
        id_: Box(box.x, box.y - faces[id_].above, box.width, box.height + faces[id_].above)
        for id_, box in with_drawers(made).items()
    }


def is_inside(point: Point, box: Box, by: float = 1.0) -> bool:
    x, y = point
    return box.x + by < x < box.right - by and box.y + by < y < box.y + box.height - by


def along(points: list[Point]) -> Iterator[Point]:
    for (x, y), (x2, y2) in pairwise(points):
        for i in range(41):
            yield x + (x2 - x) * i / 40, y + (y2 - y) * i / 40


def test_everything_is_on_the_slide(made: Diagram) -> None:
    layout = laid_out(made)
    assert layout.is_fitting
    for box in whole_cards(made).values():
        assert box.x >= 0 and box.right * layout.scale <= WIDTH
        assert box.y * layout.scale >= TOP - 1
        assert (box.y + box.height) * layout.scale <= BOTTOM + 1


def test_cards_do_not_overlap(made: Diagram) -> None:
    for (one, a), (other, b) in combinations(whole_cards(made).items(), 2):
        apart = a.right <= b.x or b.right <= a.x
        assert apart or a.y + a.height <= b.y or b.y + b.height <= a.y, (one, other)


def test_links_do_not_pass_through_cards(made: Diagram) -> None:
    boxes = with_drawers(made)
    for route in laid_out(made).routes:
        ends = {route.link.tail, route.link.head}
        for lane in (route.values, route.gradients):
            for point in along(lane):
                met = [
                    id_ for id_, box in boxes.items() if is_inside(point, box) and id_ not in ends
                ]
                assert met == [], (route.link.tail, route.link.head)


def test_links_begin_and_end_at_cards(made: Diagram) -> None:
    layout = laid_out(made)
    for route in layout.routes:
        for (x, y), id_ in (
            (route.points[0], route.link.tail),
            (route.points[-1], route.link.head),
        ):
            box = layout.boxes[id_]
            is_at_side = (
                min(abs(x - box.x), abs(x - box.right)) < 1 and box.y <= y <= box.y + box.height
            )
            is_at_end = (
                min(abs(y - box.y), abs(y - box.y - box.height)) < 1 and box.x <= x <= box.right
            )
            assert is_at_side or is_at_end


def test_texts_are_inside_their_cards_and_large_enough(made: Diagram) -> None:
    page = ET.fromstring(svg(made))
    assert page.get("viewBox") == f"0 0 {WIDTH:.0f} {HEIGHT:.0f}"
    smallest = min(float(text.get("font-size", 0)) for text in page.iter(f"{SVG}text"))
    assert smallest >= TEXT and TEXT * laid_out(made).scale >= 13
    boxes = whole_cards(made)
    kinds = {each.id: each.kind for each in made.stations}
    groups = [group for group in page.iter(f"{SVG}g") if group.get("data-card") is not None]
    assert [group.get("id") for group in groups] == list(kinds)
    for group in groups:
        id_ = str(group.get("id"))
        texts = [t for t in group.iter(f"{SVG}text") if kinds[id_] is not StationKind.JOIN]
        for text in texts:
            x, width = float(text.get("x", 0)), float(text.get("textLength", 0))
            left = x - {"end": width, "middle": width / 2}.get(text.get("text-anchor", ""), 0.0)
            assert boxes[id_].x <= left and left + width <= boxes[id_].right + 0.2, text.text
            assert boxes[id_].y < float(text.get("y", 0)) < boxes[id_].y + boxes[id_].height


def test_texts_do_not_overlap_and_stay_on_the_slide(made: Diagram) -> None:
    boxes = []
    for text in ET.fromstring(svg(made)).iter(f"{SVG}text"):
        if not text.text:
            continue
        x, y, size, width = (
            float(text.get(name, 0)) for name in ("x", "y", "font-size", "textLength")
        )
        left = x - {"end": width, "middle": width / 2}.get(text.get("text-anchor", ""), 0.0)
        assert left >= 0 and left + width <= WIDTH + 0.2 and y <= HEIGHT, text.text
        boxes.append((left, y - 0.7 * size, left + width, y, text.text))
    # The texts below the cards are not scaled, so they are compared among themselves.
    below = [box for box in boxes if box[1] > BOTTOM - STEPS]
    for one, other in combinations(below, 2):
        if laid_out(made).scale == 1.0:
            apart = one[2] <= other[0] or other[2] <= one[0]
            assert apart or one[3] <= other[1] or other[3] <= one[1], (one[4], other[4])


def test_frames_surround_only_their_own_cards(made: Diagram) -> None:
    layout = laid_out(made)
    boxes = with_drawers(made)
    for frame, place in layout.frames:
        assert place.x >= 0 and place.right * layout.scale <= WIDTH
        assert place.y * layout.scale >= TOP - 20
        assert (place.y + place.height) * layout.scale <= BOTTOM + 1
        for id_, box in boxes.items():
            corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.y + box.height)]
            inside = [is_inside(corner, place, 0.0) for corner in corners]
            assert all(inside) if id_ in frame.stations else not any(inside), id_


def test_every_band_has_its_norm(made: Diagram) -> None:
    page = ET.fromstring(svg(made))
    bands = [g for g in page.iter(f"{SVG}g") if g.get("class") == "edge gradient"]
    named = [band for band in bands if any(True for _ in band.iter(f"{SVG}text"))]
    assert len(named) == len(bands)


def test_lanes_do_not_pass_through_norms(made: Diagram) -> None:
    page, layout = ET.fromstring(svg(made)), laid_out(made)
    bands = [g for g in page.iter(f"{SVG}g") if (g.get("class") or "").startswith("edge ")]
    uprights = [
        ((x, y), (x2, y2))
        for route in layout.routes
        for lane in (route.values, route.gradients)
        for (x, y), (x2, y2) in pairwise(lane)
        if abs(x - x2) < 1
    ]
    for text in (text for band in bands for text in band.iter(f"{SVG}text")):
        x, y, width = (float(text.get(name, 0)) for name in ("x", "y", "textLength"))
        for (at, start), (_, end) in uprights:
            beyond = abs(at - x) > width / 2
            assert beyond or y < min(start, end) or y - TEXT > max(start, end), text.text


def test_titles_are_not_truncated_code(made: Diagram) -> None:
    for each in made.stations:
        assert "…" not in each.title or not set("()+*=") & set(each.title), each.title


def test_feature_maps_share_one_scale(made: Diagram) -> None:
    faces = laid_out(made).faces.values()
    cells = {image.cell for face in faces for image in face.images if image.pixels.is_map}
    assert len(cells) <= 1


def test_lines_of_a_card_do_not_overlap(made: Diagram) -> None:
    for id_, face in laid_out(made).faces.items():
        rows = sorted(
            (words.y - words.size, words.y) for words in [*face.words] if not words.is_end
        )
        assert all(low >= high - 4 for (_, high), (low, _) in pairwise(rows)), id_


def test_both_themes_have_the_same_shapes(made: Diagram) -> None:
    light, dark = (
        re.sub(r"#[0-9a-f]{6}", "", svg(made, theme=theme)) for theme in ("light", "dark")
    )
    assert light == dark


def rows_of(made: Diagram) -> list[list[str]]:
    """The cards of each row, from left to right. Cards that do not overlap vertically are in different rows."""
    rows: list[list[str]] = []
    bottom = -1.0
    boxes = whole_cards(made)
    for id_, box in sorted(boxes.items(), key=lambda each: each[1].y):
        if box.y > bottom:
            rows.append([])
        rows[-1].append(id_)
        bottom = max(bottom, box.y + box.height)
    return [sorted(row, key=lambda each: boxes[each].x) for row in rows]


def test_a_chain_of_more_than_nine_layers_is_on_two_rows_that_both_run_to_the_right(
    slide: Callable[[str], Diagram],
) -> None:
    made = slide("cnn_deep")
    titles = {each.id: each.title for each in made.stations}
    first, second = rows_of(made)
    assert len(first) <= MOST_COLUMNS and len(second) <= MOST_COLUMNS
    assert [titles[id_] for id_ in (*first, *second)] == [each.title for each in made.stations]
    boxes, (turn,) = laid_out(made).boxes, [r for r in laid_out(made).routes if not r.is_straight]
    assert (turn.link.tail, turn.link.head) == (first[-1], second[0])
    # The lanes of this link go around the end of the first row and the start of the second, and never cross.
    for lane in (turn.values, turn.gradients):
        xs = [x for x, _ in lane]
        assert max(xs) > boxes[first[-1]].right and min(xs) < boxes[second[0]].x
    for (a, b), (c, d) in product(pairwise(turn.values), pairwise(turn.gradients)):
        assert not crosses(a, b, c, d)


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether a horizontal and a vertical line cross; here, two parallel lines never do."""
    if (a[1] == b[1]) == (c[1] == d[1]):
        return False
    (flat, flat_end), (tall, tall_end) = ((a, b), (c, d)) if a[1] == b[1] else ((c, d), (a, b))
    is_beside = min(flat[0], flat_end[0]) < tall[0] < max(flat[0], flat_end[0])
    return is_beside and min(tall[1], tall_end[1]) < flat[1] < max(tall[1], tall_end[1])


def test_a_chain_has_its_images_above_and_one_river_below(slide: Callable[[str], Diagram]) -> None:
    made = slide("cnn_fit")
    layout = laid_out(made)
    assert all(route.river is not None for route in layout.routes)
    levels = {y for route in layout.routes for _, y in route.gradients}
    assert len(levels) == 1
    (river,) = levels
    for id_, box in with_drawers(made).items():
        assert box.y + box.height < river
        assert all(image.top < 0 for image in layout.faces[id_].images)
    trained = {
        each.id for each in made.stations if any(p.flow is Flow.GRADIENT for p in each.parameters)
    }
    assert {drop.station for drop in layout.drops} == trained


def test_a_slide_is_used_from_top_to_bottom(slide: Callable[[str], Diagram]) -> None:
    """The cards of a convolutional network, with the images above and the drawers below them, take most of the height."""
    layout = laid_out(slide("cnn_fit"))
    _, top, _, bottom = layout.extent
    assert (bottom - top) * layout.scale > 0.65 * (BOTTOM - TOP)


def test_the_river_has_no_gap_between_two_cards(slide: Callable[[str], Diagram]) -> None:
    layout = laid_out(slide("cnn_fit"))
    ends = [(route.gradients[0][0], route.gradients[-1][0]) for route in layout.routes]
    assert all(end == start for (_, end), (start, _) in pairwise(sorted(ends)))

"""Edges do not cross the titles of frames if there is space, and are never drawn over them."""

import xml.etree.ElementTree as ET

import pytest
from draw.test_draw_golden import picture_of

from minitape import draw
from minitape.draw.write.engine import BUILT_IN
from minitape.draw.write.titles import clear_starts, crossings_of

SVG = "{http://www.w3.org/2000/svg}"


def test_title_begins_at_the_left_if_nothing_is_in_its_way() -> None:
    assert clear_starts(10, 300, [80, 60], [200, 250]) == [10, 98]


def test_title_and_note_are_on_either_side_of_an_edge() -> None:
    starts = clear_starts(10, 300, [80, 60], [120])
    assert starts == [10, 128]
    assert clear_starts(10, 300, [80, 60], [50]) == [58, 146]


def test_texts_that_do_not_fit_between_edges_are_together_at_the_left() -> None:
    assert clear_starts(10, 160, [80, 60], [50, 100]) == [10, 98]


def test_line_crosses_a_band_within_the_heights_of_the_band() -> None:
    assert sorted(crossings_of([(0, 0), (10, 100)], 40, 60)) == pytest.approx([4, 6])
    assert not [*crossings_of([(0, 0), (10, 100)], 140, 160)]
    assert {*crossings_of([(3, 0), (3, 100)], 40, 60)} == {3}
    assert {*crossings_of([(3, 50), (9, 50)], 40, 60)} == {3, 9}


@pytest.mark.parametrize("engine", ["graphviz-pure", BUILT_IN])
@pytest.mark.parametrize("rankdir", ["TB", "LR"])
def test_title_is_in_front_of_all_edges_and_within_its_frame(engine: str, rankdir: str) -> None:
    picture = picture_of("loop")
    svg = ET.fromstring(draw.render(picture, "svg", engine=engine, rankdir=rankdir).data)
    parts = list(svg.iter())
    edges = [at for at, part in enumerate(parts) if part.get("id", "").startswith("edge")]
    assert edges
    for loop in picture.loops:
        (at,) = (
            at
            for at, part in enumerate(parts)
            if (part.text or "").strip() == loop.title and part.tag == f"{SVG}text"
        )
        assert at > max(edges)
        assert parts[at - 1].tag == f"{SVG}rect" or parts[at - 2].tag == f"{SVG}rect"

"""The cards and links of a diagram for a page: in one row of any length, with names for the elements that change."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from minitape.draw.diagram import Diagram, Link, Parameter, Station
from minitape.draw.diagram.model import Flow, Frame, StationKind
from minitape.draw.diagram.write.brush import Brush
from minitape.draw.diagram.write.layout import in_one_row
from minitape.draw.diagram.write.svg import svg, svg_of_cards

SVG = "{http://www.w3.org/2000/svg}"
PARAMETERS = (
    Parameter("w", "(2,)", "0.5", Flow.GRADIENT, 0.5),
    Parameter("b", "()", "None", Flow.NEVER),
)


def chain(count: int, flow: Flow = Flow.GRADIENT) -> Diagram:
    """A chain of cards, of which the first card has two parameters and the last card has a number."""
    parts = [Station(f"s{i}", StationKind.PART, f"layer {i}", "(2,)") for i in range(count)]
    first = Station("s0", StationKind.PART, "layer 0", "(2,)", parameters=PARAMETERS)
    last = Station(f"s{count - 1}", StationKind.TARGET, "loss", number="1.5")
    links = [Link(f"s{i}", f"s{i + 1}", flow, 0.5, "0.5") for i in range(count - 1)]
    return Diagram("All arrive.", "", "", (first, *parts[1:-1], last), tuple(links))


def cards_of(made: Diagram, theme: str = "light") -> ET.Element:
    body = svg_of_cards(made, in_one_row(made), theme=theme, prefix="run-")
    return ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>')


def test_a_chain_of_any_length_is_one_row_with_short_links() -> None:
    made = chain(30)
    layout = in_one_row(made)
    boxes = [layout.boxes[station.id] for station in made.stations]
    assert len({box.middle for box in boxes}) == 1
    assert {round(after.x - before.right) for before, after in pairwise(boxes)} == {58}
    assert layout.scale == 1.0 and not layout.drops
    assert all(route.river is None and route.lanes is None for route in layout.routes)


def test_the_extent_contains_the_frames_of_tapes() -> None:
    made = chain(3)
    framed = Diagram(
        made.headline, "", "", made.stations, made.links, frames=(Frame("inner", ("s0", "s1")),)
    )
    layout = in_one_row(framed)
    ((_, box),) = layout.frames
    left, top, _, bottom = layout.extent
    assert left <= box.x and top <= box.y and box.y + box.height <= bottom


def test_norms_of_parameters_end_at_the_right_side_of_a_card_that_became_wider() -> None:
    made = chain(3)
    title = "a tape with a title that is much longer than the name of its first layer"
    for frames in ((), (Frame(title, ("s0", "s1")),)):
        framed = Diagram("All arrive.", "", "", made.stations, made.links, frames=frames)
        layout = in_one_row(framed)
        ends = [words.x for words in layout.faces["s0"].drawer if words.is_end]
        assert ends == [layout.boxes["s0"].width - 16] * len(PARAMETERS)


def test_links_numbers_and_cards_are_named() -> None:
    page = cards_of(chain(4))
    edges = page.findall(f"{SVG}g[@data-link]")
    assert sorted(edge.attrib["data-link"] for edge in edges) == ["0", "1", "2"]
    for edge in edges:
        tones = {(each.tag.removeprefix(SVG), each.get("class")) for each in edge}
        assert {("path", "gradient"), ("polygon", "gradient"), ("text", "gradient")} <= tones
        assert {("path", "value"), ("polygon", "value")} <= tones
    assert [g.attrib["id"] for g in page.findall(f"{SVG}g[@id]")] == [f"run-s{i}" for i in range(4)]
    first, *_, last = page.findall(f"{SVG}g[@id]")
    texts = {k: first.findall(f"{SVG}text[@data-parameter='{k}']") for k in range(2)}
    assert [[text.text for text in found] for found in texts.values()] == [["0.5"], ["None"]]
    assert [text.text for text in last.findall(f"{SVG}text[@data-number]")] == ["1.5"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_shape_in_the_color_of_a_tone_has_its_name(theme: str) -> None:
    page, colors = cards_of(chain(4, Flow.CUT), theme), Brush(theme).colors
    for tone in ("value", "gradient", "break"):
        painted = [
            each
            for each in page.iter()
            if each.get("fill") == colors[tone]
            or (each.get("fill") == "none" and each.get("stroke") == colors[tone])
        ]
        assert painted and {each.get("class") for each in painted} == {tone}


def test_a_slide_has_no_names_for_a_script() -> None:
    slide = svg(chain(4))
    assert not any(name in slide for name in ("data-link", "data-parameter", "data-number"))
    assert 'class="gradient"' not in slide

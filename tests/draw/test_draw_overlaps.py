"""Nothing overlaps in the built-in SVG: cards, labels, and texts within their cards."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from traced import run

from minitape import draw
from minitape.draw.write.engine import BUILT_IN
from minitape.explain.explain import explain
from minitape.trace.reading import read
from minitape.trace.trace import Trace

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "minitape" / "examples").glob("[a-z]*.py"))
TRACES = sorted((ROOT / "tests" / "golden" / "draw").glob("*.jsonl"))
VIEWS = ("forward", "both")
SVG = "{http://www.w3.org/2000/svg}"
SLACK = 0.2  # coordinates are written with one decimal

Box = tuple[float, float, float, float]  # left, top, right, bottom


@pytest.fixture(scope="module", params=[*SCRIPTS, *TRACES], ids=lambda path: str(path.stem))
def trace(request: pytest.FixtureRequest) -> Trace:
    path: Path = request.param
    if path.suffix == ".jsonl":
        return read(path)
    return run(path, stdout=None).trace


def drawn(trace: Trace, view: str, rankdir: str) -> ET.Element:
    picture = draw.picture(trace, explain(trace), view=view, cards=24)
    rendered = draw.render(picture, "svg", engine=BUILT_IN, rankdir=rankdir)
    return ET.fromstring(rendered.data)


def box_of(rect: ET.Element) -> Box:
    left, top = float(rect.get("x", 0)), float(rect.get("y", 0))
    return left, top, left + float(rect.get("width", 0)), top + float(rect.get("height", 0))


def cards_and_pills(svg: ET.Element) -> Iterator[tuple[str, ET.Element, Box]]:
    for group in svg.iter(f"{SVG}g"):
        texts = group.findall(f"{SVG}text")
        rect = group.find(f"{SVG}rect")
        if rect is not None and any(text.get("class") == "title" for text in texts):
            yield str(group.get("id")), group, box_of(rect)


def overlap(one: Box, other: Box) -> bool:
    return (
        one[0] + SLACK < other[2]
        and other[0] + SLACK < one[2]
        and one[1] + SLACK < other[3]
        and other[1] + SLACK < one[3]
    )


@pytest.mark.parametrize("rankdir", ["TB", "LR"])
@pytest.mark.parametrize("view", VIEWS)
def test_cards_do_not_overlap(trace: Trace, view: str, rankdir: str) -> None:
    boxes = [(id_, box) for id_, _, box in cards_and_pills(drawn(trace, view, rankdir))]
    assert len(boxes) > 1
    assert not [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if overlap(one, other)]


@pytest.mark.parametrize("view", VIEWS)
def test_texts_stay_inside_their_cards(trace: Trace, view: str) -> None:
    for id_, group, (left, top, right, bottom) in cards_and_pills(drawn(trace, view, "TB")):
        for text in group.findall(f"{SVG}text"):
            start, wide = float(text.get("x", 0)), float(text.get("textLength", 0))
            start -= wide if text.get("text-anchor") == "end" else 0.0
            said = (id_, text.text)
            assert left - SLACK <= start and start + wide <= right + SLACK, said
            assert top <= float(text.get("y", 0)) <= bottom, said


@pytest.mark.parametrize("view", VIEWS)
def test_header_texts_do_not_overlap(trace: Trace, view: str) -> None:
    for id_, group, _ in cards_and_pills(drawn(trace, view, "TB")):
        texts = {text.get("class"): text for text in group.findall(f"{SVG}text")}
        title, tag = texts["title"], texts.get("tag")
        if tag is not None:
            end = float(title.get("x", 0)) + float(title.get("textLength", 0))
            assert end < float(tag.get("x", 0)) - float(tag.get("textLength", 0)), id_


@pytest.mark.parametrize("view", VIEWS)
def test_labels_do_not_overlap(trace: Trace, view: str) -> None:
    labels = [
        (str(group.get("data-edge")), box_of(rect))
        for group in drawn(trace, view, "TB").iter(f"{SVG}g")
        if str(group.get("class")).startswith("label-of")
        for rect in group.findall(f"{SVG}rect")
    ]
    # The patch under a label is wider than the label by two on each side.
    bare = [(id_, (left + 2, top, right - 2, bottom)) for id_, (left, top, right, bottom) in labels]
    assert not [(a, b) for (a, one), (b, other) in combinations(bare, 2) if overlap(one, other)]


def test_everything_is_within_the_picture(trace: Trace) -> None:
    svg = drawn(trace, "both", "TB")
    wide, high = float(svg.get("width", 0)), float(svg.get("height", 0))
    for id_, _, (left, top, right, bottom) in cards_and_pills(svg):
        assert left >= 0 and right <= wide and top >= 0 and bottom <= high, id_

"""Golden pictures: DOT, text, and the SVG of the built-in layout stay the same, byte for byte.

`pytest tests/draw --update` writes them again.
"""

from collections.abc import Callable

import pytest
from drawings import report_of, trace_of

from minitape import draw
from minitape.draw.write.engine import BUILT_IN

PICTURES = {"line": 60, "detour": 60, "loop": 8, "awkward": 60}

Golden = Callable[[str, str], None]


def picture_of(name: str) -> draw.Picture:
    trace = trace_of(name)
    report = report_of(trace) if name == "detour" else None
    return draw.picture(trace, report, cards=PICTURES[name])


@pytest.mark.parametrize("name", PICTURES)
def test_dot_matches_the_golden_file(name: str, golden: Golden) -> None:
    golden(f"draw/{name}.dot", draw.dot(picture_of(name)))


@pytest.mark.parametrize("name", PICTURES)
def test_text_matches_the_golden_file(name: str, golden: Golden) -> None:
    golden(f"draw/{name}.txt", draw.text(picture_of(name)))


@pytest.mark.parametrize("name", PICTURES)
def test_ascii_text_matches_the_golden_file(name: str, golden: Golden) -> None:
    golden(f"draw/{name}.ascii.txt", draw.text(picture_of(name), ascii=True, width=72))


@pytest.mark.parametrize("name", PICTURES)
def test_svg_matches_the_golden_file(name: str, golden: Golden) -> None:
    rendered = draw.render(picture_of(name), "svg", engine=BUILT_IN)
    golden(f"draw/{name}.svg", rendered.data.decode())


def test_dark_svg_matches_the_golden_file(golden: Golden) -> None:
    rendered = draw.render(picture_of("detour"), "svg", engine=BUILT_IN, theme="dark")
    golden("draw/detour.dark.svg", rendered.data.decode())


def test_horizontal_svg_without_a_legend_matches_the_golden_file(golden: Golden) -> None:
    rendered = draw.render(picture_of("loop"), "svg", engine=BUILT_IN, rankdir="LR", legend=False)
    golden("draw/loop.lr.svg", rendered.data.decode())

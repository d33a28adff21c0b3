"""Fallbacks between layout programs: a picture is drawn even if a program is missing, slow or broken."""

import io
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from minitape import draw
from minitape.draw import dot, find_engine
from minitape.draw.model import CaptionLine, Card, Edge, EdgeKind, Picture, Role
from minitape.draw.write import engine, paper
from minitape.draw.write.palette import palette_of
from minitape.draw.write.pins import KEEP_POSITIONS, pins_of
from minitape.errors import DrawError

pytestmark = pytest.mark.one_in(3)

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="stands in for programs with shell scripts"
)

ONE_CARD = Picture("p", (CaptionLine("answer"),), (Card("op-1", Role.PATH, "Mul", "#1"),), ())


def program(folder: Path, name: str, script: str) -> Path:
    """A fake layout program."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Simulate a machine without any layout program; the folder is its PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(engine.ENV, raising=False)
    monkeypatch.setattr(engine.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(engine.sysconfig, "get_path", lambda name: str(tmp_path))
    return tmp_path


def test_svg_without_any_program_is_drawn_with_a_note(bare: Path) -> None:
    rendered = draw.render(ONE_CARD, "svg")
    assert rendered.engine == "built-in"
    assert rendered.data.startswith(b"<svg")
    assert rendered.note == (
        "drawn with the built-in layout; for PNG and better edges, run `pip install graphviz-pure`"
    )


@pytest.fixture
def no_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a Python without the libraries that render an SVG."""
    monkeypatch.setattr(paper, "find_spec", lambda name: None)


@pytest.mark.parametrize("fmt", ["png", "pdf"])
@pytest.mark.usefixtures("no_paper")
def test_png_and_pdf_without_any_program_suggest_an_installation(bare: Path, fmt: str) -> None:
    with pytest.raises(DrawError, match=f"built-in cannot write {fmt.upper()}") as caught:
        draw.render(ONE_CARD, fmt)
    assert caught.value.code == "MT901"
    assert "write SVG instead" in str(caught.value)
    assert 'pip install "minitape[pictures]"' in str(caught.value)


def size_of(pdf: bytes) -> tuple[float, float]:
    with pypdfium2.PdfDocument(pdf) as document:
        assert len(document) == 1
        return document[0].get_size()


def text_of(pdf: bytes) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return document[0].get_textpage().get_text_range()


def test_pdf_without_any_program_is_rendered_from_the_svg(bare: Path) -> None:
    rendered = draw.render(ONE_CARD, "pdf")
    assert rendered.engine == "built-in"
    assert "Mul" in text_of(rendered.data)
    drawn = re.search(r'width="(\d+)" height="(\d+)"', draw.render(ONE_CARD).data.decode())
    assert drawn
    points = 72 / 96  # the size of a browser's pixel
    assert size_of(rendered.data) == (points * float(drawn[1]), points * float(drawn[2]))
    assert draw.render(ONE_CARD, "pdf") == rendered  # equal to the byte


def test_png_without_any_program_is_rendered_from_the_svg(bare: Path) -> None:
    rendered = draw.render(ONE_CARD, "png", theme="dark")
    assert rendered.engine == "built-in"
    image = Image.open(io.BytesIO(rendered.data)).convert("RGB")
    assert "#{:02x}{:02x}{:02x}".format(*image.getpixel((1, 1))) == palette_of("dark").paper
    assert len(image.getcolors(1 << 24)) > 20  # from a card, and from antialiased letters


def test_characters_that_a_pdf_cannot_show_are_named() -> None:
    said = [
        draw.render(Picture("p", (CaptionLine(text),), (), ()), "pdf").note
        for text in ("π → ∂y/∂x − 1 × … · ✗", "жук = 中")
    ]
    assert said == [None, "the font for PDF lacks жку中; SVG shows all characters"]


def test_each_svg_declares_the_length_of_each_text() -> None:
    for name in ("built-in", "graphviz-pure"):
        drawn = draw.render(ONE_CARD, engine=name).data.decode()
        texts = re.findall(r"<text [^>]*>", drawn)
        assert len(texts) > 3, name
        assert all("textLength=" in text for text in texts), name


def test_dot_text_needs_no_program(bare: Path) -> None:
    rendered = draw.render(ONE_CARD, "dot")
    assert rendered.data.decode() == draw.dot(ONE_CARD)


@posix
def test_engines_fall_back_from_the_requested_to_the_built_in(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert draw.find_engine().name == "built-in"
    program(bare, "dot", "echo 'dot - graphviz version 9.0.0 (0)' >&2")
    assert draw.find_engine() == draw.LayoutEngine("dot", bare / "dot", "9.0.0")
    program(bare, "graphviz-pure", "echo 0.2.2")
    assert draw.find_engine().name == "graphviz-pure"
    wished = program(bare, "mine", "echo 1.0")
    monkeypatch.setenv(engine.ENV, str(wished))
    assert draw.find_engine() == draw.LayoutEngine("mine", wished, "1.0")
    monkeypatch.setenv(engine.ENV, "built-in")
    assert draw.find_engine().path is None


def test_graphviz_in_this_python_is_found_without_a_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(engine.ENV, raising=False)
    found = draw.find_engine()
    assert found.name == "graphviz-pure"
    assert found.path is not None
    assert found.path.exists()


def test_unavailable_preferred_engine_is_a_note(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(engine.ENV, "no-such-dot")
    rendered = draw.render(ONE_CARD)
    assert rendered.note == (
        "MINITAPE_DOT names a program that does not exist (no-such-dot), so built-in drew the picture"
    )


def test_engine_requested_by_name_must_be_available(bare: Path) -> None:
    with pytest.raises(DrawError, match="layout program 'no-such-dot' is not installed"):
        draw.render(ONE_CARD, engine="no-such-dot")


@posix
def test_output_of_the_program_is_the_picture(bare: Path) -> None:
    program(bare, "dot", "exec /bin/cat")
    rendered = draw.render(ONE_CARD, "pdf")
    assert rendered == draw.Rendered(draw.dot(ONE_CARD).encode(), "dot")


@posix
@pytest.mark.usefixtures("no_paper")
def test_only_a_real_dot_program_renders_pdf(bare: Path) -> None:
    program(bare, "graphviz-pure", "exit 1")
    with pytest.raises(DrawError, match="graphviz-pure cannot write PDF"):
        draw.render(ONE_CARD, "pdf")
    program(bare, "dot", "exec /bin/cat")
    assert draw.render(ONE_CARD, "pdf").engine == "dot"


@posix
@pytest.mark.parametrize(
    ("script", "trouble"),
    [
        ("exec /bin/sleep 5", "dot took more than 0.3 s"),
        ("echo 'out of memory' >&2; exit 3", "dot stopped (out of memory)"),
        ("exit 3", "dot stopped (exit code 3)"),
        ("exit 0", "dot stopped (exit code 0)"),
    ],
)
def test_program_that_fails_is_a_note(bare: Path, script: str, trouble: str) -> None:
    program(bare, "dot", script)
    rendered = draw.render(ONE_CARD, "svg", timeout=0.3)
    assert rendered.engine == "built-in"
    assert rendered.note == f"{trouble}, so the built-in layout was used"
    with pytest.raises(DrawError, match="PNG cannot be written: dot "):
        draw.render(ONE_CARD, "png", timeout=0.3)


@posix
def test_program_that_cannot_be_started_is_a_note(bare: Path) -> None:
    (bare / "dot").write_bytes(b"\x00\x01 no program")
    (bare / "dot").chmod(0o755)
    rendered = draw.render(ONE_CARD, "svg")
    assert rendered.engine == "built-in"
    assert "dot could not be started" in str(rendered.note)


def hub(readers: int) -> Picture:
    """A value that is used very often, for which Graphviz takes minutes."""
    cards = tuple(Card(f"op-{i}", Role.PATH, "Mul", f"#{i}") for i in range(readers + 1))
    return Picture(
        "p", (), cards, tuple(Edge("op-0", card.id, EdgeKind.PATH) for card in cards[1:])
    )


def test_graph_too_large_for_any_program_uses_the_built_in_layout() -> None:
    picture = hub(200)
    assert engine.layout_cost(picture) > engine.MOST_COST
    rendered = draw.render(picture, "svg")
    assert rendered.engine == "built-in"
    assert "201 nodes are too many" in str(rendered.note)


def test_png_of_a_large_graph_is_rendered_from_the_built_in_layout() -> None:
    rendered = draw.render(hub(200), "png")
    assert rendered.engine == "graphviz-pure"
    assert rendered.data.startswith(b"\x89PNG")


def test_graphviz_keeps_the_positions_of_the_built_in_layout() -> None:
    """If the layout placed a card below another card, Graphviz's output places it at the same distance below."""
    picture = hub(1)
    pins = pins_of(picture)
    pure = find_engine("graphviz-pure").path
    assert pure is not None
    done = subprocess.run(
        [pure, "-q", "-Tplain", *KEEP_POSITIONS],
        input=dot(picture, pins=pins.of).encode(),
        capture_output=True,
        check=True,
    )
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    ys = {row[1].strip(chr(34)): float(row[3]) * 72 for row in rows if row[0] == "node"}
    requested = {id_: float(pins.of[id_]["pos"].split(",")[1]) for id_ in ("op-0", "op-1")}
    assert ys["op-0"] - ys["op-1"] == pytest.approx(requested["op-0"] - requested["op-1"], abs=0.1)


def test_png_too_large_for_any_viewer_is_rejected() -> None:
    cards = tuple(Card(f"op-{i}", Role.PATH, "Sin", f"#{i}") for i in range(6000))
    edges = tuple(Edge(a.id, b.id, EdgeKind.PATH) for a, b in pairwise(cards))
    with pytest.raises(
        DrawError, match=r"PNG cannot be written: the picture would be [\d,]+ × [\d,]+ pixels"
    ):
        draw.render(Picture("p", (), cards, edges), "png")


def test_graphviz_writes_a_png_and_lays_out_an_svg() -> None:
    assert draw.render(ONE_CARD, "png").data.startswith(b"\x89PNG")
    rendered = draw.render(ONE_CARD, "svg")
    assert rendered.engine != "built-in"
    assert rendered.note is None


def test_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(DrawError, match="svg, png, pdf, dot or mermaid"):
        draw.render(ONE_CARD, "gif")

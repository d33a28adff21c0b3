"""In DOT, SVG and text, user text is always text and never markup."""

import math
import re
from xml.etree import ElementTree

import pytest
from drawings import report_of, trace_of

from minitape import draw
from minitape.draw.model import (
    CaptionLine,
    Card,
    CardRow,
    Edge,
    EdgeKind,
    Picture,
    Pill,
    Role,
    Strip,
    TextTone,
)
from minitape.draw.words import number, short
from minitape.draw.write.engine import BUILT_IN
from minitape.draw.write.legend import flows_in, roles_in
from minitape.draw.write.palette import ASCII, DARK, LIGHT, RAILS, Palette, cell_colors
from minitape.errors import DrawError

NASTY = [
    "<b>bold</b> & \"quotes\" 'single'",
    "</TABLE>>",
    "<<not html>>",
    "back\\slash \\n \\N \\G \\",
    "日本語 größe ȳ 😀",
    "]]> <!-- --> <script>alert(1)</script>",
    "%d {braces} | ; # -> --",
    '"><img src=x onerror=alert(1)>',
    "</script><b>",
]


def picture_saying(words: str) -> Picture:
    card = Card("op-1", Role.PATH, words, words, words, (CardRow("value", words),), words)
    pill = Pill("const-1", Role.CONSTANT, words, words)
    edge = Edge("const-1", "op-1", EdgeKind.CONSTANT, words)
    return Picture(words, (CaptionLine(words), CaptionLine(words)), (card, pill), (edge,))


def svg_texts(data: bytes) -> list[str]:
    root = ElementTree.fromstring(data)
    return [str(each.text) for each in root.iter("{http://www.w3.org/2000/svg}text")]


# --- escaping ---


@pytest.mark.parametrize("words", NASTY)
def test_built_in_svg_contains_the_users_text(words: str) -> None:
    texts = svg_texts(draw.render(picture_saying(words), "svg", engine=BUILT_IN).data)
    assert texts.count(words) == 10


@pytest.mark.parametrize("words", NASTY)
def test_graphviz_output_contains_the_users_text(words: str) -> None:
    rendered = draw.render(picture_saying(words), "svg")
    assert rendered.engine != BUILT_IN
    texts = [text.replace("\xa0", " ").strip() for text in svg_texts(rendered.data)]
    assert texts.count(words) == 10


@pytest.mark.parametrize("words", NASTY)
def test_mermaid_labels_contain_only_letters_and_character_codes(words: str) -> None:
    """Mermaid's labels are Markdown and HTML with escapes of their own, so characters other than letters are written as codes."""
    lines = draw.mermaid(picture_saying(words)).splitlines()
    labels = re.findall(r'"([^"]*)"', "\n".join(line for line in lines if "%%" not in line))
    assert len(labels) == 3
    for label in labels:
        parts = label.split("<br/>")
        assert all(re.fullmatch(r"(?:[\w .,:=/+\-()]|#\d+;)*", part) for part in parts)
    said = labels[2]
    assert re.sub(r"#(\d+);", lambda number: chr(int(number[1])), said) == words


def test_mermaid_nests_the_frames_of_loops() -> None:
    said = draw.mermaid(draw.picture(trace_of("loop"), cards=8), rankdir="LR")
    lines = [line.strip() for line in said.splitlines()]
    assert lines[0] == "flowchart LR"
    start, end = (
        lines.index(
            'subgraph l1 ["for t in range(6):  line 6 #183; #215;6 #183; the same variables each time"]'
        ),
        lines.index("end"),
    )
    assert end - start == 5


def test_bidirectional_control_characters_become_dots() -> None:
    assert short("a\u202eb\u200fc\u2066d", 40) == "a·b·c·d"


def test_program_names_are_kept_in_dot_and_svg() -> None:
    picture = draw.picture(trace_of("awkward"))
    for engine in (None, BUILT_IN):
        texts = svg_texts(draw.render(picture, "svg", engine=engine).data)
        assert "größe" in [text.replace("\xa0", " ").strip() for text in texts]


def test_characters_forbidden_in_xml_become_dots() -> None:
    assert short("a\x00b\x1b[31m\ud800c\td", 40) == "a·b·[31m·c d"


def test_long_line_is_cut_with_an_ellipsis() -> None:
    assert short("x" * 1000, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1.0, "1.0"),
        (0.1 + 0.2, "0.3"),
        (-0.75683, "-0.7568"),
        (1e-9, "1e-09"),
        (7, "7"),
        (True, "True"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        ("text", "'text'"),
    ],
)
def test_numbers_are_short(value: object, said: str) -> None:
    assert number(value) == said


# --- themes ---


def contrast(first: str, second: str) -> float:
    """The contrast ratio of the Web Content Accessibility Guidelines, 1 to 21."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    parts = [part / 255 for part in bytes.fromhex(color[1:])]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def pairs(palette: Palette) -> list[tuple[str, str]]:
    papers = [palette.paper, *(paint.fill for paint in palette.roles.values())]
    on_paper = [(tone, paper) for tone in palette.tones.values() for paper in papers]
    is_pill = {Role.CONSTANT, Role.HIDDEN, Role.CARRIED}
    headers = [
        (palette.on_header, paint.line)
        for role, paint in palette.roles.items()
        if role not in is_pill
    ]
    labels = [(stroke.text, palette.paper) for stroke in palette.flows.values()]
    return [*on_paper, *headers, *labels]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_all_text_has_enough_contrast(palette: Palette) -> None:
    """The guidelines require 4.5 to 1 for small text."""
    assert [pair for pair in pairs(palette) if contrast(*pair) < 4.5] == []


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_each_role_and_each_flow_has_its_own_style(palette: Palette) -> None:
    assert set(palette.roles) == set(Role)
    assert set(palette.flows) == set(EdgeKind) == set(RAILS)
    assert set(palette.tones) == set(TextTone)


def test_break_looks_different_without_color() -> None:
    cut, path = LIGHT.flows[EdgeKind.CUT], LIGHT.flows[EdgeKind.PATH]
    assert (cut.style, cut.head) != (path.style, path.head)
    assert LIGHT.roles[Role.BREAK].dashed
    assert not LIGHT.roles[Role.PATH].dashed


def test_zero_is_hollow_and_nan_is_solid() -> None:
    full, empty, bad, minus = cell_colors(Strip((1.0, 0.0, None, -1.0)), LIGHT)
    assert (full, empty, bad, minus) == (LIGHT.plus, LIGHT.cell, LIGHT.bad_cell, LIGHT.minus)


def test_unknown_theme_lists_the_known_ones() -> None:
    with pytest.raises(DrawError, match="light or dark"):
        draw.dot(picture_saying("x"), theme="pink")


# --- the legend ---


def test_legend_explains_only_what_is_shown() -> None:
    picture = picture_saying("x")
    assert [role for role, _ in roles_in(picture)] == [Role.PATH, Role.CONSTANT]
    assert [flow for flow, _ in flows_in(picture)] == [EdgeKind.CONSTANT]


@pytest.mark.parametrize("engine", [None, BUILT_IN])
def test_legend_can_be_omitted(engine: str | None) -> None:
    picture = picture_saying("x")
    without = draw.render(picture, "svg", engine=engine, legend=False).data
    with_legend = draw.render(picture, "svg", engine=engine, legend=True).data
    assert not any(text == "legend" for text in svg_texts(without))
    assert any(text == "legend" for text in svg_texts(with_legend))


# --- SVG ---


def test_cards_and_edges_keep_their_ids_and_classes() -> None:
    picture = draw.picture(trace_of("line"))
    for engine in (None, BUILT_IN):
        root = ElementTree.fromstring(draw.render(picture, "svg", engine=engine).data)
        groups = root.iter("{http://www.w3.org/2000/svg}g")
        kinds = {g.get("id"): g.get("class", "").split()[-1] for g in groups if g.get("class")}
        for node in picture.nodes:
            assert kinds[node.id] == str(node.role)
        assert kinds["edge-1"] == str(picture.edges[0].flow)


@pytest.mark.parametrize("name", ["line", "detour", "awkward"])
def test_each_text_has_its_class_with_every_layout_engine(name: str) -> None:
    """The debugger page replaces these texts when it steps through the run."""
    picture = draw.picture(trace_of(name))
    built_in, graphviz = (
        classed_texts(draw.render(picture, "svg", engine=engine).data)
        for engine in (BUILT_IN, None)
    )
    assert graphviz == built_in
    for card in picture.cards:
        shown = [text for kind, text in built_in[card.id] if kind in ("value", "grad")]
        assert shown == [row.text for row in card.rows if row.label in ("value", "grad")]


def classed_texts(svg: bytes) -> dict[str, list[tuple[str | None, str]]]:
    """For each group with an id that is not an edge, the class and the words of each of its texts."""
    root = ElementTree.fromstring(svg)
    found = {}
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        texts = [
            (text.get("class"), str(text.text).replace("\xa0", " ").strip())
            for text in group.iter("{http://www.w3.org/2000/svg}text")
        ]
        kinds = {kind for kind, _ in texts}
        id_ = str(group.get("id"))
        if kinds <= {"title", "tag", "code", "label", "value", "grad", "note", "place"}:
            found[id_] = [text for text in texts if text[1]]
    return {id_: texts for id_, texts in found.items() if texts and not id_.startswith("a_")}


@pytest.mark.parametrize("engine", [None, BUILT_IN])
def test_edge_on_the_path_can_be_reversed(engine: str | None) -> None:
    picture = draw.picture(trace_of("line"))
    svg = ElementTree.fromstring(draw.render(picture, "svg", engine=engine, two_heads=True).data)
    groups = {g.get("id"): g for g in svg.iter("{http://www.w3.org/2000/svg}g")}
    for position, edge in enumerate(picture.edges, start=1):
        heads = list(groups[f"edge-{position}"].iter("{http://www.w3.org/2000/svg}polygon"))
        looks = [(head.get("class"), head.get("visibility")) for head in heads]
        tail = [("tail", "hidden")] if edge.flow is EdgeKind.PATH else []
        assert looks == [*tail, ("head", None)]


def test_built_in_svg_needs_no_network() -> None:
    data = draw.render(picture_saying("x"), "svg", engine=BUILT_IN).data.decode()
    assert re.findall(r"https?://[^\"' ]+", data) == ["http://www.w3.org/2000/svg"]


# --- text ---


def test_target_is_above_its_inputs() -> None:
    lines = draw.text(draw.picture(trace_of("line"))).splitlines()
    order = [
        next(i for i, line in enumerate(lines) if f"[{op}]" in line)
        for op in ("Mean", "Mul", "Sub", "W")
    ]
    assert order == sorted(order)


def test_value_used_twice_is_written_once() -> None:
    edges = (
        Edge("a", "b", EdgeKind.PATH),
        Edge("a", "c", EdgeKind.PATH),
        Edge("b", "d", EdgeKind.PATH),
        Edge("c", "d", EdgeKind.PATH),
    )
    cards = tuple(
        Card(id_, Role.PATH, id_, "", rows=(CardRow("value", f"of {id_}"),)) for id_ in "abcd"
    )
    said = draw.text(Picture("p", (), cards, edges))
    assert said.count("of a") == 1
    assert said.count("[a]") == 2
    assert "(see above)" in said


def test_cycle_is_written_once() -> None:
    cards = tuple(Card(id_, Role.PATH, id_, "") for id_ in "ab")
    said = draw.text(
        Picture("p", (), cards, (Edge("a", "b", EdgeKind.PATH), Edge("b", "a", EdgeKind.PATH)))
    )
    assert said.count("[a]") == 2
    assert said.count("(see above)") == 1


def test_lines_fit_the_requested_width() -> None:
    picture = draw.picture(trace_of("awkward"))
    assert max(map(len, draw.text(picture, width=40).splitlines())) == 40


def test_ascii_text_is_ascii_and_each_symbol_has_a_replacement() -> None:
    said = draw.text(draw.picture(trace_of("awkward")), ascii=True)
    assert said.isascii()
    assert all(ord(rail) in ASCII for rail in RAILS.values())


def test_answer_and_fix_keep_all_their_words_in_a_narrow_terminal() -> None:
    picture = draw.picture(trace_of("detour"), report_of(trace_of("detour")))
    wide, narrow = draw.text(picture, width=200), draw.text(picture, width=40)
    assert max(map(len, narrow.splitlines())) <= 40
    answer = [" ".join(text.split("\n\n")[0].split()) for text in (wide, narrow)]
    assert answer[0] == answer[1]
    lines = narrow.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("    why    here"))
    assert " ".join(f"{lines[first]} {lines[first + 1]}".split()).endswith(
        "why here the value leaves the tape for NumPy"
    )

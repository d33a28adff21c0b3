"""Adds classes for style sheets and scripts to the SVG of Graphviz.

Graphviz keeps the ids and classes of nodes and edges, but has no classes for the texts and arrowheads in them. It writes the
texts of a node in the order of its label, and the tail of an edge before its head, so texts and arrowheads are identified by
counting.
"""

import html
import re
from collections.abc import Iterator
from math import hypot

from minitape.draw.model import Card, Node, Picture, edge_id
from minitape.draw.write.svg import code_width, stem, text_width

_PART = re.compile(r'<g id="(?P<id>[^"]*)" class="(?P<kind>\w+)[^"]*">|<(?P<shape>text|polygon) ')
_TEXT = re.compile(
    r'<text (?P<looks>[^>]*font-size="(?P<size>[\d.]+)"[^>]*)>(?P<label>[^<]+)</text>'
)
_TWO_HEADED = re.compile(
    r'<path [^>]*stroke-width="(?P<width>[\d.]+)"[^>]*/>\n'
    r'(?P<heads>(?:<polygon class="(?:head|tail)"[^>]*/>\n){2})'
)
_ARROWHEAD = re.compile(
    r'class="(?P<end>\w+)".*? stroke="(?P<color>[^"]*)".* points="(?P<left>\S+) (?P<tip>\S+) (?P<right>\S+) '
)
_OUTLINE = 1.5  # how far the point of an arrowhead extends beyond its corner, in line widths
_HEAD = ' class="head"'
_TAIL = ' class="tail" visibility="hidden"'


def with_classes(svg: str, picture: Picture, *, two_heads: bool = False) -> str:
    """Return the SVG of Graphviz with the classes that the built-in layout writes.

    Args:
        svg: The output of Graphviz for `dot(picture, two_heads=two_heads)`.
        picture: The picture.
        two_heads: Whether edges on the path have an arrowhead at both ends.
    """
    nodes = {node.id: node for node in picture.nodes}
    on_path = {edge_id(i) for i, edge in enumerate(picture.edges) if edge.flow.carries_gradient}
    upward = {edge_id(position) for position in picture.upward}
    texts: Iterator[str] = iter(())
    heads: Iterator[str] = iter(())

    def marked(part: re.Match[str]) -> str:
        nonlocal texts, heads
        if part["shape"] is None:
            id_ = html.unescape(part["id"])
            texts = text_classes(nodes[id_]) if id_ in nodes else iter(())
            both = [_TAIL, _HEAD] if two_heads and id_ in on_path else [_HEAD]
            # Edges that lead up were written from their head to their tail.
            ends = reversed(both) if id_ in upward else both
            heads = iter(ends if part["kind"] == "edge" else ())
            return part[0]
        kind = next(texts, "") if part["shape"] == "text" else ""
        looks = next(heads, "") if part["shape"] == "polygon" else ""
        return f"<{part['shape']}{looks}" + (f' class="{kind}" ' if kind else " ")

    marked_svg = _PART.sub(marked, svg)
    return _TWO_HEADED.sub(_with_stems, marked_svg) if two_heads else marked_svg


def _with_stems(edge: re.Match[str]) -> str:
    """Extend each line to the tip of its arrowhead, for the case that the arrowhead is hidden."""
    stems = []
    for head in _ARROWHEAD.finditer(edge["heads"]):
        tip, *sides = (
            tuple(map(float, head[each].split(","))) for each in ("tip", "left", "right")
        )
        base = ((sides[0][0] + sides[1][0]) / 2, (sides[0][1] + sides[1][1]) / 2)
        # An outlined arrowhead is longer than its corners indicate.
        longer = 1 + _OUTLINE * float(edge["width"]) / hypot(tip[0] - base[0], tip[1] - base[1])
        end = base[0] + longer * (tip[0] - base[0]), base[1] + longer * (tip[1] - base[1])
        stems.append(stem(head["end"], base, end, head["color"], edge["width"]) + "\n")
    return edge[0] + "".join(stems)


def with_lengths(svg: str) -> str:
    """Return the SVG with an explicit length for each text, so that the text fits its node with any font."""
    return _TEXT.sub(_measured, svg)


def _measured(text: re.Match[str]) -> str:
    label = html.unescape(text["label"]).replace("\xa0", " ")
    looks, size = text["looks"], float(text["size"])
    is_bold = 'font-weight="bold"' in looks
    width = (
        code_width(label, size) if "Courier" in looks else text_width(label, size, is_bold=is_bold)
    )
    length = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {looks}{length}>{text['label']}</text>"


def text_classes(node: Node) -> Iterator[str]:
    """Yield the class of each text of a node, in the order in which they are written."""
    yield "title"
    if not isinstance(node, Card):
        yield from ("note",) if node.note else ()
        return
    yield from ("tag",) if node.tag else ()
    yield from ("code",) if node.code else ()
    for row in node.rows:
        yield "label"
        yield from (row.kind,) if row.text else ()
    yield from ("place",) if node.location else ()

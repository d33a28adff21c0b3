"""A picture as DOT text, built and quoted by the graphviz package.

Nodes are HTML-like labels. All text of the user passes through `_text` there, and through `graphviz.escape` elsewhere.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from minitape.draw.model import (
    Card,
    CardRow,
    Edge,
    LoopFrame,
    Node,
    Picture,
    Pill,
    Strip,
    TextTone,
    edge_id,
)
from minitape.draw.write import legend as legends
from minitape.draw.write.palette import CardPaint, Palette, cell_colors, palette_of

if TYPE_CHECKING:  # imported when a picture is written, so that explanations do not need graphviz
    import graphviz

_TABLE = 'CELLBORDER="0" CELLSPACING="0"'
_CELL_WIDTH, _CELL_HEIGHT = 6, 9

Attributes = Mapping[str, Mapping[str, str]]
FREE: Attributes = {}
LEGEND = "legend"
_FOLDED = re.compile(r"^ | $|(?<= ) ")


def dot(
    picture: Picture,
    *,
    theme: str = "light",
    rankdir: str = "TB",
    legend: bool = True,
    two_heads: bool = False,
    pins: Attributes = FREE,
) -> str:
    """Return the picture as DOT text.

    Args:
        picture: The picture.
        theme: `light` or `dark`.
        rankdir: `TB` (down) or `LR` (to the right).
        legend: Whether to add a legend of the symbols in the picture.
        two_heads: Whether to draw an arrowhead at both ends of edges on the path.
        pins: Additional attributes, such as known positions, keyed by the id of a node, an edge or a frame.

    Raises:
        DrawError: the theme is unknown.

    Source: https://graphviz.org/doc/info/shapes.html#html
    """
    import graphviz

    palette = palette_of(theme)
    graph = graphviz.Digraph(
        _escaped(picture.name),
        graph_attr={
            "bgcolor": palette.paper,
            "rankdir": rankdir,
            "nodesep": "0.28",
            "ranksep": "0.38",
            "pad": "0.25",
            "fontname": "Helvetica",
            "fontcolor": palette.tones[TextTone.PLAIN],
            "labelloc": "t",
            "labeljust": "l",
            "label": _caption(picture, palette),
        },
        node_attr={"shape": "plain", "fontname": "Helvetica", "fontsize": "11"},
        edge_attr={"fontname": "Helvetica", "fontsize": "9", "arrowsize": "0.7"},
    )
    # Everything is in a frame without a border, because a frame can have a second label: the legend.
    with graph.subgraph(name="cluster_all") as page:
        page.attr(peripheries="0", labelloc="b", labeljust="l")
        page.attr(label=_legend(picture, palette) if legend else "", **pins.get(LEGEND, {}))
        _add_all(page, picture, palette, two_heads, pins)
    return str(graph.source)


def _escaped(text: str) -> str:
    """Return the text as a string that the wrapper never takes for markup; the wrapper recognizes it by its class."""
    import graphviz

    escaped: str = graphviz.escape(text)
    return escaped


def _add_all(
    page: graphviz.Digraph,
    picture: Picture,
    palette: Palette,
    two_heads: bool,
    pins: Attributes,
) -> None:
    framed = {id_ for loop in picture.loops for id_ in loop.members}
    for node in picture.nodes:
        if node.id not in framed:
            _add_node(page, node, palette, pins)
    by_id = {node.id: node for node in picture.nodes}
    _add_loops(page, picture, by_id, palette, pins)
    for position, edge in enumerate(picture.edges):
        has_two_heads = two_heads and edge.flow.carries_gradient
        is_upward = position in picture.upward
        _add_edge(page, edge, position, palette, has_two_heads, is_upward, pins)


def _add_loops(
    page: graphviz.Digraph,
    picture: Picture,
    by_id: Mapping[str, Node],
    palette: Palette,
    pins: Attributes,
    around: str = "",
) -> None:
    """Add the frames of the loops within another loop, or of the outermost loops; frames nest as loops do in the source."""
    for loop in picture.loops:
        if loop.inside == around:
            with page.subgraph(name=f"cluster_{loop.id}") as frame:
                _dress(frame, loop, palette)
                frame.attr(**pins.get(loop.id, {}))
                for id_ in loop.members:
                    _add_node(frame, by_id[id_], palette, pins)
                _add_loops(frame, picture, by_id, palette, pins, loop.id)


def _dress(frame: graphviz.Digraph, loop: LoopFrame, palette: Palette) -> None:
    frame.attr(id=loop.id, **{"class": "loop"}, tooltip=_escaped(loop.title))
    frame.attr(peripheries="1", style="rounded", color=palette.loop, penwidth="1.5")
    title = _font(loop.title, palette.tones[TextTone.PLAIN], 11, is_bold=True)
    note = _font(f"  {loop.note}", palette.tones[TextTone.MUTED], 9)
    frame.attr(label=f"<{title}{note}>")


def _add_node(graph: graphviz.Digraph, node: Node, palette: Palette, pins: Attributes) -> None:
    label = _card(node, palette) if isinstance(node, Card) else _pill(node, palette)
    graph.node(
        node.id,
        label=label,
        id=node.id,
        tooltip=_escaped(node.hint),
        **{"class": str(node.role), **pins.get(node.id, {})},
    )


def _add_edge(
    graph: graphviz.Digraph,
    edge: Edge,
    position: int,
    palette: Palette,
    has_two_heads: bool,
    is_upward: bool,
    pins: Attributes,
) -> None:
    stroke = palette.flows[edge.flow]
    attributes = {
        "id": edge_id(position),
        "class": str(edge.flow),
        "tooltip": _escaped(edge.label or str(edge.flow)),
        "color": stroke.color,
        "style": stroke.style,
        "penwidth": str(stroke.width),
        "arrowtail" if is_upward else "arrowhead": stroke.head,
        **pins.get(edge_id(position), {}),
    }
    if edge.label:
        attributes["label"] = f"<{_font(f' {edge.label} ', stroke.text, 9)}>"
    if has_two_heads:
        attributes |= {"dir": "both", "arrowtail": stroke.head, "arrowhead": stroke.head}
    elif is_upward:
        attributes["dir"] = "back"
    # Graphviz places the head of an edge below its tail, and finds a better layout if it may do so.
    ends = (edge.head, edge.tail) if is_upward else (edge.tail, edge.head)
    graph.edge(*ends, **attributes)


# --- labels ---


def _text(text: str) -> str:
    """Escape the text, because Graphviz merges spaces and interprets a backslash before a letter, even in HTML-like labels."""
    # Not every space is replaced, because Graphviz measures a non-breaking space as twice as wide and leaves a gap at the end.
    return _FOLDED.sub("&#160;", html.escape(text)).replace("\\", "&#92;&#92;")


def _font(text: str, color: str, size: int, *, is_bold: bool = False, is_code: bool = False) -> str:
    if not text:
        return ""
    inner = f"<B>{_text(text)}</B>" if is_bold else _text(text)
    face = ' FACE="Courier"' if is_code else ""
    return f'<FONT COLOR="{color}" POINT-SIZE="{size}"{face}>{inner}</FONT>'


def _caption(picture: Picture, palette: Palette) -> str:
    rows = []
    for position, line in enumerate(picture.caption):
        size = 10 if position else 14
        font = _font(line.text, palette.tones[line.tone], size, is_bold=not position)
        rows.append(f'<TR><TD ALIGN="LEFT">{font}</TD></TR>')
    table = f'<TABLE BORDER="0" {_TABLE} CELLPADDING="2">{"".join(rows)}</TABLE>'
    return f"<{table}>" if rows else ""


def _card(card: Card, palette: Palette) -> str:
    paint = palette.roles[card.role]
    muted = palette.tones[TextTone.MUTED]
    cells = [_header(card, paint, palette)]
    if card.code:
        cells.append(_wide(_font(card.code, palette.tones[TextTone.PLAIN], 10, is_code=True)))
    cells += [_row(row, palette) for row in card.rows]
    if card.location:
        cells.append(_wide(_font(card.location, muted, 8)))
    style = "DASHED" if paint.dashed else "SOLID"
    return (
        f'<<TABLE BORDER="{paint.border}" COLOR="{paint.line}" BGCOLOR="{paint.fill}" STYLE="{style}"'
        f' {_TABLE} CELLPADDING="2">{"".join(cells)}</TABLE>>'
    )


def _header(card: Card, paint: CardPaint, palette: Palette) -> str:
    title = _font(card.title, palette.on_header, 11, is_bold=True)
    tag = _font(f"  {card.tag}", palette.on_header, 9)
    return (
        f'<TR><TD COLSPAN="2" BGCOLOR="{paint.line}" CELLPADDING="3">'
        f'<TABLE BORDER="0" {_TABLE} CELLPADDING="0">'
        f'<TR><TD ALIGN="LEFT">{title}</TD><TD ALIGN="RIGHT">{tag}</TD></TR></TABLE></TD></TR>'
    )


def _wide(content: str) -> str:
    return f'<TR><TD COLSPAN="2" ALIGN="LEFT">{content}</TD></TR>'


def _row(row: CardRow, palette: Palette) -> str:
    label = _font(f"{row.label or 5 * ' '} ", palette.tones[TextTone.MUTED], 9)
    content = label + _font(row.text, palette.tones[row.tone], 10)
    if row.strip is None:
        return _wide(content)
    return (
        f'<TR><TD ALIGN="LEFT">{content}</TD>'
        f'<TD ALIGN="LEFT">{_strip(row.strip, palette)}</TD></TR>'
    )


def _strip(strip: Strip, palette: Palette) -> str:
    size = f'WIDTH="{_CELL_WIDTH}" HEIGHT="{_CELL_HEIGHT}" FIXEDSIZE="TRUE"'
    cells = "".join(f'<TD BGCOLOR="{color}" {size}></TD>' for color in cell_colors(strip, palette))
    width, height = _CELL_WIDTH * len(strip.cells) + 2, _CELL_HEIGHT + 2
    return (
        f'<TABLE BORDER="1" COLOR="{palette.quiet}" {_TABLE} CELLPADDING="0" FIXEDSIZE="TRUE"'
        f' WIDTH="{width}" HEIGHT="{height}"><TR>{cells}</TR></TABLE>'
    )


def _pill(pill: Pill, palette: Palette) -> str:
    paint = palette.roles[pill.role]
    muted = palette.tones[TextTone.MUTED]
    lines = [
        _font(pill.title, muted if paint.dashed else paint.line, 10),
        _font(pill.note, muted, 8),
    ]
    rows = "".join(f"<TR><TD>{line}</TD></TR>" for line in lines if line)
    style = "ROUNDED,DASHED" if paint.dashed else "ROUNDED"
    return (
        f'<<TABLE BORDER="1" STYLE="{style}" COLOR="{paint.line}" BGCOLOR="{palette.paper}"'
        f' CELLBORDER="0" CELLSPACING="1" CELLPADDING="2">{rows}</TABLE>>'
    )


# --- the legend ---


def _legend(picture: Picture, palette: Palette) -> str:
    muted, plain = palette.tones[TextTone.MUTED], palette.tones[TextTone.PLAIN]
    rows = [_legend_row(_font("legend", muted, 9, is_bold=True))]
    for role, text in legends.roles_in(picture):
        paint = palette.roles[role]
        sample = (
            f'<TABLE BORDER="1" COLOR="{paint.line}" BGCOLOR="{paint.fill}" {_TABLE}'
            f' STYLE="{"DASHED" if paint.dashed else "SOLID"}">'
            f'<TR><TD WIDTH="26" HEIGHT="10" FIXEDSIZE="TRUE"></TD></TR></TABLE>'
        )
        rows.append(_legend_row(sample, _font(text, plain, 9)))
    for flow, text in legends.flows_in(picture):
        stroke = palette.flows[flow]
        rows.append(_legend_row(_font(legends.LINES[flow], stroke.text, 9), _font(text, plain, 9)))
    for strip, text in legends.strips_in(picture):
        rows.append(_legend_row(_strip(strip, palette), _font(text, plain, 9)))
    return (
        f'<<TABLE BORDER="1" COLOR="{palette.quiet}" {_TABLE} CELLPADDING="2">'
        f"{''.join(rows)}</TABLE>>"
    )


def _legend_row(*cells: str) -> str:
    span = ' COLSPAN="2"' if len(cells) == 1 else ""
    columns = (f'<TD ALIGN="LEFT"{span}>{cell}</TD>' for cell in cells)
    return f"<TR>{''.join(columns)}</TR>"

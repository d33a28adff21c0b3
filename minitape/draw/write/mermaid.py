"""A picture as Mermaid text, which GitHub and many note-taking programs render."""

from collections.abc import Iterator, Mapping

from minitape.draw.model import Card, EdgeKind, LoopFrame, Node, Picture, TextTone
from minitape.draw.write.palette import Palette, palette_of

_ARROWS = {
    EdgeKind.PATH: "==>",
    EdgeKind.OFF: "-->",
    EdgeKind.CONSTANT: "-.->",
    EdgeKind.CUT: "-.-x",
    EdgeKind.GHOST: "-.->",
    EdgeKind.BAD: "-.->",
    EdgeKind.CARRIED: "==>",
    EdgeKind.GRADIENT: "==>",
}
_PLAIN = frozenset(" .,:=/+-_()")


def mermaid(picture: Picture, *, theme: str = "light", rankdir: str = "TB") -> str:
    """Return the picture as the text of a Mermaid flowchart.

    Args:
        picture: The picture.
        theme: `light` or `dark`.
        rankdir: `TB` (down) or `LR` (to the right).

    Raises:
        DrawError: the theme is unknown.

    Source: https://mermaid.js.org/syntax/flowchart.html
    """
    palette = palette_of(theme)
    # The user's names cannot be ids, because Mermaid reserves some words.
    names = {node.id: f"n{position}" for position, node in enumerate(picture.nodes, start=1)}
    lines = [f"flowchart {rankdir}", *(f"  %% {comment(line.text)}" for line in picture.caption)]
    framed = {id_ for loop in picture.loops for id_ in loop.members}
    lines += [_node(node, names) for node in picture.nodes if node.id not in framed]
    by_id = {node.id: node for node in picture.nodes}
    lines += _loops(picture, by_id, names, "")
    for edge in picture.edges:
        label = f'|"{escaped(edge.label)}"|' if edge.label else ""
        lines.append(f"  {names[edge.tail]} {_ARROWS[edge.flow]}{label} {names[edge.head]}")
    lines += _looks(picture, palette)
    return "\n".join(lines) + "\n"


def _node(node: Node, names: Mapping[str, str]) -> str:
    if not isinstance(node, Card):
        words = "<br/>".join(escaped(part) for part in (node.title, node.note) if part)
        return f'  {names[node.id]}(["{words}"]):::{node.role}'
    parts = [f"{node.title}  {node.tag}", node.code]
    parts += [f"{row.label} {row.text}".strip() for row in node.rows]
    words = "<br/>".join(escaped(part) for part in (*parts, node.location) if part)
    return f'  {names[node.id]}["{words}"]:::{node.role}'


def _loops(
    picture: Picture, by_id: Mapping[str, Node], names: Mapping[str, str], around: str
) -> Iterator[str]:
    for position, loop in enumerate(picture.loops, start=1):
        if loop.inside == around:
            yield f'  subgraph l{position} ["{escaped(_title(loop))}"]'
            yield from (_node(by_id[id_], names) for id_ in loop.members)
            yield from _loops(picture, by_id, names, loop.id)
            yield "  end"


def _title(loop: LoopFrame) -> str:
    return f"{loop.title}  {loop.note}"


def _looks(picture: Picture, palette: Palette) -> Iterator[str]:
    """Yield a class for each role, and a color for each edge, because edges have no classes."""
    ink = palette.tones[TextTone.PLAIN]
    for role in dict.fromkeys(node.role for node in picture.nodes):
        paint = palette.roles[role]
        dash = ",stroke-dasharray:6 3" if paint.dashed else ""
        yield (
            f"  classDef {role} fill:{paint.fill},stroke:{paint.line},color:{ink}"
            f",stroke-width:{paint.border}px,text-align:left{dash}"
        )
    for flow in EdgeKind:
        numbers = [str(i) for i, edge in enumerate(picture.edges) if edge.flow is flow]
        if numbers:
            yield f"  linkStyle {','.join(numbers)} stroke:{palette.flows[flow].color}"


def escaped(words: str) -> str:
    """Return the text with all characters except letters as numeric entities, because Mermaid interprets markup, Markdown and its
    own symbols in labels.
    """
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in words)


def comment(words: str) -> str:
    """Return the text for a comment, in which Mermaid would take braces for a directive."""
    return words.replace("{", "(").replace("}", ")")

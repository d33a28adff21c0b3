"""Writes a block diagram in one of the formats of a picture."""

from minitape.draw.diagram.model import Diagram
from minitape.draw.diagram.write.graphs import dot, mermaid
from minitape.draw.diagram.write.svg import svg
from minitape.draw.write import paper
from minitape.draw.write.engine import FORMATS, Rendered
from minitape.errors import DrawError

_ENGINE = "block diagram"


def render(diagram: Diagram, fmt: str = "svg", *, theme: str = "light") -> Rendered:
    """Return the diagram as the content of a file.

    Args:
        diagram: The diagram.
        fmt: `svg`, `png`, `pdf`, `dot` or `mermaid`.
        theme: `light` or `dark`, for the first three.

    Raises:
        DrawError: the format or the theme is unknown, or the libraries for PNG and PDF are not installed.
    """
    if fmt not in FORMATS:
        raise DrawError(
            f"A slide cannot be written as {fmt!r}.", code="MT903", fix=", ".join(FORMATS)
        )
    if fmt == "mermaid":
        return Rendered(mermaid(diagram).encode(), _ENGINE)
    if fmt == "dot":
        return Rendered(dot(diagram).encode(), _ENGINE)
    drawn = svg(diagram, theme=theme)
    if fmt == "svg":
        return Rendered(drawn.encode(), _ENGINE)
    if not paper.can_paint(fmt):
        raise DrawError(
            f"A slide cannot be written as {fmt.upper()}: a library for it is not installed.",
            code="MT901",
            fix=f"{paper.INSTALL}, or write SVG",
        )
    data, note = paper.painted(drawn, fmt, diagram.headline)
    return Rendered(data, _ENGINE, note)

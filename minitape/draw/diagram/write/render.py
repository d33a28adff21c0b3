"""Writes a block diagram in one of the formats of a picture."""

from minitape.draw.diagram.model import Diagram
from minitape.draw.diagram.write.animation import frames
from minitape.draw.diagram.write.graphs import dot, mermaid
from minitape.draw.diagram.write.svg import svg
from minitape.draw.write import paper
from minitape.draw.write.engine import FORMATS, Rendered
from minitape.errors import DrawError

SLIDE_FORMATS = (*FORMATS, "gif")
_ENGINE = "block diagram"


def render(diagram: Diagram, fmt: str = "svg", *, theme: str = "light") -> Rendered:
    """Return the diagram as the content of a file.

    Args:
        diagram: The diagram.
        fmt: `svg`, `png`, `pdf`, `gif` (the forward and the backward pass in 12 seconds at most), `dot` or `mermaid`.
        theme: `light` or `dark`, for all but the last two.

    Raises:
        DrawError: the format or the theme is unknown, or the libraries for PNG, PDF and GIF are not installed.
    """
    if fmt not in SLIDE_FORMATS:
        raise DrawError(
            f"A slide cannot be written as {fmt!r}.", code="MT903", fix=", ".join(SLIDE_FORMATS)
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
    if fmt == "gif":
        drawings = [
            paper.Timed(svg(diagram, theme=theme, moment=frame.moment), frame.milliseconds)
            for frame in frames(diagram)
        ]
        data, note = paper.animated(drawings)
    else:
        data, note = paper.painted(drawn, fmt, diagram.headline)
    return Rendered(data, _ENGINE, note)

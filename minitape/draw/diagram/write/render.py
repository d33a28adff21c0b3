"""Writes a block diagram in one of the formats of a picture."""

from minitape.draw import words
from minitape.draw.diagram.model import Diagram
from minitape.draw.diagram.write.animation import frames
from minitape.draw.diagram.write.graphs import dot, mermaid
from minitape.draw.diagram.write.svg import svg
from minitape.draw.write import paper
from minitape.draw.write.engine import FORMATS, Rendered
from minitape.errors import DrawError

_ANIMATED = ("gif", "mp4")
_FORMATS = (*FORMATS, *_ANIMATED)
_ENGINE = "block diagram"


def render(diagram: Diagram, fmt: str = "svg", *, theme: str = "light") -> Rendered:
    """Return the diagram as the content of a file.

    Args:
        diagram: The diagram.
        fmt: `svg`, `png`, `pdf`, `gif` or `mp4` (the forward and the backward pass in 12 seconds at most), `dot` or `mermaid`.
        theme: `light` or `dark`, for all formats except the last two.

    Raises:
        DrawError: the format or the theme is unknown, or the libraries for PNG, PDF, GIF and MP4 are not installed.
    """
    if fmt not in _FORMATS:
        raise DrawError(
            f"A slide cannot be written as {fmt!r}.", code="MT903", fix=words.one_of(_FORMATS)
        )
    if fmt == "mermaid":
        return Rendered(mermaid(diagram).encode(), _ENGINE)
    if fmt == "dot":
        return Rendered(dot(diagram).encode(), _ENGINE)
    if fmt == "svg":
        return Rendered(svg(diagram, theme=theme).encode(), _ENGINE)
    if not paper.can_paint(fmt):
        raise DrawError(
            f"A slide cannot be written as {fmt.upper()}: the library that writes this format is not installed.",
            code="MT901",
            fix=f"run `{paper.INSTALL_VIDEO if fmt == 'mp4' else paper.INSTALL}`, or write SVG",
        )
    if fmt in _ANIMATED:
        drawings = [
            paper.Timed(svg(diagram, theme=theme, moment=frame.moment), frame.milliseconds)
            for frame in frames(diagram)
        ]
        data, note = paper.animated(drawings, fmt)
    else:
        data, note = paper.painted(svg(diagram, theme=theme), fmt, diagram.headline)
    return Rendered(data, _ENGINE, note)

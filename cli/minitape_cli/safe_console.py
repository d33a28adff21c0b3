"""A Rich console on which printed text cannot control the terminal; only Rich itself can."""

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from minitape.printable import printable_lines

_LINE_BREAKS = ("\n", "\n\r")  # Rich uses the second one in full-screen mode


class SafeConsole(Console):
    """Prints a dot for each control or bidirectional character in any text.

    Views also pass text in columns through `printable`, because Rich counts such characters as having no width.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield the segments of a renderable with safe text; control segments of Rich itself are not changed."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text in _LINE_BREAKS or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable_lines(segment.text), segment.style)

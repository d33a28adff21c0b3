"""Rich's console, on which Rich alone steers the terminal: no text that is printed on it does."""

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from minitape.printable import printable_lines

_LINE_BREAKS = ("\n", "\n\r")  # the second one is Rich's on a full screen


class SafeConsole(Console):
    """Shows a dot for each control or bidirectional character, whatever text a renderable holds.

    Views pass their text through `printable` themselves where it stands in columns, for Rich counts such characters as no width.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """The segments of a renderable, each of harmless text; Rich's own controls are left as they are."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text in _LINE_BREAKS or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable_lines(segment.text), segment.style)

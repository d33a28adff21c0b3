"""Where the words go: results to stdout, remarks to stderr, files whole or not at all.

Terminal    the two consoles of a command, and its symbols
write       an answer to a file, or to stdout
"""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

import typer

from minitape.printable import printable_lines
from minitape.storage import write_whole
from minitape_cli.options import Color

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_PIPED_WIDTH = 100


@dataclass(frozen=True)
class Symbols:
    """Signs that not every terminal has, with their plain twins."""

    cut: str
    none: str
    odd: str
    ok: str
    to: str
    times: str
    dots: str


_SIGNS = Symbols(cut="✂", none="✗", odd="~", ok="✓", to="→", times="×", dots="…")
_PLAIN = Symbols(cut="cut", none="x", odd="~", ok="ok", to=">", times="x", dots="...")


class Terminal:
    """Both streams of a command. The user's words are printed as they are: no markup in them."""

    def __init__(self, color: Color = Color.AUTO, *, quiet: bool = False) -> None:
        self._color = color
        self._quiet = quiet

    # Rich is loaded when something is to be said: by then the script is on its way.

    @cached_property
    def out(self) -> "Console":
        return _console(sys.stdout, self._color)

    @cached_property
    def err(self) -> "Console":
        return _console(sys.stderr, self._color)

    @property
    def has_signs(self) -> bool:
        """Whether stdout can show more than ASCII."""
        return self.out.encoding.lower().startswith("utf")

    @property
    def symbols(self) -> Symbols:
        return _SIGNS if self.has_signs else _PLAIN

    def show(self, renderable: "RenderableType") -> None:
        """A result."""
        if self.out.color_system is not None:
            self.out.print(renderable)
            return
        with self.out.capture() as captured:
            self.out.print(renderable)
        self.out.file.write(_without_padding(captured.get()))

    def say(self, line: "Text | str") -> None:
        """One line of a result that is not over yet: a text is cut to the page, a string is left as it is."""
        if isinstance(line, str):
            self.out.file.write(printable_lines(line) + "\n")
        else:
            cut: Literal["ellipsis", "crop"] = "ellipsis" if self.has_signs else "crop"
            self.out.print(line, no_wrap=True, overflow=cut)
        self.out.file.flush()

    @contextmanager
    def busy(self, doing: str) -> Iterator[Callable[[str], None]]:
        """A block that takes its time; a terminal is told, until it is over. What it gets is called with what it does now."""
        if self._quiet or not self.err.is_terminal:
            yield lambda _: None
            return
        with self.err.status(doing, spinner="line") as status:
            yield status.update

    def rule(self, title: str) -> None:
        """A line across the page: something new begins."""
        from rich.rule import Rule
        from rich.text import Text

        line = "─" if self.has_signs else "-"
        self.show(Rule(Text(title, style="bold"), characters=line, align="left", style="dim"))

    def show_page(self, markdown: str) -> None:
        """A page of text: laid out where a person reads it, as it is in a pipe."""
        from rich.markdown import Markdown

        self.out.print(Markdown(markdown) if self.out.is_terminal else markdown.rstrip("\n"))

    def as_text(self, renderable: "RenderableType") -> bytes:
        """What `show` would print, without colours, for a file."""
        from minitape_cli.safe_console import SafeConsole

        page = SafeConsole(width=_PIPED_WIDTH, color_system=None, file=io.StringIO())
        with page.capture() as captured:
            page.print(renderable, markup=False, highlight=False, emoji=False)
        return _without_padding(captured.get()).encode()

    def remark(self, text: str) -> None:
        """A word about the result, on stderr, unless the user wants it quiet."""
        from rich.text import Text

        if not self._quiet:
            self.err.print(Text(text, style="dim"), soft_wrap=True)

    def complain(self, what: str, fix: str | None = None, code: str | None = None) -> None:
        """What went wrong, what to write instead, where to read more."""
        from rich.text import Text

        lines = [Text.assemble(("error: ", "bold red"), what)]
        if fix is not None:
            lines.append(Text.assemble(("  try : ", "bold"), fix))
        if code is not None:
            lines.append(Text.assemble(("  more: ", "bold"), f"minitape explain {code}"))
        for line in lines:
            self.err.print(line, soft_wrap=True)


def _console(stream: TextIO, color: Color) -> "Console":
    from minitape_cli.safe_console import SafeConsole

    # An ASCII terminal gets \u... for letters it lacks, never an exception.
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    colored = _is_colored(stream, color)
    width = None if stream.isatty() or "COLUMNS" in os.environ else _PIPED_WIDTH
    return SafeConsole(
        file=stream,
        force_terminal=colored,
        color_system=_depth(stream) if colored else None,
        no_color=not colored,
        width=width,
        markup=False,
        highlight=False,
        emoji=False,
    )


def _without_padding(text: str) -> str:
    """Tables fill up their lines with blanks, which nobody wants in a file."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _depth(stream: TextIO) -> Literal["auto", "standard"]:
    return "auto" if stream.isatty() else "standard"


def _is_colored(stream: TextIO, color: Color) -> bool:
    if color is not Color.AUTO:
        return color is Color.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def write(
    data: bytes | str, to: Path | None, *, terminal: Terminal, inputs: tuple[Path, ...] = ()
) -> None:
    """Write a result to stdout (None or `-`), or to a file: whole or not at all.

    Args:
        data: Text is made printable. Bytes are written as they are: JSON and pictures, whose writers have seen to that.
        to: The file.
        terminal: Where it is said that a file was written.
        inputs: Files that must not be written over.

    Raises:
        typer.BadParameter: the folder does not exist, or the file is one of the `inputs`.
        OSError: the file cannot be written; it names the file.
    """
    if isinstance(data, str):
        data = printable_lines(data).encode()
    if to is None or str(to) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    check_writable(to, inputs=inputs)
    write_whole(to, data)
    terminal.remark(f"wrote {to}")


def check_writable(to: Path | None, *, inputs: tuple[Path, ...]) -> None:
    """Refuse a bad output before the script runs, not after.

    Raises:
        typer.BadParameter: the folder does not exist, or the file is one of the `inputs`.
    """
    if to is None or str(to) == "-":
        return
    if to.is_dir() or not to.parent.is_dir():
        missing = f"{to} is a folder" if to.is_dir() else f"there is no folder {to.parent}"
        raise typer.BadParameter(f"{missing}.", param_hint="--output")
    for each in inputs:
        if to.exists() and to.samefile(each):
            raise typer.BadParameter(f"{to} is what is read here.", param_hint="--output")


def in_short(name: str, room: int, dots: str) -> str:
    """The end of a name that is too long: `…dense_1/kernel`; it is what tells it from its like."""
    return name if len(name) <= room else f"{dots}{name[len(dots) - room :]}"

"""The output of a command: results to stdout, notes to stderr, and files, which are written completely or not at all.

Terminal    the two consoles of a command, and its symbols
write       writes an answer to a file or to stdout
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
from minitape_cli import messages
from minitape_cli.options import Color

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_PIPED_WIDTH = 100


@dataclass(frozen=True)
class Symbols:
    """The symbols of the output; `_PLAIN` has ASCII replacements for terminals without Unicode."""

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
    """Both output streams of a command. Text is printed literally: Rich markup in it has no effect.

    Args:
        color: When to use colors.
        quiet: Print no notes.
    """

    def __init__(self, color: Color = Color.AUTO, *, quiet: bool = False) -> None:
        self._color = color
        self._quiet = quiet

    # Rich is imported at the first output, when the script's process is already starting.

    @cached_property
    def out(self) -> "Console":
        return _console(sys.stdout, self._color)

    @cached_property
    def err(self) -> "Console":
        return _console(sys.stderr, self._color)

    @property
    def has_signs(self) -> bool:
        """Whether stdout can show Unicode symbols."""
        return self.out.encoding.lower().startswith("utf")

    def width_for(self, output: Path | None) -> int | None:
        """Return the width that tables may use; None in a pipe and in a file, where lines may be of any length."""
        is_limited = output is None and (self.out.file.isatty() or "COLUMNS" in os.environ)
        return self.out.width if is_limited else None

    @property
    def symbols(self) -> Symbols:
        return _SIGNS if self.has_signs else _PLAIN

    def show(self, renderable: "RenderableType") -> None:
        """Print a result to stdout."""
        if self.out.color_system is not None:
            self.out.print(renderable, crop=False)
            return
        with self.out.capture() as captured:
            self.out.print(renderable, crop=False)
        self.out.file.write(_without_padding(captured.get()))

    def say(self, line: "Text | str") -> None:
        """Print one line immediately. A `Text` is cut to the width of the terminal, a `str` is printed in full."""
        if isinstance(line, str):
            self.out.file.write(printable_lines(line) + "\n")
        else:
            cut: Literal["ellipsis", "crop"] = "ellipsis" if self.has_signs else "crop"
            self.out.print(line, no_wrap=True, overflow=cut)
        self.out.file.flush()

    @contextmanager
    def busy(self, doing: str) -> Iterator[Callable[[str], None]]:
        """Return a context that shows a spinner in a terminal while it lasts.

        Args:
            doing: The text next to the spinner.

        Yields:
            A function that replaces this text.
        """
        if self._quiet or not self.err.is_terminal:
            yield lambda _: None
            return
        with self.err.status(doing, spinner="line") as status:
            yield status.update

    def clear(self) -> None:
        """Clear the screen, if stdout is a terminal that can be cleared."""
        if self.out.file.isatty() and os.environ.get("TERM") != "dumb":
            self.out.clear()

    def rule(self, title: str) -> None:
        """Print a horizontal line with a title."""
        from rich.rule import Rule
        from rich.text import Text

        line = "─" if self.has_signs else "-"
        self.show(Rule(Text(title, style="bold"), characters=line, align="left", style="dim"))

    def show_page(self, markdown: str) -> None:
        """Print Markdown: formatted in a terminal, unchanged in a pipe."""
        from rich.markdown import Markdown

        self.out.print(Markdown(markdown) if self.out.is_terminal else markdown.rstrip("\n"))

    def as_text(self, renderable: "RenderableType") -> bytes:
        """Return the output of `show` without colors, for a file."""
        from minitape_cli.safe_console import SafeConsole

        page = SafeConsole(width=_PIPED_WIDTH, color_system=None, file=io.StringIO())
        with page.capture() as captured:
            page.print(renderable, markup=False, highlight=False, emoji=False, crop=False)
        return _without_padding(captured.get()).encode()

    def note(self, text: str) -> None:
        """Print a note to stderr, unless `--quiet` was given."""
        from rich.text import Text

        if not self._quiet:
            self.err.print(Text(text, style="dim"), soft_wrap=True)

    def complain(self, what: str, fix: str | None = None, code: str | None = None) -> None:
        """Print an error to stderr.

        Args:
            what: What went wrong.
            fix: What to write instead.
            code: The code of the page with more about it.
        """
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

    # An ASCII terminal gets \u... for characters it cannot show, never an exception.
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
    """Return the text without the trailing spaces of table rows."""
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
    """Write a result to stdout or to a file; a file is written completely or not at all.

    Args:
        data: In text, control characters are replaced. Bytes (JSON, pictures) are written unchanged.
        to: The file; None or `-` for stdout.
        terminal: Where the note that a file was written is printed.
        inputs: Files that must not be overwritten.

    Raises:
        typer.BadParameter: the folder does not exist, or the file is one of the `inputs`.
        OSError: the file cannot be written; the error names the file.
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
    terminal.note(messages.WROTE.format(path=to))


def check_writable(to: Path | None, *, inputs: tuple[Path, ...]) -> None:
    """Check an output file; commands call this before the script runs.

    Raises:
        typer.BadParameter: the folder does not exist, or the file is one of the `inputs`.
    """
    if to is None or str(to) == "-":
        return
    if to.is_dir():
        what = messages.OUTPUT_IS_A_FOLDER.format(path=to)
        raise typer.BadParameter(what, param_hint="--output")
    if not to.parent.is_dir():
        what = messages.NO_SUCH_FOLDER.format(path=to.parent)
        raise typer.BadParameter(what, param_hint="--output")
    for each in inputs:
        if to.exists() and to.samefile(each):
            what = messages.OUTPUT_IS_INPUT.format(path=to)
            raise typer.BadParameter(what, param_hint="--output")


def in_short(name: str, width: int, dots: str) -> str:
    """Return a name cut on the left to fit in `width` columns, such as `…dense_1/kernel`, because names differ at the end."""
    return name if len(name) <= width else f"{dots}{name[len(dots) - width :]}"

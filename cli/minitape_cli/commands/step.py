"""`minitape step SCRIPT`: steps through a run, forward and backward pass, on the whole terminal."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape.printable import printable_lines
from minitape_cli import messages, options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.console import Terminal
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.origin import Origins
    from minitape.trace.trace import Trace
    from minitape_cli.recording import Recording
    from minitape_cli.stepping import Session


@takes_script()
def step(
    asked: Asked,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="STEP",
            help="Start at STEP: a number, line:N, problem (the first one) or backward.",
        ),
    ] = None,
    text: Annotated[
        bool,
        typer.Option("--text", help="Print all steps, as is the default without a terminal."),
    ] = False,
    brief: Annotated[bool, typer.Option("--brief", help="Print one line per step.")] = False,
    output: options.Output = None,
) -> Exit:
    """Step through the run in the terminal.

    Move with the arrow keys; press ? for a list of all keys. In a pipe, all steps are printed.
    """
    terminal = asked.terminal
    asked.check_writable(output)
    recording = asked.recording(loads=("minitape_cli.views.stepper",))
    session = _session(recording, terminal, at)
    if session is None:
        if recording.is_unheard:
            terminal.complain(messages.NO_STEPS.format(why=recording.emptiness))
        elif not recording.is_of_nothing:
            terminal.complain(messages.NO_TAPE_OR_TENSOR)
    elif text or brief or output is not None or not _can_step(terminal):
        asked.write(_told(session, terminal, output, is_brief=brief), output)
    else:
        _go_through(session, terminal)
    return recording.exit(needs_tape=True)


def _told(session: "Session", terminal: Terminal, to: Path | None, *, is_brief: bool) -> str:
    """The steps from the session's current one to the last, as text."""
    from minitape_cli.views.stepper import told

    steps = session.story.steps[session.index :]
    lines = "".join(
        f"{printable_lines(line)}\n" for line in told(session.story, steps, is_brief=is_brief)
    )
    if to is None and not terminal.has_signs:
        return lines.replace("∂", "d").encode("ascii", "backslashreplace").decode()
    return lines


def _can_step(terminal: Terminal) -> bool:
    """Whether stdout is a terminal and keys can be read."""
    if not terminal.out.file.isatty() or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdin.isatty() or Path("/dev/tty").exists()


def _session(recording: "Recording", terminal: Terminal, at: str | None) -> "Session | None":
    """A session at the step `at`; None if the run has no steps.

    Raises:
        typer.BadParameter: the run has no step `at`.
    """
    from minitape import draw
    from minitape.explain.explain import explain
    from minitape.story import moves, tell
    from minitape_cli.stepping import Session, parsed

    trace = recording.trace
    report = explain(trace)
    story = tell(trace, report)
    if not story.steps:
        return None
    jumps = moves(story)
    start = 0 if at is None else parsed(story, jumps, at)
    if start is None:
        what = messages.NO_SUCH_STEP.format(count=len(story.steps), step=at)
        raise typer.BadParameter(what, param_hint="--at")

    @cache
    def drawn(call: int, width: int) -> str:
        picture = draw.picture(trace, report, call=call)
        return draw.text(picture, ascii=not terminal.has_signs, width=width)

    @cache
    def origins() -> "Origins":
        from minitape.origin import Origins  # imports the engine

        return Origins(trace, story)

    return Session(story, jumps, drawn, partial(_opened, trace, report), origins, start)


def _opened(trace: "Trace", report: "Report", start: int) -> str:
    """Write the run as a page and open it in the browser; returns a message with its path."""
    import tempfile
    import webbrowser

    from minitape.origin import described
    from minitape.page import page

    name = Path(trace.script).with_suffix(".html").name
    path = Path(tempfile.mkdtemp(prefix="minitape-")) / name
    path.write_text(page(trace, report, start=start, origins=described), encoding="utf-8")
    return f"{'opened' if webbrowser.open(path.as_uri()) else 'wrote'} {path}"


def _go_through(session: "Session", terminal: Terminal) -> None:
    """Show the session and handle keys until the user quits."""
    from minitape_cli.keys import Keyboard
    from minitape_cli.safe_console import SafeConsole
    from minitape_cli.views.stepper import stepper

    # Not the terminal's own console: without colors that one does not clear the screen.
    screen = SafeConsole(
        file=terminal.out.file,
        force_terminal=True,
        color_system=None if terminal.out.color_system is None else "auto",
        markup=False,
        highlight=False,
        emoji=False,
    )
    with Keyboard() as keyboard, screen.screen(hide_cursor=True) as page:

        def show() -> None:
            # Rich would use COLUMNS and LINES, which do not change when the terminal is resized.
            width, height = screen.size = os.get_terminal_size(terminal.out.file.fileno())
            page.update(stepper(session, terminal.symbols, width=width, height=height))

        with _on_resize(show):
            while not session.is_over:
                show()
                try:
                    for key in keyboard.read():
                        session.press(key)
                except KeyboardInterrupt:
                    session.press("ctrl-c")


@contextmanager
def _on_resize(show: Callable[[], None]) -> Iterator[None]:
    """Call `show` whenever the terminal is resized. Windows has no such signal: the next key redraws the screen."""
    if not hasattr(signal, "SIGWINCH"):
        yield
        return
    before = signal.signal(signal.SIGWINCH, lambda *_: show())
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)

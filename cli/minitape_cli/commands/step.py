"""`minitape step SCRIPT`: steps through a run, forward and backward pass, on the whole terminal."""

import os
import re
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
from minitape_cli.console import Terminal
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.terms import Expansions
    from minitape.timeline.norms import LoopNorms
    from minitape.trace.trace import Trace
    from minitape_cli.recording import RecordedRun
    from minitape_cli.stepping import StepperSession


_LONGEST_STEM = 60  # characters of a file name, each of up to four bytes


@takes_script()
def step(
    command: ScriptCommand,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="STEP",
            help="Start at STEP: a number, line:N, backward, or problem (the first problem; if there is none, the first note).",
        ),
    ] = None,
    text: Annotated[
        bool,
        typer.Option("--text", help="Print all steps. This is the default without a terminal."),
    ] = False,
    brief: Annotated[bool, typer.Option("--brief", help="Print one line per step.")] = False,
    output: options.Output = None,
) -> ExitCode:
    """Step through the run in the terminal.

    Move with the arrow keys; press ? for a list of all keys. In a pipe, all steps are printed.
    """
    terminal = command.terminal
    command.check_writable(output)
    recording = command.recording(loads=("minitape_cli.views.stepper",))
    session = _session(recording, terminal, at)
    if session is None:
        if recording.is_unrecorded:
            terminal.complain(messages.NO_STEPS.format(why=recording.emptiness))
        elif not recording.is_of_nothing:
            terminal.complain(messages.NO_TAPE_OR_TENSOR)
    elif text or brief or output is not None or not _can_step(terminal):
        command.write(_reported(session, terminal, output, is_brief=brief), output)
    else:
        _go_through(session, terminal)
    return recording.exit(needs_tape=True)


def _reported(
    session: "StepperSession", terminal: Terminal, to: Path | None, *, is_brief: bool
) -> str:
    """Return the steps from the session's current one to the last, as text."""
    from minitape_cli.views.stepper import reported

    steps = session.timeline.steps[session.index :]
    lines = "".join(
        f"{printable_lines(line)}\n"
        for line in reported(session.timeline, steps, is_brief=is_brief)
    )
    if to is None and not terminal.has_signs:
        return lines.replace("∂", "d").encode("ascii", "backslashreplace").decode()
    return lines


def _can_step(terminal: Terminal) -> bool:
    """Whether stdout is a terminal and keys can be read."""
    if not terminal.out.file.isatty() or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdin.isatty() or Path("/dev/tty").exists()


def _session(
    recording: "RecordedRun", terminal: Terminal, at: str | None
) -> "StepperSession | None":
    """Return a session at the step `at`; None if the run has no steps.

    Raises:
        typer.BadParameter: the run has no step `at`.
    """
    from minitape import draw
    from minitape.explain.explain import explain
    from minitape.timeline import build_timeline, moves
    from minitape.timeline.norms import norms_over_time
    from minitape_cli.stepping import StepperSession, parsed

    trace = recording.trace
    report = explain(trace)
    timeline = build_timeline(trace, report)
    if not timeline.steps:
        return None
    jumps = moves(timeline)
    start = 0 if at is None else parsed(timeline, jumps, at)
    if start is None:
        what = messages.NO_SUCH_STEP.format(count=len(timeline.steps), step=at)
        raise typer.BadParameter(what, param_hint="--at")

    @cache
    def drawn(call: int, width: int) -> str:
        picture = draw.picture(trace, report, call=call)
        return draw.text(picture, ascii=not terminal.has_signs, width=width)

    @cache
    def expansions() -> "Expansions":
        from minitape.terms import Expansions  # imports the engine

        return Expansions(trace, timeline)

    @cache
    def loops() -> "tuple[LoopNorms, ...]":
        return norms_over_time(trace, report)

    return StepperSession(
        timeline, jumps, drawn, partial(_opened, trace, report), expansions, loops, start
    )


def _opened(trace: "Trace", report: "Report", start: int) -> str:
    """Write the run as a page and open it in the browser; returns a message with its path, or with why it cannot be written."""
    import shutil
    import tempfile
    import webbrowser

    from minitape.errors import StorageError
    from minitape.html import page
    from minitape.storage import temporary_files
    from minitape.terms import described

    text = page(trace, report, start=start, expansions=described)
    # A trace may name a script that no file can have.
    stem = re.sub(r"[^\w. -]", "_", Path(trace.script).stem)[:_LONGEST_STEM] or "run"
    try:
        with temporary_files():
            path = Path(tempfile.mkdtemp(prefix="minitape-")) / f"{stem}.html"
            try:
                path.write_text(text, encoding="utf-8")
            except BaseException:  # including Ctrl-C
                shutil.rmtree(path.parent, ignore_errors=True)
                raise
    except StorageError as error:
        return error.what
    return f"{'opened' if webbrowser.open(path.as_uri()) else 'wrote'} {path}"


def _go_through(session: "StepperSession", terminal: Terminal) -> None:
    """Show the session and handle keys until the user quits."""
    from minitape_cli.keys import Keyboard
    from minitape_cli.safe_console import SafeConsole
    from minitape_cli.views.stepper import stepper

    # A separate console, because the terminal's own one does not clear the screen if colors are off.
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
    """Call `show` whenever the terminal is resized. Windows has no such signal, so there the next key redraws the screen."""
    if not hasattr(signal, "SIGWINCH"):
        yield
        return
    before = signal.signal(signal.SIGWINCH, lambda *_: show())
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)

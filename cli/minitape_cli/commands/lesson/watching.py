"""`minitape lesson watch`, and `minitape lesson` alone: checks a file whenever it is saved."""

import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import options
from minitape_cli.commands.lesson.context import Name, here
from minitape_cli.console import Terminal
from minitape_cli.exits import ExitCode

if TYPE_CHECKING:
    from minitape.course.course import Exercise
    from minitape.course.workspace import Workspace


def watch(
    name: Name = None,
    manual: Annotated[
        bool,
        typer.Option(
            "--manual",
            help="Do not watch the file. Type a key and press Enter, or press Enter alone to run the file.",
        ),
    ] = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Check your file whenever it is saved.

    Press a key for a hint, the picture or the next exercise. Without a terminal, type the keys as
    lines on stdin.
    """
    terminal = Terminal(color)
    workspace = here(terminal)
    exercise = workspace.named(name)
    if manual or not is_terminal(terminal):
        _by_lines(workspace, exercise, terminal)
    else:
        _by_keys(workspace, exercise, terminal)
    raise typer.Exit(ExitCode.DONE)


def is_terminal(terminal: Terminal) -> bool:
    """Whether stdin and stdout are a terminal that can read single keys."""
    is_dumb = os.environ.get("TERM") == "dumb"
    return terminal.out.file.isatty() and sys.stdin.isatty() and not is_dumb


def _by_keys(workspace: "Workspace", exercise: "Exercise", terminal: Terminal) -> None:
    from minitape_cli.file_changes import POLL
    from minitape_cli.keys import Keyboard
    from minitape_cli.lesson_watch import LessonWatch

    with Keyboard() as keyboard:
        watching = LessonWatch(workspace, exercise, terminal, keyboard.suspended)
        watching.begin()
        keyboard.forget()  # keys typed while a check ran were not answers to its result
        while not watching.is_over:
            for key in keyboard.read(POLL):
                watching.press(key)
                if watching.is_over:
                    return
            if watching.look():
                keyboard.forget()


def _by_lines(workspace: "Workspace", exercise: "Exercise", terminal: Terminal) -> None:
    from minitape_cli.lesson_watch import LessonWatch

    watching = LessonWatch(workspace, exercise, terminal, nullcontext)
    watching.begin()
    while not watching.is_over:
        line = sys.stdin.readline()
        if not line:
            return
        watching.press(line.strip()[:1] or "enter")


def go_on(context: typer.Context) -> None:
    """Work through the course, exercise by exercise.

    Without a subcommand, continue where you are: in a terminal, watch the next exercise; otherwise
    print your progress.
    """
    if context.invoked_subcommand is not None:
        return
    from minitape_cli.views import lesson as views

    terminal = Terminal()
    workspace = here(terminal)
    following = workspace.pending()
    if following is None:
        for line in views.farewell(workspace.course):
            terminal.show(line)
        raise typer.Exit(ExitCode.DONE)
    if is_terminal(terminal):
        _by_keys(workspace, workspace.named(None), terminal)
        raise typer.Exit(ExitCode.DONE)
    for line in views.opening(workspace, following):
        terminal.show(line)
    terminal.show(views.standing(workspace, following, terminal.symbols))
    raise typer.Exit(ExitCode.FINDING)

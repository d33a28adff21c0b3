"""What the commands of the course share: options, the course folder, and the exit code of an attempt."""

from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import messages
from minitape_cli.coaching import emit_note
from minitape_cli.console import Terminal
from minitape_cli.exits import ExitCode

if TYPE_CHECKING:
    from minitape.course.attempts import Attempt
    from minitape.course.workspace import Workspace


def names(incomplete: str) -> list[str]:
    """Return the names of exercises that start with `incomplete`, for shell completion."""
    from minitape.course.workspace import found

    workspace = found()
    every = () if workspace is None else workspace.course.exercises
    return [name for each in every for name in (each.short, each.id) if name.startswith(incomplete)]


Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="An exercise, such as 04/ex2. Default: the next one.",
        show_default=False,
        autocompletion=names,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        metavar="N",
        help="Test with the random inputs of seed N.",
        show_default=False,
    ),
]
Timeout = Annotated[
    float,
    typer.Option("--timeout", min=0.1, metavar="SECONDS", help="Stop a file after SECONDS."),
]


def here(terminal: Terminal) -> "Workspace":
    """Return the course folder that the current folder is in.

    Raises:
        CourseError: the current folder is not in a course folder.
    """
    from minitape.course.workspace import found
    from minitape.errors import CourseError

    workspace = found()
    if workspace is None:
        raise CourseError(messages.NO_COURSE, fix="run `minitape lesson init` to create one")
    emit_note(workspace, terminal)
    return workspace


def exit_of(came: "Attempt") -> ExitCode:
    """Return the exit code for the result of an attempt."""
    from minitape.course.attempts import Status

    return {
        Status.PASSED: ExitCode.DONE,
        Status.FAILED: ExitCode.FINDING,
        Status.TIMEOUT: ExitCode.LIMIT,
        Status.MEMORY: ExitCode.LIMIT,
        Status.OUTPUT_LIMIT: ExitCode.LIMIT,
        Status.INTERRUPTED: ExitCode.INTERRUPTED,
    }.get(came.status, ExitCode.SCRIPT)

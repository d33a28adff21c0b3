"""What the commands of the course have in common: the course folder, the exercise that is meant, and how an attempt is told."""

from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli.console import Terminal
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.course.course import Exercise
    from minitape.course.place import Place
    from minitape.course.trying import Attempt

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]", help="An exercise: 04/ex2. Default: the next one.", show_default=False
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, help="Draw the same numbers again.", show_default=False),
]
Timeout = Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds for one file.")]


def here(terminal: Terminal) -> "Place":
    """The course folder.

    Raises:
        CourseError: there is none.
    """
    from minitape.course.place import found
    from minitape.errors import CourseError

    place = found()
    if place is None:
        raise CourseError("there is no course folder here.", fix="minitape lesson init")
    tell_remark(place, terminal)
    return place


def tell_remark(place: "Place", terminal: Terminal) -> None:
    """Say once that the progress file was damaged, if it was."""
    if place.progress.remark:
        terminal.remark(place.progress.remark)
        place.progress.remark = ""


def tried(
    place: "Place", exercise: "Exercise", *, seed: int | None = None, timeout: float = 30
) -> "Attempt":
    """An attempt at a student's file, written down."""
    from minitape.course.trying import attempt

    file = place.file(exercise)
    came = attempt(exercise, file, seed, timeout)
    place.progress.tried(place.course, exercise, file, came)
    return came


def tell(place: "Place", exercise: "Exercise", came: "Attempt", terminal: Terminal) -> None:
    """How it came out; and then what the explainer has to say, or what to take home."""
    from minitape_cli.views import lesson as views

    terminal.show(views.outcome(exercise, came, terminal.symbols))
    if came.ok:
        terminal.show(views.debrief(exercise))
    elif views.is_failure(came) and not views.is_guess(exercise, came):
        terminal.say("")
        terminal.show(views.explained(came, terminal))


def exit_of(came: "Attempt") -> Exit:
    """The exit code that an attempt is worth."""
    from minitape.course.trying import Status

    return {
        Status.PASSED: Exit.DONE,
        Status.FAILED: Exit.FINDING,
        Status.TIMEOUT: Exit.LIMIT,
        Status.MEMORY: Exit.LIMIT,
        Status.OUTPUT_LIMIT: Exit.LIMIT,
        Status.INTERRUPTED: Exit.INTERRUPTED,
    }.get(came.status, Exit.SCRIPT)

"""`minitape lesson init`, `list` and `reset`: the course folder."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape.printable import printable
from minitape_cli import messages, options
from minitape_cli.commands.lesson.context import here, names
from minitape_cli.console import Terminal, write
from minitape_cli.exits import ExitCode

if TYPE_CHECKING:
    from minitape.course.workspace import Workspace

_LONG = 100  # minutes; longer times are shown in hours


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder to create.")] = Path(
        "minitape-course"
    ),
    track: Annotated[
        str,
        typer.Option(
            "--track",
            metavar="full|fast",
            help="Create all exercises (full), or one exercise per lesson (fast).",
        ),
    ] = "full",
    source: Annotated[
        Path | None,
        typer.Option(
            "--course", metavar="DIR", help="Use the course in DIR instead of minitape's."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Add missing files to a folder that is not empty.")
    ] = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Create a course folder with lessons and exercises."""
    from minitape.course.workspace import DEFAULT, made

    if track not in ("full", "fast"):
        raise typer.BadParameter(messages.FULL_OR_FAST, param_hint="--track")
    terminal = Terminal(color)
    workspace = made(folder, source, track, fills=force)
    count, minutes = len(workspace.exercises), sum(each.minutes for each in workspace.exercises)
    duration = f"{minutes} minutes" if minutes < _LONG else f"{round(minutes / 60)} hours"
    exercises = messages.counted(count, "exercise")
    made_of = {"title": workspace.course.title, "exercises": exercises, "duration": duration}
    terminal.say(messages.COURSE_MADE.format(**made_of, folder=folder))
    if folder != DEFAULT:
        terminal.say(f"  cd {folder}")
    terminal.say(messages.READ_FIRST.format(script=_first(workspace, folder)))
    terminal.say(messages.TRY_FIRST)


def _first(workspace: "Workspace", folder: Path) -> Path:
    script = Path(workspace.exercises[0].lesson) / "lesson.py"
    return folder / script if folder == Path("minitape-course") else script


def listed(
    lesson: Annotated[
        str | None,
        typer.Option("--lesson", metavar="N", help="List only lesson N.", show_default=False),
    ] = None,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """List all exercises with their state.

    Each row also shows the number of tries, the hints used, and the minutes an exercise takes.
    """
    from minitape_cli.envelope import envelope
    from minitape_cli.views import lesson as views

    terminal = Terminal(color)
    workspace = here(terminal)
    only = None if lesson is None else workspace.course.lesson(lesson).name
    if json:
        data = as_data(workspace, only)
        ok = all(each["state"] == "passed" for each in data)
        write(envelope("lesson-list", data, ok=ok), None, terminal=terminal)
    else:
        terminal.show(views.listing(workspace, only, terminal.symbols))


def as_data(workspace: "Workspace", lesson: str | None = None) -> list[dict[str, object]]:
    """Return the progress of the student, as JSON data."""
    from msgspec import to_builtins

    known = []
    for each in workspace.exercises:
        if lesson in (None, each.lesson):
            entry = to_builtins(workspace.progress.entry(each))
            about = {"exercise": each.id, "title": each.title, "minutes": each.minutes}
            known.append(
                entry | about | {"state": workspace.state(each).value, "points": each.points}
            )
    return known


def reset(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="An exercise, such as 04/ex2.", autocompletion=names),
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Restore the original file of an exercise. Your version is kept in .minitape/backup."""
    from minitape_cli.views.lesson import shortened

    terminal = Terminal(color)
    workspace = here(terminal)
    exercise = workspace.course.exercise(name)
    file = workspace.file(exercise)
    if file.exists() and not yes:
        if not sys.stdin.isatty():
            raise typer.BadParameter(messages.NO_ANSWER, param_hint="--yes")
        question = messages.ASK_TO_RESET.format(path=printable(shortened(file)))
        if not typer.confirm(question, err=True):
            raise typer.Exit(ExitCode.DONE)
    kept = workspace.reset(exercise)
    if kept is not None:
        terminal.note(messages.KEPT_AS.format(path=shortened(kept)))
    terminal.say(messages.IS_RESET.format(exercise=exercise.short, path=shortened(file)))

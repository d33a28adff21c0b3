"""`minitape lesson init`, `list` and `reset`: the course folder."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape.printable import printable
from minitape_cli import options
from minitape_cli.commands.lesson.here import here, names
from minitape_cli.console import Terminal, write
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.course.place import Place

_LONG = 100  # minutes; more are told in hours


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where; it is made.")] = Path(
        "minitape-course"
    ),
    track: Annotated[
        str, typer.Option("--track", metavar="full|fast", help="fast: one exercise a lesson.")
    ] = "full",
    source: Annotated[
        Path | None, typer.Option("--course", metavar="DIR", help="Another course than minitape's.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Add what is missing to a folder that is not empty.")
    ] = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Make a course folder: lessons to read and run, exercises to complete."""
    from minitape.course.place import DEFAULT, made

    if track not in ("full", "fast"):
        raise typer.BadParameter("full or fast.", param_hint="--track")
    terminal = Terminal(color)
    place = made(folder, source, track, fills=force)
    count, minutes = len(place.exercises), sum(each.minutes for each in place.exercises)
    takes = f"{minutes} minutes" if minutes < _LONG else f"{round(minutes / 60)} hours"
    exercises = f"{count} exercise{'s' * (count != 1)}"
    terminal.say(f"{place.course.title}: {exercises}, about {takes}, in {folder}")
    if folder != DEFAULT:
        terminal.say(f"  cd {folder}")
    terminal.say(f"  python {_first(place, folder)}    the first lesson, to be read and run")
    terminal.say("  minitape lesson          the first exercise")


def _first(place: "Place", folder: Path) -> Path:
    script = Path(place.exercises[0].lesson) / "lesson.py"
    return folder / script if folder == Path("minitape-course") else script


def listed(
    lesson: Annotated[
        str | None, typer.Option("--lesson", metavar="N", help="Only this one.", show_default=False)
    ] = None,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """All exercises: state, tries, hints that were read, minutes."""
    from minitape_cli.envelope import envelope
    from minitape_cli.views import lesson as views

    terminal = Terminal(color)
    place = here(terminal)
    only = None if lesson is None else place.course.lesson(lesson).name
    if json:
        data = as_data(place, only)
        ok = all(each["state"] == "passed" for each in data)
        write(envelope("lesson-list", data, ok=ok), None, terminal=terminal)
    else:
        terminal.show(views.listing(place, only, terminal.symbols))


def as_data(place: "Place", lesson: str | None = None) -> list[dict[str, object]]:
    """Where the student stands, for programs."""
    from msgspec import to_builtins

    known = []
    for each in place.exercises:
        if lesson in (None, each.lesson):
            entry = to_builtins(place.progress.entry(each))
            about = {"exercise": each.id, "title": each.title, "minutes": each.minutes}
            known.append(entry | about | {"state": place.state(each).value, "points": each.points})
    return known


def reset(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An exercise: 04/ex2.", autocompletion=names)
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Put an exercise back as it was given out. Your text is kept in .minitape/backup."""
    from minitape_cli.views.lesson import shortened

    terminal = Terminal(color)
    place = here(terminal)
    exercise = place.course.exercise(name)
    file = place.file(exercise)
    if file.exists() and not yes:
        if not sys.stdin.isatty():
            raise typer.BadParameter("nobody is here to be asked.", param_hint="--yes")
        if not typer.confirm(
            f"put {printable(shortened(file))} back as it was given out?", err=True
        ):
            raise typer.Exit(Exit.DONE)
    kept = place.reset(exercise)
    if kept is not None:
        terminal.remark(f"your text is kept as {shortened(kept)}")
    terminal.say(f"{exercise.short} is as it was given out: {shortened(file)}")

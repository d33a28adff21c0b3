"""`minitape lesson new` and `lint`: for who writes lessons."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, write
from minitape_cli.exits import Exit


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where; it is made.")],
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Make a course of your own: one lesson, one exercise and its solution, to go on from."""
    from minitape.course.new import written

    terminal = Terminal(color)
    for file in written(folder):
        terminal.say(str(file))
    terminal.remark(f"minitape lesson lint {folder} --solutions {folder / 'solutions'}")


def lint(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A lesson, or a course of them.")],
    solutions: Annotated[
        Path | None,
        typer.Option(
            "--solutions", metavar="DIR", help="A right answer to each exercise, NAME.py."
        ),
    ] = None,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Is a lesson as it should be?

    Its texts are read and its exercises tried: each starter has to fail as it declares, and each
    solution to pass with 20 seeds. Exits with 1 if something is to be mended.
    """
    from minitape.course.course import course, lesson
    from minitape.course.lint import linted
    from minitape_cli.envelope import envelope

    terminal = Terminal(color)
    lessons = course(folder).lessons if (folder / "course.toml").exists() else (lesson(folder),)
    faults = []
    for each in lessons:
        for fault in linted(each, solutions):
            faults.append(fault)
            if not json:
                terminal.say(str(fault))
    exercises = sum(len(each.exercises) for each in lessons)
    if json:
        data = [{"file": str(each.file), "what": each.what} for each in faults]
        write(envelope("lesson-lint", data, ok=not faults), None, terminal=terminal)
    elif not faults:
        terminal.say(f"{exercises} exercise{'s' * (exercises != 1)}: nothing to mend")
    raise typer.Exit(Exit.FINDING if faults else Exit.DONE)

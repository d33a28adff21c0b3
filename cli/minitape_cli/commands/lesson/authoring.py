"""`minitape lesson new` and `lint`: for authors of lessons."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.console import Terminal, write
from minitape_cli.exits import ExitCode


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create.")],
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Create a course of your own to build on.

    It starts with one lesson, one exercise and its solution.
    """
    from minitape.course.new import written

    terminal = Terminal(color)
    for file in written(folder):
        terminal.say(str(file))
    terminal.note(
        f"Check it with `minitape lesson lint {folder} --solutions {folder / 'solutions'}`."
    )


def lint(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder of a lesson or of a course.")
    ],
    solutions: Annotated[
        Path | None,
        typer.Option(
            "--solutions",
            metavar="DIR",
            help="Take the correct answer to each exercise from DIR/NAME.py.",
        ),
    ] = None,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Check a lesson or a course for mistakes.

    Check the texts, and run the exercises: each starter must fail as declared, and each solution
    must pass with 20 seeds. The exit code is 1 if something must be fixed.
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
        terminal.say(messages.NO_FAULTS.format(exercises=messages.counted(exercises, "exercise")))
    raise typer.Exit(ExitCode.FINDING if faults else ExitCode.DONE)

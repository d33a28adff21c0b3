"""`minitape lesson new`, `lint` and `answers`: for authors of lessons, and for teachers."""

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
    """Create a small course as a starting point for your own.

    The new course has one lesson with one exercise and its solution.
    """
    from minitape.course.authoring.new import written

    terminal = Terminal(color)
    for file in written(folder):
        terminal.say(str(file))
    terminal.note(
        f"Check it with `minitape lesson lint {folder} --solutions {folder / 'solutions'}`."
    )


def answers(
    source: Annotated[
        Path | None,
        typer.Option(
            "--course", metavar="DIR", help="Use the course in DIR instead of minitape's."
        ),
    ] = None,
    solutions: Annotated[
        Path | None,
        typer.Option(
            "--solutions",
            metavar="DIR",
            help="Read the solutions from DIR. Default: the folder that course.toml names.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Write the page to FILE.")
    ] = Path("answers.html"),
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Write the answer book of a course: one HTML page for the teacher.

    For each exercise, the page shows the task, the solution, the expected time, what each check
    looks at, the known misconceptions and the hints. Print the page from the browser to get a PDF.
    """
    from minitape.course.authoring.answer_book import answer_book
    from minitape.course.course import course

    terminal = Terminal(color)
    taught = course(source)
    folder = solutions or taught.solutions
    if folder is None or not folder.is_dir():
        raise typer.BadParameter(messages.NO_SOLUTIONS, param_hint="--solutions")
    write(answer_book(taught, folder).encode(), output, terminal=terminal)


def lint(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder of a lesson or of a course.")
    ],
    solutions: Annotated[
        Path | None,
        typer.Option(
            "--solutions",
            metavar="DIR",
            help="Read the correct answer to each exercise from DIR/NAME.py.",
        ),
    ] = None,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Check a lesson or a course for mistakes.

    Check the texts, and run the exercises: each starter must fail as declared, and each solution
    must pass with 2,000 seeds, or as many as fit into 50 seconds. The exit code is 1 if
    something must be fixed.
    """
    from minitape.course.authoring.lint import linted
    from minitape.course.course import course, lesson
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

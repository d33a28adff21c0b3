"""`minitape lesson hint`, `show` and `see`: help with an exercise."""

from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.coaching import show_hint, show_picture
from minitape_cli.commands.lesson.context import Name, Seed, here
from minitape_cli.console import Terminal


def hint(
    name: Name = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            min=1,
            max=3,
            metavar="N",
            help="Show hint N. Default: the next one.",
            show_default=False,
        ),
    ] = None,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Show the next hint for an exercise.

    The first hint is a question, the second names the line and the concept, and the third solves
    a similar problem.
    """
    terminal = Terminal(color)
    workspace = here(terminal)
    show_hint(workspace, workspace.named(name), terminal, level)


def show(name: Name = None, color: options.Colored = options.Color.AUTO) -> None:
    """Show the task of an exercise and the path of its file."""
    from minitape_cli.views import lesson as views

    terminal = Terminal(color)
    workspace = here(terminal)
    exercise = workspace.named(name)
    terminal.show_page(views.statement(workspace.file(exercise)))
    terminal.say("")
    terminal.show(views.linked(workspace.file(exercise)))


def see(
    name: Name = None,
    html: Annotated[
        bool, typer.Option("--html", help="Open the run in the browser as a page to step through.")
    ] = False,
    output: options.Output = None,
    seed: Seed = None,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Draw what your file recorded on its tape, even if its checks fail.

    With --html, write the run as a page to FILE, or next to your saved progress. The exit code is 6
    if the file used no tape.
    """
    from minitape.course.attempts import attempt

    terminal = Terminal(color)
    workspace = here(terminal)
    exercise = workspace.named(name)
    came = attempt(exercise, workspace.file(exercise), seed)
    raise typer.Exit(show_picture(workspace, exercise, came, terminal, html=html, to=output))

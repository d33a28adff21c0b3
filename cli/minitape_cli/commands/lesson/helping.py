"""`minitape lesson hint`, `show` and `see`: what helps with an exercise."""

from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.coaching import show_hint, show_picture
from minitape_cli.commands.lesson.here import Name, Seed, here
from minitape_cli.console import Terminal


def hint(
    name: Name = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level", min=1, max=3, help="1, 2 or 3. Default: the next.", show_default=False
        ),
    ] = None,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """The next hint: a question, then the place and the concept, then another one solved."""
    terminal = Terminal(color)
    place = here(terminal)
    show_hint(place, place.named(name), terminal, level)


def show(name: Name = None, color: options.Colored = options.Color.AUTO) -> None:
    """What an exercise asks, and where its file is."""
    from minitape_cli.views import lesson as views

    terminal = Terminal(color)
    place = here(terminal)
    exercise = place.named(name)
    terminal.show_page(views.statement(place.file(exercise)))
    terminal.say("")
    terminal.show(views.linked(place.file(exercise)))


def see(
    name: Name = None,
    html: Annotated[
        bool, typer.Option("--html", help="As a page to step through, in the browser.")
    ] = False,
    output: options.Output = None,
    seed: Seed = None,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """The picture of what your file did on its tape, right or wrong.

    Exits with 6 if it used no tape. With --html it is a page, written beside your progress or to -o.
    """
    from minitape.course.trying import attempt

    terminal = Terminal(color)
    place = here(terminal)
    exercise = place.named(name)
    came = attempt(exercise, place.file(exercise), seed)
    raise typer.Exit(show_picture(place, exercise, came, terminal, html=html, to=output))

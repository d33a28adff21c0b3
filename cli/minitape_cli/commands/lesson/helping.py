"""`minitape lesson hint`, `show` and `see`: what helps with an exercise."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import options
from minitape_cli.commands.lesson.here import Name, Seed, here
from minitape_cli.console import Terminal, write
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.course.course import Exercise
    from minitape.course.place import Place
    from minitape.course.trying import Attempt


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
    tell_hint(place, place.named(name), terminal, level)


def tell_hint(
    place: "Place", exercise: "Exercise", terminal: Terminal, level: int | None = None
) -> None:
    """Show a hint, by default the next, and write down that it was read."""
    from minitape_cli.views import lesson as views

    most = len(exercise.hints)
    chosen = min(level or place.progress.entry(exercise).hints + 1, most)
    place.progress.hinted(exercise, chosen)
    terminal.show(views.hint(exercise, chosen))


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
    raise typer.Exit(tell_picture(place, exercise, came, terminal, html=html, to=output))


def tell_picture(
    place: "Place",
    exercise: "Exercise",
    came: "Attempt",
    terminal: Terminal,
    *,
    html: bool = False,
    to: Path | None = None,
) -> Exit:
    """Draw what an attempt recorded."""
    from minitape import draw
    from minitape.explain.explain import explain
    from minitape.trace import events

    if not came.trace.of(events.TapeEnter):
        terminal.complain(came.said or "the file ran, but it opened no tape: nothing to draw.")
        return Exit.NOTHING
    report = explain(came.trace)
    if not html:
        picture = draw.picture(came.trace, report)
        width = terminal.out.width
        text = draw.text(picture, ascii=not terminal.has_signs, width=width) + "\n"
        write(text.encode(), to, terminal=terminal)
        return Exit.DONE
    from minitape.page import page

    file = to or place.folder / ".minitape" / f"{exercise.lesson}-{exercise.name}.html"
    write(page(came.trace, report).encode(), file, terminal=terminal)
    if to is None and terminal.out.file.isatty():
        import webbrowser

        webbrowser.open(file.resolve().as_uri())
    return Exit.DONE

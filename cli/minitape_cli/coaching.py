"""What the course prints for a student, both for commands and for keys of `minitape lesson watch`.

emit_note    a note that the progress file was damaged
tried          runs the student's file, checks it, and saves the result
emit           prints the result, then the explanation or the summary of the exercise
show_hint      prints the next hint
show_picture   draws what the attempt recorded, as a picture or a page
"""

from pathlib import Path
from typing import TYPE_CHECKING

from minitape_cli import messages
from minitape_cli.console import Terminal, write
from minitape_cli.exits import ExitCode

if TYPE_CHECKING:
    from minitape.course.attempts import Attempt
    from minitape.course.course import Exercise
    from minitape.course.workspace import Workspace


def emit_note(place: "Workspace", terminal: Terminal) -> None:
    """Print a note, only once, if the progress file was damaged."""
    if place.progress.remark:
        terminal.remark(place.progress.remark)
        place.progress.remark = ""


def tried(
    place: "Workspace",
    exercise: "Exercise",
    terminal: Terminal,
    *,
    seed: int | None = None,
    timeout: float = 30,
) -> "Attempt":
    """Run a student's file and check it; the result is saved unless the attempt was interrupted.

    Args:
        place: The course folder.
        exercise: The exercise to check.
        terminal: Where progress is shown.
        seed: The seed of random inputs; None draws a new one.
        timeout: Seconds until the file is stopped.
    """
    from minitape.course.attempts import Status, attempt

    file = place.file(exercise)
    with terminal.busy(f"checking {exercise.short}"):
        came = attempt(exercise, file, seed, timeout)
    if came.status is not Status.INTERRUPTED:
        place.progress.tried(place.course, exercise, file, came)
    emit_note(place, terminal)
    return came


def emit(place: "Workspace", exercise: "Exercise", came: "Attempt", terminal: Terminal) -> None:
    """Print the result of an attempt, then the summary of the exercise or an explanation of the failure."""
    from minitape_cli.views import lesson as views

    terminal.show(views.outcome(exercise, came, terminal.symbols))
    if came.ok:
        terminal.show(views.debrief(exercise))
    elif views.is_failure(came) and not views.is_guess(exercise, came):
        terminal.say("")
        terminal.show(views.explained(came, terminal))


def show_hint(
    place: "Workspace", exercise: "Exercise", terminal: Terminal, level: int | None = None
) -> None:
    """Print a hint, by default the next one, and save that it was read."""
    from minitape_cli.views import lesson as views

    most = len(exercise.hints)
    following = level or place.progress.entry(exercise).hints + 1
    chosen = min(following, most)
    place.progress.hinted(exercise, chosen)
    terminal.show(views.hint(exercise, chosen, again=following > most))


def show_picture(
    place: "Workspace",
    exercise: "Exercise",
    came: "Attempt",
    terminal: Terminal,
    *,
    html: bool = False,
    to: Path | None = None,
) -> ExitCode:
    """Draw what an attempt recorded, in the terminal or as a page; returns the exit code."""
    from minitape import draw
    from minitape.explain.explain import explain
    from minitape.trace import events

    if not came.trace.of(events.TapeEnterEvent):
        terminal.complain(came.said or messages.ATTEMPT_HAS_NO_TAPE)
        return ExitCode.NOTHING
    report = explain(came.trace)
    if not html:
        picture = draw.picture(came.trace, report)
        width = terminal.out.width
        text = draw.text(picture, ascii=not terminal.has_signs, width=width) + "\n"
        write(text.encode(), to, terminal=terminal)
        return ExitCode.DONE
    from minitape.html import page
    from minitape.terms import described

    file = to or place.folder / ".minitape" / f"{exercise.lesson}-{exercise.name}.html"
    write(page(came.trace, report, expansions=described).encode(), file, terminal=terminal)
    if to is None and terminal.out.file.isatty():
        import webbrowser

        webbrowser.open(file.resolve().as_uri())
    return ExitCode.DONE

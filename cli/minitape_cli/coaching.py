"""What the course prints for a student, both for commands and for keys of `minitape lesson watch`.

emit_note      a note that the progress file was damaged
tried          runs the student's file, checks it, and saves the result
emit           prints the result, with the explanation if it is offered, and the summary of an exercise that passed
explain        prints the explanation on request
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


def emit_note(workspace: "Workspace", terminal: Terminal) -> None:
    """Print a note, only once, if the progress file was damaged."""
    if workspace.progress.note:
        terminal.note(workspace.progress.note)
        workspace.progress.note = ""


def tried(
    workspace: "Workspace",
    exercise: "Exercise",
    terminal: Terminal,
    *,
    seed: int | None = None,
    timeout: float = 30,
) -> "Attempt":
    """Run a student's file and check it; the result is saved unless the attempt was interrupted.

    Args:
        workspace: The course folder.
        exercise: The exercise to check.
        terminal: Where progress is shown.
        seed: The seed of random inputs; None draws a new one.
        timeout: Seconds until the file is stopped.
    """
    from minitape.course.attempts import Status, attempt

    file = workspace.file(exercise)
    with terminal.busy(f"checking {exercise.short}"):
        came = attempt(exercise, file, seed, timeout)
    if came.status is not Status.INTERRUPTED:
        workspace.progress.tried(workspace.course, exercise, file, came)
    emit_note(workspace, terminal)
    return came


def emit(
    workspace: "Workspace",
    exercise: "Exercise",
    came: "Attempt",
    terminal: Terminal,
    *,
    requested: bool = False,
) -> None:
    """Print the result of an attempt: the output, the explanation if it is offered, and the failed check last.

    Args:
        workspace: The course folder.
        exercise: The exercise.
        came: The attempt.
        terminal: Where the result is printed.
        requested: Whether the student asked for the explanation.
    """
    from minitape.course.explaining import is_offered
    from minitape_cli.views import lesson as views

    entry = workspace.progress.entry(exercise)
    is_explained = (
        views.is_failure(came)
        and (requested or not views.is_guess(exercise, came))
        and is_offered(exercise, entry, requested=requested)
    )
    terminal.show(views.printed(exercise, came, terminal))
    if is_explained:
        terminal.show(views.explained(workspace.file(exercise), came, terminal))
        terminal.say("")
    elif requested and not came.ok:
        terminal.note(messages.NO_EXPLANATION[exercise.explanation])
    terminal.show(views.outcome(exercise, came, terminal.symbols, is_explained=is_explained))
    if came.ok:
        terminal.show(views.debrief(exercise))


def explain(
    workspace: "Workspace", exercise: "Exercise", came: "Attempt", terminal: Terminal
) -> None:
    """Print the explanation of an attempt that the student asked for, or why there is none yet."""
    from minitape.course.explaining import is_offered
    from minitape_cli.views import lesson as views

    if is_offered(exercise, workspace.progress.entry(exercise), requested=True) or came.ok:
        terminal.show(views.explained(workspace.file(exercise), came, terminal))
    else:
        terminal.say(messages.NO_EXPLANATION[exercise.explanation])


def show_hint(
    workspace: "Workspace", exercise: "Exercise", terminal: Terminal, level: int | None = None
) -> None:
    """Print a hint, by default the next one, and save that it was read."""
    from minitape.course.explaining import first_hint
    from minitape.source_text import decoded
    from minitape.storage import read_file
    from minitape_cli.views import lesson as views

    most = len(exercise.hints)
    following = level or workspace.progress.entry(exercise).hints + 1
    chosen = min(following, most)
    text = exercise.hints[chosen - 1]
    own = None
    if chosen == 1:
        entry, file = workspace.progress.entry(exercise), workspace.file(exercise)
        own = first_hint(exercise, entry, decoded(read_file(file)))
    workspace.progress.hinted(exercise, chosen)
    terminal.show(views.hint(own or text, chosen, most, again=following > most))


def show_picture(
    workspace: "Workspace",
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
        terminal.complain(came.message or messages.ATTEMPT_HAS_NO_TAPE)
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

    file = to or workspace.folder / ".minitape" / f"{exercise.lesson}-{exercise.name}.html"
    write(page(came.trace, report, expansions=described).encode(), file, terminal=terminal)
    if to is None and terminal.out.file.isatty():
        import webbrowser

        webbrowser.open(file.resolve().as_uri())
    return ExitCode.DONE

"""`minitape lesson run` and `check-all`: checks one exercise, or all of them."""

from typing import Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.coaching import emit, tried
from minitape_cli.commands.lesson.context import Name, Seed, Timeout, exit_of, here
from minitape_cli.console import Terminal, write
from minitape_cli.exits import ExitCode


def run(
    name: Name = None,
    seed: Seed = None,
    timeout: Timeout = 30,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Also show the explanation, if the exercise allows it."),
    ] = False,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Run your file and check the result.

    The exit code is 1 if a check fails, 3 if the file raised an exception, and 4 if it was
    stopped.
    """
    from minitape_cli.envelope import envelope
    from minitape_cli.views import lesson as views

    terminal = Terminal(color)
    workspace = here(terminal)
    exercise = workspace.named(name)
    came = tried(workspace, exercise, terminal, seed=seed, timeout=timeout)
    if json:
        about = {"exercise": exercise.id, "file": str(workspace.file(exercise))}
        data = about | came.as_data() | {"printed": came.printed}
        write(envelope("lesson-run", data, ok=came.ok), None, terminal=terminal)
    else:
        emit(workspace, exercise, came, terminal, requested=explain)
        following = (workspace.pending(exercise) or exercise) if came.ok else exercise
        terminal.say("")
        terminal.show(views.standing(workspace, following, terminal.symbols))
        if not came.ok:
            terminal.note(f"Get a hint with `minitape lesson hint {exercise.short}`.")
    raise typer.Exit(exit_of(came))


def check_all(
    seed: Seed = None,
    timeout: Timeout = 30,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Check all exercises. The exit code is 1 unless all pass."""
    from minitape.course.attempts import Limits
    from minitape.course.parallel_attempts import AttemptRequest, attempts
    from minitape_cli.envelope import envelope
    from minitape_cli.views import lesson as views

    terminal = Terminal(color)
    workspace = here(terminal)
    there = [
        AttemptRequest(each, workspace.file(each))
        for each in workspace.exercises
        if workspace.file(each).exists()
    ]
    data = []
    with terminal.busy(f"checking {len(there)} exercises"):
        for number, came in attempts(there, seed=seed, limits=Limits(timeout)):
            exercise, file = there[number].exercise, there[number].file
            workspace.progress.tried(workspace.course, exercise, file, came)
            data.append({"exercise": exercise.id} | came.as_data())
    passed = sum(each["status"] == "passed" for each in data)
    is_good = passed == len(workspace.exercises)
    if json:
        data.sort(key=lambda each: str(each["exercise"]))
        write(envelope("lesson-check-all", data, ok=is_good), None, terminal=terminal)
    else:
        terminal.show(views.listing(workspace, None, terminal.symbols))
        terminal.say(messages.PASSED_OF.format(passed=passed, total=len(workspace.exercises)))
    raise typer.Exit(ExitCode.DONE if is_good else ExitCode.FINDING)

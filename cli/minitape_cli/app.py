"""The commands in one list; the one place where errors become words and exit codes."""

import errno
import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from minitape.printable import printable_lines
from minitape_cli.commands import (
    check,
    compare,
    completion,
    diff,
    doctor,
    examples,
    explain,
    graph,
    html,
    lesson,
    ops,
    run,
    step,
    trace,
)
from minitape_cli.console import Terminal
from minitape_cli.exits import Exit
from minitape_cli.version import version


class _Commands(TyperGroup):
    """Turns what a command could not handle into words and an exit code."""

    def make_context(self, *args: Any, **rest: Any) -> Any:
        try:
            return super().make_context(*args, **rest)
        except typer.TyperException as error:
            raise _harmless(error) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except typer.TyperException as error:
            raise _harmless(error) from None
        except KeyboardInterrupt as interrupt:
            raise typer.Exit(Exit.INTERRUPTED) from interrupt
        except OSError as error:
            raise typer.Exit(_system_said(error)) from error
        except Exception as error:
            raise typer.Exit(_told(error)) from error


def _harmless(error: typer.TyperException) -> typer.TyperException:
    """What Typer prints itself, with nothing in it that steers a terminal: a message may name a file."""
    if isinstance(message := getattr(error, "message", None), str):
        error.message = printable_lines(message)
    return error


def _told(error: Exception) -> Exit:
    """Say what went wrong, and by whose mistake."""
    from minitape.errors import CourseError, DrawError, PythonError, StorageError, TraceError

    if isinstance(error, CourseError | TraceError | DrawError | PythonError | StorageError):
        Terminal().complain(error.what, error.fix, error.code)
        lacks = isinstance(error, DrawError) or getattr(error, "lacks", None) is not None
        return Exit.MISSING_TOOL if lacks else Exit.USAGE
    sys.stderr.write(printable_lines("".join(traceback.format_exception(error))))
    Terminal().complain(
        "this is a bug in minitape, not in your script.",
        "report it with the lines above and `minitape doctor`",
    )
    return Exit.BUG


def _system_said(error: OSError) -> Exit:
    """The code for an error of the system; a reader that left (`| head`) is no error."""
    if error.errno == errno.EPIPE:
        # Python flushes stdout when it leaves, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    Terminal().complain(f"{error.filename or 'output'}: {error.strerror or error}.")
    return Exit.USAGE


app = typer.Typer(
    cls=_Commands,
    pretty_exceptions_enable=False,
    epilog="Try: minitape explain numpy_detour",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    run.run,
    trace.trace,
    step.step,
    graph.graph,
    html.html,
    explain.explain,
    check.check,
    diff.diff,
    compare.compare,
    ops.ops,
    doctor.doctor,
):
    app.command()(command)
app.add_typer(lesson.app, name="lesson")
app.add_typer(examples.app, name="examples")
app.command()(completion.completion)

_WELCOME = """\
minitape: see, question and repair what a GradientTape did.

  minitape explain SCRIPT          why is my gradient None?
  minitape trace SCRIPT            what did the tape record, and what flowed back?
  minitape step SCRIPT             the same, step by step, forward and back
  minitape graph SCRIPT -o t.svg   the tape as a picture
  minitape check SCRIPT            are my gradients right?
  minitape diff A B                where do two runs part?
  minitape compare SCRIPT          does TensorFlow compute the same?
  minitape run SCRIPT              just run it
  minitape examples                scripts to try these on
  minitape lesson init             a course: lessons, exercises, and why they fail
  minitape --help                  all commands
"""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minitape {version()}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def welcome(
    context: typer.Context,
    _: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """See, question and repair what a GradientTape did."""
    if context.invoked_subcommand is None:
        typer.echo(_WELCOME + _course_here(), nl=False)


def _course_here() -> str:
    """A word on the course folder, if one is here."""
    near = Path.cwd(), *Path.cwd().parents, Path.cwd() / "minitape-course"
    if not any((folder / ".minitape" / "course.json").exists() for folder in near):
        return ""
    from minitape.course.place import found

    place = found()
    following = None if place is None else place.pending()
    if following is None:
        return ""
    return f"\nGo on with {following.short}, {following.title}: minitape lesson\n"

"""The list of commands, and the code that turns errors into messages and exit codes."""

import errno
import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from minitape.printable import printable_lines
from minitape_cli import messages
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
from minitape_cli.exits import ExitCode
from minitape_cli.help_sections import SectionedCommand
from minitape_cli.version import version


class _Commands(TyperGroup):
    """Turns each error that a command did not handle into a message and an exit code."""

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
            raise typer.Exit(ExitCode.INTERRUPTED) from interrupt
        except OSError as error:
            raise typer.Exit(_print_os_error(error)) from error
        except Exception as error:
            raise typer.Exit(_reported(error)) from error


def _harmless(error: typer.TyperException) -> typer.TyperException:
    """Return the error without control characters in its message, because Typer prints it, and it may quote a file name."""
    if isinstance(message := getattr(error, "message", None), str):
        error.message = printable_lines(message)
    return error


def _reported(error: Exception) -> ExitCode:
    """Print what went wrong, and whether the script or minitape is at fault; returns the exit code."""
    from minitape.errors import CourseError, DrawError, PythonError, StorageError, TraceError

    if isinstance(error, CourseError | TraceError | DrawError | PythonError | StorageError):
        Terminal().complain(error.what, error.fix, error.code)
        lacks = isinstance(error, DrawError) or getattr(error, "lacks", None) is not None
        return ExitCode.MISSING_TOOL if lacks else ExitCode.USAGE
    sys.stderr.write(printable_lines("".join(traceback.format_exception(error))))
    Terminal().complain(messages.BUG, messages.REPORT_BUG)
    return ExitCode.BUG


def _print_os_error(error: OSError) -> ExitCode:
    """Print an error of the operating system; return the exit code. A closed pipe (`| head`) is not an error."""
    if error.errno == errno.EPIPE:
        # Python flushes stdout when it exits, and would print an error then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    Terminal().complain(
        messages.SYSTEM_ERROR.format(
            file=error.filename or "output", reason=error.strerror or error
        )
    )
    return ExitCode.USAGE


# The options that had a different name before the first release.
_OLD_NAMES = {"listen": "trace-calls", "why-sure": "evidence"}


def _current(token: str) -> str:
    """Return the current name of a renamed option; any other word is returned unchanged."""
    return _OLD_NAMES.get(token, token)


app = typer.Typer(
    cls=_Commands,
    pretty_exceptions_enable=False,
    epilog="Try: minitape explain numpy_detour",
    rich_markup_mode=None,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "token_normalize_func": _current,
    },
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
    app.command(cls=SectionedCommand)(command)
app.add_typer(lesson.app, name="lesson")
app.add_typer(examples.app, name="examples")
app.command(cls=SectionedCommand)(completion.completion)

_WELCOME = """\
minitape: find out why a gradient is None, and see what a GradientTape recorded.

  minitape explain SCRIPT          explain why a gradient is None, zero or NaN
  minitape trace SCRIPT            print each op and each step of the backward pass
  minitape step SCRIPT             go through the same steps with the arrow keys
  minitape graph SCRIPT -o t.svg   draw the tape as a picture
  minitape html SCRIPT             write the run as a page to step through
  minitape check SCRIPT            check each gradient against finite differences
  minitape diff A B                show where two runs differ
  minitape compare SCRIPT          compare a run with the same run on TensorFlow
  minitape run SCRIPT              run a script and summarize its tapes
  minitape examples                list scripts to try these commands on
  minitape lesson init             start the course: lessons and exercises
  minitape --help                  list all commands and options
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
            "--version",
            "-V",
            callback=_print_version,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Find out why a gradient is None, and see what a GradientTape recorded."""
    if context.invoked_subcommand is None:
        typer.echo(_WELCOME + _course_here(), nl=False)


def _course_here() -> str:
    """Return the command that continues the course, if a course folder is here; else an empty string."""
    near = Path.cwd(), *Path.cwd().parents, Path.cwd() / "minitape-course"
    if not any((folder / ".minitape" / "course.json").exists() for folder in near):
        return ""
    from minitape.course.workspace import found

    workspace = found()
    following = None if workspace is None else workspace.pending()
    if following is None:
        return ""
    return f"\nContinue the course with {following.short}, {following.title}: minitape lesson\n"

"""`minitape doctor`: shows what is installed and what minitape can use of it."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, write
from minitape_cli.exits import ExitCode


def doctor(
    python: Annotated[
        Path | None,
        typer.Option("--python", metavar="PATH", help="Check TensorFlow in the Python at PATH."),
    ] = None,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="Print nothing, and only set the exit code.")
    ] = False,
) -> None:
    """Check what is installed, and what minitape can use.

    If TensorFlow is installed in this Python, or in the one that --python names, trace a small
    program on it to see whether that works. The exit code is 5 if something is missing.
    """
    from minitape_cli import checkup, views
    from minitape_cli.envelope import envelope

    terminal = Terminal(color)
    checks = checkup.checks(terminal, python)
    healthy = all(check.ok for check in checks)
    if json:
        write(envelope("doctor", checkup.as_data(checks), ok=healthy), None, terminal=terminal)
    elif not quiet:
        terminal.show(views.checkup(checks, terminal.symbols))
    raise typer.Exit(ExitCode.DONE if healthy else ExitCode.MISSING_TOOL)

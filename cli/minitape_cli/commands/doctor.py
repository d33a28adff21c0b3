"""`minitape doctor`: what is installed here, and what minitape makes of it."""

from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, write
from minitape_cli.exits import Exit


def doctor(
    python: options.Python = None,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Only the exit code.")] = False,
) -> None:
    """Look at what is installed here.

    TensorFlow is tried out, if it is there, or in the Python that --python names: can it be heard?
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
    raise typer.Exit(Exit.DONE if healthy else Exit.MISSING_TOOL)

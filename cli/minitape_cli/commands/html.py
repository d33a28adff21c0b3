"""`minitape html SCRIPT`: writes a run as one HTML page to step through."""

import webbrowser
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minitape_cli import messages, options
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace


class PageTheme(StrEnum):
    """The colors of a page; `auto` follows the reader's system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


@takes_script(first=("output", "shows", "watch", "call", "theme"))
def html(
    command: ScriptCommand,
    output: options.Output = None,
    shows: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    theme: Annotated[
        PageTheme, typer.Option("--theme", help="Choose the colors.")
    ] = PageTheme.AUTO,
    cards: Annotated[
        int | None,
        typer.Option(
            "--cards",
            min=1,
            metavar="N",
            help="Collapse loops, functions and layers in pictures of more than N nodes.",
            show_default="60",
        ),
    ] = None,
    call: Annotated[
        int | None,
        typer.Option(
            "--call", min=1, metavar="N", help="Open the page at the N-th gradient call of the run."
        ),
    ] = None,
    engine: options.Engine = None,
    watch: options.Watch = False,
    port: options.Port = None,
) -> ExitCode:
    """Write the run as an HTML page to step through.

    The page is one file that works offline: source, picture, values and gradients. Without -o it
    is written to SCRIPT.tape.html in the current folder. With --call it opens at that gradient
    call. With --watch it is served instead of written, and keeps its step when the script changes.
    """
    options.check_served(watch=watch, port=port, output=output)
    paged = partial(_paged, theme=theme.value, cards=cards, call=call, engine=engine)
    if watch:
        from minitape_cli.serving.watch import PageSpec, serve

        return serve(
            command,
            paged,
            PageSpec(port or 0, shows, call, theme.value, ("minitape.html", "minitape.terms")),
        )
    to = output or Path(f"{_stem(command)}.tape.html")
    if shows and str(to) == "-":
        raise typer.BadParameter(messages.OPEN_NEEDS_FILE, param_hint="--open")
    command.check_writable(to)
    recording = command.recording(call=call, loads=("minitape.html", "minitape.terms"))
    if recording.has_tapes:
        from minitape.explain.explain import explain

        text = paged(recording.trace, explain(recording.trace))
        command.write(text, to)
        if shows:
            webbrowser.open(to.resolve().as_uri())
    elif not recording.is_of_nothing:
        command.terminal.complain(messages.NO_STEPS.format(why=recording.emptiness))
    return recording.exit(needs_tape=True)


def _paged(trace: "Trace", report: "Report", live: int | None = None, **run_options: Any) -> str:
    from minitape.html import page
    from minitape.terms import described

    return page(trace, report, live=live, expansions=described, **run_options)


def _stem(command: ScriptCommand) -> str:
    return (
        "code"
        if command.is_code
        else "stdin"
        if command.name == "-"
        else Path(command.name or "").stem
    )

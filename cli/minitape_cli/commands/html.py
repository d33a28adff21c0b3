"""`minitape html SCRIPT`: writes a run as one HTML page to step through."""

import webbrowser
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minitape_cli import messages, options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace


class Theme(StrEnum):
    """The colors of a page; `auto` follows the reader's system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


@takes_script(first=("output", "shows", "watch", "call", "theme"))
def html(
    asked: Asked,
    output: options.Output = None,
    shows: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    theme: Annotated[Theme, typer.Option("--theme", help="Choose the colors.")] = Theme.AUTO,
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
) -> Exit:
    """Write the run as an HTML page to step through.

    The page is one file that works offline: source, picture, values and gradients. Without -o it
    is written to SCRIPT.tape.html in the current folder. With --call it opens at that gradient
    call. With --watch it is served instead of written, and keeps its step when the script changes.
    """
    options.check_served(watch=watch, port=port, output=output)
    paged = partial(_paged, theme=theme.value, cards=cards, call=call, engine=engine)
    if watch:
        from minitape_cli.serving.watch import Wish, serve

        return serve(
            asked,
            paged,
            Wish(port or 0, shows, call, theme.value, ("minitape.page", "minitape.origin")),
        )
    to = output or Path(f"{_stem(asked)}.tape.html")
    if shows and str(to) == "-":
        raise typer.BadParameter(messages.OPEN_NEEDS_FILE, param_hint="--open")
    asked.check_writable(to)
    recording = asked.recording(call=call, loads=("minitape.page", "minitape.origin"))
    if recording.has_tapes:
        from minitape.explain.explain import explain

        text = paged(recording.trace, explain(recording.trace))
        asked.write(text, to)
        if shows:
            webbrowser.open(to.resolve().as_uri())
    elif not recording.is_of_nothing:
        asked.terminal.complain(messages.NO_STEPS.format(why=recording.emptiness))
    return recording.exit(needs_tape=True)


def _paged(trace: "Trace", report: "Report", live: int | None = None, **wishes: Any) -> str:
    from minitape.origin import described
    from minitape.page import page

    return page(trace, report, live=live, origins=described, **wishes)


def _stem(asked: Asked) -> str:
    return (
        "code" if asked.is_code else "stdin" if asked.name == "-" else Path(asked.name or "").stem
    )

"""`minitape html SCRIPT`: the run as one page to step through, offline."""

import webbrowser
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minitape_cli import options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace


class Theme(StrEnum):
    """The colours of a page; `auto` are those of the reader's system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


@takes_script()
def html(
    asked: Asked,
    output: options.Output = None,
    shows: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    theme: Annotated[Theme, typer.Option("--theme", help="Its colours.")] = Theme.AUTO,
    cards: Annotated[
        int | None,
        typer.Option(
            "--cards", min=1, metavar="N", help="Roll pictures up above N cards.", show_default="60"
        ),
    ] = None,
    call: options.Call = None,
    engine: options.Engine = None,
    watch: options.Watch = False,
    port: options.Port = None,
) -> Exit:
    """Write the run as a page to step through.

    One file that works offline: source, picture, numbers. Without -o it is SCRIPT.tape.html, here. With --call it opens
    where that call is asked. With --watch nothing is written: the page is served, and keeps your step.
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
        raise typer.BadParameter("--open needs a file, not stdout.", param_hint="--open")
    asked.check_writable(to)
    recording = asked.recording(call=call, loads=("minitape.page", "minitape.origin"))
    if recording.has_tapes:
        from minitape.explain.explain import explain

        text = paged(recording.trace, explain(recording.trace))
        asked.write(text, to)
        if shows:
            webbrowser.open(to.resolve().as_uri())
    elif not recording.is_of_nothing:
        asked.terminal.complain(f"{recording.emptiness}: there is nothing to step through.")
    return recording.exit(needs_tape=True)


def _paged(trace: "Trace", report: "Report", live: int | None = None, **wishes: Any) -> str:
    from minitape.origin import described
    from minitape.page import page

    return page(trace, report, live=live, origins=described, **wishes)


def _stem(asked: Asked) -> str:
    return (
        "code" if asked.is_code else "stdin" if asked.name == "-" else Path(asked.name or "").stem
    )

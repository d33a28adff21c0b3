"""`minitape html SCRIPT`: the run as one page to step through, offline."""

import webbrowser
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit


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
        int, typer.Option("--cards", min=1, metavar="N", help="Roll pictures up above N cards.")
    ] = 60,
    call: options.Call = None,
    engine: options.Engine = None,
) -> Exit:
    """Write the run as a page to step through.

    One file that works offline: source, picture, numbers. Without -o it is SCRIPT.tape.html, here. With --call it opens
    where that call is asked.
    """
    to = output or Path(f"{_stem(asked)}.tape.html")
    if shows and str(to) == "-":
        raise typer.BadParameter("--open needs a file, not stdout.", param_hint="--open")
    asked.check_writable(to)
    recording = asked.recording(call=call, loads=("minitape.page",))
    if recording.has_tapes:
        from minitape.explain.explain import explain
        from minitape.page import page

        trace = recording.trace
        text = page(trace, explain(trace), theme=theme.value, cards=cards, call=call, engine=engine)
        asked.write(text.encode(), to)
        if shows:
            webbrowser.open(to.resolve().as_uri())
    elif not recording.is_of_nothing:
        asked.terminal.complain(f"{recording.emptiness}: there is nothing to step through.")
    return recording.exit(needs_tape=True)


def _stem(asked: Asked) -> str:
    return (
        "code" if asked.is_code else "stdin" if asked.name == "-" else Path(asked.name or "").stem
    )

"""`minitape html SCRIPT`: the run as one page to step through, offline."""

import webbrowser
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write


class Theme(StrEnum):
    """The colours of a page; `auto` are those of the reader's system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


def html(
    script: options.Script,
    args: options.Arguments = None,
    is_code: options.IsCode = False,
    is_module: options.IsModule = False,
    output: options.Output = None,
    shows: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    theme: Annotated[Theme, typer.Option("--theme", help="Its colours.")] = Theme.AUTO,
    cards: Annotated[
        int, typer.Option("--cards", min=1, metavar="N", help="Roll pictures up above N cards.")
    ] = 60,
    call: options.Call = None,
    engine: Annotated[
        str | None,
        typer.Option("--engine", help="graphviz-pure, dot, built-in, or a program."),
    ] = None,
    as_tensorflow: options.AsTensorFlow = False,
    timeout: options.Timeout = 30,
    max_ops: options.MaxOps = 20_000,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Write the run as a page to step through.

    One file that works offline: source, picture, numbers. Without -o it is SCRIPT.tape.html, here. With --call it opens
    where that call is asked.
    """
    from minitape.debug.explain import explain
    from minitape.debug.page import page
    from minitape_cli.recording import record

    terminal = Terminal(color, quiet=quiet)
    asked = options.program(script, is_code=is_code, is_module=is_module)
    inputs = options.files(asked)
    to = output or Path(f"{_stem(script, is_code)}.tape.html")
    check_writable(to, inputs=inputs)
    if shows and str(to) == "-":
        raise typer.BadParameter("--open needs a file, not stdout.", param_hint="--open")
    recording = record(
        asked,
        args,
        as_tensorflow=as_tensorflow,
        timeout=timeout,
        max_ops=max_ops,
        seed=seed,
        quiet=quiet,
    )
    recording.tell(terminal)
    recording.check_call(call)
    ending = recording.exit(needs=("tape_enter",))
    if not recording.trace.of("tape_enter"):
        terminal.complain(
            "the script ran, but it opened no tape: there is nothing to step through."
        )
        raise typer.Exit(ending)
    text = page(
        recording.trace,
        explain(recording.trace),
        theme=theme.value,
        cards=cards,
        call=call,
        engine=engine,
    )
    write(text.encode(), to, terminal=terminal, inputs=inputs)
    if shows:
        webbrowser.open(to.resolve().as_uri())
    raise typer.Exit(ending)


def _stem(script: str, is_code: bool) -> str:
    return "code" if is_code else "stdin" if script == "-" else Path(script).stem

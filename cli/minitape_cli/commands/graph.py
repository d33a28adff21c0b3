"""`minitape graph SCRIPT`: the tape a script made, as a picture."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write

_FILE_WIDTH = 100


class Format(StrEnum):
    """What a picture is written as."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    DOT = "dot"
    MERMAID = "mermaid"
    TXT = "txt"


class Theme(StrEnum):
    """The colours of a picture."""

    LIGHT = "light"
    DARK = "dark"


class Direction(StrEnum):
    """Which way a picture runs: top to bottom, or left to right."""

    TB = "TB"
    LR = "LR"


class View(StrEnum):
    """Which way is drawn."""

    FORWARD = "forward"
    BACKWARD = "backward"
    BOTH = "both"


class Values(StrEnum):
    """How much of the numbers is drawn."""

    NONE = "none"
    SHORT = "short"
    STRIP = "strip"


def _number_of_op(text: str) -> int:
    """`#12` and `12` alike, as cards write it."""
    number = text.removeprefix("#")
    if not number.isdecimal():
        raise typer.BadParameter(f"{text} is no number of an op: write #12.")
    return int(number)


def graph(
    script: options.Script,
    args: options.Arguments = None,
    is_code: options.IsCode = False,
    is_module: options.IsModule = False,
    output: options.Output = None,
    format: Annotated[
        Format | None,
        typer.Option("--format", help="Default: by the suffix of FILE, else txt."),
    ] = None,
    call: options.Call = None,
    view: Annotated[View, typer.Option("--view", help="What is drawn.")] = View.FORWARD,
    values: Annotated[
        Values, typer.Option("--values", help="Numbers: none, short, or with strips of cells.")
    ] = Values.STRIP,
    cards: Annotated[
        int | None,
        typer.Option(
            "--cards", min=1, metavar="N", help="Roll up above N cards.", show_default="60"
        ),
    ] = None,
    path: Annotated[
        bool, typer.Option("--path", help="Only what the gradient passes, or would have.")
    ] = False,
    around: Annotated[
        int | None,
        typer.Option(
            "--around", parser=_number_of_op, metavar="#N", help="Only what is near op N."
        ),
    ] = None,
    hops: Annotated[
        int, typer.Option("--hops", min=0, metavar="K", help="With --around: K edges away.")
    ] = 2,
    constants: Annotated[
        bool, typer.Option("--constants/--no-constants", help="Draw constants.")
    ] = True,
    unroll: Annotated[
        bool, typer.Option("--unroll", help="Each turn of a loop and each op of a function.")
    ] = False,
    open: Annotated[
        list[str] | None,
        typer.Option("--open", metavar="F", help="Never close function or layer F to one card."),
    ] = None,
    close: Annotated[
        list[str] | None,
        typer.Option("--close", metavar="F", help="Close each call of function or layer F."),
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Gradients over turns on a logarithmic scale.")
    ] = False,
    theme: Annotated[Theme, typer.Option("--theme", help="Its colours.")] = Theme.LIGHT,
    rankdir: Annotated[Direction, typer.Option("--rankdir", help="Its direction.")] = Direction.TB,
    legend: Annotated[bool, typer.Option("--legend", help="Explain the signs in it.")] = False,
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
    """Draw the tape as a picture.

    It shows values, gradients and where one was lost. Without -o it is drawn with letters, in
    the terminal.
    """
    from minitape.debug import draw
    from minitape.debug.explain import explain
    from minitape_cli.recording import record

    terminal = Terminal(color, quiet=quiet)
    asked = options.program(script, is_code=is_code, is_module=is_module)
    check_writable(output, inputs=options.files(asked))
    chosen = format or _by_suffix(output)
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
        terminal.complain("the script ran, but it opened no tape: there is nothing to draw.")
        raise typer.Exit(ending)
    picture = draw.picture(
        recording.trace,
        explain(recording.trace),
        call=call,
        cards=cards,
        view=view.value,
        values=values.value,
        path=path,
        around=around,
        hops=hops,
        constants=constants,
        unroll=unroll,
        open=open or (),
        close=close or (),
        log=log,
    )
    if chosen is Format.TXT:
        width = terminal.out.width if output is None else _FILE_WIDTH
        text = draw.text(picture, ascii=not terminal.has_signs, width=width) + "\n"
        write(text.encode(), output, terminal=terminal, inputs=options.files(asked))
        raise typer.Exit(ending)
    rendered = draw.render(
        picture,
        chosen.value,
        engine=engine,
        theme=theme.value,
        rankdir=rankdir.value,
        legend=legend,
    )
    if rendered.remark:
        terminal.remark(rendered.remark)
    write(rendered.data, output, terminal=terminal, inputs=options.files(asked))
    raise typer.Exit(ending)


def _by_suffix(output: Path | None) -> Format:
    if output is None or str(output) == "-":
        return Format.TXT
    suffix = output.suffix.lower().removeprefix(".")
    try:
        return Format.MERMAID if suffix == "mmd" else Format(suffix)
    except ValueError:
        raise typer.BadParameter(
            f"{output.name} does not end in {', '.join(f'.{each}' for each in Format)}, .mmd.",
            param_hint="--output",
        ) from None

"""`minitape graph SCRIPT`: the tape a script made, as a picture."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minitape_cli import options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.draw import Picture
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace

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


@dataclass(frozen=True)
class Paint:
    """How a picture is painted: the words of `minitape.draw.render`."""

    theme: str
    rankdir: str
    legend: bool
    engine: str | None


def _shows(
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
    log: Annotated[
        bool, typer.Option("--log", help="Gradients over turns on a logarithmic scale.")
    ] = False,
) -> dict[str, Any]:
    """What of a run is drawn: words of `minitape.draw.picture`."""
    return {
        "view": view.value,
        "values": values.value,
        "cards": cards,
        "path": path,
        "around": around,
        "hops": hops,
        "constants": constants,
        "log": log,
    }


def _rolls_up(
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
) -> dict[str, Any]:
    """What of it is rolled up: more words of `minitape.draw.picture`."""
    return {"unroll": unroll, "open": open or (), "close": close or ()}


def _paints(
    theme: Annotated[Theme, typer.Option("--theme", help="Its colours.")] = Theme.LIGHT,
    rankdir: Annotated[Direction, typer.Option("--rankdir", help="Its direction.")] = Direction.TB,
    legend: Annotated[bool, typer.Option("--legend", help="Explain the signs in it.")] = False,
    engine: options.Engine = None,
) -> Paint:
    """How it is painted."""
    return Paint(theme.value, rankdir.value, legend, engine)


@takes_script(_shows, _rolls_up, _paints)
def graph(
    asked: Asked,
    shows: dict[str, Any],
    rolls_up: dict[str, Any],
    paint: Paint,
    output: options.Output = None,
    format: Annotated[
        Format | None,
        typer.Option("--format", help="Default: by the suffix of FILE, else txt."),
    ] = None,
    call: options.Call = None,
    terms: Annotated[
        bool,
        typer.Option("--terms", help="What is sent back, as terms: for tapes of a few ops."),
    ] = False,
    watch: options.Watch = False,
    browse: Annotated[
        bool, typer.Option("--browse", help="With --watch: show it in the browser.")
    ] = False,
    port: options.Port = None,
) -> Exit:
    """Draw the tape as a picture.

    It shows values, gradients and where one was lost. Without -o it is drawn with letters, in
    the terminal; with --watch it is served, as SVG.
    """
    options.check_served(watch=watch, port=port, output=output)
    if watch and format not in (None, Format.SVG):
        raise typer.BadParameter("--watch serves it as svg.", param_hint="--format")
    if browse and not watch:
        raise typer.BadParameter("without --watch nothing is served.", param_hint="--browse")
    if terms and shows["view"] == View.FORWARD.value:
        shows["view"] = View.BACKWARD.value
    wishes = {**shows, **rolls_up, "terms": terms}
    if watch:
        from minitape_cli.serving.watch import Wish, serve

        drawn = partial(_drawn, paint=paint, call=call, **wishes)
        wish = Wish(port or 0, browse, call, paint.theme, ("minitape.draw", "minitape.page"))
        return serve(asked, drawn, wish)
    asked.check_writable(output)
    chosen = format or _by_suffix(output)
    recording = asked.recording(call=call, loads=("minitape.draw",))
    trace = recording.trace
    if recording.has_tapes:
        from minitape.explain.explain import explain

        picture = _picture(trace, explain(trace), call=call, **wishes)
        _write(asked, picture, chosen, paint, output)
    elif not recording.is_of_nothing:
        asked.terminal.complain(f"{recording.emptiness}: there is nothing to draw.")
    return recording.exit(needs_tape=True)


def _drawn(trace: "Trace", report: "Report", number: int, *, paint: Paint, **wishes: Any) -> str:
    """A page around the picture, with its number among those that are served."""
    from minitape import draw
    from minitape.page import shell

    rendered = draw.render(_picture(trace, report, **wishes), "svg", **vars(paint))
    return shell(trace.script, number, svg=rendered.data.decode(), theme=paint.theme)


def _picture(trace: "Trace", report: "Report", *, terms: bool, **wishes: Any) -> "Picture":
    from minitape import draw

    if terms:
        from minitape.origin import labels

        wishes["terms"] = labels(trace, report)
    return draw.picture(trace, report, **wishes)


def _write(asked: Asked, picture: "Picture", chosen: Format, paint: Paint, to: Path | None) -> None:
    """Write a picture in the form that was asked for."""
    from minitape import draw

    terminal = asked.terminal
    if chosen is Format.TXT:
        width = terminal.out.width if to is None else _FILE_WIDTH
        text = draw.text(picture, ascii=not terminal.has_signs, width=width) + "\n"
        asked.write(text, to)
        return
    rendered = draw.render(picture, chosen.value, **vars(paint))
    if rendered.remark:
        terminal.remark(rendered.remark)
    asked.write(rendered.data, to)


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

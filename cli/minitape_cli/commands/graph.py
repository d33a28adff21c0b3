"""`minitape graph SCRIPT`: draws the tape of a script as a picture."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minitape_cli import messages, options
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script

if TYPE_CHECKING:
    from minitape.draw import Picture, Rendered
    from minitape.draw.diagram import Diagram
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace

_FILE_WIDTH = 100


class PictureFormat(StrEnum):
    """The file format of a picture."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    GIF = "gif"
    DOT = "dot"
    MERMAID = "mermaid"
    TXT = "txt"


class PictureTheme(StrEnum):
    """The colors of a picture."""

    LIGHT = "light"
    DARK = "dark"


class Direction(StrEnum):
    """The direction of a picture: top to bottom or left to right."""

    TB = "TB"
    LR = "LR"


class View(StrEnum):
    """The passes that are drawn."""

    FORWARD = "forward"
    BACKWARD = "backward"
    BOTH = "both"


class ValueDetail(StrEnum):
    """How much of the values is drawn."""

    NONE = "none"
    SHORT = "short"
    STRIP = "strip"


def _around(text: str | None, *, slide: bool) -> int | str | None:
    """Return the number of an op from `#12`, the form that nodes show, or from `12`; a slide has names instead."""
    if text is None or slide:
        return text
    number = text.removeprefix("#")
    if not number.isdecimal():
        raise typer.BadParameter(messages.NO_OP_NUMBER.format(text=text), param_hint="--around")
    return int(number)


def _run_options(shows: dict[str, Any], rolls_up: dict[str, Any], *, terms: bool) -> dict[str, Any]:
    """Return all options of the picture, checked together."""
    if rolls_up["depth"] is not None and not rolls_up["slide"]:
        what = messages.NEEDS_SLIDE.format(option="--depth")
        raise typer.BadParameter(what, param_hint="--depth")
    view = shows["view"]
    return {
        **shows,
        **rolls_up,
        "terms": terms,
        "around": _around(shows["around"], slide=rolls_up["slide"]),
        "view": View.BACKWARD.value if terms and view == View.FORWARD.value else view,
    }


@dataclass(frozen=True)
class PictureStyle:
    """How a picture is rendered: arguments of `minitape.draw.render`."""

    theme: str
    rankdir: str
    legend: bool
    engine: str | None


def _shows(
    view: Annotated[
        View,
        typer.Option("--view", help="Draw the forward pass, the backward pass, or both."),
    ] = View.FORWARD,
    values: Annotated[
        ValueDetail,
        typer.Option(
            "--values",
            help="Draw no values, short values, or values with a strip of colored cells.",
        ),
    ] = ValueDetail.STRIP,
    cards: Annotated[
        int | None,
        typer.Option(
            "--cards",
            min=1,
            metavar="N",
            help="Collapse loops, functions and layers if there are more than N nodes.",
            show_default="60",
        ),
    ] = None,
    path: Annotated[
        bool,
        typer.Option(
            "--path", help="Draw only the path of the gradient, including the part beyond a break."
        ),
    ] = False,
    around: Annotated[
        str | None,
        typer.Option(
            "--around",
            metavar="#N",
            help="Draw only the ops near op N. With --slide: draw only function or layer N and its neighbors.",
        ),
    ] = None,
    hops: Annotated[
        int,
        typer.Option(
            "--hops", min=0, metavar="K", help="With --around: draw ops at most K edges away."
        ),
    ] = 2,
    constants: Annotated[
        bool, typer.Option("--constants/--no-constants", help="Draw constants.")
    ] = True,
    log: Annotated[
        bool,
        typer.Option("--log", help="Draw gradients over iterations on a logarithmic scale."),
    ] = False,
) -> dict[str, Any]:
    """Return the options for the content of the picture, as arguments of `minitape.draw.picture`."""
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
    slide: Annotated[
        bool,
        typer.Option(
            "--slide",
            help="Draw the model on one slide (16:9), with layers and functions as cards and gradients as bands. --open, "
            "--close, --depth, --around and --theme apply; options about ops do not.",
        ),
    ] = False,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            min=1,
            metavar="N",
            help="With --slide: open N levels of functions and layers.",
            show_default="as many as fit",
        ),
    ] = None,
    unroll: Annotated[
        bool,
        typer.Option("--unroll", help="Draw each iteration of a loop and each op of a function."),
    ] = False,
    open: Annotated[
        list[str] | None,
        typer.Option(
            "--open", metavar="F", help="Never collapse function or layer F. May be repeated."
        ),
    ] = None,
    close: Annotated[
        list[str] | None,
        typer.Option(
            "--close",
            metavar="F",
            help="Collapse each call of function or layer F. May be repeated.",
        ),
    ] = None,
) -> dict[str, Any]:
    """Return the options for collapsed parts, as further arguments of `minitape.draw.picture`."""
    return {
        "slide": slide,
        "depth": depth,
        "unroll": unroll,
        "open": open or (),
        "close": close or (),
    }


def _paints(
    theme: Annotated[
        PictureTheme, typer.Option("--theme", help="Choose the colors.")
    ] = PictureTheme.LIGHT,
    rankdir: Annotated[
        Direction,
        typer.Option("--rankdir", help="Draw from top to bottom (TB) or left to right (LR)."),
    ] = Direction.TB,
    legend: Annotated[
        bool, typer.Option("--legend", help="Add a legend that explains the symbols.")
    ] = False,
    engine: options.Engine = None,
) -> PictureStyle:
    """Return the options for rendering the picture."""
    return PictureStyle(theme.value, rankdir.value, legend, engine)


@takes_script(_shows, _rolls_up, _paints, first=("output", "format", "slide", "view", "watch"))
def graph(
    command: ScriptCommand,
    shows: dict[str, Any],
    rolls_up: dict[str, Any],
    paint: PictureStyle,
    output: options.Output = None,
    format: Annotated[
        PictureFormat | None,
        typer.Option(
            "--format",
            help="Choose the format. Default: the suffix of FILE, else txt.",
            show_default=False,
        ),
    ] = None,
    call: options.Call = None,
    terms: Annotated[
        bool,
        typer.Option(
            "--terms",
            help="Label the edges of the backward pass with the terms that they carry; useful for small tapes.",
        ),
    ] = False,
    watch: options.Watch = False,
    browse: Annotated[
        bool, typer.Option("--browse", help="With --watch: open the picture in the browser.")
    ] = False,
    port: options.Port = None,
) -> ExitCode:
    """Draw the tape as a picture.

    The picture shows ops, values, gradients, and the point where a gradient is lost. Without -o it
    is drawn as plain text in the terminal. With --watch it is served as SVG.
    """
    options.check_served(watch=watch, port=port, output=output)
    if watch and format not in (None, PictureFormat.SVG):
        raise typer.BadParameter(messages.WATCH_IS_SVG, param_hint="--format")
    if browse and not watch:
        what = messages.NEEDS_WATCH.format(option="--browse")
        raise typer.BadParameter(what, param_hint="--browse")
    run_options = _run_options(shows, rolls_up, terms=terms)
    if watch:
        from minitape_cli.serving.watch import PageSpec, serve

        drawn = partial(_drawn, paint=paint, call=call, **run_options)
        spec = PageSpec(port or 0, browse, call, paint.theme, ("minitape.draw", "minitape.html"))
        return serve(command, drawn, spec)
    command.check_writable(output)
    chosen = _chosen(format, output, slide=rolls_up["slide"])
    recording = command.recording(call=call, loads=("minitape.draw",))
    trace = recording.trace
    if recording.has_tapes:
        from minitape.explain.explain import explain

        picture = _picture(trace, explain(trace), call=call, **run_options)
        _write(command, picture, chosen, paint, output)
    elif not recording.is_of_nothing:
        command.terminal.complain(messages.NOTHING_TO_DRAW.format(why=recording.emptiness))
    return recording.exit(needs_tape=True)


def _drawn(
    trace: "Trace", report: "Report", number: int, *, paint: PictureStyle, **run_options: Any
) -> str:
    """Return a page around the picture; `number` counts the pages that were served."""
    from minitape.html import shell

    rendered = _rendered(_picture(trace, report, **run_options), "svg", paint)
    return shell(trace.script, number, svg=rendered.data.decode(), theme=paint.theme)


def _picture(
    trace: "Trace",
    report: "Report",
    *,
    terms: bool,
    slide: bool,
    depth: int | None,
    **run_options: Any,
) -> "Picture | Diagram":
    from minitape import draw

    if slide:
        from minitape.draw.diagram import diagram

        return diagram(
            trace,
            report,
            call=run_options.get("call"),
            open=run_options["open"],
            close=run_options["close"],
            depth=depth,
            around=run_options["around"],
        )
    if terms:
        from minitape.terms import labels

        run_options["terms"] = labels(trace, report)
    return draw.picture(trace, report, **run_options)


def _rendered(picture: "Picture | Diagram", fmt: str, paint: PictureStyle) -> "Rendered":
    from minitape import draw

    if isinstance(picture, draw.Picture):
        return draw.render(picture, fmt, **vars(paint))
    from minitape.draw import diagram

    return diagram.render(picture, fmt, theme=paint.theme)


def _text(picture: "Picture | Diagram", *, ascii: bool, width: int) -> str:
    from minitape import draw

    if isinstance(picture, draw.Picture):
        return draw.text(picture, ascii=ascii, width=width)
    from minitape.draw import diagram

    return diagram.text(picture, ascii=ascii, width=width)


def _write(
    command: ScriptCommand,
    picture: "Picture | Diagram",
    chosen: PictureFormat,
    paint: PictureStyle,
    to: Path | None,
) -> None:
    """Write a picture in the chosen format."""
    terminal = command.terminal
    if chosen is PictureFormat.TXT:
        width = terminal.out.width if to is None else _FILE_WIDTH
        command.write(_text(picture, ascii=not terminal.has_signs, width=width) + "\n", to)
        return
    rendered = _rendered(picture, chosen.value, paint)
    if rendered.note:
        terminal.note(rendered.note)
    command.write(rendered.data, to)


def _chosen(format: PictureFormat | None, output: Path | None, *, slide: bool) -> PictureFormat:
    """Return the format that was chosen with --format, or by the suffix of the file."""
    chosen = format or _by_suffix(output)
    if chosen is PictureFormat.GIF and not slide:
        what = messages.NEEDS_SLIDE.format(option="--format gif")
        raise typer.BadParameter(what, param_hint="--format" if format else "--output")
    return chosen


def _by_suffix(output: Path | None) -> PictureFormat:
    if output is None or str(output) == "-":
        return PictureFormat.TXT
    suffix = output.suffix.lower().removeprefix(".")
    try:
        return PictureFormat.MERMAID if suffix == "mmd" else PictureFormat(suffix)
    except ValueError:
        suffixes = ", ".join(f".{each}" for each in PictureFormat) + " or .mmd"
        raise typer.BadParameter(
            messages.NO_PICTURE_FORMAT.format(name=output.name, suffixes=suffixes),
            param_hint="--output",
        ) from None

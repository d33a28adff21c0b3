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
    MP4 = "mp4"
    DOT = "dot"
    MERMAID = "mermaid"
    TXT = "txt"


# Formats in which a model is drawn on a slide if no option says otherwise; the others are texts about ops.
_PAINTED = (PictureFormat.SVG, PictureFormat.PNG, PictureFormat.PDF)
_ANIMATED = (PictureFormat.GIF, PictureFormat.MP4)  # only slides


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


def _is_slide(
    wished: bool | None, of_ops: dict[str, Any], depth: int | None, around: str | None
) -> bool | None:
    """Return whether a slide is drawn; None if neither `--slide` nor `--ops` nor another option says it.

    Args:
        wished: `--slide` (true) or `--ops` (false).
        of_ops: The options about a graph of ops, by their names.
        depth: `--depth`, which is about a slide.
        around: `--around`: the number of an op, or a name on a slide.

    Raises:
        typer.BadParameter: an option is about the other kind of picture.
    """
    for_ops = [f"--{name}" for name, value in of_ops.items() if value not in (None, False)]
    for_ops += ["--no-constants"] if of_ops["constants"] is False else []
    for_slide = ["--depth"] if depth is not None else []
    if around is not None:
        is_number = around.removeprefix("#").isdecimal()
        (for_ops if is_number and not wished else for_slide).append("--around")
    if wished and for_ops:
        what = messages.NOT_ON_SLIDE.format(option=for_ops[0])
        raise typer.BadParameter(what, param_hint=for_ops[0])
    if for_slide and (wished is False or for_ops):
        what = messages.NEEDS_SLIDE.format(option=for_slide[0])
        if for_slide == ["--around"]:
            what = messages.NO_OP_NUMBER.format(text=around)
        raise typer.BadParameter(what, param_hint=for_slide[0])
    if wished is not None:
        return wished
    return bool(for_slide) if for_slide or for_ops else None


@dataclass(frozen=True)
class PictureStyle:
    """How a picture is rendered: arguments of `minitape.draw.render`; a slide has only the theme."""

    theme: str
    rankdir: str | None
    legend: bool
    engine: str | None


_Around = Annotated[
    str | None,
    typer.Option(
        "--around",
        metavar="#N|NAME",
        help="Draw only the ops near op N; on a slide, draw only the function or layer NAME and its neighbors.",
    ),
]
_Hops = Annotated[
    int | None,
    typer.Option(
        "--hops",
        min=0,
        metavar="K",
        help="With --around: draw the ops that are at most K edges away.",
        show_default="2",
    ),
]
_Terms = Annotated[
    bool,
    typer.Option(
        "--terms",
        help="Label the edges of the backward pass with the terms that they carry. This is useful for small tapes.",
    ),
]


def _shows(
    view: Annotated[
        View | None,
        typer.Option(
            "--view",
            help="Draw the forward pass, the backward pass, or both.",
            show_default="forward",
        ),
    ] = None,
    values: Annotated[
        ValueDetail | None,
        typer.Option(
            "--values",
            help="Draw no values, short values, or values with a row of colored cells.",
            show_default="strip",
        ),
    ] = None,
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
    around: _Around = None,
    hops: _Hops = None,
    constants: Annotated[
        bool | None,
        typer.Option(
            "--constants/--no-constants", help="Draw constants.", show_default="constants"
        ),
    ] = None,
    log: Annotated[
        bool,
        typer.Option("--log", help="Draw gradients over iterations on a logarithmic scale."),
    ] = False,
) -> dict[str, Any]:
    """Return the options for the content of the picture, as arguments of `minitape.draw.picture`; None if not given."""
    return {
        "view": view and view.value,
        "values": values and values.value,
        "cards": cards,
        "path": path,
        "around": around,
        "hops": hops,
        "constants": constants,
        "log": log,
    }


def _rolls_up(
    slide: Annotated[
        bool | None,
        typer.Option(
            "--slide/--ops",
            help="Draw the model on one 16:9 slide, with layers and functions as cards and gradients as bands; or draw a "
            "graph of its ops.",
            show_default="--slide for a model as SVG, PNG or PDF, otherwise --ops",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            min=1,
            metavar="N",
            help="Draw a slide with N open levels of functions and layers.",
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
            help="Collapse each call to function or layer F. May be repeated.",
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
        Direction | None,
        typer.Option(
            "--rankdir",
            help="Draw ops from top to bottom (TB) or left to right (LR).",
            show_default="TB",
        ),
    ] = None,
    legend: Annotated[
        bool, typer.Option("--legend", help="Add a legend that explains the symbols.")
    ] = False,
    engine: options.Engine = None,
) -> PictureStyle:
    """Return the options for rendering the picture."""
    return PictureStyle(theme.value, rankdir and rankdir.value, legend, engine)


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
            help="Choose the format. Default: by the suffix of FILE, otherwise txt.",
            show_default=False,
        ),
    ] = None,
    call: options.Call = None,
    terms: _Terms = False,
    watch: options.Watch = False,
    browse: Annotated[
        bool, typer.Option("--browse", help="With --watch: open the picture in the browser.")
    ] = False,
    port: options.Port = None,
) -> ExitCode:
    """Draw the tape as a picture.

    Draw a model on one slide with its layers, functions and loops, and a small program as a graph
    of its ops. Slides and graphs show values, gradients, and the point where a gradient is lost.
    An option that applies only to slides or only to graphs selects that kind of picture. Without
    -o, print the graph as plain text in the terminal. With --watch, serve the picture as SVG.
    """
    options.check_served(watch=watch, port=port, output=output)
    if watch and format not in (None, PictureFormat.SVG):
        raise typer.BadParameter(messages.WATCH_IS_SVG, param_hint="--format")
    if browse and not watch:
        what = messages.NEEDS_WATCH.format(option="--browse")
        raise typer.BadParameter(what, param_hint="--browse")
    run_options = _run_options(shows, rolls_up, paint, terms=terms)
    if watch:
        from minitape_cli.serving.watch import PageSpec, serve

        drawn = partial(_drawn, paint=paint, call=call, **run_options)
        spec = PageSpec(port or 0, browse, call, paint.theme, ("minitape.draw", "minitape.html"))
        return serve(command, drawn, spec)
    command.check_writable(output)
    chosen = _chosen(format, output, slide=run_options["slide"])
    if run_options["slide"] is None and chosen not in _PAINTED:
        run_options["slide"] = chosen in _ANIMATED
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


def _run_options(
    shows: dict[str, Any], rolls_up: dict[str, Any], paint: PictureStyle, *, terms: bool
) -> dict[str, Any]:
    """Return all options of the picture, checked together."""
    of_ops = {name: value for name, value in shows.items() if name != "around"}
    of_ops |= {"unroll": rolls_up["unroll"], "terms": terms}
    of_ops |= {name: value for name, value in vars(paint).items() if name != "theme"}
    slide = _is_slide(rolls_up["slide"], of_ops, rolls_up["depth"], shows["around"])
    return {**shows, **rolls_up, "slide": slide, "terms": terms}


def _picture(
    trace: "Trace",
    report: "Report",
    *,
    terms: bool,
    slide: bool | None,
    depth: int | None,
    around: str | None,
    call: int | None = None,
    **options: Any,
) -> "Picture | Diagram":
    """Return the picture of a gradient call; if `slide` is None, the program decides whether it is a slide."""
    from minitape import draw

    if slide is None:
        from minitape.draw.diagram import is_model

        slide = is_model(trace, report, call)
    if slide:
        from minitape.draw.diagram import diagram

        names = {name: options[name] for name in ("open", "close")}
        return diagram(trace, report, call=call, depth=depth, around=around, **names)
    given = {name: value for name, value in options.items() if value is not None}
    if around is not None:
        given["around"] = int(around.removeprefix("#"))
    if terms:
        from minitape.terms import labels

        given["terms"] = labels(trace, report)
        if given.get("view", View.FORWARD) == View.FORWARD:
            given["view"] = View.BACKWARD.value
    return draw.picture(trace, report, call=call, **given)


def _rendered(picture: "Picture | Diagram", fmt: str, paint: PictureStyle) -> "Rendered":
    from minitape import draw

    if isinstance(picture, draw.Picture):
        return draw.render(picture, fmt, **{k: v for k, v in vars(paint).items() if v is not None})
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


def _chosen(
    format: PictureFormat | None, output: Path | None, *, slide: bool | None
) -> PictureFormat:
    """Return the format that was chosen with --format, or by the suffix of the file."""
    chosen = format or _by_suffix(output)
    if chosen in _ANIMATED and slide is False:
        what = messages.NEEDS_SLIDE.format(option=f"--format {chosen.value}")
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

"""The options that several commands share, each declared once."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from minitape.run.program import Program


class Color(StrEnum):
    """When to write colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class RunsOn(StrEnum):
    """What a script runs on."""

    TENSORFLOW = "tensorflow"
    MINITAPE = "minitape"


def located(name: str | Path) -> Path:
    """The file a user named: a script, a trace, or an example by its name.

    Raises:
        typer.BadParameter: there is none.
    """
    path = Path(name)
    if path.is_file():
        return path
    if path.name == str(name):
        from minitape.examples import find

        example = find(path.name)
        if example is not None:
            return example
    if path.is_dir():
        what = f"{name} is a folder: name a script in it."
    elif path.exists():
        what = f"{name} is no file that can be run."
    else:
        what = (
            f"{name} is no file, and no example of that name ships; minitape examples lists them."
        )
    raise typer.BadParameter(what, param_hint="SCRIPT")


def program(name: str, *, is_code: bool = False, is_module: bool = False) -> "Path | Program":
    """What a user asked to run: a file (or an example) as its path, anything else as a program.

    Raises:
        typer.BadParameter: there is no such thing.
    """
    from minitape.run.program import of_file, of_module, of_text

    if is_code and is_module:
        raise typer.BadParameter("-c and -m exclude each other.", param_hint="-c")
    try:
        if is_code:
            return of_text(name, file="<code>", invoked="-c")
        if is_module:
            return of_module(name)
        if name == "-":
            return of_text(sys.stdin.buffer.read(), file="<stdin>", invoked="-")
        path = located(name)
        return of_file(path) if path.suffix == ".ipynb" else path
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="SCRIPT") from None


def files(asked: "Path | Program") -> tuple[Path, ...]:
    """The files that must not be written over."""
    path = asked if isinstance(asked, Path) else asked.path
    return () if path is None else (path,)


_PROGRAMS = "A script, a notebook (.ipynb), an example, or - for stdin"
_KINDS = "A script, a notebook (.ipynb), a trace (.jsonl), an example, or - for stdin"
Script = Annotated[str, typer.Argument(metavar="SCRIPT", help=f"{_KINDS}.")]
ScriptToRun = Annotated[str, typer.Argument(metavar="SCRIPT", help=f"{_PROGRAMS}.")]
ScriptOrCode = Annotated[
    str | None,
    typer.Argument(
        metavar="SCRIPT|CODE",
        help=f"{_KINDS}; or a code such as MT201.",
        show_default=False,
    ),
]
IsCode = Annotated[bool, typer.Option("-c", help="SCRIPT is Python code.")]
IsModule = Annotated[bool, typer.Option("-m", help="SCRIPT is the name of a module.")]
Arguments = Annotated[
    list[str] | None,
    typer.Argument(metavar="-- ARGS", help="Arguments of the script."),
]
On = Annotated[
    RunsOn | None,
    typer.Option(
        "--on",
        help="What answers `import tensorflow`. Default: TensorFlow where it is, else minitape.",
        show_default=False,
    ),
]
AsTensorFlow = Annotated[
    bool, typer.Option("--as-tensorflow", help="Another name for --on minitape.")
]
Python = Annotated[
    Path | None,
    typer.Option("--python", metavar="PATH", help="The Python that runs it; it needs NumPy."),
]
Timeout = Annotated[
    float,
    typer.Option("--timeout", min=0, metavar="SECONDS", help="Stop the script then; 0: never."),
]
MaxOps = Annotated[
    int,
    typer.Option("--max-ops", min=0, metavar="N", help="Stop it after N ops; 0: never."),
]
Listen = Annotated[
    int | None,
    typer.Option(
        "--listen",
        min=1,
        metavar="N",
        help="Watch N gradient calls, then let it run on, unwatched and without limits.",
    ),
]
MaxMemory = Annotated[
    int | None,
    typer.Option("--max-memory", min=1, metavar="MB", help="Memory that it may take."),
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, help="Seed all random numbers before it starts.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No remarks on stderr.")]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write there; - is stdout."),
]
Watch = Annotated[
    bool,
    typer.Option(
        "--watch", help="Serve it here, made anew whenever SCRIPT is saved; ends by Ctrl-C."
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=1,
        max=65535,
        metavar="N",
        help="With --watch: serve it there.",
        show_default="any",
    ),
]
Colored = Annotated[Color, typer.Option("--color", help="When to write colours.")]
Call = Annotated[
    int | None,
    typer.Option("--call", min=1, metavar="N", help="Only the N-th gradient call of the run."),
]
Engine = Annotated[
    str | None,
    typer.Option("--engine", help="graphviz-pure, dot, built-in, or a program."),
]


def check_served(*, watch: bool, port: int | None, output: Path | None) -> None:
    """Refuse what only a page that is served has, without one, and what only one that is written has, with one.

    Raises:
        typer.BadParameter: these do not go together.
    """
    if port is not None and not watch:
        raise typer.BadParameter("without --watch nothing is served.", param_hint="--port")
    if watch and output is not None:
        what = "--watch serves it and -o writes it: one of the two."
        raise typer.BadParameter(what, param_hint="--output")

"""The arguments and options that several commands share, each declared once."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import messages

if TYPE_CHECKING:
    from minitape.run.program import Program


class Color(StrEnum):
    """When to use colors."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class RunsOn(StrEnum):
    """The engine that a script runs on."""

    TENSORFLOW = "tensorflow"
    MINITAPE = "minitape"


def located(name: str | Path) -> Path:
    """Return the file that the user named: a script, a trace, or an example by its name.

    Raises:
        typer.BadParameter: no such file or example exists.
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
        what = messages.IS_A_FOLDER.format(name=name)
    elif path.exists():
        what = messages.NOT_RUNNABLE.format(name=name)
    else:
        what = messages.NO_SUCH_SCRIPT.format(name=name)
    raise typer.BadParameter(what, param_hint="SCRIPT")


def program(name: str, *, is_code: bool = False, is_module: bool = False) -> "Path | Program":
    """Return the script, code, module or stdin that the user named.

    Args:
        name: The first argument of the command.
        is_code: `name` is Python code (`-c`).
        is_module: `name` is the name of a module (`-m`).

    Returns:
        The path of a script, a trace or an example; for everything else a `Program`.

    Raises:
        typer.BadParameter: the program cannot be found or read, or both `-c` and `-m` were given.
    """
    from minitape.run.program import of_file, of_module, of_text

    if is_code and is_module:
        raise typer.BadParameter(messages.CODE_OR_MODULE, param_hint="-c")
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


def files(command: "Path | Program") -> tuple[Path, ...]:
    """Return the files that an answer must not overwrite."""
    path = command if isinstance(command, Path) else command.path
    return () if path is None else (path,)


_PROGRAMS = "A script, a notebook (.ipynb), the name of an example, or - for stdin"
_KINDS = "A script, a notebook (.ipynb), a trace (.jsonl), the name of an example, or - for stdin"
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
IsCode = Annotated[bool, typer.Option("-c", help="Run SCRIPT itself as Python code.")]
IsModule = Annotated[bool, typer.Option("-m", help="Run the module named SCRIPT.")]
Arguments = Annotated[
    list[str] | None,
    typer.Argument(metavar="-- ARGS", help="Arguments for the script."),
]
On = Annotated[
    RunsOn | None,
    typer.Option(
        "--on",
        help="Choose the engine that `import tensorflow` uses. Default: TensorFlow if it is installed, otherwise minitape.",
        show_default=False,
    ),
]
AsTensorFlow = Annotated[bool, typer.Option("--as-tensorflow", help="Same as --on minitape.")]
Python = Annotated[
    Path | None,
    typer.Option(
        "--python",
        metavar="PATH",
        help="Run the script with the Python at PATH. It must have NumPy.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        min=0,
        metavar="SECONDS",
        help="Stop the script after SECONDS; 0 means no limit.",
    ),
]
MaxOps = Annotated[
    int,
    typer.Option(
        "--max-ops", min=0, metavar="N", help="Stop the script after N ops; 0 means no limit."
    ),
]
TraceCalls = Annotated[
    int | None,
    typer.Option(
        "--trace-calls",
        min=1,
        metavar="N",
        help="Trace N gradient calls, then let the script finish untraced and without limits.",
    ),
]
MaxMemory = Annotated[
    int | None,
    typer.Option(
        "--max-memory",
        min=1,
        metavar="MB",
        help="Stop the script if it uses more than MB megabytes.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        metavar="N",
        help="Seed all random generators with N before the script starts.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object to stdout.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print no notes to stderr.")]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write to FILE (`-` for stdout)."),
]
Watch = Annotated[
    bool,
    typer.Option(
        "--watch",
        help="Serve the result in the browser and update it whenever SCRIPT is saved; stop with Ctrl-C.",
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=1,
        max=65535,
        metavar="N",
        help="Serve the page on port N (only with `--watch`).",
        show_default="any free port",
    ),
]
Colored = Annotated[Color, typer.Option("--color", help="Choose when to use colors.")]
Call = Annotated[
    int | None,
    typer.Option("--call", min=1, metavar="N", help="Show only the Nth gradient call of the run."),
]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Choose the layout engine: graphviz-pure, dot, built-in, or the path of a program.",
    ),
]


def check_served(*, watch: bool, port: int | None, output: Path | None) -> None:
    """Refuse `--port` without `--watch`, and `--output` with it.

    Raises:
        typer.BadParameter: `--port` without `--watch`, or `--output` with it.
    """
    if port is not None and not watch:
        raise typer.BadParameter(messages.NEEDS_WATCH.format(option="--port"), param_hint="--port")
    if watch and output is not None:
        raise typer.BadParameter(messages.WATCH_OR_OUTPUT, param_hint="--output")

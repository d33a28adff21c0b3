"""The options that several commands share, each declared once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Color(StrEnum):
    """When to write colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


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


Script = Annotated[
    Path,
    typer.Argument(
        callback=located,
        metavar="SCRIPT",
        help="The script to run, a trace (.jsonl) that was recorded before, or an example.",
    ),
]
Arguments = Annotated[
    list[str] | None,
    typer.Argument(metavar="-- ARGS", help="Arguments of the script."),
]
AsTensorFlow = Annotated[
    bool,
    typer.Option(
        "--as-tensorflow",
        help="Answer `import tensorflow` with minitape, even where TensorFlow is installed.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option("--timeout", min=0, metavar="SECONDS", help="Stop the script then; 0: never."),
]
MaxOps = Annotated[
    int,
    typer.Option("--max-ops", min=0, metavar="N", help="Stop it after N ops; 0: never."),
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
Colored = Annotated[Color, typer.Option("--color", help="When to write colours.")]
Call = Annotated[
    int | None,
    typer.Option("--call", min=1, metavar="N", help="Only the N-th gradient call of the run."),
]

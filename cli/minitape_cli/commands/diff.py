"""`minitape diff A B`: where two runs part."""

from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.console import check_writable
from minitape_cli.exits import Exit

_WHAT = "A script, a notebook (.ipynb), a trace (.jsonl) or an example"
First = Annotated[str, typer.Argument(metavar="A", help=f"{_WHAT}.")]
Second = Annotated[str, typer.Argument(metavar="B", help="The same, to compare it with.")]


@takes_script(script=First, without=("args", "is_code", "is_module"), seed=0)
def diff(
    asked: Asked,
    second: Second,
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance",
            min=0,
            metavar="X",
            help="Numbers may differ by X, or by X of their size.",
        ),
    ] = 0.0,
    everything: Annotated[bool, typer.Option("--all", help="Show all differences.")] = False,
    json: options.Json = False,
    output: options.Output = None,
) -> Exit:
    """Show where two runs part: in steps, numbers, gradients.

    Both start from the same random numbers. Exits with 1 if something differs.
    """
    first = asked.name or ""
    if first == second == "-":
        raise typer.BadParameter("stdin holds one script, not two.", param_hint="B")
    other = asked.about(second)
    check_writable(output, inputs=asked.inputs + other.inputs)
    a = asked.recording(tells=False, loads=("minitape_cli.views.diff",))
    b = other.recording(tells=False)
    from minitape.trace.diff import diff as compare  # loaded while the scripts ran
    from minitape_cli.envelope import envelope
    from minitape_cli.views.diff import as_data
    from minitape_cli.views.diff import diff as view

    a.tell(asked.terminal)
    b.tell(asked.terminal)
    difference = compare(a.trace, b.trace, tolerance=tolerance)
    ending = a.exit(finding=not difference.is_none) or b.exit(finding=not difference.is_none)
    if json:
        data = as_data(difference) | {"first": first, "second": second}
        written = envelope("diff", data, ok=difference.is_none, of=(a, b))
        asked.write(written, output)
    else:
        names = asked.what.name, other.what.name
        shown = view(
            difference,
            (a.trace, b.trace),
            names if names[0] != names[1] else (first, second),
            symbols=asked.terminal.symbols,
            everything=everything,
        )
        asked.show(shown, output)
    return ending

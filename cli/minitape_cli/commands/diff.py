"""`minitape diff A B`: where two runs part."""

from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write

_WHAT = "A script, a notebook (.ipynb), a trace (.jsonl) or an example"
First = Annotated[str, typer.Argument(metavar="A", help=f"{_WHAT}.")]
Second = Annotated[str, typer.Argument(metavar="B", help="The same, to compare it with.")]


def diff(
    first: First,
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
    as_tensorflow: options.AsTensorFlow = False,
    timeout: options.Timeout = 30,
    max_ops: options.MaxOps = 20_000,
    seed: options.Seed = 0,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Show where two runs part: in steps, numbers, gradients.

    Both start from the same random numbers. Exits with 1 if something differs.
    """
    from minitape.debug.diff import diff as compare
    from minitape_cli import views
    from minitape_cli.envelope import envelope
    from minitape_cli.recording import record

    terminal = Terminal(color, quiet=quiet)
    if first == second == "-":
        raise typer.BadParameter("stdin holds one script, not two.", param_hint="B")
    asked = options.program(first), options.program(second)
    inputs = options.files(asked[0]) + options.files(asked[1])
    check_writable(output, inputs=inputs)
    a, b = (
        record(
            each,
            as_tensorflow=as_tensorflow,
            timeout=timeout,
            max_ops=max_ops,
            seed=seed,
            quiet=quiet,
        )
        for each in asked
    )
    a.tell(terminal)
    b.tell(terminal)
    difference = compare(a.trace, b.trace, tolerance=tolerance)
    ending = a.exit(finding=not difference.is_none) or b.exit(finding=not difference.is_none)
    if json:
        data = views.diff_as_data(difference) | {"first": first, "second": second}
        diagnostics = a.diagnostics + b.diagnostics
        written = envelope("diff", data, ok=difference.is_none, diagnostics=diagnostics)
        write(written, output, terminal=terminal, inputs=inputs)
        raise typer.Exit(ending)
    names = asked[0].name, asked[1].name
    shown = views.diff(
        difference,
        (a.trace, b.trace),
        names if names[0] != names[1] else (first, second),
        symbols=terminal.symbols,
        everything=everything,
    )
    if output is None:
        terminal.show(shown)
    else:
        write(terminal.as_text(shown), output, terminal=terminal, inputs=inputs)
    raise typer.Exit(ending)

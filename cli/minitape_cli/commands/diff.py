"""`minitape diff A B`: shows where two runs differ."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.console import check_writable
from minitape_cli.exits import ExitCode, winning
from minitape_cli.script_command import ScriptCommand, takes_script

if TYPE_CHECKING:
    from minitape.trace.comparison.diff import Difference
    from minitape_cli.recording import RecordedRun

_WHAT = "A script, a notebook (.ipynb), a trace (.jsonl) or the name of an example"
First = Annotated[str, typer.Argument(metavar="A", help=f"{_WHAT}.")]
Tolerance = Annotated[
    float,
    typer.Option(
        "--tolerance",
        min=0,
        metavar="X",
        help="Allow values to differ by up to X, or by up to X times their size.",
    ),
]
Second = Annotated[
    str,
    typer.Argument(
        metavar="B", help="A second script, notebook, trace or example, to compare with A."
    ),
]


@takes_script(script=First, without=("args", "is_code", "is_module"), seed=0)
def diff(
    command: ScriptCommand,
    second: Second,
    tolerance: Tolerance = 0.0,
    everything: Annotated[
        bool, typer.Option("--all", help="List all differences, not only the first ones.")
    ] = False,
    page: Annotated[
        bool, typer.Option("--html", help="Write an HTML page that shows both runs side by side.")
    ] = False,
    json: options.Json = False,
    output: options.Output = None,
) -> ExitCode:
    """Show where two runs differ in their steps, values and gradients.

    Both runs start with the same random seed. With --html and without -o, the page is written to
    A.B.diff.html in the current folder. The exit code is 1 if something differs.
    """
    first = command.name or ""
    if first == second == "-":
        raise typer.BadParameter(messages.ONE_STDIN, param_hint="B")
    if page and json:
        raise typer.BadParameter(messages.PAGE_OR_JSON, param_hint="--html")
    other = command.about(second)
    to = output or (Path(f"{_stem(first)}.{_stem(second)}.diff.html") if page else None)
    check_writable(to, inputs=command.inputs + other.inputs)
    a = command.recording(emits=False, loads=("minitape_cli.views.diff",))
    b = other.recording(emits=False)
    from minitape.trace.comparison.diff import diff as compare  # loaded while the scripts ran
    from minitape_cli.envelope import envelope
    from minitape_cli.views.diff import as_data
    from minitape_cli.views.diff import diff as view

    a.emit(command.terminal)
    b.emit(command.terminal)
    difference = compare(a.trace, b.trace, tolerance=tolerance)
    ending = winning(*(each.exit(finding=not difference.is_none) for each in (a, b)))
    names = command.what.name, other.what.name
    names = names if names[0] != names[1] else (first, second)
    if page:
        command.write(_page(a, b, names, difference, tolerance), to)
    elif json:
        data = as_data(difference) | {"first": first, "second": second}
        command.write(envelope("diff", data, ok=difference.is_none, of=(a, b)), output)
    else:
        shown = view(
            difference,
            (a.trace, b.trace),
            names,
            symbols=command.terminal.symbols,
            everything=everything,
        )
        command.show(shown, output)
    return ending


def _page(
    a: "RecordedRun",
    b: "RecordedRun",
    names: tuple[str, str],
    found: "Difference",
    tolerance: float,
) -> bytes:
    from minitape.explain.explain import explain
    from minitape.html import page_of_two

    traces = a.trace, b.trace
    reports = explain(a.trace), explain(b.trace)
    text = page_of_two(traces, reports, names, tolerance=tolerance, unseen=found.unseen)
    return text.encode()


def _stem(name: str) -> str:
    return "stdin" if name == "-" else Path(name).stem

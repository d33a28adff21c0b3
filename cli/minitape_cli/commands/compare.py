"""`minitape compare SCRIPT`: runs a script on minitape and on TensorFlow and compares the two runs."""

import io
from dataclasses import replace
from typing import Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.exits import ExitCode, winning
from minitape_cli.script_command import ScriptCommand, takes_script

_TOLERANCE = "Allow values to differ by up to X times the largest value of their tensor."


@takes_script(
    script=options.ScriptToRun, without=("on", "as_tensorflow", "trace_calls"), timeout=120
)
def compare(
    command: ScriptCommand,
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0, metavar="X", help=_TOLERANCE)
    ] = 1e-4,
    everything: Annotated[
        bool, typer.Option("--all", help="List all lines of code, not only the first ones.")
    ] = False,
    json: options.Json = False,
    output: options.Output = None,
) -> ExitCode:
    """Run a script on minitape and on TensorFlow, and compare the runs.

    Compare the ops and the gradients of both traces, then what both runs print and raise.

    TensorFlow must be installed in this Python, or in the one that --python names. In the run on
    TensorFlow, `import minitape` imports TensorFlow. The exit code is 1 if something differs.
    """
    command.refuse_trace(messages.TRACE_CANNOT_BE_COMPARED)
    command.check_writable(output)
    theirs = command.on_tensorflow()
    ours = replace(command, run_options=replace(command.run_options, on="minitape", python=None))
    printed = io.StringIO(), io.StringIO()
    # TensorFlow first: if it is missing, the error appears immediately.
    second = theirs.recording(into=printed[1], emits=False, loads=("minitape_cli.views.compare",))
    first = ours.recording(into=printed[0], emits=False)
    from minitape.trace.comparison.compare import compare as beside
    from minitape.trace.comparison.printouts import differences
    from minitape_cli.envelope import envelope
    from minitape_cli.views.compare import Runs, as_data
    from minitape_cli.views.compare import compare as view

    for recording in (first, second):
        recording.emit(command.terminal)
    runs = Runs(
        beside(first.trace, second.trace, tolerance=tolerance),
        list(differences(printed[0].getvalue(), printed[1].getvalue())),
        (first, second),
    )
    ending = winning(first.exit(finding=not runs.are_alike, needs_tape=True), second.exit())
    if json:
        data = as_data(runs) | {"script": str(command.what)}
        command.write(envelope("compare", data, ok=runs.are_alike, of=(first, second)), output)
    else:
        terminal = command.terminal
        shown = view(runs, command.what.name, terminal.symbols, everything=everything)
        command.show(shown, output)
    return ending

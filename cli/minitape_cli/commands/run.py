"""`minitape run SCRIPT`: runs a script unchanged and summarizes its tapes."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script


@takes_script(script=options.ScriptToRun, timeout=0, max_ops=0)
def run(
    command: ScriptCommand,
    summary: Annotated[
        bool,
        typer.Option("--summary/--no-summary", help="Print a summary of the tapes to stderr."),
    ] = True,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with code 1 if any gradient is None.")
    ] = False,
    save_trace: Annotated[
        Path | None, typer.Option("--save-trace", metavar="FILE", help="Write the trace to FILE.")
    ] = None,
) -> ExitCode:
    """Run a script and summarize its tapes.

    The script's own output is unchanged; the summary is printed to stderr. Time is unlimited
    unless --timeout is given.
    """
    command.refuse_trace(messages.TRACE_CANNOT_RUN)
    command.check_writable(save_trace)
    recording = command.recording(quiet_stdout=False)
    from minitape_cli import views  # loaded while the script ran

    if summary and not recording.is_unrecorded:
        for line in views.summary(recording.trace):
            command.terminal.note(line)
    if save_trace is not None:
        command.write(views.jsonl(recording.trace), save_trace)
    lost = strict and views.has_none(recording.trace)
    return recording.exit(finding=lost, needs_all=False)

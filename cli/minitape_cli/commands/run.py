"""`minitape run SCRIPT`: runs a script unchanged and summarizes its tapes."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit


@takes_script(script=options.ScriptToRun, timeout=0, max_ops=0)
def run(
    asked: Asked,
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
) -> Exit:
    """Run a script and summarize its tapes.

    The script's own output is unchanged; the summary is printed to stderr. Time is unlimited
    unless --timeout is given.
    """
    asked.refuse_trace(messages.TRACE_CANNOT_RUN)
    asked.check_writable(save_trace)
    recording = asked.recording(quiet_stdout=False)
    from minitape_cli import views  # loaded while the script ran

    if summary and not recording.is_unheard:
        for line in views.summary(recording.trace):
            asked.terminal.remark(line)
    if save_trace is not None:
        asked.write(views.jsonl(recording.trace), save_trace)
    lost = strict and views.has_none(recording.trace)
    return recording.exit(finding=lost, needs_all=False)

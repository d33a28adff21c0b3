"""`minitape run SCRIPT`: the script as it is, and a summary of its tapes."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit


@takes_script(script=options.ScriptToRun, timeout=0, max_ops=0)
def run(
    asked: Asked,
    summary: Annotated[
        bool, typer.Option("--summary/--no-summary", help="A word on the tapes, on stderr.")
    ] = True,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any gradient is None.")
    ] = False,
    save_trace: Annotated[
        Path | None, typer.Option("--save-trace", metavar="FILE", help="Keep what was recorded.")
    ] = None,
) -> Exit:
    """Run a script, and count what its tapes did.

    That is said on stderr.
    The script's output is left as it is. Without --timeout and --max-ops it may take its time.
    """
    asked.refuse_trace("a trace cannot be run.")
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

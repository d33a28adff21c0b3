"""`minitape run SCRIPT`: the script on minitape, and a summary of its tapes."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write


def run(
    script: options.ScriptToRun,
    args: options.Arguments = None,
    is_code: options.IsCode = False,
    is_module: options.IsModule = False,
    summary: Annotated[
        bool, typer.Option("--summary/--no-summary", help="A word on the tapes, on stderr.")
    ] = True,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any gradient is None.")
    ] = False,
    save_trace: Annotated[
        Path | None, typer.Option("--save-trace", metavar="FILE", help="Keep what was recorded.")
    ] = None,
    as_tensorflow: options.AsTensorFlow = False,
    timeout: options.Timeout = 0,
    max_ops: options.MaxOps = 0,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Run a script on minitape.

    What its tapes did is said on stderr.
    The script's output is left as it is. Without --timeout and --max-ops it may take its time.
    """
    from minitape_cli import views
    from minitape_cli.recording import is_trace, record

    terminal = Terminal(color, quiet=quiet)
    asked = options.program(script, is_code=is_code, is_module=is_module)
    check_writable(save_trace, inputs=options.files(asked))
    if is_trace(asked):
        raise typer.BadParameter("a trace cannot be run.", param_hint="SCRIPT")
    recording = record(
        asked,
        args,
        as_tensorflow=as_tensorflow,
        timeout=timeout,
        max_ops=max_ops,
        seed=seed,
        quiet_stdout=False,
    )
    recording.tell(terminal)
    if summary:
        for line in views.summary(recording.trace):
            terminal.remark(line)
    if save_trace is not None:
        write(
            views.jsonl(recording.trace), save_trace, terminal=terminal, inputs=options.files(asked)
        )
    raise typer.Exit(recording.exit(finding=strict and views.has_none(recording.trace)))

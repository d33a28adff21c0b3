"""`minitape trace SCRIPT`: each op that ran and each step of the walk back, as a table."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write


class Format(StrEnum):
    """How a trace is written."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"


def trace(
    script: options.Script,
    args: options.Arguments = None,
    is_code: options.IsCode = False,
    is_module: options.IsModule = False,
    output: options.Output = None,
    format: Annotated[
        Format | None,
        typer.Option("--format", help="Default: by the suffix of FILE, else text."),
    ] = None,
    json: options.Json = False,
    call: options.Call = None,
    unroll: Annotated[
        bool, typer.Option("--unroll", help="Show every round of a loop by itself.")
    ] = False,
    live: Annotated[
        bool,
        typer.Option("--live", help="Print as it runs: a line for each event, or --format jsonl."),
    ] = False,
    as_tensorflow: options.AsTensorFlow = False,
    timeout: options.Timeout = 30,
    max_ops: options.MaxOps = 20_000,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Print each op and each backward step.

    `-o FILE.jsonl` keeps the trace; the commands that look at a run read it again. Ctrl-C ends the
    script, and what it did until then is shown and kept.
    """
    from minitape.debug.explain import explain
    from minitape_cli import views
    from minitape_cli.envelope import envelope
    from minitape_cli.recording import record

    terminal = Terminal(color, quiet=quiet)
    asked = options.program(script, is_code=is_code, is_module=is_module)
    check_writable(output, inputs=options.files(asked))
    chosen = Format.JSON if json else format or _by_suffix(output)
    told = (_teller(terminal, chosen if output is None else Format.TEXT)) if live else None
    recording = record(
        asked,
        args,
        as_tensorflow=as_tensorflow,
        timeout=timeout,
        max_ops=max_ops,
        seed=seed,
        sink=told,
        quiet=quiet,
    )
    recording.tell(terminal)
    recording.check_call(call)
    ending = recording.exit(needs=("tape_enter",))
    if live and output is None:
        raise typer.Exit(ending)
    if chosen is Format.JSONL:
        written = views.jsonl(recording.trace)
    elif chosen is Format.JSON:
        written = envelope(
            "trace",
            {"events": recording.trace.events},
            ok=ending == 0,
            diagnostics=recording.diagnostics,
        )
    else:
        shown = views.trace(
            recording.trace,
            explain(recording.trace),
            symbols=terminal.symbols,
            width=terminal.out.width,
            call=call,
            unroll=unroll,
        )
        if output is None:
            terminal.show(shown)
            raise typer.Exit(ending)
        written = terminal.as_text(shown)
    write(written, output, terminal=terminal, inputs=options.files(asked))
    raise typer.Exit(ending)


def _teller(terminal: Terminal, chosen: Format) -> Callable[[dict[str, Any]], None]:
    """Writes each event to stdout when it comes.

    Raises:
        typer.BadParameter: it is one object, which cannot be written before its end.
    """
    from minitape.debug.trace import encode
    from minitape_cli import views

    if chosen is Format.JSON:
        raise typer.BadParameter(
            "--json has no end before the run: --format jsonl.", param_hint="--live"
        )
    rows = views.Live(terminal.symbols)

    def tell(event: dict[str, Any]) -> None:
        if chosen is Format.JSONL:
            terminal.say(encode(event))
        elif (line := rows.line(event)) is not None:
            terminal.say(line)

    return tell


def _by_suffix(output: Path | None) -> Format:
    if output is None or output.suffix in ("", ".txt"):
        return Format.TEXT
    try:
        return Format(output.suffix.removeprefix("."))
    except ValueError:
        raise typer.BadParameter(
            f"{output.suffix} is no format of a trace: use .jsonl, .json or .txt.",
            param_hint="--output",
        ) from None

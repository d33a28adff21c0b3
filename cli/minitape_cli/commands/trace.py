"""`minitape trace SCRIPT`: each op that ran and each step of the walk back, as a table."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.console import Terminal
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.trace.events import Event
    from minitape_cli.recording import Recording


class Format(StrEnum):
    """How a trace is written."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"


@takes_script()
def trace(
    asked: Asked,
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
    audit: Annotated[
        bool,
        typer.Option("--audit", help="Compute again what the trace says, and show what differs."),
    ] = False,
) -> Exit:
    """Print each op and each backward step.

    `-o FILE.jsonl` keeps the trace; the commands that look at a run read it again. Ctrl-C ends the
    script, and what it did until then is shown and kept. With --audit, exits with 1 if something
    in the trace is not what it should be.
    """
    asked.check_writable(output)
    terminal = asked.terminal
    chosen = Format.JSON if json else format or _by_suffix(output)
    if audit:
        return _audit(asked, chosen, output, call=call, live=live)
    told = _teller(terminal, chosen if output is None else Format.TEXT) if live else None
    recording = asked.recording(call=call, sink=told, loads=("minitape_cli.views.steps",))
    ending = recording.exit(needs_tape=True)
    if not live or output is not None:
        _tell(asked, recording, chosen, output, ok=ending == Exit.DONE, call=call, unroll=unroll)
    return ending


def _tell(
    asked: Asked,
    recording: "Recording",
    chosen: Format,
    to: Path | None,
    *,
    ok: bool,
    call: int | None,
    unroll: bool,
) -> None:
    """Write the answer in the form that was asked for."""
    from minitape.explain.explain import explain
    from minitape.trace.trace import plain
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    trace, terminal = recording.trace, asked.terminal
    if chosen is Format.JSONL:
        asked.write(views.jsonl(trace), to)
    elif chosen is Format.JSON:
        data = {"events": [plain(event) for event in trace]}
        asked.write(envelope("trace", data, ok=ok, of=(recording,)), to)
    elif recording.is_unheard:
        terminal.complain(f"{recording.emptiness}: there is nothing to show.")
    else:
        shown = views.trace(
            trace,
            explain(trace),
            symbols=terminal.symbols,
            width=terminal.out.width,
            call=call,
            unroll=unroll,
        )
        asked.show(shown, to)


def _audit(asked: Asked, chosen: Format, to: Path | None, *, call: int | None, live: bool) -> Exit:
    """Hold the trace against itself, computed again.

    Raises:
        typer.BadParameter: the answer has no such form.
    """
    if chosen is Format.JSONL or live:
        raise typer.BadParameter(
            "an audit is told when all is over: as text, or with --json.", param_hint="--audit"
        )
    from minitape.prove.audit.auditing import audit
    from minitape.trace.trace import plain
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    recording = asked.recording(call=call)
    found = audit(recording.trace)
    ending = recording.exit(finding=not found.ok, needs_tape=True)
    if chosen is Format.JSON:
        data = {"events": [plain(event) for event in recording.trace], "audit": found.as_data()}
        ok = ending == Exit.DONE
        asked.write(envelope("trace", data, ok=ok, of=(recording,)), to)
    else:
        asked.show(views.audit(found, asked.what.name, asked.terminal.symbols), to)
    return ending


def _teller(terminal: Terminal, chosen: Format) -> "Callable[[Event], None]":
    """Writes each event to stdout when it comes.

    Raises:
        typer.BadParameter: it is one object, which cannot be written before its end.
    """
    from minitape.trace.trace import encode
    from minitape_cli import views

    if chosen is Format.JSON:
        raise typer.BadParameter(
            "--json has no end before the run: --format jsonl.", param_hint="--live"
        )
    rows = views.Live(terminal.symbols)

    def tell(event: "Event") -> None:
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

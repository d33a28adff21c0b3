"""`minitape trace SCRIPT`: prints each op and each step of the backward pass as a table."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.console import Terminal
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script

if TYPE_CHECKING:
    from minitape.trace.events import Event
    from minitape_cli.recording import RecordedRun


class TraceFormat(StrEnum):
    """The format of a trace."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"


Audit = Annotated[
    bool,
    typer.Option(
        "--audit", help="Recompute the values in the trace, and show which of them differ."
    ),
]
Redact = Annotated[
    bool,
    typer.Option(
        "--redact",
        help="Remove the script's numbers and strings from the trace, so that it can be shared.",
    ),
]


@takes_script(first=("output", "format", "json", "unroll", "live"))
def trace(
    command: ScriptCommand,
    output: options.Output = None,
    format: Annotated[
        TraceFormat | None,
        typer.Option(
            "--format",
            help="Choose the format. Default: by the suffix of FILE, otherwise text.",
            show_default=False,
        ),
    ] = None,
    json: options.Json = False,
    call: options.Call = None,
    unroll: Annotated[
        bool, typer.Option("--unroll", help="Show every iteration of a loop separately.")
    ] = False,
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Print each event while the script runs: as a line of text, or as JSON with --format jsonl.",
        ),
    ] = False,
    audit: Audit = False,
    redact: Redact = False,
) -> ExitCode:
    """Print each op and each step of the backward pass.

    Save the trace with `-o FILE.jsonl`: explain, step, graph, html and diff accept it in place of
    a script. Ctrl-C stops the script and shows the trace up to that point. With --audit, the exit
    code is 1 if something in the trace is wrong.
    """
    command.check_writable(output)
    terminal = command.terminal
    chosen = TraceFormat.JSON if json else format or _by_suffix(output)
    if redact and (audit or live or chosen is not TraceFormat.JSONL):
        raise typer.BadParameter(messages.REDACT_AS_DATA, param_hint="--redact")
    if audit:
        return _audit(command, chosen, output, call=call, live=live)
    reported = _reporter(terminal, chosen if output is None else TraceFormat.TEXT) if live else None
    recording = command.recording(call=call, sink=reported, loads=("minitape_cli.views.steps",))
    ending = recording.exit(needs_tape=True)
    if not live or output is not None:
        _emit(
            command,
            recording,
            chosen,
            output,
            ok=ending == ExitCode.DONE,
            call=call,
            unroll=unroll,
            redact=redact,
        )
    return ending


def _emit(
    command: ScriptCommand,
    recording: "RecordedRun",
    chosen: TraceFormat,
    to: Path | None,
    *,
    ok: bool,
    call: int | None,
    unroll: bool,
    redact: bool,
) -> None:
    """Write the trace in the chosen format."""
    from minitape.explain.explain import explain
    from minitape.trace.trace import plain
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    trace, terminal = recording.trace, command.terminal
    if redact:
        from minitape.trace.redaction import redacted

        trace = redacted(trace)
    if chosen is TraceFormat.JSONL:
        command.write(views.jsonl(trace), to)
    elif chosen is TraceFormat.JSON:
        data = {"events": [plain(event) for event in trace]}
        command.write(envelope("trace", data, ok=ok, of=(recording,)), to)
    elif recording.is_unrecorded:
        terminal.complain(messages.NOTHING_TO_SHOW.format(why=recording.emptiness))
    else:
        shown = views.trace(
            trace,
            explain(trace),
            symbols=terminal.symbols,
            width=terminal.width_for(to),
            call=call,
            unroll=unroll,
        )
        command.show(shown, to)


def _audit(
    command: ScriptCommand, chosen: TraceFormat, to: Path | None, *, call: int | None, live: bool
) -> ExitCode:
    """Recompute the values in the trace and write what differs.

    Raises:
        typer.BadParameter: an audit cannot be written in this format, or while the script runs.
    """
    if chosen is TraceFormat.JSONL or live:
        raise typer.BadParameter(messages.AUDIT_AT_END, param_hint="--audit")
    from minitape.trace.trace import plain
    from minitape.verify.audit.auditing import audit
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    recording = command.recording(call=call)
    found = audit(recording.trace)
    ending = recording.exit(finding=not found.ok, needs_tape=True)
    if chosen is TraceFormat.JSON:
        data = {"events": [plain(event) for event in recording.trace], "audit": found.as_data()}
        ok = ending == ExitCode.DONE
        command.write(envelope("trace", data, ok=ok, of=(recording,)), to)
    else:
        command.show(views.audit(found, command.what.name, command.terminal.symbols), to)
    return ending


def _reporter(terminal: Terminal, chosen: TraceFormat) -> "Callable[[Event], None]":
    """Return a function that writes each event to stdout as it arrives.

    Raises:
        typer.BadParameter: `--json` was chosen, whose single object is complete only after the run.
    """
    from minitape.trace.trace import encode
    from minitape_cli import views

    if chosen is TraceFormat.JSON:
        raise typer.BadParameter(messages.LIVE_NOT_JSON, param_hint="--live")
    rows = views.Live(terminal.symbols)

    def emit(event: "Event") -> None:
        if chosen is TraceFormat.JSONL:
            terminal.say(encode(event))
        elif (line := rows.line(event)) is not None:
            terminal.say(line)

    return emit


def _by_suffix(output: Path | None) -> TraceFormat:
    if output is None or output.suffix in ("", ".txt"):
        return TraceFormat.TEXT
    try:
        return TraceFormat(output.suffix.removeprefix("."))
    except ValueError:
        raise typer.BadParameter(
            messages.NO_TRACE_FORMAT.format(suffix=output.suffix), param_hint="--output"
        ) from None

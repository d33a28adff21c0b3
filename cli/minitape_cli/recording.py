"""The result of a run, whether the command ran the script or read a trace file.

RecordedRun           the trace, how the run ended, and the notes about it
Stopped               where a trace ends before the script does
recorded, was_read    make a `RecordedRun` from a run, from a trace file
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import typer

from minitape.printable import printable
from minitape.run.ending import Limit
from minitape.run.options import RunOptions
from minitape.run.outcome import Run
from minitape.run.program import Program
from minitape.source_text import parsed
from minitape.storage import storage_error
from minitape.trace import events
from minitape.trace.reading import read
from minitape.trace.trace import RanOn, Trace
from minitape_cli import messages
from minitape_cli.console import Terminal
from minitape_cli.exits import ExitCode, winning


class Stopped(NamedTuple):
    """Where a trace ends, and what happened to the rest of the script, such as "did not run"."""

    where: str
    after: str


@dataclass(frozen=True)
class RecordedRun:
    """A trace and the run that produced it.

    Attributes:
        script: The script, or the path of the trace.
        trace: The events.
        run: How the script ran; None if the trace was read from a file.
        notes: The notes about the run.
        early: The notes that were already printed while the script ran.
    """

    script: Path | Program
    trace: Trace
    run: Run | None
    notes: tuple[str, ...]
    early: tuple[str, ...] = ()

    def exit(
        self,
        *,
        finding: bool = False,
        needs_tape: bool = False,
        needs_gradient: bool = False,
        needs_all: bool = True,
    ) -> ExitCode:
        """Return the exit code of a command that has shown this recording.

        Args:
            finding: Something was found that the exit code should report.
            needs_tape: A run without a tape has nothing to show.
            needs_gradient: A run without a gradient call has nothing to show.
            needs_all: Reaching a limit makes the result incomplete.
        """
        has_gradients = bool(self.trace.of(events.GradientEvent))
        is_empty = (needs_tape and not self.has_tapes) or (needs_gradient and not has_gradients)
        return winning(
            self._ending,
            ExitCode.LIMIT
            if needs_all and self.run is not None and self.trace.dropped
            else ExitCode.DONE,
            ExitCode.FINDING if finding else ExitCode.DONE,
            ExitCode.NOTHING if is_empty else ExitCode.DONE,
        )

    @property
    def _ending(self) -> ExitCode:
        """The exit code for how the run ended, regardless of findings."""
        run = self.run
        if run is None:
            return ExitCode.DONE
        if run.limit is not None:
            return ExitCode.INTERRUPTED if run.limit is Limit.INTERRUPT else ExitCode.LIMIT
        if run.storage is not None:
            return ExitCode.USAGE
        return ExitCode.DONE if run.ok else ExitCode.SCRIPT

    @property
    def stopped(self) -> Stopped | None:
        """Where the trace ends before the end of the script; None if the script finished, or if the end is not known."""
        run = self.run
        if run is None:
            return None
        if run.storage is not None or self.trace.dropped:
            return _stopped_at(messages.RECORDING_ENDED)
        if run.unwatched is not None or run.failure is not None:
            return _stopped_at(messages.TRACING_ENDED)
        if run.error is not None:
            has_line = run.error.line is not None
            point = messages.SCRIPT_RAISED_ON_LINE if has_line else messages.SCRIPT_RAISED
            return _stopped_at(point, error=run.error.type, line=run.error.line)
        if run.limit is not None:
            return _stopped_at(messages.SCRIPT_STOPPED)
        return None if run.died is None else _stopped_at(messages.SCRIPT_DIED, cause=run.died)

    @property
    def emptiness(self) -> str:
        """Why the trace has no tape, for a message that there is nothing to show."""
        if self.is_unrecorded:
            return messages.NOT_TRACED
        if self.run is not None and self.run.unwatched is not None:
            return messages.NO_TAPE_WHILE_TRACED
        return messages.NO_TAPE

    @property
    def is_unrecorded(self) -> bool:
        """Whether the script ran on an engine that could not be traced, so that the trace is empty."""
        return self.run is not None and self.run.untraceable is not None and not self.has_tapes

    @property
    def ran_on(self) -> RanOn:
        """The engine that the script ran on."""
        return RanOn("tensorflow", None) if self.is_unrecorded else self.trace.ran_on

    @property
    def message(self) -> Any:
        """The data that a companion returned from the script's process."""
        return None if self.run is None else self.run.message

    @property
    def has_tapes(self) -> bool:
        """Whether the trace has a tape, so that there is something to draw or to step through."""
        return bool(self.trace.of(events.TapeEnterEvent))

    @property
    def is_of_nothing(self) -> bool:
        """Whether the script does not compile, so that none of it ran."""
        return self.run is not None and self.run.error is not None and not self.run.error.compiles

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """The notes and the error of the run, as JSON data."""
        said: list[dict[str, Any]] = [
            {"level": "note", "message": text} for text in (*self.early, *self.notes)
        ]
        if self.run is not None and self.run.error is not None:
            error = self.run.error
            said.append(
                {
                    "level": "error",
                    "type": error.type,
                    "message": error.message,
                    "file": None if error.file is None else Path(error.file).name,
                    "line": error.line,
                }
            )
        return said

    def check_call(self, number: int | None) -> None:
        """Refuse a `--call` that the run does not have.

        Raises:
            typer.BadParameter: there are fewer gradient calls.
        """
        calls = len(self.trace.of(events.GradientEvent))
        if number is not None and number > calls:
            have = messages.counted(calls, "gradient call")
            what = messages.NO_SUCH_CALL.format(calls=have)
            raise typer.BadParameter(what, param_hint="--call")

    def emit(self, terminal: Terminal) -> None:
        """Print the notes about the run, and the script's exception, to stderr."""
        for text in self.notes:
            terminal.note(text)
        if self.run is not None and self.run.error is not None and not self.run.error.is_reported:
            terminal.err.print(self.run.error.text.rstrip("\n"), soft_wrap=True)


def recorded(
    script: Path | Program, ran: Run, run_options: RunOptions, *, left_out: tuple[str, ...] = ()
) -> RecordedRun:
    """Return the recording of a script that was run.

    Args:
        script: The script.
        ran: The run.
        run_options: The options of the run; the notes name the limits among them.
        left_out: Notes about parts of a notebook that were not run.
    """
    return RecordedRun(script, ran.trace, ran, (*left_out, *_notes(ran, run_options)))


def was_read(script: Path) -> RecordedRun:
    """Return the recording in a trace file.

    Raises:
        TraceError: the file cannot be read.
    """
    trace = read(script)
    cut_short = () if trace.is_whole else (messages.TRACE_CUT_SHORT,)
    return RecordedRun(script, trace, None, _full(trace) or cut_short)


_MOST_NAMES = 4


def missing_note(
    missing: Sequence[tuple[str, int, str, str]], script: Path | Program, command: str
) -> str:
    """Return a note about names that minitape lacks: where the script will stop, and the command that runs it on TensorFlow.

    Args:
        missing: File, line, name and exception type of each, the main program first.
        script: The script.
        command: The command in use with its script, such as `minitape explain --on tensorflow train.py`.
    """
    main = (
        {part.file for part in script.parts if part.file == script.shown}
        if isinstance(script, Program)
        else {str(script)}
    )
    lines = [messages.MISSING_NAMES]
    for file, line, name, error in missing[:_MOST_NAMES]:
        entry = messages.MISSING_NAME if file in main else messages.MISSING_NAME_IN
        lines.append(entry.format(line=line, file=Path(file).name, name=name, error=error))
    if len(missing) > _MOST_NAMES:
        lines.append(messages.MISSING_MORE.format(count=len(missing) - _MOST_NAMES))
    lines.append(messages.MISSING_INSTEAD.format(command=command))
    return "\n".join(map(printable, lines))


def _stopped_at(point: tuple[str, str], **values: object) -> Stopped:
    """Return the message about that point, with its values filled in."""
    where, after = point
    return Stopped(where.format(**values), after)


def _full(trace: Trace) -> tuple[str, ...]:
    """Return a note about a run that continued after its recording was full."""
    if not trace.dropped:
        return ()
    recorded, dropped = f"{len(trace.events):,}", f"{trace.dropped:,}"
    return (messages.RECORDING_FULL.format(recorded=recorded, dropped=dropped),)


def _notes(ran: Run, run_options: RunOptions) -> list[str]:
    """Return the notes about a run."""
    said = []
    if ran.served and run_options.on is None:
        said.append(messages.ON_MINITAPE)
    if ran.untraceable is not None:
        why = ran.untraceable.removesuffix(".")
        said.append(messages.ON_TENSORFLOW_UNTRACED.format(why=why))
    said += ran.notes
    if ran.unwatched is not None:
        said.append(messages.TRACED_FOR.format(limit=_reached(ran.unwatched, run_options)))
    said += _full(ran.trace)
    if ran.forked:
        said.append(messages.OTHER_PROCESSES)
    if ran.storage is not None:
        error = storage_error(ran.storage)
        said.append(messages.STORAGE_FAILED.format(what=error.what, fix=error.fix))
    if ran.failure is not None:
        engine = ran.trace.ran_on
        lost = messages.TRACER_REPLACED if engine.is_minitape else messages.ENGINE_LOST
        said.append(lost.format(engine=engine.name, why=ran.failure))
    if ran.error is not None and not ran.error.compiles:
        said.append(messages.DOES_NOT_COMPILE)
    how = _stopped(ran, run_options)
    if how is not None:
        said.append(how)
    elif ran.died is not None:
        said.append(messages.DIED.format(cause=ran.died))
    elif ran.error is None and ran.exit_code:
        said.append(messages.EXIT_CODE.format(code=ran.exit_code))
    return said


def _stopped(ran: Run, run_options: RunOptions) -> str | None:
    """Return a note about the limit that stopped a run, and the lines that did not run."""
    if ran.limit is None:
        return None
    if ran.limit is Limit.INTERRUPT:
        return messages.INTERRUPTED
    stopped = messages.STOPPED_AT if ran.limit is Limit.MEMORY else messages.STOPPED_AFTER
    return stopped.format(limit=_reached(ran.limit, run_options)) + _not_run(ran.trace)


def _reached(limit: Limit, run_options: RunOptions) -> str:
    """Return a limit with its unit and the option that sets it, such as `30 s (--timeout)`."""
    if limit is Limit.CALLS:
        return f"{messages.counted(run_options.trace_calls or 0, 'gradient call')} (--trace-calls)"
    return {
        Limit.TIME: f"{run_options.timeout:g} s (--timeout)",
        Limit.OPS: f"{run_options.max_ops} ops (--max-ops)",
        Limit.MEMORY: f"{run_options.max_memory} MB (--max-memory)",
    }[limit]


def _not_run(trace: Trace) -> str:
    """Return a sentence about the lines after the statement in which a run was stopped; empty if there are none."""
    placed = (event for event in reversed(trace.events) if isinstance(event, events.Placed))
    last = next(filter(None, map(trace.outermost, placed)), None)
    if last is None:
        return ""
    location = trace.sites[last].at
    texts = {source.file: source.text for source in trace.of(events.SourceEvent)}
    try:
        body = parsed(texts.get(location.file, "")).body
    except SyntaxError:
        return ""
    later = [each for each in body if each.lineno > location.line]
    if not later:
        return ""
    first, end = later[0].lineno, later[-1].end_lineno
    not_run = messages.LINE_NOT_RUN if first == end else messages.LINES_NOT_RUN
    return not_run.format(line=end, first=first, last=end)

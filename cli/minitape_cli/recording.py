"""What a command knows of a run when it is over, whether it ran the script or read what was recorded before.

Recording             the trace, how the run ended, and what is to be said about it
Stopped               where a trace ends before the script does
recorded, was_read    of a script, of a trace file
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import typer

from minitape.printable import printable
from minitape.run.ending import Limit
from minitape.run.outcome import Run
from minitape.run.program import Program
from minitape.run.wishes import Wishes
from minitape.source_text import parsed
from minitape.storage import storage_error
from minitape.trace import events
from minitape.trace.reading import read
from minitape.trace.trace import RanOn, Trace
from minitape_cli.console import Terminal
from minitape_cli.exits import Exit, winning


class Stopped(NamedTuple):
    """Where a trace ends, and what is to be said of what the script has after it."""

    where: str
    after: str


@dataclass(frozen=True)
class Recording:
    """A trace, and the run it is from; `run` is None if it was read from a file."""

    asked: Path | Program
    trace: Trace
    run: Run | None
    remarks: tuple[str, ...]
    early: tuple[str, ...] = ()  # the notes that were shown while the script ran

    def exit(
        self,
        *,
        finding: bool = False,
        needs_tape: bool = False,
        needs_gradient: bool = False,
        needs_all: bool = True,
    ) -> Exit:
        """How a command that has shown this ends; `needs_…` is what it lives on: a tape, a gradient call, the whole run."""
        has_gradients = bool(self.trace.of(events.Gradient))
        is_empty = (needs_tape and not self.has_tapes) or (needs_gradient and not has_gradients)
        return winning(
            self._ending,
            Exit.LIMIT if needs_all and self.run is not None and self.trace.dropped else Exit.DONE,
            Exit.FINDING if finding else Exit.DONE,
            Exit.NOTHING if is_empty else Exit.DONE,
        )

    @property
    def _ending(self) -> Exit:
        """How the run ended, whatever was found in it."""
        run = self.run
        if run is None:
            return Exit.DONE
        if run.limit is not None:
            return Exit.INTERRUPTED if run.limit is Limit.INTERRUPT else Exit.LIMIT
        if run.storage is not None:
            return Exit.USAGE
        return Exit.DONE if run.ok else Exit.SCRIPT

    @property
    def stopped(self) -> Stopped | None:
        """Where the trace ends before the script's end; None if it came there, or is not known to have stopped."""
        run = self.run
        if run is None:
            return None
        if run.storage is not None or self.trace.dropped:
            return Stopped("the point where recording ended", "was not recorded")
        if run.unwatched is not None:
            return Stopped("the point where watching ended", "was not watched")
        if run.error is not None:
            line = "" if run.error.line is None else f" in line {run.error.line}"
            return Stopped(f"the {run.error.type}{line}", "did not run")
        if run.limit is not None:
            return Stopped("the point where it was stopped", "did not run")
        return None if run.died is None else Stopped(f"its {run.died}", "did not run")

    @property
    def emptiness(self) -> str:
        """Why there is nothing to show, where no tape is in the trace."""
        if self.is_unheard:
            return "the script was not heard"
        if self.run is not None and self.run.unwatched is not None:
            return "the script opened no tape while it was watched"
        return "the script ran, but it opened no tape"

    @property
    def is_unheard(self) -> bool:
        """Whether it ran on an engine that could not be heard, so that the trace says nothing."""
        return self.run is not None and self.run.unheard is not None and not self.has_tapes

    @property
    def ran_on(self) -> RanOn:
        """What computed it."""
        return RanOn("tensorflow", None) if self.is_unheard else self.trace.ran_on

    @property
    def message(self) -> Any:
        """What a companion brought back from the script's process."""
        return None if self.run is None else self.run.message

    @property
    def has_tapes(self) -> bool:
        """Whether there is anything to draw or to step through."""
        return bool(self.trace.of(events.TapeEnter))

    @property
    def is_of_nothing(self) -> bool:
        """Whether the script did not even compile, so that nothing of it ran."""
        return self.run is not None and self.run.error is not None and not self.run.error.compiles

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """What is to be said about the run, as data."""
        said: list[dict[str, Any]] = [
            {"level": "note", "message": text} for text in (*self.early, *self.remarks)
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
        calls = len(self.trace.of(events.Gradient))
        if number is not None and number > calls:
            have = f"the run has {calls} gradient call{'s' * (calls != 1)}"
            raise typer.BadParameter(f"{have}.", param_hint="--call")

    def tell(self, terminal: Terminal) -> None:
        """Say on stderr how the run ended, where that is not as it should be."""
        for text in self.remarks:
            terminal.remark(text)
        if self.run is not None and self.run.error is not None and not self.run.error.is_told:
            terminal.err.print(self.run.error.text.rstrip("\n"), soft_wrap=True)


def recorded(
    asked: Path | Program, ran: Run, wishes: Wishes, *, left_out: tuple[str, ...] = ()
) -> Recording:
    """Of a script that was run."""
    return Recording(asked, ran.trace, ran, (*left_out, *_remarks(ran, wishes)))


def was_read(asked: Path) -> Recording:
    """Of a trace file.

    Raises:
        TraceError: it cannot be read.
    """
    trace = read(asked)
    return Recording(asked, trace, None, _full(trace) or (() if trace.is_whole else (_CUT_SHORT,)))


_MOST_NAMES = 4


def missing_note(
    missing: Sequence[tuple[str, int, str, str]], asked: Path | Program, command: str
) -> str:
    """A note about names that minitape lacks: where the script will stop, and the command that runs it on TensorFlow.

    Args:
        missing: File, line, name and exception type of each, the main program first.
        asked: The script.
        command: The command in use with its script, such as `minitape explain --on tensorflow train.py`.
    """
    main = (
        {part.file for part in asked.parts if part.file == asked.shown}
        if isinstance(asked, Program)
        else {str(asked)}
    )
    lines = ["This script uses names that minitape does not support:"]
    for file, line, name, error in missing[:_MOST_NAMES]:
        where = f"line {line}" if file in main else f"line {line} of {Path(file).name}"
        lines.append(f"  {where}: `{name}` raises {error}")
    if len(missing) > _MOST_NAMES:
        lines.append(f"  and {len(missing) - _MOST_NAMES} more")
    lines.append(f"  or: {command}")
    return "\n".join(map(printable, lines))


_CUT_SHORT = "This trace was cut short: what is shown is the run up to there."


def _full(trace: Trace) -> tuple[str, ...]:
    """A note on a run that went on when its recording was full."""
    if not trace.dropped:
        return ()
    events = f"{len(trace.events):,} events"
    return (
        f"The recording is full after {events}; {trace.dropped:,} later events were not recorded. "
        "Results cover the run up to there. Try fewer iterations.",
    )


def _remarks(ran: Run, wishes: Wishes) -> list[str]:
    """What is to be said about a run beside its answer."""
    said = []
    if ran.served and wishes.on is None:
        said.append("TensorFlow is not installed: minitape answers `import tensorflow`.")
    if ran.unheard is not None:
        said.append(
            f"The script ran on TensorFlow itself, which was not heard: {ran.unheard.removesuffix('.')}. "
            "--on minitape runs it on minitape."
        )
    said += ran.remarks
    if ran.unwatched is not None:
        reached = _reached(ran.unwatched, wishes)
        said.append(f"Watched for {reached}; the rest of the script ran on unwatched.")
    said += _full(ran.trace)
    if ran.forked:
        said.append("The script started other processes: only the first process is recorded.")
    if ran.storage is not None:
        error = storage_error(ran.storage)
        said.append(f"{error.what} The rest of the script was not recorded. Try: {error.fix}")
    if ran.deaf is not None:
        engine = ran.trace.ran_on
        fault = "The script changed what minitape listens with"
        if not engine.is_minitape:
            fault = f"minitape could not follow {engine.name} any further"
        said.append(f"{fault} ({ran.deaf}): what came later is not recorded.")
    if ran.error is not None and not ran.error.compiles:
        said.append("The script does not compile: nothing of it ran.")
    how = _stopped(ran, wishes)
    if how is not None:
        said.append(how)
    elif ran.died is not None:
        said.append(f"The script ended by {ran.died}: the run up to there is shown.")
    elif ran.error is None and ran.exit_code:
        said.append(f"The script left with exit code {ran.exit_code}.")
    return said


def _stopped(ran: Run, wishes: Wishes) -> str | None:
    """Which limit stopped a run, and what of it did not run."""
    if ran.limit is None:
        return None
    if ran.limit is Limit.INTERRUPT:
        return "Interrupted: the run up to there is shown."
    when = "at" if ran.limit is Limit.MEMORY else "after"
    reached = _reached(ran.limit, wishes)
    return f"Stopped {when} {reached}: the run up to there is shown.{_not_run(ran.trace)}"


def _reached(limit: Limit, wishes: Wishes) -> str:
    """A limit in its measure, and the option that sets it."""
    if limit is Limit.CALLS:
        return f"{wishes.listen} gradient call{'s' * (wishes.listen != 1)} (--listen)"
    return {
        Limit.TIME: f"{wishes.timeout:g} s (--timeout)",
        Limit.OPS: f"{wishes.max_ops} ops (--max-ops)",
        Limit.MEMORY: f"{wishes.max_memory} MB (--max-memory)",
    }[limit]


def _not_run(trace: Trace) -> str:
    """Which lines come after the statement in which a run was stopped."""
    placed = (event for event in reversed(trace.events) if isinstance(event, events.Placed))
    last = next(filter(None, map(trace.outermost, placed)), None)
    if last is None:
        return ""
    place = trace.sites[last].at
    texts = {source.file: source.text for source in trace.of(events.Source)}
    try:
        body = parsed(texts.get(place.file, "")).body
    except SyntaxError:
        return ""
    later = [each for each in body if each.lineno > place.line]
    if not later:
        return ""
    first, end = later[0].lineno, later[-1].end_lineno
    lines = f"Line {end}" if first == end else f"Lines {first} to {end}"
    return f" {lines} did not run."

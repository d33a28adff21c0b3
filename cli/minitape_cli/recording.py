"""From what the user named to a trace: run a script, or read what was recorded before.

record      a program or a trace file → Recording
Recording   the trace, how the run ended, and what is to be said about it
"""

import ast
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, cast

import typer

from minitape.debug.program import Program
from minitape.debug.script import Limit, Run, run
from minitape.debug.trace import Event, Trace, read
from minitape_cli.console import Terminal
from minitape_cli.exits import Exit
from minitape_cli.progress import Progress


@dataclass(frozen=True)
class Recording:
    """A trace, and the run it is from; `run` is None if it was read from a file."""

    asked: Path | Program
    trace: Trace
    run: Run | None
    remarks: tuple[str, ...]

    def exit(self, *, finding: bool = False, needs: tuple[str, ...] = ()) -> Exit:
        """How a command that has shown this ends; `needs` are the kinds of events it lives on."""
        run = self.run
        if run is not None and run.limit is not None:
            return Exit.INTERRUPTED if run.limit is Limit.INTERRUPT else Exit.LIMIT
        if finding:
            return Exit.FINDING
        if run is not None and not run.ok:
            return Exit.SCRIPT
        if needs and not self.trace.of(*needs):
            return Exit.NOTHING
        return Exit.DONE

    @property
    def stopped(self) -> str | None:
        """Where a run ended before its end; None if it came there, or is not known to have stopped."""
        if self.run is None or (self.run.error is None and self.run.limit is None):
            return None
        error = self.run.error
        if error is None:
            return "the point where it was stopped"
        return f"the {error.type}" + ("" if error.line is None else f" in line {error.line}")

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """What is to be said about the run, as data."""
        said: list[dict[str, Any]] = [{"level": "note", "message": text} for text in self.remarks]
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
        calls = len(self.trace.of("gradient"))
        if number is not None and number > calls:
            have = f"the run has {calls} gradient call{'s' * (calls != 1)}"
            raise typer.BadParameter(f"{have}.", param_hint="--call")

    def tell(self, terminal: Terminal) -> None:
        """Say on stderr how the run ended, where that is not as it should be."""
        for text in self.remarks:
            terminal.remark(text)
        if self.run is not None and self.run.error is not None:
            terminal.err.print(self.run.error.text.rstrip("\n"), soft_wrap=True)


def record(
    asked: Path | Program,
    args: list[str] | None = None,
    *,
    as_tensorflow: bool,
    timeout: float,
    max_ops: int,
    seed: int | None,
    quiet_stdout: bool = True,
    sink: Callable[[Event], None] | None = None,
    quiet: bool = False,
) -> Recording:
    """Run a program, or read a trace.

    With `quiet_stdout` the script's own output goes to stderr, so that stdout holds the result and
    nothing else. `sink` is given each event as it comes. Without one, and unless it is to be `quiet`,
    a terminal is told how far a long run is.
    """
    if isinstance(asked, Path) and is_trace(asked):
        trace = read(asked)
        if sink is not None:
            for event in trace:
                sink(event)
        return Recording(asked, trace, None, () if trace.is_whole else (_CUT_SHORT,))
    stdout = sys.stderr if quiet_stdout else None
    progress = None
    if stdout is not None and stdout.isatty() and sink is None and not quiet:
        progress = Progress(stdout)
        stdout, sink = cast(TextIO, progress), progress.heard
    ran = run(
        asked,
        args or (),
        as_tensorflow=as_tensorflow,
        stdout=stdout,
        timeout=timeout,
        max_ops=max_ops,
        seed=seed,
        sink=sink,
    )
    if progress is not None:
        progress.clear()
    return Recording(asked, ran.trace, ran, tuple(_remarks(ran, as_tensorflow, timeout, max_ops)))


_CUT_SHORT = "This trace was cut short: what is shown is the run up to there."


def is_trace(asked: Path | Program) -> bool:
    """Whether a file is a trace (by its name, or by how it begins) and not a script."""
    if isinstance(asked, Program):
        return False
    path = asked
    if path.suffix in (".py", ".jsonl", ".json"):
        return path.suffix != ".py"
    with path.open("rb") as file:
        return file.read(1) == b"{"


def _remarks(ran: Run, as_tensorflow: bool, timeout: float, max_ops: int) -> list[str]:
    said = []
    if ran.served and not as_tensorflow:
        said.append("TensorFlow is not installed: minitape answers `import tensorflow`.")
    if ran.went_elsewhere:
        said.append("The script ran on TensorFlow itself; --as-tensorflow runs it on minitape.")
    if ran.limit is Limit.TIME:
        said.append(
            f"Stopped after {timeout:g} s (--timeout): the run up to there is shown.{_not_run(ran.trace)}"
        )
    elif ran.limit is Limit.OPS:
        said.append(
            f"Stopped after {max_ops} ops (--max-ops): the run up to there is shown.{_not_run(ran.trace)}"
        )
    elif ran.limit is Limit.INTERRUPT:
        said.append("Interrupted: the run up to there is shown.")
    elif ran.error is None and ran.exit_code:
        said.append(f"The script left with exit code {ran.exit_code}.")
    return said


def _not_run(trace: Trace) -> str:
    """Which lines come after the statement in which a run was stopped."""
    last = next((event for event in reversed(trace.events) if event.get("stack")), None)
    if last is None:
        return ""
    sites = {event["site"]: event["at"] for event in trace.of("site")}
    file, line = sites[last["stack"][0]][:2]
    texts = {event["file"]: event["text"] for event in trace.of("source")}
    try:
        body = ast.parse(texts.get(file, "")).body
    except SyntaxError:
        return ""
    later = [each for each in body if each.lineno > line]
    if not later:
        return ""
    first, end = later[0].lineno, later[-1].end_lineno
    lines = f"Line {end}" if first == end else f"Lines {first} to {end}"
    return f" {lines} did not run."

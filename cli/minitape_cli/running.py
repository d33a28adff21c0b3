"""Runs a script, or reads a trace, and returns the recording.

The script's process is started first, so that the modules that show the answer are imported while Python and NumPy start there.
"""

import importlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, cast

from minitape.run.options import RunOptions
from minitape.run.process import run
from minitape.run.program import Program, of_file
from minitape.storage import open_file

if TYPE_CHECKING:
    from minitape.run.ending import Ending
    from minitape.run.jobs import Companion
    from minitape.trace.events import Event
    from minitape_cli.progress import ProgressLine
    from minitape_cli.recording import RecordedRun

_MEANWHILE = ("minitape_cli.recording", "minitape.explain.explain", "minitape_cli.views")


def record(
    command: Path | Program,
    args: Sequence[str] = (),
    run_options: RunOptions = RunOptions(),  # noqa: B008  # frozen
    *,
    sink: "Callable[[Event], None] | None" = None,
    learned: "Callable[[Ending], None]" = lambda _: None,
    companion: "Companion | None" = None,
    quiet_stdout: bool = True,
    into: TextIO | None = None,
    shows_progress: bool = True,
    loads: Sequence[str] = (),
    unwanted: Callable[[], bool] = lambda: False,
) -> "RecordedRun":
    """Run a program, or read a trace.

    Args:
        command: The program, or the path of a script or a trace.
        args: The arguments for the script.
        run_options: How to run it: engine, limits, seed.
        sink: Called with each event as it arrives, before the script's next output.
        learned: Called while the script runs with what is already known about its ending.
        companion: Computes something in the script's process as well.
        quiet_stdout: Send the script's own output to stderr, so that stdout holds only the answer.
        into: A stream for the script's output, in place of stdout and stderr.
        shows_progress: Show the progress of a long run in a terminal, unless there is a `sink`.
        loads: Modules to import while the script runs, because the answer needs them.
        unwanted: Checked while the script runs; once it returns True, the run is ended.

    Raises:
        PythonError: the chosen Python cannot run the program.
        TraceError: the trace cannot be read.
    """
    if isinstance(command, Path) and is_trace(command):
        return _read(command, sink)
    stdout = into or (sys.stderr if quiet_stdout else sys.stdout)
    progress = None
    if quiet_stdout and stdout.isatty() and sink is None and shows_progress:
        progress = _progress(stdout)

    program = command if isinstance(command, Program) else of_file(command)
    ran = run(
        program,
        args,
        run_options,
        stdout=stdout if progress is None else cast(TextIO, progress),
        sink=sink if progress is None else progress.received,
        learned=learned if progress is None else partial(_clear_and_learn, progress, learned),
        companion=companion,
        meanwhile=partial(_load, (*_MEANWHILE, *loads)),
        in_step=sink is not None,
        unwanted=unwanted,
    )
    if progress is not None:
        progress.clear()
    from minitape_cli.recording import recorded

    return recorded(command, ran, run_options, left_out=program.left_out)


def _clear_and_learn(
    progress: "ProgressLine", learned: "Callable[[Ending], None]", ending: "Ending"
) -> None:
    progress.clear()
    learned(ending)


def is_trace(command: Path | Program) -> bool:
    """Whether a file is a trace and not a script, by its name or by its first character."""
    if isinstance(command, Program):
        return False
    if command.suffix in (".py", ".jsonl", ".json"):
        return command.suffix != ".py"
    with open_file(command) as file:
        return file.read(1) == b"{"


def _read(trace: Path, sink: "Callable[[Event], None] | None") -> "RecordedRun":
    from minitape_cli.recording import was_read

    recording = was_read(trace)
    if sink is not None:
        for event in recording.trace:
            sink(event)
    return recording


def _progress(terminal: TextIO) -> "ProgressLine":
    from minitape_cli.progress import ProgressLine

    return ProgressLine(terminal)


def _load(names: Sequence[str]) -> None:
    for name in names:
        importlib.import_module(name)

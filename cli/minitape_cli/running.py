"""From what the user named to a recording: run a script, or read what was recorded before.

The script's process is started before anything else: what shows its answer is loaded while Python and NumPy start over there.
"""

import importlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, cast

from minitape.run.process import run
from minitape.run.program import Program, of_file
from minitape.run.wishes import Wishes
from minitape.storage import open_file

if TYPE_CHECKING:
    from minitape.run.ending import Ending
    from minitape.run.jobs import Companion
    from minitape.trace.events import Event
    from minitape_cli.progress import Progress
    from minitape_cli.recording import Recording

_MEANWHILE = ("minitape_cli.recording", "minitape.explain.explain", "minitape_cli.views")


def record(
    asked: Path | Program,
    args: Sequence[str] = (),
    wishes: Wishes = Wishes(),  # noqa: B008  # frozen
    *,
    sink: "Callable[[Event], None] | None" = None,
    learned: "Callable[[Ending], None]" = lambda _: None,
    companion: "Companion | None" = None,
    quiet_stdout: bool = True,
    into: TextIO | None = None,
    shows_progress: bool = True,
    loads: Sequence[str] = (),
    unwanted: Callable[[], bool] = lambda: False,
) -> "Recording":
    """Run a program, or read a trace.

    With `quiet_stdout` the script's own output goes to stderr, so that stdout holds the result and
    nothing else; or it goes `into` a file. `sink` is given each event as it comes, before the script's
    next output, and `learned` what is known of the run's ending, while it runs. Without a `sink`, and if it
    `shows_progress`, a terminal is told how far a long run is.
    `loads` are modules that the answer needs. The run ends early once it is `unwanted`.

    Raises:
        PythonError: the Python that was asked for cannot run it.
        TraceError: the trace cannot be read.
    """
    if isinstance(asked, Path) and is_trace(asked):
        return _read(asked, sink)
    stdout = into or (sys.stderr if quiet_stdout else sys.stdout)
    progress = None
    if quiet_stdout and stdout.isatty() and sink is None and shows_progress:
        progress = _progress(stdout)

    def clear_and_learn(ending: "Ending") -> None:
        if progress is not None:
            progress.clear()
        learned(ending)

    program = asked if isinstance(asked, Program) else of_file(asked)
    ran = run(
        program,
        args,
        wishes,
        stdout=stdout if progress is None else cast(TextIO, progress),
        sink=sink if progress is None else progress.heard,
        learned=clear_and_learn,
        companion=companion,
        meanwhile=partial(_load, (*_MEANWHILE, *loads)),
        in_step=sink is not None,
        unwanted=unwanted,
    )
    if progress is not None:
        progress.clear()
    from minitape_cli.recording import recorded

    return recorded(asked, ran, wishes, left_out=program.left_out)


def is_trace(asked: Path | Program) -> bool:
    """Whether a file is a trace (by its name, or by how it begins) and not a script."""
    if isinstance(asked, Program):
        return False
    if asked.suffix in (".py", ".jsonl", ".json"):
        return asked.suffix != ".py"
    with open_file(asked) as file:
        return file.read(1) == b"{"


def _read(trace: Path, sink: "Callable[[Event], None] | None") -> "Recording":
    from minitape_cli.recording import was_read

    recording = was_read(trace)
    if sink is not None:
        for event in recording.trace:
            sink(event)
    return recording


def _progress(terminal: TextIO) -> "Progress":
    from minitape_cli.progress import Progress

    return Progress(terminal)


def _load(names: Sequence[str]) -> None:
    for name in names:
        importlib.import_module(name)

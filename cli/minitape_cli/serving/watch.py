"""The loop of `--watch`: run, show, wait for the next save."""

import gc
import signal
import sys
import time
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from minitape.errors import TraceError
from minitape.html import shell
from minitape.storage import check_file
from minitape_cli import messages
from minitape_cli.exits import ExitCode
from minitape_cli.running import is_trace
from minitape_cli.script_command import ScriptCommand
from minitape_cli.serving.board import Board
from minitape_cli.serving.saved import Saved
from minitape_cli.serving.server import Server

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace
    from minitape_cli.recording import RecordedRun

Made = Callable[["Trace", "Report", int], str]  # renders a page; the number counts the pages served


@dataclass(frozen=True)
class PageSpec:
    """How a page is served.

    Attributes:
        port: The port; 0 for any free one.
        opens: Open the page in the browser.
        call: The gradient call that the page shows.
        theme: The colors of the page.
        loads: Modules to import while the script runs.
    """

    port: int
    opens: bool
    call: int | None
    theme: str
    loads: tuple[str, ...]


def serve(command: ScriptCommand, made: Made, spec: PageSpec) -> ExitCode:
    """Serve the page of a script or a trace, and re-create it whenever the file is saved, until Ctrl-C.

    Raises:
        typer.BadParameter: the program is not in a file, or the port cannot be used.
    """
    file = _file(command)
    running = messages.RUNNING.format(name=file.name)
    board = Board(shell(file.name, 0, message=running, theme=spec.theme))
    try:
        server = Server(board, spec.port)
    except OSError as error:
        what = messages.PORT_NOT_FREE.format(port=spec.port, reason=error.strerror)
        raise typer.BadParameter(what, param_hint="--port") from None
    with server:
        command.terminal.say(messages.WATCHING.format(path=file, address=server.exit_path.address))
        if (
            spec.opens
        ):  # before the first run, whose child processes are killed; the browser must stay
            webbrowser.open(server.exit_path.address)
        return _Iterations(command, made, spec, board, file).go()


def _file(command: ScriptCommand) -> Path:
    """Return the file to watch.

    Raises:
        typer.BadParameter: the program is not in a file.
    """
    what = command.what
    file = what if isinstance(what, Path) else what.path
    if file is None:
        raise typer.BadParameter(messages.WATCH_NEEDS_FILE, param_hint="--watch")
    return file


class _Iterations:
    """Runs the script again after each save, and updates the page."""

    def __init__(
        self, command: ScriptCommand, made: Made, spec: PageSpec, board: Board, file: Path
    ) -> None:
        self._command, self._made, self._spec, self._board = command, made, spec, board
        self._file, self._saved, self._folder = file, Saved([file]), file.resolve().parent
        self._shows_run = False  # whether the page shows a run
        self._is_over = False

    def go(self) -> ExitCode:
        """Run until Ctrl-C."""
        # A process started to ignore the signal, by nohup, continues to ignore it.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupted)
        while not self._is_over:
            began = time.monotonic()
            try:
                recording = self._recorded()
            except (typer.BadParameter, TraceError, OSError) as error:
                self._complain(_words(error))
            else:
                # A run that a newer save ended is not shown.
                run = recording.run
                if run is not None and run.interrupts:
                    break
                if not self._saved.has_come() or not _is_cut(recording):
                    self._show(recording, began)
            gc.collect()  # the command collects rarely, so reference cycles of each run would pile up
            self._saved.take(unless=lambda: self._is_over)
        return ExitCode.INTERRUPTED

    def _interrupted(self, *_: object) -> None:
        """Stop, immediately if possible; the flag remains if Python drops the exception, as in an import or a finalizer."""
        self._is_over = True
        raise KeyboardInterrupt

    def _recorded(self) -> "RecordedRun":
        # This comes first, because `command.what` would look for an example with this name if the file is gone.
        check_file(self._file, sys.maxsize)
        command = replace(
            self._command
        )  # a copy without the cached `what`, so that the file is read again
        recording = command.recording(
            call=self._spec.call,
            loads=self._spec.loads,
            emits=False,
            unwanted=self._saved.has_come,
        )
        if not is_trace(command.what):
            self._saved.also(_files(recording, self._folder))
        return recording

    def _show(self, recording: "RecordedRun", began: float) -> None:
        """Show the page of a run, or print why there is none."""
        from minitape.explain.explain import explain

        recording.emit(self._command.terminal)
        ending = recording.exit()
        if not recording.has_tapes or (ending is ExitCode.SCRIPT and self._shows_run):
            self._complain(_broken(recording))
            return
        trace = recording.trace
        report = explain(trace)
        page = self._made(trace, report, self._board.next_number)
        said = "" if ending is ExitCode.DONE else _broken(recording)
        self._shows_run = True
        self._board.put_up(page, said)
        answer = " · ".join(filter(None, (said, _found(report))))
        self._command.terminal.say(f"{answer}   {time.monotonic() - began:.1f} s")

    def _complain(self, what: str) -> None:
        stale = [messages.SHOWN_IS_OLD] if self._shows_run else []
        self._board.say("\n".join([what, *stale]))
        self._command.terminal.say(what)


def _is_cut(recording: "RecordedRun") -> bool:
    """Whether the run was interrupted by Ctrl-C or by a newer save."""
    return recording.exit() is ExitCode.INTERRUPTED


def _files(recording: "RecordedRun", folder: Path) -> Iterable[Path]:
    """Return the files in the program's folder that a run has read; a trace names them relative to that folder."""
    from minitape.trace import events

    error = None if recording.run is None else recording.run.error
    named = [source.file for source in recording.trace.of(events.SourceEvent)]
    if error is not None and error.file is not None:
        named.append(error.file)
    return [folder / name for name in named if (folder / name).is_file()]


def _words(error: Exception) -> str:
    """Return an error about the script's file, as one line."""
    if isinstance(error, typer.BadParameter):
        return error.message
    if isinstance(error, FileNotFoundError):
        return messages.FILE_GONE.format(path=error.filename)
    if isinstance(error, OSError):
        return messages.SYSTEM_ERROR.format(file=error.filename, reason=error.strerror)
    return str(error).partition("\n")[0]


def _broken(recording: "RecordedRun") -> str:
    """Return why a run did not succeed, as one line."""
    error = None if recording.run is None else recording.run.error
    if error is not None:
        name = Path(error.file or "").name
        raised = messages.RAISED if error.line is None else messages.RAISED_ON_LINE
        message = error.message.partition("\n")[0].removesuffix(f" ({name}, line {error.line})")
        return raised.format(file=name, line=error.line, error=error.type, message=message)
    if recording.notes:
        return recording.notes[-1]
    return f"{recording.emptiness}."


def _found(report: "Report") -> str:
    """Return the first finding of a run, or that it is healthy, as one line."""
    from minitape_cli import views

    lines = views.briefly(report).splitlines()
    if lines:
        more = len(lines) - 1
        return messages.FIRST_OF.format(first=lines[0], more=more) if more else lines[0]
    return messages.HEALTHY.format(calls=messages.counted(len(report.calls), "gradient call"))

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
from minitape.page import shell
from minitape.storage import check_file
from minitape_cli.asking import Asked
from minitape_cli.exits import Exit
from minitape_cli.running import is_trace
from minitape_cli.serving.board import Board
from minitape_cli.serving.saved import Saved
from minitape_cli.serving.server import Server

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace
    from minitape_cli.recording import Recording

Made = Callable[["Trace", "Report", int], str]  # a page that is live, with its number


@dataclass(frozen=True)
class Wish:
    """How a page is to be served; `call` is the gradient call that it is about."""

    port: int
    opens: bool
    call: int | None
    theme: str
    loads: tuple[str, ...]


def serve(asked: Asked, made: Made, wish: Wish) -> Exit:
    """Serve the page of a script or a trace, and make it anew whenever that is saved. Ends by Ctrl-C.

    Raises:
        typer.BadParameter: there is no file to look at, or the port is taken.
    """
    file = _file(asked)
    board = Board(shell(file.name, 0, said=f"{file.name} is running …", theme=wish.theme))
    try:
        server = Server(board, wish.port)
    except OSError as error:
        what = f"port {wish.port} cannot be had: {error.strerror}."
        raise typer.BadParameter(what, param_hint="--port") from None
    with server:
        asked.terminal.say(f"watching {file}: {server.door.address}   (Ctrl-C ends)")
        if wish.opens:  # before the first run: what that starts is ended, and a browser is to stay
            webbrowser.open(server.door.address)
        return _Rounds(asked, made, wish, board, file).go()


def _file(asked: Asked) -> Path:
    """What is looked at.

    Raises:
        typer.BadParameter: the program is in no file.
    """
    what = asked.what
    file = what if isinstance(what, Path) else what.path
    if file is None:
        raise typer.BadParameter("it looks at a file: name a script.", param_hint="--watch")
    return file


class _Rounds:
    """One run after the other."""

    def __init__(self, asked: Asked, made: Made, wish: Wish, board: Board, file: Path) -> None:
        self._asked, self._made, self._wish, self._board = asked, made, wish, board
        self._file, self._saved, self._folder = file, Saved([file]), file.resolve().parent
        self._shows_run = False  # whether a page of a run hangs there
        self._is_over = False

    def go(self) -> Exit:
        """Run until Ctrl-C."""
        # Who was started to ignore it, by nohup, goes on to ignore it.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupted)
        while not self._is_over:
            began = time.monotonic()
            try:
                recording = self._recorded()
            except (typer.BadParameter, TraceError, OSError) as error:
                self._complain(_words(error))
            else:
                # Ended by a newer save: that one tells.
                run = recording.run
                if run is not None and run.interrupts:
                    break
                if not self._saved.has_come() or not _is_cut(recording):
                    self._show(recording, began)
            gc.collect()  # the command lets Python collect seldom: cycles of each run would pile up
            self._saved.take(unless=lambda: self._is_over)
        return Exit.INTERRUPTED

    def _interrupted(self, *_: object) -> None:
        """End, at once if possible: what Python does for itself, an import or a clean-up, may drop the exception."""
        self._is_over = True
        raise KeyboardInterrupt

    def _recorded(self) -> "Recording":
        # First: where the file is gone, `asked.what` would look for an example of its name.
        check_file(self._file, sys.maxsize)
        asked = replace(self._asked)  # a copy reads the file anew
        recording = asked.recording(
            call=self._wish.call,
            loads=self._wish.loads,
            tells=False,
            unwanted=self._saved.has_come,
        )
        if not is_trace(asked.what):
            self._saved.also(_files(recording, self._folder))
        return recording

    def _show(self, recording: "Recording", began: float) -> None:
        """Put up what a run gave, or say why it gave nothing."""
        from minitape.explain.explain import explain

        recording.tell(self._asked.terminal)
        ending = recording.exit()
        if not recording.has_tapes or (ending is Exit.SCRIPT and self._shows_run):
            self._complain(_broken(recording))
            return
        trace = recording.trace
        report = explain(trace)
        page = self._made(trace, report, self._board.next_number)
        said = "" if ending is Exit.DONE else _broken(recording)
        self._shows_run = True
        self._board.put_up(page, said)
        answer = " · ".join(filter(None, (said, _found(report))))
        self._asked.terminal.say(f"{answer}   {time.monotonic() - began:.1f} s")

    def _complain(self, what: str) -> None:
        stale = "\nWhat is shown is the last run that worked." if self._shows_run else ""
        self._board.say(what + stale)
        self._asked.terminal.say(what)


def _is_cut(recording: "Recording") -> bool:
    """Whether the run was interrupted, by a key or by a newer save."""
    return recording.exit() is Exit.INTERRUPTED


def _files(recording: "Recording", folder: Path) -> Iterable[Path]:
    """The files in the program's folder that a run has read, as far as it came; a trace names them from there."""
    from minitape.trace import events

    error = None if recording.run is None else recording.run.error
    named = [source.file for source in recording.trace.of(events.Source)]
    if error is not None and error.file is not None:
        named.append(error.file)
    return [folder / name for name in named if (folder / name).is_file()]


def _words(error: Exception) -> str:
    """What is wrong with what was named, in a line."""
    if isinstance(error, typer.BadParameter):
        return error.message
    if isinstance(error, FileNotFoundError):
        return f"{error.filename} was deleted or moved. It runs again when it is back."
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}."
    return str(error).partition("\n")[0]


def _broken(recording: "Recording") -> str:
    """How a run ended that did not end well, in a line."""
    error = None if recording.run is None else recording.run.error
    if error is not None:
        name = Path(error.file or "").name
        where = "" if error.line is None else f"{name}, line {error.line}: "
        said = error.message.partition("\n")[0].removesuffix(f" ({name}, line {error.line})")
        return f"{where}{error.type}: {said}"
    if recording.remarks:
        return recording.remarks[-1]
    return f"{recording.emptiness}."


def _found(report: "Report") -> str:
    """What was found in a run, in a line."""
    from minitape_cli import views

    lines = views.briefly(report).splitlines()
    if lines:
        return lines[0] + (f" (and {len(lines) - 1} more)" if lines[1:] else "")
    calls = len(report.calls)
    return f"healthy: {calls} gradient call{'s' * (calls != 1)}"

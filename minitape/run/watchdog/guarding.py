"""Ends the processes that this process has started if this process is killed, so that no script outlives its command.

    guard      end a process and its children if this process is killed
    release    stop guarding it

SIGKILL (from an editor's stop button, or from the system when memory runs out) cannot be handled. So a small separate process
(`process.py`) waits at a pipe whose other end is open only in this process. When the pipe closes, this process has ended. The
watchdog starts with the first process that it guards, and ends with the last one or with this process. On Linux the kernel ends
a script as well (`run/child/tether.py`), even if the watchdog was killed; the watchdog also finds the script's children.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

_PROGRAM = Path(__file__).with_name("process.py")
_PATIENCE = 5.0  # seconds that it may take to end


class _Watchdog:
    """The process at the other end of the pipe."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.guarded: set[int] = set()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # signals to the command's process group must not reach it
        )
        assert self._process.stdin is not None
        self._pipe = self._process.stdin
        os.set_blocking(self._pipe.fileno(), False)  # do not wait for a stopped watchdog
        self.say("path", *sys.path)

    def say(self, *words: str | int) -> None:
        with contextlib.suppress(OSError):
            os.write(self._pipe.fileno(), json.dumps(words).encode() + b"\n")

    def end(self) -> None:
        """End the watchdog, because it has nothing left to guard."""
        with contextlib.suppress(OSError):
            self._pipe.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:  # the watchdog was stopped
            self._process.kill()
            self._process.wait()


_watchdog: _Watchdog | None = None
_changing = threading.Lock()


def guard(process: int, folder: Path) -> None:
    """End a process and its children if this process is killed; then remove the folder.

    Args:
        process: The id of the process.
        folder: The folder of its run, by which the watchdog finds children that have no other connection to the process.
    """
    global _watchdog
    if os.name != "posix":
        return
    with _changing:
        if _watchdog is None or _watchdog.owner != os.getpid():
            try:
                _watchdog = _Watchdog()
            except OSError:  # no more processes can be started, so only the kernel can end it
                return
        _watchdog.guarded.add(process)
        _watchdog.say("guard", process, str(folder))


def release(process: int) -> None:
    """Stop guarding a process."""
    global _watchdog
    with _changing:
        if _watchdog is None or _watchdog.owner != os.getpid():
            return
        _watchdog.guarded.discard(process)
        _watchdog.say("release", process)
        if not _watchdog.guarded:
            _watchdog.end()
            _watchdog = None

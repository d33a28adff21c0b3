"""Copies of a process that has everything loaded: Python and NumPy take their time to start, a copy of them takes none.

Warm    makes them, one at a time; POSIX alone can copy a process
Copy    one of them, as `subprocess.Popen` would show it
serve   the other side: what the warm process does

What a job does to its copy, no other copy sees. The warm process itself runs nothing of anybody's; if a job ends it all the same,
the next job gets a new one.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import select
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

from minitape.run.child.tether import end_with
from minitape.run.jobs import BOOT, Copying, Job, laid_down
from minitape.run.watchdog import guarding
from minitape.run.wishes import Wishes

IS_POSSIBLE = os.name == "posix"
_SURROUNDINGS = "surroundings"  # the file in the job's folder that says where the copy works
_GONE = -int(getattr(signal, "SIGKILL", 9))


class Warm:
    """A process that waits for jobs, and copies itself for each.

    Args:
        imports: Modules that it loads beforehand.
    """

    def __init__(self, imports: tuple[str, ...]) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            copying = Copying(theirs.fileno(), imports)
            self._folder = laid_down(Job(None, (), Wishes(), copying=copying))
            self._process = subprocess.Popen(
                [sys.executable, str(BOOT), str(self._folder)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        guarding.guard(self._process.pid, self._folder)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def copy(self, folder: Path, streams: tuple[int, int, int]) -> Copy:
        """A process that does the job in a folder, on the three streams, with this one's working folder and environment.

        Raises:
            OSError: the warm process is gone.
        """
        here = Path.cwd(), dict(os.environ)
        (folder / _SURROUNDINGS).write_bytes(pickle.dumps(here, protocol=4))
        socket.send_fds(self._ours, [os.fsencode(folder)], streams)
        return Copy(self._ours)

    def end(self) -> None:
        self._ours.close()
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
        guarding.release(self._process.pid)


class Copy:
    """A copy at work: the warm process, whose child it is, tells how it ended."""

    stdin = None

    def __init__(self, heard: socket.socket) -> None:
        self._heard = heard
        self.returncode: int | None = None
        said = heard.recv(8)
        if not said:
            raise ConnectionResetError("the warm process is gone")
        self.pid = int.from_bytes(said, "big")

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._heard], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a copy", timeout or 0)
            said = b""
            with contextlib.suppress(OSError):
                said = self._heard.recv(8)
            if not said:  # somebody has ended the warm process: nobody will tell any more
                with contextlib.suppress(OSError):
                    os.kill(self.pid, signal.SIGKILL)
            self.returncode = int.from_bytes(said, "big", signed=True) if said else _GONE
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(OSError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


# --- the warm process ---


def serve(copying: Copying) -> str | None:
    """Make a copy for each folder that is asked for, and tell its number and how it ended.

    Returns:
        In a copy: the folder of its job. In the process itself: None, when no more will come.
    """
    for name in copying.imports:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a search through old objects would copy their memory
    own = os.getpid()
    with socket.socket(fileno=copying.socket) as asked:
        while True:
            said, streams, *_ = socket.recv_fds(asked, 10_000, 3)
            if not said:
                return None
            process = os.fork()
            if process == 0:
                break
            for each in streams:
                os.close(each)
            asked.sendall(process.to_bytes(8, "big"))
            ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            asked.sendall(ended.to_bytes(8, "big", signed=True))
    end_with(own)
    os.setsid()  # a signal that it sends to its group reaches nobody else
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    folder = os.fsdecode(said)
    place, environment = pickle.loads(Path(folder, _SURROUNDINGS).read_bytes())
    os.chdir(place)
    os.environ.clear()
    os.environ.update(environment)
    return folder

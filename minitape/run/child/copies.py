"""Copies a warm process, because starting Python and importing NumPy takes time, but copying a process does not.

Warm    makes copies, one at a time; only POSIX can copy a process
Copy    a copy, with the interface of `subprocess.Popen`
serve   the code in the warm process

A job cannot affect other copies. The warm process itself never runs a user's code; if a job nevertheless kills it, a new warm
process is started for the next job.
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
from minitape.run.options import RunOptions
from minitape.run.watchdog import guarding

IS_POSSIBLE = os.name == "posix"
_SURROUNDINGS = "surroundings"  # the file in the job's folder with the working directory and the environment of the copy
_GONE = -int(getattr(signal, "SIGKILL", 9))


class Warm:
    """A process that waits for jobs, and copies itself for each.

    Args:
        imports: Modules that it imports beforehand.
    """

    def __init__(self, imports: tuple[str, ...]) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            copying = Copying(theirs.fileno(), imports)
            self._folder = laid_down(Job(None, (), RunOptions(), copying=copying))
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
        """Start a copy that does the job in a folder, with these streams and with this process's working directory and
        environment.

        Raises:
            OSError: the warm process has ended.
        """
        here = str(Path.cwd()), dict(os.environ)
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
    """A running copy. It is a child of the warm process, which reports how it ended."""

    stdin = None

    def __init__(self, received: socket.socket) -> None:
        self._received = received
        self.returncode: int | None = None
        said = received.recv(8)
        if not said:
            raise ConnectionResetError("the warm process is gone")
        self.pid = int.from_bytes(said, "big")

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._received], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a copy", timeout or 0)
            said = b""
            with contextlib.suppress(OSError):
                said = self._received.recv(8)
            if not said:  # the warm process was killed, so it will report nothing
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
    """Make a copy for each requested folder, and report its process id and how it ended.

    Returns:
        In a copy, the folder of its job. In the process itself, None when there are no more jobs.
    """
    for name in copying.imports:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a garbage collection would write to, and so copy, the memory of old objects
    own = os.getpid()
    with socket.socket(fileno=copying.socket) as requested:
        while True:
            said, streams, *_ = socket.recv_fds(requested, 10_000, 3)
            if not said:
                return None
            process = os.fork()
            if process == 0:
                break
            for each in streams:
                os.close(each)
            requested.sendall(process.to_bytes(8, "big"))
            ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            requested.sendall(ended.to_bytes(8, "big", signed=True))
    end_with(own)
    os.setsid()  # the copy gets a process group of its own, so that a signal to the group reaches no other process
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    folder = os.fsdecode(said)
    directory, environment = pickle.loads(Path(folder, _SURROUNDINGS).read_bytes())
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    return folder

"""Checks many files in parallel, each in its own process, so that a file cannot stop the others or minitape itself.

attempts        files → attempts, in the order in which they finish
AttemptRequest  a file and its exercise
"""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from minitape.course import messages
from minitape.course.attempts import Attempt, Limits, Status, attempt
from minitape.course.course import Exercise
from minitape.errors import StorageError
from minitape.run.child.copies import IS_POSSIBLE, Warm
from minitape.run.child.tether import end_with
from minitape.run.watchdog import guarding
from minitape.storage import storage_error, temporary_files

_LOADED = ("minitape", "minitape.random", "minitape.course.examining", "minitape.course.checks")
_KEPT = (
    "PATH HOME LANG LANGUAGE LC_ALL LC_CTYPE TZ PYTHONPATH LD_LIBRARY_PATH VIRTUAL_ENV "
    "SYSTEMROOT SYSTEMDRIVE COMSPEC USERPROFILE APPDATA LOCALAPPDATA"
)
_SINGLE = "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS VECLIB_MAXIMUM_THREADS"
_ROOT = Path(os.sep)
_LARGEST = 256 << 20  # bytes of a file that an untrusted program may write
# how often a file runs whose process or folder disappears, because another file may have caused that
_TRIES = 2
# the number of tries, and the seconds between them, while the folder for temporary files is full or deleted
_FULL_TRIES, _FULL_WAIT, _GONE_WAIT = 4, 2.0, 0.2
_SPARE = 45.0  # seconds beyond its limits after which an attempt without an answer is stopped


@dataclass(frozen=True)
class AttemptRequest:
    """A file and its exercise. If `text` is given, it is run in an empty folder, under the name of the file."""

    exercise: Exercise
    file: Path
    text: bytes | None = None


def attempts(
    requested: Iterable[AttemptRequest],
    *,
    seed: int | None = None,
    jobs: int | None = None,
    limits: Limits = Limits(),  # noqa: B008  # frozen
    strange: bool = False,
) -> Iterator[tuple[int, Attempt]]:
    """Check files in parallel.

    Args:
        requested: The files; each one is checked when a process is free.
        seed: The seed of all attempts; None draws a seed for each attempt.
        jobs: The number of processes; None for the number of cores.
        limits: The limits for each file.
        strange: Whether the files are untrusted: they get few environment variables, one thread for NumPy, and a limit on
            the size of files that they write.

    Yields:
        The index of a file in `requested`, and its attempt without the trace.

    Ctrl-C, or closing the generator, stops the attempts that are running.

    Raises:
        StorageError: the folder for temporary files is full.
    """
    waiting = enumerate(requested)
    workers: list[_AttemptWorker] = []
    with temporary_files():
        folder = tempfile.TemporaryDirectory(prefix="minitape-", ignore_cleanup_errors=True)
    with folder as path:
        how = _How(seed, limits, strange, Path(path))  # each process has its own folder in it
        try:
            for index, each in waiting:
                workers.append(_AttemptWorker(how))
                workers[-1].ask(index, each)
                if len(workers) == (jobs or os.cpu_count() or 1):
                    break
            while workers:
                ready = set(wait([each.pipe for each in workers], 0.5))
                for number, worker in enumerate(workers):
                    if worker.pipe not in ready and not worker.is_overdue:
                        continue
                    came = worker.answer()
                    if not worker.is_well and worker.may_repeat:
                        worker.end()
                        workers[number] = _AttemptWorker(how)
                        workers[number].ask(worker.index, worker.requested, tries=worker.tries + 1)
                        continue
                    yield worker.index, came
                    following = next(waiting, None)
                    if following is None:
                        worker.end()
                        workers.remove(worker)
                        break
                    if not worker.is_well:
                        worker.end()
                        workers[number] = _AttemptWorker(how)
                    workers[number].ask(*following)
        finally:
            for worker in workers:
                worker.end()


@dataclass(frozen=True)
class _How:
    """The settings of all attempts; `folder` is the folder for their temporary files."""

    seed: int | None
    limits: Limits
    strange: bool
    folder: Path


class _AttemptWorker:
    """The parent's view of a process that checks one file after the other."""

    def __init__(self, how: _How) -> None:
        self._limits = how.limits
        around = multiprocessing.get_context("spawn")
        self.pipe, theirs = around.Pipe()
        self._process = around.Process(target=_work, args=(theirs, how), daemon=True)
        self._process.start()
        guarding.guard(self._number, how.folder)
        theirs.close()
        self.index = -1
        self.tries = 0
        self.is_well = True
        self.is_late = False
        self._until = 0.0

    def ask(self, index: int, requested: AttemptRequest, tries: int = 1) -> None:
        self.index, self.requested, self.tries = index, requested, tries
        self._until = time.monotonic() + 2 * self._limits.timeout + _SPARE
        with contextlib.suppress(OSError):  # the process has ended; `answer` reports it
            self.pipe.send(requested)

    @property
    def _number(self) -> int:
        """The process ID."""
        assert self._process.pid is not None  # the process was started
        return self._process.pid

    @property
    def may_repeat(self) -> bool:
        """Whether the file runs again because this process has ended: another file may have ended it."""
        return self.tries < _TRIES and not self.is_late

    @property
    def is_overdue(self) -> bool:
        return time.monotonic() > self._until

    def answer(self) -> Attempt:
        """Return the attempt; called when the pipe has data or the process is overdue.

        Raises:
            StorageError: the folder for temporary files is full.
        """
        if self.pipe.poll():
            try:
                came: Attempt | int = self.pipe.recv()
            except (EOFError, OSError):
                self.is_well = False
                return Attempt(Status.CRASHED, message=messages.JUDGE_ENDED)
            if isinstance(came, int):
                raise storage_error(came)
            return came
        self.is_well, self.is_late = False, True
        return Attempt(Status.TIMEOUT, message=messages.NOT_STOPPED)

    def end(self) -> None:
        """Stop the process and all processes that it started."""
        import psutil

        with contextlib.suppress(psutil.Error):
            started = psutil.Process(self._number).children(recursive=True)
            for each in started:
                with contextlib.suppress(psutil.Error):
                    each.kill()
        self._process.kill()
        self._process.join()
        guarding.release(self._number)
        self.pipe.close()


# --- the process ---


def _work(pipe: Connection, how: _How) -> None:
    """Check the files that arrive on the pipe until it is closed."""
    _stand_apart(how)
    warm: Warm | None = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            requested: AttemptRequest = pipe.recv()
            if warm is not None and not warm.is_alive:
                warm.end()
                warm = None
            if warm is None and IS_POSSIBLE:
                warm = Warm(_LOADED)
            pipe.send(_answer(requested, how, warm))
    if warm is not None:
        warm.end()


def _answer(requested: AttemptRequest, how: _How, warm: Warm | None) -> Attempt | int:
    """Return the attempt without its trace, or an error number if the folder for temporary files stays full."""
    for number in range(1, _FULL_TRIES + 1):
        if tempfile.tempdir is not None:  # another file may have deleted the folder
            Path(tempfile.tempdir).mkdir(parents=True, exist_ok=True)
        try:
            return _tried(requested, how, warm).light()
        except StorageError as error:
            is_gone = error.number == errno.ENOENT  # this file or another one deleted the folder
            if number < _FULL_TRIES:
                time.sleep(_GONE_WAIT if is_gone else _FULL_WAIT)
            elif is_gone:
                return Attempt(Status.CRASHED, message=messages.FOLDER_GONE)
            else:
                return error.number
    raise AssertionError


def _tried(requested: AttemptRequest, how: _How, warm: Warm | None) -> Attempt:
    if requested.text is None:
        return attempt(requested.exercise, requested.file, how.seed, limits=how.limits, warm=warm)
    for _ in range(_TRIES):
        came, is_whole = _apart(requested, requested.text, how, warm)
        if is_whole:
            break
    return came


def _apart(
    requested: AttemptRequest, text: bytes, how: _How, warm: Warm | None
) -> tuple[Attempt, bool]:
    """Run a text alone in its own folder, inside a folder that contains nothing else.

    Returns:
        The attempt, and whether the folder still exists; if it does not, a failure may not be the file's fault.
    """
    with contextlib.ExitStack() as around:
        with temporary_files():
            made = tempfile.TemporaryDirectory(prefix="minitape-", ignore_cleanup_errors=True)
            folder = Path(around.enter_context(made), "run")
            folder.mkdir()
            file = folder / requested.file.name
            file.write_bytes(text)
        os.chdir(folder)
        os.environ.update(TMPDIR=str(folder), TEMP=str(folder))
        try:
            came = attempt(requested.exercise, file, how.seed, limits=how.limits, warm=warm)
            return came, came.ok or folder.exists()
        finally:
            os.chdir(_ROOT)


def _stand_apart(how: _How) -> None:
    """Separate this process from the terminal, so that Ctrl-C reaches only the parent, and restrict untrusted files."""
    started_us = multiprocessing.parent_process()
    if started_us is not None and started_us.pid is not None:
        end_with(started_us.pid)
    how.folder.mkdir(exist_ok=True)
    tempfile.tempdir = tempfile.mkdtemp(dir=how.folder)
    if os.name == "posix":
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not how.strange:
        return
    kept = {name: os.environ[name] for name in _KEPT.split() if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    os.environ.update(dict.fromkeys(_SINGLE.split(), "1"))
    os.environ.update(PYTHONHASHSEED="0", TMPDIR=tempfile.tempdir, TEMP=tempfile.tempdir)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST, _LARGEST))

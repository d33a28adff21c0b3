"""Runs a program repeatedly in one process, because a proof needs many runs, and starting Python with NumPy takes time."""

from __future__ import annotations

import contextlib
import subprocess
import time
from typing import Any

from minitape.run.jobs import Errand, Job, dumped
from minitape.run.options import RunOptions
from minitape.run.process import GRACE, START, TICK, ProcessFolder
from minitape.run.received import RunReceiver
from minitape.storage import storage_error, temporary_files


class Workers:
    """Runs errands in one process; if an errand ends the process, a new one is started.

    Args:
        run_options: The options of the runs; only the choice of Python is used, because each errand has its own limits.
    """

    def __init__(self, run_options: RunOptions) -> None:
        self._job = Job(None, (), run_options)
        self._child: _RunWorker | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._dismiss()

    def done(self, errand: Errand) -> Any:
        """Return the result of an errand: its trace, or the message of its companion; None if the errand ended its process.

        Raises:
            StorageError: the folder for temporary files has no space for it.
        """
        was_used = self._child is not None
        answer, is_gone = self._ask(errand)
        if (
            is_gone and was_used
        ):  # perhaps because of an earlier errand, for example one that closed all files
            answer, _ = self._ask(errand)
        return answer

    def _ask(self, errand: Errand) -> tuple[Any, bool]:
        """Return the result of an errand, and whether its process ended on its own."""
        if self._child is None:
            self._child = _RunWorker(self._job)
        child = self._child
        answer = child.done(errand)
        if not child.is_ready:
            self._dismiss()
        return answer, child.is_gone

    def _dismiss(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


class _RunWorker:
    """A process that waits for errands."""

    def __init__(self, job: Job) -> None:
        self._process_folder = ProcessFolder(job)
        self._number = 0
        self._process = subprocess.Popen(
            self._process_folder.boot,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._process_folder.begin(self._process)
        self._has_begun = False
        self.is_ready = self.is_gone = False  # ready for the next errand

    def done(self, errand: Errand) -> Any:
        with temporary_files():
            path = self._process_folder.folder / f"errand-{self._number}"
            path.write_bytes(dumped(errand))
        self._number += 1
        self.is_ready = False
        allowed = (errand.run_options.timeout or float("inf")) + GRACE
        until = time.monotonic() + (allowed if self._has_begun else START)
        received = RunReceiver()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()
            while time.monotonic() < until + received.forgiven:
                is_over = self._process.poll() is not None
                for message in self._process_folder.reader.new():
                    received.take(message)
                if self._process_folder.reader.fault:
                    raise storage_error(self._process_folder.reader.fault)
                if received.is_over:
                    self.is_ready = True
                    return received.trace if errand.companion is None else received.message
                # The time that Python took to start does not count for the script.
                if received.is_ready and not self._has_begun:
                    self._has_begun = True
                    until = time.monotonic() + allowed
                if is_over:
                    self.is_gone = True
                    break
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(TICK)
        except OSError:
            self.is_gone = True
        return None

    def end(self) -> None:
        self._process_folder.end(self._process)
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        self._process_folder.clean_up()

"""Processes that run a program again and again: a proof needs many runs, and Python and NumPy take their time to start."""

from __future__ import annotations

import contextlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from minitape.run.channel import Reader
from minitape.run.heard import Heard
from minitape.run.jobs import Errand, Job
from minitape.run.offspring import Offspring
from minitape.run.process import BOOT, GRACE, TICK
from minitape.run.wishes import Wishes


class Workers:
    """One process at a time that runs errands; a new one, where an errand was the end of the last.

    Args:
        wishes: Which Python; the limits of each errand are its own.
    """

    def __init__(self, wishes: Wishes) -> None:
        self._job = Job(None, (), wishes)
        self._child: _Worker | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._dismiss()

    def done(self, errand: Errand) -> Any:
        """What an errand brought: its trace, or what its companion says; None if it was the end of its process."""
        if self._child is None:
            self._child = _Worker(self._job)
        answer = self._child.done(errand)
        if answer is None:
            self._dismiss()
        return answer

    def _dismiss(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


class _Worker:
    """A process that waits for errands."""

    def __init__(self, job: Job) -> None:
        self._wishes = job.wishes
        self._folder = Path(tempfile.mkdtemp(prefix="minitape-"))
        (self._folder / "job").write_bytes(pickle.dumps(job, protocol=4))
        self._reader = Reader(self._folder)
        self._offspring = Offspring()
        self._number = 0
        self._process = subprocess.Popen(
            [str(job.wishes.python or sys.executable), str(BOOT), str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def done(self, errand: Errand) -> Any:
        (self._folder / f"errand-{self._number}").write_bytes(pickle.dumps(errand, protocol=4))
        self._number += 1
        assert self._process.stdin is not None
        until = time.monotonic() + (errand.wishes.timeout or float("inf")) + GRACE
        heard = Heard()
        try:
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()
            while time.monotonic() < until:
                is_over = self._process.poll() is not None
                for message in self._reader.new():
                    heard.take(message)
                if heard.is_over:
                    return heard.trace if errand.companion is None else heard.message
                if is_over:
                    break
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(TICK)
        except OSError:
            pass  # it is gone
        return None

    def end(self) -> None:
        self._process.kill()
        self._offspring.end(self._process.pid)
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        shutil.rmtree(self._folder, ignore_errors=True)

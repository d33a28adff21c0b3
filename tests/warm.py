"""Starts the processes of scripts as copies of a process that has everything loaded (minitape/run/child/copies.py).

Most tests are about the result of a script and not about the start of its process, and Python and NumPy take longer to start
than such a script takes to run. Tests that need a real process start are marked `true_start`, or are in `_ABOUT_PROCESSES`.
"""

import atexit
import os
import sys
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import pytest

from minitape.run import process
from minitape.run.child.copies import IS_POSSIBLE, Warm
from minitape.run.jobs import Job

_ABOUT_PROCESSES = {"run", "endurance"}
_LOADED = (
    "minitape.api",
    "minitape.keras",
    "minitape.unsupported.lookahead",
    "minitape.run.child.alias",
)


@cache
def _warm_process(owner: int, attempt: int) -> Warm:
    """Return the process to copy: one for each calling process and each attempt, because a process may have ended."""
    warm = Warm(_LOADED)
    atexit.register(warm.end)
    return warm


def _warm() -> Warm:
    return next(
        warm for attempt in count() if (warm := _warm_process(os.getpid(), attempt)).is_alive
    )


def _can_be_copied(job: Job) -> bool:
    python = job.run_options.python
    return job.program is not None and (python is None or str(python) == sys.executable)


@pytest.fixture(autouse=True)
def copied_start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    is_true = request.node.get_closest_marker("true_start") or _ABOUT_PROCESSES & {
        *request.path.parts
    }
    if is_true or not IS_POSSIBLE:
        return
    begin: Callable[..., None] = process._Child.__init__

    def copied(self: Any, job: Job, streams: Any, warm: Warm | None, *rest: Any) -> None:
        if warm is None and _can_be_copied(job):
            warm = _warm()
        begin(self, job, streams, warm, *rest)

    monkeypatch.setattr(process._Child, "__init__", copied)

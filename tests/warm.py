"""The processes of scripts as copies of one that has everything loaded (minitape/run/child/copies.py).

Most tests ask what becomes of a script and not how its process is started; Python and NumPy take longer to start than such a
script takes to run. Tests of the start itself are marked `true_start`, and all tests in `_ABOUT_PROCESSES` have true ones.
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
    """One for each process that asks, and for each time that it is gone."""
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

"""Many files tried at once, each attempt in a process beside this one, so that one does not end another's.

attempts   files → attempts, as they come
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from minitape.course.course import Exercise
from minitape.course.trying import Attempt, Limits, attempt


def attempts(
    asked: Sequence[tuple[Exercise, Path]],
    *,
    seed: int | None = None,
    jobs: int | None = None,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> Iterator[tuple[int, Attempt]]:
    """Try files, several at a time; each answer comes with the place of its question, without its trace.

    Args:
        asked: Exercises, and the files for them.
        seed: Of all of them; None: another for each.
        jobs: How many at a time; None: as many as there are cores.
        limits: What each may take.

    At Ctrl-C, or when no more answers are taken, what has not begun is left.
    """
    if not asked:
        return
    workers = min(jobs or os.cpu_count() or 1, len(asked))
    around = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=around, initializer=_leave_ctrl_c)
    try:
        waiting = {
            pool.submit(_tried, *each, seed, limits): place for place, each in enumerate(asked)
        }
        for done in as_completed(waiting):
            yield waiting[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_ctrl_c() -> None:
    """Ctrl-C is for the process that asked, and for the files that are being tried."""
    signal.signal(signal.SIGINT, lambda *_: None)


def _tried(exercise: Exercise, file: Path, seed: int | None, limits: Limits) -> Attempt:
    return attempt(exercise, file, seed, limits=limits).light()

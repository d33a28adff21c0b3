"""One process runs several tasks in succession."""

import os
import pickle
import shlex
import sys
from pathlib import Path

import pytest

from minitape.run.jobs import Errand, dumped
from minitape.run.options import RunOptions
from minitape.run.program import of_file
from minitape.run.workers import Workers
from minitape.trace.events import OpEvent

PROGRAM = """\
import pickle, os
import minitape as tf
tf.constant(2.0) * 3.0
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def test_task_is_run_by_another_process_if_its_process_dies(
    script: Path,
) -> None:
    """After the first task, each attempt to read data ends the process."""
    script.write_text(f"{PROGRAM}pickle.loads = lambda *_: os._exit(3)\n", encoding="utf-8")
    with Workers(RunOptions()) as workers:
        traces = [workers.done(Errand(of_file(script), (), RunOptions())) for _ in range(2)]
    assert [trace and [op.name for op in trace.of(OpEvent)] for trace in traces] == [
        ["Mul"],
        ["Mul"],
    ]


@pytest.mark.skipif(os.name == "nt", reason="the slow Python is a script of a POSIX shell")
def test_startup_time_of_python_does_not_count_toward_the_task(
    script: Path, tmp_path: Path
) -> None:
    slow = tmp_path / "slow"
    slow.write_text(f'#!/bin/sh\nsleep 2\nexec {shlex.quote(sys.executable)} "$@"\n')
    slow.chmod(0o755)
    with Workers(RunOptions(python=slow)) as workers:
        trace = workers.done(Errand(of_file(script), (), RunOptions(timeout=0.3)))
    assert trace is not None
    assert [op.name for op in trace.of(OpEvent)] == ["Mul"]


def test_path_is_pickled_without_the_module_of_its_class() -> None:
    """Python 3.13 names `pathlib._local`, which no other version has."""
    paths = Path("a"), Path("b/c.py")
    assert b"pathlib" in pickle.dumps(paths)
    assert b"pathlib" not in dumped(paths)
    assert pickle.loads(dumped(paths)) == paths

"""Fixtures for programs on TensorFlow: they run in copies of one process for each worker, which has imported TensorFlow.

surroundings   the environment of such a process
copied         runs a program in a copy; returns what it prints
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent


def surroundings() -> dict[str, str]:
    """Return an environment in which this minitape is on the path and TensorFlow logs nothing."""
    mine = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "cli")]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    return {**os.environ, **mine}


@pytest.fixture(scope="session")
def copies(tensorflow_python: str) -> Iterator["subprocess.Popen[str]"]:
    """Start the process of copied.py, which has imported TensorFlow and runs each program in a copy of itself."""
    with subprocess.Popen(
        [tensorflow_python, str(HERE / "on_tensorflow" / "copied.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=surroundings(),
        text=True,
    ) as process:
        yield process


@pytest.fixture
def copied(copies: "subprocess.Popen[str]") -> Callable[[Path], str]:
    """Runs a program in a process that has already imported TensorFlow; returns what it prints."""

    def run(program: Path) -> str:
        assert copies.stdin is not None
        assert copies.stdout is not None
        print(program, file=copies.stdin, flush=True)
        code = copies.stdout.readline().strip()
        assert code == "0", program.with_name(f"{program.name}.err").read_text(encoding="utf-8")
        return program.with_name(f"{program.name}.out").read_text(encoding="utf-8")

    return run

"""Programs on TensorFlow that use minitape themselves: the Python with TensorFlow needs minitape's dependencies, and pytest."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tensorflow_copies import surroundings

Python = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def python(tensorflow_python: str, tmp_path: Path) -> Python:
    """Return a function that runs the Python that has TensorFlow, with this minitape on its path."""

    def run(*args: object, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [tensorflow_python, *map(str, args)],
            cwd=tmp_path,
            env=surroundings() | more,
            capture_output=True,
            text=True,
            check=False,
        )

    return run

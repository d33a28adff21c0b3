"""Programs on TensorFlow that use minitape themselves: the Python that has TensorFlow needs what minitape needs, and pytest."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Python = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def python(tensorflow_python: str, tmp_path: Path) -> Python:
    """Runs the Python that has TensorFlow, with this minitape in its path."""
    root = Path(__file__).parents[2]
    surroundings = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(root), str(root / "cli")]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    surroundings.pop("PYTEST_ADDOPTS", None)

    def run(*args: object, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [tensorflow_python, *map(str, args)],
            cwd=tmp_path,
            env=surroundings | more,
            capture_output=True,
            text=True,
            check=False,
        )

    return run

"""Run commands with `minitape(...)`; write scripts for them with `write_script(...)`."""

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from minitape_cli.app import app

LOST = """\
import numpy as np
import tensorflow as tf

w = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = tf.square(w)
    loss = tf.reduce_sum(np.square(y))

print("slope", tape.gradient(loss, w))
"""

HEALTHY = LOST.replace("np.square", "tf.square")

LOOP = """\
import minitape as tf

w = tf.Variable(1.0)

for step in range(20):
    with tf.GradientTape() as tape:
        loss = tf.square(w)
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the environment's color settings and fix the page width."""
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def minitape() -> Callable[..., Any]:
    def invoke(*args: object) -> Any:
        return CliRunner().invoke(app, [str(each) for each in args], prog_name="minitape")

    return invoke


@pytest.fixture
def write_script(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = "lesson.py") -> Path:
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return path

    return write


@pytest.fixture
def none_script(write_script: Callable[..., Path]) -> Path:
    """A script whose loss goes through NumPy, so its gradient is None."""
    return write_script(LOST)


@pytest.fixture
def healthy_script(write_script: Callable[..., Path]) -> Path:
    """The same script, fixed."""
    return write_script(HEALTHY)


@pytest.fixture
def loop_script(write_script: Callable[..., Path]) -> Path:
    """Twenty iterations of the same steps."""
    return write_script(LOOP)

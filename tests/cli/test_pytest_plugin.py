"""`assert_connected`, in a test suite of a user's own."""

import os
import subprocess
import sys
from pathlib import Path

SUITE = """\
import numpy as np
import minitape as tf


def test_lost(assert_connected):
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(np.square(w))
    assert_connected(tape, loss, [w])


def test_connected(assert_connected):
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * w
    assert float(assert_connected(tape, loss, w)) == 4.0


def test_zero(assert_connected):
    w = tf.Variable(-2.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.nn.relu(w)
    assert_connected(tape, loss, w, allow_zero=True)
    assert_connected(tape, loss, w)
"""


def python(*args: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(root), str(root / "cli")])
    surroundings = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": paths}
    surroundings.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(
        [sys.executable, *args],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_failing_test_says_why_the_gradient_was_lost(tmp_path: Path) -> None:
    (tmp_path / "test_layers.py").write_text(SUITE)
    ran = python(
        *("-m", "pytest", "-p", "minitape_cli.pytest_plugin", "-p", "no:cacheprovider"),
        folder=tmp_path,
    )
    assert ran.returncode == 1, ran.stderr
    assert "2 failed, 1 passed" in ran.stdout
    assert "the gradient of loss with respect to w is None" in ran.stdout
    assert "test_layers.py:8:" in ran.stdout
    assert "minitape explain MT201" in ran.stdout
    assert "the gradient of loss with respect to w is zero everywhere" in ran.stdout


def test_the_plugin_costs_other_projects_nothing(tmp_path: Path) -> None:
    """pytest loads it in each run of the environment: neither NumPy nor the engine may come with it."""
    code = "import sys, minitape_cli.pytest_plugin; print({'numpy', 'minitape'} & set(sys.modules))"
    assert python("-c", code, folder=tmp_path).stdout == "set()\n"

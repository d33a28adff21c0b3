"""`explain --compiled`: the gradients of the untraced program, next to those of the traced run."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import minitape

pytestmark = [pytest.mark.tensorflow, pytest.mark.timeout(300)]

TWO_OUTPUTS = """\
import tensorflow as tf


@tf.function
def forward(x):
    h = x * x
    return h, h * 3.0


x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    h, y = forward(x)
tape.gradient(y, h)
tape.gradient(y, x)
"""
DATASET_LOOP = """\
import tensorflow as tf

w = tf.Variable(2.0)
data = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0])


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = data.reduce(0.0, lambda total, x: total + w * x)
    return tape.gradient(loss, w)


step()
"""
AGREES = """\
import tensorflow as tf

w = tf.Variable(2.0)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x) ** 2)
    return tape.gradient(loss, w)


for _ in range(3):
    step(tf.constant([1.0, 2.0]))
"""
FIT = """\
import numpy as np
import keras

x = np.random.RandomState(0).rand(32, 4).astype("float32")
model = keras.Sequential([keras.layers.Dense(3), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)
"""


def _run(python: Any, folder: Path, program: str, *options: str) -> Any:
    (folder / "program.py").write_text(program)
    return python("-m", "minitape_cli", "explain", "program.py", "--on", "tensorflow", *options)


def _first(ran: Any, call: int) -> dict[str, Any]:
    source: dict[str, Any] = json.loads(ran.stdout)["data"]["calls"][call]["sources"][0]
    return source


def test_gradient_that_is_none_only_when_compiled_is_a_finding(python: Any, tmp_path: Path) -> None:
    ran = _run(python, tmp_path, TWO_OUTPUTS, "--compiled", "--json")
    assert ran.returncode == 1
    lost, arrived = _first(ran, 0), _first(ran, 1)
    (finding,) = lost["findings"]
    assert (lost["outcome"], finding["code"], finding["line"]) == ("none", "MT209", 13)
    assert finding["evidence"] == ["compiled"]
    assert (arrived["outcome"], arrived["findings"]) == ("ok", [])


def test_scripts_of_the_mt209_page(python: Any, tmp_path: Path) -> None:
    page = Path(minitape.__file__).parent / "explain" / "pages" / "MT209.md"
    broken, fixed = re.findall(r"^```py\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    ran = _run(python, tmp_path, broken, "--compiled", "--brief")
    assert (ran.returncode, "MT209" in ran.stdout) == (1, True)
    assert "None" in python("program.py").stdout
    ran = _run(python, tmp_path, fixed, "--compiled", "--brief")
    assert ran.returncode == 0
    assert "tf.Tensor(3.0" in python("program.py").stdout


def test_option_is_suggested_if_a_gradient_crosses_a_compiled_function(
    python: Any, tmp_path: Path
) -> None:
    ran = _run(python, tmp_path, TWO_OUTPUTS)
    assert ran.returncode == 0
    assert "minitape explain --compiled" in ran.stderr


@pytest.mark.parametrize("program", [AGREES, FIT], ids=["step", "fit"])
def test_agreeing_runs_have_no_finding(program: str, python: Any, tmp_path: Path) -> None:
    ran = _run(python, tmp_path, program, "--compiled")
    assert ran.returncode == 0
    assert (
        "In the compiled run, each gradient call returned None for the same sources" in ran.stderr
    )
    assert "differentiates through a compiled function" not in ran.stderr


def test_dataset_loop_in_a_compiled_function(python: Any, tmp_path: Path) -> None:
    """In both runs, TensorFlow reduces the dataset where the tape does not record."""
    ran = _run(python, tmp_path, DATASET_LOOP, "--compiled", "--json")
    source = _first(ran, 0)
    assert (ran.returncode, source["outcome"]) == (1, "none")
    assert "MT209" not in {each["code"] for each in source["findings"]}


def test_compiled_requires_tensorflow(python: Any, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(AGREES)
    ran = python("-m", "minitape_cli", "explain", "program.py", "--on", "minitape", "--compiled")
    assert ran.returncode == 2
    assert "needs a script that runs on TensorFlow" in ran.stderr

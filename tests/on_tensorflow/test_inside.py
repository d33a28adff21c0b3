"""Using `minitape.debug` in programs that run on TensorFlow: in a script, under pytest, in a notebook, in `fit`."""

import json
import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.timeout(300),  # importing it takes time
    pytest.mark.one_in(3),
]

INSIDE = Path(__file__).parent / "inside"
PYTEST = ("-m", "pytest", "-c", "/dev/null", "-p", "no:cacheprovider", "-q")


@pytest.mark.parametrize("page", sorted(path.name for path in INSIDE.glob("*.py")))
def test_debug_functions_work_on_tensorflow(python: Any, page: str) -> None:
    """These tests need TensorFlow in their own process, so they run in that Python."""
    ran = python(*PYTEST, f"--rootdir={INSIDE}", INSIDE / page)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"^[1-9]\d* passed", ran.stdout, re.M), ran.stdout


def test_program_of_the_page_runs_and_is_explained(python: Any, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "asking.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```py\n(import numpy.*?)```", page, re.S)
    (tmp_path / "lesson.py").write_text(code)
    ran = python("lesson.py")
    assert ran.returncode == 0, ran.stderr
    assert "try : use `tf.square(w)` instead of `np.square(w)`" in ran.stdout


# --- under pytest ---

SUITE = """\
import numpy as np
import pytest
import tensorflow as tf


def step(w):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(np.square(w))
    return tape, loss


def test_lost(assert_connected):
    weight = tf.Variable(2.0)
    assert_connected(*step(weight), [weight])


def test_connected(assert_connected):
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * w
    assert float(assert_connected(tape, loss, w)) == 4.0


def test_unmarked():
    w = tf.Variable(2.0)
    tape, loss = step(w)
    assert tape.gradient(loss, w) is not None
"""

BESIDE = """\
import minitape as mt
import numpy as np


def test_on_minitape():
    w = mt.Variable(2.0)
    with mt.GradientTape() as tape:
        loss = mt.reduce_sum(np.exp(w))
    assert tape.gradient(loss, w) is not None
"""


def test_plugin_traces_the_engine_that_the_test_module_imports(python: Any, tmp_path: Path) -> None:
    (tmp_path / "test_beside.py").write_text(BESIDE)
    (tmp_path / "test_step.py").write_text(SUITE)
    ran = python(*PYTEST, "-p", "minitape_cli.pytest_plugin", "--minitape", "-rN", tmp_path)
    assert "3 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert ran.stdout.count("--- why gradients were lost ---") == 2
    assert (
        ran.stdout.count(
            "test_step.py:8: value leaves the tape here: NumPy operations are not recorded"
        )
        == 2
    )
    assert (
        "test_beside.py:8: value leaves the tape here: NumPy operations are not recorded"
        in ran.stdout
    )
    assert "try : use `tf.square(w)` instead of `np.square(w)`" in ran.stdout


def test_failed_tracing_is_reported_below_the_test(python: Any, tmp_path: Path) -> None:
    """The test itself runs as without minitape."""
    takes_away = (
        "import tensorflow.python.eager.backprop as backprop\ndel backprop._gradient_function\n"
    )
    (tmp_path / "test_step.py").write_text(takes_away + SUITE)
    ran = python(
        *PYTEST, "-p", "minitape_cli.pytest_plugin", "--minitape", "-k", "unmarked", tmp_path
    )
    assert "1 failed" in ran.stdout, ran.stdout + ran.stderr
    assert "TensorFlow cannot be recorded: TensorFlow 2" in ran.stdout
    assert "has no tensorflow.python.eager.backprop._gradient_function" in ran.stdout


# --- in a notebook ---

CELLS = (
    "%load_ext minitape\nimport numpy as np\nimport tensorflow as tf\nw, b = tf.Variable(2.0), tf.Variable(1.0)",
    """%%tape
with tf.GradientTape() as tape:
    loss = np.square(w) + b
gradients = tape.gradient(loss, [w, b])""",
    "%%step\nwith tf.GradientTape() as tape:\n    loss = tf.square(w) + b\ngradients = tape.gradient(loss, w)",
    "%tape on",
    """with tf.GradientTape() as tape:
    loss = np.square(w) + b
gradients = tape.gradient(loss, [w, b])""",
    "tape",
    "%why w",
    "%tape off",
    "tape",
    """%%tape --on minitape
import minitape as mt
v = mt.Variable(3.0)
with mt.GradientTape() as mine:
    y = v * v
slope = mine.gradient(y, v)""",
    "%%why\nwith tf.GradientTape() as tape:\n    loss = np.square(w) + b\ngradients = tape.gradient(loss, [w, b])",
    "%%why --on tensorflow\nwith tf.GradientTape() as tape:\n    loss = np.square(w) + b\ngradients = tape.gradient(loss, w)",
)


@pytest.fixture(scope="module")
def outputs(
    tensorflow_python: str, tmp_path_factory: pytest.TempPathFactory
) -> list[list[nbformat.NotebookNode]]:
    """The outputs of each cell, in a kernel of the Python that has TensorFlow."""
    folder = tmp_path_factory.mktemp("jupyter")
    (folder / "kernels" / "tensorflow").mkdir(parents=True)
    kernel = {
        "argv": [tensorflow_python, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "TensorFlow",
        "language": "python",
        "env": {"PYTHONPATH": str(Path(__file__).parents[2]), "TF_CPP_MIN_LOG_LEVEL": "3"},
    }
    (folder / "kernels" / "tensorflow" / "kernel.json").write_text(json.dumps(kernel))
    notebook = new_notebook(cells=[new_code_cell(text) for text in CELLS])
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("JUPYTER_PATH", str(folder))
        nbclient.NotebookClient(
            notebook, timeout=120, kernel_name="tensorflow", allow_errors=True
        ).execute()
    return [cell.outputs for cell in notebook.cells]


def test_each_cell_shows_expected_output(outputs: list[list[nbformat.NotebookNode]]) -> None:
    texts = [[each.data["text/plain"] for each in below] for below in outputs]
    first, drawn, page, on, silent, tape, why, off, untraced, mine, missed, insisted = texts
    assert [first, on, silent, off] == [[], [], [], []]
    lost = "tape.gradient(loss, [w, b])  →  1 of 2 connected, None for w\nLine 3: `np.square` is a NumPy function"
    assert drawn[0].startswith(lost)
    assert "\non TensorFlow 2." in drawn[0]
    assert "page to step through" in page[0]
    assert tape[0].startswith(lost.replace("Line 3", "Line 2"))
    assert "\n  In[5]:2: value leaves the tape here: NumPy operations are not recorded" in why[0]
    assert (
        "\n  In[12]:3: value leaves the tape here: NumPy operations are not recorded" in insisted[0]
    )
    assert "to draw it, run %tape on" in untraced[0]
    assert mine[0].startswith("mine.gradient(y, v)  →  6.0")
    assert 'call minitape.debug.record(on="tensorflow")' in missed[0]


def test_pictures_of_tensorflow_tapes_are_html(
    outputs: list[list[nbformat.NotebookNode]],
) -> None:
    for below in (outputs[1], outputs[5]):
        assert "<img src=" in below[0].data["text/html"]

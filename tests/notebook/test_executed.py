"""A notebook that a kernel runs from top to bottom, as Jupyter does."""

import nbclient
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

CELLS = (
    "%load_ext minitape\nimport numpy as np\nimport minitape as tf\ntf.debug.record()",
    """w, b = tf.Variable(2.0), tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = np.square(w) + b
gradients = tape.gradient(loss, [w, b])""",
    "tape",
    "%%tape --why w\nwith tf.GradientTape() as tape:\n    loss = tf.square(w) + b\ngradients = tape.gradient(loss, w)",
    "tf.why()",
    "%%tape --wy w\nprint('it ran')",
)


@pytest.fixture(scope="module")
def outputs() -> list[list[nbformat.NotebookNode]]:
    """The output of each cell."""
    notebook = new_notebook(cells=[new_code_cell(text) for text in CELLS])
    nbclient.NotebookClient(
        notebook, timeout=60, kernel_name="python3", allow_errors=True
    ).execute()
    return [cell.outputs for cell in notebook.cells]


def test_each_cell_shows_its_expected_output(outputs: list[list[nbformat.NotebookNode]]) -> None:
    first, silent, tape, magic, why, wrong = outputs
    assert "0 gradient calls so far" in first[-1].data["text/plain"]
    assert silent == []
    assert tape[0].data["text/plain"].startswith("tape.gradient(loss, [w, b])  →  1 of 2 connected")
    assert [each.data["text/plain"].splitlines()[0] for each in magic] == [
        "tape.gradient(loss, w)  →  4.0",
        "No problem was found in the gradients.",
    ]
    assert "\n  In[2]:3: " in why[0].data["text/plain"]
    assert "unknown option --wy; did you mean --why?" in wrong[0].text


def test_pictures_are_html_output(outputs: list[list[nbformat.NotebookNode]]) -> None:
    """The notebook's file stores it, and any viewer shows it without a kernel."""
    for below in (outputs[2], outputs[3]):
        assert below[0].data["text/html"].startswith("<div")
        assert "<img src=" in below[0].data["text/html"]

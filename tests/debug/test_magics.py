"""`%load_ext minitape` in IPython's shell."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from minitape.core import listeners

pytestmark = pytest.mark.one_in(2)

SETUP = """
%load_ext minitape
import numpy as np
import minitape as tf
w, b = tf.Variable(2.0), tf.Variable(1.0)
"""
LOST = """with tf.GradientTape() as tape:
    y = w * 3.0
    loss = np.square(y) + b
gradients = tape.gradient(loss, [w, b])
"""


@dataclass
class Ran:
    """The result of a cell: its value, its displays, its printed output."""

    result: Any
    shown: list[dict[str, str]]
    printed: str
    complaints: str
    texts: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.texts = [each["text/plain"] for each in self.shown]


class Notebook:
    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell

    def run(self, cell: str) -> Ran:
        with capture_output() as below:
            result = self.shell.run_cell(cell, store_history=True)
        return Ran(result, [each.data for each in below.outputs], below.stdout, below.stderr)


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    quiet = Config({"HistoryManager": {"enabled": False}})
    shell = InteractiveShell.instance(config=quiet, colors="nocolor")
    made = Notebook(shell)
    made.run(SETUP)
    yield made
    while listeners.active:
        listeners.explainer().stop()
    InteractiveShell.clear_instance()


def test_picture_is_below_the_output_of_the_cell(notebook: Notebook) -> None:
    ran = notebook.run(f"%%tape\n{LOST}1 + 1")
    (picture,) = ran.shown
    assert ran.result.result == 2
    assert picture["text/plain"].startswith("tape.gradient(loss, [w, b])  →  1 of 2 connected")
    assert "<img src=" in picture["text/html"]


def test_positions_are_named_by_cell_and_line_of_the_notebook(notebook: Notebook) -> None:
    ran = notebook.run(f"%%tape --why w\n{LOST}")
    assert "\n  In[2]:4: " in ran.texts[1]


def test_function_of_an_earlier_cell_is_named_with_its_cell(notebook: Notebook) -> None:
    notebook.run("def error(y):\n    return np.square(y)")
    ran = notebook.run(
        "%%why\nwith tf.GradientTape() as tape:\n    loss = error(w)\ntape.gradient(loss, w)"
    )
    assert "\n  In[2]:2: " in ran.texts[-1]


def test_value_of_an_earlier_cell_has_its_variable_name(notebook: Notebook) -> None:
    """It was not traced, but the notebook still has the variable."""
    notebook.run("x = tf.constant(2.0)\nx")
    ran = notebook.run("%%tape\nwith tf.GradientTape() as tape:\n    tape.watch(x)\n    y = w * x")
    assert "[w] variable" in ran.texts[0]
    assert "[x] watched" in ran.texts[0]


def test_exception_is_unchanged_and_the_run_before_it_is_drawn(notebook: Notebook) -> None:
    ran = notebook.run("%%tape\nwith tf.GradientTape() as tape:\n    y = w * w\n    1 / 0")
    assert isinstance(ran.result.error_in_exec, ZeroDivisionError)
    assert ran.printed.count("Traceback") == 1
    assert "line 4" in ran.printed
    assert "[Mul] #1  y = w * w" in ran.texts[0]


def test_syntax_error_in_a_cell_is_reported_as_usual(notebook: Notebook) -> None:
    ran = notebook.run("%%tape\n1 +* 2")
    assert isinstance(ran.result.error_before_exec, SyntaxError)
    assert not ran.shown
    assert not ran.complaints
    assert not listeners.active


def test_cell_may_start_its_own_recording(notebook: Notebook) -> None:
    ran = notebook.run(f"%%tape\nrecording = tf.debug.record()\n{LOST}")
    assert "None for w" in ran.texts[0]
    assert "with respect to `w` is None" in notebook.run("%why").texts[0]


def test_printed_output_of_a_cell_stays_in_place(notebook: Notebook) -> None:
    assert notebook.run(f"%%tape\nprint('here')\n{LOST}").printed == "here\n"


def test_tracer_is_disconnected_after_the_cell(notebook: Notebook) -> None:
    notebook.run(f"%%tape\n{LOST}")
    assert not listeners.active


def test_why_explains_all_or_one(notebook: Notebook) -> None:
    (everything,) = notebook.run(f"%%why\n{LOST}").texts
    assert "with respect to `w` is None" in everything
    assert notebook.run("%why w").texts == [everything]
    assert notebook.run("%why b").texts == ["No problem was found in the gradients."]
    assert notebook.run(f"%%why b\n{LOST}").texts == ["No problem was found in the gradients."]


def test_why_accepts_a_gradient_value(notebook: Notebook) -> None:
    notebook.run(
        "%%tape\nwith tf.GradientTape() as t:\n    y = tf.sqrt(w - w)\nslope = t.gradient(y, w)"
    )
    (reported,) = notebook.run("%why slope").texts
    assert "contains NaN or infinity" in reported


def test_why_of_an_unknown_source_lists_the_sources(
    notebook: Notebook,
) -> None:
    ran = notebook.run(f"%%tape --why v\n{LOST}")
    assert ran.complaints.startswith(
        "UsageError: the program requested no gradient with respect to `v`"
    )
    assert "the sources are b, w" in ran.complaints


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("%%tape --hmtl page.html", "unknown option --hmtl; did you mean --html?"),
        ("%%tape --cards many", "invalid int value: 'many'"),
        ("%%tape --graph --step", "not allowed with argument"),
        ("%%tape --html", "expected one argument"),
        ("%%why w b", "unknown option b"),
        ("%%step w", "unknown option w"),
    ],
)
def test_unknown_flag_is_reported_and_the_cell_does_not_run(
    notebook: Notebook, line: str, reported: str
) -> None:
    ran = notebook.run(f"{line}\nprint('it ran')")
    assert reported in ran.complaints
    assert "\n  try : %%" in ran.complaints
    assert "Traceback" not in ran.printed + ran.complaints
    assert "it ran" not in ran.printed
    assert not listeners.active


def test_tape_on_traces_until_off(notebook: Notebook) -> None:
    notebook.run("%tape on")
    notebook.run(LOST)
    assert "with respect to `w` is None" in notebook.run("%why").texts[0]
    assert notebook.run("display(tape)").texts == notebook.run("%tape").texts
    notebook.run("%tape off")
    assert not listeners.active
    assert "with respect to `w` is None" in notebook.run("%why").texts[0]


def test_cell_after_tape_on_shows_only_its_own_run(notebook: Notebook) -> None:
    notebook.run("%tape on")
    notebook.run(LOST)
    square = "with tf.GradientTape() as tape:\n    y = w * w\nslope = tape.gradient(y, w)"
    assert notebook.run(f"%%tape\n{square}").texts[0].startswith("tape.gradient(y, w)  →  4.0")
    assert notebook.run(f"%%why\n{square}").texts == ["No problem was found in the gradients."]
    assert listeners.active


def test_line_magic_without_a_recording_shows_how_to_start_one(notebook: Notebook) -> None:
    for name in ("tape", "why", "step"):
        assert f"%tape on in an earlier cell, or %%{name}" in notebook.run(f"%{name}").complaints


def test_cell_without_a_tape_is_reported(notebook: Notebook) -> None:
    assert "The program opened no tape" in notebook.run("%%tape\n1 + 1").complaints


def test_program_may_call_the_cell_magic(notebook: Notebook) -> None:
    notebook.shell.user_ns["text"] = LOST
    ran = notebook.run("get_ipython().run_cell_magic('why', 'w', text)")
    assert "with respect to `w` is None" in ran.texts[0]


def test_timed_cell_counts_as_users_code_without_its_text(notebook: Notebook) -> None:
    notebook.run("%tape on")
    notebook.run(f"%%time\n{LOST}")
    (reported,) = notebook.run("%why").texts
    assert "with respect to `w` is None" in reported
    assert "\n  <timed exec>:3: " in reported
    assert "A call on line 3 converts" in reported


def test_formula_with_percent_signs_is_not_a_magic(notebook: Notebook) -> None:
    ran = notebook.run("x = '''\n%%tape\n'''\nx.strip()")
    assert ran.result.result == "%%tape"


def test_help_is_shown(notebook: Notebook) -> None:
    assert "Draw what this cell does" in notebook.run("%%tape?").printed


# --- pages ---


def test_cell_shows_a_debugger_page_below_it(notebook: Notebook) -> None:
    for first_line in ("%%step", "%%tape --step"):
        (page,) = notebook.run(f"{first_line}\n{LOST}").shown
        assert page["text/html"].startswith("<iframe srcdoc=")
        assert "tape.gradient(loss, [w, b])" in page["text/html"]
    assert notebook.run("%step").shown == [page]


def test_page_can_be_written_to_a_file(notebook: Notebook, tmp_path: Path) -> None:
    ran = notebook.run(f"%%tape --html run.html\n{LOST}")
    assert ran.printed == "wrote run.html\n"
    assert not ran.shown
    assert "tape.gradient(loss, [w, b])" in (tmp_path / "run.html").read_text(encoding="utf-8")


def test_recording_and_its_trace_have_the_same_page(notebook: Notebook) -> None:
    notebook.run(
        f"with tf.debug.record() as recording:\n    {LOST.replace(chr(10), chr(10) + '    ')}"
    )
    ran = notebook.run("recording.debugger().html == recording.trace.debugger().html")
    assert ran.result.result is True


# --- other features ---


def test_cells_of_the_notebook_page_show_what_it_documents(notebook: Notebook) -> None:
    page = (Path(__file__).parents[2] / "docs" / "notebooks.md").read_text(encoding="utf-8")
    first, second = re.findall(r"```text\n(.*?)```", page, re.S)
    assert not notebook.run(first).complaints
    (picture,) = notebook.run(second).texts
    assert "None for w" in picture
    assert "the break" in picture
    for line in re.findall(r"`(%%(?:tape|why)[^`?]*)`", page):
        if "--step" not in line and "--html" not in line:
            assert not notebook.run(f"{line}\n{LOST}").complaints


def test_unloading_removes_everything(notebook: Notebook) -> None:
    notebook.run("%reload_ext minitape")
    assert len(notebook.run(f"%%tape\n{LOST}").shown) == 1
    notebook.run("%unload_ext minitape")
    assert "Cell magic `%%tape` not found" in notebook.run("%%tape\n1").complaints


def test_ipython_is_not_imported_until_it_is_used() -> None:
    code = "import sys, minitape.debug.recording, minitape.notebook.shown; print('IPython' in sys.modules)"
    reported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert reported.stdout == "False\n"

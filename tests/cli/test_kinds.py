"""Commands accept code, stdin, a module or a notebook in place of a script."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from minitape_cli.app import app

CODE = """\
import minitape as tf
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.constant(w.numpy()) * 3.0
tape.gradient(loss, w)
"""

CELLS = [
    ("markdown", "# A lesson"),
    ("code", "%matplotlib inline\n!pip install minitape\nimport minitape as tf\n"),
    ("code", ""),
    ("code", "%%html\n<b>no Python</b>"),
    ("code", "w = tf.Variable(2.0)\n%time v = (9\n  % 5)\ntf.square?\n"),
    (
        "code",
        [
            "with tf.GradientTape() as tape:\n",
            "    loss = tf.constant(w.numpy()) * v\n",
            "display(v)",
        ],
    ),
    ("code", "tape.gradient(loss, w)"),
]


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    cells = [{"cell_type": kind, "source": source} for kind, source in CELLS]
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    return path


def test_code_is_explained_with_its_lines(minitape: Any) -> None:
    ran = minitape("explain", "--brief", "-c", CODE)
    assert ran.exit_code == 1
    assert ran.stdout.startswith("<code>:4:24: MT201 gradient for w is None")


def test_code_is_shown_with_its_lines(minitape: Any) -> None:
    ran = minitape("explain", "-c", CODE)
    assert "4 |     loss = tf.constant(w.numpy()) * 3.0" in ran.stdout
    assert "  |                        ^^^^^^^^^" in ran.stdout


def test_stdin_is_explained() -> None:
    ran = CliRunner().invoke(app, ["explain", "--brief", "-"], input=CODE)
    assert ran.exit_code == 1
    assert ran.stdout.startswith("<stdin>:4:24: MT201 gradient for w is None")


def test_module_is_found_like_an_import(
    minitape: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It imports its sibling modules relatively while it is traced, and runs as `__main__`."""
    package = tmp_path / "course" / "week"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "weights.py").write_text("import tensorflow as tf\nw = tf.Variable(2.0)\n")
    main = CODE.replace("w = tf.Variable(2.0)", "from .weights import w")
    (package / "lesson.py").write_text(f"{main}assert __name__ == '__main__'\n")
    (package / "__main__.py").write_text("from . import lesson\n")
    monkeypatch.chdir(tmp_path)
    ran = minitape("explain", "--brief", "--as-tensorflow", "-m", "course.week.lesson")
    assert ran.exit_code == 1, ran.stderr
    assert ran.stdout.startswith("lesson.py:4:24: MT201 gradient for w is None")
    missing = minitape("explain", "-m", "course.week.nothing")
    assert missing.exit_code == 2
    assert "no module named course.week.nothing" in missing.stderr


def test_package_runs_its_main_module(
    minitape: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "lessons"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    assert minitape("explain", "--brief", "-m", "lessons").stdout.startswith("__main__.py:4:24")


def test_arguments_reach_the_script(minitape: Any) -> None:
    ran = minitape("run", "-c", "import sys\nprint(sys.argv)", "--", "-3", "four")
    assert ran.stdout == "['-c', '-3', 'four']\n"


def test_notebook_is_one_program_with_lines_numbered_by_cell(minitape: Any, notebook: Path) -> None:
    """Cells are numbered as in Jupyter after running all cells: text cells and empty cells do not count."""
    ran = minitape("explain", "--brief", notebook)
    assert ran.exit_code == 1, ran.stderr
    assert ran.stdout.startswith("<cell 4>:2:24: MT201 gradient for w is None")
    # display(v): the formula with % was not a magic, but the next line was
    left_out = "Left out because it is not Python: cell 1 (lines 1 to 2), cell 2 (lines 1 to 2), cell 3 (line 4)"
    assert ran.stderr == f"4\n{left_out}\n"


def test_invalid_notebook_is_reported(minitape: Any, tmp_path: Path) -> None:
    path = tmp_path / "odd.ipynb"
    path.write_text("{}")
    ran = minitape("explain", path)
    assert ran.exit_code == 2
    assert "odd.ipynb is not a notebook" in ran.stderr


@pytest.mark.parametrize("command", ["run", "trace", "graph", "check"])
def test_every_command_that_takes_a_script_takes_code(minitape: Any, command: str) -> None:
    ran = minitape(command, "-c", CODE.replace("w.numpy()", "2.0") + "print(6 * 7)")
    assert ran.exit_code == 0, ran.stderr
    assert "42" in (ran.stdout if command == "run" else ran.stderr)


def test_code_and_module_exclude_each_other(minitape: Any) -> None:
    ran = minitape("explain", "-c", "-m", "this")
    assert ran.exit_code == 2
    assert "cannot be combined" in ran.stderr


def test_github_format_names_file_line_and_column(
    minitape: Any, none_script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(none_script.parent)
    ran = minitape("explain", "--format", "github", "--as-tensorflow", none_script)
    assert ran.exit_code == 1
    (line,) = ran.stdout.splitlines()
    assert line.startswith(
        "::error file=lesson.py,line=8,endLine=8,col=26,endColumn=37,title=MT201::"
    )
    assert "`loss` with respect to `w` is None" in line
    assert "%0Atry: " in line


def test_format_option_equals_the_old_switches(minitape: Any, none_script: Path) -> None:
    brief, json_ = (
        minitape("explain", "--format", kind, "--as-tensorflow", none_script).stdout
        for kind in ("brief", "json")
    )
    assert brief == minitape("explain", "--brief", "--as-tensorflow", none_script).stdout
    assert json_ == minitape("explain", "--json", "--as-tensorflow", none_script).stdout


def test_github_note_on_a_notebook_names_cell_and_line(minitape: Any, notebook: Path) -> None:
    """GitHub would count the lines of the file, which are JSON."""
    (line,) = minitape("explain", "--format", "github", notebook).stdout.splitlines()
    head, _, reported = line.removeprefix("::error ").partition("::")
    assert head == f"file={notebook.as_posix()},title=MT201"
    assert reported.startswith("<cell 4>:2: the gradient of `loss`")

"""Source text, names and messages of strangers, which may steer a terminal: no command repeats them raw."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from strangers import HOSTILE, steering, steering_bytes

from minitape_cli.app import app

SCRIPT = f"""\
import numpy as np
import tensorflow as tf

w = tf.Variable(2.0, name={HOSTILE!a})
v = tf.Variable(2.0, name="v")
with tf.GradientTape() as tape:
    y = tf.square(w, name="{HOSTILE}")  # {HOSTILE}
    loss = tf.reduce_sum(np.square(y, dtype={{"a": None, "{HOSTILE}": 1}}["a"])) + v  # {HOSTILE}

tape.gradient(loss, [w, v])  # {HOSTILE}
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [(), ("--brief",), ("--format", "github"), ("--json",)])
def test_explain_shows_no_character_of_a_source_that_steers_a_terminal(
    minitape: Any, script: Path, options: tuple[str, ...]
) -> None:
    ran = minitape("explain", script, *options)
    assert ran.exit_code == 1
    assert "MT201" in ran.stdout
    assert steering(ran.stdout) == steering(ran.stderr) == []


def test_the_mark_stands_below_its_expression_in_a_line_with_control_characters(
    minitape: Any, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.py"
    path.write_text(
        "import numpy as np\nimport minitape as tf\nw = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n"
        "    s, y = '\x1b[31m\u202e\x07', tf.constant(np.square(w))\ntape.gradient(y, w)\n",
        encoding="utf-8",
    )
    lines = minitape("explain", path).stdout.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("5 | "))
    assert lines[at] == "5 |     s, y = '·[31m··', tf.constant(np.square(w))"
    start = lines[at + 1].index("^")
    assert lines[at][start:].startswith("np.square(w)")


# --- every command on one trace ---


def _every_text_hostile(value: Any, key: str = "") -> Any:
    """A trace's event with hostile text behind each text that is not one of a few known words."""
    if isinstance(value, dict):
        return {name: _every_text_hostile(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_every_text_hostile(each, key) for each in value]
    is_text = key in ("name", "text", "code", "file", "script", "message", "target_name", "op")
    return value + HOSTILE if is_text and isinstance(value, str) else value


@pytest.fixture
def trace(minitape: Any, script: Path, tmp_path: Path) -> Path:
    """The script's trace, as a stranger may have changed it, in a file with a hostile name."""
    honest = tmp_path / "honest.jsonl"
    minitape("trace", script, "-o", honest)
    events = [json.loads(line) for line in honest.read_text(encoding="utf-8").splitlines()]
    path = tmp_path / "\x1b[2J\u202ex\n.jsonl"
    lines = (json.dumps(_every_text_hostile(event), ensure_ascii=False) for event in events)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# Of each command, what is asked of a trace or a script, and what it writes; TRACE, SCRIPT and FOLDER are put in.
ASKED: dict[str, tuple[str, ...]] = {
    "run": ("run SCRIPT", "run TRACE"),
    "trace": (
        "trace TRACE",
        "trace TRACE --json",
        "trace TRACE --format jsonl",
        "trace TRACE --live",
        "trace TRACE --live --format jsonl",
        "trace TRACE --audit",
        "trace TRACE -o FOLDER/a.txt",
    ),
    "step": ("step TRACE --text", "step TRACE --brief", "step TRACE --at \x1b[2J"),
    "graph": (
        "graph TRACE",
        "graph TRACE --format dot",
        "graph TRACE --format mermaid",
        "graph TRACE --format svg",
        "graph TRACE --format svg --engine built-in",
        "graph TRACE --view both -o FOLDER/b.txt",
    ),
    "html": ("html TRACE -o FOLDER/c.html",),
    "explain": (
        "explain TRACE",
        "explain TRACE --brief",
        "explain TRACE --format github",
        "explain TRACE --json",
        "explain TRACE --why-sure -o FOLDER/d.txt",
        "explain TRACE --source \x1b[2J",
        "explain \x1b[2J.py",
        "explain NOTEBOOK",
        "explain --\x1b[2J",
    ),
    "check": ("check SCRIPT", "check TRACE"),
    "diff": (
        "diff TRACE SCRIPT",
        "diff TRACE SCRIPT --json",
        "diff TRACE SCRIPT --html -o FOLDER/e.html",
    ),
    "compare": ("compare TRACE",),
    "ops": ("ops \x1b[2J", "ops --grep \x1b[2J"),
    "doctor": ("doctor --python /\x1b[2J",),
    "lesson": ("lesson lint COURSE", "lesson lint COURSE --json", "lesson list"),
    "examples": ("examples show \x1b[2J",),
    "completion": ("completion \x1b[2J",),
}


def test_each_command_is_asked() -> None:
    assert set(ASKED) == set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def _given(tmp_path: Path, trace: Path) -> dict[str, str]:
    """What stands for the words of `ASKED`."""
    course = tmp_path / "course\x1b[2J"
    course.mkdir()
    (course / "lesson.toml").write_text(f"title = {json.dumps(HOSTILE)}\nwrong = 1\n", "utf-8")
    cell = {"cell_type": "code", "source": SCRIPT, "metadata": {}, "outputs": []}
    notebook = tmp_path / "\x1b[2J.ipynb"
    notebook.write_text(json.dumps({"cells": [cell], "nbformat": 4, "metadata": {}}), "utf-8")
    written = tmp_path / "written"
    written.mkdir()
    return {
        "TRACE": str(trace),
        "SCRIPT": str(tmp_path / "hostile.py"),
        "COURSE": str(course),
        "NOTEBOOK": str(notebook),
        "FOLDER": str(written),
    }


def _words(line: str, given: dict[str, str]) -> Iterator[str]:
    for word in line.split(" "):
        for name, value in given.items():
            word = word.replace(name, value) if name in word else word
        yield word


def test_no_command_lets_a_stranger_s_text_steer_what_shows_it(
    minitape: Any, trace: Path, tmp_path: Path
) -> None:
    given = _given(tmp_path, trace)
    faults = []
    for line in (line for lines in ASKED.values() for line in lines):
        ran = minitape(*_words(line, given))
        found = steering(ran.stdout) + steering(ran.stderr)
        if ran.exit_code == 70 or found:
            faults.append((line, ran.exit_code, found))
    for file in Path(given["FOLDER"]).iterdir():
        if found := steering_bytes(file.read_bytes()):
            faults.append((file.name, 0, found))
    assert faults == []

"""No command prints control characters from hostile source text, names and messages."""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import typer
from PIL import Image
from strangers import HOSTILE, hostile_trace, steering, without_styles
from terminals import Screen
from typer.testing import CliRunner

import minitape as tf
from minitape import draw
from minitape.explain.explain import explain
from minitape.terms import Expansions
from minitape.timeline import build_timeline, moves
from minitape.timeline.norms import norms_over_time
from minitape_cli.app import app
from minitape_cli.console import Terminal
from minitape_cli.running import record
from minitape_cli.safe_console import SafeConsole
from minitape_cli.stepping import StepperSession
from minitape_cli.views.stepper import stepper

pytestmark = pytest.mark.one_in(4)

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


@pytest.fixture
def recorded(minitape: Any, script: Path, tmp_path: Path) -> Path:
    """The script's own trace."""
    path = tmp_path / "honest.jsonl"
    minitape("trace", script, "-o", path)
    return path


def test_explain_escapes_control_characters_of_a_source(
    minitape: Any, script: Path, recorded: Path
) -> None:
    for options in (
        (script,),
        (recorded, "--brief"),
        (recorded, "--format", "github"),
        (recorded, "--json"),
    ):
        ran = minitape("explain", *options)
        assert ran.exit_code == 1
        assert "MT201" in ran.stdout
        assert steering(ran.stdout) == steering(ran.stderr) == []


def test_marker_is_below_its_expression_on_a_line_with_control_characters(
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


@pytest.fixture
def trace(recorded: Path, tmp_path: Path) -> Path:
    """The script's trace with hostile changes, in a file with a hostile name."""
    path = tmp_path / "\x1b[2J\u202ex\n.jsonl"
    path.write_text(hostile_trace(recorded.read_text(encoding="utf-8")), encoding="utf-8")
    return path


# The arguments of each command for a trace or a script, and what it writes; TRACE, SCRIPT and FOLDER are replaced.
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
        "graph TRACE --format pdf -o FOLDER/f.pdf",
        "graph TRACE --format png -o FOLDER/g.png",
    ),
    "html": ("html TRACE -o FOLDER/c.html",),
    "explain": (
        "explain TRACE",
        "explain TRACE --brief",
        "explain TRACE --format github",
        "explain TRACE --json",
        "explain TRACE --evidence -o FOLDER/d.txt",
        "explain TRACE --source \x1b[2J",
        "explain \x1b[2J.py",
        "explain NOTEBOOK",
        "explain --\x1b[2J",
        "explain SCRIPT --diff",
        "explain SCRIPT --fix --yes",
    ),
    "check": ("check SCRIPT", "check TRACE"),
    "diff": (
        "diff TRACE SCRIPT",
        "diff TRACE TRACE --json",
        "diff TRACE TRACE --html -o FOLDER/e.html",
    ),
    "compare": ("compare TRACE",),
    "ops": ("ops \x1b[2J", "ops --grep \x1b[2J"),
    "doctor": ("doctor --python /\x1b[2J",),
    "lesson": ("lesson lint COURSE", "lesson lint COURSE --json", "lesson list"),
    "examples": ("examples show \x1b[2J",),
    "completion": ("completion \x1b[2J",),
}


def test_every_command_is_listed() -> None:
    assert set(ASKED) == set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def _given(tmp_path: Path, trace: Path) -> dict[str, str]:
    """The values for the placeholders of `ASKED`."""
    course = tmp_path / "course\x1b[2J"
    course.mkdir()
    (course / "lesson.toml").write_text(f"title = {json.dumps(HOSTILE)}\nwrong = 1\n", "utf-8")
    cell = {"cell_type": "code", "source": SCRIPT, "metadata": {}, "outputs": []}
    notebook = tmp_path / "\x1b[2J.ipynb"
    notebook.write_text(json.dumps({"cells": [cell], "nbformat": 4, "metadata": {}}), "utf-8")
    write_script = tmp_path / "written"
    write_script.mkdir()
    return {
        "TRACE": str(trace),
        "SCRIPT": str(tmp_path / "hostile.py"),
        "COURSE": str(course),
        "NOTEBOOK": str(notebook),
        "FOLDER": str(write_script),
    }


def _words(line: str, given: dict[str, str]) -> Iterator[str]:
    for word in line.split(" "):
        for name, value in given.items():
            word = word.replace(name, value) if name in word else word
        yield word


def test_every_command_escapes_hostile_text(minitape: Any, trace: Path, tmp_path: Path) -> None:
    given = _given(tmp_path, trace)
    faults = []
    for line in (line for lines in ASKED.values() for line in lines):
        ran = minitape(*_words(line, given))
        found = steering(ran.stdout) + steering(ran.stderr)
        if ran.exit_code == 70 or found:
            faults.append((line, ran.exit_code, found))
    for file in Path(given["FOLDER"]).iterdir():
        if found := steering("".join(_texts_in(file))):
            faults.append((file.name, 0, found))
    assert faults == []
    pdf, png = (Path(given["FOLDER"], name) for name in ("f.pdf", "g.png"))
    assert any("w" in text for text in _texts_in(pdf))
    assert png.read_bytes().startswith(b"\x89PNG")


def _texts_in(file: Path) -> Iterator[str]:
    """The text that a viewer of a file shows: the texts and metadata of a picture, the whole of any other file."""
    if file.suffix == ".pdf":
        with pypdfium2.PdfDocument(file) as document:
            yield from document.get_metadata_dict().values()
            for page in document:
                # A line break is a carriage return and a line feed there.
                yield page.get_textpage().get_text_range().replace("\r\n", "\n")
    elif file.suffix == ".png":
        with Image.open(file) as image:
            yield from (str(each) for pair in image.info.items() for each in pair)
    else:
        yield file.read_bytes().decode("utf-8", "surrogateescape")


def test_question_before_a_fix_escapes_the_name_of_the_script(none_script: Path) -> None:
    hostile = none_script.rename(none_script.with_name(f"a{HOSTILE}.py"))
    ran = CliRunner().invoke(
        app, ["explain", str(hostile), "--fix", "--as-tensorflow"], input="n\n"
    )
    assert "[y/N]" in ran.stderr
    assert steering(ran.stderr) == steering(ran.stdout) == []


def test_error_of_the_engine_escapes_hostile_text() -> None:
    for what in (tf, tf.nn, tf.constant(1.0)):
        with pytest.raises(AttributeError) as raised:
            getattr(what, f"relu{HOSTILE}")
        assert "relu" in str(raised.value)
        assert steering(str(raised.value)) == []


# --- the stepper ---


def _screens(trace: Path) -> Iterator[str]:
    """The output of the stepper at each step, with each pane."""
    recording = record(trace)
    timeline = build_timeline(recording.trace, explain(recording.trace))
    picture = draw.picture(recording.trace, explain(recording.trace))
    session = StepperSession(
        timeline,
        moves(timeline),
        lambda call, width: draw.text(picture, width=width),
        lambda at: HOSTILE,
        lambda: Expansions(recording.trace, timeline),
        lambda: norms_over_time(recording.trace, explain(recording.trace)),
    )
    panes = ("w", "t", "g", "m", "?", "enter")
    follow = ("e", "0", "enter", "right", "escape")
    for index in range(len(timeline.steps)):
        session.index = index
        typed = ("/", *HOSTILE, "enter") if index == 0 else ()
        for key in ("", *panes, *follow, *typed, "o"):
            session.press(key)
            out = io.StringIO()
            screen = SafeConsole(file=out, force_terminal=True, width=120, height=40)
            screen.print(stepper(session, Terminal().symbols, width=120, height=40))
            yield out.getvalue()


def test_stepper_screens_escape_hostile_text(trace: Path) -> None:
    shown = [without_styles(screen) for screen in _screens(trace)]
    assert any("MT201" in each for each in shown)
    assert {each for screen in shown for each in steering(screen)} == set()


def test_terminal_gets_only_the_steppers_own_sequences(trace: Path, tmp_path: Path) -> None:
    run, sent = tmp_path / "run.jsonl", tmp_path / "sent"
    trace.rename(run)
    screen = Screen(["step", str(run)], f"minitape-{os.getpid()}-{tmp_path.name}")
    try:
        screen.shows("1 / ")
        screen.copy_to(sent)
        screen.press("n")
        screen.shows("left the engine")
        for pane, title in (("w", "why"), ("g", "graph"), ("?", "keys")):
            screen.press(pane)
            screen.shows(f"{title} ·" if pane == "g" else title)
        screen.press("Escape", "q")
        screen.shows("ended with 0")
    finally:
        screen.close()
    text = sent.read_text(encoding="utf-8")
    assert "left the engine" in text
    assert steering(without_styles(text).replace("\r", "")) == []


# --- half of a surrogate pair, which is not text and cannot be encoded ---

LONE = """\
import numpy as np
import minitape as tf

lone = "a\\ud800b\\udc80"
names = {lone: tf.Variable(2.0)}
tf.debug.note(lone)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(np.square(names["a\\ud800b\\udc80"]), name=lone)
print(tape.gradient(loss, [names[lone]]))
raise ValueError(lone)
"""


def test_lone_surrogates_in_names_and_messages_do_not_crash_a_command(
    minitape: Any, tmp_path: Path
) -> None:
    script = tmp_path / os.fsdecode(b"l\xff.py")
    script.write_text(LONE)
    trace, page = tmp_path / "a.jsonl", tmp_path / "a.html"
    for words in (
        ("trace", script, "-o", trace),
        ("explain", script),
        ("explain", trace, "--json"),
        ("explain", trace, "--format", "github"),
        ("trace", trace, "--format", "jsonl"),
        ("step", trace, "--text"),
        ("graph", trace, "--format", "svg"),
        ("html", trace, "-o", page),
    ):
        ran = minitape(*words)
        assert ran.exit_code in (0, 1, 3), (words, ran.stderr)
        assert steering(ran.stdout) == steering(ran.stderr) == [], words
    for file in (trace, page):
        assert steering(file.read_text(encoding="utf-8")) == []

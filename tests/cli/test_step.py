"""`minitape step` without a terminal: all steps as text."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from traced import VANISHING

from minitape.run.options import RunOptions
from minitape.trace.trace import Trace
from minitape_cli.commands.step import _session
from minitape_cli.console import Terminal
from minitape_cli.running import record


def firsts(text: str) -> list[str]:
    """The first line of each step."""
    return [line for line in text.splitlines() if not line.startswith(" ")]


def test_all_steps_are_described(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("step", healthy_script, "--as-tensorflow")
    assert ran.exit_code == 0
    lines = ran.stdout.splitlines()
    at = lines.index("step 3 of 12, forward, line 7: #1 Square w = 4.0, keeps w")
    assert lines[at + 1 : at + 4] == ["    y = tf.square(w)", "    w: 2.0", "    y = 4.0"]
    assert "step 11 of 12, backward, line 7: #1 Square, backward w = 32.0, step 3 of 3" in lines


def test_steps_are_numbered_without_a_gap(minitape: Any, loop_script: Path) -> None:
    said = firsts(minitape("step", loop_script, "--brief").stdout)
    numbers = [int(line.split()[1]) for line in said]
    assert numbers == list(range(1, len(said) + 1))
    assert all(f" of {len(said)}, " in line for line in said)


def test_none_gradient_shows_cause_and_fix(minitape: Any, none_script: Path) -> None:
    """The command is for examining the None, so, as with `trace`, it is not a failure."""
    ran = minitape("step", none_script, "--as-tensorflow")
    assert ran.exit_code == 0
    after = ran.stdout.partition("∂loss/∂w = None")[2].splitlines()
    assert after[1].startswith(
        "    problem: w: value leaves the tape here: NumPy operations are not recorded (MT201)"
    )
    assert "    try: use `tf.square(y)` instead of `np.square(y)`" in after


def test_brief_is_one_line_for_each_step_and_its_problems(minitape: Any, none_script: Path) -> None:
    said = minitape("step", none_script, "--as-tensorflow", "--brief").stdout.splitlines()
    rest = [line.split(":")[0] for line in said if line.startswith(" ")]
    assert rest == ["    problem", "    problem"]


def test_start_can_be_a_number_a_line_a_problem_or_the_backward_pass(
    minitape: Any, none_script: Path
) -> None:
    def first(at: str) -> str:
        return str(
            minitape("step", none_script, "--as-tensorflow", "--at", at).stdout.splitlines()[0]
        )

    assert first("2").startswith("step 2 of ")
    assert ", line 8: " in first("line:8")
    assert "left the engine" in first("problem")
    assert "seed" in first("backward")


def test_unknown_start_is_a_usage_error(minitape: Any, healthy_script: Path) -> None:
    for at in ("99", "0", "line:99", "problem", "nowhere"):
        ran = minitape("step", healthy_script, "--as-tensorflow", "--at", at)
        assert ran.exit_code == 2
        assert "--at" in ran.stderr


def test_output_can_be_a_file(minitape: Any, healthy_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "steps.txt"
    ran = minitape("step", healthy_script, "--as-tensorflow", "-o", to)
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert to.read_text().startswith("step 1 of 12, forward, line 4: variable = 2.0\n")


def test_saved_trace_has_the_same_steps(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    saved = tmp_path / "t.jsonl"
    minitape("trace", none_script, "--as-tensorflow", "-o", saved)
    live = minitape("step", none_script, "--as-tensorflow").stdout
    assert minitape("step", saved).stdout == live


def test_script_that_raises_is_shown_up_to_the_exception(
    minitape: Any, healthy_script: Path
) -> None:
    healthy_script.write_text(healthy_script.read_text() + "1 / 0\n")
    ran = minitape("step", healthy_script, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "step 3 of " in ran.stdout
    assert "ZeroDivisionError" in ran.stderr


def test_script_without_tensors_has_no_steps(minitape: Any, write_script: Any) -> None:
    ran = minitape("step", write_script("print('hello')\n"))
    assert (ran.exit_code, ran.stdout) == (6, "")
    assert "there are no steps" in ran.stderr


def test_output_has_no_colors_and_no_control_characters_of_the_script(
    minitape: Any, write_script: Any
) -> None:
    script = write_script(
        """\
        import minitape as tf
        w = tf.Variable(2.0, name="[bold]\\x1b[31mw[/]")
        with tf.GradientTape() as tape:
            loss = w * w  # [/] \x1b[31m [loss, x] \u202e
        tape.gradient(loss, w)
        """
    )
    text = minitape("step", script, "--color", "always").stdout
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[/] ·[31m [loss, x] ·" in text


def test_ascii_stream_gets_ascii(healthy_script: Path) -> None:
    command = [sys.executable, "-m", "minitape_cli", "step", str(healthy_script), "--as-tensorflow"]
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, capture_output=True, env=env, check=True)
    assert "dloss/dw = 32.0" in ran.stdout.decode("ascii")


def test_page_is_written_and_opened_at_the_step(
    none_script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser and the creation of the page are replaced; the code between them is tested."""
    seen: list[str] = []
    monkeypatch.setattr("tempfile.tempdir", str(none_script.parent))
    monkeypatch.setattr("webbrowser.open", lambda uri: bool(seen.append(uri)))
    monkeypatch.setattr("minitape.html.page", lambda *_, start, **_known: f"a page at {start}")
    run_options = RunOptions(on="minitape", max_ops=1000)
    recording = record(none_script, run_options=run_options, shows_progress=False)
    session = _session(recording, Terminal(), None)
    assert session is not None
    session.press("right")
    session.press("o")
    said, _, path = session.message.partition(" ")
    assert (said, seen) == ("wrote", [Path(path).as_uri()])
    assert Path(path).name == "lesson.html"
    assert Path(path).read_text() == "a page at 1"


@pytest.fixture
def open_page(
    none_script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[str], str]:
    """Return a function that opens the page of a trace with this script name; it returns the message."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    monkeypatch.setattr("minitape.html.page", lambda *_, **_known: "a page")
    run_options = RunOptions(on="minitape", max_ops=1000)
    recording = record(none_script, run_options=run_options, shows_progress=False)

    def opened(script: str) -> str:
        header, *rest = recording.trace.events
        renamed = Trace([structs.replace(header, script=script), *rest])
        session = _session(replace(recording, trace=renamed), Terminal(), None)
        assert session is not None
        session.press("o")
        return session.message

    return opened


@pytest.mark.parametrize(
    "script", ["", "/", "..", "a\0b.py", "x" * 300, "\N{SNOWMAN}\x1b[2J.py", "\udc80.py"]
)
def test_page_of_a_trace_has_a_valid_name_whatever_the_script_is_called(
    open_page: Callable[[str], str], script: str
) -> None:
    said, _, path = open_page(script).partition(" ")
    assert said == "wrote"
    assert Path(path).read_text() == "a page"
    assert path.isprintable()


def test_page_that_does_not_fit_on_the_disk_is_named_and_the_stepper_goes_on(
    open_page: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(path: Path, *_: object, **_known: object) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", refuse)
    folder = tmp_path / "temporary"
    assert open_page("lesson.py") == f"The folder for temporary files, {folder}, is full."
    assert list(folder.iterdir()) == []


def test_note_is_shown_at_the_gradient_call(minitape: Any, write_script: Any) -> None:
    said = minitape("step", write_script("import minitape as tf\n" + VANISHING)).stdout
    requested = [part for part in said.split("\nstep ") if ": gradient requested" in part]
    assert ["note (MT405)" in part for part in requested] == [False, True]
    assert said.count("note (MT405)") == 1
    brief = minitape("step", write_script("import minitape as tf\n" + VANISHING), "--brief").stdout
    assert "MT405" not in brief

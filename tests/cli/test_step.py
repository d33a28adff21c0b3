"""`minitape step` where there is no terminal: all steps as text."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from traced import VANISHING

from minitape.run.options import RunOptions
from minitape_cli.commands.step import _session
from minitape_cli.console import Terminal
from minitape_cli.running import record


def firsts(text: str) -> list[str]:
    """The first line of each step."""
    return [line for line in text.splitlines() if not line.startswith(" ")]


def test_all_steps_are_told_in_words(minitape: Any, healthy: Path) -> None:
    ran = minitape("step", healthy, "--as-tensorflow")
    assert ran.exit_code == 0
    lines = ran.stdout.splitlines()
    at = lines.index("step 3 of 12, forward, line 7: #1 Square w = 4.0, keeps w")
    assert lines[at + 1 : at + 4] == ["    y = tf.square(w)", "    w: 2.0", "    y = 4.0"]
    assert "step 11 of 12, backward, line 7: #1 Square, backward w = 32.0, step 3 of 3" in lines


def test_steps_are_counted_without_a_gap(minitape: Any, loop: Path) -> None:
    said = firsts(minitape("step", loop, "--brief").stdout)
    numbers = [int(line.split()[1]) for line in said]
    assert numbers == list(range(1, len(said) + 1))
    assert all(f" of {len(said)}, " in line for line in said)


def test_a_lost_gradient_says_why_and_what_to_write(minitape: Any, lost: Path) -> None:
    """That it is lost is what the user came for: as with `trace`, no failure."""
    ran = minitape("step", lost, "--as-tensorflow")
    assert ran.exit_code == 0
    after = ran.stdout.partition("∂loss/∂w = None")[2].splitlines()
    assert after[1].startswith(
        "    problem: w: value leaves the tape here: NumPy operations are not recorded (MT201)"
    )
    assert "    try: use `tf.square(y)` instead of `np.square(y)`" in after


def test_brief_is_one_line_for_each_step_and_its_problems(minitape: Any, lost: Path) -> None:
    said = minitape("step", lost, "--as-tensorflow", "--brief").stdout.splitlines()
    rest = [line.split(":")[0] for line in said if line.startswith(" ")]
    assert rest == ["    problem", "    problem"]


def test_one_can_begin_at_a_number_a_line_a_problem_or_the_walk_back(
    minitape: Any, lost: Path
) -> None:
    def first(at: str) -> str:
        return str(minitape("step", lost, "--as-tensorflow", "--at", at).stdout.splitlines()[0])

    assert first("2").startswith("step 2 of ")
    assert ", line 8: " in first("line:8")
    assert "left the engine" in first("problem")
    assert "seed" in first("backward")


def test_a_place_that_is_not_there_is_a_usage_error(minitape: Any, healthy: Path) -> None:
    for at in ("99", "0", "line:99", "problem", "nowhere"):
        ran = minitape("step", healthy, "--as-tensorflow", "--at", at)
        assert ran.exit_code == 2
        assert "--at" in ran.stderr


def test_it_goes_into_a_file(minitape: Any, healthy: Path, tmp_path: Path) -> None:
    to = tmp_path / "steps.txt"
    ran = minitape("step", healthy, "--as-tensorflow", "-o", to)
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert to.read_text().startswith("step 1 of 12, forward, line 4: variable = 2.0\n")


def test_a_saved_trace_has_the_same_steps(minitape: Any, lost: Path, tmp_path: Path) -> None:
    saved = tmp_path / "t.jsonl"
    minitape("trace", lost, "--as-tensorflow", "-o", saved)
    live = minitape("step", lost, "--as-tensorflow").stdout
    assert minitape("step", saved).stdout == live


def test_a_script_that_raises_is_told_up_to_there(minitape: Any, healthy: Path) -> None:
    healthy.write_text(healthy.read_text() + "1 / 0\n")
    ran = minitape("step", healthy, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "step 3 of " in ran.stdout
    assert "ZeroDivisionError" in ran.stderr


def test_a_script_without_tensors_has_no_steps(minitape: Any, written: Any) -> None:
    ran = minitape("step", written("print('hello')\n"))
    assert (ran.exit_code, ran.stdout) == (6, "")
    assert "there are no steps" in ran.stderr


def test_no_colours_and_no_steering_letters_from_the_script(minitape: Any, written: Any) -> None:
    script = written(
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


def test_a_stream_without_signs_gets_ascii(healthy: Path) -> None:
    command = [sys.executable, "-m", "minitape_cli", "step", str(healthy), "--as-tensorflow"]
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, capture_output=True, env=env, check=True)
    assert "dloss/dw = 32.0" in ran.stdout.decode("ascii")


def test_the_page_is_written_and_opened_at_the_step(
    lost: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser and the making of the page stand outside; what lies between is what is tried."""
    seen: list[str] = []
    monkeypatch.setattr("tempfile.tempdir", str(lost.parent))
    monkeypatch.setattr("webbrowser.open", lambda uri: bool(seen.append(uri)))
    monkeypatch.setattr("minitape.html.page", lambda *_, start, **_known: f"a page at {start}")
    run_options = RunOptions(on="minitape", max_ops=1000)
    recording = record(lost, run_options=run_options, shows_progress=False)
    session = _session(recording, Terminal(), None)
    assert session is not None
    session.press("right")
    session.press("o")
    said, _, path = session.message.partition(" ")
    assert (said, seen) == ("wrote", [Path(path).as_uri()])
    assert Path(path).name == "lesson.html"
    assert Path(path).read_text() == "a page at 1"


def test_what_is_noted_is_told_where_the_call_is_asked(minitape: Any, written: Any) -> None:
    said = minitape("step", written("import minitape as tf\n" + VANISHING)).stdout
    requested = [part for part in said.split("\nstep ") if ": gradient requested" in part]
    assert ["note (MT405)" in part for part in requested] == [False, True]
    assert said.count("note (MT405)") == 1
    brief = minitape("step", written("import minitape as tf\n" + VANISHING), "--brief").stdout
    assert "MT405" not in brief

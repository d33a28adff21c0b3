"""`minitape trace`: each op and each backward step."""

import json
from pathlib import Path
from typing import Any

import pytest


def test_each_op_and_each_backward_step_has_a_row(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("trace", healthy_script, "--as-tensorflow")
    assert ran.exit_code == 0
    forward, _, backward = ran.stdout.partition("tape.gradient(loss, w) on line 10")
    assert [line.split()[0] for line in forward.splitlines() if line.startswith("#")] == [
        "#1",
        "#2",
        "#3",
    ]
    assert "keeps y" in forward
    steps = [line.split() for line in backward.splitlines() if line[:4].strip().isdigit()]
    assert [step[1] for step in steps] == ["seed", "#3", "#2", "#1"]
    assert steps[2][-1] == "8.0"  # d(y²)/dy at y = 4
    assert "d loss / d w = 32.0" in backward


def test_none_gradient_is_shown_with_its_line(minitape: Any, none_script: Path) -> None:
    ran = minitape("trace", none_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "d loss / d w = None   line 8: " in ran.stdout
    assert "re-entered" in ran.stdout


def test_equal_iterations_are_shown_once(minitape: Any, loop_script: Path) -> None:
    """The first iteration also contains the code before the loop, so the second is shown too."""
    rolled = minitape("trace", loop_script).stdout
    unrolled = minitape("trace", loop_script, "--unroll").stdout
    assert "calls 3 to 20" in rolled
    assert rolled.count("on line 8") == 2
    assert unrolled.count("on line 8") == 20


def test_loop_inside_a_tape_has_one_row_for_each_op(minitape: Any, write_script: Any) -> None:
    script = write_script(
        """\
        import minitape as tf
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = x * 1.0
            for _ in range(50):
                y = y * 1.1
        tape.gradient(y, x)
        """
    )
    ran = minitape("trace", script)
    assert ran.stdout.count("×50") == 2  # forward, backward
    assert len(ran.stdout.splitlines()) < 30


def test_one_call_can_be_selected(minitape: Any, loop_script: Path) -> None:
    ran = minitape("trace", loop_script, "--call", 7)
    assert ran.stdout.count("on line 8") == 1


def test_jsonl_is_the_trace_itself(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "t.jsonl"
    assert minitape("trace", none_script, "-o", to, "--as-tensorflow").exit_code == 0
    events = [json.loads(line) for line in to.read_text().splitlines()]
    assert [event["i"] for event in events] == list(range(len(events)))
    assert (events[0]["k"], events[-1]["k"]) == ("header", "end")
    again = minitape("trace", to, "--format", "jsonl")
    assert again.stdout == to.read_text()


def test_json_is_one_object(minitape: Any, healthy_script: Path) -> None:
    whole = json.loads(minitape("trace", healthy_script, "--json", "--as-tensorflow").stdout)
    assert (whole["schema"], whole["ok"]) == ("minitape.trace/1", True)
    assert whole["data"]["events"][0]["k"] == "header"


def test_crash_keeps_what_was_recorded(minitape: Any, healthy_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "t.jsonl"
    healthy_script.write_text(healthy_script.read_text() + "1 / 0\n")
    ran = minitape("trace", healthy_script, "-o", to, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "ZeroDivisionError" in ran.stderr
    assert json.loads(to.read_text().splitlines()[-1])["k"] == "end"


def test_table_in_a_file_has_no_colors_and_no_padding(
    minitape: Any, healthy_script: Path, tmp_path: Path
) -> None:
    to = tmp_path / "t.txt"
    minitape("trace", healthy_script, "-o", to, "--as-tensorflow", "--color", "always")
    text = to.read_text()
    assert "\x1b" not in text
    assert not any(line.endswith(" ") for line in text.splitlines())


@pytest.mark.parametrize("width", [80, 120])
def test_lines_fit_the_terminal_width(
    minitape: Any, loop_script: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(len, minitape("trace", loop_script).stdout.splitlines())) <= width


def test_unknown_suffix_is_a_usage_error_before_anything_runs(
    minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    ran = minitape("trace", write_script("print('ran')\n"), "-o", tmp_path / "t.png")
    assert ran.exit_code == 2
    assert "ran\n" not in ran.stderr
    assert not (tmp_path / "t.png").exists()


def test_damaged_trace_is_reported(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "t.jsonl"
    minitape("trace", none_script, "-o", to, "--as-tensorflow")
    lines = to.read_text().splitlines()
    del lines[3]
    to.write_text("\n".join(lines))
    ran = minitape("trace", to)
    assert ran.exit_code == 2
    assert "damaged" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_backward_pass_recorded_by_an_outer_tape_is_shown_after_it(minitape: Any) -> None:
    """The ops of the inner backward pass run between its steps, and the outer tape records them."""
    ran = minitape("trace", "second_derivative", "--as-tensorflow")
    inner, outer = ran.stdout.split("outer.gradient(slope, x) on line 12")
    steps, notes = inner.split("d y / d x = 12.0")
    assert steps.count("#2 Mul") == steps.count("#1 Mul") == 1
    assert "#8" not in steps
    assert "#8" in notes
    assert "d slope / d x = 12.0" in outer


# --- an audit ---


def test_audit_of_a_correct_trace_passes_from_script_and_file(
    minitape: Any, healthy_script: Path, tmp_path: Path
) -> None:
    stored = tmp_path / "run.jsonl"
    minitape("trace", healthy_script, "--as-tensorflow", "-o", stored)
    for requested in ((healthy_script, "--as-tensorflow"), (stored,)):
        ran = minitape("trace", *requested, "--audit")
        assert ran.exit_code == 0
        assert "back steps      3 ✓" in ran.stdout
        assert "all values that could be recomputed agree with the trace" in ran.stdout


def test_audit_of_an_inconsistent_trace_is_a_finding(
    minitape: Any, healthy_script: Path, tmp_path: Path
) -> None:
    """The output of the first op is changed; what follows from it is consistent."""
    stored = tmp_path / "run.jsonl"
    minitape("trace", healthy_script, "--as-tensorflow", "-o", stored)
    events = [json.loads(line) for line in stored.read_text().splitlines()]
    first = next(event for event in events if event["k"] == "op")
    right = first["outputs"][0]["data"]
    first["outputs"][0]["data"] = 7.5
    stored.write_text("".join(json.dumps(event) + "\n" for event in events))
    ran = minitape("trace", stored, "--audit")
    assert ran.exit_code == 1
    assert f"the output of {first['name']}" in ran.stdout
    assert "the trace is wrong in 1 place." in ran.stdout
    reported = json.loads(minitape("trace", stored, "--audit", "--json").stdout)
    assert not reported["ok"]
    assert len(reported["data"]["events"]) == len(events)
    (fault,) = reported["data"]["audit"]["faults"]
    assert (fault["kind"], fault["says"], fault["should"]) == ("output", "7.5", str(right))


def test_audit_counts_unaudited_steps_with_their_reason(minitape: Any, write_script: Any) -> None:
    script = write_script(
        """\
        import minitape as tf
        x = tf.Variable(tf.ones([5000]))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x)
        tape.gradient(y, x)
        """
    )
    ran = minitape("trace", script, "--audit")
    assert ran.exit_code == 0
    assert "2  the tensor is too large for the trace" in ran.stdout


@pytest.mark.parametrize("option", ["--live", "--format=jsonl"])
def test_audit_and_live_options_exclude_each_other(
    minitape: Any, healthy_script: Path, option: str
) -> None:
    ran = minitape("trace", healthy_script, "--audit", option)
    assert ran.exit_code == 2
    assert "as text or with `--json`" in ran.stderr


def test_redacted_trace_is_written_and_explained(
    minitape: Any, none_script: Path, tmp_path: Path
) -> None:
    to = tmp_path / "t.jsonl"
    assert minitape("trace", none_script, "--as-tensorflow", "-o", to, "--redact").exit_code == 0
    assert '"data"' not in to.read_text(encoding="utf-8")
    explained = minitape("explain", to)
    assert explained.exit_code == 1 and "MT201" in explained.stdout


@pytest.mark.parametrize("more", [["--json"], ["--audit"], ["-o", "t.txt"], []])
def test_only_a_complete_trace_can_be_redacted(
    minitape: Any, none_script: Path, more: list[str]
) -> None:
    ran = minitape("trace", none_script, "--redact", *more)
    assert ran.exit_code == 2
    assert "only a complete trace can be redacted" in " ".join(ran.stderr.split())

"""`minitape explain`: which gradients are None, where and why."""

import json
import re
from pathlib import Path
from typing import Any

import pytest


def test_none_gradient_shows_line_path_cause_and_fix(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--as-tensorflow")
    assert ran.exit_code == 1
    first, _, head, *rest = ran.stdout.splitlines()
    assert first == "Found 1 mistake, on line 8."
    assert head == "error[MT201]: the gradient of `loss` with respect to `w` is None"
    text = "\n".join(rest)
    assert "--> lesson.py:8:26" in text
    assert "8 |     loss = tf.reduce_sum(np.square(y))" in text
    assert "  |                          ^^^^^^^^^^^^" in text
    assert "path: w → Square:7 ✂" in text
    assert "tf.square" in text
    assert "minitape explain MT201  (numpy-roundtrip)" in text
    assert "The only gradient is None." in text


def test_script_output_goes_to_stderr(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--as-tensorflow")
    assert "slope None" in ran.stderr
    assert "slope None" not in ran.stdout


def test_healthy_script_has_no_findings(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("explain", healthy_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "The only gradient arrived." in ran.stdout
    assert "MT" not in ran.stdout


NETWORK = """
import numpy as np
import tensorflow as tf

x = np.ones((8, 6, 6, 1), "float32") * np.arange(8.0, dtype="float32")[:, None, None, None]
model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(2, 3),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1),
    ]
)
model.compile("sgd", "mse")
model.fit(x, x[:, 0, 0], epochs=1, batch_size=4, verbose=0)
"""


def test_long_names_are_shortened_to_their_column(
    minitape: Any, write_script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names of a network's weights are half a line long, and are next to a long call."""
    script = write_script(NETWORK)
    for columns in (40, 60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        ran = minitape("explain", script)
        assert ran.exit_code == 0, ran.stderr
        assert "batch_norm" in ran.stdout or columns == 40
        assert max(map(len, ran.stdout.splitlines())) <= columns


def test_iterations_of_a_loop_are_one_line(minitape: Any, loop_script: Path) -> None:
    ran = minitape("explain", loop_script)
    assert ran.exit_code == 0
    gradients = [line for line in ran.stdout.splitlines() if line.startswith("  line ")]
    assert gradients == ["  line 8  tape.gradient(loss, w)  ×20  ✓ w"]


def test_json_matches_the_documented_schema(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--json", "--as-tensorflow")
    assert ran.exit_code == 1
    whole = json.loads(ran.stdout)
    assert (whole["schema"], whole["ok"]) == ("minitape.explain/1", False)
    (call,) = whole["data"]["calls"]
    assert (call["line"], call["iteration"], call["api"]) == (10, 1, "gradient")
    (source,) = call["sources"]
    assert (source["index"], source["name"], source["outcome"]) == (0, "w", "none")
    finding = source["findings"][0]
    assert set(finding) == {
        "code",
        "slug",
        "confidence",
        "evidence",
        "line",
        "lines",
        "labels",
        "message",
        "fix",
        "proof",
        "unproved",
        "runner_up",
    }
    assert (finding["code"], finding["line"]) == ("MT201", 8)


def test_evidence_option_shows_the_evidence_of_a_finding(minitape: Any, none_script: Path) -> None:
    reported = " ".join(
        minitape("explain", none_script, "--as-tensorflow", "--evidence").stdout.split()
    )
    assert (
        "= sure: certain; evidence: the same array object left the tape and came back" in reported
    )
    assert "re-run" not in reported
    reported = " ".join(
        minitape("explain", none_script, "--as-tensorflow", "--evidence", "--check").stdout.split()
    )
    assert "the script ran again with the suggested fix" in reported
    assert "= sure:" not in minitape("explain", none_script, "--as-tensorflow").stdout


def test_brief_output_rejects_the_evidence_option(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--evidence", "--brief")
    assert ran.exit_code == 2
    assert "--json" in ran.stderr


def test_json_of_a_crash_names_the_error(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script("1 / 0\n"), "--json")
    assert ran.exit_code == 3
    whole = json.loads(ran.stdout)
    assert whole["ok"] is False
    (said,) = whole["diagnostics"]
    assert (said["type"], said["line"]) == ("ZeroDivisionError", 1)


def test_crash_after_a_none_gradient_is_explained(minitape: Any, none_script: Path) -> None:
    """`0.1 * None` is the usual crash after a gradient that is None."""
    none_script.write_text(none_script.read_text() + "w.assign_sub(0.1 * tape.gradient(loss, w))\n")
    ran = minitape("explain", none_script, "--as-tensorflow")
    assert ran.exit_code == 1
    assert "error[MT201]" in ran.stdout
    assert "Traceback" in ran.stderr
    assert "minitape/" not in ran.stderr


def test_brief_is_one_line_that_editors_parse(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--brief", "--as-tensorflow")
    (line,) = ran.stdout.splitlines()
    assert line.startswith("lesson.py:8:26: MT201 gradient for w is None: ")


def test_one_source_can_be_selected(minitape: Any, write_script: Any) -> None:
    script = write_script(
        """\
        import minitape as tf
        a, b = tf.constant(1.0), tf.constant(2.0)
        with tf.GradientTape() as tape:
            y = a * b
        tape.gradient(y, [a, b])
        """
    )
    both = minitape("explain", script, "--brief").stdout
    one = minitape("explain", script, "--brief", "--source", "b").stdout
    assert " a and b is None" in both
    assert " a" not in one.split("MT101")[1].split("is None")[0]
    assert one.startswith("lesson.py:2:")


def test_unknown_source_or_call_is_a_usage_error(minitape: Any, none_script: Path) -> None:
    other_call = minitape("explain", none_script, "--call", 2, "--as-tensorflow")
    assert other_call.exit_code == 2
    assert "the run has 1 gradient call." in other_call.stderr
    other_source = minitape("explain", none_script, "--source", "v", "--as-tensorflow")
    assert other_source.exit_code == 2
    assert "the sources are: w." in other_source.stderr


def test_exit_zero_option_hides_findings_from_the_exit_code(
    minitape: Any, none_script: Path
) -> None:
    assert minitape("explain", none_script, "--exit-zero", "--as-tensorflow").exit_code == 0


def test_recorded_trace_is_explained_like_the_script(
    minitape: Any, none_script: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    assert minitape("trace", none_script, "-o", trace, "--as-tensorflow").exit_code == 0
    from_file = minitape("explain", trace)
    assert from_file.exit_code == 1
    assert from_file.stdout == minitape("explain", none_script, "--as-tensorflow").stdout
    assert from_file.stderr == ""


def test_truncated_trace_is_reported(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    minitape("trace", none_script, "-o", trace, "--as-tensorflow")
    whole = trace.read_text().splitlines(keepends=True)
    trace.write_text("".join(whole[:-1]) + whole[-1][:9])
    ran = minitape("explain", trace)
    assert ran.exit_code == 1
    assert "This trace is incomplete" in ran.stderr


def test_example_is_found_by_its_name(minitape: Any) -> None:
    ran = minitape("explain", "numpy_detour", "--as-tensorflow")
    assert ran.exit_code == 1
    assert "numpy_detour.py:13:" in ran.stdout


def test_script_without_a_tape_is_reported(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script("print('hello')\n"))
    assert ran.exit_code == 6
    assert "No gradient was requested" in ran.stdout


def test_limit_keeps_the_findings_so_far(minitape: Any, none_script: Path) -> None:
    none_script.write_text(none_script.read_text() + "while True: pass\n")
    ran = minitape("explain", none_script, "--timeout", 2, "--as-tensorflow")
    assert ran.exit_code == 4
    assert "error[MT201]" in ran.stdout
    assert "--timeout" in ran.stderr


def test_brackets_in_user_text_are_not_markup(minitape: Any, write_script: Any) -> None:
    """Rich interprets an unescaped `[x, w]` as a style and hides it."""
    script = write_script(
        """\
        import minitape as tf
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            y = x * [2.0][0]
        tape.gradient(y, [x])
        """
    )
    assert "tape.gradient(y, [x])" in minitape("explain", script).stdout


def test_unknown_script_name_is_a_usage_error(minitape: Any) -> None:
    ran = minitape("explain", "no_such_thing.py")
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert "no_such_thing.py" in ran.stderr


def test_code_has_a_page(minitape: Any) -> None:
    listed = minitape("explain", "--list")
    assert listed.exit_code == 0
    codes = [line.split()[0] for line in listed.stdout.splitlines()]
    assert "MT201" in codes
    assert codes == sorted(codes)
    page = minitape("explain", "mt201")
    assert page.exit_code == 0
    assert "MT201" in page.stdout


def test_unknown_code_is_a_usage_error(minitape: Any) -> None:
    ran = minitape("explain", "MT999")
    assert ran.exit_code == 2
    assert "--list" in ran.stderr


def test_verify_shows_the_tried_fix_and_the_perturbed_source(
    minitape: Any, none_script: Path
) -> None:
    ran = minitape("explain", none_script, "--as-tensorflow", "--check")
    assert ran.exit_code == 1
    text = " ".join(ran.stdout.split())
    tried = "tried: `tf.square(y)` instead of `np.square(y)`"
    assert f"{tried}: on minitape the gradient with respect to w is 32.0" in text
    assert "check: w perturbed on minitape: `loss` changes; its derivative is about 32" in text
    assert ran.stderr.count("slope None") == 1


def test_script_runs_only_once_without_verify(minitape: Any, none_script: Path) -> None:
    """With the option, it also runs once with the fix, once unchanged for comparison, and six times with a perturbed source."""
    diary = none_script.with_name("diary.txt")
    noted = f"with open({str(diary)!r}, 'a') as diary:\n    diary.write('ran ')\n"
    none_script.write_text(noted + none_script.read_text())
    minitape("explain", none_script, "--as-tensorflow")
    assert diary.read_text().split() == ["ran"]
    minitape("explain", none_script, "--as-tensorflow", "--check")
    assert diary.read_text().split() == ["ran"] * (1 + 1 + 1 + 1 + 6)


SIDE_BY_SIDE = """\
import numpy as np
import tensorflow as tf
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a = tf.stop_gradient(w * 3.0)
    b = tf.convert_to_tensor(np.square(w))
    y = a + b * 4.0
tape.gradient(y, w)
"""
BOTH = "fix both line 5 and line 6; fixing only one restores only a part of the gradient"


def test_two_causes_are_shown_with_the_effect_of_fixing_one(
    minitape: Any, write_script: Any
) -> None:
    ran = minitape("explain", write_script(SIDE_BY_SIDE), "--as-tensorflow")
    first, second, _ = ran.stdout.split("\n", 2)
    assert first == "Found 2 mistakes. Fix line 5 first, then line 6."
    assert second == f"{BOTH.capitalize()}."
    assert ran.stdout.count("fixing only") == 1
    assert "The only gradient is None." in ran.stdout


def test_two_causes_in_brief_and_in_json(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script(SIDE_BY_SIDE), "--as-tensorflow", "--brief")
    assert " ".join(ran.stdout.split()).count(f"; {BOTH}") == 1
    ran = minitape("explain", write_script(SIDE_BY_SIDE), "--as-tensorflow", "--json")
    (source,) = json.loads(ran.stdout)["data"]["calls"][0]["sources"]
    assert (source["fixes_needed"], source["fix_sets"]) == ("any", [[0], [1]])


STOPPED = """\
import minitape as tf
w = tf.Variable(2.0)
for step in range(2):
    with tf.GradientTape() as tape:
        y = w * w
    tape.gradient(y, w)
    if step:
        w.apply()
    w.assign_add(1.0)
print("never")
"""


def test_crash_is_not_followed_by_a_check_mark(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script(STOPPED))
    head = ran.stdout.splitlines()[0]
    assert head.startswith(
        "Both gradients before the AttributeError on line 8 arrived; the rest of the script did not run."
    )


def test_limit_reports_the_lines_that_did_not_run(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script(STOPPED), "--max-ops", "1")
    assert "Line 10 did not run." in ran.stderr


def test_script_stopped_before_its_first_op_names_no_line(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script("__import__('time').sleep(60)\n"), "--timeout", 1)
    assert ran.exit_code == 4
    assert "Stopped after 1 s (--timeout)" in ran.stderr
    assert "did not run" not in ran.stderr


@pytest.mark.true_start
def test_syntax_error_at_run_time_does_not_hide_what_ran(
    minitape: Any, healthy_script: Path
) -> None:
    """This differs from a syntax error in the script itself, of which nothing ran. A forked process ends differently."""
    healthy_script.write_text(healthy_script.read_text() + 'eval("1 +")\n')
    ran = minitape("explain", healthy_script, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "arrived" in ran.stdout
    assert "SyntaxError: invalid syntax" in ran.stderr
    assert "does not compile" not in ran.stderr


def test_gradient_that_differs_from_the_derivative_is_reported_by_verify(
    minitape: Any, write_script: Any
) -> None:
    text = SIDE_BY_SIDE.replace("a = tf.stop_gradient(w * 3.0)", "a = w * tf.stop_gradient(w)")
    script = write_script(text.replace("np.square(w)", "w"))
    assert "check:" not in minitape("explain", script, "--as-tensorflow").stdout
    ran = minitape("explain", script, "--as-tensorflow", "--check")
    assert ran.exit_code == 0
    assert "w (line 8) perturbed: `y` changes; its derivative is about 8" in ran.stdout


AT_REST = """\
import tensorflow as tf
w = tf.Variable(0.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        y = tf.square(w) + 1.0
    w.assign_sub(0.1 * tape.gradient(y, w))
"""


def test_verify_explains_why_nothing_was_fixed(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script(AT_REST), "--as-tensorflow", "--check")
    assert "tried: nothing is lost: the derivative is 0 here" in " ".join(ran.stdout.split())


def test_verify_in_json(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--as-tensorflow", "--json", "--check")
    (source,) = json.loads(ran.stdout)["data"]["calls"][0]["sources"]
    assert source["check"]["moves"] is True
    assert abs(source["check"]["derivative"] - 32) < 1e-3
    proof = source["findings"][0]["proof"]
    assert proof["tried"] == "`tf.square(y)` instead of `np.square(y)`"
    assert proof["gradient"]["data"] == 32.0
    assert proof["engine"] == "minitape"


@pytest.mark.tensorflow
def test_fix_for_a_tensorflow_program_is_tried_on_tensorflow(
    minitape: Any, none_script: Path, tensorflow_python: str
) -> None:
    on = ("--on", "tensorflow", "--python", tensorflow_python)
    ran = minitape("explain", none_script, "--check", *on)
    text = " ".join(ran.stdout.split())
    assert re.search(r"np.square\(y\)`: on TensorFlow 2\.\d+\.\d+ the gradient .* is 32.0", text)
    assert re.search(r"check: w perturbed on TensorFlow 2\.\d+\.\d+: `loss` changes", text)
    ran = minitape("explain", none_script, "--fix", "--yes", *on)
    assert "(run on TensorFlow 2." in " ".join(ran.stdout.split())


def test_trace_cannot_be_verified(minitape: Any, none_script: Path) -> None:
    kept = none_script.with_suffix(".jsonl")
    assert minitape("trace", none_script, "--as-tensorflow", "--output", kept).exit_code == 0
    assert minitape("explain", kept, "--check").exit_code == 2


VANISHING = """\
    import minitape as tf

    weights = [tf.Variable(0.1 * tf.eye(4)) for _ in range(6)]
    for step in range(3):
        with tf.GradientTape() as tape:
            h = tf.ones([2, 4])
            for w in weights:
                h = h @ w
            loss = tf.reduce_sum(h)
        tape.gradient(loss, weights)
    """


def test_vanishing_gradient_is_a_note_and_not_an_error(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script(VANISHING))
    assert ran.exit_code == 0
    assert "All 18 gradients arrived." in ran.stdout
    assert (
        "note[MT405]: the gradient of `loss` vanishes on its way to the first layers" in ran.stdout
    )
    assert "lesson.py:3:" in ran.stdout
    assert "MatMul:8 ×0.1 (5 times)" in ran.stdout
    assert "MT405  ~~~  vanishing-layers from iteration 1, in 3 of 3" in ran.stdout


def test_note_in_brief_is_one_line(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script(VANISHING), "--brief")
    (line,) = ran.stdout.splitlines()
    assert line.startswith("lesson.py:3:12: MT405 note: the gradient of `loss` vanishes")


def test_note_is_a_notice_in_github_format(minitape: Any, write_script: Any) -> None:
    ran = minitape("explain", write_script(VANISHING), "--format", "github")
    (line,) = ran.stdout.splitlines()
    assert line.startswith("::notice file=")
    assert "title=MT405::" in line


def test_note_in_json_does_not_change_success(minitape: Any, write_script: Any) -> None:
    reported = json.loads(minitape("explain", write_script(VANISHING), "--json").stdout)
    (note,) = reported["data"]["notes"]
    assert (reported["ok"], note["code"], note["line"], note["iterations"]) == (
        True,
        "MT405",
        3,
        [[1, 3]],
    )

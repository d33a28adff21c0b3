"""The report as data, and its texts."""

from dataclasses import replace
from pathlib import Path

import pytest
from traced import traced

from minitape.explain.over_time import over_time
from minitape.explain.report import FixedFile, Proof, Report

VANISHING = """
weights = [tf.Variable(0.1 * tf.eye(4)) for _ in range(6)]
with tf.GradientTape() as tape:
    h = tf.ones([2, 4])
    for w in weights:
        h = h @ w
    loss = tf.reduce_sum(h)
tape.gradient(loss, weights)
"""
FLOORED = """
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.floor(a) + b
tape.gradient(y, [a, b])
"""


@pytest.fixture
def floored(tmp_path: Path) -> Report:
    return traced(FLOORED, tmp_path).report


def test_finding_has_its_line_and_evidence(floored: Report) -> None:
    (call,) = floored.as_data()["calls"]
    assert (call["line"], call["iteration"], call["api"]) == (4, 1, "gradient")
    lost, sound = call["sources"]
    assert (lost["index"], lost["name"], lost["outcome"]) == (0, "a", "none")
    assert (lost["fixes_needed"], lost["fix_sets"], lost["check"]) == ("one", [[0]], None)
    assert (sound["index"], sound["outcome"], sound["findings"]) == (1, "ok", [])
    (finding,) = lost["findings"]
    assert list(finding) == [
        *("code", "slug", "confidence", "evidence", "runner_up", "line", "lines", "labels"),
        *("message", "fix", "proof", "unproved"),
    ]
    assert (finding["code"], finding["confidence"], finding["evidence"]) == (
        *("MT203", "certain"),
        ["order"],
    )
    assert (finding["line"], finding["lines"], finding["labels"]) == (3, [3], ["change this"])
    assert (finding["proof"], finding["unproved"], finding["runner_up"]) == (None, None, None)


def test_rerun_is_evidence(floored: Report) -> None:
    finding = floored.calls[0].sources[0].findings[0]
    assert finding.evidence_text == (
        "certain; evidence: the order in which the ops ran, and the tape that recorded them"
    )
    proved = replace(finding, proof=Proof("a", {}))
    assert proved.evidence_text == (
        f"{finding.evidence_text}; the script ran again with the suggested fix, and the gradient came back"
    )


def test_note_has_its_factors(tmp_path: Path) -> None:
    (note,) = traced(VANISHING, tmp_path).report.as_data()["notes"]
    assert (note["code"], note["slug"], note["line"], note["lines"]) == (
        *("MT405", "vanishing-layers", 1),
        [1],
    )
    assert (note["call"], note["iterations"]) == (7, [[1, 1]])
    (factor,) = note["factors"]
    assert (factor["op"], factor["line"], factor["times"]) == ("MatMul", 5, 5)
    assert note["headline"] == "the gradient of `loss` vanishes on its way to the first layers"


def test_fix_as_a_diff_and_as_new_lines() -> None:
    before = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6"
    fixed = FixedFile("program.py", before, before.replace("d = 4", "d = 5\nd2 = 6"))
    assert fixed.lines == ((4, "d = 5"), (5, "d2 = 6"))
    assert fixed.diff == (
        "--- program.py\n+++ program.py\n@@ -2,5 +2,6 @@\n b = 2\n c = 3\n-d = 4\n+d = 5\n+d2 = 6\n e = 5\n f = 6\n"
    )
    assert FixedFile("program.py", before, before.replace("d = 4\n", "")).lines == ()


@pytest.mark.parametrize(("lost_from", "has_problem"), [(2, True), (3, False)])
def test_loop_has_a_problem_if_one_of_its_iterations_has(
    lost_from: int, has_problem: bool, tmp_path: Path
) -> None:
    run = traced(
        f"""
        w, b = tf.Variable(1.0), tf.Variable(0.5)
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = w * 3.0 + (b if step < {lost_from} else float(b))
            tape.gradient(loss, [w, b])
        """,
        tmp_path,
    )
    (history,) = over_time(run.report)
    assert (history.iterations, history.has_problem) == (3, has_problem)

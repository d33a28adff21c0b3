"""Findings with the same fix are one finding: three NumPy calls on the path to one constant are reported once."""

from dataclasses import replace
from pathlib import Path

from traced import traced

from minitape.explain.mistakes import mistakes_of
from minitape.explain.report import Confidence, Finding, FixesNeeded, Location
from minitape.explain.same_fix import reported_once

_FIRST = Finding(
    "MT201", "numpy-roundtrip", Confidence.CERTAIN, Location("a.py", 2), (2, 5), "", "", "f (line 2) and g (line 3)",
    ("change this", "comes back here"), events=(7, 9),
)  # fmt: skip
_SAME = replace(
    _FIRST,
    location=Location("a.py", 3),
    lines=(3, 5),
    fix="g (line 3) and f (line 2)",
    events=(8, 9),
)


def test_several_numpy_calls_with_one_advice_are_one_mistake(tmp_path: Path) -> None:
    run = traced(
        """
        w = tf.Variable([0.5, -1.0, 2.0])
        with tf.GradientTape() as tape:
            values = w * 2.0
            centre = np.mean(values)
            spread = np.std(values)
            scores = np.divide(values - centre, spread)
            loss = tf.reduce_sum(tf.constant(scores, tf.float32) ** 3)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    (mistake,) = mistakes_of(run.report)
    assert all(f"(line {line})" in mistake.fix for line in (4, 5, 6))
    assert run.source().fixes_needed is FixesNeeded.ONE


def test_merged_finding_has_lines_and_events_of_both() -> None:
    (finding,), fix_sets = reported_once([_FIRST, _SAME], ((0, 1),))
    assert (finding.location.line, finding.lines, finding.events) == (2, (2, 3, 5), (7, 9, 8))
    assert finding.parts == ("change this", "change this", "comes back here")
    assert fix_sets == ((0,),)


def test_third_finding_keeps_its_index_in_the_fix_sets() -> None:
    other = replace(_FIRST, slug="stop-gradient", fix="remove it")
    findings, fix_sets = reported_once([_FIRST, _SAME, other], ((0, 1, 2), (0, 2)))
    assert [each.slug for each in findings] == ["numpy-roundtrip", "stop-gradient"]
    assert fix_sets == ((0, 1),)
    assert reported_once([other, _FIRST, _SAME], ((0,), (0, 1)))[1] == ((0,),)


def test_findings_with_similar_text_are_reported_separately() -> None:
    """Advice without line numbers describes what to do on each line."""
    vague = replace(_FIRST, fix="keep it and print it")
    elsewhere = replace(_SAME, location=Location("b.py", 3))
    for pair in ([vague, replace(vague, location=Location("a.py", 3))], [_FIRST, elsewhere]):
        assert reported_once(pair, ((0, 1),)) == (tuple(pair), ((0, 1),))

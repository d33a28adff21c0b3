"""Which causes are reported if a gradient was lost along several paths, in which order, and how many."""

from pathlib import Path

import pytest
from traced import Traced, traced

from minitape.explain.mistakes import mistakes_of

TAPE = """
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    {body}
tape.gradient(y, x)
"""


def _run(body: list[str], folder: Path) -> Traced:
    return traced(TAPE.format(body="\n    ".join(body)), folder)


def test_intentional_stop_comes_after_a_mistake(tmp_path: Path) -> None:
    """Although the stop is nearer to the source, and came first."""
    body = ["a = tf.stop_gradient(x)", "b = tf.floor(tf.exp(x))", "y = a + b"]
    assert _run(body, tmp_path).found() == [("non-differentiable-op", 4), ("stop-gradient", 3)]


@pytest.mark.parametrize(
    ("fix_set", "found"),
    [
        ("tf.stop_gradient(tf.floor(x))", ["non-differentiable-op", "stop-gradient"]),
        ("tf.floor(tf.stop_gradient(tf.floor(x)))", ["python-scalar"]),
    ],
)
def test_guessed_path_is_reported_if_the_other_has_three_breaks(
    fix_set: str, found: list[str], tmp_path: Path
) -> None:
    """Only the name `k` indicates that this is the x that left the tape on line 3."""
    body = ["k = float(x)", f"h = {fix_set}", "y = tf.constant(k * 3.0 + 1.0) + h"]
    assert [slug for slug, _ in _run(body, tmp_path).found()] == found


@pytest.mark.parametrize(("fix_sets", "reported"), [(5, 5), (6, 6), (8, 6)])
def test_at_most_six_causes_of_a_source_are_reported(
    fix_sets: int, reported: int, tmp_path: Path
) -> None:
    body = [f"a{i} = tf.stop_gradient({i}.0 * x)" for i in range(fix_sets)]
    body.append("y = " + " + ".join(f"a{i}" for i in range(fix_sets)))
    source = _run(body, tmp_path).source()
    assert len(source.findings) == reported
    assert source.fix_sets == tuple((i,) for i in range(reported))


@pytest.mark.parametrize(("first", "fix_sets"), [(2, 6), (3, 8)])
def test_at_most_eight_fix_sets_are_reported(first: int, fix_sets: int, tmp_path: Path) -> None:
    """Three paths from the source to h, and three from there to y, can be fixed in nine ways."""
    body = [f"a{i} = tf.stop_gradient({i}.0 * x)" for i in range(first)]
    body += ["h = " + " + ".join(f"a{i}" for i in range(first))]
    body += [f"b{i} = tf.stop_gradient({i}.0 * h)" for i in range(3)]
    body += ["y = b0 + b1 + b2"]
    assert len(_run(body, tmp_path).source().fix_sets) == fix_sets


TOGETHER = """
a, b, c = [tf.Variable(1.5) for _ in range(3)]
with tf.GradientTape() as tape:
    h = tf.floor(b * c)
    one = tf.stop_gradient(h * 2.0)
    two = tf.stop_gradient(a * a)
    y = one + two
tape.gradient(y, [a, b, c])
"""


def test_fix_that_restores_one_gradient_comes_before_joint_fixes(
    tmp_path: Path,
) -> None:
    mistakes = mistakes_of(traced(TOGETHER, tmp_path).report)
    assert [each.finding.location.line for each in mistakes] == [5, 3, 4]

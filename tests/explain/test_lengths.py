"""The length of an answer: what is named, what is counted, and where a text is truncated."""

from pathlib import Path

import pytest
from traced import traced

from minitape.explain.answer import Explanation
from minitape.explain.mistakes import in_all, mistakes_of
from minitape.explain.report import listed

FLOORED = """
{name} = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.floor({name})
tape.gradient(y, {name})
"""
STACKED = """
vs = [tf.Variable(1.0, name=f"w{{i}}") for i in range({count})]
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.constant(np.stack([v.numpy() for v in vs])))
tape.gradient(y, vs)
"""


def test_list_of_more_than_four_names_shows_two() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c", "d"]) == "a, b, c and d"
    assert listed(["a", "b", "c", "d", "e"]) == "a, b and 3 more"


@pytest.mark.parametrize(("letters", "ends"), [(60, "x)` on line 3"), (61, "xxx...` on line 3")])
def test_expression_is_shown_up_to_sixty_characters(
    letters: int, ends: str, tmp_path: Path
) -> None:
    name = "x" * (letters - len("tf.floor()"))
    (finding,) = traced(FLOORED.format(name=name), tmp_path).source().findings
    reported, _, _ = finding.message.partition(" is not differentiable")
    assert reported.endswith(ends)
    assert len(reported.removesuffix(" on line 3").strip("`")) == 60


@pytest.mark.parametrize(
    ("count", "reported"), [(3, "`w0`, `w1` and `w2` to"), (4, "`w0`, `w1`, `w2` and 1 more to")]
)
def test_up_to_three_converted_values_are_named(count: int, reported: str, tmp_path: Path) -> None:
    finding = traced(STACKED.format(count=count), tmp_path).source().findings[0]
    assert f"converts {reported} NumPy" in finding.message


@pytest.mark.parametrize(("count", "more"), [(8, ""), (9, " and 1 more")])
def test_up_to_eight_lines_are_shown(count: int, more: str, tmp_path: Path) -> None:
    names = [f"x{i}" for i in range(count)]
    sources = ", ".join(names)
    lines = [f"{sources} = [tf.Variable(1.0) for _ in range({count})]"]
    lines += ["with tf.GradientTape() as tape:"]
    lines += [f"    a{name} = tf.stop_gradient({name})" for name in names]
    lines += ["    y = " + " + ".join(f"a{name}" for name in names)]
    report = traced("\n".join([*lines, f"tape.gradient(y, [{sources}])"]), tmp_path).report
    (first,) = in_all(mistakes_of(report), report)
    assert first == (
        f"Found {count} mistakes. Fix them in this order: lines 3, 4, 5, 6, 7, 8, 9 and 10{more}."
    )


@pytest.mark.parametrize(("count", "more"), [(3, ""), (4, "; and 1 more")])
def test_up_to_three_targets_of_one_mistake_are_named(
    count: int, more: str, tmp_path: Path
) -> None:
    lines = ["x = tf.Variable(1.0)", "with tf.GradientTape(persistent=True) as tape:"]
    lines += ["    z = tf.floor(x)", *(f"    y{i} = z * {i}.0" for i in range(count))]
    lines += [f"tape.gradient(y{i}, x)" for i in range(count)]
    (mistake,) = mistakes_of(traced("\n".join(lines), tmp_path).report)
    assert mistake.headline == (
        "the gradient of `y0` with respect to `x` is None; the one of `y1` with respect to `x` is None; "
        f"the one of `y2` with respect to `x` is None{more}"
    )


def test_report_with_a_finding_does_not_say_that_all_is_well(tmp_path: Path) -> None:
    reported = str(Explanation(traced(FLOORED.format(name="x"), tmp_path).report))
    assert reported.startswith(
        "Found 1 mistake, on line 3.\nthe gradient of `y` with respect to `x` is None"
    )
    assert "No gradient" not in reported and "No problem" not in reported
    nothing = Explanation(traced("x = tf.Variable(1.0)\n", tmp_path).report)
    assert str(nothing) == "No gradient was requested."

"""Rare forms of programs that are not among the cases."""

from pathlib import Path

import pytest
from traced import traced

from minitape.explain.answer import Explanation
from minitape.explain.report import Outcome

LATE = """
{made}
fs = []
for w in heads:
    fs.append(lambda x: w * x)
with tf.GradientTape() as tape:
    y = fs[0](2.0) + fs[1](2.0)
tape.gradient(y, params)
"""


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("params = heads = [tf.Variable(1.0), tf.Variable(2.0)]", id="by one name"),
        pytest.param(
            "def make():\n    return [tf.Variable(i + 1.0) for i in range(2)]\nparams = make()\nheads = params",
            id="by two names, and made in one line",
        ),
    ],
)
def test_late_binding_is_recognized_by_its_list_or_by_other_objects(
    made: str, tmp_path: Path
) -> None:
    run = traced(LATE.format(made=made), tmp_path)
    assert [slug for slug, _ in run.found()] == ["late-binding"]
    assert run.found(1) == []


def test_gradient_of_empty_target_is_explained_by_the_call(tmp_path: Path) -> None:
    run = traced(
        "x = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    x * x\ntape.gradient([], x)",
        tmp_path,
    )
    assert run.source().outcome is Outcome.NONE
    assert [line for _, line in run.found()] == [3]


TWO = """
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.floor(a) + b
    z = b * b
tape.gradient(y, [a, b])
tape.gradient(z, b)
"""


def test_answer_about_some_sources_omits_calls_for_others(
    tmp_path: Path,
) -> None:
    whole = Explanation(traced(TWO, tmp_path).report)
    assert not whole.ok
    sound = whole.without(Outcome.NONE)
    assert [[each.name for each in call.sources] for call in sound.report.calls] == [["b"], ["b"]]
    assert sound.ok
    of_a = whole.only(lambda _, source: source.name == "a")
    assert [[each.name for each in call.sources] for call in of_a.report.calls] == [["a"]]
    assert str(of_a) == str(whole)


WATCHED = """
{before}
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch([])
    {within}
    y = w * w
tape.gradient(y, w)
"""


@pytest.mark.parametrize(
    ("before", "within", "slug"),
    [
        ("w = tf.Variable(2.0)", "pass", "auto-watch-off"),
        ("pass", "w = tf.Variable(2.0)", "watched-before-build"),
    ],
)
def test_empty_list_was_watched_too_early_only_for_later_elements(
    before: str, within: str, slug: str, tmp_path: Path
) -> None:
    run = traced(WATCHED.format(before=before, within=within), tmp_path)
    assert [found for found, _ in run.found()] == [slug]


PAUSED = """
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with outer.stop_recording():
        z = x * 1.0
with tf.GradientTape() as inner:
    y = x ** 3
slope = inner.gradient(y, x)
outer.gradient(slope, x)
"""


def test_finished_pause_does_not_explain_missing_second_order(tmp_path: Path) -> None:
    run = traced(PAUSED, tmp_path)
    assert [slug for slug, _ in run.found()] == ["second-order-not-recorded"]

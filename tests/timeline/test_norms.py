"""The target and the gradient norms of a training loop, in each iteration."""

import math
from typing import Any

import pytest
from traced import run

from minitape.explain.explain import explain
from minitape.timeline.norms import LoopNorms, changes, norms_over_time

LOOP = """\
import minitape as tf

w = tf.Variable([[3.0, 4.0]], name="w")
b = tf.Variable([1.0], name="b")
lost = tf.Variable(1.0, name="lost")
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w) / 2.0 + tf.reduce_sum(b) * [1.0, 1.0, float("inf"), 1.0][step]
    tape.gradient(loss, [w, b, lost])
with tf.GradientTape() as tape:
    once = w * w
tape.gradient(once, w)
"""


@pytest.fixture
def loop(tmp_path: Any) -> LoopNorms:
    script = tmp_path / "loop.py"
    script.write_text(LOOP, encoding="utf-8")
    trace = run(script).trace
    (found,) = norms_over_time(trace, explain(trace))
    return found


def test_each_source_has_a_norm_for_each_iteration(loop: LoopNorms) -> None:
    """|dw| = |w| = 5; the third target is inf, and so is db."""
    w, b, lost = loop.sources
    assert (w.name, w.norms, w.is_matrix) == ("w", (5.0, 5.0, 5.0, 5.0), True)
    assert [b.norms[0], b.norms[1], b.norms[3]] == [1.0, 1.0, 1.0]
    assert b.norms[2] is not None and math.isnan(b.norms[2])
    assert lost.norms == (None, None, None, None)


def test_target_has_a_value_for_each_iteration(loop: LoopNorms) -> None:
    assert loop.target == "loss"
    assert [loop.targets[0], loop.targets[3]] == [13.5, 13.5]
    assert loop.targets[2] is not None and math.isnan(loop.targets[2])
    assert loop.calls == (1, 2, 3, 4)


def test_few_sources_are_selected_with_matrices_first(loop: LoopNorms) -> None:
    assert [each.name for each in loop.selected(3)] == ["w", "b", "lost"]
    assert [each.name for each in loop.selected(2)] == ["w"]
    assert loop.selected(3, changing=True) == ()


def test_change_of_a_hundredth_is_ignored() -> None:
    assert changes([100.0, 102.0])
    assert not changes([100.0, 100.5, None, math.nan])
    assert not changes([0.0, 0.0])
    assert not changes([])

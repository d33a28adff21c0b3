"""Contributions as terms on the edges of a picture."""

from pathlib import Path

import pytest
from traced import run

from minitape import draw
from minitape.draw.model import EdgeKind
from minitape.explain.explain import explain
from minitape.terms import labels
from minitape.trace import events
from minitape.trace.trace import Trace

TINY = """\
import minitape as tf
x, w = tf.Variable(3.0), tf.Variable(2.0)
v = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x * w
    z = tf.sin(y) + y * y + tf.reduce_sum(v * v)
tape.gradient(z, [x, w, v])
"""


@pytest.fixture
def traced(tmp_path: Path) -> Trace:
    script = tmp_path / "tiny.py"
    script.write_text(TINY, encoding="utf-8")
    return run(script, stdout=None).trace


def test_contribution_is_a_product_with_its_numbers(traced: Trace) -> None:
    label = labels(traced, explain(traced))
    reported = [
        label(step, at) for step in traced.of(events.BackEvent) for at in range(len(step.sent))
    ]
    assert "w·∂z/∂y = 2.0·12.96 = 25.92" in reported
    assert "x·∂z/∂y = 3.0·12.96 = 38.88" in reported
    assert "cos y·∂z/∂#2 = 0.9602·1.0 = 0.9602" in reported
    assert "" in reported  # v has two elements


def test_terms_are_on_edges_of_small_tapes_only(traced: Trace) -> None:
    report = explain(traced)
    terms = labels(traced, report)
    picture = draw.picture(traced, report, view="backward", terms=terms)
    said = {edge.label for edge in picture.edges if edge.flow is EdgeKind.GRADIENT}
    assert "w·∂z/∂y = 2.0·12.96 = 25.92" in said
    assert "+ y·∂z/∂#3 = 6.0·1.0 = 6.0" in said  # one of several contributions
    # An unchanged contribution is shown as its cotangent; if there are several numbers, as their norm.
    assert {each for each in said if "·" not in each} == {
        "∂z/∂z = 1.0",
        "∂z/∂#4 = 1.0",
        "|g| = 1.414",
        "+ |g| = 2.236",
    }
    svg = draw.render(picture, "svg", engine="built-in").data.decode()
    assert "w·∂z/∂y = 2.0·12.96 = 25.92" in svg


def test_backward_pass_of_many_contributions_keeps_its_short_labels(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(
        "import minitape as tf\nx = tf.Variable(1.1)\nwith tf.GradientTape() as tape:\n    y = x * 2.0\n"
        "    for _ in range(30):\n        y = y * x\ntape.gradient(y, x)\n",
        encoding="utf-8",
    )
    trace = run(script, stdout=None).trace
    report = explain(trace)
    terms = labels(trace, report)
    picture = draw.picture(trace, report, view="backward", unroll=True, terms=terms)
    assert not any("·" in edge.label for edge in picture.edges)

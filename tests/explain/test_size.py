"""A program that is twice as long takes about twice the work to explain, not four times. Work is counted in executed lines."""

import io
import sys
from types import FrameType
from typing import Any

import pytest
from traced import run

from minitape.explain.answer import Explanation
from minitape.explain.explain import explain
from minitape.explain.report import Report
from minitape.run.program import of_text
from minitape.trace.trace import Trace

pytestmark = pytest.mark.one_in(4)

HEALTHY_LOOP = """
w = tf.Variable([1.0, 2.0])
for step in range({n}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sin(w) * 0.5)
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""
UNUSED = """
w, unused = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
for step in range({n}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sin(w) * 0.5)
    dw, nothing = tape.gradient(loss, [w, unused])
    w.assign_sub(0.1 * dw)
"""
UNUSED_AND_CARRIED = """
w, unused, state = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0]), tf.zeros([2])
for step in range({n}):
    with tf.GradientTape() as tape:
        state = tf.tanh(state + w)
        loss = tf.reduce_sum(state)
    dw, nothing = tape.gradient(loss, [w, unused])
    w.assign_sub(0.1 * dw)
"""
NUMPY = """
w, total = tf.Variable([1.0, 2.0]), tf.Variable(0.0)
for step in range({n}):
    with tf.GradientTape() as tape:
        loss = tf.constant(np.sum(tf.sin(w).numpy()))
    nothing = tape.gradient(loss, w)
    total.assign_add(loss)
"""
NAN = """
w, state = tf.Variable([1.0, 2.0]), tf.zeros([2])
for step in range({n}):
    with tf.GradientTape() as tape:
        state = tf.sqrt(state - 1.0) * w
        loss = tf.reduce_sum(state)
    dw = tape.gradient(loss, w)
"""
DIVERGED = """
w = tf.Variable([1.0, 2.0])
for step in range({n}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(tf.square(w)))
    w.assign_sub(10.0 * tape.gradient(loss, w))
"""
MANY_SOURCES = """
weights = [tf.Variable([[0.5, 0.1], [0.2, 0.4]]) for _ in range({n})]
with tf.GradientTape() as tape:
    h = tf.constant([[1.0, 2.0]])
    for w in weights:
        h = h + 0.01 * tf.sin(h @ w)
    loss = tf.reduce_sum(h)
gradients = tape.gradient(loss, weights)
"""
ONE_DEAD_UNIT = """
weights = [tf.Variable([[0.5, 0.1], [0.2, 0.4]]) for _ in range({n})]
with tf.GradientTape() as tape:
    h = tf.constant([[1.0, 2.0]])
    for w in weights:
        h = tf.sin(h @ w)
    loss = tf.reduce_sum(tf.nn.relu(h - 10.0))
gradients = tape.gradient(loss, weights)
"""
MANY_WITHOUT_PATH = """
weights = [tf.Variable([0.5, 0.1]) for _ in range({n})]
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    for w in weights:
        x = tf.sin(x)
    loss = tf.reduce_sum(x)
gradients = tape.gradient(loss, weights)
"""
ONE_TAPE_ASKED_OFTEN = """
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    losses = [tf.reduce_sum(tf.sin(x * float(i))) for i in range({n})]
gradients = [tape.gradient(loss, x) for loss in losses]
"""
LEFT_AND_CAME_BACK = """
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x
    for i in range({n}):
        y = y * 0.99 + tf.constant(y.numpy() * 0.01)
    loss = tf.reduce_sum(y)
gradient = tape.gradient(loss, x)
"""
VANISHING = """
weights = [tf.Variable([[0.1, 0.0], [0.0, 0.1]]) for _ in range(6)]
for step in range({n}):
    with tf.GradientTape() as tape:
        h = tf.constant([[1.0, 2.0]])
        for w in weights:
            h = tf.tanh(h @ w)
        loss = tf.reduce_sum(h)
    for w, dw in zip(weights, tape.gradient(loss, weights)):
        w.assign_sub(1e-9 * dw)
"""
DEEP_AND_VANISHING = """
weights = [tf.Variable([[0.5, 0.1], [0.2, 0.4]]) for _ in range({n})]
with tf.GradientTape() as tape:
    h = tf.constant([[1.0, 2.0]])
    for w in weights:
        h = h @ w
    loss = tf.reduce_sum(h)
gradients = tape.gradient(loss, weights)
"""
MANY_SOURCES_LOST = """
weights = [tf.Variable([0.5, 0.1]) for _ in range({n})]
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.constant(np.sum(np.square(tf.stack(weights))))
    nothing = tape.gradient(loss, weights)
"""
MANY_ROUNDS_LOST = """
weights = [tf.Variable([0.5, 0.1]) for _ in range(10)]
for step in range({n}):
    with tf.GradientTape() as tape:
        loss = tf.constant(np.sum(np.square(tf.stack(weights))))
    nothing = tape.gradient(loss, weights)
"""
A_LONG_WAY_LOST = """
weights = [tf.Variable(0.5) for _ in range(40)]
with tf.GradientTape() as tape:
    h = tf.constant(1.0)
    for w in weights:
        h = h * w
    for _ in range({n}):
        h = tf.sin(h)
    loss = tf.constant(float(h))
nothing = tape.gradient(loss, weights)
"""


def trace_of(text: str, n: int) -> Trace:
    head = "import numpy as np\nimport minitape as tf\n"
    program = of_text((head + text.format(n=n)).encode(), file="<code>", invoked="-c")
    ran = run(program, stdout=io.StringIO(), timeout=0)
    assert ran.error is None, ran.error
    return ran.trace


def work(trace: Trace) -> tuple[int, Report]:
    """Return how many lines ran for the explanation, and the explanation."""
    lines = 0

    def follow(_: FrameType, event: str, __: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        report = explain(trace)
    finally:
        sys.settrace(before)
    return lines, report


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        pytest.param(HEALTHY_LOOP, None, id="healthy loop"),
        pytest.param(UNUSED, "unconnected", id="unused variable in a loop"),
        pytest.param(UNUSED_AND_CARRIED, "unconnected", id="unused variable, state carried on"),
        pytest.param(NUMPY, "numpy-roundtrip", id="NumPy in a loop"),
        pytest.param(NAN, "outside-domain", id="NaN carried on"),
        pytest.param(DIVERGED, "diverged", id="diverged"),
        pytest.param(MANY_SOURCES, None, id="many sources"),
        pytest.param(ONE_DEAD_UNIT, "dead-relu", id="many sources, all zero"),
        pytest.param(MANY_WITHOUT_PATH, "unconnected", id="many sources, none used"),
        pytest.param(ONE_TAPE_ASKED_OFTEN, "masked-out", id="one tape, many calls"),
        pytest.param(MANY_SOURCES_LOST, "numpy-roundtrip", id="many sources, all lost"),
        pytest.param(MANY_ROUNDS_LOST, "numpy-roundtrip", id="all lost in many rounds"),
        pytest.param(A_LONG_WAY_LOST, "python-scalar", id="all lost after a long way"),
        pytest.param(LEFT_AND_CAME_BACK, "numpy-roundtrip", id="left and came back often"),
    ],
)
def test_work_is_proportional_to_length_of_program(text: str, slug: str | None) -> None:
    """Quadratic work would run four times as many lines; proportional work runs at most twice as many."""
    once, _ = work(trace_of(text, 40))
    twice, report = work(trace_of(text, 80))
    slugs = {
        finding.slug for call in report.calls for each in call.sources for finding in each.findings
    }
    assert slugs == ({slug} if slug is not None else set())
    assert twice < 2.5 * once


@pytest.mark.parametrize("text", [VANISHING, DEEP_AND_VANISHING], ids=["loop", "deep"])
def test_work_for_notes_is_proportional_to_length_of_program(text: str) -> None:
    once, _ = work(trace_of(text, 20))
    twice, report = work(trace_of(text, 40))
    assert "vanishing-layers" in {note.slug for note in report.notes}
    assert twice < 2.5 * once


def test_sources_of_a_call_share_work_for_their_common_path() -> None:
    """40 sources share 400 ops before the break. For each source, the ops are followed, but not evaluated again."""
    short, _ = work(trace_of(A_LONG_WAY_LOST, 10))
    long, report = work(trace_of(A_LONG_WAY_LOST, 410))
    sources = report.calls[0].sources
    assert (long - short) / (400 * len(sources)) < 20
    first, last = (source.findings[0].path for source in (sources[0], sources[-1]))
    assert first[-1] is last[-1]


def test_mistakes_are_distinguished_in_one_pass() -> None:
    """40 sources in twice as many iterations cause twice the work, and the answer has the same length."""
    once, twice = (explain(trace_of(MANY_ROUNDS_LOST, n)) for n in (10, 20))
    assert str(Explanation(once)).replace("10 of 10", "") == (
        str(Explanation(twice)).replace("20 of 20", "")
    )

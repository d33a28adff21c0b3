"""The reasons why a tape does not record the source itself, and the values that are copies."""

import pytest
from traced import traced

from minitape.explain.at_source import at_source, originals
from minitape.explain.flow.graph import FlowGraph
from minitape.trace.events import ConstantEvent, OpEvent


def slug_at_source(text, folder):
    """Return what is wrong with the first source of the only call: the slug, or None."""
    flow = FlowGraph(traced(text, folder).trace)
    (call,) = flow.calls.values()
    found = at_source(flow, call, call.event.sources[0].value)
    return None if found is None else found.cause.slug


@pytest.mark.parametrize(
    ("made", "slug"),
    [
        ("tf.constant(2.0)", "not-watched"),
        ("tf.Variable(2.0, trainable=False)", "not-trainable"),
        ("tf.Variable(2)", "integer-dtype"),
        ("tf.Variable('two')", "string-dtype"),
    ],
)
def test_reason_why_a_source_is_not_watched(made, slug, tmp_path):
    text = f"x = {made}\nwith tf.GradientTape() as tape:\n    y = tf.identity(x)\ntape.gradient(y, x)\n"
    assert slug_at_source(text, tmp_path) == slug


def test_watched_source_has_no_finding(tmp_path):
    text = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)\n"
    assert slug_at_source(text, tmp_path) is None


def test_slice_is_a_copy_and_square_is_not(tmp_path):
    run = traced("x = tf.constant([1.0, 2.0])\na = x[0]\nb = tf.square(x)\n", tmp_path)
    flow = FlowGraph(run.trace)
    x = run.of(ConstantEvent)[0].numbers.id
    a, b = (op.outputs[0].id for op in run.of(OpEvent))
    assert list(originals(flow, a)) == [x]
    assert list(originals(flow, b)) == []


def test_copy_watched_after_the_call_is_no_explanation(tmp_path):
    text = (
        "x = tf.constant([1.0, 2.0])\n"
        "a = x[0]\n"
        "with tf.GradientTape(persistent=True) as tape:\n"
        "    y = x * 2.0\n"
        "    tape.gradient(y, x)\n"
        "    tape.watch(a)\n"
    )
    assert slug_at_source(text, tmp_path) == "not-watched"

"""The path with the fewest breaks, and the name of each break."""

import pytest
from traced import traced

from minitape.explain.breaks import Search, shortest, way_out
from minitape.explain.flow.graph import FlowGraph

TAPE = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n"


def path_of(text, folder):
    """The flow, the last call, and the path from its first source to its target."""
    flow = FlowGraph(traced(text, folder).trace)
    call = list(flow.calls.values())[-1]
    source = call.event.sources[0].value
    return flow, call, shortest(flow, call, source, set(call.event.targets))


def slugs(text, folder):
    _, _, path = path_of(text, folder)
    return [each.cause.slug for each in path.breaks]


def test_recorded_path_has_no_break(tmp_path):
    assert slugs(TAPE + "    y = x * x\ntape.gradient(y, x)\n", tmp_path) == []


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ("    y = tf.stop_gradient(x) * 2.0\n", "stop-gradient"),
        ("    y = tf.floor(x) * 2.0\n", "non-differentiable-op"),
        ("    y = tf.cast(tf.cast(x, tf.int32), tf.float32)\n", "integer-dtype"),
        ("    y = tf.constant(np.sin(x)) * 2.0\n", "numpy-roundtrip"),
        ("    y = tf.constant(float(x)) * 2.0\n", "python-scalar"),
        ("    y = tf.ones_like(x) * 2.0\n", "unconnected"),
        ("    with tape.stop_recording():\n        y = x * 2.0\n", "stop-recording"),
        ("    y = x * 2.0\n    tape.reset()\n", "tape-reset"),
        ("    pass\ny = x * 2.0\n", "computed-after-tape"),
    ],
)
def test_break_is_named_after_its_cause(body, slug, tmp_path):
    assert slugs(TAPE + body + "tape.gradient(y, x)\n", tmp_path) == [slug]


def test_consequence_of_a_break_is_not_a_break(tmp_path):
    body = "    a = tf.stop_gradient(x)\n    y = tf.exp(a) * a + 1.0\n"
    assert slugs(TAPE + body + "tape.gradient(y, x)\n", tmp_path) == ["stop-gradient"]


def test_two_causes_in_a_row_are_two_breaks(tmp_path):
    body = "    y = tf.floor(tf.stop_gradient(x)) * 2.0\n"
    found = slugs(TAPE + body + "tape.gradient(y, x)\n", tmp_path)
    assert found == ["stop-gradient", "non-differentiable-op"]


def test_several_ops_after_the_tape_are_one_break(tmp_path):
    body = "    pass\ny = tf.exp(x * 2.0) + 1.0\n"
    _, _, path = path_of(TAPE + body + "tape.gradient(y, x)\n", tmp_path)
    (late,) = path.breaks
    assert len(late.also) == 2


def test_path_with_fewer_breaks_is_chosen(tmp_path):
    body = "    y = tf.floor(tf.stop_gradient(x)) + tf.stop_gradient(x * x)\n"
    assert slugs(TAPE + body + "tape.gradient(y, x)\n", tmp_path) == ["stop-gradient"]


def test_unconnected_target_has_no_path(tmp_path):
    _, _, path = path_of(TAPE + "    y = tf.constant(1.0) * 2.0\ntape.gradient(y, x)\n", tmp_path)
    assert path is None


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("y = float(x)", "python-scalar"),
        ("y = x.numpy().item()", "python-scalar"),
        ("y = np.mean(x)", "numpy-roundtrip"),
        ("y = x.numpy()", "numpy-roundtrip"),
    ],
)
def test_numpy_and_python_conversions_are_distinguished(line, slug, tmp_path):
    flow = FlowGraph(traced(f"x = tf.constant(2.0)\n{line}\n", tmp_path).trace)
    assert way_out(flow, flow.exits[max(flow.exits)].event).slug == slug


def test_earlier_of_two_similar_paths_is_chosen(tmp_path):
    body = "    a = tf.floor(x)\n    b = tf.round(x)\n    y = b + a\n"
    flow, _, path = path_of(TAPE + body + "tape.gradient(y, x)\n", tmp_path)
    (lost,) = path.breaks
    assert flow.op(lost.event).target_name == "a"


def test_second_op_decides_between_paths_with_same_start(tmp_path):
    body = "    c = tf.exp(x)\n    a = tf.round(c)\n    b = tf.floor(c)\n    y = b * a\n"
    flow, _, path = path_of(TAPE + body + "tape.gradient(y, x)\n", tmp_path)
    (lost,) = path.breaks
    assert flow.op(lost.event).target_name == "a"


def test_shorter_path_is_preferred_to_an_earlier_one(tmp_path):
    body = "    a = tf.floor(tf.exp(x))\n    b = tf.floor(x)\n    y = a + b\n"
    flow, _, path = path_of(TAPE + body + "tape.gradient(y, x)\n", tmp_path)
    (lost,) = path.breaks
    assert flow.op(lost.event).target_name == "b"


def test_all_sources_of_a_call_share_one_search(tmp_path):
    """Values near the target are visited only once, whatever the number of sources."""
    text = (
        "xs = [tf.Variable(float(i)) for i in range(9)]\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.stop_gradient(tf.add_n(xs))\n"
        "    for _ in range(50):\n"
        "        y = tf.identity(y)\n"
        "tape.gradient(y, xs)\n"
    )
    flow = FlowGraph(traced(text, tmp_path).trace)
    (call,) = flow.calls.values()
    search = Search(flow, call, set(call.event.targets))
    assert flow.leads(call.event.sources[0].value, call.event.targets)
    paths = [search.path_from(each.value) for each in call.event.sources]
    assert [[lost.cause.slug for lost in path.breaks] for path in paths] == [["stop-gradient"]] * 9
    assert search.looked_at < 50 + 4 * 9

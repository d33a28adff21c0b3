"""The flow graph: each value, and the values from which it was computed."""

from traced import traced

from minitape.explain.flow.graph import FlowGraph
from minitape.trace.events import OpEvent


def kinds(flow, start, end):
    return [edge.kind for edge in flow.out_of.get(start, ()) if edge.end == end]


def named(flow, name):
    """The last value of that name."""
    return [value for value, numbers in flow.numbers.items() if numbers.name == name][-1]


def test_op_connects_each_input_with_its_output(tmp_path):
    run = traced("x = tf.constant(2.0)\ny = tf.constant(3.0)\nz = x * y\n", tmp_path)
    flow = FlowGraph(run.trace)
    assert kinds(flow, named(flow, "x"), named(flow, "z")) == ["op"]
    assert kinds(flow, named(flow, "y"), named(flow, "z")) == ["op"]


def test_unrecorded_op_is_in_the_graph(tmp_path):
    flow = FlowGraph(traced("x = tf.constant(2.0)\ny = x * x\nz = y + 1.0\n", tmp_path).trace)
    assert named(flow, "x") in flow.upstream([named(flow, "z")])


def test_assignment_reaches_later_reads(tmp_path):
    flow = FlowGraph(
        traced(
            "x = tf.constant(2.0)\nv = tf.Variable(1.0)\nv.assign(x)\ny = v * 3.0\n", tmp_path
        ).trace
    )
    assert named(flow, "y") in flow.downstream([named(flow, "x")])


def test_assignment_does_not_reach_earlier_reads(tmp_path):
    flow = FlowGraph(
        traced(
            "x = tf.constant(2.0)\nv = tf.Variable(1.0)\ny = v * 3.0\nv.assign(x)\n", tmp_path
        ).trace
    )
    assert named(flow, "y") not in flow.downstream([named(flow, "x")])


def test_value_that_left_for_numpy_is_connected_where_it_reenters(tmp_path):
    flow = FlowGraph(traced("x = tf.constant([2.0])\ny = tf.square(np.sin(x))\n", tmp_path).trace)
    assert "reentry" in {edge.kind for edges in flow.out_of.values() for edge in edges}
    assert named(flow, "y") in flow.downstream([named(flow, "x")])


def test_graph_can_be_truncated_at_an_event(tmp_path):
    flow = FlowGraph(traced("x = tf.constant(2.0)\ny = x * x\nz = y + 1.0\n", tmp_path).trace)
    made = flow.born[named(flow, "z")].i
    assert named(flow, "z") not in flow.downstream([named(flow, "x")], before=made)


def test_reset_removes_watched_values(tmp_path):
    run = traced(
        """
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            tape.reset()
        """,
        tmp_path,
    )
    flow = FlowGraph(run.trace)
    life, x = flow.tapes[1], named(flow, "x")
    assert life.watch_of(x, life.resets[0]) is not None
    assert life.watch_of(x, len(run.trace)) is None


def test_integers_carry_no_gradient(tmp_path):
    flow = FlowGraph(traced("n = tf.constant(2)\nx = tf.constant(2.0)\n", tmp_path).trace)
    assert not flow.is_smooth(named(flow, "n"))
    assert flow.is_smooth(named(flow, "x"))


def test_tape_opened_before_tracing_has_no_location(tmp_path):
    """`tf.debug.record()` may be called inside the `with` of a tape."""
    run = traced(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            told = tf.debug.record()
            y = w * w
            with tf.GradientTape() as late:
                z = y * w
        told.stop()
        """,
        tmp_path,
    )
    flow = FlowGraph(run.names["told"].trace)
    (outer, inner) = sorted({tape for op in flow.trace.of(OpEvent) for tape in op.recorded})
    assert {flow.opened_at(outer) is None, flow.opened_at(inner) is None} == {True, False}

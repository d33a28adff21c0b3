"""Which nodes are collapsed in which order, and that hidden nodes are reported, in pictures of programs that run here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from traced import run

import minitape as tf
from minitape import draw
from minitape.draw.model import Card, EdgeKind, Pill, Role
from minitape.draw.rollup.iterations import iterations_of
from minitape.errors import DrawError
from minitape.explain.explain import explain
from minitape.trace import events
from minitape.trace.trace import Trace

NESTED = """\
import tensorflow as tf
w = tf.Variable(0.9, name="w")
with tf.GradientTape() as tape:
    total = tf.constant(0.0)
    for epoch in range(6):
        h = w * 1.0
        for t in range(3):
            h = tf.tanh(h * w)
        if epoch == 3:
            h = tf.sin(h)
        total = total + h
g = tape.gradient(total, w)
"""

LAYERS = """\
import tensorflow as tf
weights = [tf.Variable(1.0 + i, name=f"w{i}") for i in range(30)]
with tf.GradientTape() as tape:
    h = tf.constant(1.0)
    for w in weights:
        h = tf.tanh(h * w)
    loss = h * 2.0
g = tape.gradient(loss, weights)
"""

RECURRENT = """\
import tensorflow as tf
w = tf.Variable(0.9, name="w")
h = tf.constant(0.5)
with tf.GradientTape() as tape:
    for t in range(TURNS):
        h = tf.tanh(h * w)
g = tape.gradient(h, w)
"""

LONG_TURNS = """\
import tensorflow as tf
w = tf.Variable(0.9, name="w")
h = tf.constant(0.5)
with tf.GradientTape() as tape:
    for t in range(3):
        h = tf.tanh(h * w)
        h = tf.sin(h)
        h = tf.cos(h)
        h = tf.sqrt(tf.square(h) + 1.0)
        h = tf.exp(-h)
        h = tf.sigmoid(h)
        h = tf.nn.softplus(h)
g = tape.gradient(h, w)
"""

DEEP = """\
import tensorflow as tf
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(2, activation="relu", name=f"layer_{i}") for i in range(LAYERS)]
)
x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    h = model(x)
    loss = tf.reduce_sum(h)
g = tape.gradient(loss, model.trainable_variables)
"""

GROWING = """\
import tensorflow as tf
w = tf.Variable(3.0, name="w")
with tf.GradientTape() as tape:
    total = tf.constant(0.0)
    total += w * w
    y = total * 2.0
g = tape.gradient(y, w)
"""

FUNCTIONS = """\
import tensorflow as tf
w = tf.Variable(0.5, name="w")
def scaled(h):
    return h * w + 1.0
def block(h):
    h = tf.tanh(scaled(h))
    return tf.sin(h)
with tf.GradientTape() as tape:
    h = block(w)
    h = block(h)
    loss = h * h
g = tape.gradient(loss, w)
"""

TWICE = """\
import tensorflow as tf
x = tf.Variable(3.0, name="x")
with tf.GradientTape() as tape:
    a = x ** 2
    p = x * 4.0
    q = a * 4.0
    z = p + q
g = tape.gradient(z, x)
"""


Tracing = Callable[[str], Trace]


@pytest.fixture
def trace_of_code(tmp_path: Path) -> Tracing:
    def trace(code: str) -> Trace:
        script = tmp_path / "program.py"
        script.write_text(code)
        return run(script, on="minitape").trace

    return trace


def titles(picture: draw.Picture) -> list[str]:
    return [card.title for card in picture.cards]


def by_title(picture: draw.Picture, title: str) -> Card:
    return next(card for card in picture.cards if card.title == title)


def notes(picture: draw.Picture) -> dict[str, str]:
    return {loop.title: loop.note for loop in picture.loops}


# --- iterations ---


def test_each_op_has_its_iteration_in_each_of_its_loops(trace_of_code: Tracing) -> None:
    trace = trace_of_code(NESTED)
    iterations = iterations_of(trace)
    by_op = {op.number: iterations.get(op.i, ()) for op in trace.of(events.OpEvent)}
    tanh = [op.number for op in trace.of(events.OpEvent) if op.name == "Tanh"]
    assert [[iteration.name for iteration in by_op[op]] for op in tanh[:4]] == [
        ["epoch=0", "t=0"],
        ["epoch=0", "t=1"],
        ["epoch=0", "t=2"],
        ["epoch=1", "t=0"],
    ]
    assert [iteration.name for iteration in by_op[tanh[-1]]] == ["epoch=5", "t=2"]


def test_loop_that_is_the_whole_body_of_another_restarts_its_count(trace_of_code: Tracing) -> None:
    code = NESTED.replace("        h = w * 1.0\n", "").replace("h * w", "w * 1.0")
    code = code[: code.index("        if epoch")] + "g = tape.gradient(h, w)\n"
    trace = trace_of_code(code)
    iterations = iterations_of(trace)
    last = [iterations[op.i] for op in trace.of(events.OpEvent) if op.name == "Tanh"][-1]
    assert [iteration.name for iteration in last] == ["epoch=5", "t=2"]


# --- loops ---


def test_nested_loops_are_nested_and_name_the_differing_iteration(trace_of_code: Tracing) -> None:
    picture = draw.picture(trace_of_code(NESTED), cards=16)
    outer, inner = (
        next(loop for loop in picture.loops if name in loop.title) for name in ("epoch", "for t")
    )
    assert (outer.inside, inner.inside) == ("", outer.id)
    assert set(inner.members).isdisjoint(outer.members)
    assert "2 that differ (epoch=3, epoch=5)" in outer.note
    assert "×3 · the same variables each time" in inner.note
    assert by_title(picture, "Sin").id in outer.members


def test_different_variables_collapse_with_their_iterations(trace_of_code: Tracing) -> None:
    picture = draw.picture(trace_of_code(LAYERS), cards=10)
    (variables,) = [card for card in picture.cards if card.role is Role.VARIABLE]
    assert variables.title == "w0 … w29"
    assert variables.tag == "variable · ×30"
    assert notes(picture) == {"for w in weights:": "line 5 · ×30 · different variables each time"}


def test_logarithmic_scale_is_labeled(trace_of_code: Tracing) -> None:
    trace = trace_of_code(LAYERS.replace("1.0 + i", "0.5"))
    row = by_title(draw.picture(trace, cards=10, log=True), "Tanh").rows[1]
    assert "  log " in row.text
    assert row.strip is not None
    linear = by_title(draw.picture(trace, cards=10), "Tanh").rows[1].strip
    assert linear is not None
    assert sum(row.strip.cells) > sum(linear.cells)  # type: ignore[arg-type] # no cell is nan


def test_unrolled_iterations_have_separate_cards(trace_of_code: Tracing) -> None:
    picture = draw.picture(trace_of_code(LAYERS), unroll=True)
    assert titles(picture).count("Tanh") == 30
    assert picture.loops == ()
    assert picture.hidden == ()


# --- functions ---


@pytest.mark.parametrize(("iterations", "is_rolled"), [(6, False), (8, True), (40, True)])
def test_long_loop_is_collapsed_automatically(
    trace_of_code: Tracing, iterations: int, is_rolled: bool
) -> None:
    """Eight iterations of two ops each are longer than a page; an explicit number of cards takes
    precedence.
    """
    text = RECURRENT.replace("TURNS", str(iterations))
    by_itself = draw.picture(trace_of_code(text))
    assert bool(by_itself.loops) == is_rolled
    assert any("collapsed into" in each for each in by_itself.hidden) == is_rolled
    for requested in (draw.picture(trace_of_code(text), cards=200, unroll=True),):
        assert not requested.loops
    assert bool(draw.picture(trace_of_code(text), cards=60).loops) == (iterations == 40)


def test_loop_of_three_iterations_stays_expanded_in_a_large_picture(trace_of_code: Tracing) -> None:
    picture = draw.picture(trace_of_code(LONG_TURNS))
    assert not picture.loops
    assert len(picture.nodes) > 30


def test_deep_model_is_drawn_as_its_layers(trace_of_code: Tracing) -> None:
    tf.keras.backend.clear_session()  # otherwise, the names of layers would continue the numbering of another test
    picture = draw.picture(trace_of_code(DEEP.replace("LAYERS", "12")))
    closed = [node for node in picture.nodes if node.role is Role.CLOSED]
    assert [node.title for node in closed] == [f"sequential/layer_{i}" for i in range(12)]
    assert {node.tag.rpartition(" · ")[2] for node in closed} == {"3 ops"}
    assert {row.text for node in closed for row in node.rows if row.label == "holds"} == {
        "2 variables"
    }
    assert picture.home["op-1"] == picture.home["op-3"] == closed[0].id
    small = draw.picture(trace_of_code(DEEP.replace("LAYERS", "3")))
    assert not [node for node in small.nodes if node.role is Role.CLOSED]


def test_layer_with_the_break_stays_open(trace_of_code: Tracing) -> None:
    text = DEEP.replace("LAYERS", "12").replace("model(x)", "model(x)\n    h = tf.sin(h.numpy())")
    trace = trace_of_code(text)
    picture = draw.picture(trace, explain(trace))
    assert any(node.role is Role.BREAK for node in picture.nodes)
    last = picture.home["op-36"]
    assert next(node.role for node in picture.nodes if node.id == last) is not Role.CLOSED


def test_growing_sum_is_shown_as_it_is_written(trace_of_code: Tracing) -> None:
    picture = draw.picture(trace_of_code(GROWING))
    codes = {node.code for node in picture.nodes if isinstance(node, Card)}
    assert {"total += w * w", "y = total * 2.0"} <= codes


def test_functions_collapse_from_the_inside_out(trace_of_code: Tracing) -> None:
    trace = trace_of_code(FUNCTIONS)
    inner = draw.picture(trace, cards=8)
    assert titles(inner).count("scaled") == 2
    assert titles(inner).count("Tanh") == 2
    outer = draw.picture(trace, cards=5)
    assert titles(outer).count("block") == 2
    block = by_title(outer, "block")
    assert (block.role, block.tag) == (Role.CLOSED, "#1 · 4 ops")
    assert block.code == "h = block(w)"
    assert [row.label for row in block.rows] == ["in", "out", "|grad|"]
    assert outer.hidden == ("8 nodes collapsed into 2",)


def test_function_is_closed_or_opened_by_name(trace_of_code: Tracing) -> None:
    trace = trace_of_code(FUNCTIONS)
    closed = draw.picture(trace, close=["block"])
    assert titles(closed) == ["w", "block", "block", "Mul"]
    opened = draw.picture(trace, cards=8, open=["scaled"])
    assert "scaled" not in titles(opened)
    with pytest.raises(DrawError, match="no call to nothing") as caught:
        draw.picture(trace, close=["nothing"])
    assert "block" in str(caught.value)


# --- focus ---


def test_around_an_op_shows_its_neighbors(trace_of_code: Tracing) -> None:
    trace = trace_of_code(TWICE)
    picture = draw.picture(trace, around=3, hops=1)
    assert titles(picture) == ["Pow", "Mul", "AddV2"]
    assert picture.hidden == ("#3 Mul and 1 hop around it, 2 nodes further away left out",)
    assert "… 1 earlier node" in [node.title for node in picture.nodes if isinstance(node, Pill)]
    with pytest.raises(DrawError, match="no op #9"):
        draw.picture(trace, around=9)


def test_constants_and_values_can_be_omitted(trace_of_code: Tracing) -> None:
    picture = draw.picture(trace_of_code(TWICE), constants=False, values="none")
    assert not any(isinstance(node, Pill) for node in picture.nodes)
    assert picture.hidden == ("3 constants left out",)
    assert all(card.rows == () for card in picture.cards)


# --- the backward pass ---


def test_each_contribution_in_the_backward_pass_is_an_edge(trace_of_code: Tracing) -> None:
    """x has two uses, so its contributions are summed."""
    picture = draw.picture(trace_of_code(TWICE), view="both")
    sent = [(e.tail, e.head, e.label) for e in picture.edges if e.flow is EdgeKind.GRADIENT]
    assert sent == [
        ("op-4", "op-2", "1.0"),
        ("op-4", "op-3", "1.0"),
        ("op-3", "op-1", "4.0"),
        ("op-2", "var-1", "+ 4.0"),
        ("op-1", "var-1", "+ 24.0"),
    ]
    assert picture.caption[1].text == (
        "x is used 2 times, so its gradient is a sum:  4.0 (line 5)  +  24.0 (line 4)  =  28.0"
    )


def test_backward_view_numbers_the_steps_and_dims_the_forward_pass(
    trace_of_code: Tracing,
) -> None:
    picture = draw.picture(trace_of_code(TWICE), view="backward")
    assert [card.tag for card in picture.cards if card.op] == [
        "#1 · step 4",
        "#2 · step 3",
        "#3 · step 2",
        "target · #4 · step 1",
    ]
    assert {edge.flow for edge in picture.edges} == {EdgeKind.GRADIENT, EdgeKind.OFF}
    assert by_title(picture, "AddV2").rows[-1].text == "ā = ȳ, b̄ = ȳ"


@pytest.mark.parametrize("wrong", [{"view": "up"}, {"values": "all"}])
def test_unknown_option_lists_the_known_ones(trace_of_code: Tracing, wrong: dict[str, Any]) -> None:
    with pytest.raises(DrawError, match="or"):
        draw.picture(trace_of_code(TWICE), **wrong)


# --- independent of collapsing ---


@pytest.mark.parametrize("code", [NESTED, LAYERS, FUNCTIONS, TWICE])
@pytest.mark.parametrize("view", ["forward", "both"])
def test_smaller_limit_never_shows_more_and_each_node_has_its_home(
    trace_of_code: Tracing, code: str, view: str
) -> None:
    trace = trace_of_code(code)
    whole = draw.picture(trace, unroll=True, view=view)
    before = len(whole.cards)
    for cards in (60, 30, 20, 12, 8, 5, 3, 1):
        picture = draw.picture(trace, cards=cards, view=view)
        ids = {node.id for node in picture.nodes}
        assert len(picture.cards) <= min(cards, before)
        assert picture.hidden or len(picture.cards) == len(whole.cards)
        assert set(picture.home.values()) <= ids
        assert set(picture.home) <= {node.id for node in whole.nodes}
        assert all({edge.tail, edge.head} <= ids for edge in picture.edges)
        assert all(set(loop.members) <= ids for loop in picture.loops)
        before = len(picture.cards)


@pytest.mark.parametrize("code", [NESTED, LAYERS, FUNCTIONS])
def test_edge_between_two_cards_is_found_after_collapsing(
    trace_of_code: Tracing, code: str
) -> None:
    trace = trace_of_code(code)
    whole, folded = draw.picture(trace, unroll=True), draw.picture(trace, cards=12)
    for edge in whole.edges:
        ends = folded.home[edge.tail], folded.home[edge.head]
        found = folded.edges_between(edge.tail, edge.head)
        if ends[0] != ends[1]:
            assert len(found) in (1, 2)


def test_growing_shapes_are_merged_before_anything_is_hidden(trace_of_code: Tracing) -> None:
    code = """\
import tensorflow as tf
w = tf.Variable([1.0], name="w")
with tf.GradientTape() as tape:
    h = w * 1.0
    for t in range(20):
        h = tf.concat([tf.sin(h), w], 0)
    loss = tf.reduce_sum(h)
g = tape.gradient(loss, w)
"""
    picture = draw.picture(trace_of_code(code), cards=10)
    assert titles(picture) == ["w", "Mul", "Sin", "ConcatV2", "Sum"]
    assert by_title(picture, "Sin").tag == "#2 … #40 · ×20"


def test_layers_of_one_iteration_are_not_merged_as_iterations(trace_of_code: Tracing) -> None:
    code = """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="relu") for _ in range(4)])
x = tf.ones((2, 3))
model(x)
with tf.GradientTape() as tape:
    for step in range(2):
        loss = tf.reduce_sum(model(x))
g = tape.gradient(loss, model.trainable_variables)
"""
    picture = draw.picture(trace_of_code(code), cards=9)
    assert titles(picture) == ["model", "Sum"]
    assert [row.text for row in by_title(picture, "model").rows if row.label == "holds"] == [
        "8 variables"
    ]


# --- stubs ---

REREAD = """\
import tensorflow as tf
x = tf.Variable(0.3, name="x")
with tf.GradientTape() as tape:
    k = tf.exp(x)
    s = tf.sin(k)
    for t in range({reads} - 1):
        s = tf.sin(s) * k
g = tape.gradient(s, x)
"""


@pytest.mark.parametrize("view", ["forward", "both"])
def test_unrolled_picture_has_no_hub(trace_of_code: Tracing, view: str) -> None:
    """Each use of `k` except the first reads a pill with its name, and the contributions end there."""
    picture = draw.picture(trace_of_code(REREAD.format(reads=9)), unroll=True, view=view)
    hub = by_title(picture, "Exp")
    assert hub.tag.endswith("read 9 times")
    stubs = [node for node in picture.nodes if isinstance(node, Pill) and node.stub_of == hub.id]
    assert [stub.title for stub in stubs] == ["k ›"] * 8
    assert sum(edge.tail == hub.id and edge.flow is EdgeKind.PATH for edge in picture.edges) == 1
    sent = [edge for edge in picture.edges if edge.flow is EdgeKind.GRADIENT]
    assert sum(edge.head == hub.id for edge in sent) == (view == "both")
    assert sum(edge.head in {stub.id for stub in stubs} for edge in sent) == 8 * (view == "both")


def test_result_with_few_uses_has_no_stubs(trace_of_code: Tracing) -> None:
    picture = draw.picture(trace_of_code(REREAD.format(reads=3)), unroll=True)
    assert not [node for node in picture.nodes if isinstance(node, Pill)]

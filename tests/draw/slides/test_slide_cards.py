"""The contents of a slide: cards that match the structure of the program, and the gradient along each link."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from traced import run, traced

from minitape.draw.diagram import Diagram, diagram, is_model
from minitape.draw.diagram.blocks import blocks_of
from minitape.draw.diagram.model import Flow, Station, StationKind
from minitape.errors import DrawError
from minitape.explain.explain import explain

Slide = Callable[[str], Diagram]

# The titles of the cards in the order of the run.
CARDS = {
    "cnn_fit": "images Conv2D MaxPooling2D Conv2D MaxPooling2D Flatten Dropout Dense loss",
    "cnn_deep": "X conv1 norm1 pool1 conv2 norm2 pool2 Flatten drop hidden out loss",
    "transformer": "x layer_norm attention + layer_norm mlp + loss",
    "lstm_classifier": "tokens embed LSTM out loss",
    "vae": "x encoder split sample decoder rec kl loss",
    "gan": "noise real generator discriminator discriminator d_loss",
    "unet": "x down1 down2 bottom up2 up1 mask loss",
    "resnet50": "x stem relu Bottleneck pool head loss",
    "rnn_hand": "inputs for|t|in|range(20) loss",
    "mlp_argmax": "x model argmax prediction loss",
    "transformer_nan": "x layer_norm ÷ attention + layer_norm mlp + loss",
    "transformer_numpy": "x layer_norm attention + layer_norm left|the|tape mlp + loss",
    "vae_numpy": "x encoder split sample left|the|tape decoder rec logvar kl loss",
    "unet_cast": "x down1 down2 bottom UpSampling2D up2 UpSampling2D up1 mask greater pred loss",
}


def station(slide: Diagram, title: str, index: int = 0) -> Station:
    return [each for each in slide.stations if each.title == title][index]


def flows(slide: Diagram) -> list[tuple[str, str, str]]:
    titles = {each.id: each.title for each in slide.stations}
    return [(titles[link.tail], titles[link.head], link.flow.value) for link in slide.links]


@pytest.mark.parametrize("name", CARDS)
def test_cards_match_the_authors_view_of_the_program(name: str, slide: Slide) -> None:
    titles = [each.title for each in slide(name).stations]
    assert titles == [title.replace("|", " ") for title in CARDS[name].split()]


def test_layer_shows_its_shape_settings_and_parameters(slide: Slide) -> None:
    first = station(slide("cnn_fit"), "Conv2D")
    assert (first.shape, first.notes) == ("26 × 26 × 8", ("3×3, relu",))
    assert [(each.name, each.shape) for each in first.parameters] == [
        ("kernel", "3·3·1·8"),
        ("bias", "8"),
    ]
    assert all(each.norm and each.flow is Flow.GRADIENT for each in first.parameters)
    assert "batch of 16" in slide("cnn_fit").about and "2,852 parameters" in slide("cnn_fit").about


def test_labels_are_in_the_drawer_of_the_loss(slide: Slide) -> None:
    loss = station(slide("cnn_fit"), "loss")
    assert loss.kind is StationKind.TARGET
    assert [(each.name, each.text) for each in loss.parameters] == [("labels", "constant")]


def test_residual_connection_is_a_sum_with_two_links(slide: Slide) -> None:
    made = slide("transformer")
    sums = [each.id for each in made.stations if each.kind is StationKind.JOIN]
    assert [sum(link.head == id_ for link in made.links) for id_ in sums] == [2, 2]
    assert ("x", "+", "not-needed") in flows(made)
    assert ("+", "+", "gradient") in flows(made)


def test_norm_on_a_link_is_that_of_its_gradient(slide: Slide) -> None:
    made = slide("transformer")
    last = made.links[-1]
    sums = [each.id for each in made.stations if each.kind is StationKind.JOIN]
    # The gradient of a mean of 96 squares of y is y / 48. The sum passes it on unchanged to both sides.
    into_second = [link.norm for link in made.links if link.head == sums[1]]
    assert into_second == [pytest.approx(last.norm)] * 2


def test_equal_blocks_are_one_card_with_their_gradients(slide: Slide) -> None:
    block = station(slide("resnet50"), "Bottleneck")
    assert block.times == 16 and block.series is not None and len(block.series.norms) == 16
    steps = station(slide("rnn_hand"), "for t in range(20)")
    assert steps.times == 20 and steps.series is not None
    first, last = steps.series.norms[0], steps.series.norms[-1]
    assert first is not None and last is not None and first < last / 50


def test_steps_inside_an_lstm_are_a_series(slide: Slide) -> None:
    lstm = station(slide("lstm_classifier"), "LSTM")
    assert lstm.times == 1 and lstm.series is not None and len(lstm.series.norms) == 20


def test_model_called_twice_keeps_its_variables_on_the_first_card(slide: Slide) -> None:
    first, second = (station(slide("gan"), "discriminator", i) for i in range(2))
    assert [each.name for each in first.parameters] == ["kernel", "bias", "kernel", "bias"]
    assert [(each.name, each.text) for each in second.parameters] == [("4 variables", "shared")]


def test_loop_states_are_shown_over_the_iterations(slide: Slide) -> None:
    made = slide("rnn_hand")
    assert made.steps is not None and made.steps.over == "20 iterations"
    (state,) = made.steps.states
    loop = station(made, "for t in range(20)")
    assert state.name == "h" and made.steps.station == loop.id and loop.series is not None
    # The gradient at the end of the last iteration is the contribution of the loss to the loop.
    assert state.gradients == loop.series.norms
    (into,) = [link for link in made.links if link.tail == loop.id != link.head]
    assert into.norm == pytest.approx(state.gradients[-1])
    (around,) = [link for link in made.links if link.tail == link.head]
    assert (around.tail, around.flow, around.text) == (loop.id, Flow.GRADIENT, "0.0122 … 1.84")


def test_lstm_has_two_states_with_the_values_of_its_cell(slide: Slide) -> None:
    steps = slide("lstm_classifier").steps
    assert steps is not None and [state.name for state in steps.states] == ["h", "c"]
    assert steps.shown == tuple(range(20))
    for state in steps.states:
        first, last = state.gradients[0], state.gradients[-1]
        assert first and last and first < last / 10
    assert slide("resnet50").steps is None  # the blocks of this program are different layers


def test_many_iterations_are_sampled_evenly(tmp_path: Path) -> None:
    ran = traced(
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = w
            for i in range(500):
                y = tf.tanh(y * 0.9)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    steps = diagram(ran.trace, ran.report).steps
    assert steps is not None and len(steps.shown) == 60
    assert (steps.shown[0], steps.shown[-1]) == (0, 499)


def test_attention_heads_are_branches_of_their_card(slide: Slide) -> None:
    made = slide("transformer")
    heads = station(made, "attention").branches
    assert [head.title for head in heads] == ["head 1", "head 2"]
    for head in heads:
        assert head.pixels is not None and len(head.pixels.cells) == 6
        # A causal mask: each row attends to itself and the rows before it.
        assert all(row[i + 1 :] == (0.0,) * (5 - i) for i, row in enumerate(head.pixels.cells))
    sizes = [float(head.text) for head in heads]
    joined = next(link.norm for link in made.links if link.tail == station(made, "attention").id)
    assert joined is not None and all(0.0 < size < 3 * joined for size in sizes)


BRANCHES = """
def tower(h, w):
    return tf.tanh(tf.exp(h * w) * 0.1)

def towers(x, h):
    outputs = []
    for i in range({count}):
        {step}
        outputs.append(h)
    return tf.add_n(outputs) * 2.0

w = tf.Variable([0.5, 0.25])
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    y = towers(x, x)
    loss = tf.reduce_sum(y * 3.0)
tape.gradient(loss, w)
"""


@pytest.mark.parametrize(
    ("count", "step", "titles"),
    [
        (3, "h = tower(x, w)", ["tower 1", "tower 2", "tower 3"]),
        (7, "h = tower(x, w)", ["tower 1", "tower 2", "+ 4 alike", "tower 7"]),
        (3, "h = tower(h, w)", []),
    ],
)
def test_equal_parts_are_branches_unless_one_uses_another(
    count: int, step: str, titles: list[str], tmp_path: Path
) -> None:
    ran = traced(BRANCHES.format(count=count, step=step), tmp_path)
    made = diagram(ran.trace, ran.report)
    assert [branch.title for each in made.stations for branch in each.branches] == titles


# --- breaks ---


def test_value_that_leaves_the_tape_is_a_cut(slide: Slide) -> None:
    made = slide("transformer_numpy")
    assert ("layer_norm", "left the tape", "cut") in flows(made)
    assert ("left the tape", "mlp", "never") in flows(made)
    assert not any((tail, head) == ("layer_norm", "mlp") for tail, head, _ in flows(made))
    assert ("+", "layer_norm", "never") in flows(made)
    assert made.culprit.endswith("line 44") and made.headline == "No gradient reached gamma2: "
    broken = station(made, "left the tape")
    assert broken.kind is StationKind.BREAK and broken.mark.endswith("line 44")
    assert broken.code == "h = layer_norm(x, gamma2).numpy()"
    assert station(made, "layer_norm", 1).parameters[0].text == "None"


def test_op_without_a_gradient_is_marked(slide: Slide) -> None:
    made = slide("mlp_argmax")
    (broken,) = [each for each in made.stations if each.mark]
    assert (broken.title, broken.kind) == ("argmax", StationKind.BREAK)
    assert broken.code == "tf.argmax(logits, axis=1)"
    assert ("model", "argmax", "cut") in flows(made)
    assert made.headline == "No gradient reached W1, b1 and 2 more: "
    assert [link.flow for link in made.links if link.flow is Flow.NEVER] == [Flow.NEVER] * 2


def test_nan_and_infinite_gradients_are_distinguished(slide: Slide) -> None:
    made = slide("transformer_nan")
    assert {link.flow for link in made.links} == {Flow.BAD, Flow.NOT_NEEDED}
    (broken,) = [each for each in made.stations if each.mark]
    assert (broken.title, broken.kind, broken.code) == (
        "÷",
        StationKind.BREAK,
        "gamma * d / tf.sqrt(var * 0.0)",
    )
    assert "not finite" in made.headline


def test_zero_gradient_is_not_none(tmp_path: Path) -> None:
    ran = traced(
        """
        w = tf.Variable([[1.0, -2.0], [3.0, 4.0]])
        x = tf.constant([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            h = tf.nn.relu(x @ w - 100.0)
            loss = tf.reduce_sum(h)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report)
    (row,) = [each for card in made.stations for each in card.parameters if each.name == "w"]
    assert (row.flow, row.text, row.norm) == (Flow.ZERO, "zero", 0.0)


def test_value_that_leaves_inside_a_function_divides_its_card(tmp_path: Path) -> None:
    ran = traced(
        """
        def layer(h):
            h = tf.tanh(h * 2.0)
            h = tf.constant(h.numpy())
            return tf.exp(h) * 3.0

        w = tf.Variable([0.5, 0.25])
        with tf.GradientTape() as tape:
            a = layer(w) + 1.0
            b = tf.reduce_sum(a)
        tape.gradient(b, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report, close=["layer"])
    first, broken, rest = made.stations[:3]
    assert (first.title, rest.title, broken.kind) == ("layer", "layer", StationKind.BREAK)
    assert (first.notes, rest.notes) == (("part 1 of 2",), ("part 2 of 2",))
    assert ("layer", "left the tape", "cut") in flows(made)
    assert ("left the tape", "layer", "never") in flows(made)
    assert ("layer", "layer") not in {(tail, head) for tail, head, _ in flows(made)}


def test_op_with_a_zero_gradient_has_its_own_card(tmp_path: Path) -> None:
    ran = traced(
        """
        def layer(h):
            return tf.nn.relu(h * 2.0 - 9.0) + 1.0

        w = tf.Variable([0.5, 0.25])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(w) * 2.0)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report, close=["layer"])
    assert [each.title for each in made.stations[:3]] == ["layer", "relu", "layer"]
    assert made.stations[1].mark.endswith("line 2") and made.links[0].flow is Flow.ZERO


def test_stop_gradient_is_not_a_break(tmp_path: Path) -> None:
    ran = traced(
        """
        w, v = tf.Variable([0.5, 0.25]), tf.Variable([0.1, 0.2])
        with tf.GradientTape() as tape:
            fixed = tf.stop_gradient(tf.exp(v * 2.0))
            loss = tf.reduce_sum((tf.tanh(w) - fixed) ** 2)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report)
    assert made.headline == "The gradient of w arrives."
    assert not any(each.mark for each in made.stations)
    assert any("stop_gradient" in (each.title, *each.notes) for each in made.stations)


def test_branch_stopped_on_purpose_is_marked(tmp_path: Path) -> None:
    ran = traced(
        """
        def encoder(h):
            return tf.tanh(h @ w)

        w, x = tf.Variable([[0.5, 0.25], [0.1, 0.3]]), tf.constant([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            online = encoder(x)
            fixed = tf.stop_gradient(encoder(x * 2.0))
            loss = tf.reduce_mean((online - fixed) ** 2)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report)
    assert ("encoder", "stop_gradient", "stopped") in flows(made)
    assert ("encoder", "loss", "gradient") in flows(made)


# --- blocks ---


def test_name_scope_blocks_are_cards(tmp_path: Path) -> None:
    ran = traced(
        """
        w = tf.Variable([[0.5, 0.25], [0.1, 0.3]])
        x = tf.constant([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            with tf.name_scope("encoder"):
                h = tf.tanh(x @ w)
                h = tf.exp(h * 0.5)
            with tf.name_scope("model/decoder/"):
                for i in range(3):
                    h = tf.nn.relu(h @ w) + 0.1
            loss = tf.reduce_sum(h * 2.0)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report, close=["encoder", "decoder"])
    assert [each.title for each in made.stations] == ["x", "encoder", "decoder", "loss"]
    assert diagram(ran.trace, ran.report, depth=1).stations[1:3] == made.stations[1:3]


def test_function_only_defined_in_a_block_is_not_part_of_it() -> None:
    text = """
with tf.name_scope(f"block_{i}"):
    def layer(h):
        return tf.tanh(h)
    y = layer(x)
"""
    (block,) = blocks_of(text)
    assert block.name == "f'block_{i}'"
    assert [block.has(line) for line in range(1, 7)] == [False] * 4 + [True, False]
    assert blocks_of("with tf.name_scope('a'") == ()


# --- nested tapes ---


def test_inner_tape_is_a_frame_inside_the_outer_tape(slide: Slide) -> None:
    made = slide("pinn")
    inner, outer = made.frames
    assert (inner.title, outer.title) == ("inner records this", "outer records this")
    net, slope, curvature = (station(made, title) for title in ("net", "u_x", "u_xx"))
    assert inner.stations == (net.id,) and outer.stations == (net.id, slope.id)
    assert [each.title for each in made.stations if each.is_mirror] == ["u_x", "u_xx"]
    assert slope.notes == ("backward pass of inner",)
    assert curvature.notes == ("backward pass of outer",)
    # The gradient of the loss goes through both backward passes.
    assert ("u_x", "u_xx", "gradient") in flows(made) and ("net", "u_x", "gradient") in flows(made)


def test_tapes_side_by_side_have_no_frames(slide: Slide) -> None:
    assert slide("gan").frames == ()


def test_ops_that_make_a_gradient_vanish_are_named_on_their_card() -> None:
    path = Path(__file__).parents[3] / "docs" / "gallery" / "programs" / "vanishing.py"
    trace = run(path, stdout=None).trace
    report = explain(trace)
    (factor, *_) = report.notes[0].factors
    loop = station(diagram(trace, report), "for w in layers")
    said = f"{factor.times} sigmoid: gradient × {factor.factor:.3g} each, line {factor.line}"
    assert loop.notes == (said,) and not loop.mark


# --- options ---

NESTED = """
def inner(h):
    return tf.tanh(h) * 2.0

def outer(h):
    h = inner(h)
    return inner(h + 1.0)

w = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = outer(w * 2.0)
    z = outer(y) + 1.0
tape.gradient(z, w)
"""


@pytest.mark.parametrize(
    ("options", "has", "has_not"),
    [
        ({}, {"inner"}, {"outer"}),
        ({"close": ["outer"]}, {"outer"}, {"inner"}),
        ({"open": ["inner"]}, {"tanh"}, {"inner"}),
    ],
)
def test_open_and_close_set_the_level(
    options: dict[str, Any], has: set[str], has_not: set[str], tmp_path: Path
) -> None:
    ran = traced(NESTED, tmp_path)
    titles = {each.title for each in diagram(ran.trace, ran.report, **options).stations}
    assert has <= titles and titles.isdisjoint(has_not)


def test_depth_sets_how_many_levels_are_open(tmp_path: Path) -> None:
    ran = traced(NESTED, tmp_path)
    titles = [
        {each.title for each in diagram(ran.trace, ran.report, depth=depth).stations}
        for depth in (1, 2, 3, 4)
    ]
    assert titles[0] == {"y", "z"}
    assert {"outer"} <= titles[1] and titles[1].isdisjoint({"inner", "tanh"})
    assert {"inner"} <= titles[2] and titles[2].isdisjoint({"outer", "tanh"})
    assert {"tanh"} <= titles[3] and titles[3].isdisjoint({"outer"})


def test_around_shows_the_inside_of_a_part_and_its_neighbors(slide: Slide) -> None:
    path = Path(__file__).with_name("programs") / "resnet50.py"
    trace = run(path, stdout=None).trace
    whole = [each.title for each in slide("resnet50").stations]
    near = diagram(trace, explain(trace), around="head")
    titles = [each.title for each in near.stations]
    assert "head" in titles and "pool" in titles
    assert len(near.stations) < len(whole)


def test_unknown_name_is_an_error(tmp_path: Path) -> None:
    ran = traced(NESTED, tmp_path)
    with pytest.raises(DrawError, match="no function or layer 'middle'") as caught:
        diagram(ran.trace, ran.report, open=["middle"])
    assert "inner" in str(caught.value.fix)


def test_run_without_a_gradient_call_has_a_slide(tmp_path: Path) -> None:
    ran = traced("w = tf.Variable(2.0)\nwith tf.GradientTape():\n    y = w * w + 1.0\n", tmp_path)
    made = diagram(ran.trace, ran.report)
    assert made.headline == "No gradient was requested." and len(made.stations) == 2


def test_long_runs_become_slides_within_two_seconds(tmp_path: Path) -> None:
    ran = traced(
        """
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w
            for i in range(10000):
                y = y * 1.0001 + 0.0
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    report = ran.report
    start = time.process_time()
    made = diagram(ran.trace, report)
    assert time.process_time() - start < 2.0
    assert [(each.title, each.times) for each in made.stations] == [("y", 10_000)]
    assert made.stations[0].notes == ("for i in range(10000)",)


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        (
            "rnn_hand",
            ", but the gradient is 151 times smaller at the first than at the last of 20 iterations.",
        ),
        ("lstm_classifier", " times smaller at the first than at the last of 20 steps."),
        ("resnet50", " times larger at the first than at the last of 16 Bottleneck layers."),
        ("transformer", "All 8 gradients arrive."),
    ],
)
def test_headline_shows_how_a_gradient_changes(name: str, clause: str, slide: Slide) -> None:
    assert slide(name).headline.endswith(clause)


def test_selected_gradient_call_is_named(slide: Slide) -> None:
    assert "gradient call 2 of 2, line 30" in slide("gan").about
    assert "gradient call" not in slide("transformer").about


LOOP = """
w = tf.Variable(0.9)
with tf.GradientTape() as tape:
    h = tf.constant(1.0)
    for _ in range({times}):
        h = h * w
tape.gradient(h, w)
"""
POWERS = """
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x{ops}
tape.gradient(y, x)
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LOOP.format(times=3), False),  # 3 ops
        (LOOP.format(times=12), True),  # 12 iterations
        (POWERS.format(ops="\n    y = y * x" * 15), False),
        (POWERS.format(ops="\n    y = y * x" * 25), True),
    ],
)
def test_a_model_has_layers_or_loops_or_many_ops(text: str, expected: bool, tmp_path: Path) -> None:
    made = traced(text, tmp_path)
    assert is_model(made.trace, explain(made.trace)) is expected


def test_variable_that_leaves_the_tape_is_below_the_break(tmp_path: Path) -> None:
    ran = traced(
        """
        w = tf.Variable([0.5, 0.25], name="w")
        with tf.GradientTape() as tape:
            a = tf.constant(w.numpy()) * 2.0
            b = tf.reduce_sum(a)
        tape.gradient(b, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report)
    (broken,) = [each for each in made.stations if each.kind is StationKind.BREAK]
    assert [(each.name, each.text) for each in broken.parameters] == [("w", "None")]


def test_path_through_a_new_variable_is_lost_and_marked(tmp_path: Path) -> None:
    ran = traced(
        """
        w = tf.Variable([0.5, 0.25], name="w")
        with tf.GradientTape() as tape:
            v = tf.Variable(tf.sigmoid(w))
            b = tf.reduce_sum(tf.exp(v) * v)
        tape.gradient(b, w)
        """,
        tmp_path,
    )
    made = diagram(ran.trace, ran.report)
    assert [each.mark for each in made.stations if each.mark] == [
        "a copy has the value, but not the computation behind it, line 3"
    ]
    assert "not-needed" not in {flow for _, _, flow in flows(made)}


def test_source_that_no_tape_watches_says_so(tmp_path: Path) -> None:
    ran = traced(
        """
        x = tf.constant([[0.5, 0.25]])
        with tf.GradientTape() as tape:
            y = tf.exp(x) * 2.0
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    (given,) = [
        each for each in diagram(ran.trace, ran.report).stations if each.kind is StationKind.INPUT
    ]
    assert given.notes == ("not watched",)


def test_the_only_model_of_a_program_is_open(tmp_path: Path) -> None:
    ran = traced(
        """
        model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
        x, y = tf.ones([3, 2]), tf.zeros([3, 1])
        model(x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        tape.gradient(loss, model.trainable_variables)
        """,
        tmp_path,
    )
    titles = [each.title for each in diagram(ran.trace, ran.report).stations]
    assert titles == ["x", "Dense", "Dense", "−", "power", "loss"]

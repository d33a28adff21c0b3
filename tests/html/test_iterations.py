"""A call that runs in a loop: the data of its map on a page, and the texts next to the map."""

import base64
import math
import struct
from typing import Any

import pytest

from minitape.html.run.iterations import MANY, layer_of
from minitape.trace import events

TRAINING = """\
w, b = tf.Variable(4.0), tf.Variable([3.0, 4.0], name="dense/bias")
free = tf.Variable(1.0)
for step in range(6):
    with tf.GradientTape() as tape:
        loss = w * w + tf.reduce_sum(b) * float(step != 2)
    dw, db, nothing = tape.gradient(loss, [w, b, free])
    w.assign_sub(0.25 * dw)
"""


def unpacked(kind: str, text: str) -> list[float]:
    raw = base64.b64decode(text)
    return list(struct.unpack(f"<{len(raw) // struct.calcsize(kind)}{kind}", raw))


def numbers(run: dict[str, Any], measure: str, row: int) -> list[float]:
    iterations = run["iterations"]
    logs = unpacked("f", run[measure])[row * iterations : (row + 1) * iterations]
    return [10**log if math.isfinite(log) else 0.0 if log < 0 else math.nan for log in logs]


@pytest.fixture
def run(made: Any) -> dict[str, Any]:
    (run,) = made(TRAINING).data["runs"]
    return dict(run)


def test_run_lists_its_iterations_and_sources(run: dict[str, Any]) -> None:
    assert (run["iterations"], run["target"], run["line"]) == (6, "loss", 7)
    assert unpacked("d", run["targets"])[:4] == [16 + 7, 4 + 7, 1, 0.25 + 7]


def test_norms_are_those_of_the_gradients(run: dict[str, Any]) -> None:
    """dw = 2w, and w is halved in each iteration; db = [1, 1], except for one iteration where it is 0."""
    assert numbers(run, "norms", 0) == pytest.approx([8, 4, 2, 1, 0.5, 0.25])
    assert numbers(run, "norms", 1) == pytest.approx([2**0.5] * 2 + [0] + [2**0.5] * 3)
    assert all(map(math.isnan, numbers(run, "norms", 2)))


def test_weights_are_those_at_which_the_gradient_was_requested(run: dict[str, Any]) -> None:
    assert numbers(run, "weights", 0) == pytest.approx([4, 2, 1, 0.5, 0.25, 0.125])
    assert numbers(run, "weights", 1) == pytest.approx([5.0] * 6)


def test_updates_are_fractions_of_their_weight(run: dict[str, Any]) -> None:
    """w - 0.25 · 2w is half of w, so each update is half of the weight, even after the last iteration; a weight without an
    update has no fraction.
    """
    assert numbers(run, "moves", 0) == pytest.approx([0.5] * 6)
    assert all(map(math.isnan, numbers(run, "moves", 1)))


def test_outcomes_are_ranges_of_iterations(run: dict[str, Any]) -> None:
    rows = [row["stretches"] for row in run["rows"]]
    assert rows[0] == [[0, 5, "ok"]]
    assert rows[1] == [[0, 1, "ok"], [2, 2, "zero"], [3, 5, "ok"]]
    assert rows[2] == [[0, 5, "none"]]


def test_each_iteration_links_to_the_steps_of_its_call_and_results(made: Any) -> None:
    page = made(TRAINING)
    (run,) = page.data["runs"]
    for requested, result in zip(unpacked("i", run["requested"]), unpacked("i", run["results"])):
        assert page.text(page.data["what"][int(requested)]) == "gradient requested"
        reported = [page.text(page.data["what"][int(result) + row]) for row in range(3)]
        assert reported == ["∂loss/∂w", "∂loss/∂b", "∂loss/∂free"]


def test_iterations_without_a_source_have_no_result_steps(made: Any) -> None:
    (run,) = made(
        TRAINING.replace("[w, b, free]", "[]").replace("dw, db, nothing =", "dw = 1.0; none =")
    ).data["runs"]
    assert unpacked("i", run["results"]) == [-1] * 6


def test_target_with_many_elements_is_shown_by_its_mean(made: Any) -> None:
    text = TRAINING.replace("tf.reduce_sum(b)", "b")
    (run,) = made(text).data["runs"]
    assert run["isMean"]
    assert unpacked("d", run["targets"])[0] == 16 + 3.5


def test_nan_and_infinite_values_have_no_norm_and_no_target(made: Any) -> None:
    text = """\
    w = tf.Variable([1.0, 2.0])
    for step in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.math.log(w - float(step)))
        tape.gradient(loss, w)
    """
    (run,) = made(text).data["runs"]
    outcomes = [stretch[2] for stretch in run["rows"][0]["stretches"]]
    assert outcomes == ["ok", "nan"]
    targets = unpacked("d", run["targets"])
    assert [math.isnan(each) for each in targets] == [False, True, True]
    assert run["held"] == [[0, 0, "finite"], [1, 1, "inf"], [2, 2, "nan"]]


def test_one_call_has_no_run_and_no_map(made: Any) -> None:
    page = made(
        "w = tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    y = w * w\nt.gradient(y, w)\n"
    )
    assert page.data["runs"] == []
    assert 'id="run"' not in page.html
    assert not page.data["opensOnRun"]


@pytest.mark.parametrize(("iterations", "opens"), [(MANY - 1, False), (MANY, True)])
def test_page_opens_on_a_run_of_many_iterations(made: Any, iterations: int, opens: bool) -> None:
    assert made(TRAINING.replace("range(6)", f"range({iterations})")).data["opensOnRun"] is opens


@pytest.mark.parametrize("spec", [{"start": 3}, {"call": 2}])
def test_page_with_a_selected_step_opens_there(made: Any, spec: dict[str, int]) -> None:
    assert not made(TRAINING.replace("range(6)", "range(20)"), **spec).data["opensOnRun"]


def test_run_with_the_most_iterations_comes_first(made: Any) -> None:
    text = """\
    w = tf.Variable(1.0)
    for epoch in range(2):
        for step in range(3):
            with tf.GradientTape() as tape:
                y = w * w
            tape.gradient(y, w)
        with tf.GradientTape() as tape:
            z = w * w
        tape.gradient(z, w)
    """
    assert [(run["iterations"], run["target"]) for run in made(text).data["runs"]] == [
        (6, "y"),
        (2, "z"),
    ]


def test_map_has_a_text_description(made: Any) -> None:
    html = made(TRAINING).html
    assert (
        "<th scope=row>b<td>iterations 1 to 2: arrived; iteration 3: zero; iterations 4 to 6: arrived"
        in html
    )
    assert "<th scope=row>free<td>iterations 1 to 6: None (MT" in html
    assert "<th scope=row>loss<td>iterations 1 to 6: finite" in html


def test_vanishing_gradient_is_reported_next_to_the_map(made: Any) -> None:
    text = """\
    ws = [tf.Variable(tf.eye(4) * 0.05) for _ in range(8)]
    x = tf.ones((2, 4))
    for step in range(9):
        with tf.GradientTape() as tape:
            h = x
            for w in ws:
                h = tf.tanh(h @ w)
            loss = tf.reduce_sum(h)
        tape.gradient(loss, ws)
    """
    page = made(text)
    (run,) = page.data["runs"]
    assert run["notes"] == [["MT405", [[1, 9]], True]]
    (note,) = page.report.notes
    headline = note.headline.replace("`loss`", "<code>loss</code>")
    assert headline in page.only('<details class="note" data-run="0">', "details")
    assert 'data-round="0"' in page.html
    assert "<small>iterations 1 to 9</small>" in page.html


def test_hostile_names_are_text_in_the_description_and_the_data(made: Any) -> None:
    evil = "</td><img src=x onerror=alert(1)>/kernel"
    text = f"""\
    weights = {{{evil!r}: tf.Variable(1.0)}}
    for step in range(3):
        with tf.GradientTape() as tape:
            y = tf.exp(weights[{evil!r}])
        tape.gradient(y, weights)
    """
    page = made(text)
    assert "<img" not in page.html
    assert page.data["runs"][0]["rows"][0]["name"] == f"weights[{evil!r}]"


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("dense/kernel", "dense"),
        ("encoder/block/dense_1/kernel:0", "encoder/block/dense_1"),
        ("self.dense.w", "self.dense"),
        ("model.layers[3].kernel", "model.layers[3]"),
        ("weights[12]", "weights"),
        ("params['a/b']", "params"),
        ("w", ""),
        ("", ""),
        ("/", ""),
    ],
)
def test_layer_is_the_object_that_holds_a_weight(name: str, layer: str) -> None:
    assert layer_of(name) == layer


DEEP = """\
tf.random.set_seed(0)
layers = [tf.Variable(tf.random.normal([6, 6], stddev=0.6), name=f"w{i}") for i in range(10)]
x = tf.random.normal([16, 6])
for step in range(3):
    with tf.GradientTape() as tape:
        h = x
        for w in layers:
            h = tf.sigmoid(h @ w)
        loss = tf.reduce_mean(tf.square(h))
    grads = tape.gradient(loss, layers)
"""


def test_gradients_at_the_activations_have_their_own_rows(made: Any) -> None:
    """The note is based on them: from the last layer to the first, less than a thousandth is left."""
    (run,) = made(DEEP).data["runs"]
    assert (run["sources"], len(run["rows"])) == (10, 20)
    assert [row["label"] for row in run["rows"][10:]] == [f"w{i}" for i in range(10)]
    assert {row["layer"] for row in run["rows"][10:]} == {"at the activations"}
    norms = [numbers(run, "norms", row)[0] for row in range(10, 20)]
    assert norms == sorted(norms)
    assert norms[0] < norms[-1] / 1000
    assert run["notes"] == [["MT405", [[1, 3]], True]]
    assert all(math.isnan(each) for each in numbers(run, "weights", 10))
    assert len(unpacked("f", run["weights"])) == 20 * 3


def test_row_of_an_activation_is_the_gradient_at_its_op(made: Any) -> None:
    """At the last layer, this is d mean(h²) / d(h @ w9), computed from the trace."""
    page = made(DEEP)
    (run,) = page.data["runs"]
    arrived = [
        event.arrived.l2
        for event in page.trace.of(events.BackEvent)
        if page.trace.of(events.OpEvent)[event.op - 1].name == "MatMul"
    ]
    assert numbers(run, "norms", 19)[0] == pytest.approx(arrived[0], rel=1e-6)
    assert numbers(run, "norms", 10)[0] == pytest.approx(arrived[9], rel=1e-6)


def test_recurrence_has_a_row_for_some_of_its_steps(made: Any) -> None:
    text = """\
w = tf.Variable([[0.5]])
for step in range(2):
    with tf.GradientTape() as tape:
        h = tf.ones([1, 1])
        for t in range(60):
            h = tf.tanh(h @ w + float(t))
        loss = tf.reduce_sum(h)
    tape.gradient(loss, w)
"""
    (run,) = made(text).data["runs"]
    names = [row["label"] for row in run["rows"][1:]]
    assert (len(names), names[0], names[-1]) == (24, "step 1", "step 60")


def test_shallow_model_has_no_activation_rows(run: dict[str, Any]) -> None:
    assert (run["sources"], len(run["rows"])) == (3, 3)


EXPLODING = """\
w = tf.Variable(3.0)
for step in range(9):
    with tf.GradientTape() as tape:
        loss = w * w
    w.assign_sub(RATE * tape.gradient(loss, w))
"""


def test_cause_of_an_exploding_gradient_is_reported(made: Any) -> None:
    """At rate 5, w is multiplied by 1 - 10 = -9 each time: the gradient 2w goes from 6 to 6·9⁸."""
    (run,) = made(EXPLODING.replace("RATE", "5.0")).data["runs"]
    assert run["why"] == [
        "The gradient with respect to `w` grows from 6.0 in iteration 1 to 2.583e+08 in iteration 9.",
        "In iteration 1, the update of `w` is 10 times as large as `w` itself, so the steps overshoot. Each step makes the next "
        "gradient larger. Use a smaller learning rate, or clip the gradients with `tf.clip_by_global_norm`.",
    ]


def test_nothing_is_reported_where_nothing_explodes(made: Any) -> None:
    (healthy,) = made(EXPLODING.replace("RATE", "0.1")).data["runs"]
    assert healthy["why"] == []


def test_cause_is_reported_with_its_first_iteration(run: dict[str, Any]) -> None:
    """In the fixture's run, the target does not depend on `free`."""
    (said,) = run["why"]
    assert said.startswith("From iteration 1 on, the gradient of `free` is None: line 3, ")
    assert said.endswith(" (MT304).")

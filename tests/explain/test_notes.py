"""Notes: when they apply, where they begin, and that they change nothing else.

The programs under `cases/vanishing` test which note is reported where; the tests here verify the numbers in the notes.
"""

import io
import math
import re
import textwrap
from pathlib import Path

import pytest
from traced import Traced, run, traced

from minitape.explain.answer import Explanation
from minitape.explain.explain import explain
from minitape.explain.notes import KINDS, NoteKind, kinds
from minitape.explain.over_time import over_time
from minitape.explain.report import GradientNote, Report
from minitape.run.program import of_text

LAYERS = """
weights = [tf.Variable({start} * tf.eye(4)) for _ in range({layers})]
with tf.GradientTape() as tape:
    h = tf.ones([2, 4])
    for w in weights:
        h = h @ w
    loss = tf.reduce_sum(h)
tape.gradient(loss, weights)
"""
STEPS = """
w = tf.Variable({factor})
with tf.GradientTape() as tape:
    state = tf.constant(1.0)
    for t in range({steps}):
        state = w * state + tf.sin({new})
tape.gradient(state, w)
"""
DESCENT = """
w = tf.Variable([2.0, 3.0])
for step in range({rounds}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w - 1.0))
    w.assign_sub({rate} * tape.gradient(loss, w))
"""
AT_REST = """
w, copy = tf.Variable([2.0, 3.0]), tf.Variable([2.0, 3.0])
for step in range({rounds}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w - 1.0))
    copy.assign_sub(0.1 * tape.gradient(loss, w))
"""
RESET = """
w = tf.Variable([2.0, 3.0])
for step in range({rounds}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    w.assign([2.0, 3.0])
"""
OTHER_MODEL = """
w, copy = tf.Variable([2.0, 3.0]), tf.Variable([2.0, 3.0])
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w - 1.0))
    {name} = tape.gradient(loss, [w])
    optimizer.apply_gradients(zip({name}, [copy]))
"""
OTHER_MODEL_INLINE = """
ws, copy = [tf.Variable([2.0, 3.0])], tf.Variable([2.0, 3.0])
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(ws[0] - 1.0))
    optimizer.apply_gradients(zip(tape.gradient(loss, ws), [copy]))
"""
UNITS = """
x = tf.concat([tf.eye(4), -tf.eye(4)], axis=0)
w = tf.Variable(tf.ones([4, {units}]))
b = tf.Variable([-9.0] * {dead} + [0.0] * ({units} - {dead}))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.nn.relu(x @ w + b))
tape.gradient(loss, [w, b])
"""
SQUASHED = """
x = {size} * tf.constant([[-3.0], [-2.0], [-1.0], [1.0], [2.0], [3.0]] * {times})
w, v = tf.Variable([[1.0, 1.0]]), tf.Variable([[1.0], [0.5]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.{squash}(x @ w) @ v)
tape.gradient(loss, [w, v])
"""
PRODUCT = """
p = tf.Variable(0.1)
with tf.GradientTape() as tape:
    likelihood = tf.reduce_prod(tf.ones([{factors}]) * p)
tape.gradient(likelihood, p)
"""
VANISHED_AND_LOST = """
weights = [tf.Variable(0.1 * tf.eye(4)) for _ in range(6)]
unused = tf.Variable(1.0)
with tf.GradientTape() as tape:
    h = tf.ones([2, 4])
    for w in weights:
        h = h @ w
    loss = tf.reduce_sum(h)
tape.gradient(loss, [*weights, unused])
"""


def report_of(text: str, **numbers: object) -> Report:
    program = ("import minitape as tf\n" + text.format(**numbers)).encode()
    ran = run(of_text(program, file="<code>", invoked="-c"), stdout=io.StringIO())
    assert ran.error is None, ran.error
    return explain(ran.trace)


def notes_of(text: str, **numbers: object) -> tuple[GradientNote, ...]:
    return report_of(text, **numbers).notes


FORMULA = """
mass, length, time, charge, area = (tf.Variable(x) for x in (6e6, 3e4, 1e-5, 2e-8, 5e3))
with tf.GradientTape() as tape:
    y = mass * length * time * charge * area
tape.gradient(y, [mass, length, time, charge, area])
"""
NEWTON = """
a = tf.Variable(2.0)
with tf.GradientTape() as tape:
    x = tf.constant(1.0)
    for _ in range(30):
        x = 0.5 * (x + a / x)
tape.gradient(x, a)
"""
UPHILL = """
x = tf.Variable([1.0, 2.0])
for step in range(12):
    with tf.GradientTape() as tape:
        height = tf.reduce_sum(tf.square(x))
    x.assign_add({rate} * tape.gradient(height, x))
"""
PROBE = """
w = tf.Variable([1.0, 2.0])
for step in range(12):
    w.assign([1.0 + step, 2.0])
    w.assign([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w))
    tape.gradient(loss, w)
"""
ADDED_UP = """
w, total = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 0.0])
for step in range(12):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w))
    total.assign_add(tape.gradient(loss, w))
"""


def slugs_of(text: str, **numbers: object) -> list[str]:
    return [note.slug for note in notes_of(text, **numbers)]


# --- from layer to layer ---


def test_factor_of_an_op_is_that_of_its_weights() -> None:
    """Each layer multiplies by 0.1, and so does its backward step, at each of the 5 steps between the six layers."""
    (note,) = notes_of(LAYERS, start=0.1, layers=6)
    assert (note.slug, note.location.line) == ("vanishing-layers", 3)
    (factor,) = note.factors
    assert (factor.op, factor.times) == ("MatMul", 5)
    assert factor.factor == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("start", "layers", "slugs"),
    [
        pytest.param(0.09, 4, ["vanishing-layers"], id="a thousandth over four layers"),
        pytest.param(0.11, 4, [], id="a little more than a thousandth"),
        pytest.param(0.001, 3, [], id="three layers are no trend"),
        pytest.param(11.0, 4, ["exploding-layers"], id="a thousandfold"),
        pytest.param(9.0, 4, [], id="a little less"),
        pytest.param(0.79, 40, ["vanishing-layers"], id="a fifth at each of forty layers"),
        pytest.param(0.82, 40, [], id="the drift of forty layers"),
        pytest.param(1.26, 40, ["exploding-layers"], id="a quarter more at each"),
        pytest.param(1.24, 40, [], id="a little less than a quarter more"),
    ],
)
def test_layers_are_noted_if_total_and_average_factor_are_extreme(
    start: float, layers: int, slugs: list[str]
) -> None:
    assert slugs_of(LAYERS, start=start, layers=layers) == slugs


def test_mean_over_many_examples_is_no_vanishing_gradient() -> None:
    mean = LAYERS.replace("tf.reduce_sum(h)", "tf.reduce_mean(h) / 1e6")
    assert slugs_of(mean, start=1.0, layers=6) == []


# --- from step to step ---


@pytest.mark.parametrize(
    ("factor", "steps", "slugs"),
    [
        pytest.param(0.5, 52, ["vanishing-steps"], id="25 of 52 steps are heard"),
        pytest.param(0.5, 40, [], id="25 of 40 steps are heard"),
        pytest.param(0.1, 9, [], id="nine steps are too few"),
        pytest.param(1.2, 78, ["exploding-steps"], id="1.2 to the 77th is 1,200,000"),
        pytest.param(1.2, 75, [], id="1.2 to the 74th is 700,000"),
    ],
)
def test_steps_are_noted_if_half_round_to_zero_or_they_grow_a_millionfold(
    factor: float, steps: int, slugs: list[str]
) -> None:
    """float32 rounds 2⁻²⁴ to zero, so with a factor of 0.5 the 25th step is the first step without effect."""
    assert slugs_of(STEPS, factor=factor, steps=steps, new="float(t)") == slugs


def test_steps_without_new_input_may_forget_their_start() -> None:
    assert slugs_of(STEPS, factor=0.5, steps=52, new="1.0") == []
    assert slugs_of(NEWTON) == []


def test_numbers_with_units_are_not_layers() -> None:
    assert slugs_of(FORMULA) == []


# --- updates ---


@pytest.mark.parametrize(
    ("rate", "rounds", "slugs"),
    [
        pytest.param(1e-7, 5, ["steps-too-small"], id="too small"),
        pytest.param(1e-6, 5, [], id="more than a millionth of the weights"),
        pytest.param(1e-7, 4, [], id="four rounds"),
        pytest.param(0.1, 60, [], id="converges"),
        pytest.param(
            1.5, 6, ["steps-too-large"], id="the loss is four times as large in each round"
        ),
        pytest.param(1.5, 5, [], id="not yet a thousand times"),
        pytest.param(40.0, 2, ["steps-too-large"], id="one leap"),
    ],
)
def test_harmful_updates_are_noted(rate: float, rounds: int, slugs: list[str]) -> None:
    assert slugs_of(DESCENT, rate=rate, rounds=rounds) == slugs


@pytest.mark.parametrize(("rounds", "slugs"), [(3, ["loss-at-rest"]), (2, [])])
def test_updates_of_other_variables_are_noted_after_three_iterations(
    rounds: int, slugs: list[str]
) -> None:
    assert slugs_of(AT_REST, rounds=rounds) == slugs


@pytest.mark.parametrize(("rounds", "slugs"), [(10, ["loss-at-rest"]), (9, [])])
def test_reset_weights_are_noted_after_ten_iterations(rounds: int, slugs: list[str]) -> None:
    assert slugs_of(RESET, rounds=rounds) == slugs


def test_fix_of_an_update_keeps_a_gradient_call_in_zip() -> None:
    (note,) = notes_of(OTHER_MODEL_INLINE)
    assert note.fix == "write `zip(tape.gradient(loss, ws), ws)`"


@pytest.mark.parametrize("name", ["gradients", "g"])
def test_fix_of_an_update_contains_the_names_of_the_program(name: str) -> None:
    (note,) = notes_of(OTHER_MODEL, name=name)
    assert note.fix == f"write `zip({name}, [w])`"


@pytest.mark.parametrize("rate", [0.5, 10.0])
def test_gradient_ascent_is_not_a_too_large_update(rate: float) -> None:
    assert slugs_of(UPHILL, rate=rate) == []


@pytest.mark.parametrize("text", [PROBE, ADDED_UP], ids=["set and set back", "added up"])
def test_constant_loss_without_updates_is_not_noted(text: str) -> None:
    assert slugs_of(text) == []


# --- units ---


@pytest.mark.parametrize(
    ("units", "dead", "slugs"),
    [(10, 9, ["dead-units"]), (10, 8, []), (9, 8, [])],
)
def test_units_are_noted_if_nine_of_ten_are_dead(units: int, dead: int, slugs: list[str]) -> None:
    assert slugs_of(UNITS, units=units, dead=dead) == slugs


@pytest.mark.parametrize(
    ("squash", "size", "slugs"),
    [
        ("tanh", 3.0, ["saturated-units"]),
        ("tanh", 1.0, []),
        ("sigmoid", 6.0, ["saturated-units"]),
        ("sigmoid", 2.0, []),
    ],
)
def test_saturated_values_are_noted(squash: str, size: float, slugs: list[str]) -> None:
    assert slugs_of(SQUASHED, squash=squash, size=size, times=2) == slugs


def test_twelve_saturated_values_are_too_few() -> None:
    assert slugs_of(SQUASHED, squash="tanh", size=3.0, times=1) == []


def test_saturation_is_not_noted_if_nothing_is_trained() -> None:
    requested = SQUASHED.replace("[w, v]", "x").replace("    loss", "    tape.watch(x)\n    loss")
    assert slugs_of(requested, squash="tanh", size=3.0, times=2) == []


# --- underflow ---


@pytest.mark.parametrize(("factors", "slugs"), [(31, ["underflow"]), (29, [])])
def test_product_near_the_limit_of_its_dtype_is_noted(factors: int, slugs: list[str]) -> None:
    assert slugs_of(PRODUCT, factors=factors) == slugs


# --- notes and findings ---


def test_note_is_not_a_finding() -> None:
    report = report_of(LAYERS, start=0.05, layers=6)
    assert report.notes and report.ok
    assert not any(source.findings for call in report.calls for source in call.sources)


def test_call_that_lost_a_gradient_has_no_notes() -> None:
    report = report_of(VANISHED_AND_LOST)
    assert (report.ok, report.notes) == (False, ())


def test_note_belongs_to_its_call() -> None:
    report = report_of(LAYERS, start=0.05, layers=6)
    assert report.of(report.calls).notes == report.notes
    assert report.of([]).notes == ()


def test_answer_shows_note_after_no_problem_line() -> None:
    answer = Explanation(report_of(LAYERS, start=0.05, layers=6))
    first, second, *_ = str(answer).splitlines()
    assert first == "No problem was found in the gradients."
    assert second == "note: the gradient of `loss` vanishes on its way to the first layers"


def test_consecutive_iterations_are_one_range() -> None:
    """Only iteration 3 is healthy, because its weights are set to 1."""
    loop = """
weights = [tf.Variable(0.05 * tf.eye(4)) for _ in range(6)]
for step in range(5):
    for w in weights:
        w.assign((1.0 if step == 2 else 0.05) * tf.eye(4))
    with tf.GradientTape() as tape:
        h = tf.ones([2, 4])
        for w in weights:
            h = h @ w
        loss = tf.reduce_sum(h)
    tape.gradient(loss, weights)
"""
    report = report_of(loop)
    note = next(note for note in report.notes if note.slug == "vanishing-layers")
    assert note.iterations == ((1, 2), (4, 5))
    (history,) = over_time(report)
    assert history.notes == report.notes


def test_each_kind_has_the_python_name_of_its_slug() -> None:
    named = {name: each for name, each in vars(kinds).items() if isinstance(each, NoteKind)}
    assert {each.slug for each in named.values()} == set(KINDS)
    assert [name for name, each in named.items() if name != each.slug.replace("-", "_")] == []


# --- consistent messages ---


def _product(message: str) -> float:
    """Return the product of the factors in a note, each as often as stated."""
    reported = re.findall(r"× ([\d.e+-]+) (?:at each of (\d+)|at)", message)
    return math.prod(float(factor) ** int(often or 1) for factor, often in reported)


def test_factors_of_a_note_multiply_to_the_stated_ratio() -> None:
    squashed = LAYERS.replace("h = h @ w", "h = tf.sigmoid(h @ w)")
    (note,) = notes_of(squashed, start=0.5, layers=8)
    left = re.search(r" is ([\d.e+-]+) of the norm at the last", note.message)
    assert left is not None
    assert _product(note.message) == pytest.approx(float(left[1]), rel=0.1)


def test_layers_are_named_after_their_weights() -> None:
    (note,) = notes_of(LAYERS, start=0.1, layers=6)
    assert "the last of 6 layers (`weights[5]`)" in note.message
    assert "at the first layer (`weights[0]`)" in note.message
    assert "is left in `weights[0]` to `weights[1]`" in note.message


def test_note_names_the_iteration_of_its_numbers() -> None:
    weights, _, body = LAYERS.lstrip().partition("\n")
    loop = f"{weights}\nfor turn in range(3):\n" + textwrap.indent(body, "    ")
    (note,) = notes_of(loop, start=0.1, layers=6)
    assert note.message.endswith(" These numbers are from iteration 1.")
    (once,) = notes_of(LAYERS, start=0.1, layers=6)
    assert "iteration" not in once.message


@pytest.mark.parametrize(("factor", "slug"), [(0.2, "vanishing-steps"), (2.0, "exploding-steps")])
def test_average_factor_is_stated_for_all_steps(factor: float, slug: str) -> None:
    (note,) = notes_of(STEPS, factor=factor, steps=30, new="0.1 * t")
    assert note.slug == slug
    found = re.search(
        r"The (\d+) measured backward steps multiply the norm by an average of ([\d.]+)",
        note.message,
    )
    assert found is not None
    reported = note.message.partition(" per step: ")[2]
    assert _product(reported) == pytest.approx(float(found[2]) ** int(found[1]), rel=0.1)


def test_damaged_trace_with_cyclic_values_is_explained(
    tmp_path: Path,
) -> None:
    run = traced(
        """
        w = tf.Variable(2.0)
        for step in range(6):
            with tf.GradientTape() as tape:
                y = tf.sin(w)
                z = tf.cos(y)
            w.assign_sub(tape.gradient(z, w))
        """,
        tmp_path,
    )
    made = [each["outputs"][0]["id"] for each in run.reported("op")]
    for back in run.reported(
        "back"
    ):  # the outputs of two ops: the second computes y, and now the first computes z
        if back["op"] % 2:
            back["out"][0]["t"] = made[back["op"]]
    assert run.report.calls


@pytest.mark.parametrize("function", ["relu", "sigmoid"])
def test_damaged_trace_with_an_op_without_inputs_is_explained(
    function: str, tmp_path: Path
) -> None:
    run = traced(
        f"""
        w, b = tf.Variable(tf.ones([4, 10])), tf.Variable([-9.0] * 9 + [0.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.{function}(tf.eye(4) @ w + b) @ tf.ones([10, 1]))
        tape.gradient(loss, [w, b])
        """,
        tmp_path,
    )
    assert run.report.notes
    for op in run.reported("op"):
        if op["name"].lower() == function:
            op["inputs"] = []
    assert Traced(run.received, run.names, run.error).report.calls

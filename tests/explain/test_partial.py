"""Incomplete gradients: contributions that were lost because the tape did not record them."""

import pytest
from traced import traced

from minitape.explain.flow.graph import FlowGraph
from minitape.explain.numbers.partial import why_partial

TAPE = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n"


def missed(text, folder):
    """Return what is missing from the last call's gradient for its first source: the slug, or None."""
    flow = FlowGraph(traced(text, folder).trace)
    call = list(flow.calls.values())[-1]
    source = call.event.sources[0].value
    found = why_partial(flow, call, source, set(call.event.targets))
    return None if found is None else found.cause.slug


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ("    y = x * x\n", None),
        ("    y = x * tf.constant(x.numpy())\n", "numpy-roundtrip"),
        ("    y = x * tf.constant(float(x))\n", "python-scalar"),
        ("    y = x * tf.constant(x)\n", "new-variable"),
        ("    with tape.stop_recording():\n        a = x * 3.0\n    y = x + a\n", "stop-recording"),
        ("    z = x * 1.0\n    y = z - tf.constant(z.numpy())\n", None),
        ("    y = tf.where(x > tf.constant(x.numpy()), x, 0.0)\n", None),
    ],
)
def test_contribution_through_unrecorded_values_is_missing(body, slug, tmp_path):
    assert missed(TAPE + body + "tape.gradient(y, x)\n", tmp_path) == slug


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ("    n = int(x)\n    y = x * n\n", None),
        ("    n = round(float(x))\n    y = x * n\n", None),
        ("    n = round(float(x), 1)\n    y = x * n\n", "python-scalar"),
        ("    n = float(x) // 1\n    y = x * n\n", None),
        ("    n = float(x) % 1\n    y = x * n\n", "python-scalar"),
        ("    n = len([0] * int(float(x)))\n    y = x * n\n", None),
        ("    n = int(float(x)) + float(x)\n    y = x * n\n", "python-scalar"),
        ("    n = math.floor(x)\n    y = x - n + x * n\n", None),
        ("    n = math.floor(x) + math.sin(x)\n    y = x * n\n", "python-scalar"),
        ("    n = np.floor(x)\n    y = x * n\n", None),
        ("    n = np.searchsorted([0.0, 1.0], x)\n    y = x * n\n", None),
        ("    n = floor(x)\n    y = x * n\n", "python-scalar"),  # a function of the program itself
    ],
)
def test_integers_miss_no_contribution(body, slug, tmp_path):
    """Their derivative is 0 wherever they have one."""
    own = "def floor(v):\n    return float(v) - 0.1\n"
    assert missed("import math\n" + own + TAPE + body + "tape.gradient(y, x)\n", tmp_path) == slug


MODEL = """\
layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")
model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
data = tf.constant([[1.0, 2.0]])
average = tf.keras.metrics.Mean()
with tf.GradientTape() as tape:
    answer = model(data)
"""


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ("    y = answer + model.predict(data, verbose=0)\n", "keras-predict"),
        (
            "    y = tf.reduce_sum(answer) + tf.reduce_sum(model.predict(data, verbose=0))\n",
            "keras-predict",
        ),
        ("    y = answer + model.predict_on_batch(data)\n", "keras-predict"),
        ("    y = (answer - 0.9 * model.predict(data, verbose=0)) ** 2\n", None),
        ("    y = -tf.math.log(answer) * model.predict(data, verbose=0)\n", None),
        ("    y = answer + average(answer)\n", "metric-as-loss"),
        ("    average.update_state(answer)\n    y = answer * average.result()\n", "metric-as-loss"),
        ("    average.update_state(answer)\n    y = answer\n", None),
    ],
)
def test_keras_result_is_missing_if_it_contributes_to_the_target(body, slug, tmp_path):
    """A result that is only the target value of another result was intentionally computed without a gradient."""
    assert missed(MODEL + body + "tape.gradient(y, layer.kernel)\n", tmp_path) == slug


STATE = "state = tf.Variable(0.0)\n" + TAPE


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ("    state.assign(x * 3.0)\n    y = state * state + x\n", "state-assign"),
        ("    state.assign_add(x)\n    y = state * x\n", "state-assign"),
        ("    y = state * x\n    state.assign(x * 3.0)\n", None),
        ("    state.assign(x * 3.0)\n    y = tf.stop_gradient(state) * x\n", None),
        ("    state.assign(tf.stop_gradient(x))\n    y = state * x\n", None),
        ("    state.assign(tf.cast(x > 1.0, tf.float32))\n    y = state * x\n", None),
        ("    state.assign(2.0)\n    y = state * x\n", None),
        ("    x.assign(tf.minimum(x, 1.0))\n    y = x * x\n", None),
    ],
)
def test_contribution_through_an_assigned_variable_is_missing(body, slug, tmp_path):
    assert missed(STATE + body + "tape.gradient(y, x)\n", tmp_path) == slug


def test_each_assign_on_the_path_is_named(tmp_path):
    text = STATE + (
        "    state.assign(x * 3.0)\n"
        "    state.assign(state * 2.0)\n"
        "    y = state + x\n"
        "tape.gradient(y, x)\n"
    )
    flow = FlowGraph(traced(text, tmp_path).trace)
    call = list(flow.calls.values())[-1]
    found = why_partial(flow, call, call.event.sources[0].value, set(call.event.targets))
    lines = [flow.placed(number).at.line for number in (found.event, *found.also)]
    assert [line - lines[0] for line in lines] == [0, 1]


def test_state_read_in_the_next_iteration_is_intentional(tmp_path):
    text = (
        "x, state = tf.Variable(2.0), tf.Variable(1.0)\n"
        "for turn in range(2):\n"
        "    with tf.GradientTape() as tape:\n"
        "        new = x * state\n"
        "        y = new * new\n"
        "        state.assign(new)\n"
        "    tape.gradient(y, x)\n"
    )
    assert missed(text, tmp_path) is None


def test_values_on_many_paths_are_visited_once(tmp_path):
    """There are 2⁶⁰ paths through sixty doublings."""
    body = "    y = x\n    for _ in range(60):\n        y = y + y\n"
    assert missed(TAPE + body + "tape.gradient(y, x)\n", tmp_path) is None


def test_each_source_misses_only_its_own_contribution(tmp_path):
    text = (
        "a, b = tf.Variable(2.0), tf.Variable(3.0)\n"
        "with tf.GradientTape(persistent=True) as tape:\n"
        "    y = a * b + tf.constant(a.numpy() ** 2)\n"
        "tape.gradient(y, {source})\n"
    )
    assert missed(text.format(source="[a, b]"), tmp_path) == "numpy-roundtrip"
    assert missed(text.format(source="[b, a]"), tmp_path) is None


def test_value_that_reenters_in_a_later_iteration_is_not_missing(tmp_path):
    text = (
        "x = tf.Variable(2.0)\n"
        "for turn in range(2):\n"
        "    with tf.GradientTape() as tape:\n"
        "        y = x * (tf.constant(x.numpy()) if turn else 1.0)\n"
        "    tape.gradient(y, x)\n"
    )
    flow = FlowGraph(traced(text, tmp_path).trace)
    found = [
        why_partial(flow, call, call.event.sources[0].value, set(call.event.targets))
        for call in flow.calls.values()
    ]
    assert [each and each.cause.slug for each in found] == [None, "numpy-roundtrip"]

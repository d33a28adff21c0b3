"""The format as JSON Schema: what is written keeps to it, and what is read is held to it."""

import copy
import io
import json
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traced import traced

from minitape.debug.references import References
from minitape.debug.schema import fault, schema
from minitape.debug.script import run
from minitape.debug.trace import encode

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    path
    for folder in ("minitape/examples", "tutorials")
    for path in (ROOT / folder).rglob("*.py")
    if not path.name.startswith(("_", "record"))
)
KINDS = schema()["$defs"]["events"]

# Each with the kinds of events that it is there for.
ODD = {
    "an error of a gradient call, caught": (
        """
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        try:
            tape.gradient(y, x)
        except RuntimeError:
            pass
        """,
        {"error"},
    ),
    "an error of its own": ("x = tf.Variable(1.0)\nx.there_is_none\n", set()),
    "rows of a jacobian": (
        """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            y = x * x
            rows = tf.stack([y, y])
        tape.jacobian(y, x)
        tape.batch_jacobian(rows, tf.identity(rows))
        """,
        {"back"},
    ),
    "tapes inside tapes": (
        """
        x = tf.constant(2.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.exp(x) * x
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
        {"watch", "tape_exit"},
    ),
    "rows of a table": (
        """
        table = tf.Variable(np.ones((200, 3), np.float32))
        with tf.GradientTape() as tape:
            y = tf.gather(table, [[1, 1], [5, 199]])
        tape.gradient(y, table)
        """,
        {"read"},
    ),
    "forgetting and pausing": (
        """
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = x * 2.0
            tape.reset()
            with tape.stop_recording():
                z = x * 3.0
            tape.watch([])
            y = x * z
        tape.gradient(y, x)
        """,
        {"reset", "stop_recording"},
    ),
    "state": (
        """
        v = tf.Variable(1.0, trainable=False, name="count")
        v.assign_add(2.0)
        v.assign_sub(tf.constant(1.0))
        w = tf.Variable(v * v)
        w = w + v.assign(4.0)
        """,
        {"assign", "rebind", "variable"},
    ),
    "a remark": ("tf.debug.note('half way ✂')\n", {"note"}),
    "out of the engine and back": (
        """
        x = tf.Variable([1.0, 4.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(np.sqrt(x) * float(x[0]))
        tape.gradient(y, [x])
        f"{y}"
        """,
        {"export", "reentry"},
    ),
    "what is no finite float": (
        """
        tf.strings.as_string(tf.constant([[1, 2]]))
        tf.constant(["a", ""])
        tf.constant([1 + 2j, 3j]) * 2.0
        tf.constant([True, False]) & True
        tf.math.log(tf.constant([0.0, -1.0, 1.0]))
        tf.zeros([0, 3]) + 1.0
        tf.ones([5, 20], tf.float16) * 7.0
        tf.constant(2**62, tf.int64) * 1
        """,
        {"op", "constant", "primitive"},
    ),
    "gradients of one's own": (
        """
        @tf.custom_gradient
        def half(x):
            def grad(upstream):
                return upstream * 0.5
            return tf.identity(x), grad

        x, w = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = half(x) * tf.recompute_grad(lambda a: a * w)(x) + tf.stop_gradient(w)
        tape.gradient([y, y], {"a": x, "b": [w]}, [tf.constant(2.0), tf.constant(1.0)],
                      unconnected_gradients="zero")
        """,
        {"gradient", "seed", "result"},
    ),
    "forward mode": (
        """
        x = tf.constant(1.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward:
            y = tf.sin(x)
        forward.jvp(y)
        """,
        set(),
    ),
    "what nobody saw begin": (
        """
        x = tf.Variable(3.0)
        def slope():
            with tf.GradientTape() as tape:
                y = x * x
                told = tf.debug.record()
                z = y * x
            told.stop()
            return told
        told = slope()
        """,
        set(),
    ),
    "code without a file": (
        "exec('x = tf.Variable(1.0)\\nfor i in range(2): x.assign(x * 2.0)')\n",
        {"site", "source"},
    ),
}


@cache
def full_reader(kind):
    part = {"$ref": f"#/$defs/events/{kind}", "$defs": schema()["$defs"]}
    return jsonschema.Draft202012Validator(part)


def as_read(events):
    return [json.loads(encode(event)) for event in events]


def unknown(part, value):
    """The fields of a value that its schema does not name."""
    while "$ref" in part:
        target = schema()
        for name in part["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        part = target
    if "anyOf" in part:
        fitting = [each for each in part["anyOf"] if each != {"type": "null"}]
        part = fitting[0] if len(fitting) == 1 else {}
        return unknown(part, value) if value is not None else set()
    if isinstance(value, list):
        return set().union(*(unknown(part.get("items", {}), each) for each in value), set())
    if "properties" not in part:
        return set()
    inside = (
        unknown(each, value[name]) for name, each in part["properties"].items() if name in value
    )
    return set().union(set(value) - set(part["properties"]), *inside)


def check(events):
    references = References()
    for event in as_read(events):
        assert event["k"] in KINDS
        problems = [error.message for error in full_reader(event["k"]).iter_errors(event)]
        assert problems == []
        assert fault(event) is None
        assert references.fault(event) is None
        assert unknown(KINDS[event["k"]], event) <= {"i", "k"}


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


def test_every_kind_is_chosen_by_its_name():
    chosen = [each["if"]["properties"]["k"]["const"] for each in schema()["allOf"]]
    assert chosen == list(KINDS)
    assert all(
        each["then"] == {"$ref": f"#/$defs/events/{k}"}
        for k, each in zip(chosen, schema()["allOf"])
    )


@pytest.mark.parametrize(
    "path", SCRIPTS, ids=[path.parent.name + "/" + path.name for path in SCRIPTS]
)
def test_what_a_script_does_is_told_as_the_format_says(path):
    check(run(path, as_tensorflow=True, stdout=io.StringIO()).trace)


@pytest.mark.parametrize("name", ODD)
def test_so_is_what_an_odd_program_does(name, tmp_path):
    text, kinds = ODD[name]
    ran = traced(text, tmp_path)
    check(ran.trace)
    assert kinds <= {event["k"] for event in ran.trace}
    if "told" in ran.names:
        check(ran.names["told"].trace)


def test_all_kinds_were_seen():
    """Else the tests above would say nothing of some kind."""
    seen = set().union(*(kinds for _, kinds in ODD.values()))
    assert seen | {"header", "end", "tape_enter"} == set(KINDS)


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    text = ODD["tapes inside tapes"][0] + ODD["out of the engine and back"][0]
    return as_read(traced(text, tmp_path_factory.mktemp("run")).trace)


ODD_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 5), st.just(0.5), st.sampled_from(["", "NaN", "none"]),
    st.just([]), st.just({}), st.just([1]), st.just([[1], 2]),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_our_reading_of_the_schema_is_that_of_a_full_reader(events, data):
    """One value of an event, however deep inside, is replaced or left out."""
    event = copy.deepcopy(data.draw(st.sampled_from(events)))
    place = event
    while True:
        key = data.draw(
            st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place)))
        )
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    if place is event and key == "k":
        return
    if data.draw(st.booleans()):
        del place[key]
    else:
        place[key] = data.draw(ODD_VALUES)
    assert (fault(event) is None) == full_reader(event["k"]).is_valid(event)

"""The format as JSON Schema: written events comply with it, and read events are validated against it."""

import copy
import io
import json
import re
from functools import cache
from pathlib import Path
from textwrap import dedent

import jsonschema
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from traced import traced

from minitape.errors import TraceError
from minitape.run.child import inside
from minitape.trace import writing
from minitape.trace.events import KINDS
from minitape.trace.reading import decode
from minitape.trace.references import References
from minitape.trace.schema import schema, schema_text
from minitape.trace.trace import encode, plain, typed

pytestmark = pytest.mark.one_in(5)

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    path
    for folder in ("minitape/examples", "tutorials")
    for path in (ROOT / folder).rglob("*.py")
    if not path.name.startswith(("_", "record"))
)
FILE = ROOT / "minitape/trace/trace.schema.json"

# Each program, with the kinds of events for which it was written.
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
    "an op in a deep recursion": (
        """
        def deep(n, x):
            return deep(n - 1, x * 1.0) if n else x
        deep(150, tf.constant(1.0))
        """,
        {"frames"},
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
    "a note": ("tf.debug.note('half way ✂')\n", {"note"}),
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
    "values that are not finite floats": (
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
    "custom gradients": (
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
    "objects created before tracing started": (
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
    "Keras": (
        """
        model = tf.keras.Sequential([tf.keras.layers.Dense(2, activation="relu"), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse", metrics=["mae"])
        model.fit(np.ones((2, 3)), np.ones((2, 1)), verbose=0)
        """,
        {"scope"},
    ),
    "code without a file": (
        "exec('x = tf.Variable(1.0)\\nfor i in range(2): x.assign(x * 2.0)')\n",
        {"site", "source"},
    ),
}


@cache
def full_reader(kind):
    whole = schema()
    part = {"$ref": f"#/$defs/{KINDS[kind].__name__}", "$defs": whole["$defs"]}
    return jsonschema.Draft202012Validator(part)


_LARGEST_BOUND = 16


def outline(value):
    """The value, with each number replaced by a number of the same type that the schema treats in the same way."""
    if isinstance(value, dict):
        return {key: outline(each) for key, each in value.items()}
    if isinstance(value, list):
        return [outline(each) for each in value]
    if isinstance(value, float):
        return 0.5
    if type(value) is not int or value < 2:
        return value
    return 2 if value <= _LARGEST_BOUND else _LARGEST_BOUND + 1


_READ = (
    set()
)  # outlines that comply with the schema, cached because a full validator takes most of the time


def problems(event):
    text = json.dumps(outline(event))
    if text in _READ:
        return []
    found = [each.message for each in full_reader(event["k"]).iter_errors(event)]
    if not found:
        _READ.add(text)
    return found


def check(received):
    """Assert that the recorded dicts comply with the schema, and are unchanged as events and after writing them to a file."""
    references = References()
    for event in received:
        line = writing.encode(event)
        assert problems(json.loads(line)) == []
        assert encode(typed(event)) == line
        assert encode(decode(line.encode())) == line
        assert references.fault(typed(event)) is None


def received_from(text, folder):
    """The dicts that a tracer wrote about a program."""
    path = folder / "program.py"
    path.write_text("import math, minitape as tf, numpy as np\n" + dedent(text), encoding="utf-8")
    return inside.run(path)[0]


def test_schema_file_equals_the_types(request):
    if request.config.getoption("--update"):
        FILE.write_text(schema_text(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == schema_text()
    assert json.loads(schema_text()) == schema()


def test_schema_is_valid():
    jsonschema.Draft202012Validator.check_schema(schema())


def bounds(value):
    """The limits on numbers in a schema, each with its type."""
    if isinstance(value, dict):
        for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
            if isinstance(value.get(name), int | float):
                yield name, value[name], value.get("type")
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from bounds(each)


def test_outline_keeps_limits_of_the_schema():
    """A full validator therefore checks events with the same outline only once: each limit is between two outlines of numbers."""
    assert set(bounds(schema())) == {
        *(("minimum", least, "integer") for least in (-1, 0, 1)),
        ("maximum", _LARGEST_BOUND, "integer"),
    }
    assert [outline(each) for each in (-2, -1, 0, 1, 2, 16, 17, 18)] == [-2, -1, 0, 1, 2, 2, 17, 17]
    assert re.findall(r'"(?:enum|const)": *\[?-?\d[^,}]*', schema_text()) == ['"enum": [1]']


def test_schema_selects_each_kind_by_name():
    chosen = {
        each["if"]["properties"]["k"]["const"]: each["then"]["$ref"] for each in schema()["allOf"]
    }
    assert chosen == {kind: f"#/$defs/{each.__name__}" for kind, each in KINDS.items()}


def test_field_descriptions_are_in_the_schema():
    parts = schema()["$defs"]
    assert parts["ReadEvent"]["properties"]["out"]["description"] == "the value that was read"
    assert parts["NoteEvent"]["properties"]["at"]["description"].startswith("the expression")


@pytest.mark.parametrize(
    "path", SCRIPTS, ids=[path.parent.name + "/" + path.name for path in SCRIPTS]
)
def test_events_of_a_script_comply_with_schema(path):
    check(inside.run(path, on="minitape", stdout=io.StringIO())[0])


@pytest.mark.parametrize("name", ODD)
def test_events_of_an_unusual_program_comply_with_schema(name, tmp_path):
    text, kinds = ODD[name]
    received = received_from(text, tmp_path)
    check(received)
    assert kinds <= {event["k"] for event in received}


def test_events_of_a_recording_that_began_late_comply_with_schema(tmp_path):
    ran = traced(ODD["objects created before tracing started"][0], tmp_path)
    check(plain(event) for event in ran.names["told"].trace)


def test_all_event_kinds_are_covered():
    """Otherwise the tests above would not check some kinds."""
    seen = set().union(*(kinds for _, kinds in ODD.values()))
    assert seen | {"header", "end", "tape_enter"} == set(KINDS)


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    text = ODD["tapes inside tapes"][0] + ODD["out of the engine and back"][0]
    received = received_from(text, tmp_path_factory.mktemp("run"))
    return [json.loads(writing.encode(event)) for event in received]


ODD_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 5), st.just(0.5), st.sampled_from(["", "NaN", "none"]),
    st.just([]), st.just({}), st.just([1]), st.just([[1], 2]),
)  # fmt: skip


def is_event(event):
    try:
        decode(json.dumps(event).encode())
    except TraceError:
        return False
    return True


@settings(max_examples=settings.default.max_examples * 3 // 2)
@given(data=st.data())
def test_types_accept_what_a_full_validator_accepts(events, data):
    """One value of an event, at any depth, is replaced or removed."""
    event = copy.deepcopy(data.draw(st.sampled_from(events)))
    place = event
    while True:
        key = data.draw(
            st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place)))
        )
        assume(key != "data")  # its elements are validated together with its shape
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    if place is event and key == "k":
        return
    if data.draw(st.booleans()):
        del place[key]
    else:
        place[key] = data.draw(ODD_VALUES)
    assert is_event(event) == full_reader(event["k"]).is_valid(event)

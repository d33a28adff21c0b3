"""The tracer writes what docs/trace-format.md documents, writes the same trace each time, and does not change results."""

import re
from pathlib import Path

import numpy as np
import pytest
from traced import traced

import minitape as tf
from minitape.trace.trace import Trace
from minitape.tracer.tracer import Tracer

TRAINING = """
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
w = tf.Variable([[0.5], [-0.5]])
for step in range(2):
    with tf.GradientTape() as tape:
        pred = tf.tanh(x @ w)
        loss = tf.reduce_mean((pred - 1.0) ** 2)
    dw = tape.gradient(loss, w)
    w.assign_sub(0.1 * dw)
"""
FORMAT = Path(__file__).parents[2] / "docs" / "trace-format.md"


def documented() -> dict[str, set[str]]:
    """The words in code type in the section of each kind of event."""
    text = FORMAT.read_text(encoding="utf-8").partition("## Kinds")[2]
    kinds: dict[str, set[str]] = {}
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        for kind in re.findall(r"`(\w+)`", heading):
            kinds[kind] = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", body))))
    return kinds


def test_events_have_documented_kinds_and_fields(tmp_path):
    run = traced(
        TRAINING
        + """
y = np.mean(x)
v = tf.Variable(x)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    with tape.stop_recording():
        z = x * y
    tape.reset()
    tape.watch(x)
    q = tf.stop_gradient(x) * x
tape.jacobian(q, x)
w = w * 2.0
def deep(n):
    return deep(n - 1) if n else x * 1.0
deep(80)
tf.keras.layers.Dense(1)(tf.ones([1, 2]))
raise ValueError("over")
""",
        tmp_path,
    )
    kinds = documented()
    shared = {"i", "k", "at", "stack", "outer", "tape", "T"}
    met = set()
    for event in run.received:
        assert event["k"] in kinds, event
        assert set(event) - shared <= kinds[event["k"]], event
        met.add(event["k"])
    assert met >= set(kinds) - {"note", "error", "T"}


def test_events_are_numbered_without_gaps_between_header_and_end(tmp_path):
    events = traced(TRAINING, tmp_path).received
    assert [event["i"] for event in events] == list(range(len(events)))
    assert events[0]["k"] == "header"
    assert events[-1] == {"i": len(events) - 1, "k": "end", "events": len(events), "dropped": 0}


def test_same_program_gives_same_bytes(tmp_path):
    first, second = [traced(TRAINING, tmp_path).text for _ in range(2)]
    assert first == second
    assert str(tmp_path) not in first


def test_names_lines_and_expressions_are_the_users(tmp_path):
    run = traced(TRAINING, tmp_path)
    op = next(event for event in run.reported("op") if event["name"] == "Tanh")
    site = next(site for site in run.reported("site") if site["site"] == op["stack"][-1])
    assert op["at"] == ["program.py", 5, 15, 5, 29]
    assert (site["expr"], site["target"]) == ("tf.tanh(x @ w)", "pred")
    assert site["loop"] == [3, "for step in range(2):"]
    assert op["outputs"][0]["name"] == op["target_name"] == "pred"
    product = next(event for event in run.reported("op") if event["name"] == "MatMul")
    assert [given["text"] for given in product["inputs"]] == ["x", "w"]
    call = run.reported("gradient")[0]
    assert (call["target_name"], call["sources"][0]["name"]) == ("loss", "w")
    assert [each["visit"] for each in run.reported("gradient")] == [1, 2]


def test_cotangents_of_the_backward_pass(tmp_path):
    run = traced(
        """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, x)
        """,
        tmp_path,
    )
    (step,) = run.reported("back")
    assert step["grad_in"]["data"] == 1.0
    assert [sent["T"]["data"] for sent in step["out"]] == [3.0, 3.0]
    assert [sent["sum"]["data"] for sent in step["out"]] == [3.0, 6.0]
    assert [(sent["use"], sent["uses"]) for sent in step["out"]] == [(1, 2), (2, 2)]
    (result,) = run.reported("result")
    assert (result["T"]["data"], result["T"]["name"]) == (6.0, "g")


def test_jacobian_step_carries_its_rows(tmp_path):
    run = traced(
        """
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x ** 2
        j = tape.jacobian(y, x)
        """,
        tmp_path,
    )
    assert {step["rows"] for step in run.reported("back")} == {2}
    assert run.reported("result")[0]["T"]["data"] == [[2.0, 0.0], [0.0, 4.0]]


def test_jacobian_row_by_row_numbers_steps_for_each_row(tmp_path):
    run = traced(
        """
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        j = tape.jacobian(y, x, experimental_use_pfor=False)
        """,
        tmp_path,
    )
    steps = run.reported("back")
    assert [(step["step"], step["of"]) for step in steps] == [(1, 1), (1, 1)]
    uses = [[(share["use"], share["uses"]) for share in step["out"]] for step in steps]
    assert uses == [[(1, 2), (2, 2)]] * 2


def test_sum_of_row_slices_stays_sparse_until_a_dense_term(tmp_path):
    run = traced(
        """
        table = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = table * 10.0
            loss = tf.reduce_sum(y) + tf.reduce_sum(tf.gather(table, [1])) + table[0]
            loss += tf.reduce_sum(tf.gather(table, [0, 0]) * 2.0)
        g = tape.gradient(loss, table)
        """,
        tmp_path,
    )
    table = run.reported("variable")[0]["var"]
    reads = {read["out"]: read["var"] for read in run.reported("read")}
    shares = [
        share
        for step in run.reported("back")
        for share in step["out"]
        if reads.get(share["t"], share["t"]) == table
    ]
    assert [share["sum"]["data"] for share in shares] == [
        [2.0, 2.0],  # both rows are row 0
        [5.0, 0.0],
        [5.0, 1.0],
        [15.0, 11.0],
    ]


def test_cotangent_is_attributed_to_the_used_output(tmp_path):
    run = traced(
        """
        x = tf.constant([3.0, 4.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            a, b = tf.unstack(x)
        g = tape.gradient(b, x)
        """,
        tmp_path,
    )
    (step,) = run.reported("back")
    assert step["grad_in"]["name"] == "b"


def test_result_of_assign_is_read_as_variable_if_a_tape_watches_it(tmp_path):
    run = traced(
        """
        v = tf.Variable(1.0)
        before = v.assign(2.0)
        y = before * 1.0
        with tf.GradientTape() as tape:
            inside = v.assign(2.0 * v)
            z = inside * 3.0
        """,
        tmp_path,
    )
    names = {each["var"]: each["T"]["name"] for each in run.reported("variable")}
    reads = [(names[read["var"]], read["watched"]) for read in run.reported("read")]
    assert reads == [("before", []), ("v", [1]), ("v", [1])]


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("", "no_tape"),
        ("with tf.GradientTape() as tape:\n  ", "no_watched_input"),
        ("with tf.GradientTape() as tape, tape.stop_recording():\n  ", "recording_stopped"),
    ],
)
def test_reason_why_op_was_not_recorded(before, reason, tmp_path):
    run = traced(f"x = tf.constant(1.0)\n{before}y = x + 1.0\n", tmp_path)
    assert list(run.reported("op")[0]["why_not"].values()) == [reason]


def test_traced_run_is_bitwise_equal(tmp_path):
    plain: dict = {"tf": tf, "np": np}
    exec(TRAINING, plain)
    received = traced(TRAINING, tmp_path).names
    for name in ("w", "loss", "dw", "pred"):
        assert received[name].numpy().tobytes() == plain[name].numpy().tobytes()


def test_value_that_leaves_and_reenters_is_recognized(tmp_path):
    run = traced(
        """
        x = tf.constant([1.0, 3.0])
        a = x.numpy()
        b = (a * 2 + 1)[1]
        y = tf.square(b)
        z = tf.constant([float(y), 2.0])
        """,
        tmp_path,
    )
    first, second = run.reported("reentry")
    assert first["exports"] == [1] and first["sure"]
    assert second["exports"] == [2] and second["sure"]
    assert [each["via"] for each in run.reported("export")] == ["numpy", "float"]


def test_derived_number_is_attributed_by_name(tmp_path):
    run = traced(
        """
        x = tf.constant(3.0)
        total = 0.0
        for _ in range(2):
            total += float(x)
        y = x * total
        """,
        tmp_path,
    )
    (back,) = run.reported("reentry")
    assert back["exports"] == [1, 2] and not back["sure"]


def test_events_above_the_limit_are_counted_and_omitted(tmp_path):
    tracer = Tracer(max_events=20)
    with tracer:
        x = tf.constant(1.0)
        for _ in range(50):
            x = x + 1.0
    end = tracer.received[-1]
    assert end["k"] == "end" and end["dropped"] > 0
    assert len(tracer.received) == end["events"] == 21
    assert not Trace.from_dicts(tracer.received).is_whole


def test_refused_call_is_in_the_trace(tmp_path):
    run = traced(
        """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = np.mean(x * x)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert isinstance(run.error, AttributeError)
    (call,) = run.reported("gradient")
    assert call["left"] == [1] and call["target"] == []
    assert run.reported("error")[0]["call"] == 1


COMPOSITE = """
x = tf.constant([1.0, 2.0, 4.0])
spread = tf.math.reduce_std(x)
limited = tf.clip_by_value(x * 2.0, 0.0, 5.0)
"""


def test_only_the_op_that_computes_the_value_gets_the_name(tmp_path):
    """reduce_std runs five ops; the last one returns the value."""
    ops = traced(COMPOSITE, tmp_path).reported("op")
    named = {op["target_name"]: op["name"] for op in ops if op["target_name"]}
    assert named == {"spread": "Sqrt", "limited": "Maximum"}
    assert [op["outputs"][0]["name"] for op in ops] == [op["target_name"] for op in ops]


def test_input_has_text_of_its_argument_or_none(tmp_path):
    ops = traced(COMPOSITE, tmp_path).reported("op")
    texts = [(op["name"], [given["text"] for given in op["inputs"]]) for op in ops]
    assert texts[:2] == [("Mean", ["x"]), ("Sub", ["x", None])]
    assert texts[-2:] == [("Minimum", ["x * 2.0", "5.0"]), ("Maximum", [None, "0.0"])]


def test_function_called_repeatedly_by_a_library_gives_no_name(tmp_path):
    run = traced(
        """
        def double(v):
            return v * 2.0
        y = tf.map_fn(double, tf.constant([1.0, 2.0]))
        z = double(y)
        """,
        tmp_path,
    )
    named = [(op["name"], op["target_name"]) for op in run.reported("op") if op["target_name"]]
    assert named == [("Pack", "y"), ("Mul", "z")]


def test_each_iteration_of_a_loop_gives_the_name(tmp_path):
    run = traced("x = tf.constant(1.0)\nfor _ in range(3):\n    x = x + 1.0\n", tmp_path)
    assert [op["target_name"] for op in run.reported("op")] == ["x", "x", "x"]


def test_expression_has_one_site_however_often_it_runs(tmp_path):
    """Python replaces the instructions of code that runs often."""
    run = traced(
        """
        def step(x):
            return x + 1.0
        x = tf.constant(1.0)
        for _ in range(100):
            x = step(x)
        """,
        tmp_path,
    )
    places = [(site["func"], *site["at"]) for site in run.reported("site")]
    assert len(places) == len(set(places))
    assert len({tuple(op["stack"]) for op in run.reported("op")}) == 1


def test_unnamed_source_is_written_as_container_entry(tmp_path):
    run = traced(
        """
        params = {"w": tf.Variable(2.0), "b": tf.Variable(1.0)}
        ws = [tf.Variable(2.0)]
        with tf.GradientTape(persistent=True) as tape:
            y = params["w"] * ws[0] + params["b"]
        tape.gradient(y, params)
        tape.gradient(y, ws)
        """,
        tmp_path,
    )
    names = [[each["name"] for each in call["sources"]] for call in run.reported("gradient")]
    assert names == [["params['b']", "params['w']"], ["ws[0]"]]


def test_sources_from_one_line_have_distinct_names(tmp_path):
    """All three variables are `self.w` on the line that created them."""
    run = traced(
        """
        class Block:
            def __init__(self):
                self.w = tf.Variable(2.0)
        blocks = [Block(), Block(), Block()]
        by_name = {"first": blocks[0], "second": blocks[1]}
        with tf.GradientTape(persistent=True) as tape:
            y = blocks[0].w * blocks[1].w
        tape.gradient(y, [b.w for b in blocks])
        tape.gradient(y, [b.w for b in by_name.values()])
        tape.gradient(y, [b.w for b in blocks if b is not blocks[1]])
        tape.gradient(y, [blocks[0].w])
        """,
        tmp_path,
    )
    names = [[each["name"] for each in call["sources"]] for call in run.reported("gradient")]
    assert names == [
        ["blocks[0].w", "blocks[1].w", "blocks[2].w"],
        ["self.w (sources[0])", "self.w (sources[1])"],
        ["self.w (sources[0])", "self.w (sources[1])"],
        ["blocks[0].w"],
    ]


def test_source_passed_twice_keeps_its_name(tmp_path):
    run = traced(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y, [each for each in (w, w)])
        """,
        tmp_path,
    )
    (call,) = run.reported("gradient")
    assert [each["name"] for each in call["sources"]] == ["w", "w"]

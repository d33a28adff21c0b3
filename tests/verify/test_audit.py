"""A trace is compared with its recomputation: correct traces pass, and each error is found and identified."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from traced import traced

from minitape.trace.trace import Trace
from minitape.trace.writing import EventDict
from minitape.verify.audit.auditing import audit
from minitape.verify.audit.report import Audit, FaultKind, What

Received = list[EventDict]
Spoil = Callable[[Received], EventDict]

PROGRAM = """
w = tf.Variable([1.0, 2.0])
k = tf.constant([3.0, 5.0])
with tf.GradientTape() as other:
    with tf.GradientTape() as tape:
        a = w * w
        b = tf.sin(w) * k
        loss = tf.reduce_sum(a + b)
    early = tape.gradient(loss, w, output_gradients=tf.constant(2.0))
"""


@pytest.fixture
def received(tmp_path: Path) -> Received:
    """The events of the program, without shared objects."""
    return list(json.loads(json.dumps(traced(PROGRAM, tmp_path).received)))


def audited(received: Received) -> Audit:
    return audit(Trace.from_dicts(received))


def found(received: Received) -> list[tuple[FaultKind, int]]:
    """Each fault, by its kind and its event."""
    return [(fault.kind, fault.event) for fault in audited(received).faults]


def of_kind(received: Received, kind: str, **fields: Any) -> list[EventDict]:
    return [event for event in received if event["k"] == kind and fields.items() <= event.items()]


def op(received: Received, name: str) -> EventDict:
    return of_kind(received, "op", name=name)[0]


def step(received: Received, name: str) -> EventDict:
    """The backward step of the first op of that name in the first call."""
    return of_kind(received, "back", op=op(received, name)["op"])[0]


# --- correct traces ---


def test_everything_in_correct_trace_is_recomputed(received: Received) -> None:
    report = audited(received)
    assert report.ok
    inside = {
        What.OPS: 5,  # Mul Sin Mul AddV2 Sum
        What.STEPS: 5,
        What.SUMS: 5
        + 7,  # cotangents at the ops; AddV2 sends to two values, Mul to one value twice, the others to one
        What.SEEDS: 1,
        What.RESULTS: 1,
    }
    of_the_walk = {
        What.OPS: len(of_kind(received, "op")) - 5
    }  # the other tape records the backward pass
    assert {what: report.audited[what] for what in inside} == {
        what: count + of_the_walk.get(what, 0) for what, count in inside.items()
    }
    assert report.audited[What.RECORDS] == len(of_kind(received, "op"))
    assert not report.unaudited


RIGHT = {
    "several targets, one of them on the path to another": """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
            z = y * x
        tape.gradient([z, y, y], [x, y])
    """,
    "a source without contributions": """
        x, u = tf.Variable(3.0), tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            y = x * x
        tape.gradient(y, [x, u])
        tape.gradient(y, [x, u], unconnected_gradients="zero")
        tape.jacobian(y, [x, u], unconnected_gradients="zero")
    """,
    "rows of a jacobian": """
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        x = tf.constant([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.tanh(x @ w) * tf.reduce_sum(w)
            z = tf.zeros_like(x) * x
        tape.jacobian(y, [w, x])
        tape.batch_jacobian(y, x)
        tape.jacobian(tf.sign(y), w)
        tape.jacobian(z, x)
    """,
    "a second derivative": """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(x**3 * tf.exp(x))
            g = inner.gradient(y, x)
        outer.gradient(g, x)
    """,
    "complex numbers": """
        z = tf.Variable(tf.constant([1.0 + 2.0j, 3.0 - 1.0j], tf.complex64))
        with tf.GradientTape() as tape:
            y = z * z * tf.math.conj(z)
        tape.gradient(y, z, output_gradients=tf.constant([1j, 2.0], tf.complex64))
    """,
    "ops of several outputs": """
        x = tf.Variable([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])
        with tf.GradientTape() as tape:
            a, b = tf.unstack(x)
            values, _ = tf.math.top_k(a * b, 2)
        tape.gradient(values, x)
    """,
    "rows that were gathered once": """
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape() as tape:
            y = tf.gather(table, [2, 0, 2, 1]) ** 2
        tape.gradient(y, table)
    """,
    "rows that were gathered twice": """
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [2, 0, 2, 1])) * tf.gather(table, [0, 1])
        tape.gradient(y, table)
    """,
    "rows that were gathered, and the table itself": """
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [2, 0, 2, 1]) ** 2) + table * tf.gather(table, [1])
        tape.gradient(y, table)
    """,
    "a jacobian row by row": """
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape(persistent=True) as tape:
            y = x * x * tf.reduce_sum(x)
        tape.jacobian(y, x, experimental_use_pfor=False)
    """,
    "only the second of two outputs": """
        x = tf.Variable([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])
        with tf.GradientTape() as tape:
            _, b = tf.unstack(x)
            y = b * b
        tape.gradient(y, x)
    """,
    "what assign returned": """
        v, w = tf.Variable(1.0), tf.Variable(3.0)
        stale = w.assign(2.0)
        with tf.GradientTape() as tape:
            new = v.assign(2.0 * v)
            y = new * new * stale
        tape.gradient(y, [v, w])
    """,
    "a gradient call inside the block of its tape": """
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = x * x
            g = tape.gradient(y, x)
            z = x * g
    """,
    "NaN and infinity": """
        x = tf.Variable([0.0, -1.0, 4.0])
        with tf.GradientTape() as tape:
            y = tf.sqrt(x) / x
        tape.gradient(y, x)
    """,
    "float16 and float64": """
        x, y = tf.Variable([0.1, 0.3], dtype=tf.float16), tf.Variable([0.1, 0.3], dtype=tf.float64)
        with tf.GradientTape() as tape:
            z = tf.cast(tf.exp(x) * x, tf.float64) * tf.sin(y)
        tape.gradient(z, [x, y])
    """,
    "casts to integers and back, then a cast on the path": """
        seen = tf.cast(tf.cast(tf.constant([1.0, 2.0]), tf.int32), tf.float32)
        x = tf.Variable([0.1, 0.3])
        with tf.GradientTape() as tape:
            y = tf.cast(x, tf.float64) * 2.0 + tf.cast(tf.cast(x, tf.int32), tf.float64)
        tape.gradient(y, x)
    """,
    "a variable that changes": """
        v = tf.Variable(1.0)
        with tf.GradientTape(persistent=True) as tape:
            old = v.value()
            v.assign_add(2.0)
            y = old * v * v.read_value()
        tape.gradient(y, v)
    """,
    "a pause, a reset, a tape that watches nothing": """
        x = tf.Variable(2.0)
        with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
            a = x * x
            tape.watch(x)
            with tape.stop_recording():
                b = x * x
            c = tf.round(x) * x * tf.stop_gradient(x)
            tape.reset()
            tape.watch(x)
            d = x * b
        tape.gradient(d, x)
    """,
    "sums that cancel": """
        x = tf.Variable([1e8, 3.0, -1e8, 0.1])
        with tf.GradientTape() as tape:
            y = tf.nn.softmax(x * tf.reduce_sum(x))
        tape.gradient(y, x)
    """,
    "no tape at all": "y = tf.constant(1.0) + 2.0",
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT.keys())
def test_correct_trace_has_no_faults(text: str, tmp_path: Path) -> None:
    run = traced(text, tmp_path)
    assert run.error is None
    report = audit(run.trace)
    assert report.faults == ()
    assert not report.unaudited


OF_MANY_ROOMS = """
x = tf.Variable(tf.reshape(tf.range(1.0, 17.0), [4, 4]) / 10.0 + tf.eye(4) * 3.0)
picture = tf.Variable(tf.reshape(tf.range(16.0), [1, 4, 4, 1]) / 7.0)
volume = tf.Variable(tf.reshape(tf.range(27.0), [1, 3, 3, 3, 1]) / 7.0)
with tf.GradientTape(persistent=True) as tape:
    answers = [
        tf.abs(tf.signal.rfft(x)),
        tf.math.real(tf.signal.fft(tf.complex(x, x))),
        tf.math.bessel_i0(x),
        tf.math.igamma(x, x + 1.0),
        tf.abs(tf.linalg.eigvals(x)),
        tf.image.resize(picture, [6, 6]),
        tf.image.crop_and_resize(picture, [[0.0, 0.0, 0.5, 0.5]], [0], [2, 2]),
        tf.nn.conv3d(volume, tf.fill([2, 2, 2, 1, 1], 0.5), [1, 1, 1, 1, 1], "SAME"),
        tf.nn.max_pool3d(volume, 2, 1, "VALID"),
        tf.nn.avg_pool3d(volume, 2, 1, "VALID"),
    ]
for answer in answers:
    tape.gradient(answer, [x, picture, volume])
"""


def test_ops_of_modules_loaded_on_first_use_are_known(tmp_path: Path) -> None:
    """In this process, the modules may already be loaded, so the test starts another Python."""
    script = tmp_path / "rooms.py"
    script.write_text(f"import minitape as tf\n{OF_MANY_ROOMS}", encoding="utf-8")
    requested = subprocess.run(
        [sys.executable, "-m", "minitape_cli", "trace", script, "--audit"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert requested.returncode == 0, requested.stderr
    assert "back steps" in requested.stdout
    assert "minitape does not support the op" not in requested.stdout
    assert "not understood" not in requested.stdout


def test_truncated_trace_is_audited_up_to_its_end(received: Received) -> None:
    for length in range(len(received)):
        assert audited(received[:length]).ok


# --- wrong traces ---


def _add(numbers: dict[str, Any], by: float = 0.01) -> None:
    data = numbers["data"]
    if isinstance(data, list):
        data[-1] += by
    else:
        numbers["data"] += by


def _output(received: Received) -> EventDict:
    event = op(received, "Sin")
    _add(event["outputs"][0])
    return event


def _attribute(received: Received) -> EventDict:
    """A number that the axis does not imply."""
    event = op(received, "Sum")
    event["attrs"]["keepdims"] = True
    return event


def _contribution(received: Received) -> EventDict:
    event = step(received, "Sin")
    _add(event["out"][0]["T"])
    return event


def _sum(received: Received) -> EventDict:
    event = step(received, "Mul")
    _add(event["out"][1]["sum"])
    return event


def _use(received: Received) -> EventDict:
    event = step(received, "Mul")
    event["out"][1]["use"] += 1
    return event


def _arrived(received: Received) -> EventDict:
    event = step(received, "Mul")
    _add(event["grad_in"])
    return event


def _seed(received: Received) -> EventDict:
    event = of_kind(received, "seed")[0]
    _add(event["T"])
    return event


def _result(received: Received) -> EventDict:
    event = of_kind(received, "result")[0]
    _add(event["T"])
    return event


def _no_result(received: Received) -> EventDict:
    event = of_kind(received, "result")[0]
    event["T"] = None
    return event


def _dropped_step(received: Received) -> EventDict:
    received.remove(step(received, "Sin"))
    return of_kind(received, "result")[0]


def _ones_for_what_was_given(received: Received) -> EventDict:
    event = of_kind(received, "seed")[0]
    event["T"]["data"] = 1.0
    return event


def _dropped_seed(received: Received) -> EventDict:
    received.remove(of_kind(received, "seed")[0])
    return of_kind(received, "result")[0]


def _dropped_contribution(received: Received) -> EventDict:
    event = step(received, "Sin")
    event["out"].pop()
    return event


def _number_of_a_step(received: Received) -> EventDict:
    event = step(received, "Mul")
    event["step"] += 1
    return event


def _skipped(received: Received) -> EventDict:
    event = next(each for each in of_kind(received, "back") if each["skipped"])
    event["skipped"][0]["why"] = "no_gradient"
    return event


def _one_more_recorded(received: Received) -> EventDict:
    event = op(received, "Sin")
    event["tape"].append(3)
    event["recorded"].append(3)
    return event


def _one_less_recorded(received: Received) -> EventDict:
    event = op(received, "Sin")
    event["why_not"][str(event["recorded"].pop())] = "no_gradient"
    return event


def _watched(received: Received) -> EventDict:
    event = op(received, "AddV2")
    event["inputs"][0]["watched"].pop()
    return event


def _count(received: Received) -> EventDict:
    event = of_kind(received, "tape_exit")[0]
    event["n_ops"] += 1
    return event


SPOILT: dict[Spoil, FaultKind] = {
    _output: FaultKind.OUTPUT,
    _attribute: FaultKind.OUTPUT,
    _contribution: FaultKind.CONTRIBUTION,
    _dropped_contribution: FaultKind.CONTRIBUTION,
    _sum: FaultKind.SUM,
    _use: FaultKind.SUM,
    _arrived: FaultKind.ARRIVED,
    _seed: FaultKind.SEED,
    _ones_for_what_was_given: FaultKind.SEED,
    _dropped_seed: FaultKind.SEED,
    _result: FaultKind.RESULT,
    _no_result: FaultKind.RESULT,
    _dropped_step: FaultKind.MISSING_STEP,
    _number_of_a_step: FaultKind.STEP,
    _skipped: FaultKind.SKIPPED,
    _one_more_recorded: FaultKind.RECORDED,
    _one_less_recorded: FaultKind.RECORDED,
    _watched: FaultKind.WATCHED,
    _count: FaultKind.COUNT,
}


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_single_error_is_found_as_one_fault(spoil: Spoil, received: Received) -> None:
    event = spoil(received)
    assert found(received) == [(SPOILT[spoil], event["i"])]

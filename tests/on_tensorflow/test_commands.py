"""Commands on scripts that run on TensorFlow itself, in a Python that does not have minitape."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from minitape.run.options import RunOptions
from minitape.run.program import of_file
from minitape.trace import events
from minitape.trace.reading import read
from minitape.verify.rerun import Rerun
from minitape_cli.app import app

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.timeout(240),  # importing it takes time
    pytest.mark.one_in(5),
]

LOST = """\
import numpy as np
import tensorflow as tf

w = tf.Variable(2.0)
c = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(c)
    loss = tf.constant(np.square(tf.square(w))) * float(c)
print("slopes", tape.gradient(loss, [w, c]))
"""

ITERATIONS = """\
import tensorflow as tf

w = tf.Variable(1.0)

@tf.function
def step():
    print("eager" if tf.executing_eagerly() else "graph")
    with tf.GradientTape() as tape:
        loss = tf.square(w)
    w.assign_sub(0.1 * tape.gradient(loss, w))

for _ in range(6):
    step()
print(f"end {float(w):.6f}")
"""

LAYERS = """\
import tensorflow as tf

layer = tf.keras.layers.Dense(2)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(tf.random.normal([3, 4])))
tape.gradient(loss, layer.trainable_variables)
"""

MINITAPE_FIRST = """\
import minitape as mt
v = mt.Variable(3.0)
with mt.GradientTape() as outer:
    y = v * v
import tensorflow as tf
w = tf.Variable(3.0)
with tf.GradientTape() as inner:
    z = w * w
print("slopes", float(outer.gradient(y, v)), float(inner.gradient(z, w)))
"""


@pytest.fixture
def minitape(tensorflow_python: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a command, with wide output; scripts run in the Python that has TensorFlow."""
    monkeypatch.setenv("COLUMNS", "160")

    def invoke(*args: object) -> Any:
        named = [*map(str, args), "--python", tensorflow_python]
        return CliRunner().invoke(app, named, prog_name="minitape")

    return invoke


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "lesson.py"
        path.write_text(text)
        return path

    return write


def test_lost_gradient_is_explained_and_verified_on_tensorflow(minitape: Any, written: Any) -> None:
    """The target is w⁴·c: its derivative with respect to w at w = 2 and c = 3 is 96, with respect to c it is 16."""
    ran = minitape("explain", written(LOST), "--check", "--json")
    assert ran.exit_code == 1, ran.stderr
    assert "slopes [None, None]" in ran.stderr
    whole = json.loads(ran.stdout)
    assert whole["ran_on"]["engine"] == "tensorflow"
    (call,) = whole["data"]["calls"]
    causes = [[each["slug"] for each in source["findings"]] for source in call["sources"]]
    assert causes == [["numpy-roundtrip"], ["python-scalar"]]
    checks = [source["check"]["derivative"] for source in call["sources"]]
    assert checks == [pytest.approx(96, rel=1e-3), pytest.approx(16, rel=1e-3)]
    proofs = [source["findings"][0]["proof"]["gradient"]["data"] for source in call["sources"]]
    assert proofs == [96.0, 16.0]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("trace",), "1 problem · on TensorFlow 2"),
        (("graph",), "on TensorFlow 2"),
        (("step", "--brief"), "lesson.py on TensorFlow 2"),
        (("run",), "1 gradient call on TensorFlow 2"),
        (("html", "-o", "-"), "<h1>lesson.py on TensorFlow 2"),
    ],
)
def test_heading_names_the_engine(
    minitape: Any, written: Any, command: tuple[str, ...], said: str
) -> None:
    ran = minitape(*command, written(LOST))
    assert said in ran.stdout + ran.stderr


def test_two_runs_have_the_same_random_numbers(minitape: Any, written: Any) -> None:
    """The weights are from Keras, the input from TensorFlow."""
    script = written(LAYERS)
    ran = minitape("diff", script, script)
    assert "The runs are equal in all" in ran.stdout, ran.stdout
    assert ran.stdout.count("on TensorFlow") == 2


def test_keras_state_is_the_same_in_each_run_of_one_process(
    written: Any, tensorflow_python: str
) -> None:
    program = of_file(written(LAYERS))
    with Rerun(program, run_options=RunOptions(python=Path(tensorflow_python))) as again:
        runs = [again.run(seed=0) for _ in range(2)]
    reported = []
    for trace in runs:
        assert trace is not None
        assert trace.ran_on.engine == "tensorflow"
        reported.append([(each.name, each.numbers.data) for each in trace.of(events.VariableEvent)])
    assert [name for name, _ in reported[0]] == ["dense/kernel:0", "dense/bias:0"]
    assert reported[0] == reported[1]


def test_untraced_calls_run_as_without_minitape(minitape: Any, written: Any) -> None:
    """Functions run eagerly while they are traced; then TensorFlow compiles them, once."""
    ran = minitape("run", written(ITERATIONS), "--trace-calls", 2)
    assert ran.stdout.split() == ["eager", "eager", "graph", "end", "0.262144"]
    assert "2 gradient calls" in ran.stderr
    assert "Traced 2 gradient calls (--trace-calls); the rest" in ran.stderr


def test_script_that_used_minitape_first_is_traced_on_minitape(minitape: Any, written: Any) -> None:
    ran = minitape("explain", written(MINITAPE_FIRST))
    assert ran.exit_code == 0, ran.stderr
    assert "slopes 6.0 6.0" in ran.stderr
    assert ran.stderr.count("the script used minitape before it imported TensorFlow") == 1
    assert "✓ v" in ran.stdout
    assert "on TensorFlow" not in ran.stdout


def test_requested_engine_minitape_is_used(minitape: Any, written: Any) -> None:
    ran = minitape("explain", written(LOST), "--on", "minitape", "--json")
    assert json.loads(ran.stdout)["ran_on"]["engine"] == "minitape"


def test_check_requires_minitape(minitape: Any, written: Any) -> None:
    ran = minitape("check", written(LOST))
    assert ran.exit_code == 2
    assert "slopes" not in ran.stderr
    assert "--on minitape" in ran.stderr


def test_doctor_reports_that_tensorflow_can_be_traced(minitape: Any) -> None:
    ran = minitape("doctor")
    assert ran.exit_code == 0
    assert "can be traced" in ran.stdout
    assert "cannot be traced" not in ran.stdout


READS = """\
import tensorflow as tf

w = tf.Variable([2.0, 3.0])
x = tf.constant([5.0, 7.0])
with tf.GradientTape() as tape:
    y = tf.exp(w * x)
tape.gradient(y, w)
"""


def test_trace_lists_what_each_rule_read(minitape: Any, written: Any, tmp_path: Path) -> None:
    """The derivative of exp is its own result, and that of a product is the other factor."""
    to = tmp_path / "t.jsonl"
    assert minitape("trace", written(READS), "-o", to).exit_code == 0
    trace = read(to)
    (product, exponential) = trace.of(events.OpEvent)
    by_exponential, by_product = trace.of(events.BackEvent)
    assert by_exponential.sent[0].reads == [exponential.outputs[0].id]
    assert by_product.sent[0].reads == [product.inputs[1].value]

"""TensorFlow versions that cannot be traced completely: what is reported, and that the program continues."""

import json
from typing import Any

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.timeout(240)]

# Traces a program, after `BEFORE` has changed TensorFlow; prints what was traced.
TRACED = """
import json
import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, record
from tensorflow.python.eager.polymorphic_function import eager_function_run
{before}
from minitape.tracer.tensorflow import TensorFlow, UntraceableError
from minitape.tracer.tracer import Tracer

try:
    engine = TensorFlow()
except UntraceableError as error:
    print(json.dumps({{"untraceable": error.reason}}))
    raise SystemExit
tracer = Tracer(script=__file__, engine=engine, forgiving=True)
with tracer:
    {program}
ops = [event["name"] for event in tracer.received if event["k"] == "op"]
steps = sum(event["k"] == "back" for event in tracer.received)
print(json.dumps({{"ops": ops, "steps": steps, "notes": engine.notes, "failure": tracer.failure}}))
"""
PLAIN = """
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.square(x)
    assert float(tape.gradient(y, x)) == 6.0
"""
SESSION = """
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        assert session.run(tf.constant(2.0) * 3.0) == 6.0
"""
JACOBIAN = """
    x = tf.Variable(np.ones(100, np.float32))
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.jacobian(y, x).shape == (100, 100)
"""
FUNCTION = """
    @tf.function
    def f(x):
        return x * x
    compiled = f.get_concrete_function(tf.TensorSpec([], tf.float32))
    assert float(compiled(tf.constant(3.0))) == 9.0 == float(f(tf.constant(3.0)))
"""
EAGER_TO_THE_END = """
    ran = []
    @tf.function
    def f(x):
        ran.append(x)
        return x * x
    for _ in range(4):
        f(tf.constant(3.0))
assert len(ran) == 4, "the function was compiled in the middle of the run"
f(tf.constant(3.0))
f(tf.constant(3.0))
assert len(ran) == 5, "the setting outlived the tracer"
if True:
    pass
"""


@pytest.fixture
def receive(copied: Any, tmp_path: Any) -> Any:
    def received(program: str, before: str = "") -> Any:
        page = tmp_path / "program.py"
        page.write_text(TRACED.format(before=before, program=program.strip()), encoding="utf-8")
        return json.loads(copied(page).splitlines()[-1])

    return received


def test_version_without_hooks_is_refused_with_reason(receive: Any) -> None:
    reported = receive(PLAIN, "del backprop._extract_tensors_and_variables")
    assert reported["untraceable"].startswith("TensorFlow 2.")
    assert "_extract_tensors_and_variables" in reported["untraceable"]
    assert "tested versions: 2.15" in reported["untraceable"]


@pytest.mark.parametrize(
    ("gone", "lost"),
    [
        ("del record.record_operation", "the program's own gradient functions are not traced"),
        ("del eager_function_run.run_functions_eagerly", "functions remain graphs"),
    ],
)
def test_missing_hook_disables_only_what_depends_on_it(receive: Any, gone: str, lost: str) -> None:
    reported = receive(PLAIN, gone)
    assert (reported["ops"], reported["steps"], reported["failure"]) == (["Square"], 1, None)
    (note,) = reported["notes"]
    assert lost in note


def test_untested_version_is_named(receive: Any) -> None:
    reported = receive(PLAIN, "tf.__version__ = '9.9.0'")
    assert reported["ops"] == ["Square"]
    assert reported["notes"] == [
        "TensorFlow 9.9.0 was not tested with minitape; tested versions: 2.15, 2.16, 2.18, 2.21."
    ]


def test_unidentifiable_rules_are_reported(receive: Any) -> None:
    other = "pywrap_tfe.TFE_Py_RegisterGradientFunction = lambda function: None"
    reported = receive(PLAIN, other)
    assert (reported["ops"], reported["steps"]) == (["Square"], 0)
    assert any("could not be traced" in each for each in reported["notes"])


def test_tracer_failure_ends_tracing_but_not_the_program(receive: Any) -> None:
    broken = (
        "from minitape.tracer.tensorflow.settings import OpDefinitions\nOpDefinitions.of = None"
    )
    reported = receive(PLAIN, broken)
    assert reported["ops"] == []
    assert reported["failure"].startswith("TypeError")


def test_tracer_failure_does_not_change_how_functions_run(receive: Any) -> None:
    """A compiled function may return zeros where the same function returned None, so the program would not go on as before."""
    broken = (
        "from minitape.tracer.tensorflow.settings import OpDefinitions\nkept = OpDefinitions.of\n"
    )
    broken += "OpDefinitions.of = lambda *given: 1 / 0 if len(ran) > 1 else kept(*given)\nran = []"
    reported = receive(EAGER_TO_THE_END.replace("ran = []", "del ran[:]"), broken)
    assert reported["failure"].startswith("ZeroDivisionError")
    assert "Mul" in reported["ops"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (SESSION, "A TensorFlow 1 session runs graphs"),
        (JACOBIAN, "a Jacobian with more than 64 rows is not shown"),
        (FUNCTION, "remains a graph, so it is traced as one op"),
        (FUNCTION, "ran eagerly while they were traced"),
        (FUNCTION, "Their Python code, such as `print`, ran at each call"),
    ],
)
def test_untraced_computations_are_reported(receive: Any, program: str, said: str) -> None:
    reported = receive(program)
    assert reported["failure"] is None
    assert any(said in each for each in reported["notes"]), reported

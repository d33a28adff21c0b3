"""A recorded trace of TensorFlow is compared with minitape's results; on_tensorflow/record.py explains how to record it."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from traced import run

from minitape.replay import tensorflow
from minitape.replay.reason import Reason
from minitape.trace import events
from minitape.trace.reading import read
from minitape.trace.trace import Trace, encode
from minitape.trace.writing import EventDict
from minitape.verify.audit.auditing import audit
from minitape.verify.audit.report import FaultKind, What

RECORDED = Path(__file__).parent / "on_tensorflow" / "ops.jsonl"


@pytest.fixture(scope="module")
def trace() -> Trace:
    return read(RECORDED)


@pytest.fixture
def received() -> list[EventDict]:
    return [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def test_tensorflow_values_and_gradients_equal_minitapes(trace: Trace) -> None:
    """Despite different kernels, orders of summation, and (for many ops) arguments; no number is excluded."""
    header = trace.of(events.HeaderEvent)[0]
    assert header.engine == "tensorflow"
    report = audit(trace)
    assert report.faults == ()
    assert not report.unaudited
    assert report.audited[What.OPS] == len(trace.of(events.OpEvent))
    assert report.audited[What.STEPS] == len(trace.of(events.BackEvent))
    assert report.audited[What.RESULTS] == len(trace.of(events.ResultEvent))


def test_most_ops_with_different_declarations_are_covered(trace: Trace) -> None:
    there = {op.name for op in trace.of(events.OpEvent)}
    declared = {name for name in there if tensorflow.find(name) is not None}
    assert len(declared) > 35


@pytest.mark.parametrize(
    "name", ["Sum", "StridedSlice", "MatMul", "Conv2D", "ResourceGather", "Mul"]
)
def test_changed_tensorflow_value_is_found(received: list[EventDict], name: str) -> None:
    """The change is in the third digit; different kernels explain only differences in the last digits."""
    op = next(event for event in received if event["k"] == "op" and event["name"] == name)
    numbers = op["outputs"][0]
    numbers["data"] = _larger(numbers["data"])
    faults = audit(Trace.from_dicts(received)).faults
    assert [(fault.kind, fault.event) for fault in faults] == [(FaultKind.OUTPUT, op["i"])]


def _larger(data: object) -> object:
    return [_larger(each) for each in data] if isinstance(data, list) else data * 1.003 + 0.003


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "SparseWonder"}, Reason.UNKNOWN_OP),
        ({"attrs": {"wonder": 3}}, Reason.SETTINGS),
        ({"attrs": {"reduction_indices": "a text"}}, Reason.REFUSED),
        ({"name": "StatelessRandomWonder"}, Reason.RANDOM),
    ],
)
def test_unknown_op_is_counted_but_is_not_a_fault(
    received: list[EventDict], change: EventDict, reason: Reason
) -> None:
    op = next(event for event in received if event["k"] == "op" and event["name"] == "Sum")
    op.update(change)
    report = audit(Trace.from_dicts(received))
    assert report.faults == ()
    assert report.unaudited == Counter({(What.OPS, reason): 1, (What.STEPS, reason): 1})


@pytest.mark.parametrize("engine", ["minitape", "tensorflow"])
def test_softmax_of_nan_is_not_audited_on_tensorflow(engine: str, tmp_path: Path) -> None:
    """On some processors TensorFlow returns 0 beside NaN, and on others NaN only."""
    script = tmp_path / "softmax.py"
    script.write_text(
        "import minitape as tf\ny = tf.nn.softmax(tf.constant([float('nan'), 1.0]))\nz = y * 2.0\n"
    )
    received = [json.loads(encode(event)) for event in run(script).trace]
    received[0]["engine"] = engine
    for name in ("Softmax", "Mul"):
        op = next(event for event in received if event["k"] == "op" and event["name"] == name)
        op["outputs"][0]["data"] = ["NaN", 0.0]
    report = audit(Trace.from_dicts(received))
    if engine == "minitape":
        assert report.faults
    else:
        assert report.faults == ()
        assert report.unaudited[What.OPS, Reason.NAN] == 1


def test_cast_to_bfloat16_is_recomputed() -> None:
    """NumPy alone has no dtype of this name."""
    cast = tensorflow.find("Cast")
    compute = tensorflow.bound(cast, {"dtype": "bfloat16"}, [np.ones(3, np.float32)], "bfloat16")
    assert compute(np.float32(0.1)).dtype == "bfloat16"

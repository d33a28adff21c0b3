"""A trace of TensorFlow held against what minitape computes. It was recorded: on_tensorflow/record.py tells how."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from minitape.replay import tensorflow
from minitape.replay.reason import Reason
from minitape.trace import events
from minitape.trace.reading import read
from minitape.trace.trace import Trace
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


def test_what_tensorflow_computed_and_sent_back_is_what_minitape_does(trace: Trace) -> None:
    """Other kernels, other orders of adding, and for many ops other arguments; not a number is left out."""
    header = trace.of(events.HeaderEvent)[0]
    assert header.engine == "tensorflow"
    report = audit(trace)
    assert report.faults == ()
    assert not report.unaudited
    assert report.audited[What.OPS] == len(trace.of(events.OpEvent))
    assert report.audited[What.STEPS] == len(trace.of(events.BackEvent))
    assert report.audited[What.RESULTS] == len(trace.of(events.ResultEvent))


def test_most_ops_that_are_declared_otherwise_are_among_them(trace: Trace) -> None:
    there = {op.name for op in trace.of(events.OpEvent)}
    declared = {name for name in there if tensorflow.find(name) is not None}
    assert len(declared) > 35


@pytest.mark.parametrize(
    "name", ["Sum", "StridedSlice", "MatMul", "Conv2D", "ResourceGather", "Mul"]
)
def test_a_number_of_tensorflows_that_was_changed_is_found(
    received: list[EventDict], name: str
) -> None:
    """In the third digit: other kernels explain the last ones, and no more."""
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
def test_what_is_not_known_is_counted_and_no_fault(
    received: list[EventDict], change: EventDict, reason: Reason
) -> None:
    op = next(event for event in received if event["k"] == "op" and event["name"] == "Sum")
    op.update(change)
    report = audit(Trace.from_dicts(received))
    assert report.faults == ()
    assert report.unaudited == Counter({(What.OPS, reason): 1, (What.STEPS, reason): 1})


def test_a_cast_to_bfloat16_is_computed_again() -> None:
    """NumPy by itself has no dtype of this name."""
    cast = tensorflow.find("Cast")
    compute = tensorflow.bound(cast, {"dtype": "bfloat16"}, [np.ones(3, np.float32)], "bfloat16")
    assert compute(np.float32(0.1)).dtype == "bfloat16"

"""Comparisons of two engines' traces of one program. Here, the same engine produces both, and numbers are changed."""

import json
from pathlib import Path
from typing import Any

import pytest
from traced import run

from minitape.trace.comparison.closeness import gap, largest
from minitape.trace.comparison.compare import EngineComparison, MatchVerdict, compare
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace, plain

SCRIPT = """\
import minitape as tf
w = tf.Variable([1.0, 2.0])
for step in range(2):
    with tf.GradientTape() as tape:
        y = w * w
        loss = tf.reduce_sum(y)
    slope = tape.gradient(loss, w)
    w.assign_sub(0.1 * slope)
"""


@pytest.fixture
def received(tmp_path: Path) -> Trace:
    return traced(tmp_path, SCRIPT)


def traced(folder: Path, text: str, name: str = "one.py") -> Trace:
    script = folder / name
    script.write_text(text)
    return run(script).trace


def changed(trace: Trace, change: Any) -> Trace:
    """The same trace after applying `change` to each event."""
    events = json.loads(json.dumps([plain(event) for event in trace]))
    return Trace.from_dicts([change(event) or event for event in events])


def verdicts(comparison: EngineComparison) -> dict[int, MatchVerdict]:
    return {line.number: line.verdict for line in comparison.lines}


def test_run_agrees_with_itself(received: Trace) -> None:
    found = compare(received, received)
    assert found.is_alike
    assert not found.is_loose
    assert set(verdicts(found).values()) == {MatchVerdict.AGREES}
    assert [line.iterations for line in found.lines if line.number == 5] == [[2, 2]]
    assert len(found.gradients) == 2


def _twice_the_product(event: dict[str, Any]) -> None:
    if event["k"] == "op" and event["at"][1] in (5, 6):
        _scale(event["outputs"][0], 2.0)


def _scale(numbers: dict[str, Any], by: float) -> None:
    data = numbers["data"]
    numbers["data"] = [x * by for x in data] if isinstance(data, list) else data * by
    for name in ("min", "max", "mean", "std", "l2"):
        numbers[name] *= by


def test_difference_is_reported_where_it_begins(received: Trace) -> None:
    found = compare(received, changed(received, _twice_the_product))
    assert not found.is_alike
    assert verdicts(found)[5] is MatchVerdict.DIFFERS
    assert verdicts(found)[6] is MatchVerdict.FOLLOWS
    line = next(each for each in found.lines if each.number == 5)
    assert line.apart == pytest.approx(0.5)


def test_missing_gradient_is_a_difference(received: Trace) -> None:
    def change(event: dict[str, Any]) -> None:
        if event["k"] == "result":
            event["T"] = None

    found = compare(received, changed(received, change))
    assert [each.verdict for each in found.gradients] == [MatchVerdict.DIFFERS] * 2


def test_other_dtype_is_a_difference(received: Trace) -> None:
    def change(event: dict[str, Any]) -> None:
        if event["k"] == "op" and event["name"] == "Sum":
            event["outputs"][0]["dtype"] = "float64"

    assert verdicts(compare(received, changed(received, change)))[6] is MatchVerdict.FORM


def test_op_recorded_on_one_tape_only_is_a_difference(received: Trace) -> None:
    def change(event: dict[str, Any]) -> None:
        if event["k"] == "op" and event["name"] == "Sum":
            event["recorded"] = []

    assert verdicts(compare(received, changed(received, change)))[6] is MatchVerdict.RECORDED


def test_different_ops_with_same_result_are_not_a_difference(tmp_path: Path) -> None:
    other = SCRIPT.replace("y = w * w", "y = 0.0 + tf.square(w)")
    found = compare(traced(tmp_path, SCRIPT), traced(tmp_path, other))
    assert verdicts(found)[5] is MatchVerdict.OTHER_OPS
    assert found.is_alike
    wrong = SCRIPT.replace("y = w * w", "y = 0.1 + tf.square(w)")
    found = compare(traced(tmp_path, SCRIPT), traced(tmp_path, wrong))
    assert verdicts(found)[5] is MatchVerdict.DIFFERS


def test_line_that_only_one_engine_ran(tmp_path: Path) -> None:
    shorter = SCRIPT.replace("loss = tf.reduce_sum(y)", "loss = y")
    pair = traced(tmp_path, SCRIPT), traced(tmp_path, shorter)
    assert verdicts(compare(*pair))[6] is MatchVerdict.ONLY_FIRST
    assert verdicts(compare(*reversed(pair)))[6] is MatchVerdict.ONLY_SECOND


def test_random_numbers_and_their_results_are_not_compared(tmp_path: Path) -> None:
    script = SCRIPT.replace("y = w * w", "y = w * tf.random.normal([2])")
    found = compare(traced(tmp_path, script), traced(tmp_path, script))
    assert found.is_alike
    assert found.is_loose
    assert verdicts(found)[5] is verdicts(found)[6] is MatchVerdict.RANDOM


def test_growing_rounding_errors_are_distinguished_from_errors(tmp_path: Path) -> None:
    """The inputs are equal within the tolerance, but the results are not."""
    script = "import minitape as tf\nx = tf.constant([{}])\ny = x * 1.0\nz = tf.math.log(y - 1.0)\n"
    one, other = script.format("1.0002"), script.format("1.00021")
    found = compare(traced(tmp_path, one), traced(tmp_path, other))
    assert verdicts(found)[4] is MatchVerdict.GROWN
    assert found.is_alike
    assert found.is_loose


def test_tolerance_hides_small_differences(received: Trace) -> None:
    def change(event: dict[str, Any]) -> None:
        if event["k"] == "op" and event["name"] == "Sum":
            _scale(event["outputs"][0], 1.001)

    other = changed(received, change)
    assert not compare(received, other).is_alike
    assert compare(received, other, tolerance=0.01).is_alike


def numbers(*data: Any, **about: Any) -> Numbers:
    plain = [each for each in data if isinstance(each, int | float) and each == each]
    ends = {"min": min(plain, default=None), "max": max(plain, default=None)}
    rest = dict.fromkeys(("mean", "std", "l2"), 0.0) | dict.fromkeys(("zeros", "nan", "inf"), 0)
    of = {"id": 1, "name": None, "shape": [len(data)], "dtype": "float32", "size": len(data)}
    return Numbers(**of, **ends, **(rest | about), data=list(data))


def test_gap_between_two_tensors() -> None:
    assert gap(numbers(1.0, 100.0), numbers(1.0, 100.0)) == 0.0
    assert gap(numbers(1.0, 100.0), numbers(2.0, 100.0)) == pytest.approx(0.01)
    assert gap(numbers(1e-7), numbers(2e-7)) == pytest.approx(0.5)
    assert gap(numbers(1e-7), numbers(2e-7), 1.0) == pytest.approx(1e-7)
    assert gap(numbers(1.0, nan=1), numbers(1.0)) == float("inf")
    assert gap(numbers("a"), numbers("a")) == 0.0
    assert gap(numbers("a"), numbers("b")) == float("inf")
    nan = float("nan")
    assert gap(numbers(nan, 1.0), numbers(nan, 1.0)) == 0.0
    assert gap(numbers(nan, 1.0), numbers(1.0, nan)) == float("inf")
    assert largest(numbers(-3.0, 2.0)) == 3.0

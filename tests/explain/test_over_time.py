"""A loop is reported as a grid, and the time for explaining a run is proportional to its length."""

import io
import time
from dataclasses import replace
from pathlib import Path

from traced import run

from minitape.explain.explain import explain
from minitape.explain.over_time import as_data, over_time
from minitape.explain.report import Outcome, Report

LATE = """\
import minitape as tf

w = tf.Variable(1.0)
b = tf.Variable(0.5)
for step in range(10):
    with tf.GradientTape() as tape:
        loss = w * 3.0 + (b if step < 4 else float(b))
    tape.gradient(loss, [w, b])
"""

LOST = """\
import minitape as tf

w = tf.Variable(1.0)
b = tf.Variable(0.5)
for step in range(2000):
    with tf.GradientTape() as tape:
        loss = tf.square(w * 3.0 + float(b))
    slope, lost = tape.gradient(loss, [w, b])
    w.assign_sub(0.01 * slope)
"""


def explained(text: str, folder: Path) -> tuple[Report, float, float]:
    """The report, and how many seconds the run and the explanation took."""
    script = folder / "loop.py"
    script.write_text(text)
    start = time.perf_counter()
    ran = run(script, stdout=io.StringIO())
    middle = time.perf_counter()
    report = explain(ran.trace)
    return report, middle - start, time.perf_counter() - middle


def test_iterations_with_equal_outcome_are_one_range(tmp_path: Path) -> None:
    """b is on the tape in iterations 1 to 4, and a plain number from iteration 5 on; w always has a gradient."""
    report, _, _ = explained(LATE, tmp_path)
    (history,) = over_time(report)
    assert history.iterations == 10
    w, b = history.rows
    assert [(each.first, each.last, each.outcome) for each in w.stretches] == [(1, 10, Outcome.OK)]
    assert [(each.first, each.last, each.outcome) for each in b.stretches] == [
        (1, 4, Outcome.OK),
        (5, 10, Outcome.NONE),
    ]
    assert b.stretches[1].codes == ("MT201",)


def test_grid_data_is_as_short_as_the_printed_grid(tmp_path: Path) -> None:
    report, _, _ = explained(LATE, tmp_path)
    (entry,) = as_data(report)
    assert (entry["line"], entry["iterations"]) == (8, 10)
    assert [len(row["stretches"]) for row in entry["rows"]] == [1, 2]


def test_source_has_same_history_alone_as_with_others(tmp_path: Path) -> None:
    """`--source b` omits w from the report; b stays the second source of the call."""
    report, _, _ = explained(LATE, tmp_path)
    calls = tuple(replace(call, sources=call.sources[1:]) for call in report.calls)
    (both,), (alone,) = over_time(report), over_time(replace(report, calls=calls))
    assert alone.rows == both.rows[1:]


def test_call_that_ran_once_has_no_history(tmp_path: Path) -> None:
    report, _, _ = explained(LATE.replace("range(10)", "range(1)"), tmp_path)
    assert over_time(report) == ()


def test_long_loop_is_explained_in_proportional_time(tmp_path: Path) -> None:
    """The work for an iteration must not increase with the number of earlier iterations."""
    report, ran, reported = explained(LOST, tmp_path)
    assert sum(call.has_problem for call in report.calls) == 2000
    assert reported < 2 * ran + 1.0

"""A check runs in the script's process and returns a report."""

import json
import math
import pickle
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from minitape.autodiff.finite_differences import GradientVerdict
from minitape.autodiff.gradcheck import GradientComparison
from minitape.run.outcome import Run
from minitape.run.process import run
from minitape.run.program import of_file
from minitape.verify.check import Checker
from minitape.verify.check_report import CheckedCall, CheckedOp, CheckReport

SCRIPT = """\
import minitape as tf
w = tf.Variable([1.0, 2.0])
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sin(w)) + 0.0 * tf.math.log(w[0] - 1.0)
    tape.gradient(loss, w)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sin(w))
    tape.gradient(loss, {"first": w})
"""


def _ran(folder: Path, text: str) -> Run:
    script = folder / "lesson.py"
    script.write_text(text, encoding="utf-8")
    return run(of_file(script), companion=Checker())


def test_check_runs_with_the_script_and_returns_its_report(tmp_path: Path) -> None:
    ran = _ran(tmp_path, SCRIPT)
    report = CheckReport.of_data(ran.message)
    assert ran.ok
    assert report.ok
    assert [(call.line, call.more) for call in report.calls] == [(6, 2), (9, 2), (6, 0), (9, 0)]
    verdicts = [[each.verdict for each in call.comparisons] for call in report.calls]
    assert verdicts == [[GradientVerdict.UNCHECKED], [GradientVerdict.AGREES]] * 2
    assert [each.source for each in report.calls[1].comparisons] == ["w"]
    assert {op.name: op.verdict for op in report.ops}["Sin"] is GradientVerdict.AGREES


@pytest.mark.parametrize("error", [0.0, math.inf])
def test_report_is_restored_after_transfer(error: float) -> None:
    worst = GradientComparison(
        "w", 1, (2, 3), GradientVerdict.DIFFERS, 1.0, 2.0, error, (0, 1), "why"
    )
    call = CheckedCall(3, 7, "tape.gradient(y, w)", (worst,), 18)
    report = CheckReport((call,), (CheckedOp("Sin", "rule", 4, GradientVerdict.OWN, error, ""),))
    again = CheckReport.of_data(json.loads(json.dumps(report.as_data())))
    assert again == report
    assert not again.ok
    assert [type(each) for each in asdict(again.calls[0].comparisons[0]).values()][
        3
    ] is GradientVerdict


def test_process_that_exited_early_has_no_report(tmp_path: Path) -> None:
    ran = _ran(tmp_path, f"import os\n{SCRIPT}os._exit(0)\n")
    assert ran.message is None
    assert CheckReport.of_data(ran.message).is_lost


def test_code_sent_to_the_script_needs_no_trace_reader(tmp_path: Path) -> None:
    """The Python that runs a script may have NumPy and nothing else."""
    from minitape.verify.perturber import Perturber

    companions = tmp_path / "companions"
    companions.write_bytes(pickle.dumps((Checker(), Perturber("op", 1, 1, True, 0.1)), protocol=4))
    text = f"""
import pickle, sys
sys.modules["msgspec"] = sys.modules["minitape.explain"] = None
sys.modules["minitape.trace.trace"] = sys.modules["minitape.run.process"] = None
for each in pickle.load(open({str(companions)!r}, "rb")):
    with each:
        pass
    print(each.message(()))
"""
    ran = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=False, cwd=Path.cwd()
    )
    assert ran.stderr == ""
    assert ran.stdout == "{'calls': [], 'ops': []}\nNone\n"

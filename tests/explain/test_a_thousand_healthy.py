"""A thousand healthy programs without findings: written by `writer.py`, and collected; `pytest -s` prints how many.

That a written one is healthy is a fact: each gradient is held against differences of its target, on minitape here and for one of
each kind under TensorFlow. The collected ones are the healthy cases, lessons, examples, guides, and the solutions of the course.
"""

import io
import os
import subprocess
import warnings
from pathlib import Path

import pytest
from explain import writer
from explain.judge import CASES
from explain.programs import PROGRAMS, REVIEWED, ROOT
from explain.writer import RECIPES, unsound, written
from traced import run, traced

import minitape as tf
from minitape.explain.explain import explain
from minitape.explain.report import Report

pytestmark = pytest.mark.one_in(8)

_AT_ONCE = 2 * len(RECIPES)
_SEEDS = range(0, 22 * len(RECIPES), _AT_ONCE)
_SOLVED = {
    path.relative_to(ROOT).as_posix(): path
    for path in sorted((ROOT / "tests" / "solutions").rglob("*.py"))
}
# Exercises that lose a gradient, and ask why.
_LOST_ON_PURPOSE = {
    "03_who_is_watched/ex1_predict.py",
    "03_who_is_watched/ex3_only.py",
    "07_pause_and_rewind/ex4_the_branch.py",
    "08_tapes_inside_tapes/ex4_who_records.py",
    "12_train_an_mlp/ex4_zero_start.py",
}
_SOUND = [name for name in _SOLVED if "/".join(Path(name).parts[-2:]) not in _LOST_ON_PURPOSE]


def reported(report: Report) -> list[str]:
    """Everything that is reported about a program."""
    return [
        f"line {call.location.line}: {source.name}: {finding.slug} at {finding.location}"
        for call in report.calls
        for source in call.sources
        for finding in source.findings
    ]


@pytest.mark.parametrize("first", _SEEDS)
def test_no_finding_in_a_program_with_correct_gradients(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + _AT_ONCE):
        program = written(seed)
        assert unsound(program, tf) == "", f"program {seed} is not healthy:\n{program.text}"
        ran = traced(program.text, tmp_path)
        assert ran.error is None and ran.report.calls, f"{ran.error!r}\n{program.text}"
        assert reported(ran.report) == [], f"program {seed}:\n{program.text}"


@pytest.mark.parametrize("name", _SOUND)
def test_no_finding_in_a_solution(name: str) -> None:
    tf.keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ran = run(_SOLVED[name], on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
    assert ran.ok, ran.error.text if ran.error else ran.limit
    assert reported(explain(ran.trace)) == []


def test_there_are_a_thousand_programs() -> None:
    """`test_cases.py` checks the healthy cases, `test_healthy.py` the programs that ship with minitape."""
    counts = {
        "written": len(_SEEDS) * _AT_ONCE,
        "cases": sum(not case.causes for case in CASES.values()),
        "lessons, examples and guides": len(PROGRAMS.keys() - REVIEWED.keys()),
        "solutions": len(_SOUND),
    }
    healthy = sum(counts.values())
    print(f"{healthy} healthy programs without a finding: {counts}")
    assert healthy >= 1000
    assert (
        len({written(seed).text for first in _SEEDS for seed in range(first, first + _AT_ONCE)})
        == (counts["written"])
    )


@pytest.mark.tensorflow
def test_one_program_of_each_kind_is_healthy_on_tensorflow(tensorflow_python: str) -> None:
    ran = subprocess.run(
        [tensorflow_python, writer.__file__, "tensorflow", str(len(RECIPES))],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        env=os.environ | {"PYTHONPATH": ""},
    )
    assert ran.stdout == ""

"""The explainer's results for every program that comes with minitape, and for the programs of the guides and benchmarks.

`reviewed.json` has each finding that is right, with the reason; each was reviewed. Programs and calls that are not in it are
healthy, so any finding about them is a false alarm. None of them may have a note, except for one whose note is tested.
"""

import importlib
import io
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from explain.programs import PROGRAMS, REVIEWED, ROOT, noted, reviewed, said_in
from traced import run

import minitape as tf
from minitape.explain.explain import explain

pytestmark = pytest.mark.one_in(8)

SOLUTIONS = {
    path.relative_to(ROOT).as_posix(): path
    for path in sorted((ROOT / "tests" / "solutions").glob("*/*.py"))
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_solution_of_the_course_has_no_note(name: str) -> None:
    """The checks of the solution are tested elsewhere; as a program, it trains well."""
    tf.keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ran = run(SOLUTIONS[name], on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
    assert explain(ran.trace).notes == ()


@pytest.mark.parametrize("name", PROGRAMS)
def test_findings_are_the_reviewed_ones(name: str) -> None:
    tf.keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the guides also contain mistakes
        ran = run(PROGRAMS[name], on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
    assert ran.ok, ran.error.text if ran.error else ran.limit
    report = explain(ran.trace)
    assert sorted(said_in(report)) == sorted(reviewed(name))
    notes = {(note.call.line, note.code, note.location.line) for note in report.notes}
    assert notes == noted(name)


def test_each_entry_names_a_program_and_a_reason() -> None:
    assert set(REVIEWED) <= set(PROGRAMS)
    entries = [(name, entry) for name, given in REVIEWED.items() for entry in given]
    assert [name for name, entry in entries if len(entry["because"].split()) < 4] == []


def test_most_programs_are_healthy() -> None:
    """Otherwise the list above would prove little about false alarms."""
    assert len(PROGRAMS.keys() - REVIEWED.keys()) > len(PROGRAMS) / 2


# --- the programs of the benchmarks ---


@pytest.fixture
def ruler(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """The workloads and their programs for minitape, from the folder of the benchmarks."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    names = "workloads", "with_tape"
    yield tuple(map(importlib.import_module, names))
    for name in names:
        del sys.modules[name]


def test_benchmark_program_has_no_finding(ruler: tuple[Any, Any]) -> None:
    """The sizes are small, because the findings do not depend on them."""
    workloads, programs = ruler
    programs.load("minitape")
    for workload in workloads.WORKLOADS:
        if workload.kind == "start":
            continue
        small = replace(workload, size=min(workload.size, 300))
        work = getattr(programs, small.program)(workloads.inputs(small))
        with tf.debug.record():
            work()
            answer = tf.why()
            # A plain tanh of 200 steps, with the loss at the last step, does forget the first steps.
            forgets = workload.title.startswith("recurrent network, 200 steps")
            noted = [note.slug for note in answer.report.notes]
            assert answer.ok, f"{workload.title}: {answer}"
            assert noted == ["vanishing-steps"] * forgets, f"{workload.title}: {answer}"

"""What the explainer says about every program that ships with minitape, and about those of the guides and the ruler.

`reviewed.json` has each finding that is right, with the reason why it is true; somebody looked at each. What is not in it is a
healthy program, or a healthy call, and there any finding is a false alarm. Nothing is to be noted of any of them,
but of one that is measured.
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
def test_nothing_is_noted_of_a_solution_of_the_course(name: str) -> None:
    """What its checks want of a solution is tried elsewhere; as a program it trains as one should."""
    tf.keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ran = run(SOLUTIONS[name], on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
    assert explain(ran.trace).notes == ()


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_said_of_a_program_is_what_was_found_to_be_true(name: str) -> None:
    tf.keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the guides show mistakes too
        ran = run(PROGRAMS[name], on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
    assert ran.ok, ran.error.text if ran.error else ran.limit
    report = explain(ran.trace)
    assert sorted(said_in(report)) == sorted(reviewed(name))
    notes = {(note.call.line, note.code, note.location.line) for note in report.notes}
    assert notes == noted(name)


def test_each_entry_is_of_a_program_and_says_why_it_is_true() -> None:
    assert set(REVIEWED) <= set(PROGRAMS)
    entries = [(name, entry) for name, given in REVIEWED.items() for entry in given]
    assert [name for name, entry in entries if len(entry["because"].split()) < 4] == []


def test_most_programs_are_healthy() -> None:
    """Else the list above would prove little about false alarms."""
    assert len(PROGRAMS.keys() - REVIEWED.keys()) > len(PROGRAMS) / 2


# --- the programs of the ruler ---


@pytest.fixture
def ruler(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """The workloads and the text of them for minitape, from the folder of the benchmarks."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    names = "workloads", "with_tape"
    yield tuple(map(importlib.import_module, names))
    for name in names:
        del sys.modules[name]


def test_a_measured_program_raises_no_alarm(ruler: tuple[Any, Any]) -> None:
    """At small sizes: what is said does not depend on them."""
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
            # 200 steps of a plain tanh with the loss at the last: it does forget the first ones.
            forgets = workload.title.startswith("recurrent network, 200 steps")
            noted = [note.slug for note in answer.report.notes]
            assert answer.ok, f"{workload.title}: {answer}"
            assert noted == ["vanishing-steps"] * forgets, f"{workload.title}: {answer}"

"""minitape does what TensorFlow was recorded to do: case by case, without TensorFlow."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from outcomes import Outcome, disagreements, observe
from programs import PAGES, TAPE_PAGES, cases
from programs.case import Case

RECORDED = Path(__file__).parent / "recorded"


def recorded(page: str) -> dict[str, Any]:
    pages: dict[str, Any] = json.loads((RECORDED / f"{page}.json").read_text(encoding="utf-8"))
    return dict(pages["cases"])


@dataclass(frozen=True)
class Replayed:
    """One program, as it was recorded."""

    page: str
    name: str
    record: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.page}-{self.name}"


ALL = [
    Replayed(page, name, record)
    for page in dict.fromkeys(PAGES)
    for name, record in recorded(page).items()
]


def one_in(page: str) -> int:
    """All except the longest module are replayed in each run: hardly any other tests detect as much in as little time."""
    return 6 if page == "odd_arguments" else 1


@pytest.mark.together("replayed", ALL, by=lambda each: each.page, one_in=one_in)
def test_minitape_equals_tensorflow(replayed: Replayed) -> None:
    """Same values, same Nones, same types, dtypes and shapes, same exception classes."""
    import minitape as tf  # a module that cannot be imported fails each case, by name

    page, name, record = replayed.page, replayed.name, replayed.record
    case = cases(page)[name]
    outcome = observe(case, tf)
    wrong = differences(case, outcome, record)
    if wrong:
        received = f" (warnings: {outcome.warned})" if outcome.warned else ""
        raise AssertionError(f"{page}: {name}: " + "; ".join(wrong) + received) from outcome.error


def differences(case: Case, outcome: Outcome, record: dict[str, Any]) -> list[str]:
    """What is wrong with an outcome, as sentences; a deliberate difference is expected."""
    expected = dict(record)
    warns = set(expected.pop("warns", []))
    if case.difference is not None:
        warns |= set(case.difference.warns)
        if case.difference.raises is not None:
            expected = {"raises": [case.difference.raises]}
        elif case.difference.gives is not None:
            expected = {"result": case.difference.gives}
    ours = dict(outcome.record)
    warned = set(ours.pop("warns", []))
    wrong = list(in_what_came_back(ours, expected, case.rtol, outcome))
    if warned != warns:
        wrong.append(f"warns {sorted(warned)}, expected {sorted(warns)}")
    return wrong


def in_what_came_back(
    ours: dict[str, Any], expected: dict[str, Any], rtol: float | None, outcome: Outcome
) -> list[str]:
    """Compare result with result, or exception with exception."""
    said = str(outcome.error).splitlines()[:1]
    if "raises" not in expected:
        if "raises" in ours:
            return [f"raises {ours['raises'][0]}: {said}"]
        return list(disagreements(ours["result"], expected["result"], rtol))
    wanted = expected["raises"][0]
    if "raises" not in ours:
        return [f"returns {str(ours['result'])[:120]}, TensorFlow raises {wanted}"]
    if wanted not in ours["raises"]:
        return [f"raises {ours['raises'][0]} {said}, TensorFlow raises {wanted}"]
    return []


@pytest.mark.together("page", PAGES)
def test_each_program_is_recorded(page: str) -> None:
    """A case without a record would never be replayed: run `record.py` after writing one."""
    assert sorted(cases(page)) == sorted(recorded(page))


def test_at_least_300_tape_cases_are_recorded() -> None:
    assert sum(len(recorded(page)) for page in TAPE_PAGES) >= 300


@pytest.mark.together("page", PAGES)
def test_each_deliberate_difference_differs(page: str) -> None:
    """A marked difference from TensorFlow that does not exist would hide the next one."""
    records = recorded(page)
    for name, case in cases(page).items():
        if case.difference is None:
            continue
        same = Case(name, case.program, rtol=case.rtol)
        assert differences(same, expected_outcome(case, records[name]), records[name]), name


def expected_outcome(case: Case, record: dict[str, Any]) -> Outcome:
    """The outcome that a deliberate difference specifies."""
    said = case.difference
    assert said is not None
    assert said.because
    announced = dict(record)
    if said.raises is not None:
        announced = {"raises": [said.raises]}
    elif said.gives is not None:
        announced = {"result": said.gives}
    announced["warns"] = sorted({*record.get("warns", []), *said.warns})
    return Outcome(announced)

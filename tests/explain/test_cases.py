"""The explainer on scripts as students write them: each cause in `cases/`, and healthy scripts that only look suspicious.

The expectations are in `cases/*/expected.json`; `verify.py` checks them under real TensorFlow.
"""

import audits
from explain import judge
from explain.judge import CASES, explained, of_each_case

MISSED = [name for name, case in CASES.items() if case.is_missed]
FOUND = [name for name, case in CASES.items() if not case.is_missed]
BROKEN = [name for name in FOUND if CASES[name].causes]
HEALTHY = [name for name, case in CASES.items() if not case.causes]


@of_each_case(CASES)
def test_script_runs_as_far_as_under_tensorflow(name: str) -> None:
    assert not judge.unfit_to_run(CASES[name], explained(name))


@of_each_case(FOUND)
def test_outcome_of_each_source_is_reported(name: str) -> None:
    assert not judge.wrong_outcomes(CASES[name], explained(name))


@of_each_case(BROKEN)
def test_cause_is_named_on_the_line_a_teacher_would_choose(name: str) -> None:
    assert not judge.wrong_findings(CASES[name], explained(name))


@of_each_case(MISSED)
def test_known_miss_is_still_missed(name: str) -> None:
    """After a fix, remove `missed` from the case."""
    assert judge.complaints(CASES[name])


@of_each_case(BROKEN)
def test_source_with_correct_gradient_has_no_finding(name: str) -> None:
    assert not judge.false_alarms(CASES[name], explained(name))


@of_each_case(BROKEN)
def test_message_names_source_and_line_and_says_what_to_write(name: str) -> None:
    assert not judge.poor_words(CASES[name], explained(name))


@of_each_case(CASES)
def test_audit_of_the_trace_equals_stored_result(name: str) -> None:
    assert audits.found(explained(name).ran.trace) == audits.kept("explain", name)


@of_each_case(HEALTHY)
def test_healthy_script_has_no_finding(name: str) -> None:
    assert not judge.false_alarms(CASES[name], explained(name))


@of_each_case([name for name in CASES if "@" not in name])
def test_notes_are_those_a_teacher_would_add(name: str) -> None:
    assert not judge.wrong_notes(CASES[name], explained(name))


def test_each_script_has_an_expectation_and_vice_versa() -> None:
    scripts = sorted((judge.HERE / "cases").glob("*/*.py"))
    assert scripts == sorted(script for script, _ in judge.pages())


def test_script_names_are_unique() -> None:
    names = [script.stem for script, _ in judge.pages()]
    assert len(set(names)) == len(names)

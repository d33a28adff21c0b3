"""The explainer on scripts that students write: each cause in `cases/`, and healthy scripts that only look suspicious.

What is expected stands in `cases/*/expected.json`; `verify.py` checks it under real TensorFlow.
"""

import audits
from explain import judge
from explain.judge import CASES, explained, of_each_case

MISSED = [name for name, case in CASES.items() if case.is_missed]
FOUND = [name for name, case in CASES.items() if not case.is_missed]
BROKEN = [name for name in FOUND if CASES[name].causes]
HEALTHY = [name for name, case in CASES.items() if not case.causes]


@of_each_case(CASES)
def test_the_script_runs_as_far_as_under_tensorflow(name: str) -> None:
    assert not judge.unfit_to_run(CASES[name], explained(name))


@of_each_case(FOUND)
def test_the_outcome_of_each_source_is_told(name: str) -> None:
    assert not judge.wrong_outcomes(CASES[name], explained(name))


@of_each_case(BROKEN)
def test_the_cause_is_named_on_the_line_a_teacher_would_point_to(name: str) -> None:
    assert not judge.wrong_findings(CASES[name], explained(name))


@of_each_case(MISSED)
def test_what_is_known_to_be_missed_is_missed_still(name: str) -> None:
    """Whoever mends it takes `missed` out."""
    assert judge.complaints(CASES[name])


@of_each_case(BROKEN)
def test_sources_with_a_sound_gradient_are_left_alone(name: str) -> None:
    assert not judge.false_alarms(CASES[name], explained(name))


@of_each_case(BROKEN)
def test_the_words_name_the_place_and_say_what_to_write_instead(name: str) -> None:
    assert not judge.poor_words(CASES[name], explained(name))


@of_each_case(CASES)
def test_the_trace_of_a_script_is_audited_as_written_down(name: str) -> None:
    assert audits.found(explained(name).ran.trace) == audits.kept("explain", name)


@of_each_case(HEALTHY)
def test_a_healthy_script_raises_no_alarm(name: str) -> None:
    assert not judge.false_alarms(CASES[name], explained(name))


@of_each_case([name for name in CASES if "@" not in name])
def test_what_is_noted_of_a_script_is_what_a_teacher_would_note(name: str) -> None:
    assert not judge.wrong_notes(CASES[name], explained(name))


def test_each_script_has_an_expectation_and_each_expectation_a_script() -> None:
    scripts = sorted((judge.HERE / "cases").glob("*/*.py"))
    assert scripts == sorted(script for script, _ in judge.pages())


def test_no_two_scripts_have_the_same_name() -> None:
    names = [script.stem for script, _ in judge.pages()]
    assert len(set(names)) == len(names)

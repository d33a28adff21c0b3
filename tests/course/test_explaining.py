"""When an explanation is offered, the line that it names, and the hint that comes first."""

from pathlib import Path

import pytest
from msgspec import structs

from minitape.course.attempts import attempt
from minitape.course.course import Misconception, course
from minitape.course.explaining import first_hint, is_offered, within_block
from minitape.course.progress import ExerciseProgress
from minitape.course.workspace import Workspace
from minitape.explain.explain import explain

CLINIC = course().lesson("06").exercises


@pytest.mark.parametrize(
    ("mode", "failures", "requested", "offered"),
    [
        ("always", 0, False, True),
        ("second", 1, True, False),
        ("second", 2, False, True),
        ("request", 5, False, False),
        ("request", 0, True, True),
        ("never", 9, True, False),
    ],
)
def test_exercise_determines_when_an_explanation_is_offered(
    mode: str, failures: int, requested: bool, offered: bool
) -> None:
    exercise = structs.replace(CLINIC[0], explanation=mode)
    entry = ExerciseProgress(failures=failures)
    assert is_offered(exercise, entry, requested=requested) == offered


def test_only_a_changed_file_counts_as_an_attempt(workspace: Workspace) -> None:
    exercise = workspace.course.exercise("1/2")
    file = workspace.file(exercise)
    for text, failures in (("", 0), ("\nz = 1\n", 1), ("", 1), ("\nz = 2\n", 2)):
        file.write_text(file.read_text() + text)
        workspace.progress.tried(workspace.course, exercise, file, attempt(exercise, file))
        assert workspace.progress.entry(exercise).failures == failures


def test_fix_of_the_first_clinic_case_is_in_the_block_and_passes(tmp_path: Path) -> None:
    patient = CLINIC[0]
    text = patient.starter.read_text(encoding="utf-8")
    came = attempt(patient, patient.starter)
    (call,) = within_block(explain(came.trace), text).calls
    (finding,) = call.sources[0].findings
    assert finding.fix == "add `tape.watch(picture)` as the first line of the `with` block"
    opened = "    with tf.GradientTape() as tape:\n"
    assert opened in text and finding.location.line == call.location.line
    file = tmp_path / f"{patient.name}.py"
    file.write_text(text.replace(opened, f"{opened}        tape.watch(picture)\n"), "utf-8")
    assert attempt(patient, file).ok


def test_untouched_clinic_cases_show_their_symptom() -> None:
    assert all(each.symptom and each.explanation == "second" for each in CLINIC)


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        (Misconception(hint="h", typed={"slope": 9.0}), True),
        (Misconception(hint="h", typed={"slope": 8.0}), False),
        (Misconception(hint="h", writes=r"slope\s*=\s*9"), True),
        (Misconception(hint="h", writes="import minitape"), False),  # outside the block
        (Misconception(hint="h", check="prediction"), True),
        (Misconception(hint="h", code="MT201"), False),
        (Misconception(hint="h", check="prediction", typed={"slope": 8.0}), False),
    ],
)
def test_misconception_needs_all_its_conditions(
    condition: Misconception, fits: bool, workspace: Workspace
) -> None:
    exercise = structs.replace(workspace.course.exercise("1/1"), misconceptions=(condition,))
    text = exercise.starter.read_text(encoding="utf-8")
    entry = ExerciseProgress(latest=("prediction",))
    answered = text.replace("slope = ...", "slope = 9.0")
    assert first_hint(exercise, entry, answered) == ("h" if fits else None)
    assert first_hint(exercise, entry, text) is None

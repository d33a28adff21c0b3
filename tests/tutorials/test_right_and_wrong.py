"""Right answers pass in every form, and wrong ones are refused with a sentence that gives nothing away."""

from pathlib import Path

import pytest
import together
from right_and_wrong import GIVEN_AWAY, RIGHT, WRONG, Change, changed, mechanical

from minitape.course.attempts import Status, attempt
from minitape.course.course import Exercise, course

COURSE = course()
SOLUTIONS = Path(__file__).parents[1] / "solutions"
FORMS = [(COURSE.exercise(name), change) for name, changes in RIGHT.items() for change in changes]


def solution(exercise: Exercise) -> str:
    return (SOLUTIONS / f"{exercise.id}.py").read_text(encoding="utf-8")


def passes(exercise: Exercise, text: str, folder: Path, seeds: int) -> None:
    file = folder / f"{exercise.name}.py"
    file.write_text(text, encoding="utf-8")
    came = attempt(exercise, file, seed=0, iterations=seeds, patience=5.0)
    assert came.ok, (came.seed, came.message, came.failed)


@pytest.mark.parametrize(
    ("exercise", "change"),
    together.sampled(FORMS, 8),
    ids=lambda value: value.short if isinstance(value, Exercise) else None,
)
def test_other_forms_of_a_right_answer_pass(
    exercise: Exercise, change: Change, tmp_path: Path
) -> None:
    passes(exercise, changed(solution(exercise), change), tmp_path, 100)


@pytest.mark.parametrize(
    "exercise", together.sampled(COURSE.exercises, 8), ids=lambda each: each.short
)
def test_changes_that_do_not_affect_an_answer_are_ignored(
    exercise: Exercise, tmp_path: Path
) -> None:
    if exercise.short == "13/ex1":
        pytest.skip("a form of it takes as long as its solution, which test_material runs")
    for text in mechanical(solution(exercise)).values():
        passes(exercise, text, tmp_path, 3)


@pytest.mark.parametrize(("name", "change", "sentence"), WRONG)
def test_wrong_answer_is_rejected_without_revealing_the_solution(
    name: str, change: Change, sentence: str, tmp_path: Path
) -> None:
    exercise = COURSE.exercise(name)
    file = tmp_path / f"{exercise.name}.py"
    file.write_text(changed(solution(exercise), change), encoding="utf-8")
    came = attempt(exercise, file, seed=3)
    assert came.status is Status.FAILED, came
    said = " ".join(f"{each.what} {each.fix}" for each in came.checks if not each.ok)
    assert sentence in said
    assert not any(secret in said for secret in GIVEN_AWAY.get(name, ()))

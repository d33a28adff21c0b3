"""The course that ships: each starter fails as it says, each solution passes, whatever is drawn."""

from pathlib import Path

import pytest
import together

from minitape.course.authoring.lint import tried, written
from minitape.course.course import Exercise, Lesson, course

COURSE = course()
SOLUTIONS = Path(__file__).parents[1] / "solutions"


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.name)
def test_a_lesson_is_written_as_it_should_be(lesson: Lesson) -> None:
    """Hints among it: three, short, and without a piece of the answer."""
    assert list(map(str, written(lesson, SOLUTIONS))) == []


@pytest.mark.parametrize(
    "exercise", together.sampled(COURSE.exercises, 3), ids=lambda exercise: exercise.id
)
def test_a_starter_fails_as_it_declares_and_a_solution_passes_with_many_seeds(
    exercise: Exercise, request: pytest.FixtureRequest
) -> None:
    iterations = 200 if request.config.getoption("--whole") else 2
    assert list(map(str, tried(exercise, SOLUTIONS, iterations=iterations))) == []


def test_no_solution_is_left_over() -> None:
    kept = {
        path.relative_to(SOLUTIONS).with_suffix("").as_posix() for path in SOLUTIONS.rglob("*.py")
    }
    assert kept <= {exercise.id for exercise in COURSE.exercises}

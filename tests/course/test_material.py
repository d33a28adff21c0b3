"""In the course that comes with minitape, each starter fails as declared and each solution passes, with any seed."""

from pathlib import Path

import pytest
import together

from minitape.course.authoring.lint import tried, written
from minitape.course.course import Exercise, Lesson, course

COURSE = course()
SOLUTIONS = Path(__file__).parents[1] / "solutions"


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.name)
def test_lesson_passes_lint(lesson: Lesson) -> None:
    """This includes its hints: there are three, they are short, and they contain no part of the answer."""
    assert list(map(str, written(lesson, SOLUTIONS))) == []


@pytest.mark.parametrize(
    "exercise", together.sampled(COURSE.exercises, 3), ids=lambda exercise: exercise.id
)
def test_starters_fail_as_declared_and_solutions_pass_with_many_seeds(
    exercise: Exercise, request: pytest.FixtureRequest
) -> None:
    iterations = 200 if request.config.getoption("--whole") else 2
    assert list(map(str, tried(exercise, SOLUTIONS, iterations=iterations))) == []


def test_every_solution_has_its_exercise() -> None:
    kept = {
        path.relative_to(SOLUTIONS).with_suffix("").as_posix() for path in SOLUTIONS.rglob("*.py")
    }
    assert kept <= {exercise.id for exercise in COURSE.exercises}

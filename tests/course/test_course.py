"""Reading a course: exercises are found by the names that students type, and mistakes in its files are reported."""

from pathlib import Path

import pytest

from minitape.course.authoring import lint, new
from minitape.course.course import course, lesson
from minitape.errors import CourseError


@pytest.mark.parametrize(
    "name",
    ["01_first/ex2_lost", "01/ex2", "1/2", "ex2_lost", "ex2", "01_first/ex2_lost.py", "ex2_l"],
)
def test_exercise_is_found_by_what_students_type(small_course_folder: Path, name: str) -> None:
    assert course(small_course_folder).exercise(name).id == "01_first/ex2_lost"


@pytest.mark.parametrize("name", ["1", "01", "01_first"])
def test_lesson_is_found_by_its_number_or_name(small_course_folder: Path, name: str) -> None:
    exercises = course(small_course_folder).of_lesson(name)
    assert [each.id for each in exercises] == ["01_first/ex1_guess", "01_first/ex2_lost"]
    assert course(small_course_folder).of_lesson("9") == ()


def test_unknown_or_ambiguous_name_is_reported_with_the_nearest(small_course_folder: Path) -> None:
    with pytest.raises(CourseError, match="this course has no ex2_lots") as unknown:
        course(small_course_folder).exercise("ex2_lots")
    assert unknown.value.fix == "use 01_first/ex2_lost"
    with pytest.raises(CourseError, match="ex1 can mean 01_first/ex1_guess, 02_second/ex1_even"):
        course(small_course_folder).exercise("ex1")
    with pytest.raises(CourseError, match="no lesson 9"):
        course(small_course_folder).exercise("9/1")
    with pytest.raises(CourseError, match="is a notebook, not the name of an exercise"):
        course(small_course_folder).exercise("notebooks/01_first/ex1_guess.ipynb")


def test_tracks_select_exercises(small_course_folder: Path) -> None:
    assert [each.short for each in course(small_course_folder).track("fast")] == [
        "01/ex1",
        "02/ex1",
    ]
    assert len(course(small_course_folder).track()) == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "prediction"', 'kind = "guess"', "Invalid value 'guess'"),
        ("computed", "computes", "computes"),
        ("starts_with", "starts_wiht", "starts_wiht"),
        ('goal = "', 'gaol = "', "gaol"),
        ("minutes = 2", 'minutes = "two"', "minutes"),
        ("hints = [", "hints = ", "TOML"),
    ],
)
def test_mistake_in_a_lesson_toml_is_reported_with_its_position(
    small_course_folder: Path, old: str, new: str, said: str
) -> None:
    toml = small_course_folder / "01_first" / "lesson.toml"
    toml.write_text(toml.read_text().replace(old, new, 1))
    with pytest.raises(CourseError) as raised:
        lesson(toml.parent)
    assert said in raised.value.what and "01_first" in raised.value.what


# --- lint ---


def test_good_lesson_passes_lint(small_course_folder: Path) -> None:
    for each in course(small_course_folder).lessons:
        assert list(lint.linted(each, small_course_folder / "solutions")) == []


def test_new_course_passes_lint(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert {path.suffix for path in new.written(folder)} == {".py", ".toml"}
    (one,) = course(folder).lessons
    assert list(lint.linted(one, folder / "solutions")) == []
    with pytest.raises(CourseError, match="not empty"):
        new.written(folder)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("lesson.toml", '"a twin"', '"a twin", "one more"', "has 4 hints, but needs 3"),
        ("lesson.toml", '"a twin"', '"1\\n2\\n3\\n4\\n5\\n6"', "hint 3 must have 1 to 5 lines"),
        (
            "lesson.toml",
            '"a place"',
            '"write slope = 6.0"',
            "hint 2 reveals a part of the solution",
        ),
        ("lesson.toml", 'debrief = "What **ex1_guess** leaves."', 'debrief = ""', "no debrief"),
        ("lesson.toml", 'starts_with = "MT201"', 'starts_with = "MT999"', "MT999 is not a code"),
        (
            "lesson.toml",
            'track = "fast"',
            "",
            "exactly one exercise in the fast track; this one has 0",
        ),
        ("lesson.toml", 'name = "ex1_guess"', f'name = "{"x" * 500}"', "no such file"),
        ("ex1_guess.py", "# END", "# THE END", "exactly one block to edit"),
        (
            "ex1_guess.py",
            "tape.gradient(y, x)",
            "tf.no_such_thing(y)",
            "TensorFlow has no tf.no_such",
        ),
        (
            "ex1_guess.py",
            "import minitape as tf",
            "import minitape",
            "the name `minitape` must occur exactly once",
        ),
        ("ex1_guess.py", "slope = ...", "slope = (", "is not valid Python"),
        ("ex1_guess.py", "# # 1.1 A guess", "# A guess", "Markdown cell that has a title"),
    ],
)
def test_revealed_answer_in_the_text_is_found(
    small_course_folder: Path, file: str, old: str, new: str, said: str
) -> None:
    path = small_course_folder / "01_first" / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    faults = [
        fault.what for fault in lint.written(lesson(path.parent), small_course_folder / "solutions")
    ]
    assert len(faults) == 1
    assert said in faults[0]


def test_passing_starter_and_failing_solution_are_found(small_course_folder: Path) -> None:
    starter = small_course_folder / "01_first" / "ex1_guess.py"
    solution = small_course_folder / "solutions" / "01_first" / "ex1_guess.py"
    starter.write_text(solution.read_text())
    solution.write_text(solution.read_text().replace("slope = 6.0", "slope = 5.0"))
    exercise = course(small_course_folder).exercise("1/1")
    first, second = lint.tried(exercise, small_course_folder / "solutions")
    assert first.what.startswith("it should fail with prediction; it passed")
    assert second.what.startswith("it should pass; status failed; prediction: `slope = 5` is not")

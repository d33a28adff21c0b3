"""Grading a class: the files that are found in submissions, and the content of the rows."""

import csv
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from classes import GOOD, hand_in

from minitape.course.course import Course, course
from minitape.course.grading.answers import SubmittedAnswer, answers, hints
from minitape.course.grading.items import identical, items, totals
from minitape.course.grading.reports import csv_row, junit, wide
from minitape.course.grading.rows import GradeRow, GradingRun, Journal
from minitape.course.grading.submissions import SubmissionPattern, found
from minitape.course.notebooks import notebook
from minitape.errors import CourseError

Handed = Callable[..., dict[str, dict[str, SubmittedAnswer]]]


@pytest.fixture
def small_course(small_course_folder: Path) -> Course:
    return course(small_course_folder)


@pytest.fixture
def class_folder(tmp_path: Path) -> Path:
    """The folder of the class."""
    folder = tmp_path / "class"
    folder.mkdir()
    return folder


@pytest.fixture
def submitted_answers(small_course: Course, class_folder: Path) -> Handed:
    """Return the submitted files, by student and then by the short name of the exercise."""

    def requested(layout: str | None = None) -> dict[str, dict[str, SubmittedAnswer]]:
        submissions = found(
            [class_folder], small_course, None if layout is None else SubmissionPattern(layout)
        )
        return {
            each.student: {
                a.exercise.short: a for a in answers(each, small_course, small_course.exercises)
            }
            for each in submissions
        }

    return requested


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_student_is_a_folder_a_zip_a_notebook_or_a_script(
    class_folder: Path, submitted_answers: Handed
) -> None:
    hand_in(class_folder, "anna", GOOD, "01_first/ex1_guess.py")
    zipped(class_folder / "béla.zip", {"my course/01_first/ex1_guess.py": GOOD})
    (class_folder / "cem_ex1_guess.ipynb").write_text(json.dumps(notebook(GOOD)))
    (class_folder / "dora ex1_guess.py").write_text(GOOD)
    who = submitted_answers()
    assert list(who) == ["anna", "béla", "cem_ex1_guess", "dora ex1_guess"]
    assert all(each["01/ex1"].text for each in who.values())
    assert all(each["02/ex1"].text is None for each in who.values())


def test_file_under_another_name_is_recognized_by_its_heading(
    class_folder: Path, submitted_answers: Handed, small_course: Course
) -> None:
    starter = small_course.exercise("2/1").starter.read_text()
    hand_in(class_folder, "anna", starter.replace("return x", "return x * x"), "homework (3).py")
    (class_folder / "berta.ipynb").write_text(json.dumps(notebook(starter)))
    who = submitted_answers()
    assert b"x * x" in (who["anna"]["02/ex1"].text or b"")
    assert who["anna"]["01/ex1"].text is None
    assert who["berta"]["02/ex1"].is_starter
    assert not who["anna"]["02/ex1"].is_starter


def test_layout_option_locates_the_files(class_folder: Path, submitted_answers: Handed) -> None:
    hand_in(class_folder, "week 3", GOOD, "01/ex1_guess/anna_final.py")
    hand_in(class_folder, "week 3", GOOD, "01/ex1_guess/berta_final.py")
    who = submitted_answers("week 3/*/{exercise}/{student}_final.py")
    assert list(who) == ["anna", "berta"]
    assert who["anna"]["01/ex1"].text == GOOD.encode()
    with pytest.raises(CourseError, match=r"must contain \{student\} and \{exercise\}"):
        SubmissionPattern("{student}.py")


def test_changed_file_takes_precedence_over_an_untouched_one(
    class_folder: Path, submitted_answers: Handed, small_course: Course
) -> None:
    starter = small_course.exercise("1/1").starter.read_bytes()
    hand_in(class_folder, "anna", starter, "01_first/ex1_guess.py")
    hand_in(class_folder, "anna", GOOD, "my answers/01_first/ex1_guess.py")
    hand_in(class_folder, "anna", "wrong", ".minitape/backup/01_first/ex1_guess.py")
    assert submitted_answers()["anna"]["01/ex1"].text == GOOD.encode()


def test_windows_line_ends_are_not_a_change_of_a_starter(
    class_folder: Path, submitted_answers: Handed, small_course: Course
) -> None:
    starter = small_course.exercise("1/1").starter.read_bytes().replace(b"\n", b"\r\n")
    hand_in(class_folder, "anna", starter)
    assert submitted_answers()["anna"]["01/ex1"].is_starter


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bomb.zip", "is larger than 1 MB"),
        ("broken.zip", "damaged"),
        ("outside.zip", "no file for this exercise"),
        ("link.zip", "links are not followed"),
        ("homework.docx", "is not a folder, zip file, notebook or script"),
    ],
)
def test_unreadable_file_is_reported(
    class_folder: Path, submitted_answers: Handed, name: str, said: str
) -> None:
    inside = "01_first/ex1_guess.py"
    if name == "bomb.zip":
        zipped(class_folder / name, {inside: "0" * 50_000_000})
        assert (class_folder / name).stat().st_size < 100_000
    elif name == "outside.zip":
        zipped(
            class_folder / name,
            {f"../{inside}": GOOD, f"/{inside}": GOOD, f"a/../../{inside}": GOOD},
        )
    elif name == "link.zip":
        link = zipfile.ZipInfo(inside)
        link.external_attr = 0o120777 << 16
        with zipfile.ZipFile(class_folder / name, "w") as archive:
            archive.writestr(link, "/etc/passwd")
    else:
        (class_folder / name).write_bytes(b"PK\x03\x04 not really")
    (who,) = submitted_answers().values()
    assert said in who["01/ex1"].reason
    assert who["01/ex1"].text is None
    assert sorted(each.name for each in class_folder.iterdir()) == [name]  # nothing was unpacked


@pytest.mark.skipif(os.name == "nt", reason="Windows: links and pipes need rights")
def test_links_are_not_followed_and_pipes_are_not_opened(
    class_folder: Path, submitted_answers: Handed
) -> None:
    secret = hand_in(class_folder.parent, "teacher", GOOD, "01_first/ex1_guess.py")
    for student in ("linked", "piped", "linked folder"):
        (class_folder / student / "01_first").mkdir(parents=True)
    (class_folder / "linked" / "01_first" / "ex1_guess.py").symlink_to(secret)
    os.mkfifo(class_folder / "piped" / "01_first" / "ex1_guess.py")
    (class_folder / "linked folder" / "01_first").rmdir()
    (class_folder / "linked folder" / "01_first").symlink_to(secret.parent)
    (class_folder / "a link").symlink_to(secret.parent.parent)
    who = submitted_answers()
    assert len(who) == 4
    assert all(each["01/ex1"].text is None for each in who.values())


def test_equal_student_names_are_distinguished(
    class_folder: Path, submitted_answers: Handed
) -> None:
    hand_in(class_folder, "anna", GOOD)
    zipped(class_folder / "anna.zip", {"01_first/ex1_guess.py": GOOD})
    assert list(submitted_answers()) == ["anna", "anna.zip"]


def test_course_folder_is_one_student(
    workspace: object, tmp_path: Path, small_course: Course
) -> None:
    assert [each.student for each in found([tmp_path / "mine"], small_course)] == ["mine"]


def test_hints_come_from_the_students_progress_file_if_it_is_valid(
    class_folder: Path, small_course: Course
) -> None:
    progress = {"schema": 1, "exercises": {"01_first/ex1_guess": {"hints": 2, "tries": 3}}}
    hand_in(class_folder, "anna", json.dumps(progress), ".minitape/progress.json")
    hand_in(class_folder, "berta", '{"exercises": {"01_first', ".minitape/progress.json")
    anna, berta = found([class_folder], small_course)
    assert (hints(anna), hints(berta)) == ({"01_first/ex1_guess": 2}, {})


def test_missing_submission_is_reported(class_folder: Path, small_course: Course) -> None:
    with pytest.raises(CourseError, match="no submissions"):
        found([class_folder], small_course)
    with pytest.raises(CourseError, match="does not exist"):
        found([class_folder / "elsewhere"], small_course)


# --- rows ---


def row(student: str, status: str = "failed", **known: object) -> GradeRow:
    return GradeRow(student=student, exercise="01_first/ex1_guess", status=status, **known)  # type: ignore[arg-type]  # by name


CLASS = [
    row("a", "passed", points=1, digest="1", codes=("MT201",), spots=(("MT201", 3, "y = f(x)"),)),
    row(
        "b", digest="2", codes=("MT201",), spots=(("MT201", 7, "y = np.exp(x)"),), kinds=("codes",)
    ),
    row("c", digest="2", codes=("MT201",), spots=(("MT201", 9, "y =  np.exp(x)"),)),
    row("d", codes=("MT201", "MT108"), spots=(("MT201", 9, "y = np.exp(x)"), ("MT108", 2, "")) * 2),
    row("e", digest="3", is_starter=True, codes=("MT202",), kinds=("codes",)),
    row("f", digest="3", is_starter=True),
    row("g", "missing"),
]


def test_summary_lists_the_lines_that_the_class_got_wrong(small_course: Course) -> None:
    """Lines are matched by their text, because their numbers differ between files. The student who passed and those who did not
    change the file are not counted.
    """
    (item,) = items(CLASS, small_course.exercises)
    assert (item.students, item.passed, item.starters) == (7, 1, 2)
    first, second = item.codes
    assert (first.code, first.students, second.code, second.students) == ("MT201", 3, "MT108", 1)
    assert [(each.text, each.number, each.students) for each in first.lines] == [
        ("y = np.exp(x)", 9, 3)
    ]
    assert item.kinds == (("codes", 1),)
    assert dict(item.statuses) == {"failed": 5, "passed": 1, "missing": 1}


def test_identical_files_are_listed_without_untouched_ones() -> None:
    assert identical(CLASS) == (("01_first/ex1_guess", ("b", "c")),)


def test_points_are_counted_for_each_student() -> None:
    assert [(each.student, each.points, each.of) for each in totals(CLASS)][:2] == [
        ("a", 1, 1),
        ("b", 0, 1),
    ]


def test_spreadsheet_formula_in_a_name_is_escaped(small_course: Course) -> None:
    (cells,) = csv.reader(io.StringIO(csv_row(row("=1+1", message='a, "b"\nc'))))
    assert (cells[0], cells[-1]) == ("'=1+1", 'a, "b"\nc')
    head, first, *_ = csv.reader(
        io.StringIO(wide([row("@x", "passed", points=1)], small_course.exercises))
    )
    assert head[:4] == ["student", "points", "of", "01_first/ex1_guess"]
    assert first[:4] == ["'@x", "1", "1", "passed"]


def test_junit_report_is_valid_for_any_student_text() -> None:
    rows = [*CLASS, row("\x00<&>", "timeout", message="\x1b[31m]]>")]
    root = ElementTree.fromstring(junit(rows))
    assert len(root.findall(".//testcase")) == 8
    assert len(root.findall(".//failure")) == 6
    assert len(root.findall(".//error")) == 1


def test_journal_survives_an_incomplete_line(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    run = GradingRun(course="c", version="1", seed=3, timeout=1.0, memory=None, exercises=("a",))
    journal = Journal(path)
    journal.begin(run)
    journal.add(CLASS[0])
    journal.add(CLASS[1])
    path.write_bytes(path.read_bytes()[:-9])
    assert journal.read() == (run, CLASS[:1])
    journal.add(CLASS[2])
    assert journal.read() == (run, [CLASS[0], CLASS[2]])
    path.write_text("student,points\n")
    with pytest.raises(CourseError, match="does not contain the rows"):
        journal.read()

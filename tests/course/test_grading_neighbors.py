"""If files delete the files around them, the rows of the other students do not change."""

import os

import pytest
from classes import GOOD, hand_in

from minitape.course.attempts import Limits
from minitape.course.course import course
from minitape.course.grading.rows import GradeRow
from minitape.course.grading.session import begun
from minitape.course.grading.submissions import found

pytestmark = [
    pytest.mark.whole,
    pytest.mark.xdist_group("neighbors"),
    pytest.mark.skipif(os.name == "nt", reason="Windows: no fork, no signals"),
]

_DELETES = "import glob, shutil\nfor each in glob.glob({pattern!r}):\n    shutil.rmtree(each, ignore_errors=True)\n"
_SLEEPS = "import time\ntime.sleep(0.2)\n"
DESTROYERS = {
    "empties the folder above": _DELETES.format(pattern="../*"),
    "empties two above": _DELETES.format(pattern="../../*"),
    "empties three above": _DELETES.format(pattern="../../../*"),
    "floods the temporary folder": (
        "import tempfile\nfor n in range(40):\n"
        "    open(tempfile.mkstemp()[1], 'wb').write(b'x' * 5_000_000)\n"
    ),
    "ends its parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n" + _SLEEPS,
    "ends its grandparent": (
        "import os, psutil, signal\n"
        "os.kill(psutil.Process(os.getppid()).ppid(), signal.SIGKILL)\n" + _SLEEPS
    ),
}


@pytest.fixture(scope="module")
def graded(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[dict[str, GradeRow], set[str]]:
    """The rows of a class in which a destructive file follows every third student, and the rest of the temporary folder."""
    from courses import write_course

    folder = tmp_path_factory.mktemp("neighbors")
    small = course(write_course(folder / "taught"))
    destroyers = list(DESTROYERS.items())
    for number in range(18):
        hand_in(folder / "class", f"{number:02} student", f"{_SLEEPS}{GOOD}# {number}\n")
        if number % 3 == 1:
            name, text = destroyers[number // 3]
            hand_in(folder / "class", f"{number:02} {name}", f"{text}{GOOD}")
    temporary = folder / "temporary"
    temporary.mkdir()
    before, os.environ["TMPDIR"] = os.environ.get("TMPDIR"), str(temporary)
    try:
        import tempfile

        tempfile.tempdir = None
        session = begun(
            small,
            [small.exercise("1/1")],
            found([folder / "class"], small),
            limits=Limits(20.0, 500),
            seed=1,
        )
        rows = {row.student: row for row in session.new(jobs=3)}
    finally:
        tempfile.tempdir = None
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before
    return rows, {each.name for each in temporary.iterdir()}


def test_every_student_has_a_row(graded: tuple) -> None:
    rows, _ = graded
    assert len(rows) == 18 + len(DESTROYERS)


def test_other_students_pass(graded: tuple) -> None:
    rows, _ = graded
    others = {name: row.status for name, row in rows.items() if name.endswith("student")}
    assert others == dict.fromkeys(others, "passed")


def test_files_written_by_a_submission_are_removed(
    graded: tuple[dict[str, GradeRow], set[str]],
) -> None:
    """The temporary folder of a submission is its own folder, which is removed when the submission ends."""
    _, left = graded
    assert left == set()

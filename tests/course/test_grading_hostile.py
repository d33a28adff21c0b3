"""Forty files, some of them hostile: each file gets its row, and no hostile file gains an advantage."""

import os
import time
from pathlib import Path

import psutil
import pytest
from classes import FORGED, HOSTILE, write_class

from minitape.course.attempts import Limits
from minitape.course.course import Course, course
from minitape.course.grading.rows import GradeRow
from minitape.course.grading.session import begun
from minitape.course.grading.submissions import found

pytestmark = [
    pytest.mark.whole,
    pytest.mark.xdist_group("the forty"),  # the files are graded once for all tests
    pytest.mark.skipif(os.name == "nt", reason="Windows: no fork, no limit on memory"),
]
_SECONDS = 60


@pytest.fixture(scope="module")
def before() -> set[int]:
    """The processes of other tests, which were already running."""
    return {each.pid for each in psutil.Process().children(recursive=True)}


@pytest.fixture(scope="module")
def graded(
    before: set[int], tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, GradeRow], dict, float]:
    """The rows of the forty students, their expected statuses, and the seconds that grading took."""
    from courses import write_course

    folder = tmp_path_factory.mktemp("grading")
    small: Course = course(write_course(folder / "taught"))
    (folder / "class").mkdir()
    expected = write_class(folder / "class")
    exercise = small.exercise("1/1")
    session = begun(
        small,
        [exercise],
        found([folder / "class"], small),
        limits=Limits(3.0, 300),  # enough time to fill this much memory on a busy machine
        seed=1,
    )
    began = time.monotonic()
    rows = {row.student: row for row in session.new(jobs=2)}
    return rows, expected, time.monotonic() - began


def test_forty_files_are_graded_in_a_minute(graded: tuple) -> None:
    rows, expected, seconds = graded
    assert len(expected) == 40
    assert rows.keys() == expected.keys()
    assert seconds < _SECONDS


@pytest.mark.parametrize("student", HOSTILE)
def test_action_of_a_hostile_file_is_reported(graded: tuple, student: str) -> None:
    rows, expected, _ = graded
    assert rows[student].status == expected[student]


@pytest.mark.parametrize("student", FORGED)
def test_forged_pass_is_not_accepted(graded: tuple, student: str) -> None:
    rows, _, _ = graded
    assert rows[student].status in ("failed", "error", "crashed")
    assert (rows[student].points, rows[student].passed) == (0, 0)


def test_hostile_file_does_not_affect_other_students(graded: tuple) -> None:
    rows, expected, _ = graded
    known = {name: status for name, status in expected.items() if status is not None}
    assert {name: rows[name].status for name in known} == known
    rude = [rows[name] for name, status in expected.items() if status is None]
    assert not any(row.ok for row in rude)


def test_no_process_is_left_running(graded: tuple, before: set[int]) -> None:
    """On systems that reparent orphans to this process, a process with its own session is found too."""
    left = [each for each in psutil.Process().children(recursive=True) if each.pid not in before]
    alive = [each for each in left if each.status() != psutil.STATUS_ZOMBIE]
    assert [each for each in alive if "minitape" in " ".join(each.cmdline())] == []


def test_line_of_a_none_gradient_is_in_its_row(graded: tuple) -> None:
    row = graded[0]["loses it"]
    assert row.codes == ("MT201",)
    assert {text for _, _, text in row.spots} == {"y = tf.constant(np.square(x.numpy()))"}


def test_graded_file_sees_an_empty_folder_and_a_clean_environment(
    tmp_path: Path, small_course_folder: Path, monkeypatch: object
) -> None:
    """The folder is empty, the environment contains no secrets, and the file's name reveals nothing."""
    from classes import GOOD, hand_in

    os.environ["MY_TOKEN"] = "secret"
    try:
        looks = "import os\nassert 'MY_TOKEN' not in os.environ\nassert len(os.listdir()) == 1\n"
        hand_in(tmp_path / "class", "looks around", looks + GOOD)
        small = course(small_course_folder)
        session = begun(
            small,
            [small.exercise("1/1")],
            found([tmp_path / "class"], small),
            limits=Limits(5.0),
            seed=1,
        )
        (row,) = session.new()
    finally:
        del os.environ["MY_TOKEN"]
    assert (row.status, row.message) == ("passed", "")

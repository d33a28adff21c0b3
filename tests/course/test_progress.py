"""A student's progress, which is saved in a file that survives damage, and the course folder."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from minitape.course.attempts import Attempt, Status
from minitape.course.progress import CourseProgress, State
from minitape.course.workspace import Workspace, found, made
from minitape.errors import CourseError

PASSED = Attempt(Status.PASSED)
LOST = Attempt(Status.FAILED, codes=("MT201",))


def _tried(workspace: Workspace, name: str, came: Attempt) -> None:
    exercise = workspace.course.exercise(name)
    workspace.progress.tried(workspace.course, exercise, workspace.file(exercise), came)


def _states(workspace: Workspace) -> list[State]:
    return [workspace.state(each) for each in workspace.exercises]


def test_states_follow_the_attempts(workspace: Workspace) -> None:
    assert _states(workspace) == [State.NEW, State.NEW, State.NEW]
    _tried(workspace, "1/1", PASSED)
    _tried(workspace, "1/2", LOST)
    workspace.progress.skipped(workspace.course.exercise("2/1"))
    assert _states(workspace) == [State.PASSED, State.TRIED, State.SKIPPED]
    file = workspace.file(workspace.course.exercise("1/1"))
    file.write_text(file.read_text() + "\n# more\n")
    assert _states(workspace)[0] is State.CHANGED


@pytest.mark.timeout(20)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_passed_file_that_becomes_unreadable_is_changed_and_never_opened(
    workspace: Workspace, make: Callable[[Path], None]
) -> None:
    _tried(workspace, "1/1", PASSED)
    file = workspace.file(workspace.course.exercise("1/1"))
    file.unlink()
    make(file)
    assert _states(workspace)[0] is State.CHANGED


def test_pass_is_bound_to_the_version_of_the_course(
    workspace: Workspace, small_course_folder: Path
) -> None:
    _tried(workspace, "1/1", PASSED)
    (small_course_folder / "course.toml").write_text('title = "Small"\nversion = "2"\n')
    assert _states(Workspace(workspace.folder))[0] is State.CHANGED


def test_exercise_record_contains_attempts_and_hints(workspace: Workspace) -> None:
    exercise = workspace.course.exercise("1/2")
    _tried(workspace, "1/2", LOST)
    _tried(workspace, "1/2", Attempt(Status.TIMEOUT))
    _tried(workspace, "1/2", PASSED)
    workspace.progress.hinted(exercise, 2)
    workspace.progress.hinted(exercise, 1)
    entry = CourseProgress(workspace.folder).entry(exercise)
    assert (entry.tries, entry.hints) == (3, 2)
    assert entry.history == ("MT201", "timeout", "passed")
    assert entry.first is not None and entry.last is not None


def test_next_exercise_is_suggested(workspace: Workspace) -> None:
    first, second, third = workspace.exercises
    assert workspace.pending() is first
    assert workspace.pending(first) is second
    workspace.progress.skipped(first)
    assert workspace.pending() is second
    _tried(workspace, "1/2", PASSED)
    _tried(workspace, "2/1", PASSED)
    assert workspace.pending() is first  # a skipped exercise comes last
    assert workspace.pending(third) is first
    _tried(workspace, "1/1", PASSED)
    assert workspace.pending() is None


def test_two_terminals_do_not_undo_each_other(workspace: Workspace) -> None:
    other = Workspace(workspace.folder)
    _tried(workspace, "1/1", PASSED)
    _tried(other, "1/2", LOST)
    assert _states(Workspace(workspace.folder)) == [State.PASSED, State.TRIED, State.NEW]


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'{"exercises": 3}', b'{"schema": 99}', b"\xff\xfe", b'{"schema": 1, "ex'],
)
def test_damaged_file_is_moved_aside_and_replaced(workspace: Workspace, data: bytes) -> None:
    _tried(workspace, "1/1", PASSED)
    path = workspace.progress.path
    path.write_bytes(data)
    recreated = Workspace(workspace.folder)
    assert _states(recreated) == [State.NEW, State.NEW, State.NEW]
    assert recreated.progress.note.startswith("progress.json could not be read, and was renamed to")
    assert path.with_name("progress.damaged-1.json").read_bytes() == data
    _tried(recreated, "1/2", LOST)
    again = Workspace(workspace.folder)
    assert _states(again)[1] is State.TRIED and again.progress.note == ""
    path.write_bytes(data)
    Workspace(workspace.folder)
    assert path.with_name("progress.damaged-2.json").exists()


def test_partial_write_leaves_no_file(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tried(workspace, "1/1", PASSED)
    before = workspace.progress.path.read_bytes()
    monkeypatch.setattr(Path, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        _tried(workspace, "1/2", LOST)
    assert workspace.progress.path.read_bytes() == before
    assert sorted(path.name for path in workspace.progress.path.parent.iterdir()) == [
        "course.json",
        "progress.json",
    ]


# --- the folder ---


def test_course_folder_has_lessons_and_starters_and_no_author_files(
    workspace: Workspace,
) -> None:
    names = {
        path.relative_to(workspace.folder).as_posix()
        for path in workspace.folder.rglob("*")
        if path.is_file()
    }
    assert names == {
        ".minitape/course.json",
        "01_first/lesson.py",
        "README.md",
        "01_first/ex1_guess.py",
        "01_first/ex2_lost.py",
        "02_second/lesson.py",
        "02_second/ex1_even.py",
    }


def test_short_course_has_one_exercise_of_each_lesson(
    small_course_folder: Path, tmp_path: Path
) -> None:
    short = made(tmp_path / "short", small_course_folder, "fast")
    assert [each.short for each in short.exercises] == ["01/ex1", "02/ex1"]
    assert not (short.folder / "01_first" / "ex2_lost.py").exists()


def test_lesson_of_the_short_course_has_only_its_own_exercises(
    tmp_path: Path, small_course_folder: Path
) -> None:
    short = made(tmp_path / "short", small_course_folder, "fast")
    first = short.named("1")
    assert first.short == "01/ex1"
    _tried(short, "1/1", PASSED)
    assert short.named("1") == first


def test_folder_that_is_not_empty_is_rejected_unless_forced(
    workspace: Workspace, small_course_folder: Path
) -> None:
    with pytest.raises(CourseError, match="already exists and is not empty"):
        made(workspace.folder, small_course_folder, "full")
    mine = workspace.file(workspace.exercises[0])
    mine.write_text("mine")
    workspace.file(workspace.exercises[1]).unlink()
    made(workspace.folder, small_course_folder, "full", fills=True)
    assert mine.read_text() == "mine"
    assert workspace.file(workspace.exercises[1]).exists()


def test_course_folder_is_found_from_inside_and_from_its_parent(
    workspace: Workspace, tmp_path: Path, small_course_folder: Path
) -> None:
    inside = found(workspace.folder / "01_first")
    assert inside is not None and inside.folder == workspace.folder.resolve()
    assert found(tmp_path) is None
    made(tmp_path / "minitape-course", small_course_folder, "full")
    beside = found(tmp_path)
    assert beside is not None and beside.folder.name == "minitape-course"


def test_missing_course_is_reported(workspace: Workspace, small_course_folder: Path) -> None:
    small_course_folder.rename(small_course_folder.with_name("elsewhere"))
    with pytest.raises(CourseError, match=r"course\.toml does not exist"):
        Workspace(workspace.folder)


def test_reset_keeps_a_backup(workspace: Workspace, solve: Callable[[str], Path]) -> None:
    exercise = workspace.course.exercise("1/1")
    assert workspace.reset(exercise) is None  # nothing was changed, so there is no backup
    file = solve("1/1")
    solved = file.read_bytes()
    first = workspace.reset(exercise)
    assert first is not None and first.read_bytes() == solved
    assert file.read_bytes() == exercise.starter.read_bytes()
    file.write_text("another")
    second = workspace.reset(exercise)
    assert second is not None and second != first
    assert (first.read_bytes(), second.read_text()) == (solved, "another")
    file.unlink()
    assert workspace.reset(exercise) is None and file.exists()

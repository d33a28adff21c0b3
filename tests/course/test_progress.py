"""How far a student is, kept in a file that survives damage; and the folder that is worked in."""

from collections.abc import Callable
from pathlib import Path

import pytest

from minitape.course.attempts import Attempt, Status
from minitape.course.progress import CourseProgress, State
from minitape.course.workspace import Workspace, found, made
from minitape.errors import CourseError

PASSED = Attempt(Status.PASSED)
LOST = Attempt(Status.FAILED, codes=("MT201",))


def _tried(place: Workspace, name: str, came: Attempt) -> None:
    exercise = place.course.exercise(name)
    place.progress.tried(place.course, exercise, place.file(exercise), came)


def _states(place: Workspace) -> list[State]:
    return [place.state(each) for each in place.exercises]


def test_states_follow_what_happens(place: Workspace) -> None:
    assert _states(place) == [State.NEW, State.NEW, State.NEW]
    _tried(place, "1/1", PASSED)
    _tried(place, "1/2", LOST)
    place.progress.skipped(place.course.exercise("2/1"))
    assert _states(place) == [State.PASSED, State.TRIED, State.SKIPPED]
    file = place.file(place.course.exercise("1/1"))
    file.write_text(file.read_text() + "\n# more\n")
    assert _states(place)[0] is State.CHANGED


def test_a_pass_is_bound_to_the_version_of_the_course(place: Workspace, taught: Path) -> None:
    _tried(place, "1/1", PASSED)
    (taught / "course.toml").write_text('title = "Small"\nversion = "2"\n')
    assert _states(Workspace(place.folder))[0] is State.CHANGED


def test_what_is_known_of_an_exercise(place: Workspace) -> None:
    exercise = place.course.exercise("1/2")
    _tried(place, "1/2", LOST)
    _tried(place, "1/2", Attempt(Status.TIMEOUT))
    _tried(place, "1/2", PASSED)
    place.progress.hinted(exercise, 2)
    place.progress.hinted(exercise, 1)
    entry = CourseProgress(place.folder).entry(exercise)
    assert (entry.tries, entry.hints) == (3, 2)
    assert entry.history == ("MT201", "timeout", "passed")
    assert entry.first is not None and entry.last is not None


def test_what_is_next(place: Workspace) -> None:
    first, second, third = place.exercises
    assert place.pending() is first
    assert place.pending(first) is second
    place.progress.skipped(first)
    assert place.pending() is second
    _tried(place, "1/2", PASSED)
    _tried(place, "2/1", PASSED)
    assert place.pending() is first  # what was skipped comes last
    assert place.pending(third) is first
    _tried(place, "1/1", PASSED)
    assert place.pending() is None


def test_two_terminals_do_not_undo_each_other(place: Workspace) -> None:
    other = Workspace(place.folder)
    _tried(place, "1/1", PASSED)
    _tried(other, "1/2", LOST)
    assert _states(Workspace(place.folder)) == [State.PASSED, State.TRIED, State.NEW]


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'{"exercises": 3}', b'{"schema": 99}', b"\xff\xfe", b'{"schema": 1, "ex'],
)
def test_a_damaged_file_is_moved_aside_and_begun_anew(place: Workspace, data: bytes) -> None:
    _tried(place, "1/1", PASSED)
    path = place.progress.path
    path.write_bytes(data)
    recreated = Workspace(place.folder)
    assert _states(recreated) == [State.NEW, State.NEW, State.NEW]
    assert recreated.progress.note.startswith("progress.json could not be read; it is kept as")
    assert path.with_name("progress.damaged-1.json").read_bytes() == data
    _tried(recreated, "1/2", LOST)
    again = Workspace(place.folder)
    assert _states(again)[1] is State.TRIED and again.progress.note == ""
    path.write_bytes(data)
    Workspace(place.folder)
    assert path.with_name("progress.damaged-2.json").exists()


def test_nothing_half_written_stays(place: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    _tried(place, "1/1", PASSED)
    before = place.progress.path.read_bytes()
    monkeypatch.setattr(Path, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        _tried(place, "1/2", LOST)
    assert place.progress.path.read_bytes() == before
    assert sorted(path.name for path in place.progress.path.parent.iterdir()) == [
        "course.json",
        "progress.json",
    ]


# --- the folder ---


def test_a_course_folder_has_lessons_and_starters_and_nothing_of_the_authors(
    place: Workspace,
) -> None:
    names = {
        path.relative_to(place.folder).as_posix()
        for path in place.folder.rglob("*")
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


def test_the_short_course_has_one_exercise_of_each_lesson(taught: Path, tmp_path: Path) -> None:
    short = made(tmp_path / "short", taught, "fast")
    assert [each.short for each in short.exercises] == ["01/ex1", "02/ex1"]
    assert not (short.folder / "01_first" / "ex2_lost.py").exists()


def test_a_folder_that_is_not_empty_is_refused_and_filled_only_when_asked(
    place: Workspace, taught: Path
) -> None:
    with pytest.raises(CourseError, match="already exists and is not empty"):
        made(place.folder, taught, "full")
    mine = place.file(place.exercises[0])
    mine.write_text("mine")
    place.file(place.exercises[1]).unlink()
    made(place.folder, taught, "full", fills=True)
    assert mine.read_text() == "mine"
    assert place.file(place.exercises[1]).exists()


def test_it_is_found_from_inside_and_from_beside(
    place: Workspace, tmp_path: Path, taught: Path
) -> None:
    inside = found(place.folder / "01_first")
    assert inside is not None and inside.folder == place.folder.resolve()
    assert found(tmp_path) is None
    made(tmp_path / "minitape-course", taught, "full")
    beside = found(tmp_path)
    assert beside is not None and beside.folder.name == "minitape-course"


def test_a_course_that_has_gone_is_told(place: Workspace, taught: Path) -> None:
    taught.rename(taught.with_name("elsewhere"))
    with pytest.raises(CourseError, match=r"course\.toml does not exist"):
        Workspace(place.folder)


def test_a_reset_keeps_what_was_there(place: Workspace, solve: Callable[[str], Path]) -> None:
    exercise = place.course.exercise("1/1")
    assert place.reset(exercise) is None  # nothing was changed, so there is nothing to keep
    file = solve("1/1")
    solved = file.read_bytes()
    first = place.reset(exercise)
    assert first is not None and first.read_bytes() == solved
    assert file.read_bytes() == exercise.starter.read_bytes()
    file.write_text("another")
    second = place.reset(exercise)
    assert second is not None and second != first
    assert (first.read_bytes(), second.read_text()) == (solved, "another")
    file.unlink()
    assert place.reset(exercise) is None and file.exists()

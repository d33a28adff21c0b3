"""The folder that a student works in, with lessons, exercises, and the student's progress.

Workspace  a course folder (Chosen)
found      the course folder around the current folder
made       creates a course folder
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from minitape.course import messages
from minitape.course.course import Course, Exercise, course
from minitape.course.progress import CourseProgress, State
from minitape.course.student_readme import readme
from minitape.errors import CourseError
from minitape.storage import read_file, write_whole

README = "README.md"
DEFAULT = Path("minitape-course")
_CHOSEN = Path(".minitape") / "course.json"
_GIVEN = ("lesson.py", "picture.svg")  # the files of a lesson that students receive


class Chosen(Struct, frozen=True, kw_only=True):
    """The choices made at the creation of the folder: the folder of another course, if any, and the track."""

    source: str | None = None
    track: str = "full"


class Workspace:
    """A course folder, its course, and the progress in it.

    Args:
        folder: The course folder.

    Raises:
        CourseError: the course that it was created from does not exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.progress = CourseProgress(folder)
        chosen = _chosen(folder)
        self.track = chosen.track
        self.course: Course = course(None if chosen.source is None else Path(chosen.source))

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of the chosen track."""
        return self.course.track(self.track)

    def file(self, exercise: Exercise) -> Path:
        """Return the path of the student's file."""
        return self.folder / exercise.lesson / f"{exercise.name}.py"

    def state(self, exercise: Exercise) -> State:
        return self.progress.state(self.course, exercise, self.file(exercise))

    def pending(self, after: Exercise | None = None) -> Exercise | None:
        """Return the next exercise: after `after`, else from the start, else a skipped exercise; None if all passed."""
        order = self.exercises
        if after in order:
            at = order.index(after)
            order = (*order[at + 1 :], *order[: at + 1])
        states = [(each, self.state(each)) for each in order]
        for wanted in ((State.NEW, State.TRIED, State.CHANGED), (State.SKIPPED,)):
            for each, state in states:
                if state in wanted and each is not after:
                    return each
        return next((each for each, state in states if state is not State.PASSED), None)

    def named(self, name: str | None) -> Exercise:
        """Return the exercise with a name; without a name, the next exercise to do, or the last exercise if all passed.

        The number or name of a lesson means the next exercise of that lesson.

        Raises:
            CourseError: no exercise has the name, or its file is missing.
        """
        if not self.exercises:
            said = messages.NO_EXERCISES.format(folder=self.course.folder)
            raise CourseError(said, fix=messages.NEW_COURSE)
        exercise = (
            self.pending() or self.exercises[-1]
            if name is None
            else self._next_of(name) or self.course.exercise(name)
        )
        if not self.file(exercise).exists():
            raise CourseError(
                messages.FILE_MISSING.format(file=self.file(exercise)),
                fix=messages.RESET.format(name=exercise.short),
            )
        return exercise

    def _next_of(self, lesson: str) -> Exercise | None:
        """Return the first exercise of a lesson in the track that has not passed, or else its last; None if it has none."""
        of = [each for each in self.course.of_lesson(lesson) if each in self.exercises]
        waiting = (each for each in of if self.state(each) is not State.PASSED)
        return next(waiting, of[-1] if of else None)

    def reset(self, exercise: Exercise) -> Path | None:
        """Restore the starter file.

        Returns:
            The copy of the previous file; None if that file was missing or equal to the starter.
        """
        file, kept = self.file(exercise), None
        starter = read_file(exercise.starter)
        try:
            text = read_file(file)
        except FileNotFoundError:
            pass
        except OSError:  # a pipe, a device or a folder, which cannot be copied
            kept = self._backup(exercise)
            file.rename(kept)
        else:
            if text != starter:
                kept = self._backup(exercise)
                write_whole(kept, text)
                shutil.copystat(file, kept)
        file.parent.mkdir(exist_ok=True)
        write_whole(file, starter)
        self.progress.renewed(exercise)
        return kept

    def _backup(self, exercise: Exercise) -> Path:
        now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        folder = self.folder / ".minitape" / "backup" / exercise.lesson
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{exercise.name}-{now}.py"
        number = 2
        while path.exists():
            path = folder / f"{exercise.name}-{now}-{number}.py"
            number += 1
        return path


def found(start: Path | None = None) -> Workspace | None:
    """Return the course folder that contains `start`, or that is in `start` under its default name; None if there is none."""
    here = (Path.cwd() if start is None else start).resolve()
    for folder in (here, *here.parents, here / DEFAULT):
        if (folder / _CHOSEN).exists():
            return Workspace(folder)
    return None


def _chosen(folder: Path) -> Chosen:
    try:
        return msgspec.json.decode(read_file(folder / _CHOSEN), type=Chosen)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CourseError(
            messages.CANNOT_BE_READ.format(file=folder / _CHOSEN),
            fix=messages.INIT_AGAIN.format(folder=folder),
        ) from None


def made(folder: Path, source: Path | None, track: str, *, fills: bool = False) -> Workspace:
    """Create a course folder.

    Args:
        folder: The folder to create.
        source: The folder of a course; None for the course that comes with minitape.
        track: `full` or `fast`.
        fills: Whether the folder may contain files, which then stay unchanged.

    Raises:
        CourseError: the folder is not empty, or the course does not exist.
    """
    taught = course(source)
    if not taught.exercises:
        said = messages.NO_EXERCISES.format(folder=taught.folder)
        raise CourseError(said, fix=messages.NEW_COURSE)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())) and not fills:
        raise CourseError(
            messages.NOT_EMPTY.format(folder=folder), fix=messages.OTHER_FOLDER_OR_FORCE
        )
    for original, name in _given(taught, track):
        copy = folder / name
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_whole(copy, read_file(original))
    if not (folder / README).exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / README, readme(taught, track).encode())
    chosen = Chosen(source=None if source is None else str(source.resolve()), track=track)
    (folder / _CHOSEN).parent.mkdir(exist_ok=True)
    write_whole(folder / _CHOSEN, msgspec.json.encode(chosen) + b"\n")
    return Workspace(folder)


def _given(taught: Course, track: str) -> Iterator[tuple[Path, str]]:
    """Yield the files that a student receives, each with its name in the course folder."""
    for lesson in taught.lessons:
        for name in _GIVEN:
            if (lesson.folder / name).exists():
                yield lesson.folder / name, f"{lesson.name}/{name}"
    for exercise in taught.track(track):
        yield exercise.starter, f"{exercise.id}.py"

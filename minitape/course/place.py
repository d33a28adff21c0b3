"""The folder that a student works in: lessons to read, exercises to complete, and how far one is.

Place    a course folder (Chosen)
found    the one that is here
made     a new one
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from minitape.course.course import Course, Exercise, course
from minitape.course.progress import Progress, State
from minitape.errors import CourseError
from minitape.storage import read_file, write_whole

DEFAULT = Path("minitape-course")
_CHOSEN = Path(".minitape") / "course.json"
_GIVEN = ("lesson.py", "picture.svg")  # of each lesson; the rest belongs to its author


class Chosen(Struct, frozen=True, kw_only=True):
    """What was chosen when the folder was made: the folder of a course that did not come with minitape, and the track."""

    source: str | None = None
    track: str = "full"


class Place:
    """A course folder, its course, and the progress in it.

    Args:
        folder: Where it is.

    Raises:
        CourseError: the course that it was made from is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.progress = Progress(folder)
        chosen = _chosen(folder)
        self.track = chosen.track
        self.course: Course = course(None if chosen.source is None else Path(chosen.source))

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Those of the track that was chosen."""
        return self.course.track(self.track)

    def file(self, exercise: Exercise) -> Path:
        """Where the student's file is."""
        return self.folder / exercise.lesson / f"{exercise.name}.py"

    def state(self, exercise: Exercise) -> State:
        return self.progress.state(self.course, exercise, self.file(exercise))

    def pending(self, after: Exercise | None = None) -> Exercise | None:
        """What is to be done next: behind `after` if there is anything, then from the start, then what was skipped."""
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
        """The exercise that a name means; without one, what is to be done next, or the last if all is done.

        Raises:
            CourseError: no such exercise, or its file is not here.
        """
        if not self.exercises:
            raise CourseError(
                f"{self.course.folder} has no exercises.", fix="minitape lesson new DIR"
            )
        following = self.pending() or self.exercises[-1]
        exercise = following if name is None else self.course.exercise(name)
        if not self.file(exercise).exists():
            raise CourseError(
                f"{self.file(exercise)} is not there.",
                fix=f"minitape lesson reset {exercise.short}",
            )
        return exercise

    def reset(self, exercise: Exercise) -> Path | None:
        """Put the starter back. What was there is kept, if it was another text or cannot be read; returns where."""
        file, kept = self.file(exercise), None
        starter = read_file(exercise.starter)
        try:
            text = read_file(file)
        except FileNotFoundError:
            pass
        except OSError:  # a pipe, a device, a directory: it cannot be copied
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


def found(start: Path | None = None) -> Place | None:
    """The course folder that this is, or is inside of, or has under the name that `lesson init` gives it."""
    here = (Path.cwd() if start is None else start).resolve()
    for folder in (here, *here.parents, here / DEFAULT):
        if (folder / _CHOSEN).exists():
            return Place(folder)
    return None


def _chosen(folder: Path) -> Chosen:
    try:
        return msgspec.json.decode(read_file(folder / _CHOSEN), type=Chosen)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CourseError(
            f"{folder / _CHOSEN} cannot be read.", fix=f"minitape lesson init {folder} --force"
        ) from None


def made(folder: Path, source: Path | None, track: str, *, fills: bool = False) -> Place:
    """A new course folder.

    Args:
        folder: Where; it is made.
        source: The folder of a course; None for the one that comes with minitape.
        track: `full` or `fast`.
        fills: Whether it may be one in which something is; then what is there stays as it is.

    Raises:
        CourseError: the folder is not empty; there is no such course.
    """
    taught = course(source)
    if not taught.exercises:
        raise CourseError(f"{taught.folder} has no exercises.", fix="minitape lesson new DIR")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())) and not fills:
        raise CourseError(
            f"{folder} is there, and not empty.",
            fix="another folder; or --force, which adds what is missing and leaves the rest",
        )
    for original, name in _given(taught, track):
        copy = folder / name
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_whole(copy, read_file(original))
    chosen = Chosen(source=None if source is None else str(source.resolve()), track=track)
    (folder / _CHOSEN).parent.mkdir(exist_ok=True)
    write_whole(folder / _CHOSEN, msgspec.json.encode(chosen) + b"\n")
    return Place(folder)


def _given(taught: Course, track: str) -> Iterator[tuple[Path, str]]:
    """The files that a student gets, each with its name in the course folder."""
    for lesson in taught.lessons:
        for name in _GIVEN:
            if (lesson.folder / name).exists():
                yield lesson.folder / name, f"{lesson.name}/{name}"
    for exercise in taught.track(track):
        yield exercise.starter, f"{exercise.id}.py"

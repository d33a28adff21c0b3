"""The parts of a course, read from its files.

Course        course.toml: the lessons, in order
  Lesson      a folder with a lesson.toml
    Exercise  one of its files
material      the folder of the course that comes with minitape
course        reads a course
lesson        reads a single lesson, for its author
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, structs

from minitape.course import messages
from minitape.course.checks import AnyCheck
from minitape.errors import CourseError
from minitape.storage import read_file

__all__ = [
    "Course",
    "Exercise",
    "Lesson",
    "LessonPicture",
    "Misconception",
    "course",
    "lesson",
    "material",
]

_T = TypeVar("_T")
_SHOWN = 3  # the maximum number of names in a message


class Misconception(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hint for students whose file shows a certain mistake; all its conditions must be met.

    `code` is a code that the explainer found in the last attempt, and `check` is the kind of a check that failed in it. `typed`
    contains values that the student typed for names, and `writes` is a regular expression that matches a part of the block.
    """

    hint: str
    code: str | None = None
    check: str | None = None
    typed: dict[str, Any] = {}  # msgspec copies the default
    writes: str | None = None


class _Written(Struct, frozen=True, kw_only=True):
    """An entry of `[[exercises]]`."""

    name: str
    title: str
    minutes: int
    starts_with: str
    hints: tuple[str, ...]
    debrief: str
    checks: tuple[AnyCheck, ...]
    track: str | None = None
    points: int = 1
    symptom: str = ""
    misconceptions: tuple[Misconception, ...] = ()
    explanation: Literal["always", "second", "request", "never"] = "second"


class Exercise(_Written, frozen=True, kw_only=True):
    """An exercise: a file that the student completes, its checks, and its hints.

    `starts_with` declares how the untouched file fails: a code of the explainer, the kind of the check that fails first, or a
    status of the attempt. `track` is `fast` for the one exercise of each lesson that is in the short course.

    `symptom` is text that the untouched file prints; the student then sees it in place of the checks. `explanation` declares
    when the explainer's answer is offered: after each failed attempt, after the second one, on request only, or never.
    """

    folder: Path  # the folder of the lesson, with the starter file

    @property
    def lesson(self) -> str:
        """The name of its lesson."""
        return self.folder.name

    @property
    def id(self) -> str:
        """Its full name: `04_targets_and_sources/ex2_middle`."""
        return f"{self.lesson}/{self.name}"

    @property
    def short(self) -> str:
        """Its short name: `04/ex2`."""
        return f"{_number(self.lesson)}/{_number(self.name)}"

    @property
    def starter(self) -> Path:
        """The file as the student receives it."""
        return self.folder / f"{self.name}.py"

    @property
    def page(self) -> Path | None:
        """The lesson's checks.py, if there is one."""
        page = self.folder / "checks.py"
        return page if page.exists() else None


class LessonPicture(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options of `minitape graph` for the picture of a lesson."""

    call: int | None = None
    view: str = "forward"
    values: str | None = None
    cards: int | None = None
    path: bool = False
    unroll: bool = False
    file: str = "lesson.py"


class _Lesson(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lesson.toml."""

    title: str
    goal: str
    minutes: int
    misconceptions: str
    exercises: tuple[dict[str, Any], ...] = ()
    picture: LessonPicture = LessonPicture()


@dataclass(frozen=True)
class Lesson:
    """A folder of the course: a script that the student reads and runs, a picture, and exercises."""

    folder: Path
    title: str
    goal: str
    minutes: int
    misconceptions: str
    picture: LessonPicture
    exercises: tuple[Exercise, ...]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def number(self) -> str:
        """Its number: `04`."""
        return _number(self.name)

    @property
    def script(self) -> Path:
        return self.folder / "lesson.py"


class _Course(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A course.toml; without `lessons`, the lessons are all folders with a lesson.toml, sorted by name.

    `solutions` is a folder whose solutions students may see.
    """

    title: str
    version: str
    lessons: tuple[str, ...] | None = None
    solutions: str | None = None


@dataclass(frozen=True)
class Course:
    """A course: its lessons, in order."""

    folder: Path
    title: str
    version: str
    lessons: tuple[Lesson, ...]
    solutions: Path | None = None

    def solution(self, exercise: Exercise) -> Path | None:
        """Return the file with the solution of an exercise; None if the course shows none."""
        if self.solutions is None:
            return None
        file = self.solutions / f"{exercise.id}.py"
        return file if file.exists() else None

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of all lessons, in order."""
        return tuple(each for lesson in self.lessons for each in lesson.exercises)

    def track(self, name: str = "full") -> tuple[Exercise, ...]:
        """Return the exercises of a track; the track `full` contains all exercises."""
        return tuple(each for each in self.exercises if name in ("full", each.track))

    def lesson(self, name: str) -> Lesson:
        """Return the lesson with a name, a number, or the start of a name.

        Raises:
            CourseError: no lesson matches, or several do.
        """
        keys = {each.name: each for each in self.lessons}
        number = f"{int(name):02}" if name.isdecimal() else name
        return _meant(number, keys, f"lesson {name}")

    def of_lesson(self, name: str) -> tuple[Exercise, ...]:
        """Return the exercises of the lesson with a number or a full name; none if `name` is neither."""
        said = f"{int(name):02}" if name.isdecimal() else name
        return tuple(each for each in self.exercises if said in (each.lesson, _number(each.lesson)))

    def exercise(self, name: str) -> Exercise:
        """Return the exercise with a name, which may be full (`04_targets_and_sources/ex2_middle`), short (`04/ex2`, `4/2`), or
        abbreviated.

        A name without a lesson must match a single exercise.

        Raises:
            CourseError: no exercise matches, or several do.
        """
        if name.endswith(".ipynb"):
            raise CourseError(messages.IS_A_NOTEBOOK.format(name=name), fix=messages.NAME_EXERCISE)
        requested = name.removesuffix(".py").replace("\\", "/")
        first, slash, second = requested.rpartition("/")
        of = self.lesson(first).exercises if slash else self.exercises
        if second.isdecimal():
            second = f"ex{second}"
        return _meant(second, {each.id if not slash else each.name: each for each in of}, name)


def _meant(name: str, keys: dict[str, _T], said: str) -> _T:
    """Return the value whose key is `name` or starts with it, with or without the folder.

    Args:
        name: A full name, or the start of exactly one name.
        keys: The values, keyed by their full names.
        said: The name to use in messages.
    """

    def last(key: str) -> str:
        return key.rpartition("/")[2]

    for fits in (
        lambda key: name in (key, last(key)),
        lambda key: last(key).startswith(f"{name}_"),
        lambda key: last(key).startswith(name) or key.startswith(name),
    ):
        found = [key for key in keys if fits(key)]
        if len(found) == 1:
            return keys[found[0]]
        if found:
            first, more = ", ".join(found[:_SHOWN]), len(found) - _SHOWN
            text = messages.AMBIGUOUS if more <= 0 else messages.AMBIGUOUS_AND_MORE
            raise CourseError(
                text.format(name=said, found=first, more=more),
                fix=messages.USE.format(name=found[0]),
            )
    words = {last(key): key for key in reversed(keys)} | {key: key for key in keys}
    near = difflib.get_close_matches(name, words, n=1, cutoff=0.4)
    raise CourseError(
        messages.NOT_IN_COURSE.format(name=said),
        fix=messages.USE.format(name=words[near[0]]) if near else messages.LIST_COURSE,
    )


def _number(name: str) -> str:
    """Return `04` for `04_targets_and_sources`, and `ex2` for `ex2_middle`."""
    return name.partition("_")[0]


# --- reading ---


def material() -> Path:
    """Return the folder of the course that comes with minitape: inside the installed package, or next to it in a checkout."""
    installed = Path(__file__).parent / "material"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "tutorials"


def course(folder: Path | None = None) -> Course:
    """Return the course in a folder; by default, the course that comes with minitape.

    Raises:
        CourseError: a file of the course is missing or invalid.
    """
    folder = material() if folder is None else folder
    written = _read(folder / "course.toml", _Course)
    found = sorted(file.parent.name for file in folder.glob("*/lesson.toml"))
    names = found if written.lessons is None else written.lessons
    lessons = tuple(lesson(folder / name) for name in names)
    solutions = None if written.solutions is None else folder / written.solutions
    return Course(folder, written.title, written.version, lessons, solutions)


def lesson(folder: Path) -> Lesson:
    """Return the lesson in a folder.

    Raises:
        CourseError: its lesson.toml is missing or invalid.
    """
    file = folder / "lesson.toml"
    written = _read(file, _Lesson)
    exercises = tuple(_exercises(file, written.exercises))
    return Lesson(
        folder,
        written.title,
        written.goal,
        written.minutes,
        written.misconceptions,
        written.picture,
        exercises,
    )


def _exercises(file: Path, entries: tuple[dict[str, Any], ...]) -> Iterator[Exercise]:
    known = {field.encode_name for field in structs.fields(_Written)}
    for number, entry in enumerate(entries, start=1):
        name = entry.get("name", f"number {number}")
        unknown = [key for key in entry if key not in known]
        if unknown:
            near = difflib.get_close_matches(unknown[0], known, n=1)
            raise CourseError(
                messages.NO_FIELD.format(file=file, field=unknown[0], name=name),
                fix=messages.USE.format(name=near[0])
                if near
                else messages.ONE_OF.format(names=", ".join(sorted(known))),
            )
        written = _converted(entry, _Written, file, name)
        yield Exercise(**structs.asdict(written), folder=file.parent)


def _read(file: Path, kind: type[_T]) -> _T:
    try:
        data = msgspec.toml.decode(read_file(file))
    except FileNotFoundError:
        raise CourseError(messages.NO_FILE.format(file=file), fix=messages.MAKE_COURSE) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CourseError(
            messages.NOT_TOML.format(file=file, error=error), fix=messages.SEE_COURSE_DOCS
        ) from None
    return _converted(data, kind, file)


def _converted(data: Any, kind: type[_T], file: Path, exercise: str | None = None) -> _T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        text = messages.BAD_FIELD if exercise is None else messages.BAD_EXERCISE
        said = text.format(file=file, name=exercise, error=error)
        raise CourseError(said, fix=messages.SEE_COURSE_DOCS) from None

"""What was handed in: for each student the file of each exercise, wherever it lies, or why there is none.

found         SUBMISSIONS → submissions
Submission    what one student handed in
Layout        where files lie, where that is not to be guessed

Nothing is unpacked and no link is followed: a file of a zip is read by its name, as far as it may be long.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from minitape.course.course import Course
from minitape.errors import CourseError

_MOST_FILES = 10_000  # of one student
_MOST_ZIPPED = 100 << 20  # bytes of a zip
_FILES = (".py", ".ipynb")
_BROKEN = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    RuntimeError,  # a password
    NotImplementedError,  # a compression that Python does not know
)
PROGRESS = ".minitape/progress.json"


class Unreadable(Exception):  # noqa: N818  # no fault of ours: an answer
    """Why a file is not read, in a sentence."""


@dataclass(frozen=True)
class Found:
    """A file that was handed in: its place in the submission, and a way to its first bytes."""

    path: PurePosixPath
    read: Callable[[int], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Submission:
    """What one student handed in. `said` is why nothing of it can be read; `meant` an exercise where a layout tells it."""

    student: str
    files: tuple[Found, ...] = ()
    said: str = ""
    meant: tuple[tuple[str, Found], ...] = ()


@dataclass(frozen=True)
class Layout:
    """A pattern such as `{student}/{exercise}.py`; `*` stands for any letters but a slash.

    Raises:
        CourseError: it names no student.
    """

    pattern: str

    def __post_init__(self) -> None:
        if "{student}" not in self.pattern or "{exercise}" not in self.pattern:
            raise CourseError(
                f"the layout {self.pattern} has to name student and exercise.",
                fix="--layout '{student}/{exercise}.py'",
            )

    def read(self, path: str) -> tuple[str, str] | None:
        """The student and the exercise that a path names."""
        groups = {"{student}": "(?P<student>[^/]+?)", "{exercise}": "(?P<exercise>.+?)"}
        parts = re.split(r"(\{student\}|\{exercise\}|\*)", self.pattern)
        seen: set[str] = set()
        said = ""
        for part in parts:
            if part in seen:
                said += f"(?P={part.strip('{}')})"
            else:
                said += "[^/]*" if part == "*" else groups.get(part, re.escape(part))
                seen.update({part} & groups.keys())
        match = re.fullmatch(said, path)
        return None if match is None else (match["student"], match["exercise"])


def found(
    places: Sequence[Path],
    course: Course,
    layout: Layout | None = None,
    but: Sequence[Path] = (),
) -> tuple[Submission, ...]:
    """The submissions at some places, in the order of the students' names.

    Args:
        places: Folders of students, each with a folder, zip, notebook or script; or one student's own such thing.
        course: Whose lessons tell a student's folder from a folder of students.
        layout: Where files lie in these folders.
        but: Files that nobody handed in: an earlier report.

    Raises:
        CourseError: a place is not there, or nothing is in it.
    """
    for place in places:
        if not place.exists():
            raise CourseError(f"there is no {place}.", fix="the folder with what was handed in")
    if layout is not None:
        submissions = list(_laid_out(places, layout))
    else:
        left = {each.resolve() for each in but}
        entries = [each for place in places for each in _entries(place, course)]
        entries = [each for each in entries if each.resolve() not in left]
        submissions = [_submission(name, path) for name, path in _named(entries)]
    if not submissions:
        raise CourseError(
            f"nothing was handed in: {', '.join(map(str, places))} holds no folder, zip, notebook or script.",
            fix="a folder with one of these for each student; or --layout '{student}/{exercise}.py'",
        )
    return tuple(sorted(submissions, key=lambda each: (each.student.casefold(), each.student)))


def _entries(place: Path, course: Course) -> Iterator[Path]:
    """What belongs to one student each."""
    own = {lesson.name for lesson in course.lessons} | {".minitape"}
    if not place.is_dir() or any(each.name in own for each in place.iterdir()):
        yield place
        return
    for each in sorted(place.iterdir()):
        if not each.name.startswith((".", "__MACOSX")):
            yield each


def _named(entries: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Each with a name that no other has: without its ending, if that is enough."""
    for shorten in (
        lambda path: path.name if path.is_dir() else path.stem,
        lambda path: path.name,
        lambda path: f"{path.resolve().parent.name}/{path.name}",
        str,
    ):
        names = [shorten(each) for each in entries]
        if len({name.casefold() for name in names}) == len(names):
            break
    for name, path in zip(names, entries, strict=True):
        yield os.fsencode(name).decode(errors="replace"), path


def _submission(student: str, path: Path) -> Submission:
    try:
        if path.is_symlink():
            raise Unreadable(f"{path.name} is a link, and links are not followed.")
        if path.is_dir():
            files = tuple(_of_folder(path))
        elif path.suffix.lower() == ".zip":
            files = tuple(_of_zip(path))
        elif path.suffix.lower() in _FILES:
            files = (_of_path(path, PurePosixPath(path.name)),)
        else:
            raise Unreadable(f"{path.name} is no folder, zip, notebook or script.")
    except Unreadable as error:
        return Submission(student, said=str(error))
    except _BROKEN as error:
        return Submission(student, said=f"{path.name} cannot be read: {_in_words(error)}")
    return Submission(student, files)


def _laid_out(places: Sequence[Path], layout: Layout) -> Iterator[Submission]:
    meant: dict[str, list[tuple[str, Found]]] = {}
    for place in places:
        for each in _of_folder(place, most=_MOST_FILES * 10):
            named = layout.read(str(each.path))
            if named is not None:
                meant.setdefault(named[0], []).append((named[1], each))
    for student, files in meant.items():
        yield Submission(student, tuple(each for _, each in files), meant=tuple(files))


# --- folders ---


def _of_folder(folder: Path, most: int = _MOST_FILES) -> Iterator[Found]:
    """All scripts and notebooks, and the progress file; nothing that is hidden, no link."""
    number = 0
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not _is_hidden(each))
        number += len(names) + len(folders)
        if number > most:
            raise Unreadable(f"more than {most:,} files are in it.")
        for name in sorted(names):
            path = Path(root, name)
            if path.suffix.lower() in _FILES and not _is_hidden(name):
                yield _of_path(path, PurePosixPath(path.relative_to(folder).as_posix()))
    progress = folder / PROGRESS
    if progress.exists():
        yield _of_path(progress, PurePosixPath(PROGRESS))


def _of_path(path: Path, told: PurePosixPath) -> Found:
    def read(most: int) -> bytes:
        # Neither a link, which may lead to somebody else's file, nor a pipe, which may never end.
        if not stat.S_ISREG(path.lstat().st_mode) or _leads_away(path, told):
            raise Unreadable(f"{told} is a link or no plain file, and is not read.")
        with path.open("rb") as file:
            return file.read(most)

    return Found(told, read)


def _leads_away(path: Path, told: PurePosixPath) -> bool:
    """Whether a folder on the way, inside of the submission, is a link."""
    return any(parent.is_symlink() for parent in list(path.parents)[: len(told.parts) - 1])


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in ("__MACOSX", "__pycache__")


# --- zips ---


def _of_zip(path: Path) -> Iterator[Found]:
    if path.stat().st_size > _MOST_ZIPPED:
        raise Unreadable(f"{path.name} has more than {_MOST_ZIPPED >> 20} MB.")
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    if len(members) > _MOST_FILES:
        raise Unreadable(f"more than {_MOST_FILES:,} files are in it.")
    for member in members:
        told = PurePosixPath(member.filename.replace("\\", "/"))
        outside = told.is_absolute() or ".." in told.parts
        progress = str(told).endswith(PROGRESS)
        wanted = told.suffix.lower() in _FILES and not any(map(_is_hidden, told.parts))
        if not outside and not member.is_dir() and (wanted or progress):
            yield Found(told, _reader(path, member))


def _reader(path: Path, member: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        if stat.S_ISLNK(member.external_attr >> 16):
            raise Unreadable(f"{member.filename} is a link, and links are not followed.")
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            return file.read(most)  # no more of it is unpacked, whatever it claims to be long

    return read


def text_of(found: Found, most: int) -> bytes:
    """What stands in a file.

    Raises:
        Unreadable: it is longer than that, or cannot be read.
    """
    try:
        text = found.read(most + 1)
    except _BROKEN as error:
        raise Unreadable(f"{found.path} cannot be read: {_in_words(error)}") from error
    if len(text) > most:
        raise Unreadable(f"{found.path} has more than {most >> 20} MB.")
    return text


def _in_words(error: Exception) -> str:
    if isinstance(error, RuntimeError) and "password" in str(error):
        return "it has a password."
    if isinstance(error, PermissionError):
        return "it may not be opened."
    return "it is damaged, or of a kind that is not known."

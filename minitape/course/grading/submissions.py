"""Reads submissions: the files of each student, or the reason why they cannot be read.

found              folders → submissions
Submission         the files of one student
SubmissionPattern  a pattern for paths that are not recognized automatically

Zips are not unpacked, and links are not followed. A file in a zip is read by its name, up to a limit on its size.
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

from minitape.course import messages
from minitape.course.course import Course
from minitape.errors import CourseError

_MOST_FILES = 10_000  # the maximum number per student
_MOST_ZIPPED = 100 << 20  # bytes of a zip
_FILES = (".py", ".ipynb")
_BROKEN = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    RuntimeError,  # raised for a password
    NotImplementedError,  # raised for a compression method that Python does not support
)
PROGRESS = ".minitape/progress.json"


class Unreadable(Exception):  # noqa: N818  # a result, not an error
    """A file cannot be read; the message is the reason."""


@dataclass(frozen=True)
class FoundFile:
    """A submitted file: its path in the submission, and a function that returns its first bytes."""

    path: PurePosixPath
    read: Callable[[int], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Submission:
    """The files of one student. `reason` is why none can be read; `meant` has the exercise of each file, if a layout names it."""

    student: str
    files: tuple[FoundFile, ...] = ()
    reason: str = ""
    meant: tuple[tuple[str, FoundFile], ...] = ()


@dataclass(frozen=True)
class SubmissionPattern:
    """A pattern such as `{student}/{exercise}.py`; `*` matches any characters except a slash.

    Raises:
        CourseError: the pattern lacks the student or the exercise.
    """

    pattern: str

    def __post_init__(self) -> None:
        if "{student}" not in self.pattern or "{exercise}" not in self.pattern:
            raise CourseError(
                messages.LAYOUT_INCOMPLETE.format(layout=self.pattern), fix=messages.LAYOUT_EXAMPLE
            )

    def read(self, path: str) -> tuple[str, str] | None:
        """Return the student and the exercise that a path names; None if the path does not match the pattern."""
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
    locations: Sequence[Path],
    course: Course,
    layout: SubmissionPattern | None = None,
    but: Sequence[Path] = (),
) -> tuple[Submission, ...]:
    """Return the submissions in some folders, in the order of the students' names.

    Args:
        locations: Folders with a folder, zip, notebook or script for each student; or the folder, zip or file of one student.
        course: The course; a folder that contains its lessons is the folder of one student.
        layout: The pattern of the paths in these folders.
        but: Files that are not submissions, such as an earlier report.

    Raises:
        CourseError: a folder does not exist, or contains no submissions.
    """
    for location in locations:
        if not location.exists():
            raise CourseError(messages.NO_PATH.format(path=location), fix=messages.NAME_FOLDER)
    if layout is not None:
        submissions = list(_laid_out(locations, layout))
    else:
        left = {each.resolve() for each in but}
        entries = [each for location in locations for each in _entries(location, course)]
        entries = [each for each in entries if each.resolve() not in left]
        submissions = [_submission(name, path) for name, path in _named(entries)]
    if not submissions:
        raise CourseError(
            messages.NOTHING_HANDED_IN.format(paths=", ".join(map(str, locations))),
            fix=messages.ONE_EACH,
        )
    return tuple(sorted(submissions, key=lambda each: (each.student.casefold(), each.student)))


def _entries(location: Path, course: Course) -> Iterator[Path]:
    """Yield the paths in a folder that each belong to one student."""
    own = {lesson.name for lesson in course.lessons} | {".minitape"}
    if not location.is_dir() or any(each.name in own for each in location.iterdir()):
        yield location
        return
    for each in sorted(location.iterdir()):
        if not each.name.startswith((".", "__MACOSX")):
            yield each


def _named(entries: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Yield each path with a unique name: without the suffix if that is enough, otherwise with it or with its folder."""
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
            raise Unreadable(messages.IS_A_LINK.format(file=path.name))
        if path.is_dir():
            files = tuple(_of_folder(path))
        elif path.suffix.lower() == ".zip":
            files = tuple(_of_zip(path))
        elif path.suffix.lower() in _FILES:
            files = (_of_path(path, PurePosixPath(path.name)),)
        else:
            raise Unreadable(messages.NOT_A_SUBMISSION.format(file=path.name))
    except Unreadable as error:
        return Submission(student, reason=str(error))
    except _BROKEN as error:
        why = messages.UNREADABLE.format(file=path.name, why=_in_words(error))
        return Submission(student, reason=why)
    return Submission(student, files)


def _laid_out(locations: Sequence[Path], layout: SubmissionPattern) -> Iterator[Submission]:
    meant: dict[str, list[tuple[str, FoundFile]]] = {}
    for location in locations:
        for each in _of_folder(location, most=_MOST_FILES * 10):
            named = layout.read(str(each.path))
            if named is not None:
                meant.setdefault(named[0], []).append((named[1], each))
    for student, files in meant.items():
        yield Submission(student, tuple(each for _, each in files), meant=tuple(files))


# --- folders ---


def _of_folder(folder: Path, most: int = _MOST_FILES) -> Iterator[FoundFile]:
    """Yield all scripts and notebooks, and the progress file, but no hidden files and no links."""
    number = 0
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not _is_hidden(each))
        number += len(names) + len(folders)
        if number > most:
            raise Unreadable(messages.TOO_MANY_FILES.format(most=most))
        for name in sorted(names):
            path = Path(root, name)
            if path.suffix.lower() in _FILES and not _is_hidden(name):
                yield _of_path(path, PurePosixPath(path.relative_to(folder).as_posix()))
    progress = folder / PROGRESS
    if progress.exists():
        yield _of_path(progress, PurePosixPath(PROGRESS))


def _of_path(path: Path, reported: PurePosixPath) -> FoundFile:
    def read(most: int) -> bytes:
        # A link may point to another student's file, and a pipe may never end.
        if not stat.S_ISREG(path.lstat().st_mode) or _leads_away(path, reported):
            raise Unreadable(messages.NOT_A_PLAIN_FILE.format(file=reported))
        with path.open("rb") as file:
            return file.read(most)

    return FoundFile(reported, read)


def _leads_away(path: Path, reported: PurePosixPath) -> bool:
    """Whether a folder of the path, inside the submission, is a link."""
    return any(parent.is_symlink() for parent in list(path.parents)[: len(reported.parts) - 1])


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in ("__MACOSX", "__pycache__")


# --- zips ---


def _of_zip(path: Path) -> Iterator[FoundFile]:
    if path.stat().st_size > _MOST_ZIPPED:
        raise Unreadable(messages.TOO_LARGE.format(file=path.name, most=_MOST_ZIPPED >> 20))
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    if len(members) > _MOST_FILES:
        raise Unreadable(messages.TOO_MANY_FILES.format(most=_MOST_FILES))
    for member in members:
        reported = PurePosixPath(member.filename.replace("\\", "/"))
        outside = reported.is_absolute() or ".." in reported.parts
        progress = str(reported).endswith(PROGRESS)
        wanted = reported.suffix.lower() in _FILES and not any(map(_is_hidden, reported.parts))
        if not outside and not member.is_dir() and (wanted or progress):
            yield FoundFile(reported, _reader(path, member))


def _reader(path: Path, member: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        if stat.S_ISLNK(member.external_attr >> 16):
            raise Unreadable(messages.IS_A_LINK.format(file=member.filename))
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            return file.read(most)  # not more than this is unpacked, whatever size the zip declares

    return read


def text_of(found: FoundFile, most: int) -> bytes:
    """Return the content of a file.

    Raises:
        Unreadable: the file is larger than `most` bytes, or cannot be read.
    """
    try:
        text = found.read(most + 1)
    except _BROKEN as error:
        why = messages.UNREADABLE.format(file=found.path, why=_in_words(error))
        raise Unreadable(why) from error
    if len(text) > most:
        raise Unreadable(messages.TOO_LARGE.format(file=found.path, most=most >> 20))
    return text


def _in_words(error: Exception) -> str:
    if isinstance(error, RuntimeError) and "password" in str(error):
        return messages.HAS_PASSWORD
    if isinstance(error, PermissionError):
        return messages.NO_PERMISSION
    return messages.DAMAGED

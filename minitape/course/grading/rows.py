"""The result of one student for one exercise, and the file that stores results while a class is graded.

GradeRow    a line of the report
GradingRun  the settings of a run
Journal     rows on disk, in the order in which they finish
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
from msgspec import Struct

from minitape.course import messages
from minitape.course.block import OutsideChange
from minitape.errors import CourseError
from minitape.storage import named, write_whole

MISSING = "missing"


class GradeRow(Struct, frozen=True, kw_only=True):
    """The result of a student for an exercise.

    `status` is one of passed, failed, error, timeout, memory, output_limit, missing, not_python, crashed. `codes` are the codes
    that the explainer found, and `spots` are their positions: (code, line, text of the line). `kinds` are the kinds of the
    failed checks. `hints` is the number of hints in the student's own progress file. `digest` is the hash of the file, and
    `is_starter` is True for an untouched starter. `outside` are the lines outside the block to edit that the student changed.
    """

    student: str
    exercise: str
    status: str
    points: int | float = 0
    of: int = 1
    passed: int = 0
    checks: int = 0
    codes: tuple[str, ...] = ()
    spots: tuple[tuple[str, int, str], ...] = ()
    kinds: tuple[str, ...] = ()
    seconds: float = 0.0
    hints: int | None = None
    file: str = ""
    digest: str = ""
    is_starter: bool = False
    line: int | None = None
    message: str = ""
    outside: tuple[OutsideChange, ...] = ()

    @property
    def ok(self) -> bool:
        return self.status == "passed"


class GradingRun(Struct, frozen=True, kw_only=True):
    """The settings of a run; a report contains only rows with equal settings."""

    course: str
    version: str
    seed: int
    timeout: float
    memory: int | None
    exercises: tuple[str, ...]
    partial: bool = False


class Journal:
    """A file of rows: a line for the run, followed by a line for each row.

    Args:
        path: The path of the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, run: GradingRun) -> None:
        """Start an empty journal for a run."""
        write_whole(self._path, msgspec.json.encode(run) + b"\n")

    def add(self, row: GradeRow) -> None:
        """Append a row; the row is passed to the operating system before this method returns."""
        with named(self._path), self._path.open("ab") as file:
            file.write(msgspec.json.encode(row) + b"\n")

    def read(self) -> tuple[GradingRun, list[GradeRow]] | None:
        """Return the run and its rows; None if there is no journal. An incomplete last line is removed.

        Raises:
            CourseError: the file is not a journal.
        """
        try:
            first, *lines = self._path.read_bytes().splitlines(keepends=True)
            run = msgspec.json.decode(first, type=GradingRun)
        except FileNotFoundError:
            return None
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
            raise CourseError(
                messages.NOT_A_JOURNAL.format(file=self._path), fix=messages.WITHOUT_RESUME
            ) from None
        rows, whole = [], first
        for line in lines:
            try:
                rows.append(msgspec.json.decode(line, type=GradeRow))
            except (msgspec.DecodeError, UnicodeDecodeError):
                break
            whole += line if line.endswith(b"\n") else line + b"\n"
        write_whole(self._path, whole)
        return run, rows

    def end(self) -> None:
        """Delete the journal, after the report is written."""
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

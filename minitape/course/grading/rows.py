"""What is known of one student and one exercise, and the file that keeps it while a class is graded.

Row       a line of the report
Run       what all rows of a run have in common
Journal   rows on disk, each as it comes
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
from msgspec import Struct

from minitape.errors import CourseError
from minitape.storage import named, write_whole

MISSING = "missing"


class Row(Struct, frozen=True, kw_only=True):
    """A student and an exercise.

    `status` is one of passed, failed, error, timeout, memory, output_limit, missing, not_python, crashed. `codes` are what the
    explainer found, `spots` where: (code, line, its text). `kinds` are those of the checks that do not hold. `hints` is what the
    student's own progress file says. `digest` is that of the file, `is_starter` whether it is as it was given out.
    """

    student: str
    exercise: str
    status: str
    points: int = 0
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

    @property
    def ok(self) -> bool:
        return self.status == "passed"


class Run(Struct, frozen=True, kw_only=True):
    """What all rows of a run have in common; rows of another run are not mixed with them."""

    course: str
    version: str
    seed: int
    timeout: float
    memory: int | None
    exercises: tuple[str, ...]


class Journal:
    """Rows on disk: a line for the run, then one for each row.

    Args:
        path: Where.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, run: Run) -> None:
        """Begin anew."""
        write_whole(self._path, msgspec.json.encode(run) + b"\n")

    def add(self, row: Row) -> None:
        """Keep a row; it is on its way to the disk when this returns."""
        with named(self._path), self._path.open("ab") as file:
            file.write(msgspec.json.encode(row) + b"\n")

    def read(self) -> tuple[Run, list[Row]] | None:
        """The run and its rows; None if there is no journal. A line that was not finished is cut off.

        Raises:
            CourseError: it is no journal.
        """
        try:
            first, *lines = self._path.read_bytes().splitlines(keepends=True)
            run = msgspec.json.decode(first, type=Run)
        except FileNotFoundError:
            return None
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
            raise CourseError(
                f"{self._path} is no list of rows to go on from.", fix="without --resume"
            ) from None
        rows, whole = [], first
        for line in lines:
            try:
                rows.append(msgspec.json.decode(line, type=Row))
            except (msgspec.DecodeError, UnicodeDecodeError):
                break
            whole += line if line.endswith(b"\n") else line + b"\n"
        write_whole(self._path, whole)
        return run, rows

    def end(self) -> None:
        """The report is written: it is not needed any more."""
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

"""Stores the student's progress in a small file in the course folder, so that it is copied, zipped and synced with the folder.

    CourseProgress    reads and writes `.minitape/progress.json`
    State             the state of an exercise
    ExerciseProgress  the record of an exercise
    after_attempt     the record of an exercise after an attempt
    entries           the records in a file
    stamp             a hash of a student's file and the version of the course

The file is written under a temporary name and renamed, so it is never incomplete. A damaged file is renamed and kept, and a new
file is started; `minitape lesson check-all` then checks again which exercises pass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from minitape.course import messages
from minitape.course.attempts import Attempt
from minitape.course.course import Course, Exercise
from minitape.storage import read_file, write_whole

_SCHEMA = 1
_HISTORY = 50  # the maximum number of stored attempts for each exercise


class State(StrEnum):
    """The state of an exercise."""

    NEW = "new"
    TRIED = "tried"
    PASSED = "passed"
    CHANGED = "changed"  # it passed, but the file or the course has changed since
    SKIPPED = "skipped"


class ExerciseProgress(Struct, frozen=True, kw_only=True):
    """The record of an exercise; `history` holds a word for each attempt: a code, the kind of a failed check, or a status."""

    state: State = State.NEW
    first: str | None = None
    last: str | None = None
    tries: int = 0
    hints: int = 0
    hash: str | None = None  # the digest of the file that passed, and the version of the course
    failures: int = 0  # the number of failed attempts with a changed file
    latest: tuple[str, ...] = ()  # the codes and the failed checks of the last attempt
    failed: str | None = None  # the digest of the file that failed last
    history: tuple[str, ...] = ()


class _ProgressFile(Struct, frozen=True, kw_only=True):
    """The content of the progress file."""

    schema: int = _SCHEMA
    exercises: dict[str, ExerciseProgress] = {}  # msgspec copies the default


class CourseProgress:
    """The progress in a course folder; the file is read again before each change, because another terminal may have changed it.

    Args:
        folder: The course folder.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / ".minitape" / "progress.json"
        self.note = ""  # a note about the file, which is shown once
        self._held = self._read()

    def entry(self, exercise: Exercise) -> ExerciseProgress:
        return self._held.exercises.get(exercise.id, ExerciseProgress())

    def state(self, course: Course, exercise: Exercise, file: Path) -> State:
        """Return the state of an exercise, given the current content of its file."""
        entry = self.entry(exercise)
        if entry.state is State.PASSED and entry.hash != stamp(course, file):
            return State.CHANGED
        return entry.state

    def tried(self, course: Course, exercise: Exercise, file: Path, came: Attempt) -> None:
        """Record an attempt."""
        digest = stamp(course, file)
        self._change_entry(exercise, lambda entry: after_attempt(entry, came, digest))

    def hinted(self, exercise: Exercise, level: int) -> None:
        """Record that the student read a hint."""
        self._change_entry(
            exercise, lambda entry: structs.replace(entry, hints=max(entry.hints, level))
        )

    def skipped(self, exercise: Exercise) -> None:
        """Record that the student skipped the exercise."""
        self._change_entry(exercise, lambda entry: structs.replace(entry, state=State.SKIPPED))

    def renewed(self, exercise: Exercise) -> None:
        """Record that the starter file was restored; the counts of attempts and hints are kept."""
        self._change_entry(
            exercise, lambda entry: structs.replace(entry, state=State.NEW, hash=None)
        )

    # --- the file ---

    def _change_entry(
        self, exercise: Exercise, change: Callable[[ExerciseProgress], ExerciseProgress]
    ) -> None:
        def changed(held: _ProgressFile) -> _ProgressFile:
            entry = change(held.exercises.get(exercise.id, ExerciseProgress()))
            return structs.replace(held, exercises={**held.exercises, exercise.id: entry})

        self._change(changed)

    def _change(self, change: Callable[[_ProgressFile], _ProgressFile]) -> None:
        self._held = change(self._read())
        self.path.parent.mkdir(exist_ok=True)
        data = msgspec.json.format(msgspec.json.encode(self._held, order="sorted"), indent=1)
        write_whole(self.path, data + b"\n")

    def _read(self) -> _ProgressFile:
        try:
            data = read_file(self.path)
        except FileNotFoundError:
            return _ProgressFile()
        try:
            held = msgspec.json.decode(data, type=_ProgressFile)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return self._restarted()
        return held if held.schema == _SCHEMA else self._restarted()

    def _restarted(self) -> _ProgressFile:
        """Rename the damaged file, and start with an empty one."""
        number = 1
        while (aside := self.path.with_name(f"progress.damaged-{number}.json")).exists():
            number += 1
        self.path.rename(aside)
        names = {"file": self.path.name, "aside": aside.name}
        self.note = messages.PROGRESS_DAMAGED.format(**names)
        return _ProgressFile()


def after_attempt(entry: ExerciseProgress, came: Attempt, digest: str | None) -> ExerciseProgress:
    """Return the record after an attempt; `digest` is the stamp of the student's file."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    known = structs.replace(
        entry,
        first=entry.first or now,
        last=now,
        tries=entry.tries + 1,
        latest=tuple(dict.fromkeys((*came.codes, *_failing(came)))),
        history=(*entry.history, *_in_short(came))[-_HISTORY:],
    )
    if came.ok:
        return structs.replace(known, state=State.PASSED, hash=digest)
    is_another = not came.is_untouched and digest != entry.failed
    return structs.replace(
        known,
        state=State.TRIED,
        hash=None,
        failures=entry.failures + is_another,
        failed=digest,
    )


def entries(data: bytes) -> dict[str, ExerciseProgress]:
    """Return the records in the text of a progress file, keyed by exercise; empty if the text cannot be read."""
    try:
        return msgspec.json.decode(data, type=_ProgressFile).exercises
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def stamp(course: Course, file: Path) -> str | None:
    """Return a hash of a student's file and the version of the course; None if the file cannot be read."""
    try:
        text = read_file(file)
    except OSError:
        return None
    return hashlib.sha256(f"{course.version}:".encode() + text).hexdigest()[:16]


def _failing(came: Attempt) -> list[str]:
    return [each.kind for each in came.checks if not each.ok]


def _in_short(came: Attempt) -> tuple[str, ...]:
    """Return a short text for an attempt: its codes, or the kind of the failed check, or its status."""
    if came.ok or not (came.codes or came.failed):
        return (came.status.value,)
    return came.codes or ((came.failed.kind,) if came.failed is not None else ())

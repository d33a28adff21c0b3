"""How far a student is: one small file in the course folder, which may be copied, zipped and synced with it.

    Progress   reads and writes `.minitape/progress.json`
    State      of an exercise
    Entry      what is known of one
    entries    what stands in such a file
    stamp      what a text is known by

It is written under another name and renamed, so that it is whole or not there. One that cannot be read is moved aside, not thrown
away, and begun anew: `minitape lesson check-all` finds out again what passes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from minitape.course.course import Course, Exercise
from minitape.course.trying import Attempt
from minitape.storage import read_file, write_whole

_SCHEMA = 1
_HISTORY = 50  # attempts that are remembered of each exercise


class State(StrEnum):
    """Where an exercise stands."""

    NEW = "new"
    TRIED = "tried"
    PASSED = "passed"
    CHANGED = "changed"  # it passed, and was edited since, or the course was
    SKIPPED = "skipped"


class Entry(Struct, frozen=True, kw_only=True):
    """What is known of an exercise. `history` are its attempts: codes, kinds of failed checks, statuses, `passed`."""

    state: State = State.NEW
    first: str | None = None
    last: str | None = None
    tries: int = 0
    hints: int = 0
    hash: str | None = None  # of the text that passed, and the version of the course
    history: tuple[str, ...] = ()


class _File(Struct, frozen=True, kw_only=True):
    """What stands in the file."""

    schema: int = _SCHEMA
    exercises: dict[str, Entry] = {}  # msgspec copies it


class Progress:
    """The progress in a course folder; read anew before each change, for another terminal may have made one.

    Args:
        folder: The course folder.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / ".minitape" / "progress.json"
        self.remark = ""  # what is to be said of the file, once
        self._held = self._read()

    def entry(self, exercise: Exercise) -> Entry:
        return self._held.exercises.get(exercise.id, Entry())

    def state(self, course: Course, exercise: Exercise, file: Path) -> State:
        """Where it stands, with the file as it is now."""
        entry = self.entry(exercise)
        if entry.state is State.PASSED and entry.hash != stamp(course, file):
            return State.CHANGED
        return entry.state

    def tried(self, course: Course, exercise: Exercise, file: Path, came: Attempt) -> None:
        """Write down an attempt."""
        now = datetime.now(UTC).isoformat(timespec="seconds")

        def after(entry: Entry) -> Entry:
            known = structs.replace(
                entry,
                first=entry.first or now,
                last=now,
                tries=entry.tries + 1,
                history=(*entry.history, *_in_short(came))[-_HISTORY:],
            )
            if came.ok:
                return structs.replace(known, state=State.PASSED, hash=stamp(course, file))
            return structs.replace(known, state=State.TRIED, hash=None)

        self._change_entry(exercise, after)

    def hinted(self, exercise: Exercise, level: int) -> None:
        """Write down that a hint was read."""
        self._change_entry(
            exercise, lambda entry: structs.replace(entry, hints=max(entry.hints, level))
        )

    def skipped(self, exercise: Exercise) -> None:
        """Write down that the student went on."""
        self._change_entry(exercise, lambda entry: structs.replace(entry, state=State.SKIPPED))

    def renewed(self, exercise: Exercise) -> None:
        """Write down that the starter lies there again; tries and hints stay known."""
        self._change_entry(
            exercise, lambda entry: structs.replace(entry, state=State.NEW, hash=None)
        )

    # --- the file ---

    def _change_entry(self, exercise: Exercise, change: Callable[[Entry], Entry]) -> None:
        def changed(held: _File) -> _File:
            entry = change(held.exercises.get(exercise.id, Entry()))
            return structs.replace(held, exercises={**held.exercises, exercise.id: entry})

        self._change(changed)

    def _change(self, change: Callable[[_File], _File]) -> None:
        self._held = change(self._read())
        self.path.parent.mkdir(exist_ok=True)
        data = msgspec.json.format(msgspec.json.encode(self._held, order="sorted"), indent=1)
        write_whole(self.path, data + b"\n")

    def _read(self) -> _File:
        try:
            data = read_file(self.path)
        except FileNotFoundError:
            return _File()
        try:
            held = msgspec.json.decode(data, type=_File)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return self._begun_anew()
        return held if held.schema == _SCHEMA else self._begun_anew()

    def _begun_anew(self) -> _File:
        """Move what cannot be read aside."""
        number = 1
        while (aside := self.path.with_name(f"progress.damaged-{number}.json")).exists():
            number += 1
        self.path.rename(aside)
        self.remark = (
            f"{self.path.name} could not be read; it is kept as {aside.name}. "
            "minitape lesson check-all finds out again what passes."
        )
        return _File()


def entries(data: bytes) -> dict[str, Entry]:
    """What the text of such a file says of each exercise; nothing, if it cannot be read."""
    try:
        return msgspec.json.decode(data, type=_File).exercises
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def stamp(course: Course, file: Path) -> str | None:
    """What a text is known by, with the version of the course that it passed; None if it cannot be read."""
    try:
        text = read_file(file)
    except OSError:
        return None
    return hashlib.sha256(f"{course.version}:".encode() + text).hexdigest()[:16]


def _in_short(came: Attempt) -> tuple[str, ...]:
    """An attempt in a word or two: its codes, else the kind of the check that failed, else its status."""
    if came.ok or not (came.codes or came.failed):
        return (came.status.value,)
    return came.codes or ((came.failed.kind,) if came.failed is not None else ())

"""Finds the file of a submission for each exercise.

SubmittedAnswer  a student's text for an exercise, or why there is none
answers          the answers in a submission
hints            the numbers of hints that a student read, from the progress file
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from minitape.course import messages
from minitape.course.course import Course, Exercise
from minitape.course.grading.submissions import PROGRESS, FoundFile, Submission, Unreadable, text_of
from minitape.course.progress import entries
from minitape.storage import read_file

_LARGEST = {".py": 1 << 20, ".ipynb": 20 << 20}  # bytes; notebooks contain pictures
_LARGEST_PROGRESS = 4 << 20


@dataclass(frozen=True)
class SubmittedAnswer:
    """A student's text for an exercise. If there is no text, `reason` is why; `digest` is the file's hash."""

    exercise: Exercise
    path: PurePosixPath | None = None
    text: bytes | None = None
    digest: str = ""
    is_starter: bool = False
    reason: str = ""

    @property
    def name(self) -> str:
        """The name under which the file is run; it does not contain the student's name, so it is valid on every system."""
        suffix = ".py" if self.path is None else self.path.suffix.lower()
        return f"{self.exercise.name}{suffix}"


def answers(
    submission: Submission, course: Course, exercises: Sequence[Exercise]
) -> Iterator[SubmittedAnswer]:
    """Yield a student's answer to each exercise.

    A file belongs to the exercise whose name it has, such as `ex2_middle.py` or `anna_ex2_middle.py`. It must be in a folder of
    the lesson, unless the name occurs in only one lesson. If no file has the name, the first heading in a file decides; if only
    one exercise is graded and only one file was submitted, that file is the answer. Among several matching files, changed files
    come before untouched starters, and scripts before notebooks.
    """
    by_heading: dict[str, list[FoundFile]] | None = None
    for exercise in exercises:
        if submission.reason:
            yield SubmittedAnswer(exercise, reason=submission.reason)
            continue
        files = list(_of_name(submission, course, exercise))
        if not files and not submission.meant:
            if by_heading is None:
                by_heading = _by_heading(submission)
            files = by_heading.get(_heading(_starter(exercise), ".py"), [])
        if not files and len(exercises) == 1 and len(submission.files) == 1:
            files = list(submission.files)
        yield _best(exercise, files)


def _of_name(submission: Submission, course: Course, exercise: Exercise) -> Iterator[FoundFile]:
    if submission.meant:
        names = (exercise.id, exercise.name, exercise.short)
        yield from (each for name, each in submission.meant if name in names)
        return
    lessons = {each.name for each in course.lessons}
    is_alone = sum(each.name == exercise.name for each in course.exercises) == 1
    ending = re.compile(rf"(?:.*[\W_])?{re.escape(exercise.name)}", re.IGNORECASE)
    for each in submission.files:
        around = lessons.intersection(each.path.parts[:-1])
        fits = exercise.lesson in around if around else is_alone
        if fits and each.path.suffix != ".json" and ending.fullmatch(each.path.stem):
            yield each


def _by_heading(submission: Submission) -> dict[str, list[FoundFile]]:
    found: dict[str, list[FoundFile]] = {}
    for each in submission.files:
        suffix = each.path.suffix.lower()
        if suffix in _LARGEST:
            try:
                text = text_of(each, _LARGEST[suffix])
            except Unreadable:
                continue
            found.setdefault(_heading(text, suffix), []).append(each)
    found.pop("", None)
    return found


def _heading(text: bytes, suffix: str) -> str:
    """Return the first heading of a script or a notebook, or ""."""
    mark = r"^# # (.+)$"
    said = text.decode(errors="replace")
    if suffix == ".ipynb":
        mark = r"^# (.+)$"
        said = "\n".join(each for is_code, each in _cells(text) if not is_code)
    match = re.search(mark, said, re.MULTILINE)
    return "" if match is None else match[1].strip()


def _best(exercise: Exercise, files: Sequence[FoundFile]) -> SubmittedAnswer:
    read = [_read(exercise, each) for each in files]
    if not read:
        return SubmittedAnswer(exercise, reason=messages.NO_ANSWER)
    return min(read, key=_merit)


def _merit(answer: SubmittedAnswer) -> tuple[object, ...]:
    assert answer.path is not None
    depth, kind = len(answer.path.parts), answer.path.suffix != ".py"
    return answer.text is None, answer.is_starter, depth, kind, str(answer.path)


def _read(exercise: Exercise, file: FoundFile) -> SubmittedAnswer:
    suffix = file.path.suffix.lower()
    try:
        text = text_of(file, _LARGEST[suffix])
    except Unreadable as error:
        return SubmittedAnswer(exercise, file.path, reason=str(error))
    digest = hashlib.sha256(text).hexdigest()[:16]
    if suffix == ".ipynb":
        code = [each for is_code, each in _cells(text) if is_code]
        given = [each.strip() for each in _starter_cells(exercise)]
        is_starter = [
            each.strip() for each in code if each.strip() and not _is_magic(each)
        ] == given
        text = _slim(text, code)
    else:
        is_starter = text.split() == _starter(exercise).split()
    return SubmittedAnswer(exercise, file.path, text, digest, is_starter)


def _starter(exercise: Exercise) -> bytes:
    return read_file(exercise.starter)


def _starter_cells(exercise: Exercise) -> list[str]:
    from minitape.course.notebooks import cells

    return [text for is_code, text in cells(_starter(exercise).decode()) if is_code]


def _cells(text: bytes) -> list[tuple[bool, str]]:
    """Return the cells of a notebook, as (is code, text); empty if it is not a notebook."""
    try:
        data: Any = json.loads(text)
        found = []
        for cell in data["cells"]:
            source = cell["source"]
            said = source if isinstance(source, str) else "".join(source)
            found.append((cell["cell_type"] == "code", said))
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return found


def _is_magic(cell: str) -> bool:
    """Whether all lines of a cell are magics, such as the cell that checks the exercise."""
    return all(line.startswith("%") for line in cell.split("\n") if line.strip())


def _slim(text: bytes, code: Sequence[str]) -> bytes:
    """Return the notebook without outputs; a text that is not a notebook is returned unchanged."""
    if not code:
        return text
    return json.dumps({"cells": [{"cell_type": "code", "source": each} for each in code]}).encode()


def hints(submission: Submission) -> dict[str, int]:
    """Return the number of hints that a student read, by exercise; it comes from the student's file and cannot be verified."""
    for each in sorted(submission.files, key=lambda found: len(found.path.parts)):
        if str(each.path).endswith(PROGRESS):
            try:
                known = entries(text_of(each, _LARGEST_PROGRESS))
            except Unreadable:
                return {}
            return {name: entry.hints for name, entry in known.items()}
    return {}

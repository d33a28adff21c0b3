"""Statistics of a class: which exercises failed, with which codes, and on which lines.

items       an Item for each exercise
identical   groups of identical files
totals      the points of each student
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from minitape.course.course import Exercise
from minitape.course.grading.rows import MISSING, GradeRow

_K = TypeVar("_K")


@dataclass(frozen=True)
class MistakeLine:
    """A line of the program, and the number of students who have a code on it; `number` is its most frequent line number."""

    text: str
    number: int
    students: int


@dataclass(frozen=True)
class Code:
    """A code, the number of students who have it, and its lines, the most frequent first."""

    code: str
    students: int
    lines: tuple[MistakeLine, ...]


@dataclass(frozen=True)
class Item:
    """An exercise: the number of students who passed it, and what went wrong for the others.

    `statuses` counts all rows. `codes` and `kinds` (of failed checks) count only students who changed the file and did not pass,
    because in an exercise about a lost gradient a correct file can have a code too. `starters` counts untouched starter files.
    """

    exercise: str
    title: str
    students: int
    passed: int
    statuses: tuple[tuple[str, int], ...]
    codes: tuple[Code, ...]
    kinds: tuple[tuple[str, int], ...]
    starters: int

    @property
    def rate(self) -> float:
        """The fraction of all students who passed."""
        return self.passed / self.students if self.students else 0.0


@dataclass(frozen=True)
class StudentTotal:
    """The points of a student, the maximum number of points, and the rows in the order of the exercises."""

    student: str
    points: int | float
    of: int
    rows: tuple[GradeRow, ...]

    @property
    def percent(self) -> float:
        return 100 * self.points / self.of if self.of else 100.0


def items(rows: Sequence[GradeRow], exercises: Sequence[Exercise]) -> tuple[Item, ...]:
    """Return the statistics of each exercise, in the order of the course."""
    by_exercise = _grouped(rows, lambda row: row.exercise)
    return tuple(_item(each, by_exercise[each.id]) for each in exercises if each.id in by_exercise)


def _item(exercise: Exercise, rows: Sequence[GradeRow]) -> Item:
    stuck = [row for row in rows if not row.ok and row.status != MISSING and not row.is_starter]
    with_code = Counter(code for row in stuck for code in row.codes)
    return Item(
        exercise.id,
        exercise.title,
        len(rows),
        sum(row.ok for row in rows),
        tuple(Counter(row.status for row in rows).most_common()),
        tuple(Code(code, count, _lines(code, stuck)) for code, count in with_code.most_common()),
        tuple(Counter(kind for row in stuck for kind in set(row.kinds)).most_common()),
        sum(row.is_starter for row in rows),
    )


def _lines(code: str, rows: Iterable[GradeRow]) -> tuple[MistakeLine, ...]:
    """Return the lines with a code; equal texts count as one line, because line numbers differ between students."""
    numbers: dict[str, list[int]] = defaultdict(list)
    students: Counter[str] = Counter()
    for row in rows:
        there = [(number, " ".join(text.split())) for one, number, text in row.spots if one == code]
        students.update({text for _, text in there})
        for number, text in there:
            numbers[text].append(number)
    return tuple(
        MistakeLine(text, Counter(numbers[text]).most_common(1)[0][0], count)
        for text, count in students.most_common()
    )


def identical(rows: Sequence[GradeRow]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each exercise with a group of students whose files are identical; untouched starters do not count."""
    written = [row for row in rows if row.digest and not row.is_starter]
    same = _grouped(written, lambda row: (row.exercise, row.digest))
    return tuple(
        (exercise, tuple(row.student for row in group))
        for (exercise, _), group in same.items()
        if len(group) > 1
    )


def totals(rows: Sequence[GradeRow]) -> tuple[StudentTotal, ...]:
    """Return the points of each student, in the order of the rows."""
    return tuple(
        StudentTotal(
            student,
            round(sum(row.points for row in own), 2),
            sum(row.of for row in own),
            tuple(own),
        )
        for student, own in _grouped(rows, lambda row: row.student).items()
    )


def _grouped(rows: Iterable[GradeRow], key: Callable[[GradeRow], _K]) -> dict[_K, list[GradeRow]]:
    groups: dict[_K, list[GradeRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups

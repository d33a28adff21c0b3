"""What the rows of a class say together: what it has not understood, and where.

items       an Item for each exercise
identical   files that are the same to the letter
totals      what each student has
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from minitape.course.course import Exercise
from minitape.course.grading.rows import MISSING, Row

_K = TypeVar("_K")


@dataclass(frozen=True)
class Line:
    """A line of the program and how many students have a code there. `number` is where most of them have it."""

    text: str
    number: int
    students: int


@dataclass(frozen=True)
class Code:
    """A code and how many students have it, with the lines, the most frequent first."""

    code: str
    students: int
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Item:
    """An exercise: how many students passed it, and what those who did not had.

    `statuses` counts all rows; `codes` and `kinds` (of checks that do not hold) count students who handed something in and did
    not pass: in an exercise that shows a lost gradient, those who passed have its code too. `starters` handed in the file as it
    was given out.
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
        """The share that passed, of all students."""
        return self.passed / self.students if self.students else 0.0


@dataclass(frozen=True)
class Total:
    """What a student has: points, of how many; the rows, in the order of the exercises."""

    student: str
    points: int
    of: int
    rows: tuple[Row, ...]

    @property
    def percent(self) -> float:
        return 100 * self.points / self.of if self.of else 100.0


def items(rows: Sequence[Row], exercises: Sequence[Exercise]) -> tuple[Item, ...]:
    """The exercises, as the class found them; in the order of the course."""
    by_exercise = _grouped(rows, lambda row: row.exercise)
    return tuple(_item(each, by_exercise[each.id]) for each in exercises if each.id in by_exercise)


def _item(exercise: Exercise, rows: Sequence[Row]) -> Item:
    stuck = [row for row in rows if not row.ok and row.status != MISSING]
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


def _lines(code: str, rows: Iterable[Row]) -> tuple[Line, ...]:
    """The lines that have a code. A line is known by its text: in another student's file it may stand higher or lower."""
    numbers: dict[str, list[int]] = defaultdict(list)
    students: Counter[str] = Counter()
    for row in rows:
        there = [(number, " ".join(text.split())) for one, number, text in row.spots if one == code]
        students.update({text for _, text in there})
        for number, text in there:
            numbers[text].append(number)
    return tuple(
        Line(text, Counter(numbers[text]).most_common(1)[0][0], count)
        for text, count in students.most_common()
    )


def identical(rows: Sequence[Row]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Exercises and students whose files are the same to the letter; untouched starters are left out."""
    written = [row for row in rows if row.digest and not row.is_starter]
    same = _grouped(written, lambda row: (row.exercise, row.digest))
    return tuple(
        (exercise, tuple(row.student for row in group))
        for (exercise, _), group in same.items()
        if len(group) > 1
    )


def totals(rows: Sequence[Row]) -> tuple[Total, ...]:
    """What each student has, in the order of the rows."""
    return tuple(
        Total(student, sum(row.points for row in own), sum(row.of for row in own), tuple(own))
        for student, own in _grouped(rows, lambda row: row.student).items()
    )


def _grouped(rows: Iterable[Row], key: Callable[[Row], _K]) -> dict[_K, list[Row]]:
    groups: dict[_K, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups

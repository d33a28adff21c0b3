"""A grading run, which can be continued after an interruption.

GradingSession  the exercises and submissions, and the rows so far
begun           starts a session, or continues one
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from minitape.course import messages
from minitape.course.attempts import Limits
from minitape.course.course import Course, Exercise
from minitape.course.grading.grading import grade, ordered
from minitape.course.grading.rows import GradeRow, GradingRun, Journal
from minitape.course.grading.submissions import Submission
from minitape.errors import CourseError

_MOST_SEED = 1_000_000


@dataclass
class GradingSession:
    """The exercises and submissions, and the rows so far; the journal stores each row when it finishes."""

    course: Course
    exercises: Sequence[Exercise]
    submissions: Sequence[Submission]
    run: GradingRun
    journal: Journal | None
    known: list[GradeRow] = field(default_factory=list)

    def new(self, jobs: int | None = None) -> Iterator[GradeRow]:
        """Grade the exercises that are not graded yet; yield rows in the order in which they finish.

        Args:
            jobs: The number of processes; None for the number of cores.
        """
        done = {(each.student, each.exercise): each for each in self.known}
        limits = Limits(self.run.timeout, self.run.memory)
        for row in grade(
            self.submissions,
            self.course,
            self.exercises,
            seed=self.run.seed,
            limits=limits,
            jobs=jobs,
            done=done,
            partial=self.run.partial,
        ):
            self.known.append(row)
            if self.journal is not None:
                self.journal.add(row)
            yield row

    @property
    def rows(self) -> list[GradeRow]:
        """The rows so far, by student and exercise."""
        return ordered(self.known, self.submissions, self.exercises)

    @property
    def most(self) -> int:
        """The number of rows of the complete session."""
        return len(self.submissions) * len(self.exercises)


def begun(
    course: Course,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    *,
    limits: Limits,
    partial: bool = False,
    seed: int | None = None,
    journal: Journal | None = None,
    resumes: bool = False,
) -> GradingSession:
    """Start a session, or continue one.

    Args:
        course: The course of the exercises.
        exercises: The exercises to grade.
        submissions: The submissions of all students.
        limits: The limits of each attempt.
        partial: Whether a file that fails a check gets a share of the points.
        seed: The seed of all attempts; None uses the seed of the journal, or draws a new seed.
        journal: The file in which rows are stored.
        resumes: Whether to reuse the rows of the journal, if it exists.

    Raises:
        CourseError: the journal is from a run with a different course, limits, exercises or seed.
    """
    names = tuple(each.id for each in exercises)
    before = journal.read() if journal is not None and resumes else None
    if before is None:
        drawn = secrets.randbelow(_MOST_SEED) if seed is None else seed
    else:
        drawn = before[0].seed if seed is None else seed
    run = GradingRun(
        course=course.title,
        version=course.version,
        seed=drawn,
        timeout=limits.timeout,
        memory=limits.memory,
        exercises=names,
        partial=partial,
    )
    session = GradingSession(course, exercises, submissions, run, journal)
    if before is None:
        if journal is not None:
            journal.begin(run)
    elif before[0] != run:
        raise CourseError(
            messages.OTHER_RUN.format(names=_differs(before[0], run)), fix=messages.SAME_OPTIONS
        )
    else:
        session.known += before[1]
    return session


def _differs(before: GradingRun, now: GradingRun) -> str:
    names = (
        name for name in GradingRun.__struct_fields__ if getattr(before, name) != getattr(now, name)
    )
    return ", ".join(names)

"""One grading of a class, from its first row to its last, with an interruption between where there was one.

Session   what is graded, and the rows so far
begun     a new one, or one that goes on
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from minitape.course.course import Course, Exercise
from minitape.course.grading.grading import grade, ordered
from minitape.course.grading.rows import Journal, Row, Run
from minitape.course.grading.submissions import Submission
from minitape.course.trying import Limits
from minitape.errors import CourseError

_MOST_SEED = 1_000_000


@dataclass
class Session:
    """What is graded, and the rows so far; a journal keeps each as it comes."""

    course: Course
    exercises: Sequence[Exercise]
    submissions: Sequence[Submission]
    run: Run
    journal: Journal | None
    known: list[Row] = field(default_factory=list)

    def new(self, jobs: int | None = None) -> Iterator[Row]:
        """The rows that are not known yet, as they come.

        Args:
            jobs: How many files at a time; None: as many as there are cores.
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
        ):
            self.known.append(row)
            if self.journal is not None:
                self.journal.add(row)
            yield row

    @property
    def rows(self) -> list[Row]:
        """Those that are known, by student and exercise."""
        return ordered(self.known, self.submissions, self.exercises)

    @property
    def most(self) -> int:
        """How many there will be."""
        return len(self.submissions) * len(self.exercises)


def begun(
    course: Course,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    *,
    limits: Limits,
    seed: int | None = None,
    journal: Journal | None = None,
    resumes: bool = False,
) -> Session:
    """A session; one that `resumes` has the rows and the seed of its journal, if there is one.

    Raises:
        CourseError: the journal is of another course, or of other limits, exercises or seed.
    """
    names = tuple(each.id for each in exercises)
    before = journal.read() if journal is not None and resumes else None
    if before is None:
        drawn = secrets.randbelow(_MOST_SEED) if seed is None else seed
    else:
        drawn = before[0].seed if seed is None else seed
    run = Run(
        course=course.title,
        version=course.version,
        seed=drawn,
        timeout=limits.timeout,
        memory=limits.memory,
        exercises=names,
    )
    session = Session(course, exercises, submissions, run, journal)
    if before is None:
        if journal is not None:
            journal.begin(run)
    elif before[0] != run:
        raise CourseError(
            f"the rows that are there are of another run ({_differs(before[0], run)}).",
            fix="the same options as then; or without --resume, which begins anew",
        )
    else:
        session.known += before[1]
    return session


def _differs(before: Run, now: Run) -> str:
    names = (name for name in Run.__struct_fields__ if getattr(before, name) != getattr(now, name))
    return ", ".join(names)

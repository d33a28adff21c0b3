"""Grades a class: a row for each student and exercise, in the order in which they finish.

grade     submissions → rows
ordered   rows in the order of a report
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import structs

from minitape.course.attempts import Attempt, Limits, Status
from minitape.course.course import Course, Exercise
from minitape.course.grading.answers import SubmittedAnswer, answers, hints
from minitape.course.grading.rows import MISSING, GradeRow
from minitape.course.grading.submissions import Submission
from minitape.course.parallel_attempts import AttemptRequest, attempts

_MOST_SAID = 400  # the maximum length of a message

Done = Mapping[tuple[str, str], GradeRow]


def grade(
    submissions: Sequence[Submission],
    course: Course,
    exercises: Sequence[Exercise],
    *,
    seed: int,
    limits: Limits,
    jobs: int | None = None,
    done: Done | None = None,
    partial: bool = False,
) -> Iterator[GradeRow]:
    """Check every answer; rows come in the order in which they finish.

    Args:
        submissions: The submissions of all students.
        course: The course of the exercises.
        exercises: The exercises to grade.
        seed: The seed of all attempts, so that all students get the same random inputs.
        limits: The limits of each attempt.
        jobs: The number of processes; None for the number of cores.
        partial: Whether a file that fails a check gets a share of the points, for the checks that pass.
        done: Rows of an earlier run, keyed by student and exercise; a row is reused if the file is unchanged.
    """
    at_once: deque[GradeRow] = deque()
    requested: list[Callable[[Attempt], GradeRow]] = []

    def questions() -> Iterator[AttemptRequest]:
        for submission in submissions:
            read = hints(submission)
            for answer in answers(submission, course, exercises):
                name = answer.exercise.id
                known = None if done is None else done.get((submission.student, name))
                if known is not None and known.digest == answer.digest:
                    continue
                row = _begun(submission.student, answer, read.get(name))
                if answer.text is None:
                    at_once.append(row)
                    continue
                requested.append(_rower(row, answer, partial=partial))
                yield AttemptRequest(answer.exercise, Path(answer.name), answer.text)

    for index, came in attempts(questions(), seed=seed, jobs=jobs, limits=limits, strange=True):
        while at_once:
            yield at_once.popleft()
        yield requested[index](came)
    yield from at_once


def ordered(
    rows: Sequence[GradeRow], submissions: Sequence[Submission], exercises: Sequence[Exercise]
) -> list[GradeRow]:
    """Sort rows by student, then by exercise; rows of other students and exercises are omitted."""
    known = {(each.student, each.exercise): each for each in rows}
    wanted = [(each.student, one.id) for each in submissions for one in exercises]
    return [known[each] for each in wanted if each in known]


def _begun(student: str, answer: SubmittedAnswer, hints: int | None) -> GradeRow:
    """Return the row of an answer before the answer is run."""
    return GradeRow(
        student=student,
        exercise=answer.exercise.id,
        status=MISSING if answer.path is None else Status.NOT_PYTHON.value,
        of=answer.exercise.points,
        checks=len(answer.exercise.checks),
        hints=hints,
        file="" if answer.path is None else str(answer.path),
        digest=answer.digest,
        is_starter=answer.is_starter,
        message=answer.reason,
    )


def _rower(
    begun: GradeRow, answer: SubmittedAnswer, *, partial: bool
) -> Callable[[Attempt], GradeRow]:
    """Return a function that completes a row from an attempt; it does not keep the text of the answer."""
    points = answer.exercise.points
    is_partial = partial and not answer.is_starter

    def earned(came: Attempt) -> int | float:
        if came.ok or not is_partial or not came.checks:
            return points if came.ok else 0
        return round(points * sum(each.ok for each in came.checks) / len(came.checks), 2)

    def row(came: Attempt) -> GradeRow:
        return structs.replace(
            begun,
            # The file itself raised KeyboardInterrupt, because nobody pressed Ctrl-C.
            status=(Status.ERROR if came.status is Status.INTERRUPTED else came.status).value,
            points=earned(came),
            passed=sum(each.ok for each in came.checks),
            codes=came.codes,
            spots=tuple((each.code, each.line, each.text) for each in came.locations),
            kinds=tuple(each.kind for each in came.checks if not each.ok),
            seconds=round(came.seconds, 2),
            line=came.line,
            outside=came.outside,
            message=_message(came),
        )

    return row


def _message(came: Attempt) -> str:
    """Return a message of one line: the first failed check, or the last line of an error."""
    if came.failed is not None:
        said = f"{came.failed.what}  {came.failed.fix}".strip()
    else:
        lines = came.message.strip().splitlines()
        said = next((each for each in reversed(lines) if each and not each[0].isspace()), "")
    at = f"line {came.line}: " if came.line is not None and f"line {came.line}" not in said else ""
    said = " ".join(f"{at}{said}".split())
    return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID]} …"

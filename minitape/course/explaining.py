"""Decides when a student sees the explanation of a lost gradient, and in which form.

is_offered    whether the explanation is shown now
first_hint    the first hint: about the student's own mistake, if the exercise recognizes it
within_block  a report whose findings point to the block that the student edits
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from minitape.course.block import block_lines, block_text, compared
from minitape.course.course import Exercise, Misconception
from minitape.course.progress import ExerciseProgress
from minitape.course.student import as_plain, assigned
from minitape.source_text import decoded
from minitape.storage import read_file

if TYPE_CHECKING:
    from minitape.explain.report import CallReport, Finding, Report

_PATIENCE = 2  # the number of failed attempts before the explanation is shown


def is_offered(exercise: Exercise, entry: ExerciseProgress, *, requested: bool = False) -> bool:
    """Return whether the explanation of a failed attempt is shown.

    Args:
        exercise: Its `explanation` decides: `always`, `second`, `request` or `never`.
        entry: The student's progress; an unchanged file does not count as an attempt.
        requested: Whether the student asked for the explanation.
    """
    if exercise.explanation == "second":
        return entry.failures >= _PATIENCE
    return exercise.explanation == "always" or (requested and exercise.explanation == "request")


def first_hint(exercise: Exercise, entry: ExerciseProgress, text: str) -> str | None:
    """Return the hint for the first misconception that the student's file shows; None if it shows none, or is untouched.

    Args:
        exercise: The exercise.
        entry: The student's progress, with the last attempt.
        text: The student's file.
    """
    if compared(decoded(read_file(exercise.starter)), text).is_untouched:
        return None
    found = (each.hint for each in exercise.misconceptions if _shows(each, entry, text))
    return next(found, None)


def _shows(each: Misconception, entry: ExerciseProgress, text: str) -> bool:
    block = block_text(text)
    if any(word is not None and word not in entry.latest for word in (each.code, each.check)):
        return False
    if each.writes is not None and re.search(each.writes, block) is None:
        return False
    return all(_typed(text, name) == as_plain(value) for name, value in each.typed.items())


def _typed(text: str, name: str) -> object:
    """Return the literal that a text assigns to a name; the literal None is returned as "None", a missing value as None."""
    try:
        (*_, value) = assigned(ast.parse(text), name)
        plain = as_plain(ast.literal_eval(value))
    except (ValueError, SyntaxError):
        return None
    return "None" if plain is None else plain


def within_block(report: Report, text: str) -> Report:
    """Return a report that reports a missing `watch` at the gradient call in the block, with a fix in the block.

    Args:
        report: The findings of a run.
        text: The student's file.
    """
    lines = block_lines(text)
    if lines is None:
        return report
    return report.of(tuple(_of_call(call, lines) for call in report.calls))


def _of_call(call: CallReport, lines: range) -> CallReport:
    sources = tuple(
        replace(source, findings=tuple(_moved(each, call, lines) for each in source.findings))
        for source in call.sources
    )
    return replace(call, sources=sources)


def _moved(finding: Finding, call: CallReport, lines: range) -> Finding:
    """Return a finding of `not_watched` at the tape, where it is fixed, instead of at the line that creates the source."""
    from minitape.explain.causes.sources import not_watched
    from minitape.explain.causes.texts.sources import OR_VARIABLE

    at = call.location
    is_outside = finding.location.line not in lines and at.line in lines
    if finding.slug != not_watched.slug or not is_outside:
        return finding
    fix = finding.fix.partition(OR_VARIABLE)[0]
    return replace(finding, location=at, lines=(at.line,), fix=fix)

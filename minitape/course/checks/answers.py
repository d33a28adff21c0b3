"""Checks of what a student has typed out.

prediction   a value, before it is computed
order        a list of names
choice       one option, or several
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.course.checks.check import InProgram
from minitape.course.failing import Failed
from minitape.course.student import Draw, Student, as_plain, in_short

_RELATIVE, _ABSOLUTE = 1e-3, 1e-6


class Prediction(InProgram, frozen=True, tag="prediction"):
    """The student's `name` is typed out, and equals `computed`, an expression over the student's names."""

    name: str
    computed: str

    def examine(self, student: Student, draw: Draw) -> str:
        typed = student.literal(self.name)
        came = as_plain(_computed(self.computed, student))
        fault = _difference(as_plain(typed), came)
        if fault is not None:
            raise Failed(
                f"{self.name} = {in_short(typed)} is not what the program computes{fault}.",
                f"run the file with python, look at {self.computed}, and say why before you write it down",
            )
        return f"{self.name} = {in_short(typed)}, as the program computes it"


class Order(InProgram, frozen=True, tag="order"):
    """The student's `name` is a list of names, typed out, in the order of `computed`."""

    name: str
    computed: str

    def examine(self, student: Student, draw: Draw) -> str:
        given, came = student.literal(self.name), list(_computed(self.computed, student))
        if not isinstance(given, list | tuple):
            raise Failed(
                f"{self.name} is {in_short(given)}, and no list.", f'{self.name} = ["…", "…"]'
            )
        texts, right = list(map(str, given)), list(map(str, came))
        if sorted(texts) != sorted(right):
            unknown = [each for each in texts if each not in right]
            seen = f"it names {unknown[0]!r}" if unknown else f"it has {len(texts)} of {len(right)}"
            raise Failed(
                f"{self.name} does not list each name once: {seen}.", "write each name once"
            )
        wrong = [i for i, pair in enumerate(zip(texts, right, strict=True)) if len(set(pair)) > 1]
        if wrong:
            raise Failed(
                f"{self.name} is not in the order of the run: place {wrong[0] + 1}, where "
                f"{texts[wrong[0]]!r} stands, is the first to differ.",
                "follow the walk there: what has to be known before it?",
            )
        return f"{self.name} is in the order of the run"


class Choice(InProgram, frozen=True, tag="choice"):
    """The student's `name` is one option or a tuple of several: the SHA-256 of `salt` and the options is `digest`."""

    name: str
    salt: str
    digest: str

    def examine(self, student: Student, draw: Draw) -> str:
        given = student.literal(self.name)
        if digest(given, self.salt) != self.digest:
            raise Failed(
                f"{self.name} = {in_short(given)} is not right.",
                "change the program so that the options would differ, and run that",
            )
        return f"{self.name} = {in_short(given)}"


def digest(options: str | Sequence[str], salt: str) -> str:
    """What stands in lesson.toml for an option, or for several in any order."""
    several = options if isinstance(options, list | tuple) else [options]
    text = ",".join(sorted(str(each).strip().lower() for each in several))
    return hashlib.sha256(f"{salt}:{text}".encode()).hexdigest()


def _computed(expression: str, student: Student) -> Any:
    """The value of an author's expression over the student's names, and those of checks.py."""
    try:
        return eval(expression, {**student.checks, **student.names})
    except Failed:
        raise
    except Exception as error:
        raise Failed(
            f"{expression} cannot be computed in your file: {type(error).__name__}: {error}.",
            "leave the lines outside of the TODO block as they were",
        ) from error


def _difference(given: Any, came: Any) -> str | None:
    """Where two plain values differ; None if they do not. What is right is not said."""
    if isinstance(given, list) and isinstance(came, list):
        if len(given) != len(came):
            return f": it has {_counted(given)}, not {_counted(came)}"
        found = (_difference(*pair) for pair in zip(given, came, strict=True))
        wrong = [i for i, each in enumerate(found) if each is not None]
        return f": place {wrong[0] + 1} differs" if wrong else None
    if isinstance(given, dict) and isinstance(came, dict):
        if given.keys() != came.keys():
            return ": its keys differ"
        wrong_keys = [key for key in given if _difference(given[key], came[key]) is not None]
        return f": {wrong_keys[0]!r} differs" if wrong_keys else None
    if _is_number(given) and _is_number(came):
        same = np.isclose(given, came, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True)
        return None if same else ""
    if _is_number(given) and isinstance(came, list):
        return ": it is a single number, and no list or tuple"
    if isinstance(given, str) and not isinstance(came, str):
        return ": in quotes it is a text; numbers, tuples, None, True and False are written without"
    return None if type(given) is type(came) and given == came else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def _counted(values: Sequence[Any]) -> str:
    return f"{len(values)} element{'s' * (len(values) != 1)}"

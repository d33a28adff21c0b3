"""Checks of answers that a student types out.

prediction   a value, predicted before it is computed
order        a list of names
choice       one option, or several
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.course import messages
from minitape.course.checks.check import InProgram
from minitape.course.failing import Failed
from minitape.course.student import Draw, Student, as_plain, in_short

_RELATIVE, _ABSOLUTE = 1e-3, 1e-6


class Prediction(InProgram, frozen=True, tag="prediction"):
    """The student types out the value of `name`, which must equal `computed`, an expression over the names of the program."""

    name: str
    computed: str

    def examine(self, student: Student, draw: Draw) -> str:
        typed = student.literal(self.name)
        came = as_plain(_computed(self.computed, student))
        detail = _difference(as_plain(typed), came)
        said = {"name": self.name, "given": in_short(typed)}
        if detail is not None:
            raise Failed(
                messages.PREDICTED_WRONG.format(**said, detail=detail), messages.PREDICT_AGAIN
            )
        return messages.PREDICTED.format(**said)


class Order(InProgram, frozen=True, tag="order"):
    """The student types out `name`, a list of names, in the order of `computed`."""

    name: str
    computed: str

    def examine(self, student: Student, draw: Draw) -> str:
        given, came = student.literal(self.name), list(_computed(self.computed, student))
        if not isinstance(given, list | tuple):
            raise Failed(
                messages.ORDER_NOT_A_LIST.format(name=self.name, given=in_short(given)),
                messages.ORDER_AS_A_LIST.format(name=self.name),
            )
        texts, right = list(map(str, given)), list(map(str, came))
        if sorted(texts) != sorted(right):
            raise Failed(self._not_each_once(texts, right), messages.LIST_EACH_ONCE)
        wrong = [i for i, pair in enumerate(zip(texts, right, strict=True)) if len(set(pair)) > 1]
        if wrong:
            number, first = wrong[0] + 1, texts[wrong[0]]
            raise Failed(
                messages.ORDER_WRONG.format(name=self.name, number=number, given=first),
                messages.ORDER_AGAIN,
            )
        return messages.ORDERED.format(name=self.name)

    def _not_each_once(self, given: Sequence[str], right: Sequence[str]) -> str:
        unknown = [each for each in given if each not in right]
        if unknown:
            return messages.ORDER_UNKNOWN.format(name=self.name, unknown=unknown[0])
        repeated = [each for each in given if given.count(each) > 1]
        if repeated:
            return messages.ORDER_REPEATED.format(name=self.name, repeated=repeated[0])
        return messages.ORDER_INCOMPLETE.format(name=self.name, given=len(given), all=len(right))


class Choice(InProgram, frozen=True, tag="choice"):
    """The student types out `name`, which is one option or several; `digest` is the SHA-256 of `salt` and the right options."""

    name: str
    salt: str
    digest: str

    def examine(self, student: Student, draw: Draw) -> str:
        given = student.literal(self.name)
        said = {"name": self.name, "given": in_short(given)}
        if digest(given, self.salt) != self.digest:
            raise Failed(messages.CHOSEN_WRONG.format(**said), messages.CHOOSE_AGAIN)
        return messages.CHOSEN.format(**said)


def digest(options: str | Sequence[str], salt: str) -> str:
    """Return the `digest` in lesson.toml for an option, or for several options in any order and case."""
    several = options if isinstance(options, list | tuple) else [options]
    text = ",".join(sorted(str(each).strip().lower() for each in several))
    return hashlib.sha256(f"{salt}:{text}".encode()).hexdigest()


def _computed(expression: str, student: Student) -> Any:
    """Return the value of an author's expression over the names of the program and those of checks.py."""
    try:
        return eval(expression, {**student.checks, **student.names})
    except Failed:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise Failed(
            messages.EXPRESSION_FAILED.format(code=expression, error=said), messages.KEEP_THE_REST
        ) from error


def _difference(given: Any, came: Any) -> str | None:
    """Return how two plain values differ, without revealing the right value; None if they are equal."""
    if isinstance(given, list) and isinstance(came, list):
        if len(given) != len(came):
            return messages.WRONG_LENGTH
        found = (_difference(*pair) for pair in zip(given, came, strict=True))
        wrong = [i for i, each in enumerate(found) if each is not None]
        return messages.WRONG_ELEMENT.format(number=wrong[0] + 1) if wrong else None
    if isinstance(given, dict) and isinstance(came, dict):
        if given.keys() != came.keys():
            return messages.WRONG_KEYS
        wrong_keys = [key for key in given if _difference(given[key], came[key]) is not None]
        return messages.WRONG_ENTRY.format(key=wrong_keys[0]) if wrong_keys else None
    if _is_number(given) and _is_number(came):
        same = np.isclose(given, came, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True)
        return None if same else ""
    if _is_number(given) and isinstance(came, list):
        return messages.NOT_A_LIST
    if isinstance(given, str) and not isinstance(came, str):
        is_word = isinstance(came, list) and not _is_quoted_value(given)
        return messages.STRING_NOT_LIST if is_word else messages.IN_QUOTES
    return None if type(given) is type(came) and given == came else ""


def _is_quoted_value(text: str) -> bool:
    """Whether a string is a Python value in quotes: `"[1, 2]"`, but not `"b"`."""
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool)

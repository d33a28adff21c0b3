"""Runs the checks of an exercise in the student's process, after the program has ended.

Examiner   a companion (`run/jobs.py`) that runs the checks
"""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.course import messages
from minitape.course.checks.check import InProgram
from minitape.course.failing import Failed
from minitape.course.student import Draw, Student


@dataclass(frozen=True)
class Examiner:
    """Runs the checks on one program.

    Args:
        checks: The checks, each with its index among the checks of the exercise.
        page: The path of the lesson's checks.py.
        files: The file names of the program in tracebacks: one for a script, one for each cell of a notebook.
        texts: The texts of these files, in the same order.
        seeds: Each check runs with one seed after the other until it fails.
        token: A secret in the answer, which shows that this class wrote it.
    """

    checks: tuple[tuple[int, InProgram], ...]
    page: str | None
    files: tuple[str, ...]
    texts: tuple[str, ...]
    seeds: tuple[int, ...]
    token: str

    def __enter__(self) -> Examiner:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def switch_engine(self, engine: Any) -> bool:
        """Whether the companion can trace another engine; this one cannot, because its programs run on minitape."""
        return False

    def message(self, gradients: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the results as data: `{"token": …, "verdicts": [[place, seed, ok, what, fix], …]}`."""
        names = vars(sys.modules["__main__"])
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            verdicts = [self._examined(place, check, names) for place, check in self.checks]
        return {"token": self.token, "verdicts": verdicts}

    def _examined(self, place: int, check: InProgram, names: dict[str, Any]) -> list[Any]:
        said: tuple[bool, str, str] = True, "", ""
        for seed in self.seeds:
            student = Student(names, self.texts, self.page)
            try:
                said = True, check.examine(student, Draw(seed, place)), ""
            except Failed as failed:
                said = False, str(failed.what), str(failed.fix)
            except BaseException as error:  # a student's sys.exit among them
                said = False, *_reported(error, check, self.files)
            if not said[0]:
                break
        return [place, seed, *said]


def _reported(error: BaseException, check: InProgram, files: Sequence[str]) -> tuple[str, str]:
    """Return the message and the next step for an exception that a check did not expect."""
    said = type(error).__name__
    with suppress(Exception):
        said = f"{said}: {str(error).splitlines()[0]}" if str(error) else said
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in files]
    if frames:
        at = messages.RAISED_AT.format(line=frames[-1].lineno, code=frames[-1].line)
        return messages.FILE_RAISED.format(error=said), at
    text = messages.CHECK_FAILED.format(kind=check.kind, error=said)
    return text, messages.KEEP_THE_REST

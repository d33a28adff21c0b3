"""What the checks do in the student's process, when the program has come to its end.

Examiner   a companion (`run/jobs.py`): asks the student's program what the exercise asks
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

from minitape.course.checks.check import InProgram
from minitape.course.failing import Failed
from minitape.course.student import Draw, Student


@dataclass(frozen=True)
class Examiner:
    """Examines one program.

    Args:
        checks: What is asked; each with its place among the checks of the exercise.
        page: The lesson's checks.py.
        files: What tracebacks call the program: one name, or one for each cell.
        texts: What it says, in the same order.
        seeds: Of the numbers that are drawn: each check is made with one after the other, until it fails.
        token: What the answer begins with, so that it is known to be ours.
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

    def hear(self, engine: Any) -> bool:
        """It asks a program that ran on minitape: other engines are nothing for it."""
        return False

    def message(self, gradients: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """`{"token": …, "verdicts": [[place, seed, ok, what, fix], …]}`."""
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
                said = False, *_told(error, check, self.files)
            if not said[0]:
                break
        return [place, seed, *said]


def _told(error: BaseException, check: InProgram, files: Sequence[str]) -> tuple[str, str]:
    """What is said of an exception that a check did not expect."""
    said = type(error).__name__
    with suppress(Exception):
        said = f"{said}: {str(error).splitlines()[0]}" if str(error) else said
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in files]
    if frames:
        return f"your file raised {said}", f"line {frames[-1].lineno}: {frames[-1].line}"
    return (
        f"this check ({check.kind}) could not be done: {said}",
        "leave the lines outside of the TODO block as they were",
    )

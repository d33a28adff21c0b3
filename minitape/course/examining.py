"""Runs the checks of an exercise in the student's process, after the program has ended.

Examiner   a companion (`run/jobs.py`) that runs the checks
"""

from __future__ import annotations

import io
import sys
import time
import traceback
import warnings
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitape.course import messages
from minitape.course.block import Comparison
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
        token: A secret in the answer, which proves that this class wrote it.
        comparison: The program, compared with its starter. If lines outside the block changed, the checks see the names of the
            restored program.
        patience: Seconds after which no further seed is tried; None for no limit.
    """

    checks: tuple[tuple[int, InProgram], ...]
    page: str | None
    files: tuple[str, ...]
    texts: tuple[str, ...]
    seeds: tuple[int, ...]
    token: str
    comparison: Comparison = field(default=Comparison(False))
    patience: float | None = None

    def __enter__(self) -> Examiner:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def switch_engine(self, engine: Any) -> bool:
        """Whether the companion can trace another engine; this one cannot, because its programs run on minitape."""
        return False

    def message(self, gradients: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the results as data: `{"token": …, "verdicts": [[index, seed, ok, what, fix], …]}`."""
        return self.examined(vars(sys.modules["__main__"]))

    def examined(self, names: dict[str, Any]) -> dict[str, Any]:
        """Return the same results for the names of a program that ran elsewhere."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            students = [self._student(names)]
            if self.comparison.is_rebuilt:
                students.insert(0, Student(names, self.texts, self.page))
            verdicts, tried = self._verdicts(students)
        return {"token": self.token, "verdicts": verdicts, "seeds": tried}

    def _verdicts(self, students: Sequence[Student]) -> tuple[list[list[Any]], int]:
        """Return the result of each check, and the number of seeds with which the checks ran."""
        until = None if self.patience is None else time.monotonic() + self.patience
        verdicts: dict[int, list[Any]] = {}
        tried = 0
        for seed in self.seeds:
            if tried and until is not None and time.monotonic() > until:
                break
            tried += 1
            for index, check in self.checks:
                if index not in verdicts or verdicts[index][2]:
                    verdicts[index] = [
                        index,
                        seed,
                        *self._examined_all(index, check, students, seed),
                    ]
            if not any(each[2] for each in verdicts.values()):
                break
        return [verdicts[index] for index, _ in self.checks], tried

    def _student(self, names: dict[str, Any]) -> Student:
        """Return the program for the checks: the student's, or the restored one if lines outside the block changed."""
        restored = self.comparison.restored
        if restored is None:
            return Student(names, self.texts, self.page, self.comparison.taken)
        restored_names: dict[str, Any] = {"__name__": "__main__", "__file__": self.files[0]}
        texts = (self.comparison.imports, restored)
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                for text in texts:
                    exec(compile(text, self.files[0], "exec"), restored_names)
        except BaseException as error:  # including a student's sys.exit
            return Student(names, texts, self.page, self.comparison.taken, restore_error=error)
        return Student(restored_names, texts, self.page, self.comparison.taken)

    def _examined_all(
        self, index: int, check: InProgram, students: Sequence[Student], seed: int
    ) -> tuple[bool, str, str]:
        """Return the first failure among programs that must all pass, or the last result."""
        for student in students:
            said = self._examined(index, check, student, seed)
            if not said[0]:
                break
        return said

    def _examined(
        self, index: int, check: InProgram, student: Student, seed: int
    ) -> tuple[bool, str, str]:
        """Return whether a check passes with a seed, what it found, and the next step."""
        try:
            student.require_restored()
            return True, check.examine(student, Draw(seed, index)), ""
        except Failed as failed:
            return False, str(failed.what), str(failed.fix)
        except BaseException as error:  # including a student's sys.exit
            return False, *_reported(error, check, self.files)


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

"""Are the gradients of a run right? Each is compared with differences, each op's rule too.

    Checker        goes along into the script's process: listens there, compares there
    CheckReport    what it brought back

A command says `ran = run(program, argv, wishes, companion=Checker())`, then `CheckReport.of_data(ran.message)`.

Whatever Python the user names reads this page, so it needs the engine and nothing besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from minitape.core import listeners
from minitape.prove.check_report import CheckReport
from minitape.prove.comparing import compared
from minitape.prove.questions import Questions

__all__ = ["CheckReport", "Checker"]


class Checker:
    """A companion (`run/jobs.py`): listens while its block runs, then does the comparing."""

    _questions: Questions
    _listening: AbstractContextManager[None]

    def __enter__(self) -> Checker:
        self._questions = Questions()
        self._listening = listeners.listen(self._questions)
        self._listening.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        self._listening.__exit__(None, None, None)

    def message(self, gradients: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Compare everything that was kept: a `CheckReport` as data."""
        return compared(self._questions, gradients).as_data()

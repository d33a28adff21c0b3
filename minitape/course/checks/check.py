"""The base classes of checks, and their results.

Check         a requirement of an exercise, as lesson.toml declares it
InProgram     a check of the program itself; it runs in the student's process
OnRun         a check of the recorded trace; it runs in the process of minitape
CheckResult   the result of a check
CheckContext  a run, as an OnRun check sees it
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from minitape.course.student import Draw, Student

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace


class Check(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, kw_only=True):
    """A requirement of an exercise; its tag is the `kind` in lesson.toml."""

    @property
    def kind(self) -> str:
        """Its name in lesson.toml."""
        return str(self.__struct_config__.tag)


class InProgram(Check, frozen=True):
    """A check that runs in the student's process after the program has ended."""

    def examine(self, student: Student, draw: Draw) -> str:
        """Check the program.

        Args:
            student: The program after its end.
            draw: Random numbers for this check.

        Returns:
            What the check found, as a phrase for the student.

        Raises:
            Failed: the check fails.
        """
        raise NotImplementedError


class OnRun(Check, frozen=True):
    """A check of the trace of the run."""

    def judge(self, context: CheckContext) -> str:
        """Check the trace.

        Returns:
            What the check found, as a phrase for the student.

        Raises:
            Failed: the check fails.
        """
        raise NotImplementedError


class CheckResult(Struct, frozen=True):
    """The result of a check: what it found, and one next step if it failed."""

    kind: str
    ok: bool
    what: str
    fix: str = ""


@dataclass(frozen=True)
class CheckContext:
    """A run as checks see it; `codes` are the codes that the explainer found in the run."""

    trace: Trace
    codes: tuple[str, ...]

    @cached_property
    def report(self) -> Report:
        """The explanation of each gradient."""
        from minitape.explain.explain import explain

        return explain(self.trace)

"""What a check is, and what became of it.

Check         an exercise's demand, as it stands in lesson.toml
InProgram     one that asks the student's program itself: it is examined in its process
OnRun         one that asks what was recorded: it is judged beside
Verdict       what became of it
Scene         a run, as OnRun sees it
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
    """A demand of an exercise; its tag is the `kind` in lesson.toml."""

    @property
    def kind(self) -> str:
        """What lesson.toml calls it."""
        return str(self.__struct_config__.tag)


class InProgram(Check, frozen=True):
    """Examined in the student's process, when the program has come to its end."""

    def examine(self, student: Student, draw: Draw) -> str:
        """What was found to be so, in a sentence.

        Raises:
            Failed: it is not so.
        """
        raise NotImplementedError


class OnRun(Check, frozen=True):
    """Judged on what was recorded."""

    def judge(self, scene: Scene) -> str:
        """What was found to be so, in a sentence.

        Raises:
            Failed: it is not so.
        """
        raise NotImplementedError


class Verdict(Struct, frozen=True):
    """What became of a check: what was seen, and one next step if that is not what was asked for."""

    kind: str
    ok: bool
    what: str
    fix: str = ""


@dataclass(frozen=True)
class Scene:
    """A run as checks see it; `codes` are those that the explainer found in it."""

    trace: Trace
    codes: tuple[str, ...]

    @cached_property
    def report(self) -> Report:
        """Why each gradient is what it is."""
        from minitape.explain.explain import explain

        return explain(self.trace)

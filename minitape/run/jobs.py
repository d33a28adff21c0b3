"""What a script's process is to do, as it is handed over: read by any Python, so only simple things.

Job         the one run of a process
Errand      one of many, in a process that waits for the next
Companion   what listens there besides the tracer
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from minitape.run.program import Program
from minitape.run.wishes import Wishes


class Companion(Protocol):
    """Goes along into the script's process, listens to minitape there while its block runs, and brings something back."""

    def __enter__(self) -> Any: ...

    def __exit__(self, *_: Any) -> None: ...

    def hear(self, engine: Any) -> bool:
        """Listen to another engine instead (`listen/engine.py`), while the block runs; returns whether it can."""

    def message(self, gradients: Sequence[dict[str, Any]]) -> Any:
        """What it has to tell, in Python's simple types; `gradients` are the trace's events of that kind."""


@dataclass(frozen=True)
class Job:
    """Run `program` once, as `__main__`; with None, run errands until no more come.

    `in_step`: what the script has printed is taken from its stdout before the next event is told.
    """

    program: Program | None
    argv: tuple[str, ...]
    wishes: Wishes
    companion: Companion | None = None
    in_step: bool = False


@dataclass(frozen=True)
class Errand:
    """One run among many: with other trees in place of the program's texts, or with a companion."""

    program: Program
    argv: tuple[str, ...]
    wishes: Wishes
    instead: tuple[ast.Module, ...] | None = None
    companion: Companion | None = None

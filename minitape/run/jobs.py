"""What a script's process is to do, as it is handed over: read by any Python, so only simple things.

Job         the one run of a process
Errand      one of many, in a process that waits for the next
Copying     or none of its own: it copies itself for each
Companion   what listens there besides the tracer
laid_down   a job, where its process finds it
"""

from __future__ import annotations

import ast
import os
import pickle
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from minitape.run.program import Part, Program
from minitape.run.wishes import Wishes
from minitape.storage import temporary_files

BOOT = Path(__file__).parent / "child" / "boot.py"  # does a job, given its folder


class Companion(Protocol):
    """Goes along into the script's process, listens to minitape there while its block runs, and brings something back."""

    def __enter__(self) -> Any: ...

    def __exit__(self, *_: Any) -> None: ...

    def hear(self, engine: Any) -> bool:
        """Listen to another engine instead (`listen/engine.py`), while the block runs; returns whether it can."""

    def message(self, gradients: Sequence[dict[str, Any]]) -> Any:
        """What it has to tell, in Python's simple types; `gradients` are the trace's events of that kind."""


@dataclass(frozen=True)
class Copying:
    """Load some modules, then make copies that do one job each; `socket` is the number of the one that asks for them."""

    socket: int
    imports: tuple[str, ...]


@dataclass(frozen=True)
class Job:
    """Run `program` once, as `__main__`; with None, run errands until no more come, or make copies of the process.

    `in_step`: what the script has printed is taken from its stdout before the next event is told. `parent`: the number of the
    process that starts this one.
    """

    program: Program | None
    argv: tuple[str, ...]
    wishes: Wishes
    companion: Companion | None = None
    in_step: bool = False
    copying: Copying | None = None
    parent: int = field(default_factory=os.getpid)


@dataclass(frozen=True)
class Errand:
    """One run among many: with other trees in place of the program's texts and of modules' files, or with a companion.

    `texts` are those that are not what their files say: lines are told as they have them.
    """

    program: Program
    argv: tuple[str, ...]
    wishes: Wishes
    instead: tuple[ast.Module, ...] | None = None
    modules: tuple[tuple[str, ast.Module], ...] = ()
    texts: tuple[Part, ...] = ()
    companion: Companion | None = None


def laid_down(job: Job) -> Path:
    """A new folder with the job in it.

    Raises:
        StorageError: the folder for temporary files has no room for it.
    """
    with temporary_files():
        folder = Path(tempfile.mkdtemp(prefix="minitape-"))
        try:
            (folder / "job").write_bytes(pickle.dumps(job, protocol=4))
        except BaseException:  # Ctrl-C among them
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return folder

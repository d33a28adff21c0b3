"""The jobs of a script's process, as data that any Python can read.

Job         the single run of a process
Errand      one of many runs, in a process that waits for the next one
Copying     no run: the process copies itself for each job
Companion   code that runs in the process in addition to the tracer
laid_down   writes a job to a folder in which its process finds it
dumped      pickles an object so that any Python can load it
"""

from __future__ import annotations

import ast
import io
import os
import pickle
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from minitape.run.options import RunOptions
from minitape.run.program import Program, ProgramPart
from minitape.storage import temporary_files

BOOT = Path(__file__).parent / "child" / "boot.py"  # does the job in a folder


class Companion(Protocol):
    """An object that runs in the script's process, receives minitape's events while its block runs, and returns a message."""

    def __enter__(self) -> Any: ...

    def __exit__(self, *_: Any) -> None: ...

    def switch_engine(self, engine: Any) -> bool:
        """Trace a different engine instead (`tracer/engine.py`) while the block runs; return whether this is possible."""

    def message(self, gradients: Sequence[dict[str, Any]]) -> Any:
        """Return the companion's result, in simple Python types; `gradients` are the trace's gradient events."""


@dataclass(frozen=True)
class Copying:
    """A job: import modules, then make copies that do one job each; jobs are requested on the descriptor `socket`."""

    socket: int
    imports: tuple[str, ...]


@dataclass(frozen=True)
class Job:
    """The job of a process: run `program` once as `__main__`; without a program, run errands until there are no more, or make
    copies of the process.

    With `in_step`, the script's output is read before the next event is sent. `parent` is the id of the process that starts
    this process.
    """

    program: Program | None
    argv: tuple[str, ...]
    run_options: RunOptions
    companion: Companion | None = None
    in_step: bool = False
    copying: Copying | None = None
    parent: int = field(default_factory=os.getpid)


@dataclass(frozen=True)
class Errand:
    """One of many runs, with other syntax trees instead of the texts of the program and of modules, or with a companion.

    `texts` are the texts that differ from their files; they are shown as source.
    """

    program: Program
    argv: tuple[str, ...]
    run_options: RunOptions
    instead: tuple[ast.Module, ...] | None = None
    modules: tuple[tuple[str, ast.Module], ...] = ()
    texts: tuple[ProgramPart, ...] = ()
    companion: Companion | None = None


def laid_down(job: Job) -> Path:
    """Write the job to a new folder, and return the folder.

    Raises:
        StorageError: the folder for temporary files has no space for it.
    """
    with temporary_files():
        folder = Path(tempfile.mkdtemp(prefix="minitape-"))
        try:
            (folder / "job").write_bytes(dumped(job))
        except BaseException:  # including Ctrl-C
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return folder


def dumped(job: Any) -> bytes:
    """Pickle an object; the Python that loads it may have another version."""
    file = io.BytesIO()
    _Pickler(file, protocol=4).dump(job)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """Pickles a path as its text, because Python 3.13 refers to the class of a path by a module that only 3.13 has."""

    def reducer_override(self, each: Any) -> Any:
        return (_path, (os.fspath(each),)) if isinstance(each, Path) else NotImplemented


def _path(text: str) -> Path:
    return Path(text)

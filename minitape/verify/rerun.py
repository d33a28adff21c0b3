"""Run a program once more without showing its output, with fixed text or with a companion that records.

Rerun        a program, how it was run, and a process that runs it as often as necessary
modules_of   the files next to it that a run imported
"""

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from minitape.run.jobs import Companion, Errand
from minitape.run.options import RunOptions
from minitape.run.program import Program, ProgramPart
from minitape.run.workers import Workers
from minitape.source_text import decoded, tree_of
from minitape.trace.events import SourceEvent
from minitape.trace.trace import Trace


class Rerun:
    """Runs a program again while its block runs; the program's output is discarded.

    Each run imports `__main__` and the modules next to it again. A run that ends its process returns nothing, and the next run
    gets a new process.

    Args:
        program: What to run.
        argv: Its arguments, `sys.argv[1:]`.
        run_options: The options of the first run; its limits apply to each run.
        modules: The files that it imports, which can be fixed too (`modules_of`).
        workers: The owner of the process that runs the program, which stays alive when the block ends; None for a separate
            process.
    """

    def __init__(
        self,
        program: Program,
        argv: Sequence[str] = (),
        run_options: RunOptions | None = None,
        *,
        modules: Sequence[ProgramPart] = (),
        workers: Workers | None = None,
    ) -> None:
        self._program = program
        self._modules = tuple(modules)
        self._argv = tuple(argv)
        self._run_options = RunOptions() if run_options is None else run_options
        self._own = Workers(self._run_options)
        self._workers = self._own if workers is None else workers

    def __enter__(self) -> Self:
        self._own.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._own.__exit__(*error)

    @property
    def parts(self) -> tuple[ProgramPart, ...]:
        """The texts that can be fixed: the script, or the cells of a notebook, and the user's modules."""
        return (*self._program.parts, *self._modules)

    @property
    def timeout(self) -> float:
        """Seconds for one run; 0 for no limit."""
        return self._run_options.timeout

    def run(
        self, instead: Sequence[ast.Module] | None = None, *, seed: int | None = None
    ) -> Trace | None:
        """Return the trace of one more run; None if the run ended its process.

        Args:
            instead: For each of `parts`, a syntax tree that replaces the text.
            seed: The seed of the random numbers, if the first run had none.
        """
        own = len(self._program.parts)
        errand = self._errand(seed)
        if instead is not None:
            errand = self._errand(seed, tuple(instead[own:]), instead=tuple(instead[:own]))
        trace: Trace | None = self._workers.done(errand)
        return trace

    def reading(self, companion: Companion, *, seed: int | None = None) -> Any:
        """Return the message of a companion after one more run; None also if the run ended its process."""
        return self._workers.done(self._errand(seed, companion=companion))

    @cached_property
    def _as_given(self) -> list[ast.Module]:
        return [tree_of(decoded(part.text)) for part in self._modules]

    def _errand(
        self, seed: int | None, modules: Sequence[ast.Module] | None = None, **what: Any
    ) -> Errand:
        trees = self._as_given if modules is None else modules
        paths = [str(self._program.folder / part.file) for part in self._modules]
        what["modules"] = tuple(zip(paths, trees, strict=True))
        if self._program.is_changed:
            reported = [
                replace(part, file=path) for part, path in zip(self._modules, paths, strict=True)
            ]
            what["texts"] = (*self._program.parts, *reported)
        run_options = (
            self._run_options
            if self._run_options.seed is not None
            else replace(self._run_options, seed=seed)
        )
        return Errand(self._program, self._argv, run_options, **what)


def modules_of(program: Program, trace: Trace) -> tuple[ProgramPart, ...]:
    """Return the user's own files that a run of a program imported, if they have not changed since."""
    own = {Path(part.file).name for part in program.parts}
    found = []
    for source in trace.of(SourceEvent):
        path = program.folder / source.file
        if not source.file.startswith("<") and Path(source.file).name not in own:
            data = path.read_bytes() if path.is_file() else b""
            if data and decoded(data) == source.text:
                found.append(ProgramPart(source.file, data))
    return tuple(found)

"""Running a program once more, quietly: with its text repaired, or with something in it that listens.

Again       a program, how it was run, and a process that runs it as often as it is asked to
"""

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from minitape.run.jobs import Companion, Errand
from minitape.run.program import Part, Program
from minitape.run.wishes import Wishes
from minitape.run.workers import Workers
from minitape.trace.trace import Trace


class Again:
    """Runs a program again while its block runs; what it prints then is nobody's concern.

    Each run finds `__main__` and the modules beside it anew. One that ends its process brings nothing, and the next one gets a
    new process.

    Args:
        program: What to run.
        argv: Its arguments, `sys.argv[1:]`.
        wishes: How it was run the first time; its limits hold for each run.
        workers: Whose process runs it, and stays when the block ends; None for one of its own.
    """

    def __init__(
        self,
        program: Program,
        argv: Sequence[str] = (),
        wishes: Wishes | None = None,
        *,
        workers: Workers | None = None,
    ) -> None:
        self._program = program
        self._argv = tuple(argv)
        self._wishes = Wishes() if wishes is None else wishes
        self._own = Workers(self._wishes)
        self._workers = self._own if workers is None else workers

    def __enter__(self) -> Self:
        self._own.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._own.__exit__(*error)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The texts that can be repaired: the script, or the cells of a notebook."""
        return self._program.parts

    @property
    def timeout(self) -> float:
        """Seconds for one run; 0 for no limit."""
        return self._wishes.timeout

    def run(
        self, instead: Sequence[ast.Module] | None = None, *, seed: int | None = None
    ) -> Trace | None:
        """The trace of one more run; None if it was the end of its process.

        Args:
            instead: A tree in place of the text of each part.
            seed: Of the random numbers, where the first run had none.
        """
        trees = None if instead is None else tuple(instead)
        trace: Trace | None = self._workers.done(self._errand(seed, instead=trees))
        return trace

    def reading(self, companion: Companion, *, seed: int | None = None) -> Any:
        """What a companion has to tell of one more run; None too if that was the end of its process."""
        return self._workers.done(self._errand(seed, companion=companion))

    def _errand(self, seed: int | None, **what: Any) -> Errand:
        wishes = self._wishes if self._wishes.seed is not None else replace(self._wishes, seed=seed)
        return Errand(self._program, self._argv, wishes, **what)

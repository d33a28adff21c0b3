"""Running a script once more, quietly: with its text mended, or with a listener that moves a number."""

import ast
import contextlib
import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from minitape.debug.program import Part, Program, of_file
from minitape.debug.script import Run, run


@dataclass(frozen=True)
class Again:
    """How a script was run, so that it can be run again. What it prints then is nobody's concern."""

    script: Path | Program
    argv: Sequence[str] = ()
    as_tensorflow: bool = False
    timeout: float = 30
    max_ops: int = 20_000
    seed: int | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The texts that can be mended: the script, or the cells of a notebook."""
        program = self.script if isinstance(self.script, Program) else of_file(self.script)
        return program.parts

    def run(self, instead: Sequence[ast.Module] | None = None, *, seed: int | None = None) -> Run:
        """Run it once more, with another tree for each part if that is given; `seed` holds where the first run had none."""
        hush = io.StringIO()
        with contextlib.redirect_stderr(hush), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(
                self.script,
                self.argv,
                as_tensorflow=self.as_tensorflow,
                stdout=hush,
                timeout=self.timeout,
                max_ops=self.max_ops,
                seed=seed if self.seed is None else self.seed,
                instead=instead,
            )

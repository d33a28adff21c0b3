"""Proofs for tests: one process runs all their scripts again."""

import atexit
from pathlib import Path
from typing import Any

from traced import run

from minitape.explain.explain import explain
from minitape.explain.report import Report
from minitape.prove.proof import proved
from minitape.prove.rerun import Again
from minitape.run.program import of_file
from minitape.run.wishes import Wishes
from minitape.run.workers import Workers
from minitape.trace.trace import Trace

WORKERS = Workers(Wishes())
atexit.register(WORKERS.__exit__)


def again(script: Path, **wishes: Any) -> Again:
    """What runs a script again."""
    return Again(of_file(script), (), Wishes(**wishes), workers=WORKERS)


def checked(script: Path, **wishes: Any) -> tuple[Report, Trace]:
    """A script run, explained and proved, and its trace."""
    trace = run(script).trace
    with again(script, **wishes) as runs:
        return proved(explain(trace), trace, runs), trace

"""Proofs for tests; a single process reruns all scripts."""

import atexit
from pathlib import Path
from typing import Any

from traced import run

from minitape.explain.explain import explain
from minitape.explain.report import Report
from minitape.run.options import RunOptions
from minitape.run.program import of_file
from minitape.run.workers import Workers
from minitape.trace.trace import Trace
from minitape.verify.proof import proved
from minitape.verify.rerun import Rerun

WORKERS = Workers(RunOptions())
atexit.register(WORKERS.__exit__)


def again(script: Path, **run_options: Any) -> Rerun:
    """Return the function that reruns a script."""
    return Rerun(of_file(script), (), RunOptions(**run_options), workers=WORKERS)


def checked(script: Path, **run_options: Any) -> tuple[Report, Trace]:
    """Run, explain and prove a script; return the report and the trace."""
    trace = run(script).trace
    with again(script, **run_options) as runs:
        return proved(explain(trace), trace, runs), trace

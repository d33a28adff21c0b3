"""The checks of `minitape doctor`."""

import io
import os
import platform
import sys
from contextlib import redirect_stderr
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from minitape.trace import events
from minitape.trace.trace import Trace
from minitape_cli.console import Terminal
from minitape_cli.version import version

# A program that is run to see whether TensorFlow can be traced, and the gradient that the trace must contain.
_PROBE = """\
import tensorflow as tf
w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = w * w
tape.gradient(y, w)
"""
_DERIVATIVE = 6.0

_PICTURES = 'python -m pip install "minitape[pictures]"'


@dataclass(frozen=True)
class HealthCheck:
    """The result of one check; `ok` is False only if some command will not work."""

    name: str
    found: str
    ok: bool = True
    hint: str = ""


def checks(terminal: Terminal, python: Path | None) -> list[HealthCheck]:
    """Return all checks, in the order in which they are shown.

    Args:
        terminal: The terminal to describe.
        python: The Python whose TensorFlow is checked; None for this one.
    """
    return [
        HealthCheck("minitape", version()),
        HealthCheck("Python", f"{platform.python_version()} at {sys.executable}"),
        *(_package(name) for name in ("numpy", "graphviz", "msgspec", "psutil", "rich", "typer")),
        _threads(),
        _engine(),
        _slides(),
        _tensorflow(python),
        HealthCheck("terminal", _terminal(terminal)),
    ]


def as_data(checks: list[HealthCheck]) -> list[dict[str, Any]]:
    return [asdict(check) for check in checks]


def _package(name: str) -> HealthCheck:
    try:
        return HealthCheck(name, installed(name))
    except PackageNotFoundError:
        return HealthCheck(
            name, "not installed", ok=False, hint=f"run `python -m pip install {name}`"
        )


def _threads() -> HealthCheck:
    """Return the number of threads that NumPy uses for matrix products, because threads wait for each other on busy cores."""
    from minitape.core.blas import blas_in_use

    blas = blas_in_use()
    if blas is None:
        hint = "run `python -m pip install threadpoolctl`, so that small products use one thread"
        return HealthCheck("threads", "as many as NumPy's BLAS uses", hint=hint)
    libraries = blas.info()
    found = ", ".join(f"{each['num_threads']} ({each['internal_api']})" for each in libraries)
    if all(each["num_threads"] == 1 for each in libraries):
        return HealthCheck("threads", found or "as many as NumPy's BLAS uses")
    found += "; 1 for small products"
    if not _cores_are_busy():
        return HealthCheck("threads", found)
    hint = "large products wait for the slowest thread; run `OPENBLAS_NUM_THREADS=1 python ...`"
    return HealthCheck("threads", f"{found}; the cores are busy", hint=hint)


def _cores_are_busy() -> bool:
    """Whether in the last minute at least as many programs were ready to run as there are cores."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] >= (os.cpu_count() or 1)


def _engine() -> HealthCheck:
    from minitape.draw import find_engine

    engine = find_engine()
    if engine.path is None:
        hint = f"for PNG and PDF, run `{_PICTURES}`, or install Graphviz"
        return HealthCheck("pictures", "built-in layout, for SVG and text", hint=hint)
    return HealthCheck("pictures", f"{engine.name} {engine.version} at {engine.path}")


def _slides() -> HealthCheck:
    """Return the formats of slides, which no layout program writes."""
    from minitape.draw.write.paper import can_paint

    can = {fmt.upper(): can_paint(fmt) for fmt in ("png", "pdf", "gif", "mp4")}
    missing = [name for name, there in can.items() if not there and name != "MP4"]
    hint = f"for {', '.join(missing)}, run `{_PICTURES}`" if missing else ""
    found = ["SVG", *(name for name, there in can.items() if there)]
    return HealthCheck("slides", ", ".join(found), hint=hint)


def _tensorflow(python: Path | None) -> HealthCheck:
    """Check whether TensorFlow is installed and can be traced. This runs a small program, so TensorFlow is imported."""
    where = "" if python is None else f" in {python}"
    missing = HealthCheck("TensorFlow", f"not installed{where}; `import tensorflow` uses minitape")
    if python is None and find_spec("tensorflow") is None:
        return missing
    from minitape.errors import PythonError
    from minitape.run.options import RunOptions
    from minitape.run.process import run
    from minitape.run.program import of_text

    program = of_text(_PROBE, file="<code>", invoked="-c")
    with redirect_stderr(io.StringIO()):
        try:
            ran = run(
                program,
                run_options=RunOptions(on="tensorflow", python=python),
                stdout=io.StringIO(),
            )
        except PythonError as error:
            if error.lacks == "tensorflow":
                return missing
            return HealthCheck("TensorFlow", error.what, ok=False, hint=error.fix or "")
    if ran.error is not None:
        said = f"cannot be imported{where}: {ran.error.type}: {ran.error.message}"
        return HealthCheck(
            "TensorFlow", said, hint="use `--on minitape` to run scripts on minitape"
        )
    version = ran.trace.ran_on.version or "installed"
    reason = ran.untraceable or ran.failure or _not_as_it_should(ran.trace)
    if reason is not None:
        hint = (
            "scripts run on TensorFlow without a trace; use `--on minitape` to run them on minitape"
        )
        return HealthCheck("TensorFlow", f"{version}{where}, cannot be traced: {reason}", hint=hint)
    hint = "scripts that import TensorFlow run on it; use `--on minitape` to run them on minitape"
    return HealthCheck("TensorFlow", f"{version}{where}, can be traced", hint=hint)


def _not_as_it_should(trace: Trace) -> str | None:
    """Return what the trace of the small program lacks; None if it is complete."""
    results = trace.of(events.ResultEvent)
    came = [each.numbers.data for each in results if each.numbers is not None]
    return None if came == [_DERIVATIVE] else "the gradient of a small program was not traced"


def _terminal(terminal: Terminal) -> str:
    out = terminal.out
    kind = "terminal" if out.file.isatty() else "not a terminal"
    colors = "no colors" if out.color_system is None else f"{out.color_system} colors"
    return f"{kind}, {out.encoding}, {out.width} columns, {colors}"

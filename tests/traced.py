"""Running a piece of program text under a tracer, for tests."""

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import minitape
from minitape.debug.explain import explain
from minitape.debug.listener import Tracer
from minitape.debug.report import Report, SourceReport
from minitape.debug.trace import Event, Trace, encode


@dataclass
class Traced:
    """What a text did: its trace, the names it left, and the exception that ended it."""

    trace: Trace
    names: dict[str, Any]
    error: Exception | None

    @property
    def report(self) -> Report:
        return explain(self.trace)

    @property
    def text(self) -> str:
        return "".join(encode(event) + "\n" for event in self.trace)

    def of(self, kind: str) -> list[Event]:
        return self.trace.of(kind)

    def source(self, index: int = 0, call: int = -1) -> SourceReport:
        """The report on one source of one gradient call, by default the first of the last."""
        return self.report.calls[call].sources[index]

    def found(self, index: int = 0, call: int = -1) -> list[tuple[str, int]]:
        """Slugs and lines of the findings for a source."""
        findings = self.source(index, call).findings
        return [(finding.slug, finding.place.line) for finding in findings]


def traced(text: str, folder: Path) -> Traced:
    """Run `text`, in which `tf`, `np` and `math` are known, as a file of that folder; lines count from 1."""
    path = folder / "program.py"
    path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    import math

    import numpy as np

    names: dict[str, Any] = {"__name__": "__main__", "tf": minitape, "np": np, "math": math}
    tracer = Tracer(script=str(path))
    error = None
    with tracer:
        try:
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        except Exception as raised:
            error = raised
    return Traced(tracer.trace, names, error)

"""Runs a program given as text under a tracer, for tests."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeVar

import numpy as np

import minitape
from minitape.explain.explain import explain
from minitape.explain.report import Report, SourceReport
from minitape.run.child import inside
from minitape.run.outcome import Run
from minitape.run.program import Program
from minitape.trace.events import Event
from minitape.trace.trace import Trace, encode
from minitape.trace.writing import EventDict
from minitape.tracer.tracer import Tracer

_Kind = TypeVar("_Kind", bound=Event)


@dataclass
class Traced:
    """The result of a program: its trace, its global names, and the exception that ended it."""

    received: list[EventDict]  # as the tracer emitted it
    names: dict[str, Any]
    error: Exception | None

    @cached_property
    def trace(self) -> Trace:
        return Trace.from_dicts(self.received)

    @property
    def report(self) -> Report:
        return explain(self.trace)

    @property
    def text(self) -> str:
        return "".join(encode(event) + "\n" for event in self.trace)

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        return self.trace.of(kind)

    def reported(self, *kinds: str) -> list[EventDict]:
        """Return the events of these kinds, with the field names of the trace format."""
        return [event for event in self.received if event["k"] in kinds]

    def source(self, index: int = 0, call: int = -1) -> SourceReport:
        """Return the report on one source of one gradient call; by default, the first source of the last call."""
        return self.report.calls[call].sources[index]

    def found(self, index: int = 0, call: int = -1) -> list[tuple[str, int]]:
        """Return the slugs and lines of the findings for a source."""
        findings = self.source(index, call).findings
        return [(finding.slug, finding.location.line) for finding in findings]


def traced(text: str, folder: Path) -> Traced:
    """Run `text`, in which `tf`, `np` and `math` are defined, as a file in that folder; lines count from 1."""
    path = folder / "program.py"
    path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__", "tf": minitape, "np": np, "math": math}
    tracer = Tracer(script=str(path))
    error = None
    with tracer:
        try:
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        except Exception as raised:
            error = raised
    return Traced(tracer.received, names, error)


def run(script: Path | str | Program, argv: Sequence[str] = (), **settings: Any) -> Run:
    """Run a script in this process as it would run in a separate process."""
    received, ending = inside.run(script, argv, **settings)
    return Run.of(Trace.from_dicts(received), ending)


INTERRUPTED = """\
w = tf.Variable(1.0)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = w * w
    tape.gradient(loss, w)
"""


def stopped_in_the_last_call(ran: Traced) -> Trace:
    """Return the trace that a run leaves if it is stopped in the backward pass of its last gradient call."""
    until = max(at for at, event in enumerate(ran.received) if event["k"] == "seed") + 1
    end = ran.received[-1] | {"i": until + 1, "events": until + 1}
    return Trace.from_dicts([*ran.received[:until], end])


# Two iterations; in the second one the gradient vanishes (note MT405).
VANISHING = """\
tf.random.set_seed(0)
layers = [tf.Variable(tf.random.normal([6, 6], stddev=0.6), name=f"w{i}") for i in range(10)]
x = tf.random.normal([16, 6])
for depth in (2, 10):
    with tf.GradientTape() as tape:
        h = x
        for w in layers[:depth]:
            h = tf.sigmoid(h @ w)
        loss = tf.reduce_mean(tf.square(h))
    grads = tape.gradient(loss, layers[:depth])
"""

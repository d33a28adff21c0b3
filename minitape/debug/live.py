"""Asking from inside a program: why is this gradient None?

    with tf.debug.record() as recording:
        ...                              # the tape, and what came before it
        print(tf.debug.why())            # of what was asked so far
    recording.trace                      # for minitape.debug.draw, or to be written to a file

Nobody can tell afterwards what went past a tape: the values that were lost are gone. So someone must have listened.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

from minitape.core import events
from minitape.debug.explain import explain
from minitape.debug.listener import Tracer
from minitape.debug.report import SAYS, CallReport, Confidence, Outcome, Report, SourceReport
from minitape.errors import TapeRuntimeError


@dataclass(frozen=True)
class Explanation:
    """What there is to say about some gradient calls; its `str` is for people, `report` for programs."""

    report: Report

    @property
    def ok(self) -> bool:
        """Whether no gradient was lost."""
        return self.report.ok

    def without(self, outcome: Outcome) -> Self:
        """The same without the sources that came out so."""
        calls = tuple(
            replace(
                call, sources=tuple(each for each in call.sources if each.outcome is not outcome)
            )
            for call in self.report.calls
        )
        return replace(self, report=replace(self.report, calls=calls))

    def __str__(self) -> str:
        if not self.report.calls:
            return "No gradient was asked for."
        told = [
            _told(call, source)
            for call in self.report.calls
            for source in call.sources
            if source.findings
        ]
        return "\n".join(told) or "No gradient was lost."

    __repr__ = __str__


def _told(call: CallReport, source: SourceReport) -> str:
    lines = [
        f"the gradient of {call.target_name} with respect to {source.name} {SAYS[source.outcome]}"
    ]
    for finding in source.findings:
        sure = "" if finding.confidence is Confidence.CERTAIN else f" ({finding.confidence.value})"
        place = f"{finding.place.file}:{finding.place.line}"
        lines += [
            f"  {place}: {finding.label}",
            f"    why : {finding.message}{sure}",
            f"    try : {finding.fix}",
            f"    more: minitape explain {finding.code}",
        ]
    return "\n".join(lines)


@contextmanager
def record() -> Iterator[Tracer]:
    """Listen to all that happens in the block, so that `why` can answer.

    Gives the tracer; its `trace` holds what it heard. No number changes by that, but all runs slower.

    >>> import minitape as tf
    >>> with record():
    ...     x = tf.constant(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    ...     slope = tape.gradient(y, x)
    ...     why().report.calls[0].sources[0].findings[0].code
    'MT101'
    """
    with Tracer() as tracer:
        yield tracer


def why() -> Explanation:
    """Why each gradient that was asked for while someone listened is what it is.

    Raises:
        TapeRuntimeError: no one listens.
    """
    return Explanation(explain(_listener().trace))


def why_of(tape: Any, target: Any, sources: Any) -> tuple[Any, Explanation]:
    """Ask a tape for a gradient: what it gives, and why. A tape that is not persistent is spent then.

    Raises:
        TapeRuntimeError: no one listens.
    """
    tracer = _listener()
    first = tracer.written
    gradients = tape.gradient(target, sources)
    report = explain(tracer.trace)
    calls = tuple(call for call in report.calls if call.event >= first)
    return gradients, Explanation(Report(report.script, calls))


def _listener() -> Tracer:
    tracers = [each for each in events.listeners if isinstance(each, Tracer)]
    if not tracers:
        raise TapeRuntimeError(
            "No one listened: what went past the tape cannot be known afterwards.",
            fix="with tf.debug.record(): around the tape and what comes before it; or minitape explain SCRIPT",
        )
    return tracers[-1]

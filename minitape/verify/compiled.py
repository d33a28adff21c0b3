"""Compare the gradients of a traced run on TensorFlow with those of an untraced run.

While a program is traced, its compiled functions run eagerly, and that can change which gradients are None. `with_compiled` adds
a finding for each gradient that is None in one of the two runs only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from minitape.explain.causes.cause import BrokenEdge
from minitape.explain.causes.tapes import DiffersCompiled, differs_compiled
from minitape.explain.explain import finding_of
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.report import CallReport, Location, Outcome, Report, SourceReport
from minitape.trace.trace import Trace

# A gradient call of the untraced run: its file, its line, and for each source whether it got None.
CallAsIs = tuple[str, int, Sequence[bool]]


def with_compiled(report: Report, trace: Trace, calls: Iterable[CallAsIs]) -> Report:
    """Return the report with a finding for each gradient that is None in one of the two runs only.

    Args:
        report: The report of the traced run.
        trace: The trace of that run.
        calls: The gradient calls of the untraced run.
    """
    as_is: dict[tuple[str, int], list[Sequence[bool]]] = {}
    for file, line, are_none in calls:
        as_is.setdefault((file, line), []).append(are_none)
    traced: dict[tuple[Location, int], set[bool]] = {}
    for call in report.calls:
        for source in call.sources:
            is_none = source.outcome is Outcome.NONE
            traced.setdefault((call.location, source.index), set()).add(is_none)
    flow = FlowGraph(trace)
    requested = {each.event.i: each for each in flow.calls.values()}

    def compared(call: CallReport, source: SourceReport) -> SourceReport:
        found = as_is.get((call.location.file, call.location.line), [])
        compiled = {each[source.index] for each in found if source.index < len(each)}
        was = traced[call.location, source.index]
        if len(compiled) != 1 or len(was) != 1 or compiled == was:
            return source
        (is_none,) = compiled
        edge = BrokenEdge(
            differs_compiled, call.event, facts=DiffersCompiled(is_none_compiled=is_none)
        )
        finding = finding_of(flow, requested[call.event], source.index, edge)
        outcome = Outcome.NONE if is_none else source.outcome
        return replace(source, outcome=outcome, findings=(finding,), fix_sets=((0,),))

    def of_call(call: CallReport) -> CallReport:
        return replace(call, sources=tuple(compared(call, each) for each in call.sources))

    return replace(report, calls=tuple(map(of_call, report.calls)))


def differs(report: Report) -> bool:
    """Return whether `with_compiled` has found a difference."""
    return any(
        finding.slug == differs_compiled.slug
        for call in report.calls
        for source in call.sources
        for finding in source.findings
    )

"""What a mend by rule would write, before anything is run again.

suggested    a report, with the new line of each mistake that one changed line mends
"""

from dataclasses import replace

from minitape.explain.causes import cuts
from minitape.explain.mistakes import Mistake, mistakes_of
from minitape.explain.report import CallReport, Finding, Mended, Report, SourceReport
from minitape.prove.repair import mends
from minitape.prove.syntax import Joined, Spot, spot_of
from minitape.run.program import Part
from minitape.trace.events import Source
from minitape.trace.trace import Trace

_MOST = 12  # mistakes of a report


def suggested(report: Report, trace: Trace) -> Report:
    """The report with what its first rule makes of each mistake, where that is one line in one file.

    Nothing is proved by that: it is the advice of the finding, written out.
    """
    texts = {source.file: source.text for source in trace.of(Source)}
    found: dict[int, tuple[Mended, ...]] = {}
    for mistake in mistakes_of(report)[:_MOST]:
        if len(mistake.stretches) == len(mistake.fixes) == 1 and not mistake.likewise:
            found[id(mistake.finding)] = _in_a_line(texts, trace, mistake)

    def of_source(source: SourceReport) -> SourceReport:
        if all(id(each) not in found for each in source.findings):
            return source
        return replace(source, findings=tuple(map(of_finding, source.findings)))

    def of_finding(finding: Finding) -> Finding:
        mended = found.get(id(finding))
        return replace(finding, mended=mended) if mended else finding

    def of_call(call: CallReport) -> CallReport:
        return replace(call, sources=tuple(map(of_source, call.sources)))

    return replace(report, calls=tuple(map(of_call, report.calls)))


def _in_a_line(texts: dict[str, str], trace: Trace, mistake: Mistake) -> tuple[Mended, ...]:
    files = dict.fromkeys([mistake.finding.place.file, mistake.call.place.file])
    if any(file not in texts for file in files):
        return ()
    try:
        joined = Joined([Part(file, texts[file].encode()) for file in files])
        spot = spot_of(joined, trace, mistake.call, mistake.source, mistake.finding)
        tree = joined.tree
    except SyntaxError:  # a cell's magic, a text cut short
        return ()
    if spot is None or not _is_advised(spot):
        return ()
    for changed, _ in mends(tree, spot):
        mended = joined.mended(changed)
        return mended if len(mended) == 1 and len(mended[0].lines) == 1 else ()
    return ()


def _is_advised(spot: Spot) -> bool:
    """Whether the rule does what the finding says: a stop that is meant is to stay."""
    return spot.cause is not cuts.stop_gradient or spot.fix.startswith("leave stop_gradient away")

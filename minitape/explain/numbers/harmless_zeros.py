"""Zero gradients that are correct and harmless: they become notes.

    without_harmless_zeros   the reports of all calls, without the findings for such zeros
    harmless_zeros           the notes in their place

A bias before a normalization, a bias that cancels in a difference of two outputs and the recurrent kernel of a layer that runs a
single step have a gradient of 0, although the program is right: all its other weights learn. So such a zero is a finding
only if nothing else in the same call has a gradient. The derivative of a smooth function at its minimum, such as that of `x**2`
at 0, is truly 0, so it is never a finding.

A gradient that is tiny but not 0 is treated like the other gradients of its size: if one of them arrived, all of them did.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.magnitudes import largest
from minitape.explain.notes import in_stretches
from minitape.explain.report import (
    CallReport,
    Finding,
    GradientNote,
    Location,
    Outcome,
    SourceReport,
    listed,
    source_quoted,
    target_quoted,
)
from minitape.explain.texts import notes as texts

_ARRIVED = {Outcome.OK, Outcome.PARTIAL}
# Gradients of the same call whose largest elements differ by less than this factor have the same size.
_ALIKE = 1e3


def without_harmless_zeros(
    requested: Sequence[GradientCall], reports: Sequence[CallReport]
) -> Iterator[CallReport]:
    """Yield the reports of the calls, without the findings for zeros that are harmless."""
    for call, report in zip(requested, reports, strict=True):
        if not any(each.outcome is Outcome.ZERO for each in report.sources):
            yield report
            continue
        sizes = {result.source: largest(result.numbers) for result in call.results}
        arrived = [
            sizes.get(each.index, 0.0) for each in report.sources if each.outcome in _ARRIVED
        ]
        judged = [_judged(each, sizes.get(each.index, 0.0), arrived) for each in report.sources]
        yield replace(report, sources=tuple(judged))


def _judged(source: SourceReport, size: float, arrived: Sequence[float]) -> SourceReport:
    if source.outcome is not Outcome.ZERO or not source.findings:
        return source
    if all(each.is_harmless_alone for each in source.findings):
        return replace(source, findings=(), fix_sets=())
    if not arrived:
        return source
    if size and min(arrived) < _ALIKE * size and not source.findings[0].is_harmless:
        return replace(source, outcome=Outcome.OK, findings=(), fix_sets=())
    if all(each.is_harmless for each in source.findings):
        return replace(source, findings=(), fix_sets=())
    return source


def harmless_zeros(
    before: Sequence[CallReport], after: Sequence[CallReport]
) -> Iterator[GradientNote]:
    """Yield a note for each line with harmless zeros, unless a call on the same line has a finding."""
    lost = {call.location for call in after if call.has_problem}
    cases: dict[tuple[Location, str, Location], list[tuple[CallReport, SourceReport, Finding]]] = {}
    for was, now in zip(before, after, strict=True):
        for source, judged in zip(was.sources, now.sources, strict=True):
            is_harmless = source.findings and not judged.findings
            if is_harmless and judged.outcome is Outcome.ZERO and was.location not in lost:
                finding = source.findings[0]
                key = was.location, finding.slug, finding.location
                cases.setdefault(key, []).append((was, source, finding))
    for (call, slug, location), alike in cases.items():
        first, first_source, finding = alike[0]
        names = list(dict.fromkeys(source_quoted(source.name) for _, source, _ in alike))
        is_alone = all(each.outcome is Outcome.ZERO for each in first.sources)
        words = (texts.TRUE_ZERO if is_alone else texts.HARMLESS_ZERO)(
            target=target_quoted(first.target_name),
            sources=listed(names, most=3),
            outcome=first_source.outcome_text,
            label=finding.label,
            why=finding.message,
        )
        yield GradientNote(
            code=finding.code,
            slug=slug,
            headline=words.headline,
            location=location,
            lines=finding.lines,
            label=words.label,
            message=words.message,
            fix=words.fix,
            call=call,
            iterations=in_stretches(report.visit for report, _, _ in alike),
        )

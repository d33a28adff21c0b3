"""The sentence above a block diagram: whether all gradients arrived, and if not, why."""

from collections.abc import Sequence

from minitape.draw.diagram.faults import culprit_of
from minitape.draw.diagram.model import Station
from minitape.draw.diagram.wording import number
from minitape.draw.facts import Facts
from minitape.draw.words import count, short_name, short_names
from minitape.explain.report import CallReport, Outcome, SourceReport

_ALL = "All {gradients} arrive{changes}."
_SHRINKS = ", but the gradient is {factor} times smaller at the first than at the last of {over}"
_GROWS = ", but the gradient is {factor} times larger at the first than at the last of {over}"
_LEAST_FACTOR = 50.0
_MOST_IN_FULL = 1e6
_ONE = "The gradient of {name} arrives."
_NOT_ALL = {
    Outcome.NONE: "No gradient reached {names}: ",
    Outcome.ZERO: "The gradient of {names} is zero: ",
    Outcome.NAN: "The gradient of {names} is not finite: ",
    Outcome.PARTIAL: "The gradient of {names} is incomplete: ",
    Outcome.ERROR: "The gradient call raised an error: ",
    Outcome.EMPTY: "No gradient was requested: ",
    Outcome.OK: "The target of {names} is not right: ",
}
_NO_CALL = "No gradient was requested."
_NO_RESULT = "The gradient call returned no result."
_MOST_NAMES = 2
_NAME_WIDTH = 24


def headline_of(
    facts: Facts, said: CallReport | None, stations: Sequence[Station]
) -> tuple[str, str]:
    """Return the sentence and its last part, which names the culprit."""
    changes = max(map(_change, stations), default=(0.0, ""))[1]
    if facts.call is None:
        return _NO_CALL, ""
    if not facts.results and not facts.has_error:
        return _NO_RESULT, ""
    worst = _worst(said.sources if said is not None else ())
    if worst:
        finding = worst[0].findings[0]
        names = _listed([source.name for source in worst])
        return _NOT_ALL[worst[0].outcome].format(names=names), culprit_of(finding)
    if len(facts.results) == 1:
        (source,) = facts.call.sources[:1]
        return _ONE.format(name=short_name(source.name, _NAME_WIDTH)), ""
    return _ALL.format(gradients=count(len(facts.results), "gradient"), changes=changes), ""


def _change(station: Station) -> tuple[float, str]:
    """Return the factor by which a gradient shrinks or grows in equal parts during the backward pass, with its clause."""
    norms = station.series.norms if station.series is not None else ()
    if not norms or not norms[0] or not norms[-1]:
        return 0.0, ""
    factor = norms[-1] / norms[0]
    clause = _SHRINKS if factor > 1 else _GROWS
    size = max(factor, 1 / factor)
    if size < _LEAST_FACTOR or station.series is None:
        return 0.0, ""
    return size, clause.format(over=station.series.over, factor=_factor(size))


def _factor(size: float) -> str:
    return f"{size:,.0f}" if size < _MOST_IN_FULL else number(size)


def _worst(sources: Sequence[SourceReport]) -> list[SourceReport]:
    """Return the sources with the first finding of the call, and the sources with the same cause."""
    with_findings = [source for source in sources if source.findings]
    if not with_findings:
        return []
    first = min(with_findings, key=lambda source: source.outcome is not Outcome.NONE)
    return [
        source
        for source in with_findings
        if source.outcome is first.outcome
        and source.findings[0].mistake == first.findings[0].mistake
    ]


def _listed(names: Sequence[str]) -> str:
    shown = short_names(names, _NAME_WIDTH)
    if len(shown) > _MOST_NAMES:
        return f"{', '.join(shown[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
    return " and ".join(shown)

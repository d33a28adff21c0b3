"""Finds where a gradient is lost or becomes useless: the op, or the value that came back from outside the tape."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from minitape.draw.facts import Facts
from minitape.draw.words import short
from minitape.explain.causes import CAUSES
from minitape.explain.report import CallReport, Finding, GradientNote, Outcome, ScalingFactor
from minitape.trace import events
from minitape.trace.trace import Trace

_MOST = 2
_CULPRIT = "{label}, line {line}"
_CODE_WIDTH = 60


class Fault(NamedTuple):
    """A cause, as it is drawn.

    Attributes:
        mark: What went wrong, as a few words with the line.
        title: The title of the card of an exit.
        code: The user's statement.
        is_cut: Whether no gradient passes.
        op: The op that is the cause; None for an exit.
        exit: The value that came back from outside the tape; None for an op.
        at: The number of the event.
        values: The values that are marked if the fault does not have its own card.
    """

    mark: str
    title: str
    code: str
    is_cut: bool
    op: int | None
    exit: int | None
    at: int
    values: tuple[int, ...]


def faults_of(
    trace: Trace, facts: Facts, said: CallReport | None, notes: Sequence[GradientNote]
) -> list[Fault]:
    """Return the causes of a call that can be located in the run, each once: first those of findings, then those of notes."""
    found: dict[tuple[str, str, int], Fault] = {}
    for source in said.sources if said is not None else ():
        for finding in source.findings[:1]:
            is_cut = source.outcome in (Outcome.NONE, Outcome.PARTIAL)
            fault = _of_finding(trace, facts, finding, is_cut=is_cut)
            if fault is not None:
                found.setdefault(finding.mistake, fault)
    return [*found.values(), *_of_notes(facts, notes)][:_MOST]


def _of_finding(trace: Trace, facts: Facts, finding: Finding, *, is_cut: bool) -> Fault | None:
    location = finding.location
    code = short(facts.statement(location.file, location.line, _CODE_WIDTH), _CODE_WIDTH)
    title = CAUSES[finding.slug].card.title
    lost = [hop.event for hop in finding.path if hop.lost]
    for number in (*finding.events, *lost):
        event = trace.events[number] if 0 <= number < len(trace) else None
        if isinstance(event, events.BackEvent):
            event = facts.ops.get(event.op or 0)
        match event:
            case events.OpEvent() if event.number in facts.ops:
                op: int | None = event.number
                code = short(facts.code(event, _CODE_WIDTH), _CODE_WIDTH) or code
                exit_: int | None = None
                values = [each.id for each in event.outputs]
            case events.ReentryEvent():
                op, exit_, values = None, event.value, list(event.value_of)
            case events.VariableEvent() if event.origin is not None:
                op, exit_, values = None, None, [event.origin]
            case _:
                continue
        return Fault(culprit_of(finding), title, code, is_cut, op, exit_, event.i, tuple(values))
    return None


def scaling_ops(
    facts: Facts, notes: Sequence[GradientNote]
) -> tuple[ScalingFactor | None, list[events.OpEvent]]:
    """Return the largest factor that the first note names, and the ops that scale the gradient by it."""
    factors = [factor for note in notes[:1] for factor in note.factors[:1]]
    if not factors:
        return None, []
    (factor,) = factors
    ops = [
        op
        for op in facts.ops.values()
        if op.name == factor.op
        and op.number in facts.back
        and any(site.at.line == factor.line for site in facts.sites(op)[-1:])
    ]
    return factor, ops


def _of_notes(facts: Facts, notes: Sequence[GradientNote]) -> Iterator[Fault]:
    """Yield the op that scales a gradient most, if a note concerns a single op on a single line."""
    factor, ops = scaling_ops(facts, notes)
    for note in notes[:1]:
        if factor is not None and len(ops) == 1:
            (op,) = ops
            code = short(facts.code(op, _CODE_WIDTH), _CODE_WIDTH)
            values = tuple(each.id for each in op.outputs)
            label = _plain(note.label.partition(":")[0])
            mark = _CULPRIT.format(label=label, line=factor.line)
            yield Fault(mark, "", code, False, op.number, None, op.i, values)


def culprit_of(finding: Finding) -> str:
    """Return what went wrong, as a few words with the line."""
    label = _plain(finding.label.partition(":")[0].rstrip("."))
    return (
        _CULPRIT.format(label=label, line=finding.location.line) if finding.location.line else label
    )


def _plain(label: str) -> str:
    """Return a label without backticks, because a picture has no code in its sentences."""
    return label.replace("`", "")

"""Notes on gradients that exist but are of little use: they vanish, explode, or do not reduce the loss.

    locations   which line to point at
    kind        the declaration of a note, a case of it, and what its texts may use
    kinds       the declarations of all notes, with the facts of each; their texts are in `explain/texts/notes.py`
    longest_path  the longest path of a backward pass, and the factor of each op on it
    depth       MT405, MT406: from layer to layer, or from step to step of a recurrence
    underflow   MT405: numbers close to the smallest ones of their dtype
    units       MT407: dead or saturated units
    updates     MT408: updates that are too small or too large, a loss that does not change
    untrained   MT408: a variable that the target uses and no call trains

A note is not a finding: no gradient is lost, and `Report.ok` and the exit code ignore notes. The thresholds come from the
literature or from the arithmetic of the dtype, and the pages of the codes name their sources. Each detector yields a `NoteCase`
for each call. Cases that differ only in their iterations become one note.
"""

from collections.abc import Iterable, Iterator, Sequence

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.notes import depth, underflow, units, untrained, updates
from minitape.explain.notes.kind import Facts, NoteCase, NoteContext, NoteKind
from minitape.explain.notes.kinds import KINDS
from minitape.explain.report import CallReport, GradientNote, Location

__all__ = ["KINDS", "NoteKind", "in_stretches", "noticed"]


def noticed(flow: FlowGraph, reported: Sequence[CallReport]) -> tuple[GradientNote, ...]:
    """Return the notes of a run. A call that lost a gradient in any iteration gets no notes, because the findings come first."""
    lost = {call.location for call in reported if call.has_problem}
    locations = {call.event: call.location for call in reported}
    loops: dict[Location, list[GradientCall]] = {}
    for call in flow.calls.values():
        location = locations.get(call.event.i)
        if location is not None and location not in lost and call.event.api == "gradient":
            loops.setdefault(location, []).append(call)
    return tuple(
        note
        for location, iterations in loops.items()
        for note in _of_loop(flow, location, iterations)
    )


def _of_loop(
    flow: FlowGraph, location: Location, iterations: list[GradientCall]
) -> Iterator[GradientNote]:
    found: list[NoteCase[Facts]] = [
        *(list(underflow.noticed(flow, iterations)) or depth.noticed(flow, iterations)),
        *units.noticed(flow, iterations),
        *updates.noticed(flow, iterations),
        *untrained.noticed(flow, iterations),
    ]
    alike: dict[tuple[str, int], list[NoteCase[Facts]]] = {}
    for each in found:
        alike.setdefault((each.kind.slug, NoteContext(flow, each).location.line), []).append(each)
    for cases in alike.values():
        yield _reported(flow, location, cases)


def _reported(flow: FlowGraph, call: Location, cases: Sequence[NoteCase[Facts]]) -> GradientNote:
    """Return one note for all iterations to which it applies, with the values of the first one."""
    first = cases[0]
    text = first.text(flow)
    location = NoteContext(flow, first).location
    return GradientNote(
        code=first.kind.code,
        slug=first.kind.slug,
        headline=text.headline,
        location=location,
        lines=tuple(dict.fromkeys([location.line, *first.lines])),
        label=text.label,
        message=text.message,
        fix=text.fix,
        call=call,
        iterations=in_stretches(visit for case in cases for visit in case.visits),
        factors=first.factors,
    )


def in_stretches(visits: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return iterations as ranges, each with its first and its last."""
    stretches: list[tuple[int, int]] = []
    for visit in sorted(set(visits)):
        if stretches and visit == stretches[-1][1] + 1:
            stretches[-1] = stretches[-1][0], visit
        else:
            stretches.append((visit, visit))
    return tuple(stretches)

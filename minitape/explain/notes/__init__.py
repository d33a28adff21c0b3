"""Notes on gradients that exist but are of little use: they vanish, explode, or do not reduce the loss.

    locations   which line to point at
    kind        the declaration of a note, a case of it, and what its texts may use
    kinds       the declarations of all notes, with the facts of each; their texts are in `explain/texts/notes.py`
    longest_path  the longest path of a backward pass, and the factor of each op on it
    depth       MT405, MT406: from layer to layer, or from step to step of a recurrence
    underflow   MT405: numbers close to the smallest ones of their dtype
    units       MT407: dead or saturated units
    updates     MT408: updates that are too small or too large, a loss that does not change

A note is not a finding: no gradient is lost, and `Report.ok` and the exit code ignore notes. The thresholds come from the
literature or from the arithmetic of the dtype, and the pages of the codes name their sources. Each detector yields a `Noted` for
each call. Cases that differ only in their iterations become one note.
"""

from collections.abc import Iterable, Iterator, Sequence

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.notes import depth, underflow, units, updates
from minitape.explain.notes.kind import Facts, NoteContext, Noted, NoteKind
from minitape.explain.notes.kinds import KINDS
from minitape.explain.report import CallReport, GradientNote, Location

__all__ = ["KINDS", "NoteKind", "noticed"]


def noticed(flow: FlowGraph, reported: Sequence[CallReport]) -> tuple[GradientNote, ...]:
    """Return the notes of a run. A call that lost a gradient in any iteration gets no notes, because the findings come first."""
    lost = {call.place for call in reported if call.has_problem}
    places = {call.event: call.place for call in reported}
    loops: dict[Location, list[GradientCall]] = {}
    for call in flow.calls.values():
        place = places.get(call.event.i)
        if place is not None and place not in lost and call.event.api == "gradient":
            loops.setdefault(place, []).append(call)
    return tuple(
        note for place, iterations in loops.items() for note in _of_loop(flow, place, iterations)
    )


def _of_loop(
    flow: FlowGraph, place: Location, iterations: list[GradientCall]
) -> Iterator[GradientNote]:
    found: list[Noted[Facts]] = [
        *(list(underflow.noticed(flow, iterations)) or depth.noticed(flow, iterations)),
        *units.noticed(flow, iterations),
        *updates.noticed(flow, iterations),
    ]
    alike: dict[tuple[str, int], list[Noted[Facts]]] = {}
    for each in found:
        alike.setdefault((each.kind.slug, NoteContext(flow, each).place.line), []).append(each)
    for cases in alike.values():
        yield _reported(flow, place, cases)


def _reported(flow: FlowGraph, call: Location, cases: Sequence[Noted[Facts]]) -> GradientNote:
    """Return one note for all iterations in which it is true, with the numbers of the first of them."""
    first = cases[0]
    words = first.words(flow)
    place = NoteContext(flow, first).place
    return GradientNote(
        code=first.kind.code,
        slug=first.kind.slug,
        headline=words.headline,
        place=place,
        lines=tuple(dict.fromkeys([place.line, *first.lines])),
        label=words.label,
        message=words.message,
        fix=words.fix,
        call=call,
        iterations=_stretches(visit for case in cases for visit in case.visits),
        factors=first.factors,
    )


def _stretches(visits: Iterable[int]) -> tuple[tuple[int, int], ...]:
    stretches: list[tuple[int, int]] = []
    for visit in sorted(set(visits)):
        if stretches and visit == stretches[-1][1] + 1:
            stretches[-1] = stretches[-1][0], visit
        else:
            stretches.append((visit, visit))
    return tuple(stretches)

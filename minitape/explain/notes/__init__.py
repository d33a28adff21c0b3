"""What is worth knowing of gradients that came back: they fade, explode, or move nothing. The graph goes in, notes come out.

    makers      where to point
    kind        what a note is before it is told: its declaration, a case of it, what its words may look at
    kinds       the declarations, each with its words
    spine       the longest way back of a call, and what the ops on it make of a gradient
    depth       MT405, MT406: from layer to layer, or from step to step of a recurrence
    underflow   MT405: numbers so small that they have left their dtype
    units       MT407: units that give the same whatever comes in
    updates     MT408: steps that are too small or too large, a loss that rests

A note is no finding: nothing is lost, `Report.ok` and the exit code know nothing of it. A threshold is where the literature, or
the arithmetic of the dtype, puts it; the pages of the codes name both. Who looks gives a `Noted` for each call, and those
that say the same of several rounds are told once.
"""

from collections.abc import Iterable, Iterator, Sequence

from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.notes import depth, underflow, units, updates
from minitape.explain.notes.kind import Kind, Noted, Scene
from minitape.explain.notes.kinds import KINDS
from minitape.explain.report import CallReport, Note, Place

__all__ = ["KINDS", "Kind", "noticed"]


def noticed(flow: Flow, told: Sequence[CallReport]) -> tuple[Note, ...]:
    """The notes of a run; of a call that lost a gradient, in any round, nothing is noted: that comes first."""
    lost = {call.place for call in told if call.has_problem}
    places = {call.event: call.place for call in told}
    loops: dict[Place, list[Call]] = {}
    for call in flow.calls.values():
        place = places.get(call.event.i)
        if place is not None and place not in lost and call.event.api == "gradient":
            loops.setdefault(place, []).append(call)
    return tuple(note for place, rounds in loops.items() for note in _of_loop(flow, place, rounds))


def _of_loop(flow: Flow, place: Place, rounds: list[Call]) -> Iterator[Note]:
    found = [
        *(list(underflow.noticed(flow, rounds)) or depth.noticed(flow, rounds)),
        *units.noticed(flow, rounds),
        *updates.noticed(flow, rounds),
    ]
    alike: dict[tuple[Kind, int], list[Noted]] = {}
    for each in found:
        alike.setdefault((each.kind, Scene(flow, each).place.line), []).append(each)
    for cases in alike.values():
        yield _told(flow, place, cases)


def _told(flow: Flow, call: Place, cases: Sequence[Noted]) -> Note:
    """One note for all rounds of which it is true, with the numbers of the first."""
    first = cases[0]
    scene = Scene(flow, first)
    words = first.kind.says(scene)
    place = scene.place
    return Note(
        code=first.kind.code,
        slug=first.kind.slug,
        headline=words.headline,
        place=place,
        lines=tuple(dict.fromkeys([place.line, *first.lines])),
        label=words.label,
        message=words.message,
        fix=words.fix,
        call=call,
        rounds=_stretches(visit for case in cases for visit in case.visits),
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

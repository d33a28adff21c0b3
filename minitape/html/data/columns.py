"""The data of the page's script, as compact JSON: columns over the steps, with each text stored once."""

from bisect import bisect_left
from typing import Any

from minitape.draw import Card
from minitape.draw.model import Pill
from minitape.explain.report import Location
from minitape.html.data import term_data
from minitape.html.data.answers import as_answers
from minitape.html.data.tensors import TensorDetail, Tensors
from minitape.html.data.texts import Texts
from minitape.html.pictures import Drawn, One
from minitape.html.sources import order_of
from minitape.timeline import Detail, Moves, Phase, Timeline, TimelineCall, TimelineStep

_OF_ALL = ("variable", "assign", "constant")  # columns that are equal for every later call
_TONES = {tone: i for i, tone in enumerate(("op", "event", "muted", "gradient", "lost"))}


def as_data(
    timeline: Timeline,
    moves: Moves,
    drawn: Drawn,
    start: int,
    detail: TensorDetail = TensorDetail.ALL,
    reported: term_data.Described | None = None,
) -> dict[str, Any]:
    """Return all data for the script; texts are represented by their index in `texts`. `tensors` is a `Tensors`, so that the
    page can store the elements separately.
    """
    texts, tensors = Texts(), Tensors(detail)
    files = order_of(timeline)
    steps = timeline.steps
    data: dict[str, Any] = {
        "start": max(0, min(start, len(steps) - 1)),
        "files": sorted(files, key=lambda name: files[name]),
        "phase": "".join("b" if step.phase is Phase.BACKWARD else "f" for step in steps),
        "tone": [_TONES[step.tone] for step in steps],
        "call": [step.call for step in steps],
        "what": [texts[f"{step.number} {step.what}".strip()] for step in steps],
        "code": [texts[step.code] for step in steps],
        "label": [texts[_label(step)] for step in steps],
        "iteration": [texts[step.iteration] for step in steps],
        "visit": [step.visit for step in steps],
        "visits": [step.visits for step in steps],
        "problem": {step.index: texts[step.problem] for step in steps if step.problem},
        "place": [location_in(step.location, files) for step in steps],
        "callers": {
            step.index: [location_in(location, files) for location in step.callers]
            for step in steps
            if step.callers
        },
        "facts": [[_fact(fact, texts, tensors) for fact in step.facts] for step in steps],
        "moves": {
            "again": [moves.earlier_again, moves.later_again],
            "op": [moves.earlier_op, moves.later_op],
            "problems": moves.problems,
            "backward": moves.backward,
            "after": _after_last(timeline),
        },
        "calls": [_call(call, drawn, timeline) for call in timeline.calls],
        "pictures": [_picture(one, timeline, texts) for one in drawn.all],
        **_terms(timeline, drawn, texts),
        **as_answers(timeline, files, texts),
    }
    if reported is not None:
        data["origins"] = term_data.as_data(reported, timeline, texts.__getitem__, tensors.add)
    return {**data, "texts": [*texts], "tensors": tensors}


_FEWEST_FOLDED = 3


def _after_last(timeline: Timeline) -> list[int]:
    """Return the steps after the last gradient if values only leave there, such as for printing; empty if they are few."""
    last = timeline.calls[-1].last if timeline.calls else len(timeline.steps)
    steps = [
        step.index
        for step in timeline.steps[last + 1 :]
        if step.kind == "export" and not step.problem
    ]
    return steps if len(steps) >= _FEWEST_FOLDED else []


def _label(step: TimelineStep) -> str:
    """Return the line of a step in the list, after its title."""
    name = step.facts[0].label if step.kind in ("variable", "constant") else step.inputs
    return " · ".join(part for part in (name, step.value, step.note) if part)


def location_in(location: Location | None, files: dict[str, int]) -> list[int] | None:
    """Return a location as data for the script: file, line, and the columns if the location is within one line."""
    if location is None or location.file not in files:
        return None
    at = [files[location.file], location.line]
    is_short = location.end_line == location.line and location.column >= 0
    return [*at, location.column, location.end_column] if is_short else at


def _call(call: TimelineCall, drawn: Drawn, timeline: Timeline) -> dict[str, Any]:
    numbers = [i for i, one in enumerate(drawn.all) if call.number in one.calls]
    return {
        "call": call.number,
        "text": call.text,
        "line": call.location.line if call.location else 0,
        "visit": call.visit,
        "tape": timeline.tapes.get(call.tape, f"tape {call.tape}"),
        "first": call.first,
        "requested": call.requested,
        "last": call.last,
        "picture": numbers[0] if numbers else None,
        "problem": call.has_problem,
    }


# --- facts ---


def _fact(fact: Detail, texts: Texts, tensors: Tensors) -> list[int]:
    at = tensors.add(fact.tensor)
    said = [texts[fact.label], texts[fact.text], _TONES[fact.tone]]
    if at is None or fact.tensor is None:
        return said
    return [*said, at, fact.tensor.id if fact.of is None else fact.of]


# --- pictures over time ---


def _picture(one: One, timeline: Timeline, texts: Texts) -> dict[str, Any]:
    """Return for each node the step that creates it, and what its rows show from which step on; and for each step its nodes."""
    numbers = [step.event for step in timeline.steps]
    rows: dict[str, dict[str, list[list[Any]]]] = {}
    rolled = {card.id for card in one.picture.cards if "×" in card.tag}
    acts: dict[int, list[str]] = {}
    for step in timeline.steps:
        is_own = step.call in one.calls or not one.calls
        if not is_own and step.kind not in _OF_ALL:
            continue
        nodes = [one.node(step.call, f"op-{step.op}")] if step.op is not None else []
        for shown in step.shown:
            home = one.node(step.call, shown.node)
            nodes.append(home)
            if home is not None:
                row = rows.setdefault(home, {}).setdefault(shown.row, [])
                cells = [] if home in rolled else _cells(shown.cells)
                row.append([step.index, texts[shown.text], *cells])
        if is_own and any(nodes):
            acts[step.index] = list(dict.fromkeys(node for node in nodes if node is not None))
    cards = {
        card.id: {
            "made": _made(card, numbers),
            "op": card.op is not None,
            "isRolled": card.id in rolled,
            "rows": rows.get(card.id, {}),
        }
        for card in one.picture.cards
    }
    return {"calls": one.calls, "cards": cards, "acts": acts, "edges": _edges(one)}


def _made(card: Card, numbers: list[int]) -> int:
    """Return the step of a node's event, or the next step after it; `numbers` are the numbers of the steps' events."""
    if card.event is None or not numbers:
        return 0
    return min(bisect_left(numbers, card.event), len(numbers) - 1)


def _cells(cells: tuple[float | None, ...]) -> list[list[int | None]]:
    """Return the cells of a strip as intensities from -100 to 100, if there is a strip; None for nan or inf."""
    return [[None if cell is None else round(100 * cell) for cell in cells]] if cells else []


def _edges(one: One) -> dict[str, list[str]]:
    """Return the id of each edge with its ends; a stub is replaced by the node that it represents."""
    whose = {
        node.id: node.stub_of
        for node in one.picture.nodes
        if isinstance(node, Pill) and node.stub_of
    }
    return {
        f"edge-{position}": [whose.get(edge.tail, edge.tail), whose.get(edge.head, edge.head)]
        for position, edge in enumerate(one.picture.edges, start=1)
    }


def _terms(timeline: Timeline, drawn: Drawn, texts: Texts) -> dict[str, Any]:
    """Return the contributions to the gradients, keyed by picture and node, and the number of contributions to each gradient,
    keyed by name.

    A node has a gradient in each iteration; a collapsed node has several.
    """
    found: dict[str, Any] = {}
    gradients: dict[str, Any] = {}
    for (call, node), terms in timeline.terms.items():
        for position, one in enumerate(drawn.all):
            home = one.node(call, node) if call in one.calls else None
            if home is not None:
                card = f"{position} {home}"
                gradients.setdefault(card, []).append([texts[terms[0].name], len(terms)])
                found.setdefault(card, []).extend(
                    [t.step, texts[t.expansion], texts[t.amount], texts[t.sum]] for t in terms
                )
    return {"terms": found, "summed": gradients}

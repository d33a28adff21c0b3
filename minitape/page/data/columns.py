"""The data of the page's script, as compact JSON: columns over the steps, with each text stored once."""

from bisect import bisect_left
from typing import Any

from minitape.draw import Card
from minitape.draw.model import Pill
from minitape.explain.report import Place
from minitape.page.data import origin
from minitape.page.data.answers import as_answers
from minitape.page.data.tensors import Room, Tensors
from minitape.page.data.texts import Texts
from minitape.page.pictures import Drawn, One
from minitape.page.sources import order_of
from minitape.story import Call, Fact, Moves, Phase, Step, Story

_OF_ALL = ("variable", "assign", "constant")  # columns that are the same for every later call
_TONES = {tone: i for i, tone in enumerate(("op", "event", "muted", "gradient", "lost"))}


def as_data(
    story: Story,
    moves: Moves,
    drawn: Drawn,
    start: int,
    room: Room = Room.ALL,
    told: origin.Described | None = None,
) -> dict[str, Any]:
    """All data of the script; indices into `texts` represent texts."""
    texts, tensors = Texts(), Tensors(room)
    files = order_of(story)
    steps = story.steps
    data: dict[str, Any] = {
        "start": max(0, min(start, len(steps) - 1)),
        "files": sorted(files, key=lambda name: files[name]),
        "phase": "".join("b" if step.phase is Phase.BACKWARD else "f" for step in steps),
        "tone": [_TONES[step.tone] for step in steps],
        "call": [step.call for step in steps],
        "what": [texts[f"{step.number} {step.what}".strip()] for step in steps],
        "code": [texts[step.code] for step in steps],
        "said": [texts[_said(step)] for step in steps],
        "turn": [texts[step.turn] for step in steps],
        "visit": [step.visit for step in steps],
        "visits": [step.visits for step in steps],
        "problem": {step.index: texts[step.problem] for step in steps if step.problem},
        "place": [place_in(step.place, files) for step in steps],
        "callers": {
            step.index: [place_in(place, files) for place in step.callers]
            for step in steps
            if step.callers
        },
        "facts": [[_fact(fact, texts, tensors) for fact in step.facts] for step in steps],
        "moves": {
            "again": [moves.earlier_again, moves.later_again],
            "op": [moves.earlier_op, moves.later_op],
            "problems": moves.problems,
            "backward": moves.backward,
        },
        "calls": [_call(call, drawn, story) for call in story.calls],
        "pictures": [_picture(one, story, texts) for one in drawn.all],
        **_terms(story, drawn, texts),
        **as_answers(story, files, texts),
    }
    if told is not None:
        data["origins"] = origin.as_data(told, story, texts.__getitem__, tensors.add)
    return {**data, "texts": [*texts], "tensors": tensors.all}


def _said(step: Step) -> str:
    """The line of a step in the list, after its title."""
    name = step.facts[0].label if step.kind in ("variable", "constant") else step.inputs
    return " · ".join(part for part in (name, step.value, step.remark) if part)


def place_in(place: Place | None, files: dict[str, int]) -> list[int] | None:
    """A place for the script: file, line, and the columns if it is on one line."""
    if place is None or place.file not in files:
        return None
    at = [files[place.file], place.line]
    is_short = place.end_line == place.line and place.column >= 0
    return [*at, place.column, place.end_column] if is_short else at


def _call(call: Call, drawn: Drawn, story: Story) -> dict[str, Any]:
    numbers = [i for i, one in enumerate(drawn.all) if call.number in one.calls]
    return {
        "call": call.number,
        "text": call.text,
        "line": call.place.line if call.place else 0,
        "visit": call.visit,
        "tape": story.tapes.get(call.tape, f"tape {call.tape}"),
        "first": call.first,
        "asked": call.asked,
        "last": call.last,
        "picture": numbers[0] if numbers else None,
        "problem": call.has_problem,
    }


# --- facts ---


def _fact(fact: Fact, texts: Texts, tensors: Tensors) -> list[int]:
    at = tensors.add(fact.tensor)
    said = [texts[fact.label], texts[fact.text], _TONES[fact.tone]]
    if at is None or fact.tensor is None:
        return said
    return [*said, at, fact.tensor.id if fact.of is None else fact.of]


# --- pictures over time ---


def _picture(one: One, story: Story, texts: Texts) -> dict[str, Any]:
    """For each node: the step that makes it, and what its rows show from which step on; for each step, its nodes."""
    numbers = [step.event for step in story.steps]
    rows: dict[str, dict[str, list[list[Any]]]] = {}
    rolled = {card.id for card in one.picture.cards if "×" in card.tag}
    acts: dict[int, list[str]] = {}
    for step in story.steps:
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
    """The step of a node's event, or the next one after it; `numbers` are the numbers of the steps' events."""
    if card.event is None or not numbers:
        return 0
    return min(bisect_left(numbers, card.event), len(numbers) - 1)


def _cells(cells: tuple[float | None, ...]) -> list[list[int | None]]:
    """The cells of a strip as depths from -100 to 100, if it has one; None is nan or inf."""
    return [[None if cell is None else round(100 * cell) for cell in cells]] if cells else []


def _edges(one: One) -> dict[str, list[str]]:
    """The id of each edge with its ends; a stub is replaced by the node that it represents."""
    whose = {
        node.id: node.stub_of
        for node in one.picture.nodes
        if isinstance(node, Pill) and node.stub_of
    }
    return {
        f"edge-{position}": [whose.get(edge.tail, edge.tail), whose.get(edge.head, edge.head)]
        for position, edge in enumerate(one.picture.edges, start=1)
    }


def _terms(story: Story, drawn: Drawn, texts: Texts) -> dict[str, Any]:
    """By picture and node: the contributions to its gradients, and how many each gradient has, by name.

    A node has a gradient in each iteration, and a collapsed node several in each.
    """
    found: dict[str, Any] = {}
    gradients: dict[str, Any] = {}
    for (call, node), terms in story.terms.items():
        for position, one in enumerate(drawn.all):
            home = one.node(call, node) if call in one.calls else None
            if home is not None:
                card = f"{position} {home}"
                gradients.setdefault(card, []).append([texts[terms[0].name], len(terms)])
                found.setdefault(card, []).extend(
                    [t.step, texts[t.origin], texts[t.amount], texts[t.sum]] for t in terms
                )
    return {"terms": found, "summed": gradients}

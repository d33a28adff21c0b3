"""What to fold or leave out when there are too many cards, and to say so.

The steps go from harmless to harsh; the first that brings the number of cards under the limit is the last that is taken.

    _roll_loops   ops of the same place in the source become one card, framed by their loop
    _path_only    ops that no gradient passes become one pill
    _window       the cards nearest to the problem stay
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from minitape.debug.draw import words
from minitape.debug.draw.facts import Facts, Tensor
from minitape.debug.draw.model import Card, Edge, Flow, Loop, Node, Pill, Role, Row, Tone
from minitape.debug.draw.words import count
from minitape.debug.trace import Event

_ALWAYS_SHOWN_SOURCES = 6


@dataclass(frozen=True)
class Drawing:
    """Nodes (in the order of the run) and edges on their way to a picture, and what is hidden so far."""

    nodes: dict[str, Node]
    edges: list[Edge]
    loops: list[Loop] = field(default_factory=list)
    hidden: tuple[str, ...] = ()

    @property
    def cards(self) -> dict[str, Card]:
        return {id_: node for id_, node in self.nodes.items() if isinstance(node, Card)}


def roll_up(drawing: Drawing, facts: Facts, limit: int) -> Drawing:
    """The drawing with at most `limit` cards."""
    steps: list[Callable[[Drawing, Facts, int], Drawing]] = [_roll_loops, _path_only, _window]
    for step in steps:
        if len(drawing.cards) <= limit:
            break
        drawing = step(drawing, facts, limit)
    return drawing


# --- loops ---


def _roll_loops(drawing: Drawing, facts: Facts, limit: int) -> Drawing:
    """One card for all that ran at the same place with the same shapes and the same fate."""
    groups: dict[object, list[Card]] = defaultdict(list)
    for card in drawing.cards.values():
        groups[_likeness(card, facts)].append(card)
    rolled = [group for group in groups.values() if len(group) > 1]
    if not rolled:
        return drawing
    new_id = {card.id: group[0].id for group in rolled for card in group}
    nodes: dict[str, Node] = {
        id_: node for id_, node in drawing.nodes.items() if new_id.get(id_, id_) == id_
    }
    for group in rolled:
        nodes[group[0].id] = _one_for_all(group, facts)
    sizes = {group[0].id: len(group) for group in rolled}
    nodes, edges = _merge_edges(nodes, drawing.edges, new_id, sizes)
    folded = sum(map(len, rolled))
    sentence = f"{count(folded, 'card')} rolled into {len(rolled):,}"
    return Drawing(nodes, edges, _frames(rolled, facts, edges), (*drawing.hidden, sentence))


def _likeness(card: Card, facts: Facts) -> object:
    """Cards with an equal likeness are runs of the same op."""
    if card.role not in (Role.PATH, Role.OFF, Role.UNRECORDED, Role.REENTRY):
        return card.id
    made = [facts.tensors.get(value, {}) for value in card.values]
    kinds = tuple((str(tensor.get("shape")), tensor.get("dtype")) for tensor in made)
    # By place and not by site: Python may give one expression two sites once it runs hot.
    places = tuple(str(site.get("at")) for site in _sites(card, facts))
    return (places or card.id, card.title, card.role, kinds)


def _sites(card: Card, facts: Facts) -> list[Event]:
    maker = facts.makers.get(card.values[0]) if card.values else None
    return facts.sites(maker.event) if maker is not None else []


def _one_for_all(group: list[Card], facts: Facts) -> Card:
    first, last = group[0], group[-1]
    values = [_size(facts.tensors.get(value)) for card in group for value in card.values[:1]]
    gradients = [_size(facts.gradients.get(value)) for card in group for value in card.values[:1]]
    runs = f"{len(group):,} runs"
    rows = [Row("value", _from_to(values, runs), strip=words.strip(values, is_gradient=False))]
    known = [gradient for gradient in gradients if gradient is not None]
    if known:
        text, cells = _from_to(known, runs), words.strip(known, is_gradient=True)
        rows.append(Row("|grad|", text, Tone.GRADIENT, cells))
    rows += [row for row in first.rows if row.label not in ("value", "grad")]
    tag = f"#{first.op} … #{last.op}" if first.role in (Role.PATH, Role.OFF) else first.tag
    return replace(
        first,
        tag=f"{tag} · ×{len(group):,}",
        rows=tuple(rows),
        values=tuple(value for card in group for value in card.values),
    )


def _size(tensor: Tensor | None) -> float | None:
    """One number for a tensor: its element, or its length."""
    if not tensor:
        return None
    if words.trouble(tensor):
        return float("nan")
    items = words.elements(tensor) if tensor.get("n") == 1 else [tensor.get("l2")]
    return float(items[0]) if items and isinstance(items[0], int | float) else None


def _from_to(numbers: Sequence[float | None], otherwise: str) -> str:
    if not numbers or numbers[0] is None or numbers[-1] is None:
        return otherwise
    return f"{words.number(numbers[0])} first, {words.number(numbers[-1])} last"


def _merge_edges(
    nodes: dict[str, Node], edges: Iterable[Edge], new_id: dict[str, str], sizes: dict[str, int]
) -> tuple[dict[str, Node], list[Edge]]:
    """Parallel edges become one; what one run hands to the next goes through a pill, or there would be a circle."""
    merged: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    pills: dict[tuple[str, ...], list[Pill]] = defaultdict(list)
    for edge in edges:
        tail, head = new_id.get(edge.tail, edge.tail), new_id.get(edge.head, edge.head)
        node = nodes[tail]
        if isinstance(node, Pill) and head in sizes:
            alike = pills[head, node.note, node.stub_of, node.id.rpartition("-")[2]]
            alike.append(node)
            tail = node.stub_of or alike[0].id
        merged[tail, head].append(edge)
    nodes = {**nodes, **{alike[0].id: _one_pill(alike) for alike in pills.values()}}
    ranks = {id_: position for position, id_ in enumerate(nodes)}
    result = []
    for (tail, head), together in merged.items():
        runs = sizes.get(head, sizes.get(tail, 0))
        label = f"{len(together):,} of {runs:,}" if len(together) < runs else together[0].label
        edge = replace(together[0], tail=tail, head=head, label=label)
        is_rolled = tail in sizes or head in sizes
        if is_rolled and ranks[tail] >= ranks[head] and nodes[tail].role is not Role.BREAK:
            note = f"from run to run, ×{len(together):,}"
            pill = Pill(
                f"carried-{tail}-{head}", Role.CARRIED, f"{_value_name(nodes[tail])}  carried", note
            )
            nodes[pill.id] = pill
            result.append(Edge(tail, pill.id, Flow.CARRIED))
            edge = replace(edge, tail=pill.id, label="")
        result.append(edge)
    used = {edge.tail for edge in result} | {edge.head for edge in result}
    return {i: n for i, n in nodes.items() if isinstance(n, Card) or i in used}, result


def _one_pill(alike: list[Pill]) -> Pill:
    """The pill for the constants of all runs, which need not be equal."""
    first = alike[0]
    if all(pill.title == first.title for pill in alike):
        return first
    return replace(first, title=f"{first.title}, …", note=f"{len(alike):,} of them · {first.note}")


def _value_name(node: Node) -> str:
    """What the user calls the value of a card."""
    name = node.code.partition(" = ")[0] if isinstance(node, Card) else ""
    return name if name.isidentifier() else node.title


def _frames(rolled: list[list[Card]], facts: Facts, edges: list[Edge]) -> list[Loop]:
    """A frame for each loop, around the cards whose innermost loop it is and what they hand on."""
    carried = {edge.tail: edge.head for edge in edges if edge.flow is Flow.CARRIED}
    members: dict[tuple[str, int, str], list[list[Card]]] = defaultdict(list)
    for group in rolled:
        inside = [site for site in _sites(group[0], facts) if site.get("loop")]
        if inside:
            line, text = inside[-1]["loop"]
            members[str((inside[-1].get("at") or [""])[0]), line, text].append(group)
    return [
        Loop(
            f"loop-{position}",
            words.short(text, words.CODE_WIDTH),
            f"{facts.line_in(file, line)} · ×{max(map(len, groups)):,}",
            (*ids, *(carried[id_] for id_ in ids if id_ in carried)),
        )
        for position, ((file, line, text), groups) in enumerate(members.items(), start=1)
        for ids in [[group[0].id for group in groups]]
    ]


# --- off the path ---


def _path_only(drawing: Drawing, facts: Facts, limit: int) -> Drawing:
    """One pill for all ops off the path. It has no edges: with them it would be the hub of the picture."""
    on_break = _reached(drawing.edges, {e.head for e in drawing.edges if e.flow is Flow.GHOST})
    dropped = {
        id_
        for id_, card in drawing.cards.items()
        if card.op is not None and card.role in (Role.OFF, Role.UNRECORDED) and id_ not in on_break
    }
    # Where no op is on a path (nothing was recorded), this would leave a picture of nothing.
    if not dropped or not any(
        c.op is not None and i not in dropped for i, c in drawing.cards.items()
    ):
        return drawing
    pill = Pill(
        "off-path", Role.HIDDEN, f"{count(len(dropped), 'card')} off the path", "left out here"
    )
    kept = _without(drawing, dropped)
    sentence = f"{count(len(dropped), 'card')} off the path left out"
    return replace(kept, nodes={**kept.nodes, pill.id: pill}, hidden=(*drawing.hidden, sentence))


def _reached(edges: Iterable[Edge], start: set[str]) -> set[str]:
    following: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        following[edge.tail].append(edge.head)
    found, waiting = set(start), list(start)
    while waiting:
        for head in following[waiting.pop()]:
            if head not in found:
                found.add(head)
                waiting.append(head)
    return found


def _without(drawing: Drawing, dropped: set[str]) -> Drawing:
    """The drawing without these nodes, and without pills and frames that only they used."""
    edges = [e for e in drawing.edges if e.tail not in dropped and e.head not in dropped]
    used = {e.tail for e in edges} | {e.head for e in edges} | {"off-path"}
    nodes = {
        id_: node
        for id_, node in drawing.nodes.items()
        if id_ not in dropped and (isinstance(node, Card) or id_ in used)
    }
    loops = [
        replace(loop, members=members)
        for loop in drawing.loops
        if (members := tuple(id_ for id_ in loop.members if id_ in nodes))
    ]
    return Drawing(nodes, edges, loops, drawing.hidden)


# --- a window ---


def _window(drawing: Drawing, facts: Facts, limit: int) -> Drawing:
    """The cards nearest to the problem (or else the target); a pill stands where more would follow."""
    beyond = drawing.cards.keys() - _nearest(drawing, limit)
    kept = _without(drawing, beyond)
    for edge in drawing.edges:
        if edge.head in beyond and edge.tail in kept.nodes:
            stub = Pill(f"after-{edge.tail}", Role.HIDDEN, "…", "goes on")
            new = Edge(edge.tail, stub.id, Flow.OFF)
        elif edge.tail in beyond and edge.head in kept.nodes:
            stub = Pill(f"before-{edge.head}", Role.HIDDEN, "…", "from earlier")
            new = Edge(stub.id, edge.head, Flow.OFF)
        else:
            continue
        if stub.id not in kept.nodes and isinstance(kept.nodes[_end(edge, beyond)], Card):
            kept.nodes[stub.id] = stub
            kept.edges.append(new)
    sentence = f"{count(len(beyond), 'card')} further away left out"
    return replace(kept, hidden=(*drawing.hidden, sentence))


def _end(edge: Edge, beyond: set[str]) -> str:
    return edge.tail if edge.head in beyond else edge.head


def _nearest(drawing: Drawing, limit: int) -> set[str]:
    cards = drawing.cards
    problems = [i for i, card in cards.items() if card.role in (Role.BREAK, Role.PROBLEM)]
    targets = [i for i, card in cards.items() if "target" in card.tag]
    sources = [
        i for i, card in cards.items() if card.role in (Role.VARIABLE, Role.WATCHED, Role.SOURCE)
    ]
    start = problems or targets or list(cards)[-1:]
    kept = set([*problems, *targets, *sources[:_ALWAYS_SHOWN_SOURCES]][:limit])
    neighbours: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        neighbours[edge.head].append(edge.tail)
        neighbours[edge.tail].append(edge.head)
    # A variable leads everywhere at once: going on through it would not be near.
    seen, waiting = {*start, *sources}, deque(start)
    while waiting and len(kept) < limit:
        id_ = waiting.popleft()
        if id_ in cards:
            kept.add(id_)
        fresh = [neighbour for neighbour in neighbours[id_] if neighbour not in seen]
        seen.update(fresh)
        waiting.extend(dict.fromkeys(fresh))
    return kept

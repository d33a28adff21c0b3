"""What to leave out when there are too many cards, and to say so.

The steps go from harmless to harsh; the first that brings the number of cards under the limit is the last that is taken.
A step takes nodes and edges and returns fewer, with a sentence on what it hid.
"""

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from minitape.debug.draw.model import Card, Edge, Flow, Node, Pill, Role
from minitape.debug.draw.words import count

_ALWAYS_SHOWN_SOURCES = 6


@dataclass(frozen=True)
class Drawing:
    """Nodes and edges on their way to a picture, and what has been left out so far."""

    nodes: dict[str, Node]
    edges: list[Edge]
    hidden: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(isinstance(node, Card) for node in self.nodes.values())


def roll_up(drawing: Drawing, limit: int) -> Drawing:
    """At most `limit` cards: first without what is off the path, then a window round the problem."""
    steps: list[Callable[[Drawing, int], Drawing]] = [_path_only, _window]
    for step in steps:
        if drawing.size <= limit:
            break
        drawing = step(drawing, limit)
    return drawing


def _path_only(drawing: Drawing, limit: int) -> Drawing:
    """One pill for all ops off the path. It has no edges: with them it would be the hub of the picture."""
    on_break = {e.head for e in drawing.edges if e.flow is Flow.GHOST}
    on_break |= _downstream_of(drawing, on_break)
    needed = {n.id for n in drawing.nodes.values() if n.role in (Role.TARGET, Role.BREAK)}
    leads_on = _upstream_of(drawing, needed)
    dropped = {
        id_
        for id_, node in drawing.nodes.items()
        if isinstance(node, Card)
        and node.op is not None
        and node.role in (Role.OFF, Role.UNRECORDED)
        and not (id_ in on_break and id_ in leads_on)
    }
    # Without a path (nothing was recorded) this would leave a picture of nothing.
    if not dropped or not any(n.op is not None and id_ not in dropped for id_, n in _cards(drawing)):
        return drawing
    kept = _without(drawing, dropped)
    pill = Pill("off-path", Role.HIDDEN, f"{count(len(dropped), 'op')} off the path", "left out here")
    sentence = f"{count(len(dropped), 'op')} off the path left out"
    return Drawing({**kept.nodes, pill.id: pill}, kept.edges, (*drawing.hidden, sentence))


def _window(drawing: Drawing, limit: int) -> Drawing:
    """The cards nearest to the problem (or else the target); what lies beyond becomes pills with a count."""
    kept = _nearest(drawing, limit)
    beyond = {id_ for id_, _ in _cards(drawing) if id_ not in kept}
    if not beyond:
        return drawing
    nodes = {id_: node for id_, node in drawing.nodes.items() if id_ not in beyond}
    edges = [e for e in drawing.edges if e.tail not in beyond and e.head not in beyond]
    edges_at: dict[str, list[Edge]] = defaultdict(list)
    for edge in drawing.edges:
        edges_at[edge.tail].append(edge)
        edges_at[edge.head].append(edge)
    for position, group in enumerate(_groups(drawing, beyond), start=1):
        into = [e for id_ in group for e in edges_at[id_] if e.head == id_ and e.tail in kept]
        out_of = [e for id_ in group for e in edges_at[id_] if e.tail == id_ and e.head in kept]
        _add_stub(nodes, edges, f"hidden-{position}", len(group), into, out_of)
    shown = set(nodes)
    connected = {e.tail for e in edges} | {e.head for e in edges}
    nodes = {
        id_: node
        for id_, node in nodes.items()
        if isinstance(node, Card) or id_ in connected or node.id == "off-path"
    }
    edges = [e for e in edges if e.tail in shown and e.head in shown]
    hidden = f"{count(len(beyond), 'card')} further away left out"
    return Drawing(nodes, edges, (*drawing.hidden, hidden))


def _nearest(drawing: Drawing, limit: int) -> set[str]:
    cards = dict(_cards(drawing))
    problems = [i for i, card in cards.items() if card.role in (Role.BREAK, Role.PROBLEM)]
    targets = [i for i, card in cards.items() if card.tag.startswith("target")]
    sources = [
        i for i, card in cards.items() if card.role in (Role.VARIABLE, Role.WATCHED, Role.SOURCE)
    ]
    start = problems or targets or list(cards)[-1:]
    kept = set((problems + targets + sources[:_ALWAYS_SHOWN_SOURCES])[: max(limit, 1)])
    neighbours: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        neighbours[edge.head].append(edge.tail)
        neighbours[edge.tail].append(edge.head)
    seen, waiting = set(start), deque(start)
    while waiting and len(kept) < limit:
        id_ = waiting.popleft()
        if id_ in cards:
            kept.add(id_)
        for neighbour in neighbours[id_]:
            # A variable leads everywhere at once: going on through it would not be near.
            if neighbour not in seen and (neighbour not in cards or neighbour not in sources):
                seen.add(neighbour)
                waiting.append(neighbour)
    return kept


def _groups(drawing: Drawing, beyond: set[str]) -> list[list[str]]:
    """The left-out cards, in groups that hang together."""
    neighbours: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        if edge.tail in beyond and edge.head in beyond:
            neighbours[edge.tail].append(edge.head)
            neighbours[edge.head].append(edge.tail)
    groups, seen = [], set[str]()
    for first in drawing.nodes:
        if first not in beyond or first in seen:
            continue
        seen.add(first)
        group = [first]
        for id_ in group:  # grows while it is walked
            for neighbour in neighbours[id_]:
                if neighbour not in seen:
                    seen.add(neighbour)
                    group.append(neighbour)
        groups.append(group)
    return groups


def _add_stub(
    nodes: dict[str, Node],
    edges: list[Edge],
    id_: str,
    size: int,
    into: list[Edge],
    out_of: list[Edge],
) -> None:
    """Put a pill in place of a group; two of them where one would close a circle."""
    if not into and not out_of:
        return
    ops = count(size, "op")
    heads = {e.head for e in out_of}
    reached = _downstream_of(Drawing(nodes, edges), heads) | heads
    if into and out_of and any(e.tail in reached for e in into):
        _put(nodes, edges, Pill(f"{id_}-later", Role.HIDDEN, f"… {ops}, later on"), into, [])
        _put(nodes, edges, Pill(f"{id_}-earlier", Role.HIDDEN, f"… {ops}, from before"), [], out_of)
        return
    kind = "" if into and out_of else " earlier" if out_of else " later"
    title = f"… {size:,}{kind} op{'' if size == 1 else 's'}"
    _put(nodes, edges, Pill(id_, Role.HIDDEN, title, "not drawn"), into, out_of)


def _put(
    nodes: dict[str, Node], edges: list[Edge], pill: Pill, into: list[Edge], out_of: list[Edge]
) -> None:
    nodes[pill.id] = pill
    moved = [replace(e, head=pill.id, label="") for e in into]
    moved += [replace(e, tail=pill.id, label="") for e in out_of]
    seen = set[tuple[str, str]]()
    for edge in moved:
        if (edge.tail, edge.head) not in seen:
            seen.add((edge.tail, edge.head))
            edges.append(edge)


def _without(drawing: Drawing, dropped: set[str]) -> Drawing:
    """The drawing without these nodes, and without pills that only they used."""
    edges = [e for e in drawing.edges if e.tail not in dropped and e.head not in dropped]
    used = {e.tail for e in edges} | {e.head for e in edges}
    nodes = {
        id_: node
        for id_, node in drawing.nodes.items()
        if id_ not in dropped and (isinstance(node, Card) or id_ in used)
    }
    return Drawing(nodes, edges, drawing.hidden)


def _downstream_of(drawing: Drawing, start: set[str]) -> set[str]:
    following: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        following[edge.tail].append(edge.head)
    return _reached(following, start)


def _upstream_of(drawing: Drawing, start: set[str]) -> set[str]:
    preceding: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        preceding[edge.head].append(edge.tail)
    return _reached(preceding, start)


def _reached(neighbours: dict[str, list[str]], start: set[str]) -> set[str]:
    found, waiting = set[str](), list(start)
    while waiting:
        for neighbour in neighbours[waiting.pop()]:
            if neighbour not in found:
                found.add(neighbour)
                waiting.append(neighbour)
    return found


def _cards(drawing: Drawing) -> list[tuple[str, Card]]:
    return [(id_, node) for id_, node in drawing.nodes.items() if isinstance(node, Card)]

"""Decides what to collapse or omit if there are too many nodes, and reports what is hidden.

The steps go from mild to drastic; no further step is taken once the number of nodes is below the limit.

    a page        long loops and the layers of a model are collapsed, if the user set no number of nodes
    path only     ops that are not on the path of a gradient become one pill
    loops         ops at the same position of a loop become one node, in the frame of their loop
    functions     each call of a function or layer becomes one node, the innermost first
    window        only the nodes nearest to the problem are kept

Some steps can be requested by name, regardless of the number of nodes.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from minitape.draw.model import Card, Edge, EdgeKind, Node, Pill, Role
from minitape.draw.rollup.fold import Drawing
from minitape.draw.rollup.functions import Functions, close_functions, close_named
from minitape.draw.rollup.layers import close_layers
from minitape.draw.rollup.loops import Loops, roll_loops
from minitape.draw.rollup.stubs import with_stubs
from minitape.draw.words import count
from minitape.errors import DrawError

_ALWAYS_SHOWN_SOURCES = 6
# A node with the space around it is about 100 points high and 150 points wide. A sheet of paper has 840 by 600 points, a screen
# twice as many.
_DEEPEST, _WIDEST = 15, 6
_FEWEST_ITERATIONS = 4  # fewer nodes are easy to read without collapsing
_MOST_OPEN = 40


@dataclass(frozen=True)
class RenderOptions:
    """The user's options: see `picture`."""

    limit: int | None = 60
    is_page: bool = False
    path: bool = False
    around: int | None = None
    hops: int = 2
    constants: bool = True
    unroll: bool = False
    open: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    log: bool = False


def roll_up(drawing: Drawing, loops: Loops, options: RenderOptions) -> Drawing:
    """Return the drawing with the user's options, and with at most `cards` nodes.

    Raises:
        DrawError: an option names an op or a function that does not exist.
    """
    if not options.constants:
        drawing = _without_constants(drawing)
    if options.close:
        drawing = close_named(drawing, Functions(loops), options.close)
    if options.path:
        drawing = _path_only(drawing)
    if options.around is not None:
        drawing = _around(drawing, options.around, options.hops)
    if options.is_page:
        drawing = _on_a_page(drawing, loops, options)
    limit = options.limit if options.limit is not None else len(drawing.cards)
    if len(drawing.cards) > limit and not options.path:
        drawing = _path_only(drawing)
    if len(drawing.cards) > limit and not options.unroll:
        drawing = _rolled(drawing, loops, limit, options)
    if len(drawing.cards) > limit and not options.unroll:
        drawing = close_functions(drawing, Functions(loops), limit, opened=options.open)
    if len(drawing.cards) > limit:
        drawing = _window(drawing, limit)
    return with_stubs(drawing) if options.unroll else drawing


def _on_a_page(drawing: Drawing, loops: Loops, options: RenderOptions) -> Drawing:
    """Return the drawing with long loops and layers collapsed, if it would otherwise be larger than a page."""
    if not _is_larger_than_a_page(drawing):
        return drawing
    drawing = roll_loops(drawing, loops, is_log=options.log, fewest=_FEWEST_ITERATIONS)
    if len(drawing.cards) > _MOST_OPEN and not options.open:
        drawing = close_layers(drawing, Functions(loops))
    return drawing


def _is_larger_than_a_page(drawing: Drawing) -> bool:
    """Whether so many nodes are below or next to each other that the reader would have to scroll far."""
    if len(drawing.cards) > _DEEPEST * _WIDEST:
        return True
    rank = dict.fromkeys(drawing.cards, 0)
    for edge in sorted(drawing.edges, key=_order(drawing)):
        if edge.flow is not EdgeKind.GRADIENT and edge.tail in rank and edge.head in rank:
            rank[edge.head] = max(rank[edge.head], rank[edge.tail] + 1)
    wide = Counter(rank.values()).most_common(1)
    return bool(wide) and (max(rank.values()) + 1 > _DEEPEST or wide[0][1] > _WIDEST)


def _order(drawing: Drawing) -> Callable[[Edge], int]:
    """Put the nodes in the order of the run, and each edge after the edges that lead to its tail."""
    order = {id_: position for position, id_ in enumerate(drawing.nodes)}
    return lambda edge: order.get(edge.head, 0)


def _rolled(drawing: Drawing, loops: Loops, limit: int, options: RenderOptions) -> Drawing:
    rolled = roll_loops(drawing, loops, is_log=options.log)
    if len(rolled.cards) <= limit:
        return rolled
    loose = roll_loops(drawing, loops, is_log=options.log, is_loose=True)
    return loose if len(loose.cards) < len(rolled.cards) else rolled


# --- constants ---


def _without_constants(drawing: Drawing) -> Drawing:
    pills = {
        id_
        for id_, node in drawing.nodes.items()
        if isinstance(node, Pill) and node.role is Role.CONSTANT
    }
    if not pills:
        return drawing
    return _without(drawing, pills).saying(f"{count(len(pills), 'constant')} left out")


# --- off the path ---


def _path_only(drawing: Drawing) -> Drawing:
    """Return the drawing with one pill for all ops off the path. The pill has no edges, because it would otherwise become the
    hub of the picture.
    """
    on_break = _reached(drawing.edges, {e.head for e in drawing.edges if e.flow is EdgeKind.GHOST})
    dropped = {
        id_
        for id_, card in drawing.cards.items()
        if card.op is not None and card.role in (Role.OFF, Role.UNRECORDED) and id_ not in on_break
    }
    # If no op is on a path (nothing was recorded), the picture would be empty.
    if not dropped or not any(
        c.op is not None and i not in dropped for i, c in drawing.cards.items()
    ):
        return drawing
    pill = Pill(
        "off-path", Role.HIDDEN, f"{count(len(dropped), 'node')} off the path", "left out here"
    )
    kept = _without(drawing, dropped)
    home = kept.home | {id_: pill.id for id_, at in drawing.home.items() if at in dropped}
    kept = replace(kept, nodes={**kept.nodes, pill.id: pill}, home=home)
    return kept.saying(f"{count(len(dropped), 'node')} off the path left out")


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
    """Return the drawing without these nodes, and without the pills and frames that only these nodes used."""
    edges = [e for e in drawing.edges if e.tail not in dropped and e.head not in dropped]
    used = {e.tail for e in edges} | {e.head for e in edges} | {"off-path"}
    nodes = {
        id_: node
        for id_, node in drawing.nodes.items()
        if id_ not in dropped and (isinstance(node, Card) or id_ in used)
    }
    loops = [
        replace(loop, members=tuple(id_ for id_ in loop.members if id_ in nodes))
        for loop in drawing.loops
    ]
    home = {id_: at for id_, at in drawing.home.items() if at in nodes}
    return Drawing(nodes, edges, loops, drawing.hidden, home)


# --- a window ---


def _around(drawing: Drawing, op: int, hops: int) -> Drawing:
    """Return the drawing of an op and the nodes that are at most `hops` edges away from it.

    Raises:
        DrawError: the picture has no such op.
    """
    focus = drawing.home.get(f"op-{op}", "")
    if focus not in drawing.cards:
        ops = [card.op for card in drawing.cards.values() if card.op is not None]
        raise DrawError(
            f"This picture has no op #{op}.",
            code="MT903",
            fix=f"use a number from {min(ops)} to {max(ops)}"
            if ops
            else "use a script that runs ops",
        )
    near = _nearest(drawing, [focus], hops=hops)
    beyond = drawing.cards.keys() - near
    title = drawing.cards[focus].title
    kept = _cut(drawing, beyond)
    if not beyond:
        return kept
    left_out = f"{count(len(beyond), 'node')} further away left out"
    return kept.saying(f"#{op} {title} and {count(hops, 'hop')} around it, {left_out}")


def _window(drawing: Drawing, limit: int) -> Drawing:
    """Return the drawing of the nodes nearest to the problem (or to the target), with a pill wherever more nodes would follow."""
    cards = drawing.cards
    problems = [i for i, card in cards.items() if card.role in (Role.BREAK, Role.PROBLEM)]
    targets = [i for i, card in cards.items() if "target" in card.tag]
    sources = [i for i, card in cards.items() if card.role in _SOURCES]
    start = problems or targets or list(cards)[-1:]
    first = [*problems, *targets, *sources[:_ALWAYS_SHOWN_SOURCES]][:limit]
    near = _nearest(drawing, start, first=first, limit=limit)
    beyond = cards.keys() - near
    kept = _cut(drawing, beyond)
    return kept.saying(f"{count(len(beyond), 'node')} further away left out")


_SOURCES = (Role.VARIABLE, Role.WATCHED, Role.SOURCE)


def _cut(drawing: Drawing, beyond: set[str]) -> Drawing:
    """Return the drawing without these nodes, with a pill wherever a node is missing."""
    kept = _without(drawing, beyond)
    earlier = _counts_before(drawing, beyond)
    pills: dict[str, Node] = {}
    edges: dict[Edge, None] = {}
    for edge in drawing.edges:
        if edge.flow is EdgeKind.GRADIENT:
            continue
        if edge.head in beyond and edge.tail in kept.cards:
            later = len(beyond) - earlier[edge.head]
            stub = Pill(f"after-{edge.tail}", Role.HIDDEN, f"… {count(later, 'later node')}")
            new = Edge(edge.tail, stub.id, EdgeKind.OFF)
        elif edge.tail in beyond and edge.head in kept.cards:
            before = earlier[edge.tail] + 1
            stub = Pill(f"before-{edge.head}", Role.HIDDEN, f"… {count(before, 'earlier node')}")
            new = Edge(stub.id, edge.head, EdgeKind.OFF)
        else:
            continue
        pills.setdefault(stub.id, stub)
        edges.setdefault(new)
    return replace(kept, nodes={**kept.nodes, **pills}, edges=[*kept.edges, *edges])


def _counts_before(drawing: Drawing, beyond: set[str]) -> dict[str, int]:
    """Return, for each of these nodes, how many of them ran before it."""
    return {id_: position for position, id_ in enumerate(i for i in drawing.nodes if i in beyond)}


def _nearest(
    drawing: Drawing,
    start: Iterable[str],
    *,
    first: Iterable[str] = (),
    limit: int | None = None,
    hops: int | None = None,
) -> set[str]:
    """Return the nodes within a number of edges, or a number of the nearest nodes, whichever is given."""
    cards = drawing.cards
    neighbours: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        if edge.flow is not EdgeKind.GRADIENT:
            neighbours[edge.head].append(edge.tail)
            neighbours[edge.tail].append(edge.head)
    most = len(cards) if limit is None else limit
    waiting = deque((id_, 0) for id_ in start)
    kept, seen = set(first), {id_ for id_, _ in waiting}
    while waiting and len(kept) < most:
        id_, distance = waiting.popleft()
        if id_ in cards:
            kept.add(id_)
        # A variable is connected to many nodes, so nodes beyond it do not count as near.
        is_source = distance and drawing.nodes[id_].role in _SOURCES
        if is_source or distance == hops:
            continue
        fresh = dict.fromkeys(one for one in neighbours[id_] if one not in seen)
        seen.update(fresh)
        waiting.extend((one, distance + 1) for one in fresh)
    return kept

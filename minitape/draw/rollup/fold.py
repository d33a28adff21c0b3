"""Collapses several nodes into one: the part that is common to loops and functions.

Drawing     a picture that can still be collapsed
fold        collapses groups of nodes; edges, pills, frames and homes follow
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from msgspec import field
from msgspec.structs import replace

from minitape.draw.model import (
    Card,
    Edge,
    EdgeKind,
    LoopFrame,
    Node,
    Pill,
    Role,
    carried_id,
)
from minitape.trace.events import TraceStruct


class Drawing(TraceStruct, dict=True, gc=True):
    """Nodes (in the order of the run) and edges of a picture in progress, and what is hidden so far.

    `home` maps each node of the sketch to the node that shows it now; omitted nodes have no entry.
    """

    nodes: dict[str, Node]
    edges: list[Edge]
    loops: list[LoopFrame] = field(default_factory=list)
    hidden: tuple[str, ...] = ()
    home: dict[str, str] = field(default_factory=dict)

    @cached_property
    def cards(self) -> dict[str, Card]:
        return {id_: node for id_, node in self.nodes.items() if isinstance(node, Card)}

    def saying(self, sentence: str) -> "Drawing":
        """Return the same drawing with an additional sentence about what is hidden."""
        return replace(self, hidden=(*self.hidden, sentence))


class Folded(TraceStruct):
    """A node that represents other nodes. Edges between these nodes are drawn if `is_loop` is true; otherwise they are inside
    the node.
    """

    card: Card
    members: tuple[str, ...]
    is_loop: bool = False


EdgeLabel = Callable[[Edge], str]


def fold(
    drawing: Drawing,
    folds: Iterable[Folded],
    *,
    iteration: EdgeLabel = lambda _: "",
    step: EdgeLabel = lambda _: "",
) -> Drawing:
    """Return the drawing with each group of nodes as a single node.

    Args:
        drawing: The drawing.
        folds: The groups. The node of a group has the id and the position of its first member.
        iteration: Returns the iteration in which an edge enters or leaves a loop.
        step: Returns the iterations that an edge connects; empty if the edge stays within one iteration.
    """
    by_id = {one.card.id: one for one in folds}
    into = {member: id_ for id_, one in by_id.items() for member in one.members}
    nodes: dict[str, Node] = {
        id_: by_id[id_].card if id_ in by_id else node
        for id_, node in drawing.nodes.items()
        if into.get(id_, id_) == id_
    }
    pills, into = _pills(drawing, by_id, into)
    nodes |= pills
    edges = _edges(drawing, by_id, into, nodes, iteration, step)
    used = {end for edge in edges for end in (edge.tail, edge.head)}
    kept = {
        id_: node
        for id_, node in nodes.items()
        if isinstance(node, Card) or id_ in used or node.role is Role.HIDDEN
    }
    home = {id_: into.get(at, at) for id_, at in drawing.home.items()}
    home = {id_: at for id_, at in home.items() if at in kept}
    loops = [
        replace(loop, members=tuple(dict.fromkeys(into.get(id_, id_) for id_ in loop.members)))
        for loop in drawing.loops
    ]
    return Drawing(kept, edges, loops, drawing.hidden, home)


def _pills(
    drawing: Drawing, by_id: Mapping[str, Folded], into: Mapping[str, str]
) -> tuple[dict[str, Node], dict[str, str]]:
    """Return the pills before a collapsed node, one for each input, and the new pill for each old pill."""
    alike: dict[tuple[str, ...], list[Pill]] = defaultdict(list)
    went = dict(into)
    for edge in drawing.edges:
        node, head = drawing.nodes[edge.tail], into.get(edge.head, "")
        if head not in by_id or not isinstance(node, Pill) or node.role is Role.CARRIED:
            continue
        is_own = not node.stub_of or into.get(node.stub_of) == head
        if not by_id[head].is_loop and is_own:
            went[node.id] = head  # constants and variables of a function are inside its node
        elif node.stub_of and by_id[head].is_loop:
            went[node.id] = into.get(node.stub_of, node.stub_of)
        else:
            position = "" if node.stub_of else node.id.rpartition("-")[2]
            alike[head, node.note, node.stub_of, position].append(node)
    went |= {pill.id: some[0].id for some in alike.values() for pill in some}
    return {some[0].id: _one_pill(some) for some in alike.values()}, went


def _one_pill(alike: list[Pill]) -> Pill:
    """Return the pill that represents the constants of all iterations, which may differ."""
    first = alike[0]
    if all(pill.title == first.title for pill in alike):
        return first
    return replace(first, title=f"{first.title}, …", note=f"{len(alike):,} of them · {first.note}")


def _edges(
    drawing: Drawing,
    by_id: Mapping[str, Folded],
    into: Mapping[str, str],
    nodes: dict[str, Node],
    iteration: EdgeLabel,
    step: EdgeLabel,
) -> list[Edge]:
    """Return the edges with parallel edges merged. An edge to the next iteration goes through a pill, to avoid a cycle."""
    merged: dict[tuple[str, str, bool], list[Edge]] = defaultdict(list)
    for edge in drawing.edges:
        tail, head = into.get(edge.tail, edge.tail), into.get(edge.head, edge.head)
        is_inside = tail == head and not (tail in by_id and by_id[tail].is_loop)
        is_own = tail == head and edge.flow is EdgeKind.GRADIENT
        if not is_inside and not is_own:
            merged[tail, head, edge.flow is EdgeKind.GRADIENT].append(edge)
    ranks = {id_: position for position, id_ in enumerate(nodes)}
    result: list[Edge] = []
    for (tail, head, is_gradient), together in merged.items():
        is_folded = tail in by_id or head in by_id
        if not is_folded:
            result += [replace(edge, tail=tail, head=head) for edge in together]
            continue
        runs = len(by_id[head if head in by_id else tail].members)
        edge = replace(together[0], tail=tail, head=head, label=_label(together, runs, iteration))
        steps = "" if is_gradient or ranks[tail] < ranks[head] else step(together[0])
        if not steps:
            result.append(edge)
            continue
        pill = _carried(nodes[tail], head, steps, len(together))
        nodes[pill.id] = pill
        result.append(Edge(tail, pill.id, EdgeKind.CARRIED))
        result.append(replace(edge, tail=pill.id, label=""))
    return result


def _label(together: list[Edge], runs: int, iteration: EdgeLabel) -> str:
    """Return the label of an edge, with the iterations if the edge is not in all of them."""
    labels = dict.fromkeys(edge.label for edge in together)
    if together[0].flow is EdgeKind.GRADIENT:
        return next(iter(labels)) if len(labels) == 1 else f"×{len(together):,}"
    iterations = {iteration(edge) for edge in together} if len(together) < runs else {""}
    if iterations != {""}:
        return iterations.pop() if len(iterations) == 1 else f"{len(together):,} of {runs:,}"
    return next(iter(labels))


def _carried(tail: Node, head: str, step: str, count: int) -> Pill:
    note = f"{step}, ×{count:,}"
    return Pill(carried_id(tail.id, head), Role.CARRIED, f"{value_name(tail)}  carried", note)


def value_name(node: Node) -> str:
    """Return the name of a node's value in the program."""
    name = node.code.partition(" = ")[0] if isinstance(node, Card) else ""
    return name if name.isidentifier() else node.title

"""Stubs: a value that is used often is drawn as a pill at each use.

A node with hundreds of edges crosses the whole picture, and makes a layout program take minutes. Variables have stubs from the
start (`cards`). If each iteration of a loop is drawn, results get stubs too, and gradients are sent to the stubs.
"""

from collections import defaultdict
from collections.abc import Mapping

from msgspec.structs import replace

from minitape.draw.cards import READS_ON_ONE_CARD
from minitape.draw.model import Card, Edge, EdgeKind, Node, Pill
from minitape.draw.rollup.fold import Drawing, value_name
from minitape.draw.words import short_name

Use = tuple[str, str]  # the node that is used, and the node that uses it


def with_stubs(drawing: Drawing) -> Drawing:
    """Return the drawing with a pill at every use of a frequently used result except the first."""
    users = _users(drawing)
    hubs = {id_: some for id_, some in users.items() if len(some) > READS_ON_ONE_CARD}
    stubs: dict[Use, Node] = _stubs_there_are(drawing)
    for id_, some in hubs.items():
        for user in list(some)[1:]:
            stubs.setdefault((id_, user), _stub(drawing.cards[id_], user))
    return replace(drawing, nodes=_nodes(drawing, hubs, stubs), edges=_edges(drawing, stubs))


def _users(drawing: Drawing) -> dict[str, dict[str, None]]:
    """Return, for each node, in the order of the run, the nodes that use it in the drawing."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for edge in drawing.edges:
        used, user = _use(edge)
        is_result = used in drawing.cards and drawing.cards[used].op is not None
        if is_result and user in drawing.cards and edge.flow not in (EdgeKind.CUT, EdgeKind.GHOST):
            found[used][user] = None
    return found


def _use(edge: Edge) -> Use:
    return (edge.head, edge.tail) if edge.flow is EdgeKind.GRADIENT else (edge.tail, edge.head)


def _stubs_there_are(drawing: Drawing) -> dict[Use, Node]:
    found: dict[Use, Node] = {}
    for edge in drawing.edges:
        node = drawing.nodes[edge.tail]
        if isinstance(node, Pill) and node.stub_of:
            found.setdefault((node.stub_of, edge.head), node)
    return found


def _stub(card: Card, user: str) -> Pill:
    name = short_name(value_name(card), 24)
    return Pill(f"read-{card.id}-{user}", card.role, f"{name} ›", stub_of=card.id)


def _nodes(
    drawing: Drawing, hubs: Mapping[str, Mapping[str, None]], stubs: Mapping[Use, Node]
) -> dict[str, Node]:
    """Return the nodes with each stub directly before the node that uses it."""
    before: dict[str, list[Node]] = defaultdict(list)
    for (_, user), pill in stubs.items():
        if pill.id not in drawing.nodes:
            before[user].append(pill)
    found: dict[str, Node] = {}
    for id_, node in drawing.nodes.items():
        found |= {pill.id: pill for pill in before[id_]}
        if isinstance(node, Card) and id_ in hubs:
            node = replace(node, tag=f"{node.tag} · read {len(hubs[id_])} times")
        found[id_] = node
    return found


def _edges(drawing: Drawing, stubs: Mapping[Use, Node]) -> list[Edge]:
    found = []
    for edge in drawing.edges:
        stub = stubs.get(_use(edge))
        if stub is None:
            found.append(edge)
        elif edge.flow is EdgeKind.GRADIENT:
            found.append(replace(edge, head=stub.id))
        else:
            found.append(replace(edge, tail=stub.id))
    return found

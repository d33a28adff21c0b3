"""Collapses each layer of a model to one node, which gets the name that its weights share.

`sequential/dense/kernel` and its bias belong to `sequential/dense`. A layer is the op that first reads its weights, and the ops
that depend only on it within the same expression of the user, such as a bias or an activation. A layer that is called twice
becomes two nodes.
"""

from collections import defaultdict

from minitape.draw.model import EdgeKind, Role
from minitape.draw.rollup.fold import Drawing
from minitape.draw.rollup.functions import (
    CLOSABLE,
    Closing,
    Functions,
    beside_breaks,
    closed,
    sentence,
    with_own_variables,
)


def close_layers(drawing: Drawing, functions: Functions) -> Drawing:
    """Return the drawing with each layer of several ops as one node that contains the layer's weights; a layer with a problem
    stays open.
    """
    found = _layers(drawing, functions)
    if not found:
        return drawing
    done = with_own_variables(closed(drawing, functions, found))
    return done.saying(sentence(len(drawing.cards), done))


def _layers(drawing: Drawing, functions: Functions) -> list[Closing]:
    tails: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        if edge.flow is not EdgeKind.GRADIENT and edge.tail in drawing.cards:
            tails[edge.head].append(edge.tail)
    owners: dict[str, str] = {}  # of each layer, keyed by the id of its first node
    member_of: dict[str, str] = {}
    for id_, card in drawing.cards.items():
        if card.role not in CLOSABLE or not functions.sites(card):
            continue
        owner = {_owner(drawing, tail) for tail in tails[id_]} - {""}
        before = {member_of.get(tail, "") for tail in tails[id_] if not _owner(drawing, tail)}
        first = before.pop() if len(before) == 1 else ""
        goes_on = first and _is_same_call(drawing, functions, first, id_)
        if goes_on and owner <= {owners[first]}:
            member_of[id_] = first
        elif len(owner) == 1:
            member_of[id_], owners[id_] = id_, owner.pop()
    groups: dict[str, list[str]] = defaultdict(list)
    for id_, first in member_of.items():
        groups[first].append(id_)
    open_ones = {member_of.get(id_) for id_ in beside_breaks(drawing)}
    return [
        Closing(tuple(ids), len(functions.sites(drawing.cards[first])), owners[first])
        for first, ids in groups.items()
        if len(ids) > 1 and first not in open_ones
    ]


def _owner(drawing: Drawing, id_: str) -> str:
    """Return the layer to which a variable belongs."""
    card = drawing.cards[id_]
    return card.title.rpartition("/")[0] if card.role is Role.VARIABLE else ""


def _is_same_call(drawing: Drawing, functions: Functions, first: str, other: str) -> bool:
    one, two = (functions.sites(drawing.cards[each]) for each in (first, other))
    return [site.at for site in one] == [site.at for site in two]

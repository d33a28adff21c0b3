"""Collapses functions and layers to one node each, with the name, the number of ops, and the inputs and outputs.

A user's function is identified by the stack of call sites that its ops share. A layer, or any other library call that ran several
ops, is identified by the one expression of the user to which its ops belong.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from minitape.draw import words
from minitape.draw.facts import Facts
from minitape.draw.model import Card, CardRow, Edge, EdgeKind, LoopFrame, Role, TextTone
from minitape.draw.rollup.fold import Drawing, Folded, fold
from minitape.draw.rollup.loops import Loops
from minitape.draw.words import count
from minitape.errors import DrawError
from minitape.trace import events

CLOSABLE = (Role.PATH, Role.OFF, Role.UNRECORDED, Role.REENTRY, Role.BACKWARD_DONE, Role.CLOSED)
_CALLEE = re.compile(r"[\w.\[\]]+(?=\()")
_MOST_SHAPES = 3

Call = tuple[object, ...]


class Closing(NamedTuple):
    """Nodes that become one: the nodes of a call at this depth below the module, and the name of the call."""

    ids: tuple[str, ...]
    depth: int
    title: str


class Functions:
    """The calls in which the nodes of a drawing ran."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops
        self.facts: Facts = loops.facts

    def sites(self, card: Card) -> list[events.SiteEvent]:
        return self.facts.sites_of(card.values)

    def call(self, card: Card, depth: int) -> Call | None:
        """Return a key that is equal for two nodes that ran in the same call, `depth` calls below the module."""
        sites = self.sites(card)
        if len(sites) < depth or (card.role is Role.CLOSED and len(sites) == depth):
            return None
        iterations = (
            iteration for iteration in self._loops.iterations(card) if iteration.ring.frame < depth
        )
        return (*(site.at for site in sites[:depth]), *iterations)

    def names(self, card: Card, depth: int) -> tuple[str, ...]:
        """Return the names of the function, first as the caller writes it, then as it was defined."""
        sites = self.sites(card)
        written = _CALLEE.match(sites[depth - 1].expression)
        defined = sites[depth].function if len(sites) > depth else ""
        names = (written[0] if written else "", defined, defined.rpartition(".")[2])
        return tuple(dict.fromkeys(name for name in names if name))

    def deepest(self, cards: Collection[Card]) -> int:
        return max((len(self.sites(card)) for card in cards), default=0)


def close_functions(
    drawing: Drawing, functions: Functions, limit: int, *, opened: Collection[str]
) -> Drawing:
    """Return the drawing with as many calls collapsed as necessary, the innermost first."""
    before = len(drawing.cards)
    done = drawing
    for depth in range(functions.deepest(drawing.cards.values()), 0, -1):
        if len(done.cards) <= limit:
            break
        calls = [
            call
            for call in _calls(done, functions, depth)
            if not {*functions.names(done.cards[call.ids[0]], depth)} & {*opened}
        ]
        done = closed(done, functions, calls)
    if len(done.cards) > limit:
        done = with_own_variables(done)
    return done if len(done.cards) == before else done.saying(sentence(before, done))


def close_named(drawing: Drawing, functions: Functions, names: Collection[str]) -> Drawing:
    """Return the drawing with every call of these functions collapsed.

    Raises:
        DrawError: no function with this name was called.
    """
    before, done = len(drawing.cards), drawing
    met, known = set[str](), dict[str, None]()
    for depth in range(functions.deepest(drawing.cards.values()), 0, -1):
        calls = []
        for call in _calls(done, functions, depth):
            called = functions.names(done.cards[call.ids[0]], depth)
            known |= dict.fromkeys(called)
            if {*called} & {*names}:
                met |= {*called}
                calls.append(call)
        done = closed(done, functions, calls)
    missing = [name for name in names if name not in met]
    if missing:
        raise DrawError(
            f"This picture has no call to {missing[0]} with more than one op.",
            code="MT903",
            fix=words.one_of(list(known)[:8]) or "draw a program that has functions or layers",
        )
    return done.saying(sentence(before, done))


def sentence(before: int, done: Drawing) -> str:
    """Return a sentence about the hidden nodes."""
    closed = [card for card in done.cards.values() if card.role is Role.CLOSED]
    inside = before - len(done.cards) + len(closed)
    return f"{count(inside, 'node')} collapsed into {len(closed):,}"


def _calls(drawing: Drawing, functions: Functions, depth: int) -> Iterator[Closing]:
    """Yield the calls at this depth with several nodes; calls with a problem stay open."""
    groups: dict[Call, list[Card]] = defaultdict(list)
    blocked = set[Call]()
    by_breaks = beside_breaks(drawing)
    for card in drawing.cards.values():
        call = functions.call(card, depth)
        if call is None:
            continue
        if card.role in (Role.BREAK, Role.PROBLEM) or card.id in by_breaks:
            blocked.add(call)
        elif card.role in CLOSABLE:
            groups[call].append(card)
    for call, cards in groups.items():
        if len(cards) > 1 and call not in blocked:
            names = functions.names(cards[0], depth)
            yield Closing(tuple(card.id for card in cards), depth, names[0] if names else "")


def beside_breaks(drawing: Drawing) -> set[str]:
    """Return the nodes before and after each break, which must not become one node, because the break would then have no edge."""
    beside = set[str]()
    for edge in drawing.edges:
        if edge.flow is EdgeKind.CUT:
            beside.add(edge.tail)
        elif edge.flow is EdgeKind.GHOST:
            beside.add(edge.head)
    return beside


def closed(drawing: Drawing, functions: Functions, calls: Sequence[Closing]) -> Drawing:
    """Return the drawing with one node for each of these calls."""
    if not calls:
        return drawing
    where = {id_: number for number, call in enumerate(calls) for id_ in call.ids}
    inputs: dict[int, list[Edge]] = defaultdict(list)
    inside: dict[int, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        head, tail = where.get(edge.head), where.get(edge.tail)
        if head is not None and tail != head:
            inputs[head].append(edge)
    for pill, number in _inner_pills(drawing, where).items():
        inside[number].append(pill)
    folds = [
        Folded(_card(drawing, functions, call, inputs[number]), (*call.ids, *inside[number]))
        for number, call in enumerate(calls)
    ]
    done = fold(drawing, folds)
    gone = {call.ids[0]: call.depth for call in calls}
    return replace(done, loops=[loop for loop in done.loops if not _is_inside(loop, gone)])


def _inner_pills(drawing: Drawing, where: Mapping[str, int]) -> dict[str, int]:
    """Return the pills for the values that a loop within one call carries from iteration to iteration."""
    before = {e.head: where.get(e.tail) for e in drawing.edges if e.flow is EdgeKind.CARRIED}
    found = {}
    for edge in drawing.edges:
        number = before.get(edge.tail)
        if number is not None and where.get(edge.head) == number:
            found[edge.tail] = number
    return found


def _is_inside(loop: LoopFrame, gone: Mapping[str, int]) -> bool:
    """Whether a loop is hidden in a collapsed function; a loop around the call keeps its frame."""
    members = loop.members
    return len(members) == 1 and members[0] in gone and loop.frame >= gone[members[0]]


def _card(drawing: Drawing, functions: Functions, call: Closing, inputs: list[Edge]) -> Card:
    cards = [drawing.cards[id_] for id_ in call.ids]
    first, facts, site = cards[0], functions.facts, functions.sites(cards[0])[call.depth - 1]
    values = tuple(value for card in cards for value in card.values)
    title = call.title or site.expression or "a call"
    ops = {_op_of(facts, value) for value in values if value in facts.makers}
    code, target = site.expression or site.code, site.target
    return Card(
        first.id,
        Role.CLOSED,
        words.short_name(title, 32),
        f"{first.tag.partition(' · ')[0]} · {count(len(ops), 'op')}",
        code=words.short(words.written(target, code), words.CODE_WIDTH),
        rows=(*_shape_rows(drawing, facts, values, inputs), *_worst(facts, values)),
        location=facts.location(site),
        event=first.event,
        op=first.op,
        values=values,
        name=title,
    )


def _op_of(facts: Facts, value: int) -> int | None:
    """Return the number of the op that computed a value; None for a value that re-entered."""
    event = facts.made_by(value)
    return event.number if isinstance(event, events.OpEvent) else None


def _shape_rows(
    drawing: Drawing, facts: Facts, values: tuple[int, ...], inputs: list[Edge]
) -> Iterator[CardRow]:
    tails = dict.fromkeys(edge.tail for edge in inputs if edge.flow is not EdgeKind.GRADIENT)
    given = [drawing.cards[id_].values for id_ in tails if id_ in drawing.cards]
    shapes = [facts.shape_of(some[-1]) for some in given if some]
    texts = list(dict.fromkeys(words.shape(shape) for shape in shapes if shape is not None))
    if texts:
        more = " …" if len(texts) > _MOST_SHAPES else ""
        yield CardRow("in", ", ".join(texts[:_MOST_SHAPES]) + more)
    made = facts.shape_of(values[-1])
    if made is not None:
        yield CardRow("out", words.shape(made))


def _worst(facts: Facts, values: tuple[int, ...]) -> Iterator[CardRow]:
    """Yield the smallest and the largest gradient in a collapsed call, or NaN if any gradient contains NaN."""
    arrived = [facts.gradients[value] for value in values if value in facts.gradients]
    bad = next(filter(None, map(words.trouble, arrived)), "")
    sizes = [numbers.l2 for numbers in arrived if numbers.l2 is not None]
    if bad:
        yield CardRow("|grad|", f"{bad} in it", TextTone.PROBLEM)
    elif sizes:
        least, most = words.number(min(sizes)), words.number(max(sizes))
        text = least if least == most else f"{least} to {most}"
        yield CardRow("|grad|", text, TextTone.GRADIENT)
    elif facts.call is not None and not facts.has_error:
        yield CardRow("grad", "never reached", TextTone.MUTED)


def with_own_variables(drawing: Drawing) -> Drawing:
    """Put variables that only one collapsed function reads into its node."""
    heads: dict[str, set[str]] = defaultdict(set)
    for edge in drawing.edges:
        if edge.flow is not EdgeKind.GRADIENT:
            source = getattr(drawing.nodes[edge.tail], "stub_of", "") or edge.tail
            heads[source].add(edge.head)
    own: dict[str, list[Card]] = defaultdict(list)
    for id_, card in drawing.cards.items():
        users = heads.get(id_, set())
        user = drawing.cards.get(next(iter(users))) if len(users) == 1 else None
        if card.role is Role.VARIABLE and user is not None and user.role is Role.CLOSED:
            own[user.id].append(card)
    folds = []
    for id_, variables in own.items():
        user = drawing.cards[id_]
        row = CardRow("holds", count(len(variables), "variable"))
        card = replace(user, rows=(row, *user.rows))
        folds.append(Folded(card, (id_, *(one.id for one in variables))))
    return fold(drawing, folds) if folds else drawing

"""Chooses the parts of a program that become cards, with as much detail as a slide has space for.

The parts are opened from the outermost inward, all parts with the same name together, as long as the cards fit side by side.
Layers of the library and functions of single ops stay closed, because their names are more informative than their ops. Equal
parts in a row are drawn once.

    opened     the cards for a program
"""

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from minitape.draw import words
from minitape.draw.diagram.tree import Part, PartKind
from minitape.errors import DrawError
from minitape.trace.events import OpEvent

MOST_COLUMNS = 9  # on one row
MOST_IN_TWO_ROWS = 14
_MOST_ROWS = 4
_MOST_CARDS = 18
_FEWEST_EQUAL = 3
_MOST_TRIES = 60
_TOO_FEW = 3
_MOST_NEIGHBORS = 60

Group = tuple[int, str, str]  # depth, kind, title
Exit = tuple[
    int, frozenset[int], frozenset[int]
]  # when values came back, the ops that computed them, the ops that use them
Edges = Sequence[tuple[int, int]]  # the number of an op, and of an op that uses its value


@dataclass
class Card:
    """A part, several consecutive equal parts, or a run of different parts, drawn as one card."""

    parts: list[Part]
    is_run: bool = False
    depth: int = 0
    piece: int = 0  # the number of this piece of a divided part, from 1
    pieces: int = 0

    @property
    def first(self) -> Part:
        return self.parts[0]

    @property
    def times(self) -> int:
        """The number of equal parts that the card represents."""
        if self.is_run:
            return 1
        if self.first.kind is PartKind.LOOP:
            return len(self.first.parts)
        return len(self.parts)

    @property
    def repeated(self) -> list[Part]:
        """The equal parts that the card represents, in the order of the run; empty for a single part."""
        if self.is_run or self.times == 1:
            return []
        return self.first.parts if self.first.kind is PartKind.LOOP else self.parts

    @property
    def ops(self) -> list[int]:
        return [op.number for part in self.parts for op in part.ops]


class Graph:
    """Which cards pass values to which other cards."""

    def __init__(self, cards: Sequence[Card], edges: Edges) -> None:
        self.card_of = {op: index for index, card in enumerate(cards) for op in card.ops}
        self.heads: dict[int, set[int]] = defaultdict(set)
        self.tails: dict[int, set[int]] = defaultdict(set)
        for tail_op, head_op in edges:
            tail, head = self.card_of.get(tail_op), self.card_of.get(head_op)
            if tail is not None and head is not None and tail != head:
                self.heads[tail].add(head)
                self.tails[head].add(tail)

    def columns(self, count: int) -> list[int]:
        """Return the column of each card, which comes after the columns of all cards that pass a value to it."""
        columns = [0] * count
        for index in range(count):
            columns[index] = 1 + max((columns[tail] for tail in self.tails[index]), default=-1)
        return columns


@dataclass(frozen=True)
class Limits:
    """The limits that the user sets: the maximum number of cards in a row, the names of parts that are always or never opened,
    the number of open levels (None for as many as fit), and the name of a part to which the slide is limited, with its
    neighbors.
    """

    columns: int = MOST_IN_TWO_ROWS
    open: frozenset[str] = frozenset()
    close: frozenset[str] = frozenset()
    depth: int | None = None
    around: str | None = None

    @property
    def on_one_row(self) -> int:
        """The maximum number of columns in one row, because a slide has inputs in addition to the cards."""
        return min(self.columns, MOST_COLUMNS - 1)


def opened(
    root: Part,
    edges: Edges,
    limits: Limits,
    *,
    trained: Set[int],
    ends: Set[int],
    alone: Set[int] = frozenset(),
    exits: Sequence[Exit] = (),
) -> list[Card]:
    """Return the cards for a program: opened as far as they fit, and combined if even the outermost cards do not fit.

    Args:
        root: The program.
        edges: Which ops pass values to which ops.
        limits: The limits that the user sets.
        trained: The ops that read trained variables. Cards without such ops are the first to be combined with a neighbor.
        ends: The ops that compute the targets. A card with such an op is never combined with another card.
        alone: The ops that have their own card, such as an op that stops the gradient.
        exits: The points at which values leave the tape and come back. A card that contains such a point is divided.

    Raises:
        DrawError: the program has no part with a name in `limits`.
    """
    _check_names(root, limits)
    cards = [Card([root])]
    while len(cards) == 1 and cards[0].first.parts and cards[0].times == 1:
        cards = _with_repeats(_inside(cards[0]), limits)
    if limits.around is not None:
        cards = _focused(cards, limits.around, edges)
    elif limits.depth is not None:
        cards = _to_depth(cards, limits.depth, limits)
    else:
        cards = _as_deep_as_fits(cards, edges, limits)
    cards = _divided(cards, alone, exits)
    return _squeezed(cards, edges, limits, trained, ends | alone)


def _as_deep_as_fits(cards: list[Card], edges: Edges, limits: Limits) -> list[Card]:
    closed: set[Group] = set()
    for _ in range(_MOST_TRIES):
        group = _next_to_open(cards, closed, limits)
        if group is None:
            break
        tried = _with_repeats(_with_open(cards, group, limits), limits)
        if _says_enough(cards, group, limits):
            closed.add(group)
        elif group[2] in limits.open or _fits(tried, edges, _columns_for(cards, group, limits)):
            cards = tried
        else:
            closed.add(group)
    if len(cards) <= _TOO_FEW:
        biggest = max(cards, key=lambda card: len(card.ops))
        if _is_composite(biggest, limits):
            cards = _with_repeats(_with_open(cards, _group(biggest), limits), limits)
    if len(cards) <= 2:
        inner = [inner for card in cards for inner in _inside(card) or [card]]
        deeper = _with_repeats(inner, limits)
        cards = deeper if _fits(deeper, edges, limits.on_one_row) else cards
    return cards


def _columns_for(cards: Sequence[Card], group: Group, limits: Limits) -> int:
    """Return how many columns the contents of a group may need: two rows for layers, one row for functions and loops."""
    inside = [part for card in cards if _group(card) == group for part in card.first.named_parts()]
    has_layers = any(part.kind is PartKind.LAYER for part in inside)
    return limits.columns if has_layers else limits.on_one_row


def _to_depth(cards: list[Card], depth: int, limits: Limits) -> list[Card]:
    """Return the cards with this number of open levels; consecutive equal parts stay one card."""
    base = min((card.depth for card in cards), default=0)
    for level in range(1, depth):
        cards = _with_repeats(
            [
                inner
                for card in cards
                for inner in (_inside(card) if _can_open(card, base + level, limits) else [card])
            ],
            limits,
        )
    return cards


def _can_open(card: Card, depth: int, limits: Limits) -> bool:
    is_closed = card.first.title in limits.close
    return card.depth < depth and card.times == 1 and bool(card.first.parts) and not is_closed


def _focused(cards: list[Card], name: str, edges: Edges) -> list[Card]:
    """Return the contents of the parts with this name, the neighboring cards, and runs of all other cards."""
    while not any(card.first.title == name for card in cards):
        cards = [
            inner
            for card in cards
            for inner in (_inside(card) if any(_has(part, name) for part in card.parts) else [card])
        ]
    focus = {op for card in cards if card.first.title == name for op in card.ops}
    near = {op for edge in edges if not focus.isdisjoint(edge) for op in edge}
    found: list[Card] = []
    for card in cards:
        if card.first.title == name:
            found += _inside(card) if any(card.first.named_parts()) else [card]
        elif not near.isdisjoint(card.ops):
            found.append(card)
        elif found and found[-1].is_run:
            found[-1] = replace(found[-1], parts=[*found[-1].parts, *card.parts])
        else:
            found.append(replace(card, is_run=True))
    return found


def _has(part: Part, name: str) -> bool:
    """Whether the card contains a part with this name, at any depth."""
    waiting = [*part.parts]
    while waiting:
        inner = waiting.pop()
        if inner.title == name:
            return True
        waiting.extend(inner.parts)
    return False


def _says_enough(cards: Sequence[Card], group: Group, limits: Limits) -> bool:
    """Whether the names of the user's own models are more informative than their layers, because there are several models."""
    meant = [card for card in cards if _group(card) == group]
    models = [card for card in cards if card.first.is_container]
    is_wished = group[2] in limits.open
    is_enough = len(cards) > _TOO_FEW and len(models) > 1
    return not is_wished and is_enough and all(card in models for card in meant)


def _check_names(root: Part, limits: Limits) -> None:
    known: dict[str, None] = {}
    wished = limits.open | limits.close
    if limits.around is not None and not _has(root, limits.around):
        wished |= {limits.around}
    waiting = [root]
    while waiting:
        part = waiting.pop()
        if part.parts and part.title and part.kind is not PartKind.PROGRAM:
            known[part.title] = None
        waiting.extend(part.parts)
    for name in wished - known.keys():
        raise DrawError(
            f"This slide has no function or layer {name!r} with more than one op.",
            code="MT903",
            fix=words.one_of(sorted(known)[:8]) or "draw a program that has functions or layers",
        )


# --- opening ---


def _inside(card: Card) -> list[Card]:
    return [
        Card([inner], depth=card.depth + 1)
        for part in card.parts
        for inner in part.parts
        if not card.is_run
    ]


def _is_composite(card: Card, limits: Limits) -> bool:
    """Whether a card contains functions, layers or loops, so that its contents are more informative than its name."""
    part = card.first
    if part.title in limits.open and not card.is_run and part.parts:
        return True
    if part.title in limits.close:
        return False
    if card.is_run or card.times > 1 or not part.parts:
        return False
    if part.kind in (PartKind.PROGRAM, PartKind.ITERATION):
        return True
    if part.kind is PartKind.LOSS:
        return False
    return any(part.named_parts())


def _group(card: Card) -> Group:
    return card.depth, card.first.kind, card.first.title


def _next_to_open(cards: Sequence[Card], closed: set[Group], limits: Limits) -> Group | None:
    groups = [_group(card) for card in cards if _is_composite(card, limits)]
    return min((group for group in groups if group not in closed), default=None)


def _with_open(cards: Sequence[Card], group: Group, limits: Limits) -> list[Card]:
    found = []
    for card in cards:
        is_meant = _is_composite(card, limits) and _group(card) == group
        found += _inside(card) if is_meant else [card]
    return found


# --- combining ---


def _with_repeats(cards: Sequence[Card], limits: Limits) -> list[Card]:
    """Return one card for several consecutive equal parts."""
    found: list[Card] = []
    run: list[Card] = []
    for card in [*cards, None]:
        if run and (card is None or not _is_equal(run[-1], card)):
            if len(run) >= _FEWEST_EQUAL and run[0].first.title not in limits.open:
                found.append(Card([each.first for each in run], depth=run[0].depth))
            else:
                found += run
            run = []
        if card is not None:
            run.append(card)
    return found


def _is_equal(one: Card, other: Card) -> bool:
    named = (PartKind.LAYER, PartKind.FUNCTION)
    return (
        not one.is_run
        and not other.is_run
        and one.times == other.times == 1
        and one.first.kind in named
        and any(one.first.named_parts())
        and (one.first.kind, one.first.title) == (other.first.kind, other.first.title)
    )


def _divided(cards: Sequence[Card], alone: Set[int], exits: Sequence[Exit]) -> list[Card]:
    """Return the cards with each op of `alone` on its own card, and no card on both sides of an exit; loops stay whole."""
    found: list[Card] = []
    for card in cards:
        ops = {*card.ops}
        times = [at for at, makers, users in exits if ops & makers and ops & users]
        if card.first.kind is PartKind.LOOP or (len(ops) < 2 or (not times and not alone & ops)):
            found.append(card)
            continue
        whole: list[Part] = []
        for part in card.parts:
            pieces = _pieces(part, alone, times)
            if len(pieces) > 1 or any(op.number in alone for op in part.ops):
                found += [replace(card, parts=whole)] if whole else []
                found += pieces
                whole = []
            else:
                whole.append(part)
        found += [replace(card, parts=whole)] if whole else []
    return found


def _pieces(part: Part, alone: Set[int], times: Sequence[int]) -> list[Card]:
    """Return the cards for a part: its ops in the order of the run, up to and after each op of `alone` and each exit."""
    pieces: list[list[OpEvent]] = []
    for op in part.ops:
        before = pieces[-1][-1] if pieces else None
        is_new = before is None or op.number in alone or before.number in alone
        if is_new or (before is not None and any(before.i < at < op.i for at in times)):
            pieces.append([])
        pieces[-1].append(op)
    others = [piece for piece in pieces if piece[0].number not in alone]
    return [
        Card([_only(part, piece[0])])
        if piece[0].number in alone
        else Card(
            [Part(part.step, [], piece)],
            piece=1 + others.index(piece) if len(others) > 1 else 0,
            pieces=len(others),
        )
        for piece in pieces
    ]


def _only(part: Part, op: OpEvent) -> Part:
    """Return the outermost contained part that has no other ops."""
    while len(part.ops) > 1:
        part = next(inner for inner in part.parts if op in inner.ops)
    return part


def _squeezed(
    cards: list[Card], edges: Edges, limits: Limits, trained: Set[int], ends: Set[int]
) -> list[Card]:
    """Return few enough cards: neighbors are combined, starting with those without trained variables, and with the smallest."""
    if len(cards) > _MOST_NEIGHBORS:
        cards = _in_chunks(cards, ends)
    while len(cards) > 2 and not _fits(cards, edges, limits.columns):
        graph = Graph(cards, edges)
        costs = [_cost(cards[i : i + 2], i, graph, trained, ends) for i in range(len(cards) - 1)]
        i = costs.index(min(costs))
        cards[i : i + 2] = [Card([*cards[i].parts, *cards[i + 1].parts], is_run=True)]
    return cards


def _in_chunks(cards: Sequence[Card], ends: Set[int]) -> list[Card]:
    """Return hundreds of cards as runs of equal length, because choosing neighbors one by one would take too long."""
    length = -(-len(cards) // _MOST_NEIGHBORS)
    found: list[Card] = []
    for card in cards:
        is_end = not ends.isdisjoint(card.ops)
        if found and not is_end and len(found[-1].parts) < length:
            found[-1] = Card([*found[-1].parts, *card.parts], is_run=True)
        else:
            found.append(card)
    return found


def _cost(
    pair: Sequence[Card], i: int, graph: Graph, trained: Set[int], ends: Set[int]
) -> tuple[bool, bool, bool, int]:
    """Return how much information is lost if two neighbors, of which `i` is the first, become one card."""
    first, second = (not trained.isdisjoint(card.ops) for card in pair)
    is_chain = graph.heads[i] <= {i + 1} and graph.tails[i + 1] <= {i}
    # A pooling layer belongs to the layers after it rather than to the layers before it.
    size = sum(len(card.parts) for card in pair) + first
    is_end = any(not ends.isdisjoint(card.ops) for card in pair)
    return is_end, not is_chain, first and second, size


# --- space ---


def _fits(cards: Sequence[Card], edges: Edges, most: int) -> bool:
    """Return whether cards fit into this number of columns, in one row or, if necessary, in two rows."""
    if len(cards) > _MOST_CARDS:
        return False
    graph = Graph(cards, edges)
    columns = graph.columns(len(cards))
    rows: dict[int, int] = defaultdict(int)
    for column in columns:
        rows[column] += 1
    count = max(columns, default=0) + 1
    return (
        count <= most
        and max(rows.values(), default=0) <= _MOST_ROWS
        and (count < MOST_COLUMNS or _is_divisible(graph, columns))
    )


def _is_divisible(graph: Graph, columns: Sequence[int]) -> bool:
    """Return whether a row can end after some column, because only one value leads from there to the other columns."""
    count = max(columns) + 1
    links = [
        (columns[tail], columns[head]) for tail, heads in graph.heads.items() for head in heads
    ]
    return any(
        sum(tail < first <= head for tail, head in links) == 1
        for first in range(1, count)
        if is_even(first, count)
    )


def is_even(first: int, count: int) -> bool:
    """Return whether this number of columns can be divided after the first `first`: both rows have space, and neither is much
    longer.
    """
    return count / 3 <= min(first, count - first) and max(first, count - first) <= MOST_COLUMNS

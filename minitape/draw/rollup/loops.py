"""Collapses loops: the ops at the same position of every iteration become one node, in the frame of their loop.

Iterations are merged if they ran the same ops, with the same shapes and the same outcome. An iteration that differs keeps its
own nodes, and the title of the frame names it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from minitape.draw import words
from minitape.draw.facts import Facts
from minitape.draw.model import Card, CardRow, Edge, EdgeKind, LoopFrame, Pill, Role, TextTone
from minitape.draw.rollup.fold import Drawing, Folded, fold
from minitape.draw.rollup.iterations import Iteration, Iterations, Ring
from minitape.draw.words import count
from minitape.trace.events import Numbers

_FOLDABLE = (Role.PATH, Role.OFF, Role.UNRECORDED, Role.REENTRY, Role.BACKWARD_DONE, Role.CLOSED)
_SOURCES = (Role.VARIABLE, Role.WATCHED, Role.SOURCE)
_MOST_NAMED = 3
_VANISHED = 1e-6

Key = tuple[object, ...]


class Loops:
    """The loops of a run, and the iteration of each node."""

    def __init__(self, facts: Facts, iterations: Iterations) -> None:
        self.facts = facts
        self._iterations = iterations

    def iterations(self, card: Card) -> tuple[Iteration, ...]:
        """Return the iterations in which the first op of a node ran, the outermost loop first."""
        return self._iterations.get(card.event, ()) if card.event is not None else ()


def roll_loops(
    drawing: Drawing, loops: Loops, *, is_log: bool, is_loose: bool = False, fewest: int = 2
) -> Drawing:
    """Return the drawing with one node for all ops at the same position of equal iterations.

    Args:
        drawing: The drawing.
        loops: The iteration of each node.
        is_log: Whether to show the gradients over the iterations on a logarithmic scale.
        is_loose: Whether to merge all ops at the same position of a loop, even if iterations or shapes differ.
        fewest: The minimum number of iterations that are merged.
    """
    cards = drawing.cards
    keys = _loose_keys(cards, loops) if is_loose else _keys(cards, loops)
    groups: dict[Key, list[Card]] = defaultdict(list)
    for id_, key in keys.items():
        groups[key].append(cards[id_])
    rolled = [group for group in groups.values() if len(group) >= fewest]
    if not rolled:
        return drawing
    folds = [
        Folded(_one_for_all(group, loops, is_log), tuple(c.id for c in group), is_loop=True)
        for group in rolled
    ]
    new_id = {member: one.card.id for one in folds for member in one.members}
    variables = _own_variables(drawing, new_id, loops)
    folds += [
        Folded(_one_source(group, loops.facts, is_log), tuple(c.id for c in group), is_loop=True)
        for group in variables
    ]
    says = _Edges(cards, loops)
    done = fold(drawing, folds, iteration=says.iteration, step=says.step)
    total = sum(len(one.members) for one in folds)
    sentence = f"{count(total, 'node')} collapsed into {len(folds):,}; cells show the iterations"
    frames = _frames(drawing, done, loops, new_id)
    return replace(done, loops=frames).saying(sentence)


# --- which cards are equal ---


def _keys(cards: Mapping[str, Card], loops: Loops) -> dict[str, Key]:
    """Return, for each node in a loop and each of its loops: the kind of its iteration, and its position there."""
    paths = {
        id_: iterations for id_, card in cards.items() if (iterations := loops.iterations(card))
    }
    found: dict[str, Key] = {id_: (_likeness(cards[id_], loops.facts),) for id_ in paths}
    alone = {id_ for id_ in paths if cards[id_].role not in _FOLDABLE}
    kinds: dict[object, int] = {}
    for depth in range(max(map(len, paths.values()), default=0), 0, -1):
        inside: dict[tuple[Iteration, ...], list[str]] = defaultdict(list)
        for id_, iterations in paths.items():
            if len(iterations) >= depth:
                inside[iterations[:depth]].append(id_)
        for iterations, ids in inside.items():
            # A loop within this loop counts once, regardless of the number of its iterations.
            is_nested = {id_: len(paths[id_]) > depth for id_ in ids}
            once = dict.fromkeys(found[id_] for id_ in ids if is_nested[id_])
            body = (*once, None, *(found[id_] for id_ in ids if not is_nested[id_]))
            kind = kinds.setdefault((iterations[-1].ring, body), len(kinds))
            met: Counter[Key] = Counter()
            for id_ in ids:
                nth = 0 if is_nested[id_] else met[found[id_]]
                met[found[id_]] += 1
                found[id_] = (kind, nth, *found[id_])
    return {id_: (id_,) if id_ in alone else key for id_, key in found.items()}


def _loose_keys(cards: Mapping[str, Card], loops: Loops) -> dict[str, Key]:
    found: dict[str, Key] = {}
    met: Counter[Key] = Counter()
    for id_, card in cards.items():
        iterations = loops.iterations(card)
        if iterations and card.role in _FOLDABLE:
            key = (iterations[-1].ring, card.title, card.role, card.code, card.location)
            # The layers of one iteration may be at the same location too, but they are not iterations.
            found[id_] = (met[iterations, key], *key)
            met[iterations, key] += 1
    return found


def _likeness(card: Card, facts: Facts) -> object:
    """Return a key that is equal for nodes of the same op in different iterations.

    The target, a break or a problem has the same key as its op in other iterations, so that the ops around it can be collapsed.
    """
    shapes = tuple([_kind(facts.tensors.get(value)) for value in card.values])
    # The key contains the location instead of the site, because an expression may have two sites after Python has optimized it.
    locations = tuple([site.at for site in facts.sites_of(card.values)])
    op = facts.ops.get(card.op) if card.op is not None and card.role is not Role.CLOSED else None
    role = card.role if card.role in _FOLDABLE else Role.PATH
    return (locations, card.title if op is None else op.name, role, shapes)


def _kind(numbers: Numbers | None) -> object:
    """Return the properties that two tensors of different iterations must share."""
    return None if numbers is None else (tuple(numbers.shape), numbers.dtype)


# --- one card for all iterations ---


def _one_for_all(group: list[Card], loops: Loops, is_log: bool) -> Card:
    first, last, facts = group[0], group[-1], loops.facts
    names = [_iteration_name(card, loops) for card in group]
    made = [facts.tensors.get(value) for card in group for value in card.values[:1]]
    values = [_size(numbers) for numbers in made]
    is_length = any(numbers is None or numbers.size != 1 for numbers in made)
    label = "|value|" if is_length else "value"
    rows = [CardRow(label, _span(values, names), strip=words.strip(values, is_gradient=False))]
    gradients = [_size(facts.gradients.get(value)) for card in group for value in card.values[:1]]
    rows += _gradient_rows(gradients, names, is_log)
    rows += [row for row in first.rows if row.kind == "note"]
    tag = f"#{first.op} … #{last.op}" if first.op is not None else first.tag
    if first.role is Role.UNRECORDED:
        tag = first.tag
    return replace(
        first,
        tag=f"{tag} · ×{len(group):,}",
        rows=tuple(rows),
        values=tuple(value for card in group for value in card.values),
    )


def _one_source(group: list[Card], facts: Facts, is_log: bool) -> Card:
    """Return the node for the variables of a loop that uses different variables in each iteration."""
    first = group[0]
    results = [facts.results.get(card.values[0]) for card in group]
    came = [None if result is None else result.numbers for result in results]
    gradients = [_size(numbers) for numbers in came]
    rows = [row for row in first.rows if row.label == "value"]
    rows += _gradient_rows(gradients, [card.title for card in group], is_log)
    if not any(came):
        rows += [row for row in first.rows if row.kind == "grad"]
    return replace(
        first,
        title=f"{first.title} … {group[-1].title}",
        tag=f"{first.tag} · ×{len(group):,}",
        rows=tuple(rows),
        values=tuple(value for card in group for value in card.values),
    )


def _gradient_rows(
    gradients: Sequence[float | None], names: Sequence[str], is_log: bool
) -> list[CardRow]:
    known = [(size, name) for size, name in zip(gradients, names, strict=True) if size is not None]
    if not known:
        return []
    sizes = [abs(size) for size, _ in known]
    text = _span(sizes, [name for _, name in known])
    strip = words.strip(sizes, is_gradient=True, is_log=is_log)
    if is_log:
        text += f"  log {words.log_range(sizes)}"
    rows = [CardRow("|grad|", text, TextTone.GRADIENT, strip)]
    small = next((i for i, size in enumerate(sizes) if not size < _VANISHED), len(sizes))
    if 0 < small < len(sizes) and max(sizes) > _VANISHED:
        name = known[small][1]
        rows.append(
            CardRow("note", f"vanishing: below {_VANISHED:g} before {name}", TextTone.PROBLEM)
        )
    return rows


def _iteration_name(card: Card, loops: Loops) -> str:
    iterations = loops.iterations(card)
    return (
        iterations[-1].name
        if len(iterations) == 1
        else ", ".join(iteration.name for iteration in iterations[-2:])
    )


def _size(numbers: Numbers | None) -> float | None:
    """Return one number for a tensor: the value of a scalar, or the norm."""
    if numbers is None:
        return None
    if words.trouble(numbers):
        return float("nan")
    items = words.elements(numbers) if numbers.size == 1 else [numbers.l2]
    return float(items[0]) if items and isinstance(items[0], int | float) else None


def _span(numbers: Sequence[float | None], names: Sequence[str]) -> str:
    if not numbers or numbers[0] is None or numbers[-1] is None:
        return f"{names[0]} … {names[-1]}"
    first, last = words.number(numbers[0]), words.number(numbers[-1])
    return f"{first} at {names[0]}, {last} at {names[-1]}"


# --- variables ---


def _own_variables(drawing: Drawing, new_id: Mapping[str, str], loops: Loops) -> list[list[Card]]:
    """Return the sources that are each used in a single iteration, all in the same way, and are collapsed with it."""
    uses: dict[str, set[tuple[str, int]]] = {
        id_: set() for id_, card in drawing.cards.items() if card.role in _SOURCES
    }
    inputs: Counter[str] = Counter()
    for edge in drawing.edges:
        if edge.flow is EdgeKind.GRADIENT:
            continue
        inputs[edge.head] += 1
        node = drawing.nodes[edge.tail]
        source = node.stub_of if isinstance(node, Pill) and node.stub_of else edge.tail
        if source in uses:
            uses[source].add((new_id.get(edge.head, ""), inputs[edge.head]))
    alike: dict[object, list[Card]] = defaultdict(list)
    for id_, heads in uses.items():
        if heads and all(head for head, _ in heads):
            card = drawing.cards[id_]
            kind = _kind(loops.facts.tensors.get(card.values[0]))
            alike[frozenset(heads), kind, card.role, card.tag].append(card)
    return [group for group in alike.values() if len(group) > 1]


# --- labels of edges ---


class _Edges:
    """The iterations that an edge connects, keyed by its nodes before collapsing."""

    def __init__(self, cards: Mapping[str, Card], loops: Loops) -> None:
        self._cards = cards
        self._loops = loops

    def iteration(self, edge: Edge) -> str:
        iterations = self._of(edge.head) or self._of(edge.tail)
        if self._of(edge.tail) and len(self._of(edge.tail)) > len(self._of(edge.head)):
            iterations = self._of(edge.tail)
        return iterations[-1].name if iterations else ""

    def step(self, edge: Edge) -> str:
        for before, after in zip(self._of(edge.tail), self._of(edge.head), strict=False):
            if before != after:
                name = before.name.partition("=")[0]
                return f"from {name} to {name}+1" if "=" in before.name else "to the next iteration"
        return ""

    def _of(self, id_: str) -> tuple[Iteration, ...]:
        return self._loops.iterations(self._cards[id_]) if id_ in self._cards else ()


# --- frames ---


def _frames(
    before: Drawing, after: Drawing, loops: Loops, new_id: Mapping[str, str]
) -> list[LoopFrame]:
    """Return a frame for each collapsed loop, around its nodes and the values that its iterations pass on."""
    paths = {
        id_: iterations
        for id_, card in before.cards.items()
        if (iterations := loops.iterations(card))
    }
    by_ring: dict[Ring, set[tuple[Iteration, ...]]] = defaultdict(set)
    for iterations in paths.values():
        for depth, iteration in enumerate(iterations, start=1):
            by_ring[iteration.ring].add(iterations[:depth])
    went_round = [ring for ring, iterations in by_ring.items() if len(iterations) > 1]
    shown = {id_: iterations for id_, iterations in paths.items() if id_ in after.nodes}
    members: dict[Ring, list[str]] = defaultdict(list)
    outside: dict[Ring, Ring] = {}
    for id_, iterations in shown.items():
        rings = [iteration.ring for iteration in iterations if iteration.ring in went_round]
        if rings:
            members[rings[-1]].append(id_)
        outside.update((inner, outer) for outer, inner in pairwise(rings))
    for edge in after.edges:
        if edge.flow is EdgeKind.CARRIED:
            head = next(e.head for e in after.edges if e.tail == edge.head)
            rings = _common(shown.get(edge.tail, ()), shown.get(head, ()), went_round)
            if rings:
                members[rings[-1]].append(edge.head)
    kinds = _kinds(before, loops, new_id)
    return [
        LoopFrame(
            f"loop-{ring.id}",
            ring.title,
            _note(ring, by_ring[ring], kinds.get(ring, {}), before, loops),
            tuple(members[ring]),
            f"loop-{outside[ring].id}" if ring in outside else "",
            ring.frame,
        )
        for ring in went_round
    ]


def _common(
    first: Sequence[Iteration], second: Sequence[Iteration], rings: Sequence[Ring]
) -> list[Ring]:
    others = {iteration.ring for iteration in second}
    return [
        iteration.ring
        for iteration in first
        if iteration.ring in others and iteration.ring in rings
    ]


def _kinds(
    before: Drawing, loops: Loops, new_id: Mapping[str, str]
) -> dict[Ring, dict[frozenset[str], list[Iteration]]]:
    """Return for each loop its iterations, keyed by the nodes that show them."""
    ended: dict[tuple[Iteration, ...], set[str]] = defaultdict(set)
    for id_, card in before.cards.items():
        iterations = loops.iterations(card)
        for depth in range(1, len(iterations) + 1):
            ended[iterations[:depth]].add(new_id.get(id_, id_))
    found: dict[Ring, dict[frozenset[str], list[Iteration]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for iterations, ids in ended.items():
        found[iterations[-1].ring][frozenset(ids)].append(iterations[-1])
    return found


def _note(
    ring: Ring,
    by_ring: Iterable[tuple[Iteration, ...]],
    kinds: Mapping[frozenset[str], list[Iteration]],
    before: Drawing,
    loops: Loops,
) -> str:
    """Return the location of the loop, its number of iterations, the iterations that differ, and the variables that it reads."""
    per_run = Counter(iterations[:-1] for iterations in by_ring)
    least, most = min(per_run.values()), max(per_run.values())
    by_size = sorted(kinds.values(), key=len, reverse=True)
    usual, rest = by_size[0], by_size[1:]
    times = f"×{least:,}" if least == most else f"×{least:,} to {most:,}"
    if rest and len(per_run) == 1:
        others = [iteration for some in rest for iteration in some]
        if all(len(some) == 1 for some in rest):
            times = f"×{len(usual):,}, and {len(others):,} that {_differ(others)}"
        else:
            times += f", in {len(by_size):,} kinds"
    parts = [
        loops.facts.line_in(ring.file, ring.line),
        times,
        _whose_variables(ring, before, loops),
    ]
    return " · ".join(part for part in parts if part)


def _differ(iterations: Sequence[Iteration]) -> str:
    named = ", ".join(iteration.name for iteration in iterations[:_MOST_NAMED])
    more = ", …" if len(iterations) > _MOST_NAMED else ""
    return f"{'differs' if len(iterations) == 1 else 'differ'} ({named}{more})"


def _whose_variables(ring: Ring, before: Drawing, loops: Loops) -> str:
    """Return a phrase about whether the iterations read the same variables; empty if only some are the same."""
    read: dict[int, set[str]] = defaultdict(set)
    for edge in before.edges:
        node, card = before.nodes[edge.tail], before.cards.get(edge.head)
        if node.role is not Role.VARIABLE or card is None:
            continue
        source = node.stub_of if isinstance(node, Pill) else edge.tail
        for iteration in loops.iterations(card):
            if iteration.ring == ring:
                read[iteration.number].add(source)
    sets: Callable[[], Iterable[set[str]]] = read.values
    if len(read) < 2:
        return ""
    if len({frozenset(some) for some in sets()}) == 1:
        return "the same variables each time"
    total = sum(len(some) for some in sets())
    return "different variables each time" if len(set().union(*sets())) == total else ""

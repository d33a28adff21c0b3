"""Equal parts in a card: steps, with the states that pass from one step to the next, and independent branches."""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence

from minitape.draw.diagram import wording
from minitape.draw.diagram.level import Card
from minitape.draw.diagram.links import Origins
from minitape.draw.diagram.model import State, Steps
from minitape.draw.diagram.tree import Part, PartKind
from minitape.draw.facts import Facts
from minitape.draw.words import short, trouble
from minitape.trace.events import Numbers

_REPEATED = {PartKind.LAYER, PartKind.ITERATION}
_FEWEST_IN_SERIES, _FEWEST_INSIDE = 3, 5
_MOST_STATES = 2
_BRANCHES = {PartKind.LAYER, PartKind.FUNCTION, PartKind.ITERATION}
_FEWEST_OPS, _MOST_OPS = 3, 3000  # the fewest ops of a branch, the most ops of a card
_MOST_SHOWN = 60
_NAME_WIDTH = 12
_OF_LSTM = {"Mul": "h", "AddV2": "c"}  # the ops that compute its states


def equal_parts(card: Card) -> list[Part]:
    """Return the equal parts that a card represents, or equal steps in it; empty if there are only a few."""
    parts = card.repeated or _repeated_inside(card.first)
    fewest = _FEWEST_IN_SERIES if card.repeated else _FEWEST_INSIDE
    return parts if len(parts) >= fewest else []


def steps_of(station: str, card: Card, facts: Facts, origins: Origins) -> Steps | None:
    """Return the states of a card over its steps; None if no value passes from one step to the next."""
    parts = equal_parts(card)
    if not parts or not _is_recurrent(parts):
        return None
    places = _carried(parts, origins)
    if not places:
        return None
    shown = _evenly(len(parts))
    states = []
    for number, place in enumerate(places, start=1):
        ops = [part.ops[-place] if place <= len(part.ops) else None for part in parts]
        outputs = [op.outputs[0] if op is not None and op.outputs else None for op in ops]
        gradients = [facts.gradients.get(each.id) if each is not None else None for each in outputs]
        last = ops[-1]
        scope = parts[-1].step.scope
        name = outputs[-1].name if outputs[-1] is not None else ""
        if not name and scope is not None and scope.type.startswith("LSTM") and last is not None:
            name = _OF_LSTM.get(last.name, "")
        if not name:
            name = wording.STATE if len(places) == 1 else f"{wording.STATE} {number}"
        states.append(
            State(
                short(name, _NAME_WIDTH),
                tuple(_norm(outputs[i]) for i in shown),
                tuple(_norm(gradients[i]) for i in shown),
            )
        )
    return Steps(station, count_of(parts), tuple(shown), tuple(states))


def count_of(parts: Sequence[Part]) -> str:
    """Return the number of equal parts and their kind: `20 steps`, `16 Bottleneck layers`."""
    first = parts[0]
    name = wording.CALLS.format(name=first.title)
    if first.kind is PartKind.ITERATION:
        name = wording.ITERATIONS
    elif first.kind is PartKind.LAYER:
        name = wording.LAYERS.format(name=first.title)
        if _is_recurrent(parts):
            name = wording.STEPS
    return wording.OVER.format(count=len(parts), name=name)


def branches_of(card: Card, origins: Origins) -> list[Part]:
    """Return the equal parts that a card represents or contains and that do not depend on each other, such as attention heads;
    if there are several kinds, the largest ones.
    """
    whole = [*card.parts]
    if card.is_run or sum(len(part.ops) for part in whole) > _MOST_OPS:
        return []
    if len(whole) > 1:
        return whole if _are_parallel(whole, whole, origins) else []
    waiting, best = deque(whole), list[Part]()
    while waiting:
        at = waiting.popleft()
        groups: dict[tuple[PartKind, str], list[Part]] = defaultdict(list)
        for inner in at.parts:
            if inner.kind in _BRANCHES and len(inner.ops) >= _FEWEST_OPS:
                groups[inner.kind, inner.title].append(inner)
        for group in groups.values():
            is_larger = sum(len(p.ops) for p in group) > sum(len(p.ops) for p in best)
            if len(group) > 1 and is_larger and _are_parallel(group, [at], origins):
                best = group
        waiting.extend(at.parts)
    return best


def name_of_branch(part: Part) -> str:
    """Return the name of a branch; for an iteration, the name of the function in it."""
    inside = [inner.title for inner in part.named_parts()]
    return inside[0] if part.kind is PartKind.ITERATION and len(inside) == 1 else part.title


def _are_parallel(parts: Sequence[Part], around: Sequence[Part], origins: Origins) -> bool:
    """Whether no part depends on another part through the ops around them."""
    own = {op.number: i for i, part in enumerate(parts) for op in part.ops}
    depends: dict[int, set[int]] = {}
    for part in around:
        for op in part.ops:
            found = {
                branch
                for given in op.inputs
                for origin in origins.of(given.value)
                for branch in depends.get(origin.op or 0, ())
            }
            if op.number in own:
                found.add(own[op.number])
                if len(found) > 1:
                    return False
            depends[op.number] = found
    return True


def _is_recurrent(parts: Sequence[Part]) -> bool:
    """Whether the parts are iterations, or calls of the same layer."""
    if parts[0].kind is PartKind.ITERATION:
        return True
    scopes = [part.step.scope for part in parts]
    return len({None if scope is None else scope.name for scope in scopes}) == 1


def _carried(parts: Sequence[Part], origins: Origins) -> list[int]:
    """Return the ops, counted from the end of each step, that pass a value to the next step in most steps."""
    counts: Counter[int] = Counter()
    before: dict[int, int] = {}
    for part in parts:
        given = {
            before[origin.op]
            for op in part.ops
            for each in op.inputs
            for origin in origins.of(each.value)
            if origin.op in before
        }
        counts.update(given)
        before = {op.number: place for place, op in enumerate(reversed(part.ops), start=1)}
    most = [place for place, count in counts.items() if 2 * count >= len(parts)]
    return sorted(most)[:_MOST_STATES]


def _evenly(count: int) -> list[int]:
    """Return the indices of the steps that are shown: all of them, or an even selection with the first and the last."""
    if count <= _MOST_SHOWN:
        return list(range(count))
    return [i * (count - 1) // (_MOST_SHOWN - 1) for i in range(_MOST_SHOWN)]


def _norm(numbers: Numbers | None) -> float | None:
    return None if numbers is None or trouble(numbers) else numbers.l2


def _repeated_inside(part: Part) -> list[Part]:
    """Return the outermost iterations of a loop in a part, or the outermost calls of its most frequent layer."""
    waiting = deque([part])
    while waiting:
        at = waiting.popleft()
        alike: dict[tuple[PartKind, str], list[Part]] = defaultdict(list)
        for inner in at.parts:
            if inner.kind in _REPEATED:
                alike[inner.kind, inner.title].append(inner)
        most = max(alike.values(), key=len, default=[])
        if len(most) >= _FEWEST_IN_SERIES:
            return most
        waiting.extend(at.parts)
    return []

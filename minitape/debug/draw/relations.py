"""Which ops a picture of one call is about, and which of them lie on the recorded path.

    drawn   what leads to the target, what the sources lead to, and what the report points at
    path    recorded ops that a gradient can pass on its way from the target to a source

Walks are loops, never recursions: a tape may be a hundred thousand ops long.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from minitape.debug.draw.facts import Facts
from minitape.debug.report import Hop
from minitape.debug.trace import Event


@dataclass(frozen=True)
class Relations:
    """`connected` are the values that a recorded path joins to a source; `before` are ops older than
    the tape that no source leads to: their results are constants to it. `returned` are values that had
    left the engine and came back, in order."""

    drawn: tuple[Event, ...]
    path: frozenset[int]
    connected: frozenset[int]
    before: frozenset[int]
    returned: tuple[int, ...] = ()


def relate(facts: Facts, hops: Iterable[Hop]) -> Relations:
    """The relations of the call that `facts` are about; without a call, all ops are drawn."""
    if facts.call is None:
        return Relations(tuple(facts.ops.values()), frozenset(), frozenset(), frozenset())
    targets = list(facts.call["target"])
    sources = [source["t"] for source in facts.call["sources"]]
    pointed = {hop.value for hop in hops}
    upstream = _upstream(facts, [*targets, *(value for value in pointed if value in facts.makers)])
    downstream = _downstream(facts, sources)
    connected = _connected(facts, sources)
    needed = _needed(facts, targets)
    drawn, path, before = [], set(), set()
    for number, op in facts.ops.items():
        outputs = {tensor["id"] for tensor in op["outputs"]}
        comes_from_source = not outputs.isdisjoint(downstream)
        is_inside = op["i"] >= facts.opened
        if outputs.isdisjoint(upstream) and not (comes_from_source and is_inside):
            continue
        if not is_inside and not comes_from_source and outputs.isdisjoint(pointed | set(targets)):
            before.add(number)
            continue
        drawn.append(op)
        leads_on = not outputs.isdisjoint(needed | pointed)
        if number in facts.walked or (not outputs.isdisjoint(connected) and leads_on):
            path.add(number)
    returned = tuple(
        value
        for value, maker in facts.makers.items()
        if maker.kind in ("reentry", "result") and value in upstream
    )
    return Relations(
        tuple(drawn), frozenset(path), frozenset(connected), frozenset(before), returned
    )


def _upstream(facts: Facts, values: list[int]) -> set[int]:
    found: set[int] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if value not in found:
            found.add(value)
            maker = facts.makers.get(value)
            # What a variable was made from is another story, and often a long one.
            if maker is not None and maker.kind != "variable":
                waiting.extend(maker.inputs)
    return found


def _downstream(facts: Facts, sources: list[int]) -> set[int]:
    found = set(sources)
    for value, maker in facts.makers.items():
        if not found.isdisjoint(maker.inputs):
            found.add(value)
    return found


def _connected(facts: Facts, sources: list[int]) -> set[int]:
    found = {source for source in sources if source in facts.watched}
    for value, maker in facts.makers.items():
        event = maker.event
        if maker.kind == "read" and event["var"] in found and value in facts.watched:
            found.add(value)
        elif maker.kind == "op" and facts.is_recorded(event):
            for item in event.get("inputs", []):
                if item["t"] in found and facts.tape in item.get("watched", [facts.tape]):
                    found.add(value)
    # A source in the middle of the computation is watched because what leads to it is.
    return found | {source for source in sources if _is_recorded_value(facts, source)}


def _is_recorded_value(facts: Facts, value: int) -> bool:
    maker = facts.makers.get(value)
    return maker is not None and maker.kind == "op" and facts.is_recorded(maker.event)


def _needed(facts: Facts, targets: list[int]) -> set[int]:
    found = set(targets)
    for op in reversed(list(facts.ops.values())):
        if facts.is_recorded(op) and any(tensor["id"] in found for tensor in op["outputs"]):
            found.update(item["t"] for item in op.get("inputs", []))
    return found

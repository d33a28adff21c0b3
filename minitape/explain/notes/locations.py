"""The line to point at: the line of the op, or, if a layer or its weights are the reason, the line that created them."""

from collections.abc import Iterator, Sequence

from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.text import lines_that_make, lines_that_say
from minitape.explain.notes.longest_path import weights_of
from minitape.explain.pointing.layers import ASKED
from minitape.trace import events
from minitape.trace.events import SourceRange

_Spot = tuple[SourceRange | None, tuple[int, ...]]


def made_at(
    flow: FlowGraph, ops: Sequence[events.OpEvent], *, is_recurrence: bool = False
) -> _Spot:
    """Return the location to point at for ops of the same kind, starting with the last op, and the lines of the others."""
    first = ops[-1]
    word, _ = ASKED.get(first.name, (None, ""))
    weights = [weight for op in reversed(ops) for weight in weights_of(flow, op)]
    if is_recurrence:
        layer = _layer_behind(flow, first)
        return (_constructor(flow, layer) if layer else None) or _locations(
            each.at for each in ops[-1:]
        )
    if word is not None:
        return (not _says(flow, first, word) and _asking_for(flow, word)) or _locations(
            op.at for op in reversed(ops)
        )
    if weights:
        return _constructor(flow, weights[0]) or _locations(
            flow.variables[weight].at for weight in weights
        )
    return _locations(op.at for op in reversed(ops))


def _says(flow: FlowGraph, op: events.OpEvent, word: str) -> bool:
    """Whether the user's own expression contains the name of the function. Otherwise a layer calls it."""
    site = flow.innermost(op)
    return site is None or word in site.expression


def _locations(locations: Iterator[SourceRange | None]) -> _Spot:
    known = [location for location in locations if location is not None]
    if not known:
        return None, ()
    return known[0], tuple(dict.fromkeys(p.line for p in known if p.file == known[0].file))


def _asking_for(flow: FlowGraph, word: str) -> _Spot | None:
    for file, text in flow.texts.items():
        lines = lines_that_say(text, word)
        if lines:
            return SourceRange(file, lines[0], -1, -1, -1), tuple(lines)
    return None


def _constructor(flow: FlowGraph, weight: int) -> _Spot | None:
    """Return the lines that created the layer of a weight, if it is a Keras layer, whose weights have names such as
    `dense_1/kernel:0`.
    """
    *layers, _ = flow.variables[weight].name.split("/")
    for layer in reversed(layers):
        for file, text in flow.texts.items():
            lines = lines_that_make(text, layer, "kernel_initializer")
            if lines:
                return SourceRange(file, lines[0], -1, -1, -1), tuple(lines)
    return None


def _layer_behind(flow: FlowGraph, op: events.OpEvent) -> int | None:
    """Return a weight that was used where an op ran, because all ops of a layer have the same location in the user's
    program.
    """
    for each in flow.once_for_all(_weights_at).get(op.stack[-1] if op.stack else 0, ()):
        if "/" in flow.variables[each].name:
            return each
    return None


def _weights_at(flow: FlowGraph) -> dict[int, list[int]]:
    """Return the variables that were read at each call site."""
    read: dict[int, list[int]] = {}
    for op in flow.ops.values():
        if op.stack:
            found = read.setdefault(op.stack[-1], [])
            found += [weight for weight in weights_of(flow, op) if weight not in found]
    return read

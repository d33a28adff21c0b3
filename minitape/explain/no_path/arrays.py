"""The array from which the source was created was used, and the source was not: `xt = tf.convert_to_tensor(x)`, `y = f(x)`."""

import ast
from collections.abc import Iterator

from minitape.explain.causes import absent
from minitape.explain.causes.rewriting import is_place, operands, parsed, renamed
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.loops import dotted_names
from minitape.trace import events


def array_used(
    flow: FlowGraph, call: GradientCall, source: int, useful: set[int]
) -> tuple[int, absent.UsedArray] | None:
    """Return the first call that uses the array instead of the source, and what to write in each of them.

    The evidence is the name of the array in that call, and a constant with the shape and the range of the source.

    Args:
        flow: The graph of all values.
        call: The gradient call.
        source: A source from which nothing was computed.
        useful: The values from which the targets were computed.
    """
    created = _array_of(flow, source)
    if created is None:
        return None
    array, line = created
    name = next(each.name for each in call.event.sources if each.value == source)
    uses: dict[int, absent.Rewritten] = {}
    for constant in _same_constants(flow, source, useful):
        for number in constant.stack:
            site = flow.sites[number]
            read = parsed(site.expression)
            if read is not None and array in set(dotted_names(read)) and site.at.line != line:
                better = renamed(site.expression, array, name)
                uses[number] = absent.Rewritten(ast.unparse(read), better, site.at.line)
                break
    different = tuple(dict.fromkeys(uses.values()))
    return (next(iter(uses)), absent.UsedArray(array, different)) if uses else None


def _array_of(flow: FlowGraph, source: int) -> tuple[str, int] | None:
    """Return the array of `tf.constant(x)`, `tf.convert_to_tensor(x)` or `tf.Variable(x)`, and the line of that call."""
    made = flow.born.get(source)
    site = None if made is None else flow.innermost(made)
    if site is None or not isinstance(made, events.ConstantEvent | events.VariableEvent):
        return None
    given = operands(site.expression)[:1]
    return (given[0], site.at.line) if given and is_place(given[0]) else None


def _same_constants(
    flow: FlowGraph, source: int, useful: set[int]
) -> Iterator[events.ConstantEvent]:
    """Yield the constants that hold the same numbers as the source, except for their dtype."""
    mine = flow.numbers[source]
    for value in sorted(useful):
        constant = flow.born.get(value)
        if isinstance(constant, events.ConstantEvent) and value != source:
            theirs = constant.numbers
            if (theirs.shape, theirs.min, theirs.max) == (mine.shape, mine.min, mine.max):
                yield constant

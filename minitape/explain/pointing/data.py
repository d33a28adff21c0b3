"""The elements of a dataset: the line on which they were passed to the dataset.

mapped   the function with which a dataset computes its elements
put_in   the values that were passed to a dataset, or to a function
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.nans import NanInput
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph, is_of_a_dataset
from minitape.explain.flow.program.loops import dotted_names
from minitape.explain.pointing.arguments import outermost
from minitape.explain.pointing.calls import (
    are_in_one_function,
    arguments_of,
    assignments_of,
    calls_of,
    names_reached,
    tails_in,
)
from minitape.explain.texts import report as report_texts
from minitape.trace import events


def mapped(flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Return the line that passes the function to the dataset, if it is not in the same function as the loop."""
    exit = flow.placed(found.event)
    assert isinstance(exit, events.ExportEvent)
    method = exit.via.rpartition(".")[2]
    if exit.at is None or method.startswith("from_t"):
        return found
    names = {(flow.name(value) or "").rpartition(".")[2] for value in exit.values}
    candidates = [
        (file, call)
        for file, text in flow.texts.items()
        for call in calls_of(text, method)
        if isinstance(call.func, ast.Attribute)
        and call.args
        and (method == "from_generator" or _comes_to(flow, call.args[0], names))
    ]
    if len(candidates) != 1:
        return found
    file, call = candidates[0]
    line = _line_of(call)
    if file != exit.at.file:
        return replace(found, at=(file, line))
    text = flow.texts[file]
    if are_in_one_function(text, line, exit.at.line):
        return replace(found, beside={line: report_texts.COMPUTED_IN_DATASET})
    return replace(found, at=(file, line), beside={exit.at.line: report_texts.COMES_OUT})


def _comes_to(flow: FlowGraph, function: ast.expr, names: set[str]) -> bool:
    """Whether a function reads one of some names, or calls a function that does."""
    return bool(names & names_reached(flow.texts.values(), tails_in(function)))


def _line_of(call: ast.Call) -> int:
    """Return the line of the name of a method, in a chain over several lines."""
    return call.func.end_lineno or call.lineno


def put_in(flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Return the statement that assigned the value with NaN that was passed to the dataset, or to the function."""
    born, facts = flow.placed(found.event), found.facts
    if (
        not isinstance(facts, NanInput)
        or not isinstance(born, events.ConstantEvent)
        or not born.stack
    ):
        return found
    given = _into_a_dataset(flow, born) if is_of_a_dataset(born) else _handed_over(flow, born)
    if given is None:
        return found
    program = flow.texts.get(given.file, "")
    chosen = _filter_that_leaves_out(program, given, len(born.numbers.shape))
    if chosen is not None:
        line, better = chosen
        return replace(
            found,
            at=(given.file, line),
            beside={given.line: report_texts.GOES_IN},
            facts=replace(facts, named=given.name, better_filter=better),
        )
    made = _made(program, given)
    if made is None:
        return found
    return replace(
        found,
        at=(given.file, made.lineno),
        beside={} if made.lineno == given.line else {given.line: report_texts.GOES_IN},
        facts=replace(facts, named=given.name),
    )


class _Argument(NamedTuple):
    """A name that a line passes as an argument."""

    file: str
    line: int
    name: str


def _handed_over(flow: FlowGraph, born: events.ConstantEvent) -> _Argument | None:
    """Return the argument of a function that uses the constant under the name of a parameter."""
    handed = outermost(flow, born.stack, (born.text or "",))
    if handed is None or not handed.texts[0].isidentifier():
        return None
    at = flow.sites[handed.site].at
    return _Argument(at.file, at.line, handed.texts[0])


def _into_a_dataset(flow: FlowGraph, born: events.ConstantEvent) -> _Argument | None:
    """Return the argument from which the only dataset of the program was made, if it is a name."""
    made = [
        (file, call)
        for file, text in flow.texts.items()
        for call in calls_of(text, "from_tensor_slices")
    ]
    if len(made) != 1 or not arguments_of(made[0][1]):
        return None
    file, call = made[0]
    given = arguments_of(call)[0]
    if isinstance(given, ast.Dict):
        part = _under_the_key_used(flow, born, given)
    else:
        parts, position = list(_parts(given)), _position_among(flow, born)
        part = parts[position] if position < len(parts) else None
    return _Argument(file, call.lineno, part.id) if isinstance(part, ast.Name) else None


def _under_the_key_used(
    flow: FlowGraph, born: events.ConstantEvent, table: ast.Dict
) -> ast.expr | None:
    """Return the value of a dictionary that an op reads as `batch["level"]`."""
    users = (flow.event(edge.event) for edge in flow.out_of.get(born.numbers.id, ()))
    ops = (each for each in users if isinstance(each, events.OpEvent))
    texts = {each.text or "" for op in ops for each in op.inputs if each.value == born.numbers.id}
    for key, value in zip(table.keys, table.values, strict=True):
        if isinstance(key, ast.Constant) and any(
            f"[{key.value!r}]" in t.replace('"', "'") for t in texts
        ):
            return value
    return None


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the elements of a tuple, in the order in which a dataset yields them."""
    if isinstance(node, ast.Tuple):
        for part in node.elts:
            yield from _parts(part)
    else:
        yield node


def _position_among(flow: FlowGraph, born: events.ConstantEvent) -> int:
    """Return the number of elements that the loop received before this one, in the same iteration."""
    count, number = 0, born.i - 1
    while number >= 0:
        event = flow.event(number)
        if (
            isinstance(event, events.ConstantEvent)
            and event.at == born.at
            and is_of_a_dataset(event)
        ):
            count += 1
        elif not isinstance(event, events.ExportEvent | events.ReentryEvent | events.SiteEvent):
            break
        number -= 1
    return count


def _assignments(program: str, given: _Argument) -> list[ast.Assign]:
    """Return the statements up to a line that assign the name, in the same function, the last one first."""
    found = [
        node
        for node in assignments_of(program, given.name)
        if node.lineno <= given.line and are_in_one_function(program, node.lineno, given.line)
    ]
    return sorted(found, key=lambda node: -node.lineno)


def _made(program: str, given: _Argument) -> ast.Assign | None:
    """Return the last assignment that computes the value instead of only selecting some of its rows."""
    statements = _assignments(program, given)
    return next((each for each in statements if _index_of_own(each, given.name) is None), None)


def _index_of_own(statement: ast.Assign, name: str) -> ast.expr | None:
    """Return the index in `x = x[index]` or in `x, y = x[index], y[index]`."""
    goal, value = statement.targets[0], statement.value
    pairs = [(goal, value)]
    if isinstance(goal, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(goal.elts, value.elts, strict=False))
    for one, other in pairs:
        match other:
            case ast.Subscript(value=ast.Name(id=taken), slice=index) if taken == name:
                if ast.unparse(one) == name:
                    return index
    return None


def _filter_that_leaves_out(program: str, given: _Argument, rank: int) -> tuple[int, str] | None:
    """Return the line that selects rows without NaN but does not check these data, and the line with that check added."""
    for statement in _assignments(program, given):
        index = _index_of_own(statement, given.name)
        if not isinstance(index, ast.Name):
            continue
        chosen = _assignments(program, given._replace(name=index.id, line=statement.lineno))
        value = chosen[0].value if chosen else None
        if value is None or given.name in set(dotted_names(value)):
            continue
        if "np.isfinite" in ast.unparse(value) or "np.isnan" in ast.unparse(value):
            look = f"np.isfinite({given.name})" + (".all(axis=1)" if rank == 2 else "")
            whole = ast.unparse(value)
            whole = f"({whole})" if not isinstance(value, ast.Call | ast.UnaryOp) else whole
            return chosen[0].lineno, f"{index.id} = {whole} & {look}"
    return None

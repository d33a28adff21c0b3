"""A value that was kept from an earlier computation: the cache, or the user's own storage."""

import ast
from dataclasses import replace

from minitape.explain.causes import tapes
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.wording.cached import CachedValue, Stored
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.pointing.calls import (
    are_in_one_function,
    function_around,
    names_in_block,
    names_reached,
)
from minitape.source_text import walk
from minitape.trace import events

_TESTS = ("in", "is None", "is not None", "hasattr", "not ")


def remembered(flow: FlowGraph, call: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Point at the cache of a value that was computed before the tape opened, if the tape's block calls the cached function."""
    assert isinstance(found.facts, tapes.OffTape)
    number = found.facts.op if isinstance(found.facts, tapes.OnOtherTape) else found.event
    op, opened = flow.op(number), flow.opened_at(call.tape)
    if opened is None or not op.stack:
        return found
    reached: set[str] | None = None
    for level, number in enumerate(op.stack):
        site = flow.sites[number]
        function = function_around(flow.texts.get(site.at.file, ""), site.at.line)
        kept = None if function is None else _keeper(function, site.at.line)
        if function is None or kept is None:
            continue
        if reached is None:
            names = names_in_block(flow.texts.get(opened.file, ""), opened.line)
            reached = names_reached(flow.texts.values(), set(names))
        if function.name not in reached:
            continue
        line, by = kept
        value = CachedValue(function.name, _first_requested(flow, op, level, found), by)
        facts = replace(found.facts, kept=value)
        if isinstance(by, str) and level and _is_shown(flow, op.stack[level - 1], opened):
            return replace(found, facts=facts, site=op.stack[level - 1])
        return replace(found, at=(site.at.file, line), facts=facts)
    return _where_it_is_taken(flow, found) if found.site is None else found


def _where_it_is_taken(flow: FlowGraph, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Return the call that passed the value to where it is used, which is the first call at which the two call stacks differ."""
    last = flow.placed((found.event, *found.also)[-1])
    if found.cause is not tapes.computed_before_tape or not isinstance(last, events.OpEvent):
        return found
    edges = [edge for each in last.outputs for edge in flow.out_of.get(each.id, ())]
    users = [_user(flow, flow.event(edge.event)) for edge in edges]
    chains = [each.stack for each in users if each is not None and each.stack]
    for mine, its in zip(last.stack, chains[-1], strict=False) if chains else ():
        if mine != its:
            return found if mine == last.stack[-1] else replace(found, site=mine)
    return found


def _user(flow: FlowGraph, event: events.Event) -> events.Placed | None:
    """Return the event that uses a value; for a value that came back as a constant, its exit."""
    if isinstance(event, events.ReentryEvent):
        return flow.exits[event.exports[0]].event
    return event if isinstance(event, events.Placed) else None


def _keeper(function: ast.FunctionDef, line: int) -> tuple[int, str | Stored] | None:
    """Return the decorator that caches the results of a function, or the statement that stores a result if it is missing."""
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if "cache" in ast.unparse(called).rpartition(".")[2]:
            return decorator.lineno, ast.unparse(called)
    for node in walk(function):
        if isinstance(node, ast.If | ast.Try):
            head = node.test if isinstance(node, ast.If) else None
            inner = node.body if isinstance(node, ast.If) else node.handlers
            stored = _stored(inner, line)
            if stored is not None and _asks_for(head, stored):
                said = "try" if head is None else f"if {ast.unparse(head)}"
                return line, Stored(stored, said, node.lineno)
    return None


def _stored(inside: list[ast.stmt] | list[ast.ExceptHandler], line: int) -> str | None:
    """Return the target of the statement on a line, if it outlives the function: `self.z`, `known[key]`."""
    for each in inside:
        for node in walk(each):
            if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or 0):
                goal = node.targets[0]
                return (
                    ast.unparse(goal) if isinstance(goal, ast.Attribute | ast.Subscript) else None
                )
    return None


def _asks_for(head: ast.expr | None, stored: str) -> bool:
    """Whether a condition tests if a result is already stored; an `except` always does."""
    if head is None:
        return True
    text = ast.unparse(head)
    owner = stored.partition("[")[0]
    return owner.rpartition(".")[2] in text and any(each in text for each in _TESTS)


def _first_requested(
    flow: FlowGraph, op: events.OpEvent, level: int, found: BrokenEdge[Facts]
) -> int:
    """Return the line that first called the function, at which the finding would otherwise point."""
    site = found.site if found.site is not None else op.stack[max(level - 1, 0)]
    return flow.sites[site].at.line


def _is_shown(flow: FlowGraph, number: int, opened: events.SourceRange) -> bool:
    """Whether the function is called in the same function as the `with`, so that the user sees that line."""
    site = flow.sites[number]
    text = flow.texts.get(site.at.file, "")
    is_here = site.at.file == opened.file
    return is_here and are_in_one_function(text, site.at.line, opened.line)

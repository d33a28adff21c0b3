"""A value that was kept from before: what keeps it, a cache or a store of the user's own."""

import ast
from dataclasses import replace

from minitape.explain.causes import tapes
from minitape.explain.causes.cause import Break, Facts
from minitape.explain.causes.wording.kept import Kept, Stored
from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.pointing.calls import (
    are_in_one_function,
    function_around,
    names_in_block,
    names_reached,
)
from minitape.source_text import walk
from minitape.trace import events

_TESTS = ("in", "is None", "is not None", "hasattr", "not ")


def remembered(flow: Flow, call: Call, found: Break[Facts]) -> Break[Facts]:
    """What keeps a value that was computed in front of the tape, if the tape's block came to it by what keeps it."""
    assert isinstance(found.facts, tapes.OffTape)
    number = found.facts.op if isinstance(found.facts, tapes.OnOtherTape) else found.event
    op, opened = flow.op(number), flow.opened_at(call.tape)
    if opened is None or not op.stack:
        return found
    reached: set[str] | None = None
    for place, number in enumerate(op.stack):
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
        value = Kept(function.name, _first_asked(flow, op, place, found), by)
        facts = replace(found.facts, kept=value)
        if isinstance(by, str) and place and _is_shown(flow, op.stack[place - 1], opened):
            return replace(found, facts=facts, site=op.stack[place - 1])
        return replace(found, at=(site.at.file, line), facts=facts)
    return _where_it_is_taken(flow, found) if found.site is None else found


def _where_it_is_taken(flow: Flow, found: Break[Facts]) -> Break[Facts]:
    """The call that gave the value to where it is used: of two chains of calls, the one at which they part."""
    last = flow.placed((found.event, *found.also)[-1])
    if found.cause is not tapes.computed_before_tape or not isinstance(last, events.Op):
        return found
    edges = [edge for each in last.outputs for edge in flow.out_of.get(each.id, ())]
    users = [_user(flow, flow.event(edge.event)) for edge in edges]
    chains = [each.stack for each in users if each is not None and each.stack]
    for mine, its in zip(last.stack, chains[-1], strict=False) if chains else ():
        if mine != its:
            return found if mine == last.stack[-1] else replace(found, site=mine)
    return found


def _user(flow: Flow, event: events.Event) -> events.Placed | None:
    """What takes a value: of one that came back as a constant, what it left by."""
    if isinstance(event, events.Reentry):
        return flow.exits[event.exports[0]].event
    return event if isinstance(event, events.Placed) else None


def _keeper(function: ast.FunctionDef, line: int) -> tuple[int, str | Stored] | None:
    """The decorator that keeps what a function gives, or the statement in the line that stores it if it is not there yet."""
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
    """What the statement in a line stores into, where it is a place that outlives the function: `self.z`, `known[key]`."""
    for each in inside:
        for node in walk(each):
            if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or 0):
                goal = node.targets[0]
                return (
                    ast.unparse(goal) if isinstance(goal, ast.Attribute | ast.Subscript) else None
                )
    return None


def _asks_for(head: ast.expr | None, stored: str) -> bool:
    """Whether a condition asks if something is there already; an `except` always does."""
    if head is None:
        return True
    text = ast.unparse(head)
    owner = stored.partition("[")[0]
    return owner.rpartition(".")[2] in text and any(each in text for each in _TESTS)


def _first_asked(flow: Flow, op: events.Op, place: int, found: Break[Facts]) -> int:
    """The line that came to the function first: the one that would have been pointed at."""
    site = found.site if found.site is not None else op.stack[max(place - 1, 0)]
    return flow.sites[site].at.line


def _is_shown(flow: Flow, number: int, opened: events.Place) -> bool:
    """Whether the function was asked in sight of the `with`: then that line is to be seen."""
    site = flow.sites[number]
    text = flow.texts.get(site.at.file, "")
    is_here = site.at.file == opened.file
    return is_here and are_in_one_function(text, site.at.line, opened.line)

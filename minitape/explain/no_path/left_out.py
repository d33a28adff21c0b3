"""Code that would have used the source but did not run: a branch, or a method that a subclass overrides.

not_taken    the branch, and its condition
overridden   the method of the subclass, which does not use what the overridden method uses
"""

import ast
import re

from minitape.explain.causes import absent
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.rewriting import parsed
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.branches import branches_of, key_at, named_by, taken_apart
from minitape.explain.flow.program.functions import Override, overrides_of
from minitape.explain.flow.program.sources import sources_given, typed_source, value_of
from minitape.explain.never_ran import passed_by, ran
from minitape.explain.no_path.twins import read_on_tape
from minitape.explain.report import Evidence
from minitape.trace import events

# Methods of a layer, which are not attributes that hold a variable.
_METHODS = {"add_weight", "build", "call", "Variable"}


def not_taken(flow: FlowGraph, call: GradientCall, source: int) -> BrokenEdge[Facts] | None:
    """Return the branch that reads the source, if the program reached its condition and ran another branch."""
    made, entered = flow.variables.get(source), flow.tapes[call.tape].entered
    if made is None or not entered or source in flow.once(read_on_tape, call):
        return None
    wanted = _names_of(flow, call, made)
    for file, text in flow.texts.items():
        for branch in branches_of(text):
            lines = [line for name, line in branch.reads.items() if name in wanted]
            if not lines or not passed_by(flow, call, file, branch):
                continue
            if not ran(flow, file, branch, entered[0], call.event.i):
                facts = absent.ControlFlow(used=min(lines), condition=branch.line)
                # The lines of an `else` may be far from the condition, so for an `else` the finding points at the condition.
                at = file, min(lines) if branch.is_body else branch.line
                return BrokenEdge(absent.control_flow, made.i, facts=facts, at=at, by=Evidence.NAME)
    return None


def overridden(
    flow: FlowGraph, call: GradientCall, made: events.VariableEvent
) -> tuple[Override, str] | None:
    """Return the method that overrides one that uses the variable, and its file."""
    entered = flow.tapes[call.tape].entered
    wanted = {name[1:] for name in _names_of(flow, call, made) if name.startswith(".")}
    for file, text in flow.texts.items() if entered else ():
        for each in overrides_of(text):
            if each.attribute in wanted and ran(flow, file, each, entered[0], call.event.i):
                return each, file
    return None


def _names_of(flow: FlowGraph, call: GradientCall, made: events.VariableEvent) -> set[str]:
    """Return the names that the program may use for a variable, both in the gradient call and on the line that created it."""
    names = set[str]()
    name = flow.name(made.variable)
    if name is not None and name.isidentifier():
        names |= {name, f".{name}"}
    requested = _as_requested(flow, call, made.variable)
    if requested is not None:
        names |= set(named_by(requested))
        names |= _names_elsewhere(flow, call, requested)
    site = flow.innermost(made)
    if site is None:
        return names
    written = re.match(r"[\w.]+", site.target or site.expression)
    attributes = written[0].split(".")[1:] if written is not None else []
    names |= {f".{each}" for each in attributes if each not in _METHODS}
    if site.target is not None and site.target.isidentifier():
        names.add(site.target)
    key = key_at(flow.texts.get(site.at.file, ""), site.at.line, site.at.column)
    return names if key is None else names | {f"[{key!r}]"}


def _as_requested(flow: FlowGraph, call: GradientCall, source: int) -> ast.expr | None:
    """Return the source as it is written in the call, or in the list that the call passes."""
    index = [each.value for each in call.event.sources].index(source)
    given, at = sources_given(call.event.text), call.event.at
    if at is not None and isinstance(given, ast.Name):
        known = value_of(flow.texts.get(at.file, ""), given.id, at.line)
        listed = None if known is None else known.value
        if isinstance(listed, ast.List | ast.Tuple) and index < len(listed.elts):
            element = listed.elts[index]
            if not any(isinstance(each, ast.Starred | ast.Call) for each in listed.elts):
                return element
    return parsed(typed_source(call.event.text, index, len(call.event.sources)) or "")


def _names_elsewhere(flow: FlowGraph, call: GradientCall, requested: ast.expr) -> set[str]:
    """Return the name of `parts[1]` on a line that unpacks `parts`."""
    match requested:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as index)):
            texts = flow.texts.values()
            return {each for text in texts for each in taken_apart(text, name, index)}
    return set()

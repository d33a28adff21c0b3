"""A variable that is not trainable: the line that passes `trainable`, and the line that sets its value to False."""

import ast
from dataclasses import replace

from minitape.explain.causes import sources
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.pointing.calls import settings_of
from minitape.explain.texts import report as report_texts

_WORD = "trainable"


def set_to_false(flow: FlowGraph, _: GradientCall, found: BrokenEdge[Facts]) -> BrokenEdge[Facts]:
    """Point at the line that passes `trainable`; if the value is not a literal False, mark the line that sets it too."""
    site = flow.innermost(flow.placed(found.event))
    assert isinstance(found.facts, sources.NotTrainable)
    if site is None or found.facts.listed is not None:
        return found
    program = flow.texts.get(site.at.file, "")
    said = settings_of(program, _WORD)
    here = [each for each in said if site.at.line <= each[0] <= site.at.end_line]
    if not here:
        return _elsewhere(site.at.file, said, found)
    line, value = here[0]
    source = None if isinstance(value, ast.Constant) else _where_false(program, value)
    passed = _where_passed(flow, found, value) if source is None else None
    if passed is not None:
        return passed
    beside = {} if source is None else {source: report_texts.FALSE_COMES_FROM}
    facts = replace(found.facts, false_at=source)
    return replace(found, at=(site.at.file, line), beside=beside, facts=facts)


def _elsewhere(
    file: str, said: tuple[tuple[int, ast.expr], ...], found: BrokenEdge[Facts]
) -> BrokenEdge[Facts]:
    """Return the one line with `trainable=False`, if the call takes its settings from a dictionary: `tf.Variable(**settings)`."""
    lines = [line for line, value in said if _is_false(value)]
    return replace(found, at=(file, lines[0])) if len(lines) == 1 else found


def _where_false(program: str, value: ast.expr) -> int | None:
    """Return the only line that sets the value of an expression to False, such as `learn: bool = False` for `config.learn`."""
    word = ast.unparse(value).rpartition(".")[2]
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
        word = str(value.slice.value)
    lines = [line for line, given in settings_of(program, word) if _is_false(given)]
    return lines[0] if len(lines) == 1 else None


def _where_passed(
    flow: FlowGraph, found: BrokenEdge[Facts], value: ast.expr
) -> BrokenEdge[Facts] | None:
    """Point at the call that passes the value to the function in which the variable was created: `Layer(4, learn=flag)`."""
    if not isinstance(value, ast.Name):
        return None
    assert isinstance(found.facts, sources.NotTrainable)
    for number in reversed(flow.placed(found.event).stack[:-1]):
        at = flow.sites[number].at
        for line, given in settings_of(flow.texts.get(at.file, ""), value.id):
            if at.line <= line <= at.end_line:
                facts = replace(found.facts, passed=(value.id, ast.unparse(given)))
                return replace(found, at=(at.file, line), facts=facts)
    return None


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False

"""Finds the user's own source for code that AutoGraph has generated.

AutoGraph rewrites a function as a module of its own (`__autograph_generated_file….py`), in which `tf.argmax(y)` becomes
`ag__.converted_call(ag__.ld(tf).argmax, (ag__.ld(y),), None, fscope)`, and keeps a map from its lines to the user's lines. The
expression on such a line is found by removing what AutoGraph added and searching the user's statement for the same syntax tree.

add           take a map; from then on the functions below know its file
file_of       the user's file of a code object, or its own file
name_of       the name of the user's function
positions_of  the position in the user's file for each instruction

Source: https://www.tensorflow.org/guide/function#autograph_transformations
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

from minitape.source_text import deep_trees, file_text, parsed, walk
from minitape.tracer.code import positions

_NOWHERE: positions.Stretch = (None, None, None, None)


class Origin(NamedTuple):
    """The user's line for a generated line: its file, its number, and the name of the function."""

    file: str
    line: int
    function: str


_origins: dict[str, dict[int, Origin]] = {}  # the keys are the generated file and line
# The keys are the functions that AutoGraph calls for operators.
_OPERATORS: dict[str, type[ast.boolop]] = {"and_": ast.And, "or_": ast.Or}


def add(source_map: Mapping[Any, Any]) -> None:
    """Take the map of one generated module.

    Args:
        source_map: `OriginInfo` by `LineLocation`, as AutoGraph creates it.
    """
    for at, info in source_map.items():
        origin = Origin(info.loc.filename, info.loc.lineno, info.function_name or "")
        _origins.setdefault(at.filename, {})[at.lineno] = origin


def file_of(filename: str) -> str:
    """Return the user's file for a generated file; any other file is returned unchanged."""
    lines = _origins.get(filename)
    return next(iter(lines.values())).file if lines else filename


def name_of(code: CodeType) -> str:
    """Return the name of the user's function for generated code, and otherwise the name of the code object."""
    lines = _origins.get(code.co_filename)
    if not lines:
        return positions.name(code)
    names = (lines[line].function for line in _lines(code) if line in lines)
    return next(filter(None, names), "<module>")


def positions_of(code: CodeType) -> list[positions.Stretch]:
    """Return the position of each instruction in the user's file, or only its line if the expression is not found."""
    stretches = positions.positions(code)
    lines = _origins.get(code.co_filename)
    if not lines:
        return stretches
    found = {each: _found(code.co_filename, lines, each) for each in set(stretches)}
    return [found[each] for each in stretches]


def _lines(code: CodeType) -> Iterable[int]:
    return (line for line, *_ in positions.positions(code) if line is not None)


def _found(
    filename: str, lines: Mapping[int, Origin], stretch: positions.Stretch
) -> positions.Stretch:
    """Return the user's expression for a generated one."""
    origin = lines.get(stretch[0] or 0)
    if origin is None:
        return _NOWHERE
    generated = _expressions(filename).get(stretch)
    wanted = None if generated is None else _shape(generated)
    for node in _on_line(origin.file, origin.line) if wanted is not None else ():
        if ast.dump(node) == wanted:
            return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
    return origin.line, None, None, None


def _shape(generated: ast.expr) -> str:
    """Return the syntax tree of a generated expression, converted back to the user's form, as a string for comparison."""
    # The tree itself is copied, because the text of a part such as the slice `1:` is not an expression.
    with deep_trees():
        return ast.dump(_Unconverted().visit(deepcopy(generated)))


@lru_cache(maxsize=64)
def _expressions(filename: str) -> dict[positions.Stretch, ast.expr]:
    """Return the expressions of a generated file, keyed by position."""
    tree = parsed(file_text(filename).text)
    found: dict[positions.Stretch, ast.expr] = {}
    for node in walk(tree):
        if isinstance(node, ast.expr):
            location = node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
            found.setdefault(location, node)
    return found


@lru_cache(maxsize=64)
def _statements(filename: str) -> dict[int, ast.stmt]:
    """Return the innermost statement that contains each line of a file."""
    try:
        tree = parsed(file_text(filename).text)
    except SyntaxError:
        return {}
    statements = [node for node in walk(tree) if isinstance(node, ast.stmt)]
    found: dict[int, ast.stmt] = {}
    for node in sorted(statements, key=lambda each: each.lineno):
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        found.update(dict.fromkeys(lines, node))
    return found


def _on_line(filename: str, line: int) -> list[ast.expr]:
    """Return the expressions of the innermost statement of a file that contains a line, without those of statements inside it."""
    statement = _statements(filename).get(line)
    if statement is None:
        return []
    waiting: list[ast.AST] = [statement]
    found = []
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr):
            found.append(node)
        waiting += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt)]
    return found


class _Unconverted(ast.NodeTransformer):
    """Removes what AutoGraph added to an expression."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="ag__"), attr="ld"), args=[inner]):
                return inner
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="ag__"), attr="converted_call"),
                args=[function, ast.Tuple(elts=given), options, *_],
            ):
                return ast.Call(func=function, args=given, keywords=_keywords(options))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="ag__"), attr="not_"), args=[inner]):
                return ast.UnaryOp(op=ast.Not(), operand=inner)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="ag__"), attr=("and_" | "or_") as name),
                args=[ast.Lambda(body=left), ast.Lambda(body=right)],
            ):
                return ast.BoolOp(op=_OPERATORS[name](), values=[left, right])
        return node


def _keywords(options: ast.expr) -> list[ast.keyword]:
    """Return the keyword arguments of a converted call, which AutoGraph passes as `dict(axis=0)`."""
    return options.keywords if isinstance(options, ast.Call) else []

"""The blocks of `with tf.name_scope("encoder"):` in a program, found in its text.

The trace has the line of each op, so a run does not have to record when a block is entered and left.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple


class Block(NamedTuple):
    """A block: its name, the line of its head, the lines of its body, and the functions that are only defined there."""

    name: str
    line: int
    first: int
    last: int
    functions: tuple[tuple[int, int], ...]

    def has(self, line: int) -> bool:
        """Whether the statement on a line runs in the block."""
        is_elsewhere = any(first <= line <= last for first, last in self.functions)
        return self.first <= line <= self.last and not is_elsewhere


@lru_cache(maxsize=64)
def blocks_of(text: str) -> tuple[Block, ...]:
    """Return the blocks of a file in the order of their heads; empty if it is not valid Python."""
    if "name_scope" not in text:
        return ()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    found = [block for node in ast.walk(tree) for block in _of_node(node)]
    return tuple(sorted(found, key=lambda block: block.line))


def _of_node(node: ast.AST) -> Iterator[Block]:
    if not isinstance(node, ast.With):
        return
    first, last = node.body[0].lineno, node.end_lineno or node.lineno
    functions = tuple(
        (inner.lineno, inner.end_lineno or inner.lineno)
        for inner in ast.walk(node)
        if isinstance(inner, ast.FunctionDef)
    )
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and call.args and _is_name_scope(call.func):
            yield Block(_name(call.args[0]), node.lineno, first, last, functions)


def _is_name_scope(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else ""
    return name == "name_scope" or (isinstance(function, ast.Name) and function.id == "name_scope")


def _name(given: ast.expr) -> str:
    """Return the last part of a name such as `model/encoder/`, or the code of an expression."""
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return given.value.rstrip("/").rpartition("/")[2]
    return ast.unparse(given)

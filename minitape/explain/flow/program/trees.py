"""A program as a syntax tree, parsed once for all callers, and the comparison of its parts."""

import ast
from typing import Any

from minitape.source_text import parsed


def tree_or_empty(program: str) -> ast.Module:
    """Return the syntax tree of a program, which callers must not change; an empty one if it is not valid Python."""
    try:
        return parsed(program)
    except SyntaxError:
        return ast.Module([], [])


# Fields without an effect on the text of an expression.
_NOT_WRITTEN = {"ctx", "kind", "type_comment"}


def is_same_code(one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes are the same code.

    The answer is that of `ast.unparse(one) == ast.unparse(other)`, but nodes that differ are not written out: to look for an
    expression in a long sum, all sums of its first terms would be written.
    """
    waiting: list[tuple[Any, Any]] = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, ast.AST):
            waiting += [
                (getattr(a, name, None), getattr(b, name, None))
                for name in a._fields
                if name not in _NOT_WRITTEN
            ]
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            waiting += zip(a, b)
        elif a != b and repr(a) != repr(b):  # NaN is not equal to itself
            return False
    return True

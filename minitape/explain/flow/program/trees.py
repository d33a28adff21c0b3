"""A program as a syntax tree, parsed once for all callers."""

import ast

from minitape.source_text import parsed


def tree_or_empty(program: str) -> ast.Module:
    """Return the syntax tree of a program, which callers must not change; an empty one if it is not valid Python."""
    try:
        return parsed(program)
    except SyntaxError:
        return ast.Module([], [])

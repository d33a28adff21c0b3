"""A program as a tree, parsed only once."""

import ast

from minitape.source_text import parsed


def tree_or_empty(program: str) -> ast.Module:
    """The tree of a program, which callers must not change; an empty one for text that is not Python."""
    try:
        return parsed(program)
    except SyntaxError:
        return ast.Module([], [])

"""A program as a tree, parsed once for all who read it."""

import ast

from minitape.source_text import parsed


def tree_or_empty(program: str) -> ast.Module:
    """The tree of a program, not to be changed by who reads it; an empty one where it is no Python."""
    try:
        return parsed(program)
    except SyntaxError:
        return ast.Module([], [])

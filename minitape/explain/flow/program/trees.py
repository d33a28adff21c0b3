"""A program as a tree, parsed once for all who read it."""

import ast
from functools import lru_cache


@lru_cache(maxsize=32)
def tree_of(program: str) -> ast.Module:
    """The tree of a program, not to be changed by who reads it; an empty one where it is no Python."""
    try:
        return ast.parse(program)
    except SyntaxError:
        return ast.Module([], [])

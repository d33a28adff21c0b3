"""Describes what a rule changed.

instead    one expression replaced with another
on_line    an expression, and the line it is on
"""

import ast

from minitape.fixes import fix_texts as texts
from minitape.templates import code


def instead(better: ast.AST | str, written: ast.AST | str) -> str:
    """Return the description of replacing one expression with another, for use in a sentence."""
    return texts.INSTEAD(better=_quoted(better), written=_quoted(written))


def on_line(written: ast.AST | str, line: str) -> str:
    """Return an expression and its line, for use in a sentence."""
    return texts.ON_LINE(code=_quoted(written), line=line)


def _quoted(expression: ast.AST | str) -> str:
    return code(expression if isinstance(expression, str) else ast.unparse(expression))

"""What a rule changed, in words.

instead    one expression for another
on_line    an expression, and the line it is on
"""

import ast

from minitape.fixes import fix_texts as texts
from minitape.templates import code


def instead(better: ast.AST | str, written: ast.AST | str) -> str:
    """Return one expression for another, as a sentence has it."""
    return texts.INSTEAD(better=_quoted(better), written=_quoted(written))


def on_line(written: ast.AST | str, line: str) -> str:
    """Return an expression with its line, as a sentence has it."""
    return texts.ON_LINE(code=_quoted(written), line=line)


def _quoted(expression: ast.AST | str) -> str:
    return code(expression if isinstance(expression, str) else ast.unparse(expression))

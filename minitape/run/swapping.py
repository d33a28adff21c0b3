"""The same program with TensorFlow's name in its imports where minitape's stands: all else, and each line's number, stays.

import minitape as tf             →  import tensorflow as tf
from minitape import keras        →  from tensorflow import keras
import minitape                   →  import tensorflow as minitape
"""

import ast
from dataclasses import replace

from minitape.run.program import Part, Program

_OURS, _THEIRS = "minitape", "tensorflow"


def with_tensorflow(program: Program) -> Program:
    """The program as it asks for TensorFlow; the same one, if nothing in it asks for minitape."""
    parts = tuple(replace(part, text=_swapped(part)) for part in program.parts)
    return program if parts == program.parts else replace(program, parts=parts, is_changed=True)


def _swapped(part: Part) -> bytes:
    try:
        tree = ast.parse(part.text)
    except (SyntaxError, ValueError):  # which it says itself when it runs
        return part.text
    lines = part.text.splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and _asks(node):
            _rewrite(lines, node)
    return b"".join(lines)


def _asks(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.level == 0 and _is_ours(node.module or "")
    return any(_is_ours(each.name) for each in node.names)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == _OURS


def _rewrite(lines: list[bytes], node: ast.Import | ast.ImportFrom) -> None:
    """In the lines of the statement, so that what follows stays where it was."""
    if isinstance(node, ast.ImportFrom):
        node.module = _renamed(node.module or "")
    else:
        for each in node.names:
            if _is_ours(each.name):
                if each.asname is None and "." not in each.name:
                    each.asname = each.name
                each.name = _renamed(each.name)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before = lines[first][: node.col_offset]
    after = lines[last][node.end_col_offset :]
    empty = b"\n" * (last - first)
    lines[first : last + 1] = (before + ast.unparse(node).encode() + after + empty).splitlines(True)


def _renamed(name: str) -> str:
    return _THEIRS + name.removeprefix(_OURS)

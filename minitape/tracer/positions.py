"""Finds the position in the source of each instruction.

Python 3.11 and later know it. Python 3.10 knows only lines: there the file is compiled again with a different line number for
each
expression, and the "lines" of the copied code identify the expression of an instruction.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

from minitape.source_text import file_text

# Line, last line, column and last column.
Stretch = tuple[int | None, int | None, int | None, int | None]
_FLAGS = 0x1FE0000  # the flags of `from __future__ import …` in a code object


def positions(code: CodeType) -> list[Stretch]:
    """Return the position of each instruction, as `co_positions` returns it."""
    if hasattr(code, "co_positions"):
        return list(code.co_positions())
    return _by_twin(code) or [(line, None, None, None) for line in _lines(code)]


def name(code: CodeType) -> str:
    """Return the qualified name of a function, if Python stores it; else its name."""
    found: str = getattr(code, "co_qualname", code.co_name)
    return found


def _lines(code: CodeType) -> list[int | None]:
    """Return the line of each instruction."""
    found: list[int | None] = []
    for start, end, line in code.co_lines():
        found += [line] * ((end - start) // 2)
    return found


def _by_twin(code: CodeType) -> list[Stretch]:
    """Return the positions from the compiled copy; empty if no code in it is equal."""
    twins = _twins(code.co_filename, code.co_flags & _FLAGS)
    for twin, stretches in twins.get((code.co_name, code.co_firstlineno), ()):
        if twin.co_code == code.co_code:
            found = [stretches.get(line or 0) for line in _lines(twin)]
            return [each or (None, None, None, None) for each in found]
    return []


_Twins = dict[tuple[str, int], list[tuple[CodeType, dict[int, Stretch]]]]


@lru_cache(maxsize=64)
def _twins(filename: str, flags: int) -> _Twins:
    """Return all code of a file, compiled with one line per expression, by its name and its real first line."""
    try:
        tree = ast.parse(file_text(filename).text)
    except (SyntaxError, ValueError):
        return {}
    stretches: dict[int, Stretch] = {}
    # The instructions of a method call have the position of the function.
    called = {node.func: node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for number, node in enumerate(ast.walk(tree), start=1):
        if isinstance(node, (ast.expr, ast.stmt)):
            reported = called.get(node, node) if isinstance(node, ast.Attribute) else node
            stretches[number] = (
                reported.lineno,
                reported.end_lineno,
                reported.col_offset,
                reported.end_col_offset,
            )
    for number, node in enumerate(ast.walk(tree), start=1):
        if number in stretches:
            node.lineno = node.end_lineno = number  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    try:
        whole = compile(tree, filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found: _Twins = {}
    for each in _all_in(whole):
        first = stretches.get(each.co_firstlineno, (1, None, None, None))[0] or 1
        found.setdefault((each.co_name, first), []).append((each, stretches))
    return found


def _all_in(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all code objects in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _all_in(each)

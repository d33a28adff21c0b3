"""Finds the position in the source of each instruction.

Python 3.11 and later store it. Python 3.10 stores only lines, so there the file is compiled again with a different line number
for each expression, and the "lines" of the copied code identify the expression of an instruction.

For the calls of `__enter__` and `__exit__`, Python 3.13 and later store the position of the context manager's expression;
earlier versions store the position of the whole `with` statement. minitape uses the position of the whole statement in all
versions, because it shows where a tape's block ends, and distinguishes entering the tape from the call that creates it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import lru_cache
from opcode import opmap
from types import CodeType

from minitape.source_text import file_text, parsed, walk

# Line, last line, column and last column.
Stretch = tuple[int | None, int | None, int | None, int | None]
_FLAGS = 0x1FE0000  # the flags of `from __future__ import …` in a code object
_ENTERING = {  # the instructions that enter a `with` block; Python 3.14 has only the last one
    opmap[name] for name in ("BEFORE_WITH", "BEFORE_ASYNC_WITH", "LOAD_SPECIAL") if name in opmap
}


def positions(code: CodeType) -> list[Stretch]:
    """Return the position of each instruction, as `co_positions` of Python 3.11 and 3.12 returns it."""
    if not hasattr(code, "co_positions"):
        return _by_twin(code) or [(line, None, None, None) for line in _lines(code)]
    found = list(code.co_positions())
    return found if sys.version_info < (3, 13) else _with_whole_blocks(code, found)


def _with_whole_blocks(code: CodeType, found: list[Stretch]) -> list[Stretch]:
    """Return the positions; instructions that enter and leave the block of a `with` get the position of the whole statement."""
    entering = [i for i, each in enumerate(code.co_code[::2]) if each in _ENTERING]
    whole = list(found)
    for first in entering:
        block = _blocks(code.co_filename).get(found[first])
        if block is not None:
            for i in range(first, len(found)):
                if found[i] == found[first]:
                    whole[i] = block
    for first in entering:  # the block of a `finally` is compiled twice
        i = first - 1
        while (
            found[i] == found[first] and i not in entering
        ):  # the instruction is the call that creates the context manager
            whole[i] = found[i]
            i -= 1
    return whole


def _blocks(filename: str) -> dict[Stretch, Stretch]:
    """Return the position of each `with` statement of a file, keyed by the positions of its context managers."""
    try:
        return _blocks_of(parsed(file_text(filename).text))
    except SyntaxError:
        return {}


@lru_cache(maxsize=16)
def _blocks_of(tree: ast.Module) -> dict[Stretch, Stretch]:
    return {
        _stretch(item.context_expr): _stretch(node)
        for node in walk(tree)
        if isinstance(node, (ast.With, ast.AsyncWith))
        for item in node.items
    }


def _stretch(node: ast.expr | ast.stmt) -> Stretch:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


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
    """Return the positions from the compiled copy; empty if the copy contains no equal code."""
    twins = _twins(code.co_filename, code.co_flags & _FLAGS)
    for twin, stretches in twins.get((code.co_name, code.co_firstlineno), ()):
        if twin.co_code == code.co_code:
            found = [stretches.get(line or 0) for line in _lines(twin)]
            return [each or (None, None, None, None) for each in found]
    return []


_Twins = dict[tuple[str, int], list[tuple[CodeType, dict[int, Stretch]]]]


@lru_cache(maxsize=64)
def _twins(filename: str, flags: int) -> _Twins:
    """Return all code objects of a file, compiled with one line per expression, keyed by name and real first line."""
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
            stretches[number] = _stretch(reported)
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
    """Yield a code object and all code objects nested in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _all_in(each)

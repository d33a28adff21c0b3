"""Finds the statements that must move into a block together.

lines_to_move    a line before a `with` block, and the lines up to the block that read what it computes
lines_after      the lines after a `with` block up to one of them
loop_around_block  the loop in which a tape is opened in each iteration
is_in_same_function  whether a line and a `with` block are in the same function
"""

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk

_SIMPLE = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_STAYS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def lines_to_move(program: str, lines: Collection[int], opened: int) -> list[int]:
    """Return the lines that move into the `with` block on line `opened`, first to last.

    They are the statements on `lines`, and all statements between them and the block that read what they compute. The list is
    empty if one of them is a block of its own, or if none of `lines` is before the block in its function.
    """
    for before in _statements_before(tree_or_empty(program), opened):
        moved: list[ast.stmt] = []
        names: set[str] = set()
        for statement in before:
            is_given = any(
                statement.lineno <= each <= (statement.end_lineno or 0) for each in lines
            )
            is_reader = not names.isdisjoint(_names(statement, ast.Load))
            if (is_given or is_reader) and not isinstance(statement, _STAYS):
                moved.append(statement)
                names |= _names(statement, ast.Store)
        if moved:
            is_simple = all(isinstance(each, _SIMPLE) for each in moved)
            return [each.lineno for each in moved] if is_simple else []
    return []


@lru_cache(maxsize=64)  # called with the same lines for each source
def lines_after(program: str, line: int, opened: int) -> list[int]:
    """Return all lines from the end of the `with` block on line `opened` to the statement on `line`.

    The list is empty if that statement does not come after the block in the same list of statements.
    """
    for body in _bodies(tree_or_empty(program)):
        at = next((i for i, each in enumerate(body) if _opens(each, opened)), None)
        after = [] if at is None else body[at + 1 :]
        for last in after:
            is_last = last.lineno <= line <= (last.end_lineno or 0)
            if is_last and not isinstance(last, _STAYS):
                return list(range(after[0].lineno, (last.end_lineno or line) + 1))
    return []


@lru_cache(maxsize=64)  # called with the same lines for each source
def is_in_same_function(program: str, line: int, opened: int) -> bool:
    """Whether line `opened` opens a `with` block in the function that contains `line`, or in the module if none does."""
    tree = tree_or_empty(program)
    if not any(_opens(each, opened) for body in _bodies(tree) for each in body):
        return False
    functions = [each for each in walk(tree) if isinstance(each, _FUNCTION)]
    around = [
        [each.lineno for each in functions if each.lineno <= at <= (each.end_lineno or 0)]
        for at in (line, opened)
    ]
    return around[0] == around[1]


@lru_cache(maxsize=64)  # called with the same lines for each source
def loop_around_block(program: str, line: int, opened: int) -> int | None:
    """Return the line of the loop that contains the `with` block on line `opened` and not `line`; None if there is none."""
    around = [
        each
        for each in walk(tree_or_empty(program))
        if isinstance(each, ast.For | ast.While) and each.lineno < opened <= (each.end_lineno or 0)
    ]
    outside = [each.lineno for each in around if not each.lineno <= line <= (each.end_lineno or 0)]
    return min(outside, default=None)


def _opens(statement: ast.stmt, opened: int) -> bool:
    if not isinstance(statement, ast.With):
        return False
    return statement.lineno <= opened < statement.body[0].lineno


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield all lists of statements."""
    for node in walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def _statements_before(tree: ast.Module, opened: int) -> Iterator[list[ast.stmt]]:
    """Yield the statements before the block, and before each statement around it in its function; the innermost first."""
    levels: list[list[ast.stmt]] = []
    body: list[ast.stmt] = tree.body
    while body:
        at = next(
            (i for i, each in enumerate(body) if each.lineno <= opened <= (each.end_lineno or 0)),
            None,
        )
        if at is None:
            break
        around = body[at]
        if isinstance(around, _STAYS):
            levels = []
        else:
            levels.append(body[:at])
        if isinstance(around, ast.With) and opened < around.body[0].lineno:
            yield from reversed(levels)
            return
        parts = [value for _, value in ast.iter_fields(around) if isinstance(value, list)]
        inner = [part for part in parts if part and isinstance(part[0], ast.stmt)]
        body = next(
            (part for part in inner if part[0].lineno <= opened <= (part[-1].end_lineno or 0)), []
        )


def _names(node: ast.AST, how: type[ast.expr_context]) -> set[str]:
    found = {
        each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, how)
    }
    if how is ast.Load:
        # `x += 1` reads `x` too.
        targets = [each.target for each in walk(node) if isinstance(each, ast.AugAssign)]
        found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return found

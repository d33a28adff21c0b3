"""A loop that stores into each variable of a list, and the list of tensors to write instead.

for slow, fast in zip(targets, online):        targets = [0.9 * slow + 0.1 * fast for slow, fast in zip(targets, online)]
    slow.assign(0.9 * slow + 0.1 * fast)
"""

import ast
from functools import lru_cache
from typing import TypeGuard

from minitape.explain.causes.wording.stores import as_tensor
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk


def is_loop_at(node: ast.AST, line: int) -> TypeGuard[ast.For]:
    """Whether a node is a `for` loop of which a line is the only statement."""
    return isinstance(node, ast.For) and len(node.body) == 1 and node.body[0].lineno == line


def list_of_tensors(tree: ast.AST, loop: ast.For) -> tuple[str, bool] | None:
    """Return the list of the values that a loop stores; None if the loop does anything else.

    Args:
        tree: The program.
        loop: A loop over a list of variables, or over several lists in a `zip`.

    Returns:
        The statement, and whether it gives the list of variables its new value. If that list has no name here, the name is
        `new`.
    """
    (statement,) = loop.body
    tensor = as_tensor(ast.unparse(statement)) if isinstance(statement, ast.Expr) else None
    owner, _, value = (tensor or "").partition(" = ")
    lists = _lists(loop)
    if not value or owner not in lists:
        return None
    name = ast.unparse(lists[owner])
    is_named = isinstance(lists[owner], ast.Name) and _is_local(tree, loop, name)
    head = f"for {_plain(loop.target)} in {ast.unparse(loop.iter)}"
    return f"{name if is_named else 'new'} = [{value} {head}]", is_named


def _is_local(tree: ast.AST, loop: ast.For, name: str) -> bool:
    """Whether a name gets its first value in the function of the loop, or in the module if the loop is in no function."""
    around = [
        node
        for node in walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.lineno <= loop.lineno <= (node.end_lineno or 0)
    ]
    return not around or any(
        isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id == name
        for each in walk(around[-1])
    )


@lru_cache(maxsize=64)  # called with the same line for each source
def list_at(program: str, line: int) -> tuple[str, bool, int] | None:
    """Return the list of the values that a loop stores on a line, as `list_of_tensors` does, and the line of the loop."""
    tree = tree_or_empty(program)
    loop = next((each for each in walk(tree) if is_loop_at(each, line)), None)
    found = None if loop is None else list_of_tensors(tree, loop)
    return None if loop is None or found is None else (*found, loop.lineno)


def is_of_a_loop(tree: ast.AST, name: str) -> bool:
    """Whether a name is the variable of a loop, so that a new value for it is lost in the next iteration."""
    loops = (each.target for each in walk(tree) if isinstance(each, ast.For))
    return any(
        isinstance(each, ast.Name) and each.id == name for one in loops for each in walk(one)
    )


def _lists(loop: ast.For) -> dict[str, ast.expr]:
    """Return the list over which each name of the loop runs."""
    match loop.target, loop.iter:
        case ast.Name(id=name), given:
            return {name: given}
        case ast.Tuple(elts=names), ast.Call(func=ast.Name("zip"), args=given):
            pairs = zip(names, given, strict=False)
            return {each.id: one for each, one in pairs if isinstance(each, ast.Name)}
    return {}


def _plain(target: ast.expr) -> str:
    """Return the names of a loop without parentheses: `slow, fast`."""
    return ast.unparse(target).removeprefix("(").removesuffix(")")

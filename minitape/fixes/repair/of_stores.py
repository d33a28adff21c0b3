"""Rules for stores in variables: a tensor replaces the variable.

as_list        a loop that stores a value in each variable of a list
as_tensors     all stores in one variable, each as the fix of the finding advises
rebind         one `state.assign(new)`: from there on, the name refers to the tensor
keep_beside    one `state.assign(new)`: a new name refers to the tensor, and the rest of the block reads that name
"""

import ast
import copy
import re
from collections.abc import Iterator

from minitape.explain.causes.rewriting import is_place, parsed
from minitape.explain.causes.wording.loops import is_loop_at, is_of_a_loop, list_of_tensors
from minitape.explain.causes.wording.stores import as_tensor, stored_in
from minitape.explain.flow.program.trees import is_same_code
from minitape.fixes import fix_texts as texts
from minitape.fixes.repair.changes import instead, on_line
from minitape.fixes.text.syntax import (
    FixContext,
    bodies,
    exchange,
    expressions_at,
    function_around,
    names_in,
    placed,
    statement_at,
    statement_of,
)
from minitape.templates import code


def as_tensors(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `v[i].assign(x)` as `v = tf.tensor_scatter_nd_update(v, [[i]], [x])`, wherever a value is stored in v."""
    advised = re.match(r"write `(.*?) = ", spot.fix)
    if advised is None or not is_place(advised[1]):
        return None
    owner = advised[1]
    done: dict[str, None] = {}
    for body in bodies(tree):
        for place, statement in enumerate(body):
            better = _as_advised(statement, owner, spot.fix)
            if better is not None:
                body[place] = statement_of(better, statement)
                _declare_global(tree, statement.lineno, owner)
                done[on_line(better, spot.words(statement.lineno))] = None
    return " and ".join(done) or None


def _as_advised(statement: ast.stmt, owner: str, advice: str) -> str | None:
    """Return the tensor that replaces a store in `owner`; the fix of the finding shows how many rows it stores."""
    if not isinstance(statement, ast.Expr):
        return None
    text = ast.unparse(statement.value)
    for is_part in (False, True):
        if stored_in(text, is_part) == owner:
            ways = [as_tensor(text, is_part, is_one_row) for is_one_row in (True, False)]
            return next((each for each in ways if each is not None and each in advice), ways[-1])
    return None


def as_list(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite a loop that stores a value in each of several variables as a list of tensors, as the fix of the finding advises."""
    found = next((each for each in ast.walk(tree) if is_loop_at(each, spot.place.line)), None)
    better, is_named = (None if found is None else list_of_tensors(tree, found)) or ("", False)
    if found is None or not is_named or code(better) not in spot.fix:
        return None
    body = next(each for each in bodies(tree) if found in each)
    body[body.index(found)] = statement_of(better, found)
    return on_line(better, spot.words(found.lineno))


def rebind(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `state.assign(new)` as `state = new`: from there on, the name refers to the tensor itself."""
    for node, variable, value in _assigns_at(tree, spot):
        if variable == spot.source or not is_place(variable) or is_of_a_loop(tree, variable):
            continue
        found = statement_at(tree, spot.place.line)
        if found is None or not isinstance(found[1], ast.Expr) or found[1].value is not node:
            if not variable.isidentifier():
                return None
            _declare_global(tree, spot.place.line, variable)
            kept = ast.NamedExpr(ast.Name(variable, ast.Store()), value)
            exchange(tree, node, placed(kept, node))
            return instead(kept, node)
        body, statement = found
        better = f"{variable} = {ast.unparse(value)}"
        body[body.index(statement)] = statement_of(better, statement)
        _declare_global(tree, spot.place.line, variable)
        return instead(better, node)
    return None


def _declare_global(tree: ast.Module, line: int, name: str) -> None:
    """Add `global name` to a function that previously only read the name, and now assigns it."""
    function = function_around(tree, line)
    if function is None or not name.isidentifier():
        return
    parameters = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    made = [each for each in function.body if not _is_simple_at(each, line)]
    if name not in parameters | set[str]().union(*(names_in(each, ast.Store) for each in made)):
        function.body.insert(0, statement_of(f"global {name}", function.body[0]))


def _is_simple_at(statement: ast.stmt, line: int) -> bool:
    """Whether a statement is on this line, and contains no other statements."""
    return statement.lineno == line and not hasattr(statement, "body")


def keep_beside(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `state.assign(new)` as `state_kept = new`; all later lines of the block then read that name."""
    found = statement_at(tree, spot.place.line)
    for node, variable, value in _assigns_at(tree, spot):
        if found is None or not isinstance(found[1], ast.Expr) or found[1].value is not node:
            continue
        if is_of_a_loop(tree, variable):
            return None
        body, statement = found
        at = body.index(statement)
        kept, read = f"{variable.rpartition('.')[2]}_kept", parsed(variable)
        if not kept.isidentifier() or read is None:
            return None
        for later in body[at + 1 :]:
            for each in list(ast.walk(later)):
                if isinstance(each, ast.expr) and is_same_code(each, read):
                    exchange(later, each, placed(ast.Name(kept, ast.Load()), each))
        better = f"{kept} = {ast.unparse(value)}"
        body[at] = statement_of(better, statement)
        return texts.KEPT_BESIDE(
            statement=code(better), written=code(ast.unparse(node)), name=code(kept)
        )
    return None


_SIGNS = {"assign": "", "assign_add": "+", "assign_sub": "-"}


def _assigns_at(tree: ast.Module, spot: FixContext) -> Iterator[tuple[ast.Call, str, ast.expr]]:
    """Yield the assigning call, the expression of the variable, and the new value."""
    for node in expressions_at(tree, spot.place):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=how), args=[given, *_]):
                if how in _SIGNS:
                    variable = ast.unparse(owner)
                    text = f"{variable} {_SIGNS[how]} ({ast.unparse(given)})"
                    new = parsed(text) if _SIGNS[how] else given
                    if new is not None:
                        yield node, variable, placed(copy.deepcopy(new), node)

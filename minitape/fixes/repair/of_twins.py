"""Rules for a target that was computed from another object: use the right name, keep the value of a name, or request the
gradient of the original.

call_the_other      `teacher(x)` → `student(x)`, as the fix of the finding advises
kept_at_once        `lambda x: w * x` → `lambda x, w=w: w * x`; `def` likewise
as_the_copy_was     `tape.gradient(y, flat)` → `tf.concat(tape.gradient(y, [a, b]), 0)`
"""

import ast
import copy

from minitape.explain.causes.rewriting import parsed
from minitape.fixes.repair.changes import instead
from minitape.fixes.text.syntax import (
    FixContext,
    Function,
    exchange,
    expressions_at,
    placed,
    statement_at,
)


def call_the_other(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace the statement with the one in the fix of the finding, in which one name is different."""
    found = statement_at(tree, spot.place.line)
    try:
        better = ast.parse(spot.advised_code).body
    except SyntaxError:
        return None
    if found is None or len(better) != 1 or type(better[0]) is not type(found[1]):
        return None
    text = ast.unparse(found[1])
    if not _exchange_what_differs(found[1], better[0]):
        return None
    return instead(better[0], text)


def _exchange_what_differs(old: ast.AST, new: ast.AST) -> bool:
    """Insert the parts of another tree where the two trees differ, so that the rest does not change."""
    pairs = list(zip(ast.iter_child_nodes(old), ast.iter_child_nodes(new), strict=False))
    differing = [(one, other) for one, other in pairs if ast.dump(one) != ast.dump(other)]
    done = False
    for one, other in differing:
        is_inside = type(one) is type(other) and _exchange_what_differs(one, other)
        if not is_inside and isinstance(one, ast.expr):
            exchange(old, one, placed(copy.deepcopy(other), one))
            is_inside = True
        done = done or is_inside
    return done


def kept_at_once(tree: ast.Module, spot: FixContext) -> str | None:
    """Add the loop variable as a default argument to a function that is created in a loop, because Python evaluates defaults
    when it creates the function.
    """
    fix = spot.advised_code
    if fix.startswith("def "):
        head = ast.parse(f"{fix} pass").body[0]
        wanted = head.args if isinstance(head, ast.FunctionDef) else None
    else:
        made = parsed(fix)
        wanted = made.args if isinstance(made, ast.Lambda) else None
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda | Function) and wanted is not None:
            is_there = node.lineno <= spot.place.line <= (node.end_lineno or 0)
            if is_there and _is_of(node, fix, wanted):
                node.args = placed(copy.deepcopy(wanted), node)
                return fix.removesuffix(":")
    return None


def _is_of(node: ast.Lambda | Function, fix: str, wanted: ast.arguments) -> bool:
    """Whether a function is the function of the fix, except for its last parameter."""
    if [each.arg for each in node.args.args] != [each.arg for each in wanted.args[:-1]]:
        return False
    if isinstance(node, ast.Lambda):
        return fix.endswith(ast.unparse(node.body))
    return fix.startswith(f"def {node.name}(")


def as_the_copy_was(tree: ast.Module, spot: FixContext) -> str | None:
    """Request the gradients of the parts of the source, and combine them in the same way as the source."""
    better = parsed(spot.advised_code)
    if not isinstance(better, ast.Call) or not better.args:
        return None
    inner = ast.unparse(better.args[0]).partition("(")[0]
    for node in expressions_at(tree, spot.call):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == inner:
            exchange(tree, node, placed(better, node))
            return spot.advised_code
    return None

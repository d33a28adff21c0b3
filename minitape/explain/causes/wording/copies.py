"""A source that was combined from others, or split from one: the gradient calls of the originals, combined in the same way.

done_to_gradient   `flat = tf.concat([a, b], 0)` → `tf.concat(tape.gradient(y, [a, b]), 0)`
rows_of            the expression for the rows of a tensor in a dataset
"""

import ast

from minitape.explain.causes.rewriting import is_place, parsed

# Ops that only move elements. Applied to the gradients of their inputs, they return the gradient of their result.
_MOVING = {
    "concat", "expand_dims", "gather", "reshape", "reverse", "roll", "split", "squeeze", "stack", "transpose", "unstack",
}  # fmt: skip


def done_to_gradient(statement: str, call: str) -> str | None:
    """Return a gradient call for the originals, inside the call that made the source from them; None if the originals are not
    known.

    Args:
        statement: The statement that made the source: `flat = tf.concat([a, b], 0)`, `left, right = tf.split(w, 2)`.
        call: The gradient call of the program, with the source.
    """
    match _statement(statement), parsed(call):
        case ast.Assign(targets=[target], value=made), ast.Call(args=[_, given]) as requested:
            pass
        case _:
            return None
    match made:
        case ast.Call(func=ast.Attribute(attr=how), args=[original, *_]) if how in _MOVING:
            made.args[0] = requested
        case ast.Subscript(value=original):
            made.value = requested
        case _:
            return None
    parts = original.elts if isinstance(original, ast.List | ast.Tuple) else [original]
    if not all(is_place(ast.unparse(each)) for each in parts):
        return None
    entry = _entry(target, given)
    requested.args[1] = original
    return None if entry is None else f"{ast.unparse(made)}{entry}"


def _statement(text: str) -> ast.stmt | None:
    try:
        return ast.parse(text).body[0]
    except (SyntaxError, IndexError):
        return None


def _entry(target: ast.expr, given: ast.expr) -> str | None:
    """Return the index of the source among the results of the statement: "" for all of them, `[0]` for the first; else None."""
    names = list(map(ast.unparse, target.elts)) if isinstance(target, ast.Tuple) else []
    requested = ast.unparse(given)
    parts = given.elts if isinstance(given, ast.List | ast.Tuple) else []
    if requested == ast.unparse(target) or (names and names == list(map(ast.unparse, parts))):
        return ""
    if requested in names:
        return f"[{names.index(requested)}]"
    match given:
        case ast.Subscript(value=owner) if ast.unparse(owner) == ast.unparse(target):
            return requested.removeprefix(ast.unparse(owner))
    return None


def rows_of(call: ast.expr | None) -> ast.expr | None:
    """Rewrite `Dataset.from_tensor_slices(x)` as `tf.unstack(x)`; for several tensors their rows in a `zip`."""
    match call:
        case ast.Call(func=ast.Attribute(attr="from_tensor_slices"), args=[ast.Tuple(elts=parts)]):
            return parsed(f"zip({', '.join(f'tf.unstack({ast.unparse(each)})' for each in parts)})")
        case ast.Call(func=ast.Attribute(attr="from_tensor_slices"), args=[given]):
            return parsed(f"tf.unstack({ast.unparse(given)})")
    return None

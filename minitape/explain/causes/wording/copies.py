"""A source that was put together from others, or taken apart: what was done to them is done to their gradients.

done_to_gradient   `flat = tf.concat([a, b], 0)` → `tf.concat(tape.gradient(y, [a, b]), 0)`
rows_of            what gives the rows of a tensor that a dataset was made of
"""

import ast

from minitape.explain.causes.rewriting import is_place, parsed

# What only moves numbers: done to gradients it gives the gradients of what was moved.
_MOVING = {
    "concat", "expand_dims", "gather", "reshape", "reverse", "roll", "split", "squeeze", "stack", "transpose", "unstack",
}  # fmt: skip


def done_to_gradient(statement: str, call: str) -> str | None:
    """A gradient call that asks for the originals, with what made the source of them around it; None where that is not known.

    Args:
        statement: What made the source: `flat = tf.concat([a, b], 0)`, `left, right = tf.split(w, 2)`.
        call: The gradient call as it is written, with the source.
    """
    match _statement(statement), parsed(call):
        case ast.Assign(targets=[target], value=made), ast.Call(args=[_, given]) as asked:
            pass
        case _:
            return None
    match made:
        case ast.Call(func=ast.Attribute(attr=how), args=[original, *_]) if how in _MOVING:
            made.args[0] = asked
        case ast.Subscript(value=original):
            made.value = asked
        case _:
            return None
    parts = original.elts if isinstance(original, ast.List | ast.Tuple) else [original]
    if not all(is_place(ast.unparse(each)) for each in parts):
        return None
    entry = _entry(target, given)
    asked.args[1] = original
    return None if entry is None else f"{ast.unparse(made)}{entry}"


def _statement(text: str) -> ast.stmt | None:
    try:
        return ast.parse(text).body[0]
    except (SyntaxError, IndexError):
        return None


def _entry(target: ast.expr, given: ast.expr) -> str | None:
    """Which of the things that a statement made a call asks for: "" for all of them, `[0]` for the first; None for others."""
    names = list(map(ast.unparse, target.elts)) if isinstance(target, ast.Tuple) else []
    asked = ast.unparse(given)
    parts = given.elts if isinstance(given, ast.List | ast.Tuple) else []
    if asked == ast.unparse(target) or (names and names == list(map(ast.unparse, parts))):
        return ""
    if asked in names:
        return f"[{names.index(asked)}]"
    match given:
        case ast.Subscript(value=owner) if ast.unparse(owner) == ast.unparse(target):
            return asked.removeprefix(ast.unparse(owner))
    return None


def rows_of(call: ast.expr | None) -> ast.expr | None:
    """`Dataset.from_tensor_slices(x)` → `tf.unstack(x)`; of several tensors their rows beside each other."""
    match call:
        case ast.Call(func=ast.Attribute(attr="from_tensor_slices"), args=[ast.Tuple(elts=parts)]):
            return parsed(f"zip({', '.join(f'tf.unstack({ast.unparse(each)})' for each in parts)})")
        case ast.Call(func=ast.Attribute(attr="from_tensor_slices"), args=[given]):
            return parsed(f"tf.unstack({ast.unparse(given)})")
    return None

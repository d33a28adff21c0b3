"""A source that was combined from others, or split from one: the gradient calls of the originals, combined in the same way.

done_to_gradient   `flat = tf.concat([a, b], 0)` → `tf.concat(tape.gradient(y, [a, b]), 0)`
rows_of            the expression for the rows of a tensor in a dataset
"""

import ast

from minitape.explain.causes.rewriting import is_place, parsed
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk

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
    """Return the index of the source among the results of the statement: "" for all of them, `[0]` for the first; otherwise
    None."""
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


def rows_of(tree: ast.AST, call: ast.expr | None) -> tuple[ast.expr, ast.expr] | None:
    """Return what to write instead of a dataset of the rows of tensors.

    Args:
        tree: The statement or program that contains the call.
        call: A call such as `Dataset.from_tensor_slices(x)`, a node of the tree.

    Returns:
        The expression to replace, and its replacement: `tf.unstack(x)`; `zip(tf.unstack(x), tf.unstack(y))` for a tuple; for
        `.batch(n)` a list of slices, `[x[i:i + n] for i in range(0, len(x), n)]`. None if the rows are shuffled or mapped.
    """
    match call:
        case ast.Call(func=ast.Attribute(attr="from_tensor_slices"), args=[given], keywords=[]):
            parts = given.elts if isinstance(given, ast.Tuple) else [given]
        case _:
            return None
    written, size = call, None
    parents = {child: node for node in walk(tree) for child in ast.iter_child_nodes(node)}
    while isinstance(method := parents.get(written), ast.Attribute):
        chained = parents.get(method)
        match chained:
            case ast.Call(func=func, args=[size_given]) if (
                func is method and method.attr in _ORDERED
            ):
                pass
            case _:
                return None
        if method.attr == "batch":
            if size is not None:
                return None
            size = ast.unparse(size_given)
        written = chained
    texts = list(map(ast.unparse, parts))
    if size is None:
        rows = [
            text if isinstance(part, ast.List) else f"tf.unstack({text})"
            for part, text in zip(parts, texts, strict=True)
        ]
        better = rows[0] if len(rows) == 1 else f"zip({', '.join(rows)})"
    elif all(map(is_place, texts)):
        slices = [f"{text}[i:i + {size}]" for text in texts]
        item = slices[0] if len(slices) == 1 else f"({', '.join(slices)})"
        better = f"[{item} for i in range(0, len({texts[0]}), {size})]"
    else:
        return None
    result = parsed(better)
    return None if result is None else (written, result)


def rows_in(statement: str, call: str) -> tuple[str, str] | None:
    """Return the same as text, for a call in a statement."""
    tree, wanted = tree_or_empty(statement), parsed(call)
    text = None if wanted is None else ast.unparse(wanted)
    for node in walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node) == text:
            found = rows_of(tree, node)
            return None if found is None else (ast.unparse(found[0]), ast.unparse(found[1]))
    return None


# Methods of a dataset that keep the order of its elements.
_ORDERED = ("batch", "prefetch")

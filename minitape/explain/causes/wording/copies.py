"""A source that was combined from others, or split from one: the gradient calls of the originals, combined in the same way.

done_to_gradient   `flat = tf.concat([a, b], 0)` → `tf.concat(tape.gradient(y, [a, b]), 0)`
rows_of            the expression for the rows of a tensor in a dataset
out_of_map         the statements that compute in the loop over a dataset what a mapped function computed
"""

import ast
from typing import NamedTuple

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


class OutOfMap(NamedTuple):
    """The statements that compute in a loop what a function passed to `Dataset.map` computed.

    Attributes:
        returned: The `return` of the function, which only passes the data on.
        at: Its line.
        loop: The head of the loop over the dataset.
        computed: The statement for the block of the tape.
    """

    returned: str
    at: int
    loop: str
    computed: str


def out_of_map(program: str, loop_line: int) -> OutOfMap | None:
    """Return the statements for the only mapped function of a program, whose result the loop on a line reads; None if the
    function is not a single `return`, or if its parameters have another meaning in the program.
    """
    tree = tree_or_empty(program)
    loop = next(
        (each for each in walk(tree) if isinstance(each, ast.For) and each.lineno == loop_line),
        None,
    )
    mapped = _mapped_function(tree)
    if loop is None or mapped is None:
        return None
    (statement,) = mapped.body
    assert isinstance(statement, ast.Return) and statement.value is not None
    parameters = [each.arg for each in mapped.args.args]
    is_tuple = isinstance(statement.value, ast.Tuple) and isinstance(loop.target, ast.Tuple)
    values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    stored = {
        node.id
        for node in walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    own = {ast.unparse(each) for each in targets}
    computed = [at for at, each in enumerate(values) if _names_outside(each, parameters)]
    if len(values) != len(targets) or len(computed) != 1 or stored & set(parameters) - own:
        return None
    (at,) = computed
    value, name = values[at], ast.unparse(targets[at])
    used = [each for each in parameters if each in _all_names(value)]
    given = used[0] if len(used) == 1 else f"({', '.join(used)})"
    if "axis=" in ast.unparse(value) and _is_batched_later(tree):
        return None
    passed, read = list(map(ast.unparse, values)), list(map(ast.unparse, targets))
    passed[at] = read[at] = given
    if not is_tuple:
        passed, read = [given.strip("()")], [given.strip("()")]
    return OutOfMap(
        f"return {', '.join(passed)}",
        statement.lineno,
        f"for {', '.join(read)} in {ast.unparse(loop.iter)}:",
        f"{name} = {ast.unparse(value)}",
    )


def _mapped_function(tree: ast.AST) -> ast.FunctionDef | None:
    """Return the function that the only `map` of a program calls, if it is a single `return`."""
    mapped = [
        node.args[0].id
        for node in walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "map"
        and node.args
        and isinstance(node.args[0], ast.Name)
    ]
    for node in walk(tree) if len(mapped) == 1 else ():
        match node:
            case ast.FunctionDef(name=name, body=[ast.Return(value=ast.expr())]):
                if name == mapped[0]:
                    return node
    return None


def _all_names(node: ast.expr) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name)}


def _names_outside(node: ast.expr, parameters: list[str]) -> set[str]:
    """Return the names of an expression that are neither parameters nor modules."""
    return _all_names(node) - {*parameters, "tf", "np", "keras"}


def _is_batched_later(tree: ast.AST) -> bool:
    """Whether the program calls `batch` on the mapped dataset, so that the function sees single elements."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "batch"
        and ".map(" in ast.unparse(node.func.value)
        for node in walk(tree)
    )

"""Methods of NumPy arrays, as TensorFlow functions: a tensor has no `mean`, `sum` or `reshape`.

out.numpy().mean(axis=1)       tf.reduce_mean(out, axis=1)
x.numpy().reshape(-1, 2).T     tf.transpose(tf.reshape(x, [-1, 2]))
"""

import ast
import copy
from collections.abc import Iterator
from functools import lru_cache

from minitape.explain.causes.rewriting import parsed, translated
from minitape.explain.flow.program.numpy_names import USUAL_NAMES, Names, standard_name
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk

# Methods whose arguments have the same names and order in TensorFlow.
_FUNCTIONS = {
    "clip": "tf.clip_by_value",
    "cumsum": "tf.cumsum",
    "repeat": "tf.repeat",
    "squeeze": "tf.squeeze",
}
_REDUCTIONS = {
    "max": "tf.reduce_max",
    "mean": "tf.reduce_mean",
    "min": "tf.reduce_min",
    "prod": "tf.reduce_prod",
    "std": "tf.math.reduce_std",
    "sum": "tf.reduce_sum",
    "var": "tf.math.reduce_variance",
}
_SAME_VALUES = {"copy", "item", "numpy", "tolist"}
# An array and a tensor both have these.
_ON_BOTH = {"dtype", "ndim", "shape"}


def without_array(tree: ast.AST, conversion: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Return the expression around a conversion that calls methods of the array, and what to write instead.

    Args:
        tree: The statement or program that contains the conversion.
        conversion: A call such as `out.numpy()`, a node of the tree.

    Returns:
        Nodes for `out.numpy().mean(axis=1)` and `tf.reduce_mean(out, axis=1)`. If no method is called on the array, the
        conversion and its tensor. None if a method has no TensorFlow function with a gradient.
    """
    match conversion:
        case ast.Call(func=ast.Attribute(value=tensor, attr="numpy" | "item"), args=[]):
            pass
        case ast.Call(args=[tensor], keywords=[]):
            pass
        case _:
            return None
    return with_methods(tree, conversion, copy.deepcopy(tensor))


def with_methods(
    tree: ast.AST, written: ast.expr, better: ast.expr
) -> tuple[ast.expr, ast.expr] | None:
    """Return an expression with all methods that are called on it, and the same with TensorFlow functions.

    Args:
        tree: The statement or program that contains the expression.
        written: The expression, whose value is an array: a node of the tree.
        better: The tensor to use in its place.

    Returns:
        Nodes for `np.abs(x).mean()` and `tf.reduce_mean(tf.abs(x))`. None if a method has no TensorFlow function.
    """
    parents = {child: node for node in walk(tree) for child in ast.iter_child_nodes(node)}
    while isinstance(around := parents.get(written), ast.Attribute):
        call = parents.get(around)
        if around.attr in _ON_BOTH:
            break
        if isinstance(call, ast.Call) and call.func is around:
            as_function = _function(around.attr, better, call)
            written = call
        else:
            as_function = _call("tf.transpose", better) if around.attr == "T" else None
            written = around
        if as_function is None:
            return None
        better = as_function
    match parents.get(written):
        case ast.Call(func=ast.Name("float" | "round"), args=[_, *_], keywords=[]) as around_it:
            written = around_it
    return written, ast.fix_missing_locations(ast.copy_location(better, written))


def text_with_methods(statement: str, written: str, better: str) -> tuple[str, str]:
    """Return the same as text, for an expression in a statement; the two texts themselves if no method is called."""
    tree, wanted, tensor = tree_or_empty(_completed(statement)), parsed(written), parsed(better)
    if wanted is None or tensor is None:
        return written, better
    for node in walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node) == ast.unparse(wanted):
            found = with_methods(tree, node, tensor)
            if found is not None and found[0] is not node:
                return ast.unparse(found[0]), ast.unparse(found[1])
    return written, better


def _completed(statement: str) -> str:
    """Return the first line of a block as a statement that can be parsed."""
    return f"{statement} pass" if statement.endswith(":") else statement


def calls_array_method(statement: str, conversion: str) -> bool:
    """Whether a statement calls a method of arrays on the result of a conversion: `w.numpy().mean()`."""
    tree, node = _conversion_in(statement, conversion)
    return any(
        isinstance(each, ast.Attribute) and each.value is node and each.attr not in _ON_BOTH
        for each in walk(tree)
    )


def in_statement(statement: str, conversion: str) -> str | None:
    """Return a statement with TensorFlow functions in place of the methods of an array; None if one has no such function."""
    tree, node = _conversion_in(statement, conversion)
    found = None if node is None else without_array(tree, node)
    written = None if found is None else ast.get_source_segment(statement, found[0])
    if found is None or written is None:
        return None
    return statement.replace(written, ast.unparse(found[1]), 1)


def _conversion_in(statement: str, conversion: str) -> tuple[ast.AST, ast.Call | None]:
    """Return the tree of a statement, and the node of the conversion in it."""
    tree, wanted = tree_or_empty(statement), parsed(conversion)
    text = None if wanted is None else ast.unparse(wanted)
    calls = (each for each in walk(tree) if isinstance(each, ast.Call))
    return tree, next((each for each in calls if ast.unparse(each) == text), None)


def uses_as_array(
    tree: ast.AST, line: int, name: str, names: Names = USUAL_NAMES
) -> list[tuple[ast.expr, ast.expr]]:
    """Return the later calls of array methods and of NumPy functions, each with what to write instead.

    Args:
        tree: The program.
        line: The line on which the array gets its name.
        name: The name of the array.
        names: The names of NumPy in the program.

    Returns:
        Nodes, such as `a.mean()` and `tf.reduce_mean(a)`.
    """
    found = []
    for node in (each for statement in _function_around(tree, line) for each in walk(statement)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=used), attr=how)) if used == name:
                better = _function(how, ast.Name(name, ast.Load()), node)
            case ast.Call(args=[ast.Name(id=used), *_]) if used == name:
                better = _of_numpy(node, names)
            case _:
                continue
        whole = None if better is None else with_methods(tree, node, better)
        if node.lineno > line and whole is not None:
            found.append((whole[0], ast.fix_missing_locations(whole[1])))
    return sorted(found, key=lambda each: (each[0].lineno, each[0].col_offset))


@lru_cache(maxsize=256)  # called with the same line in each iteration
def uses_in(program: str, line: int, name: str, names: Names) -> list[tuple[int, str, str]]:
    """Return the same for the text of a program: the line of each use, its text, and what to write instead."""
    found = uses_as_array(tree_or_empty(program), line, name, names)
    return [(old.lineno, ast.unparse(old), ast.unparse(new)) for old, new in found]


def _of_numpy(call: ast.Call, names: Names) -> ast.expr | None:
    called = ast.unparse(call.func)
    if called in ("statistics.mean", "statistics.fmean"):
        return _call("tf.reduce_mean", call.args[0])
    if standard_name(called, names) in ("np.array", "np.asarray"):
        return _call("tf.stack", call.args[0])
    is_numpy = standard_name(called, names).startswith(("np.", "math."))
    return translated(call, names=names) if is_numpy else None


def _function_around(tree: ast.AST, line: int) -> Iterator[ast.stmt]:
    """Yield the statements of the innermost function around a line, or those of the module."""
    inside = [
        node
        for node in walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    yield from inside[-1].body if inside else getattr(tree, "body", [])


def _function(method: str, tensor: ast.expr, call: ast.Call) -> ast.expr | None:
    """Return the call of the TensorFlow function for a method of an array; None if there is none with a gradient."""
    given, settings = call.args, call.keywords
    if method in _SAME_VALUES:
        return tensor
    if method in _FUNCTIONS:
        return _call(_FUNCTIONS[method], tensor, given, settings)
    if method in _REDUCTIONS:
        is_known = len(given) < 2 and all(each.arg in ("axis", "keepdims") for each in settings)
        return _call(_REDUCTIONS[method], tensor, given, settings) if is_known else None
    if settings:
        return None
    match method, given:
        case "flatten" | "ravel", []:
            return _call("tf.reshape", tensor, [_parse("[-1]")])
        case "reshape", [ast.Tuple(elts=parts)] | [ast.List(elts=parts)]:
            return _call("tf.reshape", tensor, [ast.List(parts, ast.Load())])
        case "reshape", [ast.Attribute() | ast.Subscript() | ast.Name() as shape]:
            return _call("tf.reshape", tensor, [shape])
        case "reshape", [_, *_]:
            return _call("tf.reshape", tensor, [ast.List(given, ast.Load())])
        case "transpose", []:
            return _call("tf.transpose", tensor)
        case "transpose", [ast.Tuple() | ast.List() as order]:
            return _call("tf.transpose", tensor, [order])
        case "transpose", [_, _, *_]:
            return _call("tf.transpose", tensor, [ast.List(given, ast.Load())])
        case "dot", [other]:
            return _call("tf.tensordot", tensor, [other, ast.Constant(1)])
        case "astype", [dtype]:
            return _as_dtype(tensor, ast.unparse(dtype).strip("'\""))
    return None


def _as_dtype(tensor: ast.expr, dtype: str) -> ast.expr | None:
    name = dtype.rpartition(".")[2]
    known = {"float": "float64", "float16": "", "float32": "", "float64": ""}
    if name not in known:
        return None
    return _call("tf.cast", tensor, [_parse(f"tf.{known[name] or name}")])


def _parse(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _call(
    function: str,
    tensor: ast.expr,
    given: list[ast.expr] | None = None,
    settings: list[ast.keyword] | None = None,
) -> ast.expr:
    arguments = [copy.deepcopy(tensor), *copy.deepcopy(given or [])]
    return ast.Call(_parse(function), arguments, copy.deepcopy(settings or []))

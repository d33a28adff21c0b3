"""Methods of NumPy arrays, as TensorFlow functions: a tensor has no `mean`, `sum` or `reshape`.

out.numpy().mean(axis=1)       tf.reduce_mean(out, axis=1)
x.numpy().reshape(-1, 2).T     tf.transpose(tf.reshape(x, [-1, 2]))
q.numpy()[np.arange(5), a]     tf.gather(q, a, batch_dims=1)
"""

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeGuard

from minitape.explain.causes.rewriting import makes_tensor, parsed, translated, twin
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
_METHODS = {
    *_FUNCTIONS,
    *_REDUCTIONS,
    "astype",
    "dot",
    "flatten",
    "ravel",
    "reshape",
    "take",
    "transpose",
}
_SAME_VALUES = {"copy", "item", "numpy", "tolist"}
# Functions that return the values that they are given.
_CONVERTING = {
    "array",
    "asarray",
    "bool",
    "complex",
    "float",
    "float32",
    "float64",
    "int",
    "list",
    "round",
    "str",
}
# An array and a tensor both have these.
_ON_BOTH = {"dtype", "ndim", "shape"}


def without_array(tree: ast.AST, conversion: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Return the expression around a conversion that calls methods of the array, and what to write instead.

    Args:
        tree: The statement or program that contains the conversion.
        conversion: A call such as `out.numpy()`, a node of the tree.

    Returns:
        Nodes for `out.numpy().mean(axis=1)` and `tf.reduce_mean(out, axis=1)`. If no method is called on the array, the
        conversion and its tensor, or the variables of the layer whose `get_weights` is called. None if a method has no
        TensorFlow function with a gradient.
    """
    match conversion:
        case ast.Call(func=ast.Attribute(value=owner, attr="get_weights"), args=[]):
            conversion, tensor = _variables(tree, conversion, owner)
        case ast.Call(func=ast.Attribute(value=tensor, attr="numpy" | "item"), args=[]):
            pass
        case ast.Call(func=func, args=[tensor], keywords=[]) if _only_converts(func):
            pass
        case _:
            return None
    found = with_methods(parents_in(tree), conversion, copy.deepcopy(tensor))
    for node in walk(tree):
        match node:
            case ast.Call(args=[given], keywords=[]) if found is not None and given is found[0]:
                return (node, found[1]) if makes_tensor(node) else found
    return found


def _only_converts(function: ast.expr) -> bool:
    """Whether a function returns the values that it is given, unlike `math.exp`."""
    return ast.unparse(function).rpartition(".")[2] in _CONVERTING


def _variables(tree: ast.AST, arrays: ast.expr, owner: ast.expr) -> tuple[ast.expr, ast.expr]:
    """Return the arrays of a layer or one of them, as `layer.get_weights()[0]`, and the variables, as `layer.weights[0]`."""
    variables = ast.Attribute(owner, "weights", ast.Load())
    for node in walk(tree):
        if isinstance(node, ast.Subscript) and node.value is arrays:
            return node, ast.Subscript(variables, copy.deepcopy(node.slice), ast.Load())
    return arrays, variables


def with_methods(
    parents: Mapping[ast.AST, ast.AST], written: ast.expr, better: ast.expr
) -> tuple[ast.expr, ast.expr] | None:
    """Return an expression with all methods that are called on it, and the same with TensorFlow functions.

    Args:
        parents: The parent of each node in a statement or program that contains the expression (`parents_in`).
        written: The expression, whose value is an array: a node of the statement or program.
        better: The tensor to use in its place.

    Returns:
        Nodes for `np.abs(x).mean()` and `tf.reduce_mean(tf.abs(x))`. None if a method has no TensorFlow function.
    """
    while True:
        written, better = _with_arithmetic(parents, written, better)
        around = parents.get(written)
        if not isinstance(around, ast.Attribute):
            break
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
    around_it = parents.get(written)
    index = _index_of_each_row(around_it)
    if index is not None and isinstance(around_it, ast.Subscript) and around_it.value is written:
        settings = [ast.keyword("batch_dims", ast.Constant(1))]
        written, better = around_it, _call("tf.gather", better, [index], settings)
    match parents.get(written):
        case ast.Call(func=ast.Name("float" | "round"), args=[_, *_], keywords=[]) as around_it:
            written = around_it
    return written, ast.fix_missing_locations(ast.copy_location(better, written))


def as_functions(statement: str) -> str | None:
    """Return a statement with functions in place of array methods that it calls on results of TensorFlow: `tf.abs(x).mean()`
    becomes `tf.reduce_mean(tf.abs(x))`. None if a method has no TensorFlow function.
    """
    try:
        tree = _MethodsOfTensors().visit(ast.parse(statement))
    except SyntaxError:
        return statement
    except LookupError:
        return None
    better = ast.unparse(ast.fix_missing_locations(tree))
    return statement if better == ast.unparse(ast.parse(statement)) else better


class _MethodsOfTensors(ast.NodeTransformer):
    """Replaces array methods of the results of TensorFlow calls; a LookupError if there is no function for a method."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node.func:
            case ast.Attribute(value=ast.Call(func=ast.Attribute()) as tensor, attr=method):
                is_tensor = ast.unparse(tensor.func).startswith("tf.")
                if is_tensor and method in _METHODS and not makes_tensor(tensor):
                    found = _function(method, tensor, node)
                    if found is None:
                        raise LookupError(method)
                    return found
        return node


def parents_in(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Return the parent of each node in a tree."""
    return {child: node for node in walk(tree) for child in ast.iter_child_nodes(node)}


def _with_arithmetic(
    parents: Mapping[ast.AST, ast.AST], written: ast.expr, better: ast.expr
) -> tuple[ast.expr, ast.expr]:
    """Return the arithmetic around an array, such as `x ** 2` of `(x ** 2).mean()`, or its elements, and the same with a tensor.

    Arithmetic works on a tensor too, so this matters only if a method is called on its result; else the two are returned.
    """
    around, tensor = written, better
    while _is_of_elements(outer := parents.get(around), around):
        inner, around = around, outer
        tensor = _with_operand(outer, inner, tensor)
    is_called = (
        isinstance(method := parents.get(around), ast.Attribute) and method.attr not in _ON_BOTH
    )
    return (around, tensor) if is_called else (written, better)


def _is_of_elements(
    outer: ast.AST | None, inner: ast.expr
) -> TypeGuard[ast.BinOp | ast.UnaryOp | ast.Subscript]:
    """Whether an expression is arithmetic on another one, or some elements of it."""
    return isinstance(outer, ast.BinOp | ast.UnaryOp) or (
        isinstance(outer, ast.Subscript)
        and outer.value is inner
        and _index_of_each_row(outer) is None
    )


def _with_operand(
    node: ast.BinOp | ast.UnaryOp | ast.Subscript, old: ast.expr, new: ast.expr
) -> ast.expr:
    """Return an operation with another expression in place of one of its operands."""
    if isinstance(node, ast.UnaryOp):
        return ast.UnaryOp(node.op, new)
    if isinstance(node, ast.Subscript):
        return ast.Subscript(new, copy.deepcopy(node.slice), ast.Load())
    if node.left is old:
        return ast.BinOp(new, node.op, copy.deepcopy(node.right))
    return ast.BinOp(copy.deepcopy(node.left), node.op, new)


def _index_of_each_row(node: ast.AST | None) -> ast.expr | None:
    """Return `actions` for `q[np.arange(n), actions]`, which a tensor does not support; None for another subscript."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Call(func=rows), index])):
            return index if ast.unparse(rows).endswith(("arange", "range")) else None
    return None


def text_with_methods(statement: str, written: str, better: str) -> tuple[str, str]:
    """Return the same as text, for an expression in a statement; the two texts themselves if no method is called."""
    tree, wanted, tensor = tree_or_empty(_completed(statement)), parsed(written), parsed(better)
    if wanted is None or tensor is None:
        return written, better
    for node in walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node) == ast.unparse(wanted):
            found = with_methods(parents_in(tree), node, tensor)
            if found is not None and found[0] is not node:
                return ast.unparse(found[0]), ast.unparse(found[1])
    return written, better


def _completed(statement: str) -> str:
    """Return the first line of a block as a statement that can be parsed."""
    return f"{statement} pass" if statement.endswith(":") else statement


def calls_array_method(statement: str, conversion: str) -> bool:
    """Whether a statement calls a method of arrays on the result of a conversion, as `w.numpy().mean()` does, or picks an
    element of each row.
    """
    tree, node = _conversion_in(statement, conversion)
    if node is None:
        return False
    parents = parents_in(tree)
    around, _ = _with_arithmetic(parents, node, node)
    match parents.get(around):
        case ast.Attribute(attr=attr):
            return attr not in _ON_BOTH
        case ast.Subscript() as chosen:
            return chosen.value is node and _index_of_each_row(chosen) is not None
    return False


def in_statement(statement: str, conversion: str) -> str | None:
    """Return a statement with TensorFlow functions in place of the methods of an array; None if one has no such function."""
    tree, node = _conversion_in(statement, conversion)
    found = None if node is None else without_array(tree, node)
    written = None if found is None else ast.get_source_segment(statement, found[0])
    if found is None or written is None:
        return None
    return statement.replace(written, ast.unparse(found[1]), 1)


@lru_cache(maxsize=256)  # called with the same statement in each iteration
def with_outer_numpy(statement: str, call: str, names: Names) -> str:
    """Return the outermost NumPy call around a NumPy call of a statement, or the call itself.

    NumPy makes an array of a tensor again, so `np.sum(np.square(x))` must be replaced as a whole. Between the two calls there may
    be other NumPy calls and arithmetic.
    """
    tree, node = _conversion_in(statement, call)
    if node is None:
        return call
    parents, outer = parents_in(tree), node
    around = parents.get(node)
    while around is not None and (
        isinstance(around, ast.BinOp | ast.UnaryOp) or _has_twin(around, names)
    ):
        if isinstance(around, ast.Call):
            outer = around
        around = parents.get(around)
    return ast.get_source_segment(statement, outer) or call


def _has_twin(node: ast.AST, names: Names) -> bool:
    """Whether a node is a call of a NumPy function for which there is a TensorFlow function."""
    if not isinstance(node, ast.Call):
        return False
    called = standard_name(ast.unparse(node.func), names)
    return called.startswith("np.") and twin(called) is not None


def _conversion_in(statement: str, conversion: str) -> tuple[ast.AST, ast.Call | None]:
    """Return the tree of a statement, and the node of the conversion in it."""
    tree, wanted = tree_or_empty(_completed(statement)), parsed(conversion)
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
    parents: dict[ast.AST, ast.AST] = {}
    lists = _lists_of(tree, line, name)
    for node in _after(line, statements_around(tree, line)):
        match node:
            case ast.Name(id=used, ctx=ast.Load()) if used == name:
                better: ast.expr | None = copy.copy(node)
            case ast.Call(args=[ast.Name(id=used), *_]) if used == name:
                better = _of_numpy(node, names)
            case ast.Call(args=[ast.Name(id=used)], keywords=[]) if used in lists:
                better = _of_numpy(node, names)
                parents = parents or parents_in(tree)
                if better is None or _is_shown(parents, node):
                    continue
            case _:
                continue
        parents = parents or parents_in(tree)
        whole = None if better is None else with_methods(parents, node, better)
        if whole is not None and not _is_kept(node, whole[0]):
            found.append((whole[0], ast.fix_missing_locations(whole[1])))
    return sorted(found, key=lambda each: (each[0].lineno, each[0].col_offset))


def _lists_of(tree: ast.AST, line: int, name: str) -> set[str]:
    """Return the names of the lists to which the function around a line appends the value of a name."""
    return {
        node.func.value.id
        for node in _after(line, statements_around(tree, line))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.attr == "append"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id == name
    }


def _is_shown(parents: Mapping[ast.AST, ast.AST], node: ast.AST) -> bool:
    """Whether an expression is only printed, formatted or converted to a Python number."""
    around = parents.get(node)
    while around is not None and not isinstance(around, ast.stmt):
        match around:
            case ast.FormattedValue() | ast.Call(func=ast.Name("print" | "float")):
                return True
        around = parents.get(around)
    return False


def _after(line: int, statements: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """Yield the expressions in these statements that begin after a line."""
    for statement in statements:
        if (statement.end_lineno or 0) > line:
            for node in walk(statement):
                if isinstance(node, ast.expr) and node.lineno > line:
                    yield node


def _is_kept(node: ast.AST, written: ast.expr) -> bool:
    """Whether the use of a name needs no change: the name alone, or `float(a)`, which shows its value."""
    if not isinstance(node, ast.Name):
        return False
    return written is node or (isinstance(written, ast.Call) and written.args[:1] == [node])


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


def statements_around(tree: ast.AST, line: int) -> Iterator[ast.stmt]:
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
    match method, given, settings:
        case "take", [indices], [ast.keyword("axis")]:
            return _call("tf.gather", tensor, [indices], settings)
    if settings:
        return None
    match method, given:
        case "take", [indices, axis]:
            return _call("tf.gather", tensor, [indices], [ast.keyword("axis", axis)])
        case "take", [indices]:
            return _call("tf.gather", _call("tf.reshape", tensor, [_parse("[-1]")]), [indices])
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

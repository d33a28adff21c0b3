"""How a value left TensorFlow: as an integer, which never has a gradient, or from a Keras method that returns arrays."""

import ast
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache

from minitape.explain.flow.graph import FlowGraph
from minitape.source_text import children
from minitape.trace import events

# Piecewise constant functions to integers, and functions that return an index or a count.
_WHOLE = {
    "argmax", "argmin", "argsort", "around", "bisect", "bisect_left", "bisect_right", "ceil", "count_nonzero", "digitize", "fix",
    "floor", "int", "len", "nonzero", "range", "rint", "round", "searchsorted", "sign", "trunc",
}  # fmt: skip
_SHOWING = {
    "append", "critical", "debug", "error", "format", "info", "log", "print", "repr", "set_description", "set_postfix", "str",
    "warn", "warning", "write",
}  # fmt: skip
_MODULES = ("", "math", "np", "numpy", "bisect")
# The names that metrics give their variables, and the methods that assign them, called by Keras or by the user.
_OF_METRICS = {
    "accumulator", "count", "false_negatives", "false_positives", "num_samples", "squared_sum", "sum", "residual", "total",
    "total_confusion_matrix", "true_negatives", "true_positives",
}  # fmt: skip
_NOT_A_METRICS = {
    "assign",
    "assign_add",
    "assign_sub",
    "evaluate",
    "fit",
    "test_on_batch",
    "train_on_batch",
}


def is_whole(flow: FlowGraph, exit: events.ExportEvent) -> bool:
    """Whether the value becomes an integer, as in `int(v)`, `np.floor(v)`, `math.floor(v)`, `round(float(v))`."""
    if exit.via in ("int", "index") or (exit.via.startswith("np.") and exit.via[3:] in _WHOLE):
        return True
    site = flow.innermost(exit)
    return site is not None and _is_all_inside(site.code, site.expression, _iterations)


def is_shown(flow: FlowGraph, exit: events.ExportEvent) -> bool:
    """Whether the value is only printed, formatted or logged, as in `print(int(x))`, `f"{x}"`, `log.info(...)`."""
    site = flow.innermost(exit)
    return site is not None and _is_all_inside(site.code, site.expression, _shows)


@lru_cache(maxsize=256)
def _is_all_inside(statement: str, expression: str, kind: Callable[[ast.AST], bool]) -> bool:
    """Whether each occurrence of the expression in the statement is a node of this kind, or inside one."""
    head = f"{statement} pass" if statement.endswith(":") else statement
    try:
        tree = ast.parse(head.removeprefix("el") if head.startswith("elif ") else head)
        wanted = ast.unparse(ast.parse(expression, mode="eval"))
    except SyntaxError:
        return False
    found: list[bool] = []
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, is_inside = waiting.pop()
        is_inside = is_inside or kind(node)
        if isinstance(node, ast.expr) and ast.unparse(node) == wanted:
            found.append(is_inside)
        waiting.extend((child, is_inside) for child in children(node))
    return bool(found) and all(found)


def _iterations(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.FloorDiv()):
            return True
        case ast.Call(func=func, args=args):
            module, _, name = ast.unparse(func).rpartition(".")
            # round(x, 2) is not an integer, so its argument may need a gradient
            return module in _MODULES and name in _WHOLE and (name != "round" or len(args) == 1)
    return False


def _shows(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr():
            return True
        case ast.Call(func=func):
            return ast.unparse(func).rpartition(".")[2] in _SHOWING
    return False


def end_in_library(
    flow: FlowGraph, event: events.Placed
) -> events.ExportEvent | events.AssignEvent | None:
    """Return the exit of the library call of an event: to the program, to a Keras metric, or to a dataset."""
    ends_of = flow.once_for_all(_ends_in_library)
    if not ends_of:
        return None
    for site in event.stack:
        ends = ends_of.get(site, [])
        later = bisect_left(ends, event.i)
        if later < len(ends):
            end = flow.event(ends[later])
            assert isinstance(end, events.ExportEvent | events.AssignEvent)
            return end
    return None


def is_of_keras(exit: events.ExportEvent) -> bool:
    """Whether a Keras method such as `model.predict` or `model.evaluate` returned the values."""
    return exit.via.startswith("Model.")


def _ends_in_library(flow: FlowGraph) -> dict[int, list[int]]:
    """Return the numbers of these events, by the site of the call."""
    found: dict[int, list[int]] = {}
    for exit, _ in flow.exits.values():
        if exit.stack and (is_of_keras(exit) or exit.via.endswith(".from_generator")):
            found.setdefault(exit.stack[-1], []).append(exit.i)
    models = set(found)
    for assigns in flow.assigns.values():
        for assign in assigns:
            if assign.stack and assign.stack[-1] not in models and is_metrics(flow, assign):
                found.setdefault(assign.stack[-1], []).append(assign.i)
    return {site: sorted(numbers) for site, numbers in found.items()}


def is_metrics(flow: FlowGraph, assign: events.AssignEvent) -> bool:
    """Whether a Keras metric updates its variables: the library created and assigned them, under the names that metrics use."""
    made, site = flow.variables.get(assign.variable), flow.innermost(assign)
    if made is None or site is None or made.trainable:
        return False
    named = made.name.removesuffix(":0").rpartition("/")[2]
    called = site.expression.partition("(")[0].rpartition(".")[2]
    return named in _OF_METRICS and called not in _NOT_A_METRICS

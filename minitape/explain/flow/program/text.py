"""Searches in the program's text for code that causes no event: a name assigned to another name, or a word among a
layer's arguments.
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk


@lru_cache(maxsize=32)
def _nodes(program: str) -> tuple[ast.AST, ...]:
    return tuple(walk(tree_or_empty(program)))


def line_of_assignment(program: str, name: str, before: int) -> int | None:
    """Return the last line up to `before` that assigns `name`."""
    return max((node.lineno for node in _assignments(program, name, before)), default=None)


def line_of_renaming(program: str, name: str, before: int) -> int | None:
    """Return the last line that assigns a name, if it assigns the value of another name: `loss = other`."""
    last = max(_assignments(program, name, before), key=lambda node: node.lineno, default=None)
    return last.lineno if last is not None and isinstance(last.value, ast.Name) else None


def _assignments(program: str, name: str, before: int) -> Iterator[ast.Assign]:
    for node in _nodes(program):
        if isinstance(node, ast.Assign) and node.lineno <= before:
            goals = [leaf for goal in node.targets for leaf in walk(goal)]
            if any(isinstance(goal, ast.Name) and goal.id == name for goal in goals):
                yield node


def starts_as_none(program: str, name: str) -> bool:
    """Whether a statement assigns None to a name or attribute: `self.gamma = None`."""
    return any(
        isinstance(node, ast.Assign)
        and _is_none(node.value)
        and any(ast.unparse(goal) == name for goal in node.targets)
        for node in _nodes(program)
    )


def starts_at_zero(program: str, name: str, before: int) -> bool:
    """Whether the last statement before a line that assigns a name assigns 0 to it: `loss = 0.0`, `loss = tf.constant(0.0)`."""
    known = _assignments(program, name, before)
    last = max(known, key=lambda node: node.lineno, default=None)
    return last is not None and _is_zeros(last.value)


def name_of_sources(text: str) -> str | None:
    """Return the name that a gradient call passes as its sources, if it passes a name."""
    given = sources_in(text)
    return given if given is not None and given.isidentifier() else None


def sources_in(text: str) -> str | None:
    """Return the sources of a gradient call, as written."""
    for node in _nodes(text):
        if isinstance(node, ast.Call):
            given = [each.value for each in node.keywords if each.arg == "sources"] + node.args[1:2]
            return ast.unparse(given[0]) if given else None
    return None


def line_of_return_without(program: str, name: str, line: int) -> int | None:
    """Return the return of the function around `line`, if it returns a value and does not contain `name`, or any of several names
    such as `(h, c)`.
    """
    around = [
        node
        for node in _nodes(program)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return None
    returns = [
        node
        for node in walk(max(around, key=lambda node: node.lineno))
        if isinstance(node, ast.Return) and node.value is not None and node.lineno >= line
    ]
    names = {leaf.id for each in returns for leaf in walk(each) if isinstance(leaf, ast.Name)}
    is_used = not names.isdisjoint(re.findall(r"\w+", name)) and name not in ("", "_")
    is_left_out = bool(returns) and not is_used and all(each.lineno > line for each in returns)
    return returns[0].lineno if is_left_out else None


class OwnNone(NamedTuple):
    """The line where a user's gradient function returns None: a `return`, or its last line if it `ends` without one.

    `forgotten` is the expression on its last line, if the function could return that expression unchanged.
    """

    line: int
    ends: bool = False
    forgotten: str | None = None


def own_none(program: str, function: str) -> OwnNone | None:
    """Return the line where the gradient function inside the function `function` returns None: its `return`, or its last line."""
    for outer in _nodes(program):
        if not isinstance(outer, ast.FunctionDef) or outer.name != function:
            continue
        for inner in walk(outer):
            if isinstance(inner, ast.Lambda) and _is_none(inner.body):
                return OwnNone(inner.lineno)
            if not isinstance(inner, ast.FunctionDef) or inner is outer:
                continue
            returns = [node for node in walk(inner) if isinstance(node, ast.Return)]
            for each in returns:
                if each.value is None or any(_is_none(leaf) for leaf in walk(each.value)):
                    return OwnNone(each.lineno)
            if _goes_on(inner.body):
                return OwnNone(inner.body[-1].lineno, True, _computed(inner.body[-1]))
    return None


def _goes_on(body: list[ast.stmt]) -> bool:
    """Whether the statements after a block can be reached through it."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return False
        case ast.If(body=first, orelse=second):
            return _goes_on(first) or _goes_on(second)
        case ast.With(body=inner):
            return _goes_on(inner)
        case ast.For() | ast.While() | ast.Try() | ast.Match():
            return not any(isinstance(each, ast.Return) for each in walk(body[-1]))
    return True


def _computed(statement: ast.stmt) -> str | None:
    """Return the value on the last line of a function without `return`: a name, or an expression that is not assigned."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.Expr(value=ast.BinOp() | ast.UnaryOp() as value):
            return ast.unparse(value)
    return None


def line_of_own_return(program: str, function: str) -> int | None:
    """Return the line where the gradient function that `function` returns has its `return`; the line of a lambda."""
    for outer in _nodes(program):
        if not isinstance(outer, ast.FunctionDef) or outer.name != function:
            continue
        for returned in (node.value for node in outer.body if isinstance(node, ast.Return)):
            match returned:
                case ast.Tuple(elts=[_, ast.Lambda() as rule]):
                    return rule.lineno
                case ast.Tuple(elts=[_, ast.Name(id=name)]):
                    rules = [
                        each
                        for each in outer.body
                        if isinstance(each, ast.FunctionDef) and each.name == name
                    ]
                    ends = [node for each in rules for node in each.body]
                    lines = [node.lineno for node in ends if isinstance(node, ast.Return)]
                    return lines[-1] if lines else None
    return None


@lru_cache(maxsize=256)  # called for each gradient in each iteration
def line_that_fills_in(program: str, line: int) -> int | None:
    """Return the line that replaces a None among the gradients of the call on `line` with another value."""
    statements = [node for node in _nodes(program) if isinstance(node, ast.stmt)]
    simple = [
        node
        for node in statements
        if node.lineno <= line <= (node.end_lineno or 0) and not hasattr(node, "body")
    ]
    if not simple:
        return None
    requesting = max(simple, key=lambda node: node.lineno)
    around = max(
        (node for node in _nodes(program) if _has_body_with(node, line)),
        key=lambda node: getattr(node, "lineno", 0),
    )
    names = _stored(requesting)
    for node in walk(around):
        if isinstance(node, ast.For | ast.comprehension) and node.iter.lineno >= line:
            names |= _stored(node.target) if names & _loaded(node.iter) else set()
    for node in walk(around):
        if getattr(node, "lineno", 0) >= line and _fills_in(node, names, requesting):
            return int(getattr(node, "lineno", line))
    return None


def _has_body_with(node: ast.AST, line: int) -> bool:
    """Whether a program, or a function, contains that line."""
    if isinstance(node, ast.Module):
        return True
    return isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)


def _fills_in(node: ast.AST, names: set[str], requesting: ast.stmt) -> bool:
    """Whether a node is `g or 0`, `g if g is not None else 0` or `if g is None: g = 0`, where `g` is the gradient or the
    call itself.
    """
    match node:
        case ast.BoolOp(op=ast.Or(), values=[first, other]):
            is_call = isinstance(first, ast.Call) and first in walk(requesting)
            return _is_zeros(other) and (is_call or _is_named(first, names))
        case ast.IfExp(
            test=ast.Compare(left=requested, ops=[ast.Is()], comparators=[to]), body=other
        ):
            return _is_none(to) and _is_named(requested, names) and _is_zeros(other)
        case ast.IfExp(test=ast.Compare(left=requested, ops=[ast.IsNot()], comparators=[to])):
            return _is_none(to) and _is_named(requested, names) and _is_zeros(node.orelse)
        case ast.If(
            test=ast.Compare(left=requested, ops=[ast.Is()], comparators=[to]), body=[done]
        ):
            is_given = isinstance(done, ast.Assign) and _is_zeros(done.value)
            return is_given and _is_none(to) and _is_named(requested, names & _stored(done))
    return False


def _is_zeros(node: ast.expr) -> bool:
    """Whether an expression makes zeros, as `0.0`, `tf.zeros_like(w)` and `tf.constant(0.0)` do."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return value == 0
        case ast.Call(func=func, args=[first, *_]):
            called = ast.unparse(func)
            return "zeros" in called or (called.endswith("constant") and _is_zeros(first))
    return False


def _is_named(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _stored(node: ast.AST) -> set[str]:
    """Return the names that a part of the program assigns."""
    found = (each for each in walk(node) if isinstance(each, ast.Name))
    return {each.id for each in found if isinstance(each.ctx, ast.Store)}


def _loaded(node: ast.AST) -> set[str]:
    found = (each for each in walk(node) if isinstance(each, ast.Name))
    return {each.id for each in found if isinstance(each.ctx, ast.Load)}


def parameters(program: str, function: str) -> list[str]:
    """Return the parameters of a function, without `self`."""
    for node in _nodes(program):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return [each.arg for each in node.args.args if each.arg != "self"]
    return []


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def only_line_that_says(program: str, word: str) -> int | None:
    """Return the line with the string or attribute `word`, if there is exactly one."""
    lines = lines_that_say(program, word)
    return lines[0] if len(lines) == 1 else None


def lines_that_say(program: str, word: str) -> list[int]:
    """Return the lines with the string or attribute `word`."""
    lines = {
        node.lineno
        for node in _nodes(program)
        if (isinstance(node, ast.Constant) and node.value == word)
        or (isinstance(node, ast.Attribute) and node.attr == word)
    }
    return sorted(lines)


def lines_that_make(program: str, layer: str, setting: str = "") -> list[int]:
    """Return the lines that create layers of the class of `simple_rnn_1`; only lines with a `setting`, if there are any."""
    wanted = re.sub(r"_\d+$", "", layer).replace("_", "")
    calls = [
        node
        for node in _nodes(program)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2].replace("_", "").lower() == wanted
    ]
    with_it = [call for call in calls if any(each.arg == setting for each in call.keywords)]
    return sorted({call.lineno for call in with_it or calls})

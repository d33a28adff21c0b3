"""The sources of a gradient call in the program's text: how they are written, and whose weights they are."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk

_CALLS = {"gradient", "jacobian", "batch_jacobian"}
_LISTS = {"trainable_variables", "trainable_weights", "variables", "weights"}


def sources_given(text: str) -> ast.expr | None:
    """Return the expression that a gradient call passes as its sources."""
    try:
        tree = ast.parse(text.strip())
    except SyntaxError:
        return None
    for node in walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) in _CALLS:
            given = [each.value for each in node.keywords if each.arg == "sources"] + node.args[1:2]
            return given[0] if given else None
    return None


def typed_source(text: str, index: int, count: int) -> str | None:
    """Return an expression for one of the `count` sources of a call: `model.trainable_variables[0]`."""
    given = sources_given(text)
    if given is None:
        return None
    if isinstance(given, ast.List | ast.Tuple):
        return _element(given.elts, index, count)
    if isinstance(given, ast.Dict):
        keys = _keys(given, count)
        return None if keys is None else ast.unparse(given.values[keys.index(sorted(keys)[index])])
    written = ast.unparse(given)
    is_list = count > 1 or (isinstance(given, ast.Attribute) and given.attr in _LISTS)
    if not is_list:
        return written
    match given:
        case ast.Subscript(value=whole, slice=ast.Slice(lower=None, step=None)):
            return f"{ast.unparse(whole)}[{index}]"
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
            return f"{written}[{index}]"
    return f"({written})[{index}]" if isinstance(given, ast.BinOp) else None


def _keys(given: ast.expr, count: int) -> list[str] | None:
    """Return the keys of a dictionary of `count` sources, as written; a gradient call takes them in sorted order."""
    if not isinstance(given, ast.Dict) or len(given.keys) != count:
        return None
    keys = [each.value for each in given.keys if isinstance(each, ast.Constant)]
    texts = [each for each in keys if isinstance(each, str)]
    return texts if len(set(texts)) == count else None


def typed_in(program: str, line: int, text: str, index: int, count: int) -> str | None:
    """Return the same as `typed_source`, for a call on a line of a program; for a dictionary, the entry, if its keys are
    known.
    """
    given = sources_given(text)
    if isinstance(given, ast.Name | ast.Attribute):
        written = ast.unparse(given)
        known = value_of(program, written, line)
        if known is not None and isinstance(known.value, ast.Dict | ast.DictComp):
            keys = _keys(known.value, count)
            return None if keys is None else f"{written}[{sorted(keys)[index]!r}]"
    return typed_source(text, index, count)


def _element(parts: list[ast.expr], index: int, count: int) -> str | None:
    """Return an element of a list as written. One part may be `*others`, which represents as many elements as are left."""
    if any(isinstance(each, ast.List | ast.Tuple) for each in parts):
        return None
    starred = [location for location, each in enumerate(parts) if isinstance(each, ast.Starred)]
    if not starred:
        return ast.unparse(parts[index]) if index < len(parts) else None
    first = starred[0]
    many = count - len(parts) + 1
    many_part = parts[first]
    if len(starred) > 1 or not isinstance(many_part, ast.Starred):
        return None
    if first <= index < first + many:
        return f"{ast.unparse(many_part.value)}[{index - first}]"
    return ast.unparse(parts[index if index < first else index - many + 1])


def weights_of(node: ast.expr) -> Iterator[str]:
    """Yield the objects whose weights an expression lists: `model` of `model.trainable_variables`, `line` of
    `[line.derivative]`.
    """
    match node:
        case ast.Attribute(value=owner):
            yield ast.unparse(owner)
        case ast.BinOp(left=left, right=right):
            yield from weights_of(left)
            yield from weights_of(right)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for each in parts:
                yield from weights_of(each)
        case (
            ast.Starred(value=inside)
            | ast.Subscript(value=inside)
            | ast.Call(func=ast.Name(id="list" | "tuple"), args=[inside])
        ):
            yield from weights_of(inside)


def names_listed(node: ast.expr) -> Iterator[str]:
    """Yield the names that a list of sources is put together from: `weights` for `[*weights, scale]`, and `scale`."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from names_listed(left)
            yield from names_listed(right)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for each in parts:
                yield from names_listed(each)
        case ast.Starred(value=inside):
            yield from names_listed(inside)


def owner_of_weights(program: str, call: str, before: int) -> str | None:
    """Return the one object whose weights a gradient call requests, such as `model` for `model.trainable_variables`."""
    given = sources_given(call)
    if given is None:
        return None
    known = value_of(program, ast.unparse(given), before)
    owners = set(weights_of(given if known is None else known.value))
    return owners.pop() if len(owners) == 1 else None


class Assignment(NamedTuple):
    """An assignment to a name. `is_own` is true for `self.learned = ...` if other code calls the attribute `policy.learned`."""

    line: int
    value: ast.expr
    is_own: bool


def value_of(program: str, name: str, before: int) -> Assignment | None:
    """Return the last statement up to line `before` that assigns `name`; in a method, the statement may be on any line."""
    tree = tree_or_empty(program)
    own = f"self.{name.rpartition('.')[2]}" if "." in name else None
    found: Assignment | None = None
    for node in walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        goals = {ast.unparse(goal) for goal in node.targets}
        is_own = own in goals
        is_it = is_own or (name in goals and node.lineno <= before)
        if is_it and (found is None or node.lineno > found.line):
            found = Assignment(node.lineno, node.value, is_own)
    return found


def line_of_watch(program: str, opened: int, written: str) -> int | None:
    """Return the line `tape.watch(x)` in the `with` of line `opened`, where `x` is written so, or is an element of a list."""
    tree = tree_or_empty(program)
    blocks = [node for node in walk(tree) if isinstance(node, ast.With)]
    for call in (node for each in blocks if each.lineno == opened for node in walk(each)):
        if isinstance(call, ast.Call) and getattr(call.func, "attr", None) == "watch":
            given = [leaf for each in call.args for leaf in walk(each)]
            if any(isinstance(leaf, ast.expr) and ast.unparse(leaf) == written for leaf in given):
                return call.lineno
    return None

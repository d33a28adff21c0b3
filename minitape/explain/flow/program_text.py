"""What the program's text says where no event happened: a name given to another name, a word in a layer's description."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache


@lru_cache(maxsize=32)
def _nodes(program: str) -> tuple[ast.AST, ...]:
    try:
        return tuple(ast.walk(ast.parse(program)))
    except SyntaxError:
        return ()


def line_of_assignment(program: str, name: str, before: int) -> int | None:
    """The last line up to `before` that gives `name` a value."""
    return max((node.lineno for node in _assignments(program, name, before)), default=None)


def line_of_renaming(program: str, name: str, before: int) -> int | None:
    """That line, if what it gives is another name's value: `loss = other`."""
    last = max(_assignments(program, name, before), key=lambda node: node.lineno, default=None)
    return last.lineno if last is not None and isinstance(last.value, ast.Name) else None


def _assignments(program: str, name: str, before: int) -> Iterator[ast.Assign]:
    for node in _nodes(program):
        if isinstance(node, ast.Assign) and node.lineno <= before:
            goals = [leaf for goal in node.targets for leaf in ast.walk(goal)]
            if any(isinstance(goal, ast.Name) and goal.id == name for goal in goals):
                yield node


def name_of_sources(text: str) -> str | None:
    """The name that a gradient call gives as its sources, if it gives one name."""
    given = sources_in(text)
    return given if given is not None and given.isidentifier() else None


def sources_in(text: str) -> str | None:
    """What a gradient call gives as its sources, as it is written."""
    for node in _nodes(text):
        if isinstance(node, ast.Call):
            given = [each.value for each in node.keywords if each.arg == "sources"] + node.args[1:2]
            return ast.unparse(given[0]) if given else None
    return None


def line_of_return_without(program: str, name: str, line: int) -> int | None:
    """The return of the function around `line`, if it gives something back and `name` is not in it."""
    around = [
        node
        for node in _nodes(program)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return None
    returns = [
        node
        for node in ast.walk(max(around, key=lambda node: node.lineno))
        if isinstance(node, ast.Return) and node.value is not None and node.lineno >= line
    ]
    names = {leaf.id for each in returns for leaf in ast.walk(each) if isinstance(leaf, ast.Name)}
    is_left_out = (
        bool(returns) and name not in names and all(each.lineno > line for each in returns)
    )
    return returns[0].lineno if is_left_out else None


def line_of_own_none(program: str, function: str) -> int | None:
    """Where the gradient function inside the function called `function` gives None: its return, or its head if it has none."""
    for outer in _nodes(program):
        if not isinstance(outer, ast.FunctionDef) or outer.name != function:
            continue
        for inner in ast.walk(outer):
            if isinstance(inner, ast.Lambda) and _is_none(inner.body):
                return inner.lineno
            if not isinstance(inner, ast.FunctionDef) or inner is outer:
                continue
            returns = [node for node in ast.walk(inner) if isinstance(node, ast.Return)]
            if not returns:
                return inner.lineno
            for each in returns:
                if each.value is None or any(_is_none(leaf) for leaf in ast.walk(each.value)):
                    return each.lineno
    return None


def parameters(program: str, function: str) -> list[str]:
    """The names of what a function is given, without `self`."""
    for node in _nodes(program):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return [each.arg for each in node.args.args if each.arg != "self"]
    return []


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def line_of_branch_with(program: str, name: str) -> tuple[int, int] | None:
    """The `if` in a branch of which `name` is read, and the line that reads it."""
    for branch in _nodes(program):
        if isinstance(branch, ast.If | ast.IfExp):
            parts = [branch.body, branch.orelse]
            nodes = [node for part in parts for each in _listed(part) for node in ast.walk(each)]
            for node in nodes:
                if isinstance(node, ast.expr) and _reads(node, name):
                    return branch.lineno, node.lineno
    return None


def _reads(node: ast.expr, name: str) -> bool:
    """Whether an expression reads the name `x`, or the attribute `.x`."""
    if name.startswith("."):
        is_it = isinstance(node, ast.Attribute) and node.attr == name[1:]
    else:
        is_it = isinstance(node, ast.Name) and node.id == name
    return is_it and isinstance(getattr(node, "ctx", None), ast.Load)


def _listed(part: ast.AST | list[ast.stmt]) -> list[ast.AST]:
    return list(part) if isinstance(part, list) else [part]


def only_line_that_says(program: str, word: str) -> int | None:
    """The line with the string or attribute `word`, if there is just one."""
    lines = lines_that_say(program, word)
    return lines[0] if len(lines) == 1 else None


def lines_that_say(program: str, word: str) -> list[int]:
    """The lines with the string or attribute `word`."""
    lines = {
        node.lineno
        for node in _nodes(program)
        if (isinstance(node, ast.Constant) and node.value == word)
        or (isinstance(node, ast.Attribute) and node.attr == word)
    }
    return sorted(lines)


def lines_that_make(program: str, layer: str, setting: str = "") -> list[int]:
    """The lines that make layers of the class that `simple_rnn_1` is called after; those with a `setting`, if any has it."""
    wanted = re.sub(r"_\d+$", "", layer).replace("_", "")
    calls = [
        node
        for node in _nodes(program)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2].replace("_", "").lower() == wanted
    ]
    with_it = [call for call in calls if any(each.arg == setting for each in call.keywords)]
    return sorted({call.lineno for call in with_it or calls})

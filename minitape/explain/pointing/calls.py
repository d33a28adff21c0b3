"""The calls in the program's text: the arguments of a function, where they come from, and what a block calls."""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from minitape.explain.flow.program.loops import dotted_names
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk

_Made = ast.FunctionDef | ast.ClassDef


@lru_cache(maxsize=256)
def function_around(program: str, line: int) -> ast.FunctionDef | None:
    """Return the innermost function around a line; its decorators are a part of it."""
    around = [
        node
        for node in walk(tree_or_empty(program))
        if isinstance(node, ast.FunctionDef)
        and min([node.lineno, *(each.lineno for each in node.decorator_list)]) <= line
        and line <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def are_in_one_function(program: str, line: int, other: int) -> bool:
    """Whether two lines are in the same function, or neither is in a function."""
    around = [function_around(program, each) for each in (line, other)]
    first, second = (None if each is None else each.lineno for each in around)
    return first == second


def arguments_given(call: str, function: ast.FunctionDef) -> dict[str, str]:
    """Return the argument of a call for each parameter, by name or by position; empty for a call with `*` or `**`."""
    try:
        node = ast.parse(call.strip(), mode="eval").body
    except SyntaxError:
        return {}
    if not isinstance(node, ast.Call) or any(isinstance(each, ast.Starred) for each in node.args):
        return {}
    names = parameters_of(function)
    by_position = zip(names, map(ast.unparse, node.args), strict=False)
    return dict(by_position) | {
        each.arg: ast.unparse(each.value) for each in node.keywords if each.arg is not None
    }


def with_exchanged(call: str, one: str, other: str) -> str | None:
    """Return a call with two of its arguments exchanged, if each is written once."""
    node = ast.parse(call.strip(), mode="eval").body
    if not isinstance(node, ast.Call):
        return None
    values = [*node.args, *(each.value for each in node.keywords)]
    positions = [[each for each in values if ast.unparse(each) == text] for text in (one, other)]
    if any(len(each) != 1 for each in positions):
        return None
    (first,), (second,) = positions
    node.args = [_exchanged(each, first, second) for each in node.args]
    for keyword in node.keywords:
        keyword.value = _exchanged(keyword.value, first, second)
    return ast.unparse(node)


def _exchanged(node: ast.expr, first: ast.expr, second: ast.expr) -> ast.expr:
    return second if node is first else first if node is second else node


def names_read(function: ast.FunctionDef) -> set[str]:
    """Return the names that the body of a function reads."""
    nodes = (node for statement in function.body for node in walk(statement))
    return {
        each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    }


def parameters_of(function: ast.FunctionDef) -> list[str]:
    """Return the parameters of a function, without `self`."""
    return [each.arg for each in function.args.args if each.arg not in ("self", "cls")]


def parameter_behind(function: ast.FunctionDef, text: str) -> str | None:
    """Return the parameter from which the value of an expression comes: for `t` in `for p, t in zip(predictions, targets)`, it
    is `targets`.
    """
    name, seen = text, set[str]()
    while name not in seen:
        if name in parameters_of(function):
            return name
        seen.add(name)
        for target, through in _iterations(function):
            passed = _passed_through(function, target, through, name)
            if passed is not None:
                name = passed
                break
    return None


def _iterations(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in walk(function):
        if isinstance(node, ast.For | ast.comprehension):
            yield node.target, node.iter


def _passed_through(
    function: ast.FunctionDef, target: ast.expr, through: ast.expr, name: str
) -> str | None:
    """Return the value over which the loop that assigns a name iterates; for a `zip`, only the argument that becomes the name."""
    if isinstance(through, ast.Name):
        made = [
            node.value
            for node in walk(function)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == through.id
        ]
        through = made[0] if len(made) == 1 else through
    match target, through:
        case ast.Tuple(elts=names), ast.Call(func=ast.Name("zip"), args=parts):
            positions = [ast.unparse(each) for each in names]
            if name in positions and len(positions) == len(parts):
                return ast.unparse(parts[positions.index(name)])
        case ast.Name(id=only), _ if only == name:
            return ast.unparse(through)
    return None


# --- what a block calls ---


def names_reached(programs: Iterable[str], names: set[str]) -> set[str]:
    """Return all names that the functions and objects behind some names read, including the names read by the functions that they
    call.
    """
    bodies: dict[str, set[str]] = {}
    for program in programs:
        for name, read in _reads(program).items():
            bodies.setdefault(name, set()).update(read)
    reached, waiting = set(names), list(names)
    while waiting:
        new = bodies.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached


@lru_cache(maxsize=32)
def _reads(program: str) -> dict[str, set[str]]:
    """Return the last parts of the names that each function reads; for an object, those that its class reads."""
    found: dict[str, set[str]] = {}
    for node in walk(tree_or_empty(program)):
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, set()).update(tails_in(node))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            made = ast.unparse(node.value.func).rpartition(".")[2]
            for goal in node.targets:
                found.setdefault(ast.unparse(goal).rpartition(".")[2], set()).add(made)
        if isinstance(node, ast.ClassDef):
            called = ("call", "__call__")
            methods = (each for each in node.body if isinstance(each, ast.FunctionDef))
            found.setdefault(node.name, set()).update(
                each for method in methods if method.name in called for each in tails_in(method)
            )
    return found


def tails_in(node: ast.AST) -> set[str]:
    """Return the last parts of the names that a part of the program reads: `pull` of `self.loss.pull(a, b)`."""
    return {name.rpartition(".")[2] for name in dotted_names(node)}


@lru_cache(maxsize=256)
def names_in_block(program: str, line: int) -> frozenset[str]:
    """Return the last parts of the names that the `with` block of a line reads."""
    blocks = (node for node in walk(tree_or_empty(program)) if isinstance(node, ast.With))
    inside = (each for node in blocks if node.lineno == line for each in node.body)
    return frozenset(name for each in inside for name in tails_in(each))


# --- single parts of a program ---


@lru_cache(maxsize=256)
def calls_that_say(program: str, word: str) -> tuple[ast.Call, ...]:
    """Return the innermost calls with the string or attribute `word` among their arguments."""
    saying = [
        call
        for call in all_calls(program)
        if any(says(leaf, word) for each in arguments_of(call) for leaf in walk(each))
    ]
    return tuple(
        call
        for call in saying
        if not any(other is not call and other in walk(call) for other in saying)
    )


def arguments_of(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(each.value for each in call.keywords)]


def says(node: ast.AST, word: str) -> bool:
    if isinstance(node, ast.Constant):
        return bool(node.value == word)
    return isinstance(node, ast.Attribute) and node.attr == word


@lru_cache(maxsize=32)
def all_calls(program: str) -> tuple[ast.Call, ...]:
    """Return the calls of a program, in the order of the text."""
    calls = (node for node in walk(tree_or_empty(program)) if isinstance(node, ast.Call))
    return tuple(sorted(calls, key=lambda node: (node.lineno, node.col_offset)))


@lru_cache(maxsize=256)
def calls_of(program: str, name: str) -> tuple[ast.Call, ...]:
    """Return the calls of a function with this name, by the last part of the name."""
    return tuple(
        each for each in all_calls(program) if ast.unparse(each.func).rpartition(".")[2] == name
    )


def node_position(node: ast.expr) -> tuple[int, int]:
    """Return the position of a node in its program. The same text may be parsed twice, into different nodes."""
    return node.lineno, node.col_offset


@lru_cache(maxsize=256)
def strings_that_say(program: str, word: str) -> tuple[ast.Constant, ...]:
    """Return the strings equal to `word`, except keys of a dictionary."""
    nodes = list(walk(tree_or_empty(program)))
    names = {id(key) for node in nodes if isinstance(node, ast.Dict) for key in node.keys}
    said = (each for each in nodes if isinstance(each, ast.Constant) and each.value == word)
    return tuple(each for each in said if id(each) not in names)


@lru_cache(maxsize=256)
def assignments_of(program: str, name: str) -> tuple[ast.Assign, ...]:
    """Return the statements that assign `name`, or `self.name`."""
    return tuple(
        node
        for node in walk(tree_or_empty(program))
        if isinstance(node, ast.Assign) and name in set(_goals(node))
    )


def _goals(node: ast.Assign) -> Iterator[str]:
    """Yield the targets of an assignment, such as `x` and `y` for `x, y = ...`."""
    for goal in node.targets:
        parts = goal.elts if isinstance(goal, ast.Tuple | ast.List) else [goal]
        yield from map(ast.unparse, parts)


@lru_cache(maxsize=256)
def settings_of(program: str, word: str) -> tuple[tuple[int, ast.expr], ...]:
    """Return the values of `word` as an argument, a default, an attribute or a key, each with its line."""
    found: list[tuple[int, ast.expr]] = []
    for node in walk(tree_or_empty(program)):
        match node:
            case ast.keyword(arg=name, value=value) if name == word:
                found.append((value.lineno, value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                if _tail(target) == word:
                    found.append((node.lineno, value))
            case ast.Assign(targets=[target], value=value) if _tail(target) == word:
                found.append((node.lineno, value))
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                found += [(v.lineno, v) for k, v in pairs if k is not None and says(k, word)]
            case ast.arguments(defaults=defaults, kw_defaults=kw_defaults):
                placed = [*node.posonlyargs, *node.args]
                both = zip(
                    [*placed[len(placed) - len(defaults) :], *node.kwonlyargs],
                    [*defaults, *kw_defaults],
                    strict=True,
                )
                found += [(v.lineno, v) for arg, v in both if v is not None and arg.arg == word]
    return tuple(sorted(found, key=lambda each: each[0]))


def _tail(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]

"""The branches in the program's text: which lines a condition may skip, and which names they use."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import children, lines_of, walk

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LEAVING = ast.Return | ast.Raise | ast.Continue | ast.Break


@dataclass(frozen=True)
class Branch:
    """A branch: the body of an `if`, its `else`, or the statements after an `if` that returns.

    Attributes:
        line: The line of the condition.
        is_body: Whether the branch runs if the condition is true.
        reads: The line of each name that the branch reads.
        function: The name of the function around it.
        lines: The first and the last line of that function, or of the module.
    """

    line: int
    is_body: bool
    start: tuple[int, int]
    end: tuple[int, int]
    reads: dict[str, int]
    function: str | None
    lines: tuple[int, int]

    def holds(self, line: int, column: int) -> bool:
        """Whether a location is in the branch."""
        return self.start <= (line, column) < self.end


@lru_cache(maxsize=32)
def branches_of(program: str) -> tuple[Branch, ...]:
    """Return the branches of a program, in the order of their conditions."""
    tree = tree_or_empty(program)
    found = _branches_in(tree, None, (0, len(lines_of(program)) + 1))
    return tuple(sorted(found, key=lambda each: (each.line, each.start)))


def _branches_in(node: ast.AST, function: str | None, lines: tuple[int, int]) -> Iterator[Branch]:
    if isinstance(node, _FUNCTIONS):
        function = getattr(node, "name", None)
        lines = node.lineno, node.end_lineno or node.lineno
    for condition, is_body, part in _parts(node):
        first, last = part[0], part[-1]
        end = last.end_lineno or last.lineno, last.end_col_offset or 0
        start = first.lineno, first.col_offset
        yield Branch(condition.lineno, is_body, start, end, _reads(part), function, lines)
    for child in children(node):
        yield from _branches_in(child, function, lines)


def _parts(node: ast.AST) -> Iterator[tuple[ast.expr, bool, Sequence[ast.stmt | ast.expr]]]:
    """Yield each condition directly in a node, with the statements that it may skip, and whether these are its body."""
    if isinstance(node, ast.IfExp):
        yield node.test, True, [node.body]
        yield node.test, False, [node.orelse]
    if isinstance(node, ast.If):
        yield node.test, True, node.body
        if node.orelse:
            yield node.test, False, node.orelse
    body = getattr(node, "body", [])
    for location, each in enumerate(body if isinstance(body, list) else []):
        rest = body[location + 1 :]
        if isinstance(each, ast.If) and isinstance(each.body[-1], _LEAVING) and rest:
            yield each.test, False, rest


def _reads(part: Sequence[ast.AST]) -> dict[str, int]:
    reads: dict[str, int] = {}
    for each in part:
        for leaf in walk(each):
            for name in named_by(leaf):
                reads.setdefault(name, getattr(leaf, "lineno", 0))
    return reads


def named_by(node: ast.AST) -> Iterator[str]:
    """Yield the ways in which a branch may refer to an object: `x`, `.x` of any object, `['x']` of any dictionary."""
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(attr=name):
            yield f".{name}"
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            yield f"[{key!r}]"


def key_at(program: str, line: int, column: int) -> str | None:
    """Return the key of the value at a location, in a dictionary literal."""
    tree = tree_or_empty(program)
    for node in walk(tree):
        for key, value in (
            zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
        ):
            end = value.end_lineno or value.lineno, value.end_col_offset or 0
            is_there = (value.lineno, value.col_offset) <= (line, column) < end
            if is_there and isinstance(key, ast.Constant) and isinstance(key.value, str):
                return key.value
    return None


def taken_apart(program: str, name: str, index: int) -> Iterator[str]:
    """Yield the names of the elements of a list where it is unpacked: in `offset, gain = parts`, element 1 is called `gain`."""
    tree = tree_or_empty(program)
    for node in walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=goals)], value=ast.Name(id=given)) if (
                given == name and index < len(goals)
            ):
                goal = goals[index]
                if isinstance(goal, ast.Name):
                    yield goal.id

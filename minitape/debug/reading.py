"""What the program's text says where no event happened: a name given to another name, a word in a layer's description."""

import ast
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


def only_line_that_says(program: str, word: str) -> int | None:
    """The line with the string or attribute `word`, if there is just one."""
    lines = {
        node.lineno
        for node in _nodes(program)
        if (isinstance(node, ast.Constant) and node.value == word)
        or (isinstance(node, ast.Attribute) and node.attr == word)
    }
    return lines.pop() if len(lines) == 1 else None

"""The names in the program's text: which of them can be used on a line.

is_known_at    whether all names of an expression have a value there
"""

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache

from minitape.source_text import children, walk

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@lru_cache(maxsize=256)
def is_known_at(program: str, line: int, text: str) -> bool:
    """Whether an expression can be used on a line of a program, because its names are global or belong to the functions around
    the line.

    Its attributes of `self` must occur in the class around the line, or in a parent class.
    """
    try:
        tree, node = ast.parse(program), ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return False
    around = [each for each in walk(tree) if _is_around(each, line)]
    functions = [each for each in around if isinstance(each, _FUNCTIONS)]
    known = set(dir(builtins)) | set(_given(tree.body))
    for function in functions:
        known |= {each.arg for each in walk(function.args) if isinstance(each, ast.arg)}
        known |= set(_given(function.body))
    names = {each.id for each in walk(node) if isinstance(each, ast.Name)}
    classes = [each for each in around if isinstance(each, ast.ClassDef)]
    spoken = {name for each in classes for name in _own_names(tree, each)}
    return names <= known and set(_of_self(node)) <= spoken


def _is_around(node: ast.AST, line: int) -> bool:
    return isinstance(node, _SCOPES) and node.lineno <= line <= (node.end_lineno or 0)


def _given(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements assign, without those inside functions and classes."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _SCOPES):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.comprehension):
            waiting.append(node.iter)  # names assigned in a comprehension are local to it
        else:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            waiting += children(node)


def _own_names(tree: ast.Module, made: ast.ClassDef) -> Iterator[str]:
    """Yield the attributes and methods that occur in a class, or in its parent classes of the program."""
    yield from _given(made.body)
    yield from _of_self(made)
    bases = {ast.unparse(each) for each in made.bases}
    for other in tree.body:
        if isinstance(other, ast.ClassDef) and other is not made and other.name in bases:
            yield from _own_names(tree, other)


def _of_self(node: ast.AST) -> Iterator[str]:
    for leaf in walk(node):
        match leaf:
            case ast.Attribute(value=ast.Name("self"), attr=name):
                yield name

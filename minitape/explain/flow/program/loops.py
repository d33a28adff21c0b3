"""The loops in the program's text: what they iterate over, which names their bodies use, and which lines belong to them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import children, lines_of, walk

_Spot = tuple[int, int]  # a line and a column
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LOOPS = ast.For | ast.While
# Calls whose result can be iterated over only once.
_ONCE = {"enumerate", "filter", "iter", "map", "open", "reversed", "zip"}


@dataclass(frozen=True)
class ProgramLoop:
    """A loop or a comprehension.

    Attributes:
        line: Its line.
        head: Its head, as written.
        body: Its body, as written.
        iterated: The expression that it iterates over; None for a `while`.
        names: The names that its head and body read, including dotted names.
        assigned: The names that its body assigns.
        function: The name of the function around it.
        lines: The first and the last line of that function, or of the module.
        of_class: The first and the last line of the class around it.
        is_plain: Whether each iteration runs the whole body, and the loop is reached whenever its function runs.
    """

    line: int
    head: str
    iterated: str | None
    body: str
    start: _Spot
    end: _Spot
    names: frozenset[str]
    assigned: frozenset[str]
    function: str | None
    lines: tuple[int, int]
    of_class: tuple[int, int] | None
    is_plain: bool

    def holds(self, line: int, column: int) -> bool:
        """Whether a location is in the body."""
        return self.start <= (line, column) < self.end


class _Scope(NamedTuple):
    """The surroundings of a loop: the function's name, the lines of the function, the lines of the class."""

    function: str | None
    lines: tuple[int, int]
    of_class: tuple[int, int] | None


@lru_cache(maxsize=32)
def loops_of(program: str) -> tuple[ProgramLoop, ...]:
    """Return the loops of a program, in the order of the text."""
    tree = tree_or_empty(program)
    found = _loops_in(tree, _Scope(None, (0, len(lines_of(program)) + 1), None), True)
    return tuple(sorted(found, key=lambda loop: loop.start))


def _loops_in(node: ast.AST, scope: _Scope, is_reached: bool) -> Iterator[ProgramLoop]:
    """Yield the loops in a node; `is_reached` if nothing around it, in its function, may skip it."""
    if isinstance(node, _FUNCTIONS):
        lines = node.lineno, node.end_lineno or node.lineno
        scope = _Scope(getattr(node, "name", None), lines, scope.of_class)
        is_reached = not isinstance(node, ast.Lambda)
    if isinstance(node, ast.ClassDef):
        scope = scope._replace(of_class=(node.lineno, node.end_lineno or node.lineno))
    if isinstance(node, _LOOPS):
        yield _loop(node, scope, is_reached and not _begins_with_choice(node))
    elif isinstance(node, _COMPREHENSIONS) and len(node.generators) == 1:
        yield _comprehension(node, scope, is_reached and not node.generators[0].ifs)
    may_be_left_out = isinstance(node, ast.If | ast.IfExp | ast.Try | ast.Match)
    has_returned = False
    for child in children(node):
        yield from _loops_in(child, scope, is_reached and not may_be_left_out and not has_returned)
        is_made = isinstance(child, ast.ClassDef | _FUNCTIONS)
        has_returned |= not is_made and any(isinstance(each, ast.Return) for each in walk(child))


def _begins_with_choice(node: ast.For | ast.While) -> bool:
    """Whether an iteration may end before it has done anything."""
    return isinstance(node.body[0], ast.If | ast.Try | ast.Match)


def _loop(node: ast.For | ast.While, scope: _Scope, is_plain: bool) -> ProgramLoop:
    if isinstance(node, ast.For):
        through, head = node.iter, f"for {_target(node)} in {ast.unparse(node.iter)}"
    else:
        through, head = node.test, f"while {ast.unparse(node.test)}"
    first, last = node.body[0], node.body[-1]
    assigned = [leaf for each in node.body for leaf in _stored(each)]
    read = [through, *node.body]
    return ProgramLoop(
        line=node.lineno,
        head=head,
        iterated=ast.unparse(through) if isinstance(node, ast.For) else None,
        body=ast.unparse(first),
        start=(first.lineno, first.col_offset),
        end=(last.end_lineno or last.lineno, last.end_col_offset or 0),
        names=frozenset(name for each in read for name in dotted_names(each)),
        assigned=frozenset(assigned),
        function=scope.function,
        lines=scope.lines,
        of_class=scope.of_class,
        is_plain=is_plain,
    )


def _target(iteration: ast.For | ast.comprehension) -> str:
    return ast.unparse(iteration.target).removeprefix("(").removesuffix(")")


def _comprehension(node: _COMPREHENSIONS, scope: _Scope, is_plain: bool) -> ProgramLoop:
    iteration, made = node.generators[0], node.elt
    return ProgramLoop(
        line=iteration.iter.lineno,
        head=f"for {_target(iteration)} in {ast.unparse(iteration.iter)}",
        iterated=ast.unparse(iteration.iter),
        body=ast.unparse(made),
        start=(made.lineno, made.col_offset),
        end=(made.end_lineno or made.lineno, made.end_col_offset or 0),
        names=frozenset({*dotted_names(iteration.iter), *dotted_names(made)}),
        assigned=frozenset(),
        function=scope.function,
        lines=scope.lines,
        of_class=scope.of_class,
        is_plain=is_plain,
    )


def _stored(node: ast.AST) -> Iterator[str]:
    for leaf in walk(node):
        if isinstance(leaf, ast.Name | ast.Attribute) and isinstance(leaf.ctx, ast.Store):
            yield ast.unparse(leaf)


def dotted_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that an expression reads: `model` and `model.w` for `model.w[0]`."""
    for leaf in walk(node):
        if not isinstance(getattr(leaf, "ctx", None), ast.Load):
            continue
        if isinstance(leaf, ast.Name) and leaf.id != "self":
            yield leaf.id
        elif isinstance(leaf, ast.Attribute):
            yield ast.unparse(leaf)


def gives_once(program: str, name: str, before: int) -> tuple[int, str] | None:
    """Return the line that binds `name` to an iterator, and that statement with a list instead; None if `name` is not an
    iterator.
    """
    tree = tree_or_empty(program)
    generators = {
        node.name
        for node in walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(each, ast.Yield | ast.YieldFrom) for each in walk(node))
    }
    found = None
    for node in walk(tree):
        if not isinstance(node, ast.Assign) or node.lineno > before:
            continue
        if name not in {ast.unparse(goal) for goal in node.targets}:
            continue
        value = node.value
        if isinstance(value, ast.GeneratorExp):
            found = node.lineno, f"{name} = [{ast.unparse(value)[1:-1]}]"
        elif isinstance(value, ast.Call) and ast.unparse(value.func) in _ONCE | generators:
            found = node.lineno, f"{name} = list({ast.unparse(value)})"
        else:
            found = None
    return found

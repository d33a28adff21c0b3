"""The functions in the program's text: the names that they look up late, and the weights that they do not use."""

import ast
import copy
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import children, lines_of, walk

_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


class Late(NamedTuple):
    """A function created in a loop that looks up the loop variable when it is called.

    Attributes:
        name: The loop variable.
        function: The function's name; None for a lambda.
        line: The line of the function.
        better: The head of the function with the loop variable as a default argument.
        iterated: The expression that the loop iterates over.
    """

    name: str
    function: str | None
    line: int
    better: str
    iterated: str


class Override(NamedTuple):
    """A method that does not use an attribute that the method that it overrides uses.

    Attributes:
        name: The method, as `Class.method`.
        base: The overridden method, as `Parent.method`.
        base_line: The line of the overridden method.
        attribute: The attribute.
        line: The line that could use it: the last statement that uses another attribute that the two methods share, or the
            `return`.
        lines: The first and last line of the method.
    """

    name: str
    base: str
    base_line: int
    attribute: str
    line: int
    lines: tuple[int, int]

    def holds(self, line: int, _: int) -> bool:
        """Whether a location is in the method."""
        return self.lines[0] <= line <= self.lines[1]


@lru_cache(maxsize=256)
def looked_up_late(program: str, line: int, column: int) -> Late | None:
    """Return the function around a location, if it was created in a loop and looks up a loop variable."""
    around = list(_around(tree_or_empty(program), line, column))
    for location, node in enumerate(around):
        if not isinstance(node, ast.Lambda | ast.FunctionDef):
            continue
        own = {each.arg for each in walk(node.args) if isinstance(each, ast.arg)}
        read = {leaf.id for leaf in walk(node) if isinstance(leaf, ast.Name)} - own
        for outer in reversed(around[:location]):
            if isinstance(outer, ast.FunctionDef | ast.Lambda):
                break
            for target, iterated in _iterations(outer):
                names = [leaf.id for leaf in walk(target) if isinstance(leaf, ast.Name)]
                late = next((name for name in names if name in read), None)
                if late is not None:
                    name = None if isinstance(node, ast.Lambda) else node.name
                    better = _bound(node, late)
                    return Late(late, name, node.lineno, better, ast.unparse(iterated))
    return None


def _around(node: ast.AST, line: int, column: int) -> Iterator[ast.AST]:
    """Yield the nodes around a location, the outermost first."""
    for child in children(node):
        if not isinstance(child, ast.stmt | ast.expr):
            yield from _around(child, line, column)
            continue
        end = child.end_lineno or child.lineno, child.end_col_offset or 0
        if (child.lineno, child.col_offset) <= (line, column) < end:
            yield child
            yield from _around(child, line, column)


def _iterations(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.For):
        yield node.target, node.iter
    elif isinstance(node, _COMPREHENSIONS):
        for iteration in node.generators:
            yield iteration.target, iteration.iter


def _bound(node: ast.Lambda | ast.FunctionDef, name: str) -> str:
    """Return a function's head with `name=name` among its parameters; for a lambda the whole lambda."""
    args = copy.deepcopy(node.args)
    args.args.append(ast.arg(name))
    args.defaults.append(ast.Name(name, ast.Load()))
    if isinstance(node, ast.FunctionDef):
        return f"def {node.name}({ast.unparse(args)}):"
    return ast.unparse(ast.Lambda(args, node.body))


def line_of_default(program: str, name: str, line: int, column: int) -> int | None:
    """Return the head of the function around a location, if the default of a parameter is `name`."""
    for node in _around(tree_or_empty(program), line, column):
        match node:
            case ast.FunctionDef(args=ast.arguments(args=parameters, defaults=defaults)) if (
                defaults
            ):
                for parameter, value in zip(parameters[-len(defaults) :], defaults, strict=True):
                    if parameter.arg == name and ast.unparse(value) == name:
                        return node.lineno
    return None


@lru_cache(maxsize=256)
def is_function(program: str, name: str) -> bool:
    """Whether the program defines a function, a method or a class with this name."""
    return any(
        isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
        for node in walk(tree_or_empty(program))
    )


def line_without(program: str, attribute: str, within: int) -> int | None:
    """Return the line where the `call` of the class around a line should have used `self.attribute`, if it does not use it.

    That is the last statement that uses another attribute of the object, or the `return`.
    """
    for made in walk(tree_or_empty(program)):
        if not (isinstance(made, ast.ClassDef) and made.lineno <= within <= (made.end_lineno or 0)):
            continue
        for call in made.body:
            if not isinstance(call, ast.FunctionDef) or call.name not in ("call", "__call__"):
                continue
            used = list(_own_attributes(call))
            if any(name == attribute for name, _ in used):
                return None
            returns = [node.lineno for node in walk(call) if isinstance(node, ast.Return)]
            return max([line for _, line in used] or returns or [call.lineno])
    return None


def _own_attributes(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the attributes of `self` that a function reads, with their lines."""
    for leaf in walk(node):
        match leaf:
            case ast.Attribute(value=ast.Name("self"), attr=name, ctx=ast.Load()):
                yield name, leaf.lineno


@lru_cache(maxsize=32)
def overrides_of(program: str) -> tuple[Override, ...]:
    """Return the methods of a program that do not use an attribute that the overridden method uses."""
    classes = {
        each.name: each for each in walk(tree_or_empty(program)) if isinstance(each, ast.ClassDef)
    }
    found: list[Override] = []
    for made in classes.values():
        for method in _methods(made).values():
            replaced = _replaced(classes, made, method.name)
            is_requested = any(
                isinstance(each, ast.Name) and each.id == "super" for each in walk(method)
            )
            if replaced is not None and not is_requested:
                found += _left_out_by(made, method, *replaced)
    return tuple(found)


def _methods(made: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {
        each.name: each
        for each in made.body
        if isinstance(each, ast.FunctionDef) and each.name not in ("__init__", "build")
    }


def _replaced(
    classes: dict[str, ast.ClassDef], made: ast.ClassDef, method: str
) -> tuple[ast.ClassDef, ast.FunctionDef] | None:
    """Return the parent class in this program that has a method of the same name, and that method."""
    for base in made.bases:
        parent = classes.get(ast.unparse(base))
        if parent is None or parent is made:
            continue
        own = _methods(parent).get(method)
        found = (parent, own) if own is not None else _replaced(classes, parent, method)
        if found is not None:
            return found
    return None


def _left_out_by(
    made: ast.ClassDef, method: ast.FunctionDef, parent: ast.ClassDef, replaced: ast.FunctionDef
) -> Iterator[Override]:
    own, theirs = list(_own_attributes(method)), {name for name, _ in _own_attributes(replaced)}
    shared = [line for name, line in own if name in theirs]
    returns = [node.lineno for node in walk(method) if isinstance(node, ast.Return)]
    line = max(shared or returns or [method.lineno])
    lines = method.lineno, method.end_lineno or method.lineno
    for attribute in sorted(theirs - {name for name, _ in own}):
        names = f"{made.name}.{method.name}", f"{parent.name}.{replaced.name}"
        yield Override(*names, replaced.lineno, attribute, line, lines)


class OwnFactor(NamedTuple):
    """The factor by which a user's gradient function multiplies the gradient that it receives.

    Attributes:
        text: The factor: a name or an expression.
        line: The line that computes it.
        condition: The only comparison on this line; None if there is none or several.
        opposite: The line with the opposite comparison.
    """

    text: str
    line: int
    condition: str | None = None
    opposite: str | None = None


_OPPOSITE: dict[type[ast.cmpop], str] = {
    ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=", ast.NotEq: "==",
}  # fmt: skip


def factor_of_own_rule(program: str, function: str) -> OwnFactor | None:
    """Return the factor in the last `return` of the gradient function that `function` defines."""
    for outer in walk(tree_or_empty(program)):
        if not isinstance(outer, ast.FunctionDef) or outer.name != function:
            continue
        for rule in walk(outer):
            if not isinstance(rule, ast.FunctionDef) or rule is outer or not rule.args.args:
                continue
            match rule.body[-1]:
                case ast.Return(value=ast.BinOp(left=left, op=ast.Mult(), right=right)):
                    received = rule.args.args[0].arg
                    others = [each for each in (left, right) if not _is_name(each, received)]
                    if len(others) == 1:
                        return _own_factor(program, outer, others[0])
    return None


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _own_factor(program: str, outer: ast.FunctionDef, factor: ast.expr) -> OwnFactor:
    given = [
        node
        for node in walk(outer)
        if isinstance(node, ast.Assign)
        and any(isinstance(factor, ast.Name) and _is_name(to, factor.id) for to in node.targets)
    ]
    shown = given[0] if len(given) == 1 else factor
    comparisons = [node for node in walk(shown) if isinstance(node, ast.Compare)]
    text, line = ast.unparse(factor), shown.lineno
    if len(comparisons) != 1 or len(comparisons[0].ops) != 1:
        return OwnFactor(text, line)
    compared = comparisons[0]
    sign = _OPPOSITE.get(type(compared.ops[0]))
    written = ast.get_source_segment(program, compared)
    whole = lines_of(program)[line - 1].strip()
    if sign is None or written is None or whole.count(written) != 1:
        return OwnFactor(text, line)
    left, right = (ast.unparse(each) for each in (compared.left, compared.comparators[0]))
    return OwnFactor(text, line, written, whole.replace(written, f"{left} {sign} {right}"))

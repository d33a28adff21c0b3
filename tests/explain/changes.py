"""Small changes to a program text that a good test notices: another comparison, a condition less, a constant beside it.

Change     a piece of code in a file, and what stands there instead
changes    all of a file
"""

import ast
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_TWIN = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
_SURE = {"CERTAIN": "LIKELY", "LIKELY": "CERTAIN", "POSSIBLE": "LIKELY"}


class Change(NamedTuple):
    """A piece of the tree of a file, and what stands there instead."""

    file: Path
    tree: ast.AST
    function: int  # the line where the function begins that it is in; 0 outside of all
    old: ast.AST
    new: ast.AST

    def __str__(self) -> str:
        line = next(each.lineno for each in ast.walk(self.old) if hasattr(each, "lineno"))
        old, new = (ast.unparse(each)[:100] for each in (self.old, self.new))
        return f"{self.file.name}:{line}: {old!r} -> {new!r}"

    @property
    def text(self) -> str:
        """Of the whole file."""
        swap = ast.NodeTransformer()
        swap.visit = lambda each: self.new if each is self.old else swap.generic_visit(each)  # type: ignore[method-assign]
        return ast.unparse(ast.fix_missing_locations(swap.visit(self.tree)))


def _instead(node: ast.AST) -> Iterator[ast.AST]:
    """Each piece of code that could stand in the place of this one."""

    def but(**fields: Any) -> ast.AST:
        new = copy.copy(node)
        for name, value in fields.items():
            setattr(new, name, value)
        return new

    def without(*names: str) -> Iterator[ast.AST]:
        for i in range(len(getattr(node, names[0]))):
            rest = {name: [*getattr(node, name)] for name in names}
            for each in rest.values():
                del each[i]
            yield but(**rest)

    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield but(ops=[*ops[:i], _OTHER[type(op)](), *ops[i + 1 :]])
        case ast.BoolOp(op=op):
            yield but(op=_OTHER[type(op)]())
            for each in without("values"):
                yield each if len(each.values) > 1 else each.values[0]  # type: ignore[attr-defined]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(op=op) if type(op) in _OTHER:
            yield but(op=_OTHER[type(op)]())
        case ast.Constant(value=bool(value)):
            yield but(value=not value)
        case ast.Constant(value=int(value)):
            yield but(value=value + 1)
            yield but(value=value - 1)
        case ast.Constant(value=float(value)):
            yield but(value=value * 30)
            yield but(value=value / 30)
        case ast.If() | ast.IfExp():
            yield but(test=ast.Constant(False))
            yield but(test=ast.Constant(True))
        case ast.comprehension(ifs=[_, *_]):
            yield from without("ifs")
        case ast.Set(elts=[_, _, *_]):
            yield from without("elts")
        case ast.Dict(keys=[_, _, *_]):
            yield from without("keys", "values")
        case ast.Continue():
            yield ast.Pass()
        case ast.Call(func=ast.Name(id=name)) if name in _TWIN:
            keywords = [] if name == "sorted" else node.keywords
            yield but(func=ast.Name(_TWIN[name], ast.Load()), keywords=keywords)
        case ast.Return(value=ast.Call()):
            yield but(value=ast.Constant(None))
        case ast.Attribute(value=ast.Name(id="Confidence"), attr=attr):
            yield but(attr=_SURE[attr])


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a piece of code, but for types, imports, decorators, docstrings and what is only asserted."""
    if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from _code(each)


def changes(file: Path) -> Iterator[Change]:
    """All changes to a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = {
        inner: min(
            outer.lineno,
            *(each.lineno for each in getattr(outer, "decorator_list", ())),
            outer.lineno,
        )
        for outer in ast.walk(tree)  # the outermost first
        if isinstance(outer, ast.FunctionDef | ast.Lambda)
        for inner in ast.walk(outer)
    }
    for old in _code(tree):
        for new in _instead(old):
            yield Change(file, tree, functions.get(old, 0), old, new)

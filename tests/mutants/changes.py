"""Small changes to source code that a good test detects: a different comparison, a removed condition, a different constant.

Change     a part of a file, and its replacement
changes    all changes to a file
"""

import ast
import copy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_TWIN = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
_SURE = {"CERTAIN": "LIKELY", "LIKELY": "CERTAIN", "POSSIBLE": "LIKELY"}
_HAS_PLACES_IN_F_STRINGS = sys.version_info >= (3, 12)


@dataclass(frozen=True)
class Change:
    """The text of `file` from byte `start` to byte `end`, and its replacement."""

    file: Path
    line: int
    function: int  # the line of the `def` around it; 0 outside of all functions
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old[:100]!r} -> {self.new[:100]!r}"

    def of(self, text: bytes) -> bytes:
        """Return the changed text of the file."""
        return text[: self.start] + self.new.encode() + text[self.end :]


def changes(root: Path, file: Path) -> Iterator[Change]:
    """Yield all changes to a file of a checkout."""
    text = (root / file).read_bytes()
    tree = ast.parse(text)
    functions = {
        inner: outer.lineno
        for outer in ast.walk(tree)  # the outermost first, so that the innermost is kept
        if isinstance(outer, ast.FunctionDef)
        for inner in ast.walk(outer)
    }
    begins = _begins(text)
    for node in _code(tree):
        for old, new in _instead(node):
            start = begins[old.lineno - 1] + old.col_offset
            end = begins[old.end_lineno - 1] + old.end_col_offset
            written = ast.unparse(new)
            yield Change(
                file,
                old.lineno,
                functions.get(node, 0),
                start,
                end,
                text[start:end].decode(),
                f"({written})" if isinstance(new, ast.expr) else written,
            )


def _begins(text: bytes) -> list[int]:
    """Return the byte offset of each line, because `ast` counts columns in bytes."""
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    return begins


def _instead(node: Any) -> Iterator[tuple[Any, ast.AST]]:
    """Yield each part of this code that can be changed, and its replacement."""

    def but(**fields: Any) -> Any:
        new = copy.copy(node)
        for name, value in fields.items():
            setattr(new, name, value)
        return new

    def without(*names: str) -> Iterator[Any]:
        for i in range(len(getattr(node, names[0]))):
            rest = {name: [*getattr(node, name)] for name in names}
            for each in rest.values():
                del each[i]
            yield but(**rest)

    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield node, but(ops=[*ops[:i], _OTHER[type(op)](), *ops[i + 1 :]])
        case ast.BoolOp(op=op):
            yield node, but(op=_OTHER[type(op)]())
            for each in without("values"):
                yield node, each if len(each.values) > 1 else each.values[0]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, operand
        case ast.BinOp(op=op) if type(op) in _OTHER:
            yield node, but(op=_OTHER[type(op)]())
        case ast.Constant(value=bool(value)):
            yield node, but(value=not value)
        case ast.Constant(value=int(value)):
            yield node, but(value=value + 1)
            yield node, but(value=value - 1)
        case ast.Constant(value=float(value)) if value == 0:
            yield node, but(value=0.5)  # thirty times 0 would be no change
        case ast.Constant(value=float(value)):
            yield node, but(value=value * 30)
            yield node, but(value=value / 30)
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, ast.Constant(False)
            yield test, ast.Constant(True)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for i, loop in enumerate(node.generators):
                for j in range(len(loop.ifs)):
                    freer = copy.copy(loop)
                    freer.ifs = [*loop.ifs[:j], *loop.ifs[j + 1 :]]
                    loops = [*node.generators[:i], freer, *node.generators[i + 1 :]]
                    yield node, but(generators=loops)
        case ast.Set(elts=[_, _, *_]):
            yield from ((node, each) for each in without("elts"))
        case ast.Dict(keys=[_, _, *_]):
            yield from ((node, each) for each in without("keys", "values"))
        case ast.Continue():
            yield node, ast.Pass()
        case ast.Call(func=ast.Name(id=name)) if name in _TWIN:
            keywords = [] if name == "sorted" else node.keywords
            yield node, but(func=ast.Name(_TWIN[name], ast.Load()), keywords=keywords)
        case ast.Return(value=ast.Call() as value):
            yield value, ast.Constant(None)
        case ast.Attribute(value=ast.Name(id="Confidence"), attr=attr):
            yield node, but(attr=_SURE[attr])


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a syntax tree, except types, imports, decorators, docstrings and assertions."""
    if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.JoinedStr) and not _HAS_PLACES_IN_F_STRINGS:
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from _code(each)

"""Converts a fixed tree to text. Everything that the fix did not change keeps its original text, with its comments.

    marked     the tree of a part of a program, each node with a mark that its copies keep
    patched    the text of a fixed copy of that tree

A rule works on the tree, which has no comments, parentheses or blank lines. So only the ranges whose nodes differ are
rewritten. The result is parsed and compared with the fixed tree, so that no text with a different meaning is returned.
"""

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator, Sequence
from typing import Any

from minitape.source_text import decoded, lines_of, located, tree_of

_Edit = tuple[int, int, str]  # a range of the text, and its replacement
_BODIES = ("body", "orelse", "finalbody")
_STEP = "    "
# Expressions that need no parentheses anywhere.
_ATOMS = (
    ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Tuple, ast.Dict,
    ast.ListComp, ast.NamedExpr,
)  # fmt: skip
_WITH_BRACKETS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.Subscript)


def marked(text: str | bytes, part: int = 0) -> ast.Module:
    """Return the tree of a part; each node has a `mark`, which is the number of the part and the number of the node."""
    tree = tree_of(decoded(text) if isinstance(text, bytes) else text)
    for number, node in enumerate(ast.walk(tree)):
        node.mark = part, number  # type: ignore[attr-defined]
    return tree


def patched(text: str, fixed: ast.Module, part: int = 0) -> str | None:
    """Return the text of `fixed`, a copy of the `marked` tree of `text`; None if it cannot be written.

    Raises:
        RecursionError: the tree is too deep, even within `deep_trees`.
    """
    try:
        changed = _Patch(text, part).to(fixed)
        says = ast.dump(tree_of(changed))
        return changed if says == ast.dump(fixed) else None
    except (_UnfitError, SyntaxError, ValueError):
        return None


class _UnfitError(Exception):
    """Raised for a part of the tree that has no text range of its own."""


class _Patch:
    def __init__(self, text: str, part: int) -> None:
        self._text = text
        self._located = located(text)
        self._tree = marked(text, part)
        self._old = {_mark(node): node for node in ast.walk(self._tree)}
        self._within = set(_lines_within_strings(text))
        self._contents = _Contents()

    def to(self, fixed: ast.Module) -> str:
        return _edited(self._text, 0, len(self._text), list(self._bodies(self._tree, fixed)))

    # --- what differs ---

    def _are_equal(self, one: ast.AST, other: ast.AST) -> bool:
        return self._contents.number(one) == self._contents.number(other)

    def _node(self, old: ast.AST, new: ast.AST) -> Iterator[_Edit]:
        """Yield the edits that change one node into the node that replaces it."""
        if self._are_equal(old, new):
            return
        try:
            yield from list(self._fields(old, new))
        except _UnfitError:
            if not isinstance(old, ast.expr) or not isinstance(new, ast.expr):
                raise
            yield (*self._stretch(old), self._expression(new))

    def _fields(self, old: ast.AST, new: ast.AST) -> Iterator[_Edit]:
        if type(old) is not type(new):
            raise _UnfitError
        yield from self._bodies(old, new)
        for name, was in ast.iter_fields(old):
            now = getattr(new, name)
            if name in _BODIES and isinstance(was, list):
                continue
            if name == "args" and isinstance(was, ast.arguments):
                yield from self._parameters(was, now)
            elif name == "decorator_list":
                yield from self._decorators(old, was, now)
            elif isinstance(was, list):
                yield from self._list(old, was, now)
            elif isinstance(was, ast.AST) and isinstance(now, ast.AST):
                yield from self._child(old, was, now)
            elif repr(was) != repr(now):  # because 1, 1.0 and True are equal
                raise _UnfitError

    def _child(self, parent: ast.AST, old: ast.AST, new: ast.AST) -> Iterator[_Edit]:
        edits = list(self._node(old, new))
        is_whole = (
            len(edits) == 1 and isinstance(old, ast.expr) and edits[0][:2] == self._stretch(old)
        )
        if is_whole and isinstance(parent, _WITH_BRACKETS) and not isinstance(new, _ATOMS):
            start, end, text = edits[0]
            edits = [(start, end, f"({text})")]
        is_index = isinstance(parent, ast.Subscript) and isinstance(new, ast.Tuple) and new.elts
        if is_whole and is_index and edits[0][2] == ast.unparse(new):
            start, end, text = edits[0]
            edits = [(start, end, text[1:-1])]
        yield from edits

    def _list(self, parent: ast.AST, old: list[Any], new: list[Any]) -> Iterator[_Edit]:
        if len(old) != len(new):
            raise _UnfitError
        for was, now in zip(old, new, strict=True):
            if isinstance(was, ast.AST) and isinstance(now, ast.AST):
                yield from self._child(parent, was, now)
            elif was != now:
                raise _UnfitError

    def _parameters(self, old: ast.arguments, new: ast.arguments) -> Iterator[_Edit]:
        """Yield the edits that add one more parameter with a default after the positional parameters."""
        if self._are_equal(old, new):
            return
        kept = ast.arguments(**dict(ast.iter_fields(new)))
        kept.args, kept.defaults = new.args[:-1], new.defaults[:-1]
        if not old.args or not self._are_equal(old, kept):
            yield from self._fields(old, new)
            return
        parameters: list[ast.arg | ast.expr] = [*old.args, *old.defaults]
        last = max(map(self._end, parameters))
        added = f"{ast.unparse(new.args[-1])}={ast.unparse(new.defaults[-1])}"
        yield last, last, f", {added}"

    def _end(self, node: ast.arg | ast.expr) -> int:
        return self._located.offset(
            node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        )

    def _decorators(
        self, parent: ast.AST, old: list[ast.expr], new: list[ast.expr]
    ) -> Iterator[_Edit]:
        if len(old) == len(new):
            yield from self._list(parent, old, new)
            return
        kept = {_mark(each) for each in new}
        for each in old:
            if _mark(each) not in kept:
                yield self._start(each.lineno), self._start((each.end_lineno or 0) + 1), ""

    def _bodies(self, old: ast.AST, new: ast.AST) -> Iterator[_Edit]:
        for name in _BODIES:
            was, now = getattr(old, name, None), getattr(new, name, None)
            if isinstance(was, list) and isinstance(now, list) and (was or now):
                yield from self._statements(was, now)

    def _statements(self, old: list[ast.stmt], new: list[ast.stmt]) -> Iterator[_Edit]:
        """Yield the edits for statements that are changed, removed or added."""
        if not old:
            raise _UnfitError
        indent = " " * old[0].col_offset
        before, after = [_mark(each) for each in old], [_mark(each) for each in new]
        matches = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for how, i, j, k, m in matches.get_opcodes():
            if how == "equal" or (how == "replace" and j - i == m - k):
                for was, now in zip(old[i:j], new[k:m], strict=True):
                    yield from self._statement(was, now, indent)
                continue
            for gone in old[i:j]:
                yield (*self._whole_lines(gone), "")
            if m > k:
                at = self._whole_lines(old[i])[0] if i < len(old) else self._whole_lines(old[-1])[1]
                yield at, at, "".join(self._written(each, indent) for each in new[k:m])

    def _statement(self, old: ast.stmt, new: ast.stmt, indent: str) -> Iterator[_Edit]:
        try:
            yield from list(self._node(old, new))
        except _UnfitError:
            # A new simple statement may replace a block, and a new `with` may surround it.
            is_new = _mark(new) not in self._old
            is_fit = is_new and (isinstance(new, ast.With) or not hasattr(new, "body"))
            if hasattr(old, "body") and not is_fit:
                raise
            if isinstance(new, ast.With):  # it surrounds the comments above the statement too
                yield (*self._whole_lines(old), self._written(new, indent))
                return
            text = self._written(new, indent).removeprefix(indent).rstrip("\n")
            yield (*self._stretch(old), text)

    # --- writing ---

    def _written(self, new: ast.stmt, indent: str) -> str:
        """Return a statement on separate lines, with the text of its old location."""
        old = self._old.get(_mark(new))
        if isinstance(old, ast.stmt):
            start, end = self._whole_lines(old)
            text = _edited(self._text, start, end, list(self._node(old, new)))
            return _moved(text, old.col_offset, indent, self._strings_in(start, end))
        if isinstance(new, ast.With):
            empty = ast.With(new.items, [ast.Pass()], lineno=0)
            head = lines_of(ast.unparse(empty))[0]
            inner = "".join(self._written(each, indent + _STEP) for each in new.body)
            return f"{indent}{head}\n{inner}"
        text = ast.unparse(new)
        return "".join(f"{indent}{line}\n" for line in lines_of(text))

    def _expression(self, new: ast.expr) -> str:
        """Return the original text of an expression, if it was only moved."""
        old = self._old.get(_mark(new))
        if isinstance(old, ast.expr) and self._are_equal(old, new):
            start, end = self._stretch(old)
            return self._text[start:end]
        return ast.unparse(new)

    # --- locations ---

    def _stretch(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return self._located.span(node)

    def _start(self, line: int) -> int:
        return self._located.start(line)

    def _whole_lines(self, node: ast.stmt) -> tuple[int, int]:
        """Return the lines of a statement, with the comments directly above it."""
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        indent = " " * node.col_offset
        start, end = self._stretch(node)
        last = self._start((node.end_lineno or node.lineno) + 1)
        rest = self._text[end:last].strip()
        if self._text[self._start(node.lineno) : start].strip() or (
            rest and not rest.startswith("#")
        ):
            raise _UnfitError  # two statements on one line
        while first > 1 and self._located.lines[first - 2].startswith(f"{indent}#"):
            first -= 1
        return self._start(first), last

    def _strings_in(self, start: int, end: int) -> set[int]:
        """Return the lines of a range, counted from 0, that begin within a string and therefore must not be indented."""
        first = self._text.count("\n", 0, start)
        last = self._text.count("\n", 0, end)
        return {line - first for line in self._within if first <= line <= last}


def _mark(node: ast.AST) -> tuple[int, int]:
    """Return the part and the number of a node in the original trees; for a new node a unique mark."""
    return getattr(node, "mark", (-1, id(node)))


class _Contents:
    """Numbers the contents of tree nodes: two nodes have the same number if `ast.dump` returns the same text for them.

    Each node is read only once, no matter how often it and its parents are compared. The trees must not change in the
    meantime.
    """

    def __init__(self) -> None:
        self._of_node: dict[
            int, tuple[ast.AST, int]
        ] = {}  # stored with the node, so that the node's id stays unique
        self._numbers: dict[tuple[Any, ...], int] = {}

    def number(self, node: ast.AST) -> int:
        if id(node) not in self._of_node:
            for each in reversed(list(ast.walk(node))):  # children come before their parents
                if id(each) not in self._of_node:
                    said = (
                        type(each),
                        *(self._said(getattr(each, name, None)) for name in each._fields),
                    )
                    number = self._numbers.setdefault(said, len(self._numbers))
                    self._of_node[id(each)] = each, number
        return self._of_node[id(node)][1]

    def _said(self, value: Any) -> Any:
        if isinstance(value, ast.AST):
            return self._of_node[id(value)][1]
        return tuple(map(self._said, value)) if isinstance(value, list) else repr(value)


def _lines_within_strings(text: str) -> Iterator[int]:
    """Yield the lines, counted from 0, that begin within a string."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            yield from range(token.start[0], token.end[0])


def _edited(text: str, start: int, end: int, edits: Sequence[_Edit]) -> str:
    """Return a range of the text with its edits applied; overlapping edits raise an error."""
    parts, at = [], start
    for begin, stop, new in sorted(edits, key=lambda edit: edit[:2]):
        if begin < at or stop > end:
            raise _UnfitError
        parts += [text[at:begin], new]
        at = stop
    return "".join([*parts, text[at:end]])


def _moved(text: str, column: int, indent: str, within: set[int]) -> str:
    """Return lines with a different indentation; lines that begin within a string are not changed."""
    old = " " * column
    moved = [
        indent + line[column:]
        if line.startswith(old) and line.strip() and i not in within
        else line
        for i, line in enumerate(lines_of(text))
    ]
    return "".join(f"{line}\n" for line in moved)
